// Columns: neighbouring iterations of the outer loops that lie side by side in memory, a lane each,
// whose elements the rest of the block shares.
//
//     const int64 slices = max((int64)gridDim.x / 2, (int64)1);   // of 64 columns of any length
//     const int64 slice = blockIdx.x / 2;
//     if (slice >= slices) return;
//     for (int64 first = blockIdx.x % 2 * 32; first < 64; first += gridDim.x * 32) {
//       const bool mine = first + lane < 64;              // all lanes come to each barrier
//       const int64 i = mine ? first + lane : first;
//       for (int64 j = warp + 8 * slice; j < s0; j += 8 * slices) ...
//       acc = column_total<256>(acc, 32);
//       if (slices > 1) {                                 // the columns' last block goes on
//         if (mine && warp == 0) acc_blocks[64 * slice + i] = acc;
//         if (!is_last_block(counters + first / 32, slices)) return;
//         acc = slices_total<256>(acc_blocks + i, 64, slices, 32);
//       }
//
// A block takes 32 columns, or as many as there are side by side, in 4, 8 or 16 lanes; where they
// are more than caches hold, 64, so that what neighbouring warps ask memory for lies side by side.
// Where that makes few blocks, several of them take slices of the same columns.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {
namespace {

constexpr int64_t kLanes = 32;
constexpr int64_t kLeastLanes = 4;
constexpr int64_t kWideLanes = 64;
/// Columns of which so many side by side leave each block a slice.
constexpr int64_t kMostWide = 4096;
/// Tiles of columns that are so many are not cut into slices, and elements of a column that are
/// worth one.
constexpr int64_t kManyTiles = 512;
constexpr int64_t kSlice = 64;
/// Elements of columns that are worth a thread.
constexpr int64_t kThreadElements = 4;
/// Threads of all blocks that each have a slice, at most.
constexpr int64_t kMostGridThreads = 1 << 18;

}  // namespace

/// Whether several blocks may have a part of each column, and there are few columns.
bool KernelWriter::is_sliceable(const Nest& outer) const {
  if (!is_one_reduction(outer)) return false;
  const Nest column = inner_nests(kernel_, outer.first, outer.last)[0];
  const SymInt tiles = ceil_divide(extent_of(kernel_, outer), columns_.side);
  return !tiles.is(0) && tiles.maybe_constant().value_or(1) <= kManyTiles &&
         extent_of(kernel_, column).maybe_constant().value_or(2 * kSlice) >= 2 * kSlice;
}

/// Whether columns that lie side by side are read once and are more than caches hold, for one
/// total: shared memory has room for that of each thread.
bool KernelWriter::has_wide_columns(const Nest& outer) const {
  const auto side = kernel_.statements[outer.loops.back()].get_if<Loop>()->extent.maybe_constant();
  const auto all = extent_of(kernel_, outer).maybe_constant();
  if (!side || *side % kWideLanes != 0 || !all || *all > kMostWide || !is_one_reduction(outer))
    return false;
  int reductions = 0;
  for (size_t i = outer.first; i < outer.last; ++i) {
    const auto* load = kernel_.statements[i].get_if<Load>();
    if (load != nullptr && reading_of(load->buffer) != Reading::kStreamed) return false;
    if (kernel_.statements[i].get_if<Reduction>() != nullptr) ++reductions;
  }
  return reductions == 1;
}

/// How many lanes are side by side, and what they and those that share a column call themselves.
void KernelWriter::plan_columns(const Nest& nest) {
  columns_ = {};
  const SymInt innermost = kernel_.statements[nest.loops.back()].get_if<Loop>()->extent;
  columns_.is_wide = has_wide_columns(nest);
  const int64_t most = columns_.is_wide ? kWideLanes : kLanes;
  columns_.side = maximum(minimum(innermost, most), 1);
  const auto side = columns_.side.maybe_constant();
  if (side && *side > kLanes / 2 && *side <= kLanes) {
    uses_lane_ = uses_warp_ = true;
    columns_.members = threads_ / kLanes;
    return;
  }
  columns_.lane = names_.fresh("column");
  columns_.member = names_.fresh("member");
  if (side) {
    columns_.lanes =
        std::max(kLeastLanes, static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(*side))));
    columns_.width = fmt::format("{}", columns_.lanes);
    columns_.members = threads_ / columns_.lanes;
    columns_.step = fmt::format("{}", columns_.members);
  } else {
    columns_.width = names_.fresh("width");
    columns_.step = names_.fresh("members");
    const std::string number = names_.fresh("side");
    line(fmt::format("const int {} = {};", number, size(columns_.side)));
    columns_.side_text = number;
    line(fmt::format("const int {0} = {1} > 16 ? 32 : {1} > 8 ? 16 : {1} > 4 ? 8 : 4;",
                     columns_.width, number));
    line(fmt::format("const int {} = {} / {};", columns_.step, threads_, columns_.width));
    columns_.members = 0;
  }
  line(fmt::format("const int {} = threadIdx.x % {};", columns_.lane, columns_.width));
  line(fmt::format("const int {} = threadIdx.x / {};", columns_.member, columns_.width));
}

