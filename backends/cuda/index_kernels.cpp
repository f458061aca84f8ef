#include "backends/cuda/index_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/element_words.h"
#include "backends/cuda/launch_checks.h"
#include "backends/cuda/text_kernel.h"
#include "backends/cuda/text_walk.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"

namespace glint::cuda {
namespace {

constexpr int64_t kWarp = 32;

// ---- texts -------------------------------------------------------------------------------------

constexpr std::string_view kText = R"(
// A stretch of a line's places for each {whom}: copied, then written by all indices that name it.
extern "C" __global__ void __launch_bounds__(256)
scatter({memory}* out, const {memory}* input, const {index}* __restrict__ index,
        const {memory}* __restrict__ source, {number} number, int* status, int64 lines,
        int64 length, int64 limit, int64 stretches, int64 out_step, int64 input_step,
        int64 index_step, int64 source_step{sizes}) {{
  const int64 stretch = (limit + stretches - 1) / stretches;
  const int lane = {lane};
  const int64 owners = (int64)gridDim.x * 256 / {owner_threads};
  for (int64 owner = ((int64)blockIdx.x * 256 + threadIdx.x) / {owner_threads};
       owner < lines * stretches; owner += owners) {{
    const int64 line = owner % lines;
    const int64 begin = owner / lines * stretch;
    const int64 end = begin + stretch < limit ? begin + stretch : limit;
{places}{copy}{write}  }}
}}
)";

constexpr std::string_view kCopy =
    R"(    for (int64 place = begin + lane; place < end; place += {owner_threads})
      out[out_at + place * out_step] = input[input_at + place * input_step];
)";

constexpr std::string_view kWriteByThread = R"(    for (int64 i = 0; i < length; ++i) {{
      const int64 place = (int64)index[index_at + i * index_step];
      if (place < 0 || place >= limit) *status = 1;
      if (place < begin || place >= end) continue;
      const {value} given = {given};
      {memory}& to = out[out_at + place * out_step];
      to = {result};
    }}
)";

// Each place is one lane's, the one that has copied it.
constexpr std::string_view kWriteByWarp =
    R"(    for (int64 first = 0; first < length; first += 32) {{
      const int64 i = first + lane;
      const int64 at = i < length ? (int64)index[index_at + i * index_step] : begin - 1;
      if (i < length && (at < 0 || at >= limit)) *status = 1;
      const bool is_here = at >= begin && at < end;
      const {value} mine = is_here ? ({value}){given} : ({value})0;
      unsigned left = __ballot_sync(0xffffffff, is_here);
      while (left != 0) {{
        const int from = __ffs(left) - 1;
        left &= left - 1;
        const int64 place = __shfl_sync(0xffffffff, at, from);
        const {value} given = ({value})__shfl_sync(0xffffffff, mine, from);
        if ((place - begin) % 32 != lane) continue;
        {memory}& to = out[out_at + place * out_step];
        to = {result};
      }}
    }}
)";

constexpr std::string_view kEachText = R"(
// Each thread writes what indices of its own name; of two that name one place either may be last.
extern "C" __global__ void __launch_bounds__(256)
scatter_each({memory}* out, const {index}* __restrict__ index, const {memory}* __restrict__ source,
             {number} number, int* status, int64 lines, int64 length, int64 limit, int64 out_step,
             int64 index_step, int64 source_step{sizes}) {{
  const int64 threads = (int64)gridDim.x * 256;
  for (int64 point = (int64)blockIdx.x * 256 + threadIdx.x; point < lines * length;
       point += threads) {{
    const int64 line = {line};
    const int64 i = {place};
{places}    const int64 place = (int64)index[index_at + i * index_step];
    if (place < 0 || place >= limit) {{
      *status = 1;
      continue;
    }}
    const {value} given = {given};
    {store};
  }}
}}
)";

/// Who has a stretch.
enum class Owner : uint8_t { kThread, kWarp };

std::string given_text(const Scatter& scatter, const ElementWords& element) {
  return scatter.source.defined() ? element.read("source[source_at + i * source_step]")
                                  : fmt::format("({})number", element.value());
}

