#include "backends/cuda/kernels/true_places.h"

#include <fmt/format.h>

#include <vector>

#include "backends/cuda/launch/text_kernel.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kText = R"(
extern "C" __global__ void __launch_bounds__(256)
true_places(const bool* __restrict__ truth, const long long* __restrict__ counts,
            long long* __restrict__ places, long long count, long long found{sizes}) {{
  const long long threads = (long long)gridDim.x * 256;
  for (long long i = (long long)blockIdx.x * 256 + threadIdx.x; i < count; i += threads) {{
    if (!truth[i]) continue;
    const long long row = counts[i] - 1;
    long long rest = i;
{columns}  }}
}}
)";

/// The innermost dimension first: what is left is the number of a row of those before it.
std::string text_of(int64_t rank) {
  std::string sizes, columns;
  for (int64_t dim = 0; dim < rank; ++dim) sizes += fmt::format(", long long size{}", dim);
  for (int64_t dim = rank; dim-- > 1;)
    columns +=
        fmt::format("    places[{0} * found + row] = rest % size{0};\n    rest /= size{0};\n", dim);
  columns += "    places[row] = rest;\n";
  return fmt::format(kText, fmt::arg("sizes", sizes), fmt::arg("columns", columns));
}

}  // namespace

void write_true_places(const Tensor& truth, const Tensor& counts, const Tensor& places) {
  const int64_t rank = truth.rank();
  if (truth.rank() == 0 || places.numel() == 0) return;
  std::vector<GpuArgument> arguments = {address(truth, "truth"), address(counts, "counts"),
                                        address(places, "places"), gpu_argument(truth.numel()),
                                        gpu_argument(places.numel() / rank)};
  for (int64_t dim = 0; dim < rank; ++dim) arguments.push_back(gpu_argument(truth.size(dim)));
  text_kernel(text_of(rank), "true_places").launch_threads(truth.numel(), std::move(arguments));
}

}  // namespace glint::cuda