/// Every lane has a column, so that all of them come to each barrier; it may be the first one's.
void KernelWriter::open_columns(const Nest& nest) {
  plan_columns(nest);
  const SymInt extent = extent_of(kernel_, nest);
  const SymInt tiles = ceil_divide(extent, columns_.side);
  rows_ = static_cast<uint32_t>(columns_.side.maybe_constant().value_or(kLanes));
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  const std::string count = factor(extent);
  const std::string side = columns_.side.is_constant() ? size(columns_.side) : columns_.side_text;
  std::string block = of_blocks("blockIdx", 1);
  const bool is_sliced = is_sliceable(nest);
  if (is_sliced) {
    const SymInt rows = extent_of(kernel_, inner_nests(kernel_, nest.first, nest.last)[0]);
    note_grid(extent * rows, kThreadElements * threads_,
              std::min(kMostBlocks, kMostGridThreads / threads_));
    columns_.slices = names_.fresh("slices");
    columns_.slice = names_.fresh("slice");
    const std::string all = names_.fresh("tiles");
    line(fmt::format("const {0} {1} = {2};", index_type_, all,
                     tiles.is_constant()
                         ? size(tiles)
                         : fmt::format("({0} + {1} - 1) / {1}", factor(maximum(extent, 1)), side)));
    line(fmt::format("const {} {} = {};", index_type_, columns_.slices, slices_text(all)));
    line(fmt::format("const {} {} = {} / {};", index_type_, columns_.slice, block, all));
    line(fmt::format("if ({} >= {}) return;", columns_.slice, columns_.slices));
    block = fmt::format("{} % {}", block, all);
    columns_.count = count;
  } else {
    note_grid(tiles, 1);
  }
  names_.open();
  const std::string first = columns_.first = names_.fresh("first");
  begin_stride(index_type_, first, fmt::format("{} * {}", block, side), count,
               fmt::format("{} * {}", of_blocks("gridDim", 1), side));
  mine_ = names_.fresh("mine");
  const std::string inside = fmt::format("{} + {} < {}", first, columns_.lane, count);
  const std::string among = fmt::format("{} < {}", columns_.lane, side);
  const bool is_full = columns_.side.is(columns_.lanes);
  const bool is_whole = !is_full && remainder(extent, columns_.side).is(0);
  line(fmt::format("const bool {} = {};", mine_,
                   is_full    ? inside
                   : is_whole ? among
                              : among + " && " + inside));
  const std::string point = point_name(nest);
  line(fmt::format("const {} {} = {} ? {} + {} : {};", index_type_, point, mine_, first,
                   columns_.lane, first));
  columns_.point = point;
  name_loops(nest, point);
}

/// Each block leaves what it has of its columns; the last one of these combines that and goes on.
void KernelWriter::write_slice_totals(const std::vector<StatementId>& fed) {
  if (columns_.slices.empty()) return;
  definitions_.use(Piece::kLastBlock);
  definitions_.use(Piece::kSliceTotal);
  counts_blocks_ = true;
  static_assert(kManyTiles <= kBlockCounters);
  const SymInt slots = grid_ * std::max(columns_.lanes, kLanes);
  open(fmt::format("if ({} > 1)", columns_.slices));
  std::vector<std::string> blocks;
  for (size_t k = 0; k < fed.size(); ++k) {
    statement_ = static_cast<uint32_t>(index(fed[k]));
    const std::string before =
        k == 0 ? "" : fmt::format("{} * {} * {}", k * kSlotBytes, columns_.slices, columns_.count);
    blocks.push_back(declare_block_totals(fed[k], before));
    line(fmt::format("if ({} && {}) {}[{} * {} + {}] = {};", mine_, words().first, blocks[k],
                     columns_.count, columns_.slice, columns_.point, value_names_[index(fed[k])]));
  }
  workspace_bytes_ = slots * static_cast<int64_t>(fed.size()) * kSlotBytes;
  line(fmt::format("if (!is_last_block(counters + {} / {}, {})) return;", columns_.first,
                   columns_.side.is_constant() ? size(columns_.side) : columns_.side_text,
                   columns_.slices));
  for (size_t k = 0; k < fed.size(); ++k) {
    statement_ = static_cast<uint32_t>(index(fed[k]));
    line(fmt::format("{} = slices_total<{}>({} + {}, {}, {}, {});", value_names_[index(fed[k])],
                     threads_, blocks[k], columns_.point, columns_.count, columns_.slices,
                     columns_.width));
  }
  close();
}

}  // namespace glint::cuda