std::string each_text(const Scatter& scatter, const TextWalk& walk) {
  const ElementWords element(scatter.out.dtype());
  constexpr std::string_view kPlace = "out[out_at + place * out_step]";
  constexpr std::string_view kLongAdd =
      "atomicAdd((unsigned long long*)&{}, (unsigned long long)given)";
  const bool is_long = scatter.out.dtype() == DType::kInt64;
  const std::string add =
      is_long ? fmt::format(kLongAdd, kPlace) : fmt::format("atomicAdd(&{}, given)", kPlace);
  // Threads of a warp have neighbours, of a line or of different ones.
  const bool along = scatter.out.stride(scatter.dim) == 1;
  return element.definitions() +
         fmt::format(
             kEachText, fmt::arg("memory", element.memory()), fmt::arg("value", element.value()),
             fmt::arg("index", ElementWords(scatter.index.dtype()).memory()),
             fmt::arg("number", ElementWords(wide_dtype(scatter.out.dtype())).memory()),
             fmt::arg("sizes", walk.parameters()),
             fmt::arg("line", along ? "point / length" : "point % lines"),
             fmt::arg("place", along ? "point % length" : "point / lines"),
             fmt::arg("places", walk.places("line")),
             fmt::arg("given", given_text(scatter, element)),
             fmt::arg("store",
                      scatter.adds ? add : fmt::format("{} = {}", kPlace, element.write("given"))));
}

std::string scatter_text(const Scatter& scatter, const TextWalk& walk, Owner owner) {
  const ElementWords element(scatter.out.dtype());
  const bool is_warp = owner == Owner::kWarp;
  const int owner_threads = is_warp ? kWarp : 1;
  const std::string given = given_text(scatter, element);
  const std::string result =
      element.write(scatter.adds ? element.sum(element.read("to"), "given") : "given");
  const std::string copy =
      scatter.input ? fmt::format(kCopy, fmt::arg("owner_threads", owner_threads)) : "";
  const std::string write = fmt::format(
      fmt::runtime(is_warp ? kWriteByWarp : kWriteByThread), fmt::arg("value", element.value()),
      fmt::arg("memory", element.memory()), fmt::arg("given", given), fmt::arg("result", result));
  return element.definitions() +
         fmt::format(kText, fmt::arg("whom", is_warp ? "warp" : "thread"),
                     fmt::arg("memory", element.memory()),
                     fmt::arg("index", ElementWords(scatter.index.dtype()).memory()),
                     fmt::arg("number", ElementWords(wide_dtype(scatter.out.dtype())).memory()),
                     fmt::arg("sizes", walk.parameters()),
                     fmt::arg("lane", is_warp ? "threadIdx.x % 32" : "0"),
                     fmt::arg("owner_threads", owner_threads),
                     fmt::arg("places", walk.places("line")), fmt::arg("copy", copy),
                     fmt::arg("write", write));
}

// ---- launches ----------------------------------------------------------------------------------

/// Where a tensor's lines begin, for each line of the index.
Tensor lines_of(const Tensor& tensor, const Scatter& scatter) {
  Dims sizes(scatter.index.sizes());
  sizes[static_cast<size_t>(scatter.dim)] = 1;
  return Tensor::view_of(tensor, sizes, tensor.strides(), tensor.offset());
}

/// Whether the index has all lines of the output.
bool covers_lines(const Scatter& scatter) {
  for (int64_t k = 0; k < scatter.out.rank(); ++k)
    if (k != scatter.dim && scatter.index.size(k) != scatter.out.size(k)) return false;
  return true;
}

/// Into how many stretches a line is cut: enough to fill a GPU. All of them go through all indices,
/// so that there are not many more than make that as long as copying is.
int64_t stretches_for(const Scatter& scatter, int64_t lines, Owner owner) {
  constexpr int64_t kOwners = 65536, kLeastPlaces = 32, kFew = 64;
  const int64_t limit = scatter.out.size(scatter.dim), length = scatter.index.size(scatter.dim);
  const int64_t most = owner == Owner::kWarp
                           ? kOwners / kWarp / lines
                           : std::min(kOwners / lines, std::max(limit / length, kFew));
  return std::clamp((limit + kLeastPlaces - 1) / kLeastPlaces, int64_t{1},
                    std::max<int64_t>(most, 1));
}

/// Lanes go along a line where its places are neighbours, or where there are few lines.
Owner owner_for(const Scatter& scatter, int64_t lines) {
  return scatter.out.stride(scatter.dim) == 1 || lines < kWarp ? Owner::kWarp : Owner::kThread;
}

const LaunchCheck& scatter_check() {
  static const LaunchCheck& check = *new LaunchCheck("scatter", {{1, "index out of bounds"}});
  return check;
}

