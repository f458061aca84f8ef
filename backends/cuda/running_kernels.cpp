#include "backends/cuda/running_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/element_words.h"
#include "backends/cuda/text_kernel.h"

namespace glint::cuda {
namespace {

constexpr uint32_t kThreads = 256;
constexpr int64_t kMostBlocks = 1024;

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
                 int64* __restrict__ places, int64 rows, int64 length) {{
  __shared__ {value} warp_values[8];
  __shared__ int64 warp_places[8];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (int64 row = blockIdx.x; row < rows; row += gridDim.x) {{
    Item carried = {{0, -1}};
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
        values[row * length + i] = {write};
        places[row * length + i] = item.place;
      }}
    }}
  }}
}}
)";

std::string running_text(DType dtype, bool greatest) {
  const ElementWords element(dtype);
  const std::string better = fmt::format("at.value {} before.value", greatest ? ">=" : "<=");
  const std::string wins =
      is_floating(dtype)
          ? fmt::format("(at.value != at.value || ({} && before.value == before.value))", better)
          : fmt::format("({})", better);
  return element.definitions() + fmt::format(kText, fmt::arg("value", element.value()),
                                             fmt::arg("memory", element.memory()),
                                             fmt::arg("wins", wins),
                                             fmt::arg("read", element.read("x[row * length + i]")),
                                             fmt::arg("write", element.write("item.value")));
}

}  // namespace

void running_extremes(const Tensor& rows, const Tensor& values, const Tensor& places,
                      bool greatest) {
  if (rows.numel() == 0) return;
  const int64_t length = rows.size(-1), count = rows.numel() / length;
  text_kernel(running_text(rows.dtype(), greatest), "running_extremes")
      .launch(std::min(count, kMostBlocks), kThreads,
              {address(rows, "x"), address(values, "values"), address(places, "places"),
               gpu_argument(count), gpu_argument(length)});
}

}  // namespace glint::cuda
