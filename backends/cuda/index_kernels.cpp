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

// ---- scatter -----------------------------------------------------------------------------------

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

// ---- sort --------------------------------------------------------------------------------------

constexpr std::string_view kMerge = R"(
__device__ inline bool before({value} a, {value} b) {{
  return {before};
}}

// Runs of `width` become runs of twice that: each element goes as far into the two as there are
// elements of its own run and of the other one before it.
extern "C" __global__ void __launch_bounds__(256)
merge_runs(const {memory}* __restrict__ values, const int64* __restrict__ places,
           {memory}* __restrict__ new_values, int64* __restrict__ new_places, int64 count,
           int64 length, int64 width, int64 first) {{
  for (int64 element = (int64)blockIdx.x * 256 + threadIdx.x; element < count;
       element += (int64)gridDim.x * 256) {{
    const int64 row = element / length * length;
    const int64 i = element - row;
    const int64 run = i / width;
    const bool is_left = run % 2 == 0;
    const int64 other = (is_left ? run + 1 : run - 1) * width;
    const {value} mine = {mine};
    int64 low = other < length ? other : length;
    int64 high = other + width < length ? other + width : length;
    const int64 begin = low;
    while (low < high) {{
      const int64 middle = low + (high - low) / 2;
      const {value} theirs = {theirs};
      // Of equals the left run's come first.
      const bool goes_before = is_left ? before(theirs, mine) : !before(mine, theirs);
      if (goes_before)
        low = middle + 1;
      else
        high = middle;
    }}
    const int64 to = row + run / 2 * 2 * width + (i - run * width) + (low - begin);
    new_values[to] = values[element];
    new_places[to] = first ? i : places[element];
  }}
}}
)";

std::string merge_text(DType dtype, bool descending) {
  const ElementWords element(dtype);
  const char* less = is_floating(dtype) ? "(x < y || (y != y && x == x))" : "x < y";
  std::string before = less;
  for (char& c : before)
    if (c == 'x' || c == 'y') c = (c == 'x') != descending ? 'a' : 'b';
  return element.definitions() +
         fmt::format(kMerge, fmt::arg("value", element.value()),
                     fmt::arg("memory", element.memory()), fmt::arg("before", before),
                     fmt::arg("mine", element.read("values[element]")),
                     fmt::arg("theirs", element.read("values[row + middle]")));
}

void merge(const Tensor& from, const Tensor& from_places, const Tensor& to, const Tensor& to_places,
           int64_t width, bool descending) {
  const int64_t first = width == 1;
  text_kernel(merge_text(from.dtype(), descending), "merge_runs")
      .launch(blocks_for(from.numel()), kThreads,
              {address(from, "values"), address(from_places, "places"), address(to, "new_values"),
               address(to_places, "new_places"), gpu_argument(from.numel()),
               gpu_argument(from.size(-1)), gpu_argument(width), gpu_argument(first)});
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

void sort_rows(const Tensor& rows, const Tensor& values, const Tensor& places, bool descending) {
  if (rows.numel() == 0) return;
  const int64_t length = rows.size(-1);
  int64_t passes = 1;
  while ((int64_t{1} << passes) < length) ++passes;
  // Back and forth between two pairs of buffers, so that the last pass writes what was given.
  const Tensor more = Tensor::empty(rows.sizes(), rows.dtype(), rows.device());
  const Tensor more_places = Tensor::empty(rows.sizes(), DType::kInt64, rows.device());
  Tensor from = rows, from_places = more_places;
  for (int64_t pass = 0; pass < passes; ++pass) {
    const bool is_last_like = (passes - pass) % 2 == 1;
    const Tensor& to = is_last_like ? values : more;
    const Tensor& to_places = is_last_like ? places : more_places;
    // The first pass reads no places; the kernel's buffers are told apart all the same.
    if (pass == 0) from_places = is_last_like ? more_places : places;
    merge(from, from_places, to, to_places, int64_t{1} << pass, descending);
    from = to;
    from_places = to_places;
  }
}

}  // namespace glint::cuda
