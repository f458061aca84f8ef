#include "backends/cuda/kernels/tile_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/element_words.h"

namespace glint::cuda {
namespace {

/// Tiles of which there are fewer leave multiprocessors of a large device without work.
constexpr int64_t kFewTiles = 128;

constexpr std::string_view kSizes = R"(
constexpr int kPart = {};  // rows and columns of `out` that a thread makes
constexpr int kSide = 16 * kPart;
)";

constexpr std::string_view kMemory =
    R"(  // One more than a row holds: a column's elements are then in different banks.
  __shared__ {0} tile_a[kSide][17];
  __shared__ {0} tile_b[16][kSide + 1];
  const int x = threadIdx.x % 16;
  const int y = threadIdx.x / 16;
  // A thread's rows and columns are 16 apart.
  {0} totals[kPart][kPart] = {{}};)";

constexpr std::string_view kSteps = R"(    __syncthreads();
    #pragma unroll
    for (int step = 0; step < 16; ++step) {{
      {0} row[kPart];
      #pragma unroll
      for (int i = 0; i < kPart; ++i) row[i] = tile_a[y + 16 * i][step];
      #pragma unroll
      for (int j = 0; j < kPart; ++j) {{
        const {0} factor = tile_b[step][x + 16 * j];
        #pragma unroll
        for (int i = 0; i < kPart; ++i) totals[i][j] = {1};
      }}
    }}
    __syncthreads();)";

}  // namespace

int64_t TiledProducts::tiles(int part) const {
  const int64_t side = 16 * part;
  return products * ((rows + side - 1) / side) * ((columns + side - 1) / side);
}

int TiledProducts::usual_part(int most) const {
  int usual = 1;
  for (int part = 2; part <= most; part *= 2)
    if (std::min(rows, columns) >= 16 * part && tiles(part) >= kFewTiles) usual = part;
  return usual;
}

TileText::TileText(DType dtype, int part) : dtype_(dtype), part_(part) {
  if (!is_floating(dtype)) {
    sum_ = "uint64";
    step_ = "row[i] * factor + totals[i][j]";
  } else {
    sum_ = dtype == DType::kFloat64 ? "double" : "float";
    step_ = dtype == DType::kFloat64 ? "fma(row[i], factor, totals[i][j])"
                                     : "fmaf(row[i], factor, totals[i][j])";
  }
}

std::string TileText::sizes() const {
  return fmt::format(kSizes, part_);
}
std::string TileText::memory() const {
  return fmt::format(kMemory, sum_);
}
std::string TileText::steps() const {
  return fmt::format(kSteps, sum_, step_);
}
std::string TileText::total() const {
  const ElementWords element(dtype_);
  return is_floating(dtype_) ? "totals[i][j]" : fmt::format("({})totals[i][j]", element.memory());
}

}  // namespace glint::cuda
