#include "backends/cuda/kernels/running_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/element_words.h"
#include "backends/cuda/kernels/text_walk.h"
#include "backends/cuda/launch/text_kernel.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kText = R"(
struct Item {{
  {value} value;
  int64 place;
}};

// What counts of an element and of one behind it.
__device__ inline Item join(Item before, Item at) {{
  return {wins} ? at : before;
}}

// A block a row, 256 elements at a time.
extern "C" __global__ void __launch_bounds__(256)
running_extremes(const {memory}* __restrict__ x, {memory}* __restrict__ values,
                 int64* __restrict__ places, int64 rows, int64 length, int64 x_step,
                 int64 values_step, int64 places_step{sizes}) {{
  __shared__ {value} warp_values[8];
  __shared__ int64 warp_places[8];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (int64 row = blockIdx.x; row < rows; row += gridDim.x) {{
{row}    Item carried = {{0, -1}};
    for (int64 begin = 0; begin < length; begin += 256) {{
      const int64 i = begin + threadIdx.x;
      const bool inside = i < length;
      Item item = {{inside ? ({value}){read} : ({value})0, i}};
      for (int step = 1; step < 32; step *= 2) {{
        Item before;
        before.value = ({value})__shfl_up_sync(0xffffffff, item.value, step);
        before.place = __shfl_up_sync(0xffffffff, item.place, step);
        if (lane >= step) item = join(before, item);
      }}
      if (lane == 31) {{
        warp_values[warp] = item.value;
        warp_places[warp] = item.place;
      }}
      __syncthreads();
      Item total = carried;
      for (int other = 0; other < 8; ++other) {{
        if (other == warp && total.place >= 0) item = join(total, item);
        const Item theirs = {{warp_values[other], warp_places[other]}};
        total = total.place < 0 ? theirs : join(total, theirs);
      }}
      carried = total;
      // The next round writes what this one has read.
      __syncthreads();
      if (inside) {{
        values[values_at + i * values_step] = {write};
        places[places_at + i * places_step] = item.place;
      }}
    }}
  }}
}}
)";

std::string running_text(DType dtype, bool greatest, const TextWalk& walk) {
  const ElementWords element(dtype);
  const std::string better = fmt::format("at.value {} before.value", greatest ? ">=" : "<=");
  const std::string wins =
      is_floating(dtype)
          ? fmt::format("(at.value != at.value || ({} && before.value == before.value))", better)
          : fmt::format("({})", better);
  return element.definitions() +
         fmt::format(kText, fmt::arg("value", element.value()),
                     fmt::arg("memory", element.memory()), fmt::arg("wins", wins),
                     fmt::arg("sizes", walk.parameters()), fmt::arg("row", walk.places("row")),
                     fmt::arg("read", element.read("x[x_at + i * x_step]")),
                     fmt::arg("write", element.write("item.value")));
}

constexpr std::string_view kLogText = R"(
// log(exp(x) + exp(y)), without overflow.
__device__ __noinline__ double join(double x, double y) {{
  if (x != x || y != y) return x + y;
  const double least = x < y ? x : y;
  const double greatest = x < y ? y : x;
  if (least == greatest && least - least != 0) return x;
  return log1p(exp(least - greatest)) + greatest;
}}

// A block a row, 256 elements at a time; the elements of a row lie `inner` apart.
extern "C" __global__ void __launch_bounds__(256)
running_log_sums(const {memory}* __restrict__ x, {memory}* __restrict__ sums, int64 rows,
                 int64 length, int64 inner) {{
  __shared__ double warp_sums[8];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const double none = -1.0 / 0.0;
  for (int64 row = blockIdx.x; row < rows; row += gridDim.x) {{
    const int64 first = row / inner * inner * length + row % inner;
    double carried = none;
    for (int64 begin = 0; begin < length; begin += 256) {{
      const int64 at = first + (begin + threadIdx.x) * inner;
      const bool inside = begin + threadIdx.x < length;
      double sum = inside ? (double){read} : none;
      for (int step = 1; step < 32; step *= 2) {{
        const double before = __shfl_up_sync(0xffffffff, sum, step);
        if (lane >= step) sum = join(before, sum);
      }}
      if (lane == 31) warp_sums[warp] = sum;
      __syncthreads();
      double total = carried;
      for (int other = 0; other < 8; ++other) {{
        if (other == warp) sum = join(total, sum);
        total = join(total, warp_sums[other]);
      }}
      carried = total;
      // The next round writes what this one has read.
      __syncthreads();
      if (inside) sums[at] = {write};
    }}
  }}
}}
)";

std::string log_text(DType dtype) {
  const ElementWords element(dtype);
  return element.definitions() + fmt::format(kLogText, fmt::arg("memory", element.memory()),
                                             fmt::arg("read", element.read("x[at]")),
                                             fmt::arg("write", element.write("sum")));
}

}  // namespace

void running_log_sums(const Tensor& x, const Tensor& sums, int64_t dim) {
  if (x.numel() == 0) return;
  int64_t inner = 1;
  for (int64_t k = x.rank(); k-- > dim + 1;) inner *= x.size(k);
  const int64_t length = x.rank() == 0 ? 1 : x.size(dim);
  const int64_t rows = x.numel() / length;
  text_kernel(log_text(x.dtype()), "running_log_sums")
      .launch_blocks(rows, {address(x, "x"), address(sums, "sums"), gpu_argument(rows),
                            gpu_argument(length), gpu_argument(inner)});
}

void running_extremes(const Tensor& given, int64_t dim, bool greatest, const Tensor& to_values,
                      const Tensor& to_places) {
  const Tensor x = with_dimensions(given), values = with_dimensions(to_values),
               places = with_dimensions(to_places);
  if (x.numel() == 0) return;
  const Tensor rows = first_of_rows(x, dim), rows_of_values = first_of_rows(values, dim),
               rows_of_places = first_of_rows(places, dim);
  const TextWalk walk({{"x", rows}, {"values", rows_of_values}, {"places", rows_of_places}});
  std::vector<GpuArgument> arguments = {address(x, "x"),
                                        address(values, "values"),
                                        address(places, "places"),
                                        gpu_argument(walk.count()),
                                        gpu_argument(x.size(dim)),
                                        gpu_argument(x.stride(dim)),
                                        gpu_argument(values.stride(dim)),
                                        gpu_argument(places.stride(dim))};
  walk.add_arguments(arguments);
  text_kernel(running_text(x.dtype(), greatest, walk), "running_extremes")
      .launch_blocks(walk.count(), std::move(arguments));
}

}  // namespace glint::cuda
