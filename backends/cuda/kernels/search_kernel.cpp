#include "backends/cuda/kernels/search_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/element_words.h"
#include "backends/cuda/kernels/text_walk.h"
#include "backends/cuda/launch/text_kernel.h"
#include "core/tensor/views.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kText = R"(
extern "C" __global__ void __launch_bounds__(256)
find_places(const {row_memory}* __restrict__ rows, const {value_memory}* __restrict__ values,
            {number} number, {place}* __restrict__ places, int64 count, int64 length,
            int64 step{sizes}) {{
  for (int64 i = (int64)blockIdx.x * 256 + threadIdx.x; i < count; i += (int64)gridDim.x * 256) {{
{find}
    const {compared} value = {value};
    int64 low = 0;
    int64 high = length;
    while (low < high) {{
      const int64 middle = low + (high - low) / 2;
      const {compared} element = {element};
      if (element {is_behind} value)
        high = middle;
      else
        low = middle + 1;
    }}
    places[places_at] = ({place})low;
  }}
}}
)";

/// An element of one dtype as a value of another, rounded to that.
std::string converted(DType from, DType to, const std::string& place) {
  std::string value = ElementWords(from).read(place);
  if (from == to) return value;
  const ElementWords target(to);
  return target.read(target.write(fmt::format("({}){}", target.value(), value)));
}

std::string search_text(const PlaceSearch& search, const TextWalk& walk, DType place) {
  const bool has_values = search.values.defined();
  const DType given = has_values ? search.values.dtype() : wide_dtype(search.dtype);
  return element_definitions({search.rows.dtype(), given, search.dtype}) +
         fmt::format(kText, fmt::arg("row_memory", ElementWords(search.rows.dtype()).memory()),
                     fmt::arg("value_memory", ElementWords(given).memory()),
                     fmt::arg("number", ElementWords(wide_dtype(search.dtype)).value()),
                     fmt::arg("place", ElementWords(place).memory()),
                     fmt::arg("sizes", walk.parameters()), fmt::arg("find", walk.places("i")),
                     fmt::arg("compared", ElementWords(search.dtype).value()),
                     fmt::arg("value", converted(given, search.dtype,
                                                 has_values ? "values[values_at]" : "number")),
                     fmt::arg("element", converted(search.rows.dtype(), search.dtype,
                                                   "rows[rows_at + middle * step]")),
                     fmt::arg("is_behind", search.behind_equals ? ">" : ">="));
}

}  // namespace

void find_places(const PlaceSearch& search, const Tensor& places) {
  if (places.numel() == 0) return;
  const int64_t length = search.rows.size(-1);
  // Where each value's row begins: for all of a line the same, for values of one row everywhere.
  const Tensor starts = first_of_rows(search.rows, search.rows.rank() - 1);
  const Tensor& values = search.values.defined() ? search.values : places;
  const TextWalk walk({{"places", places}, {"values", values}, {"rows", starts}});
  std::vector<GpuArgument> arguments = {address(starts, "rows"),
                                        address(values, "values"),
                                        wide_number(search.number, search.dtype),
                                        address(places, "places"),
                                        gpu_argument(walk.count()),
                                        gpu_argument(length),
                                        gpu_argument(search.rows.stride(-1))};
  walk.add_arguments(arguments);
  text_kernel(search_text(search, walk, places.dtype()), "find_places")
      .launch_threads(walk.count(), std::move(arguments));
}

}  // namespace glint::cuda
