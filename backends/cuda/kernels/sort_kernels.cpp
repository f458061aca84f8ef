#include "backends/cuda/kernels/sort_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/element_words.h"
#include "backends/cuda/kernels/text_walk.h"
#include "backends/cuda/launch/text_kernel.h"
#include "core/tensor/views.h"

namespace glint::cuda {
namespace {

/// What a block sorts in shared memory.
constexpr int64_t kTile = 1024;

// ---- texts -------------------------------------------------------------------------------------

/// Merging of neighbouring runs: where an element goes, as far as there are elements of its own run
/// and of the other one before it.
constexpr std::string_view kMergedPlace = R"(
__device__ inline bool before({value} a, {value} b) {{
  return {before};
}}

// Runs of `width` in a row of `length` become runs of twice that: where element i goes.
__device__ inline int64 merged_place(const {memory}* row, int64 i, int64 length, int64 width) {{
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
  return run / 2 * 2 * width + (i - run * width) + (low - begin);
}}
)";

constexpr std::string_view kTiles = R"(
// A block a tile of 1024 elements: a part of a row, or as many short rows as there is room for.
extern "C" __global__ void __launch_bounds__(256)
sort_tiles(const {memory}* __restrict__ x, {memory}* __restrict__ values,
           int64* __restrict__ places, int64 rows, int64 length, int64 first, int64 kept,
           int64 x_step, int64 values_step, int64 places_step{sizes}) {{
  __shared__ {memory} tile[1024];
  __shared__ short tile_places[1024];
  const int64 rows_in_tile = length < 1024 ? 1024 / length : 1;
  const int64 tiles_in_row = (length + 1023) / 1024;
  const int64 tiles = (rows + rows_in_tile - 1) / rows_in_tile * tiles_in_row;
  for (int64 number = blockIdx.x; number < tiles; number += gridDim.x) {{
    const int64 first_row = number / tiles_in_row * rows_in_tile;
    const int64 begin = number % tiles_in_row * 1024;
    const int width = (int)(length - begin < 1024 ? length - begin : 1024);
    const int64 rows_here = rows - first_row < rows_in_tile ? rows - first_row : rows_in_tile;
    const int used = (int)rows_here * width;
    // The tile's elements of a thread: 256 lie between them.
    {memory} mine[4];
    int to[4];
    for (int k = 0; k < 4; ++k) {{
      const int slot = threadIdx.x + k * 256;
      if (slot >= used) break;
{row_of_slot}
      tile[slot] = x[x_at + (begin + slot % width) * x_step];
      tile_places[slot] = (short)(slot % width);
    }}
    __syncthreads();
    for (int run = 1; run < width; run *= 2) {{
      short mine_was[4];
      for (int k = 0; k < 4; ++k) {{
        const int slot = threadIdx.x + k * 256;
        if (slot >= used) break;
        const int row = slot / width * width;
        mine[k] = tile[slot];
        mine_was[k] = tile_places[slot];
        to[k] = row + (int)merged_place(tile + row, slot - row, width, run);
      }}
      __syncthreads();
      for (int k = 0; k < 4; ++k) {{
        if (threadIdx.x + k * 256 >= used) break;
        tile[to[k]] = mine[k];
        tile_places[to[k]] = mine_was[k];
      }}
      __syncthreads();
    }}
    for (int k = 0; k < 4; ++k) {{
      const int slot = threadIdx.x + k * 256;
      if (slot >= used) break;
      const int64 at = begin + slot % width - first;
      if (at < 0 || at >= kept) continue;
{row_of_slot}
{store}
    }}
    // The next tile is written where this one was read.
    __syncthreads();
  }}
}}
)";

constexpr std::string_view kMerge = R"(
extern "C" __global__ void __launch_bounds__(256)
merge_runs(const {memory}* __restrict__ x, const int64* __restrict__ x_places,
           {memory}* __restrict__ values, int64* __restrict__ places, int64 count, int64 length,
           int64 width, int64 first, int64 kept, int64 values_step, int64 places_step{sizes}) {{
  for (int64 element = (int64)blockIdx.x * 256 + threadIdx.x; element < count;
       element += (int64)gridDim.x * 256) {{
    const int64 row = element / length;
    const int64 i = element - row * length;
{row_of_element}
    const int64 at = merged_place(x + x_at, i, length, width) - first;
    if (at < 0 || at >= kept) continue;
{store}
  }}
}}
)";