/// Whether so many indices name places of a line that nobody should go through all of them; and
/// whether additions can be made in any order.
bool writes_each(const Scatter& scatter) {
  constexpr int64_t kManyIndices = 1 << 14;
  const DType dtype = scatter.out.dtype();
  const bool adds_at_once = dtype == DType::kFloat32 || dtype == DType::kFloat64 ||
                            dtype == DType::kInt32 || dtype == DType::kInt64;
  return scatter.index.size(scatter.dim) >= kManyIndices && (!scatter.adds || adds_at_once);
}

bool launch_each(const Scatter& scatter) {
  const Tensor& source = scatter.source.defined() ? scatter.source : scatter.out;
  const Tensor out_lines = lines_of(scatter.out, scatter),
               index_lines = lines_of(scatter.index, scatter),
               source_lines = lines_of(source, scatter);
  const TextWalk walk({{"out", out_lines}, {"index", index_lines}, {"source", source_lines}});
  const int64_t dim = scatter.dim;
  std::vector<GpuArgument> arguments = {address(scatter.out, "out"),
                                        address(scatter.index, "index"),
                                        address(source, "source"),
                                        wide_number(scatter.number, scatter.out.dtype()),
                                        scatter_check().argument(),
                                        gpu_argument(walk.count()),
                                        gpu_argument(scatter.index.size(dim)),
                                        gpu_argument(scatter.out.size(dim)),
                                        gpu_argument(scatter.out.stride(dim)),
                                        gpu_argument(scatter.index.stride(dim)),
                                        gpu_argument(source.stride(dim))};
  walk.add_arguments(arguments);
  text_kernel(each_text(scatter, walk), "scatter_each")
      .launch_threads(scatter.index.numel(), std::move(arguments));
  return scatter_check().launched() == 0;
}

bool launch_scatter(const Scatter& scatter) {
  const Tensor& input = scatter.input ? *scatter.input : scatter.out;
  const Tensor& source = scatter.source.defined() ? scatter.source : scatter.out;
  const Tensor out_lines = lines_of(scatter.out, scatter), input_lines = lines_of(input, scatter);
  const Tensor index_lines = lines_of(scatter.index, scatter),
               source_lines = lines_of(source, scatter);
  const TextWalk walk({{"out", out_lines},
                       {"input", input_lines},
                       {"index", index_lines},
                       {"source", source_lines}});
  const int64_t dim = scatter.dim, lines = walk.count();
  const Owner owner = owner_for(scatter, lines);
  const int64_t stretches = stretches_for(scatter, lines, owner);
  std::vector<GpuArgument> arguments = {address(scatter.out, "out"),
                                        address(input, "input"),
                                        address(scatter.index, "index"),
                                        address(source, "source"),
                                        wide_number(scatter.number, scatter.out.dtype()),
                                        scatter_check().argument(),
                                        gpu_argument(lines),
                                        gpu_argument(scatter.index.size(dim)),
                                        gpu_argument(scatter.out.size(dim)),
                                        gpu_argument(stretches),
                                        gpu_argument(scatter.out.stride(dim)),
                                        gpu_argument(input.stride(dim)),
                                        gpu_argument(scatter.index.stride(dim)),
                                        gpu_argument(source.stride(dim))};
  walk.add_arguments(arguments);
  const int64_t threads = lines * stretches * (owner == Owner::kWarp ? kWarp : 1);
  text_kernel(scatter_text(scatter, walk, owner), "scatter")
      .launch_threads(threads, std::move(arguments));
  return scatter_check().launched() == 0;
}

}  // namespace

bool scatter_elements(const Scatter& given) {
  Scatter scatter = given;
  const Tensor input = given.input ? with_dimensions(*given.input) : Tensor();
  scatter.out = with_dimensions(given.out);
  scatter.index = with_dimensions(given.index);
  scatter.source = with_dimensions(given.source);
  scatter.input = given.input ? &input : nullptr;
  const bool writes = scatter.index.numel() > 0;
  const bool is_each = writes && writes_each(scatter);
  if (scatter.input != nullptr && (is_each || !writes || !covers_lines(scatter))) {
    copy(scatter.out, input);
    scatter.input = nullptr;
  }
  if (is_each) return launch_each(scatter);
  return !writes || launch_scatter(scatter);
}

}  // namespace glint::cuda
