// How a kernel is cut for a GPU: threads of a block, elements of a thread, who shares a row.
//
//     LaunchShape usual;                                 // as bind_axes and the writer think best
//
//     LaunchShape wide{.threads = 512, .elements = 2};   // blocks of 512, accesses of two elements
//
// A kernel computes the same however it is cut; which is fastest the device says (tune_run.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/kernel.h"

namespace glint::cuda {

struct LaunchShape {
  /// Who runs an iteration of the outer loops, where its inner loops can be shared.
  enum class Row : uint8_t { kUsual, kThread, kWarp, kBlock };

  uint32_t threads = 0;  ///< of a block: a power of two from 64 to 1024; 0: the usual number
  /// Neighbours of a thread at most, where it takes several in one access; of a reduction by all
  /// blocks, how many elements a thread takes before there are more blocks. 0: the usual number.
  uint32_t elements = 0;
  Row row = Row::kUsual;
  /// What rows of unknown length have at most, in launches of this kernel (row_classes.h); 0:
  /// nothing is known of them.
  uint32_t longest_row = 0;

  bool is_usual() const { return *this == LaunchShape(); }
  bool operator==(const LaunchShape&) const = default;
};

/// `512 2 warp`, `0 0 usual rows to 512`, and back: the form in files and in keys.
std::string print(const LaunchShape& shape);
std::optional<LaunchShape> parse_shape(std::string_view text);

/// A kernel's name so cut: `softmax_rows_to_512`.
std::string cut_name(const Kernel& kernel, const LaunchShape& shape);

/// The ways worth trying for a kernel, each with another text; the usual one is the first. Only
/// that where the kernel runs on one thread.
std::vector<LaunchShape> candidate_shapes(const Kernel& kernel);

}  // namespace glint::cuda