constexpr std::string_view kModes = R"(
// A block a row, which is sorted: a thread looks how far the runs go that begin at its elements.
extern "C" __global__ void __launch_bounds__(256)
find_modes(const {memory}* __restrict__ x, const int64* __restrict__ x_places,
           {memory}* __restrict__ values, int64* __restrict__ places, int64 rows,
           int64 length{sizes}) {{
  __shared__ int64 counts[256];
  __shared__ int64 ends[256];
  for (int64 number = blockIdx.x; number < rows; number += gridDim.x) {{
{row}
    const {memory}* row = x + x_at;
    int64 count = 0;
    int64 end = 0;
    for (int64 i = threadIdx.x; i < length; i += 256) {{
      const {value} mine = {mine};
      if (i > 0 && {previous} == mine) continue;
      int64 low = i + 1;
      int64 high = length;
      while (low < high) {{
        const int64 middle = low + (high - low) / 2;
        if ({theirs} == mine)
          low = middle + 1;
        else
          high = middle;
      }}
      // Of runs that are as long the first counts.
      if (low - i > count) {{
        count = low - i;
        end = low;
      }}
    }}
    counts[threadIdx.x] = count;
    ends[threadIdx.x] = end;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {{
      if (threadIdx.x < half) {{
        const int64 other = counts[threadIdx.x + half];
        const int64 other_end = ends[threadIdx.x + half];
        if (other > counts[threadIdx.x] ||
            (other == counts[threadIdx.x] && other_end < ends[threadIdx.x])) {{
          counts[threadIdx.x] = other;
          ends[threadIdx.x] = other_end;
        }}
      }}
      __syncthreads();
    }}
    if (threadIdx.x == 0) {{
      values[values_at] = row[ends[0] - 1];
      places[places_at] = x_places[x_at + ends[0] - 1];
    }}
    // The next row's counts are written where these were read.
    __syncthreads();
  }}
}}
)";

std::string merged_place_text(DType dtype, bool descending) {
  const ElementWords element(dtype);
  std::string before = is_floating(dtype) ? "(x < y || (y != y && x == x))" : "x < y";
  for (char& c : before)
    if (c == 'x' || c == 'y') c = (c == 'x') != descending ? 'a' : 'b';
  return element.definitions() + fmt::format(kMergedPlace, fmt::arg("value", element.value()),
                                             fmt::arg("memory", element.memory()),
                                             fmt::arg("before", before),
                                             fmt::arg("mine", element.read("row[i]")),
                                             fmt::arg("theirs", element.read("row[middle]")));
}

std::string store_text(bool has_values, std::string_view value, std::string_view place) {
  const std::string put = fmt::format("values[values_at + at * values_step] = {};\n", value);
  return fmt::format("    {}    places[places_at + at * places_step] = {};\n",
                     has_values ? put : "", place);
}

// ---- rows --------------------------------------------------------------------------------------

/// A tensor of these sizes whose rows along a dimension lie one behind the other.
Tensor rows_like(const Tensor& x, int64_t dim, DType dtype) {
  Dims sizes(x.sizes());
  std::swap(sizes[static_cast<size_t>(dim)], sizes.back());
  return transpose(Tensor::empty(sizes, dtype, x.device()), dim, -1);
}

/// What sorting goes through between launches.
struct Runs {
  Tensor values, places;
};
Runs runs_like(const Tensor& x, int64_t dim) {
  return {rows_like(x, dim, x.dtype()), rows_like(x, dim, DType::kInt64)};
}

/// Where a launch writes what it has sorted.
struct Target {
  const Tensor* values;
  const Tensor& places;
  int64_t dim;
  int64_t first = 0;

  Target(const Runs& runs, int64_t dim) : values(&runs.values), places(runs.places), dim(dim) {}
  Target(const SortedPart& part, int64_t dim)
      : values(part.values), places(*part.places), dim(dim), first(part.first) {}

  int64_t values_step() const { return values ? values->stride(dim) : 0; }
  /// From a row's number to where it begins in `x`, in the values and among the places.
  TextWalk walk(const Tensor& x) const {
    const Tensor from = first_of_rows(x, dim), to = first_of_rows(places, dim);
    const Tensor to_values = values ? first_of_rows(*values, dim) : to;
    return TextWalk({{"x", from}, {"values", to_values}, {"places", to}});
  }
};

