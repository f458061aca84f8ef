#include "backends/cuda/index_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/device_memory.h"
#include "backends/cuda/element_words.h"
#include "backends/cuda/launch_checks.h"
#include "backends/cuda/text_kernel.h"

namespace glint::cuda {
namespace {

constexpr uint32_t kThreads = 256;
constexpr int64_t kMostBlocks = 1024;

int64_t blocks_for(int64_t threads) {
  return std::min((threads + kThreads - 1) / kThreads, kMostBlocks);
}

constexpr std::string_view kScatter = R"(
// A line along the dimension a thread: `length` elements, `inner` apart in index and source.
extern "C" __global__ void __launch_bounds__(256)
scatter({memory}* out, const int64* __restrict__ index, const {memory}* __restrict__ source,
        int* status, int64 lines, int64 length, int64 inner, int64 limit, int64 step{sizes}) {{
  for (int64 line = (int64)blockIdx.x * 256 + threadIdx.x; line < lines;
       line += (int64)gridDim.x * 256) {{
    const int64 begin = line / inner * inner * length + line % inner;
    int64 rest = line;
    int64 place = 0;
{place}
    for (int64 i = 0; i < length; ++i) {{
      const int64 at = index[begin + i * inner];
      if (at < 0 || at >= limit) {{
        *status = 1;
        return;
      }}
      out[place + at * step] = {value};
    }}
  }}
}}
)";

std::string scatter_text(DType dtype, size_t others, bool adds) {
  const ElementWords element(dtype);
  std::string sizes, place;
  for (size_t k = 0; k < others; ++k) {
    sizes += fmt::format(", int64 size{0}, int64 stride{0}", k);
    place += fmt::format("    place += rest % size{0} * stride{0};\n    rest /= size{0};\n", k);
  }
  const std::string added = element.sum(element.read("out[place + at * step]"),
                                        element.read("source[begin + i * inner]"));
  return element.definitions() +
         fmt::format(kScatter, fmt::arg("memory", element.memory()), fmt::arg("sizes", sizes),
                     fmt::arg("place", place),
                     fmt::arg("value", adds ? element.write(added) : "source[begin + i * inner]"));
}

}  // namespace

bool scatter_elements(const Tensor& out, int64_t dim, const Tensor& index, const Tensor& source,
                      bool adds) {
  if (index.numel() == 0) return true;
  const bool single = out.rank() == 0;
  const int64_t length = index.rank() == 0 ? 1 : index.size(dim);
  int64_t inner = 1;
  std::vector<GpuArgument> others;
  for (int64_t k = index.rank(); k-- > 0;) {
    if (k == dim) continue;
    if (k > dim) inner *= index.size(k);
    others.push_back(gpu_argument(index.size(k)));
    others.push_back(gpu_argument(out.stride(k)));
  }
  static const LaunchCheck& check = *new LaunchCheck("scatter", {{1, "index out of bounds"}});
  const int64_t lines = index.numel() / length;
  std::vector<GpuArgument> arguments = {address(out, "out"),
                                        address(index, "index"),
                                        address(source, "source"),
                                        check.argument(),
                                        gpu_argument(lines),
                                        gpu_argument(length),
                                        gpu_argument(inner),
                                        gpu_argument(single ? int64_t{1} : out.size(dim)),
                                        gpu_argument(single ? int64_t{0} : out.stride(dim))};
  arguments.insert(arguments.end(), others.begin(), others.end());
  text_kernel(scatter_text(out.dtype(), others.size() / 2, adds), "scatter")
      .launch(blocks_for(lines), kThreads, std::move(arguments));
  return check.launched() == 0;
}

}  // namespace glint::cuda
