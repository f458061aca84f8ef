// What kernels have in common that multiply matrices by tiles in shared memory.
//
//     const TileText tiles(DType::kFloat32, 2);
//     tiles.memory()         tile_a of 32 by 16, tile_b of 16 by 32, a thread's 2 by 2 `totals`
//     ... the kernel fills both tiles, for 16 steps of the sum ...
//     tiles.steps()          adds their product to the totals, between two barriers
//
// Blocks have 256 threads, at x, y of 16 by 16; a thread's rows and columns are 16 apart. Sums run
// in order of the steps, in float for the 16-bit floats, each step one fused multiply-add; integers
// wrap.
#pragma once

#include <cstdint>
#include <string>

#include "core/tensor/dtype.h"

namespace glint::cuda {

inline constexpr uint32_t kTileThreads = 256;

/// Products of matrices, which tiles of 16 * part rows and columns cover.
struct TiledProducts {
  int64_t products = 1;
  int64_t rows = 0;
  int64_t columns = 0;

  int64_t tiles(int part) const;
  /// The largest tile, up to `most`, that a product fills and of which there are enough.
  int usual_part(int most) const;
};

class TileText {
 public:
  /// `part`: rows and columns that a thread makes.
  TileText(DType dtype, int part);
  /// The type of sums.
  const std::string& sum() const { return sum_; }
  int64_t side() const { return 16 * part_; }
  /// Stands above the kernel.
  std::string sizes() const;
  std::string memory() const;
  std::string steps() const;
  /// `totals[i][j]` as an element of the dtype.
  std::string total() const;
  /// An element that was read, as a factor of sums.
  std::string factor(const std::string& element) const { return "(" + sum_ + ")" + element; }

 private:
  DType dtype_;
  int part_;
  std::string sum_, step_;
};

}  // namespace glint::cuda