void sort_tiles(const Tensor& x, bool descending, const Target& target) {
  const TextWalk walk = target.walk(x);
  const int64_t length = x.size(target.dim), rows = walk.count();
  const bool has_values = target.values != nullptr;
  const std::string text =
      merged_place_text(x.dtype(), descending) +
      fmt::format(
          kTiles, fmt::arg("memory", ElementWords(x.dtype()).memory()),
          fmt::arg("sizes", walk.parameters()),
          fmt::arg("row_of_slot", walk.places("first_row + slot / width")),
          fmt::arg("store", store_text(has_values, "tile[slot]", "begin + tile_places[slot]")));
  const int64_t tiles = length < kTile ? (rows + kTile / length - 1) / (kTile / length)
                                       : rows * ((length + kTile - 1) / kTile);
  std::vector<GpuArgument> arguments = {address(x, "x"),
                                        address(target.values, "values"),
                                        address(target.places, "places"),
                                        gpu_argument(rows),
                                        gpu_argument(length),
                                        gpu_argument(target.first),
                                        gpu_argument(target.places.size(target.dim)),
                                        gpu_argument(x.stride(target.dim)),
                                        gpu_argument(target.values_step()),
                                        gpu_argument(target.places.stride(target.dim))};
  walk.add_arguments(arguments);
  text_kernel(text, "sort_tiles").launch_blocks(tiles, std::move(arguments));
}

void merge_runs(const Runs& runs, int64_t width, bool descending, const Target& target) {
  const Tensor& x = runs.values;
  const TextWalk walk = target.walk(x);
  const std::string text =
      merged_place_text(x.dtype(), descending) +
      fmt::format(
          kMerge, fmt::arg("memory", ElementWords(x.dtype()).memory()),
          fmt::arg("sizes", walk.parameters()), fmt::arg("row_of_element", walk.places("row")),
          fmt::arg("store",
                   store_text(target.values != nullptr, "x[x_at + i]", "x_places[x_at + i]")));
  std::vector<GpuArgument> arguments = {address(x, "x"),
                                        address(runs.places, "x_places"),
                                        address(target.values, "values"),
                                        address(target.places, "places"),
                                        gpu_argument(x.numel()),
                                        gpu_argument(x.size(target.dim)),
                                        gpu_argument(width),
                                        gpu_argument(target.first),
                                        gpu_argument(target.places.size(target.dim)),
                                        gpu_argument(target.values_step()),
                                        gpu_argument(target.places.stride(target.dim))};
  walk.add_arguments(arguments);
  text_kernel(text, "merge_runs").launch_threads(x.numel(), std::move(arguments));
}

}  // namespace

void sort_along(const Tensor& given, int64_t dim, bool descending, const SortedPart& part) {
  const Tensor x = with_dimensions(given), places = with_dimensions(*part.places);
  const Tensor values = part.values ? with_dimensions(*part.values) : Tensor();
  if (x.numel() == 0 || places.numel() == 0) return;
  const SortedPart wanted{part.values ? &values : nullptr, &places, part.first};
  const int64_t length = x.size(dim);
  if (length <= kTile) return sort_tiles(x, descending, Target(wanted, dim));
  Runs from = runs_like(x, dim), to = runs_like(x, dim);
  sort_tiles(x, descending, Target(from, dim));
  int64_t width = kTile;
  for (; 2 * width < length; width *= 2) {
    merge_runs(from, width, descending, Target(to, dim));
    std::swap(from, to);
  }
  merge_runs(from, width, descending, Target(wanted, dim));
}

void find_modes(const Tensor& given, int64_t dim, const Tensor& values, const Tensor& places) {
  const Tensor x = with_dimensions(given);
  if (x.numel() == 0) return;
  const Runs sorted = runs_like(x, dim);
  sort_along(x, dim, false, {&sorted.values, &sorted.places});
  const Tensor to_values = with_dimensions(values), to_places = with_dimensions(places);
  const Target target(SortedPart{&to_values, &to_places}, dim);
  const TextWalk walk = target.walk(sorted.values);
  const ElementWords element(x.dtype());
  const std::string text =
      element.definitions() +
      fmt::format(kModes, fmt::arg("memory", element.memory()), fmt::arg("value", element.value()),
                  fmt::arg("sizes", walk.parameters()), fmt::arg("row", walk.places("number")),
                  fmt::arg("mine", element.read("row[i]")),
                  fmt::arg("previous", element.read("row[i - 1]")),
                  fmt::arg("theirs", element.read("row[middle]")));
  std::vector<GpuArgument> arguments = {
      address(sorted.values, "x"),  address(sorted.places, "x_places"),
      address(to_values, "values"), address(to_places, "places"),
      gpu_argument(walk.count()),   gpu_argument(x.size(dim))};
  walk.add_arguments(arguments);
  text_kernel(text, "find_modes").launch_blocks(walk.count(), std::move(arguments));
}

}  // namespace glint::cuda
