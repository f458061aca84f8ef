// Few long rows: several blocks take parts of the same row, slices, since a block a row would leave
// most of a GPU idle.
//
//     const int slices = max((int)gridDim.x / 2, 1);      // of 2 rows
//     const int slice = blockIdx.x / 2;
//     if (slice >= slices) return;
//     const int member = threadIdx.x + 512 * slice;       // among all that share a row
//     const int members = 512 * slices;
//     for (int i = blockIdx.x % 2; i < 2; i += gridDim.x) {
//       for (int j0 = 4 * member; j0 < 1000000; j0 += 4 * members) ...
//       acc = block_total<512>(acc);
//       if (slices > 1) {                                 // the row's last block goes on
//         Sum_f32* const acc_blocks = (Sum_f32*)workspace;
//         if (threadIdx.x == 0) acc_blocks[slices * i + slice] = acc;
//         if (!is_last_block(counters + i, slices)) return;
//         acc = total_of<512>(acc_blocks + slices * i, slices);
//       }
//
// How many slices there are is a matter of the launch alone: the grid says it. Where rows are many
// there is one, and each block takes several rows.
#include <fmt/format.h>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {
namespace {

/// Blocks that fill a GPU; with half as many rows none is cut.
constexpr int64_t kFull = 512;
constexpr int64_t kFewRows = kFull / 2;
/// Elements of each thread that are worth a block.
constexpr int64_t kSlicePart = 64;

}  // namespace

/// Whether the whole kernel is one loop over the iterations of an outer nest, behind which alone it
/// stores: blocks may then share it, and all but one of them leave before the end.
bool KernelWriter::is_one_reduction(const Nest& outer) const {
  const std::vector<Nest> inner = inner_nests(kernel_, outer.first, outer.last);
  if (inner_nests(kernel_, 0, kernel_.statements.size()).size() > 1 || inner.size() != 1)
    return false;
  const Loop& loop = *kernel_.statements[inner[0].loops[0]].get_if<Loop>();
  if (loop.kind != LoopKind::kReduce || loop.rest || options_.checks_bounds) return false;
  return !holds<Scratch>(kernel_, outer.first, outer.last) &&
         !holds<Check>(kernel_, outer.first, outer.last) &&
         !holds<Store>(kernel_, outer.first, inner[0].last);
}

/// Whether there may be few rows, each of them long enough for several blocks.
bool KernelWriter::has_long_rows(const Nest& outer) const {
  if (!is_one_reduction(outer)) return false;
  const auto rows = extent_of(kernel_, outer).maybe_constant();
  const Nest row = inner_nests(kernel_, outer.first, outer.last)[0];
  const auto length = most_iterations(kernel_, row, options_.shape);
  return (!rows || (*rows > 0 && *rows <= kFewRows)) &&
         (!length || *length >= 2 * kSlicePart * threads_);
}

/// How many blocks share each of `parts`: at least one.
std::string KernelWriter::slices_text(const std::string& parts) const {
  return is_narrow_ ? fmt::format("max((int)gridDim.x / {}, 1)", parts)
                    : fmt::format("max((int64)gridDim.x / {}, (int64)1)", parts);
}

/// Before the loop over rows: which part of them the block takes.
void KernelWriter::plan_row_slices(const Nest& outer) {
  const Nest row = inner_nests(kernel_, outer.first, outer.last)[0];
  const SymInt rows = maximum(extent_of(kernel_, outer), 1);
  const SymInt parts = ceil_divide(extent_of(kernel_, row), kSlicePart * threads_);
  note_grid(rows * parts, 1, kFull);
  const SymInt grid = maximum(minimum(rows * parts, kFull), 1);
  RowSlices& names = row_slices_;
  names.sliced = minimum(floor_divide(grid, 2 * rows), 1);
  names.rows = factor(rows);
  names.slices = names_.fresh("slices");
  names.slice = names_.fresh("slice");
  names.member = names_.fresh("member");
  names.members = names_.fresh("members");
  line(fmt::format("const {} {} = {};", index_type_, names.slices, slices_text(names.rows)));
  line(fmt::format("const {} {} = {} / {};", index_type_, names.slice, of_blocks("blockIdx", 1),
                   names.rows));
  line(fmt::format("if ({} >= {}) return;", names.slice, names.slices));
  line(fmt::format("const {} {} = threadIdx.x + {} * {};", index_type_, names.member, threads_,
                   names.slice));
  line(fmt::format("const {} {} = {} * {};", index_type_, names.members, threads_, names.slices));
}

/// Each block leaves what it has of its row; the last one of these combines that and goes on.
void KernelWriter::write_row_slice_totals(const std::vector<StatementId>& fed) {
  const RowSlices& names = row_slices_;
  if (names.slices.empty()) return;
  definitions_.use(Piece::kLastBlock);
  definitions_.use(Piece::kTotalOf);
  counts_blocks_ = true;
  static_assert(kFewRows <= kBlockCounters);
  workspace_bytes_ = names.sliced * (kFull * static_cast<int64_t>(fed.size()) * kSlotBytes);
  open(fmt::format("if ({} > 1)", names.slices));
  std::vector<std::string> blocks;
  for (size_t k = 0; k < fed.size(); ++k) {
    statement_ = static_cast<uint32_t>(index(fed[k]));
    const int64_t before = static_cast<int64_t>(k) * kFull * kSlotBytes;
    blocks.push_back(declare_block_totals(fed[k], k == 0 ? "" : std::to_string(before)));
    line(fmt::format("if (threadIdx.x == 0) {}[{} * {} + {}] = {};", blocks[k], names.slices,
                     names.point, names.slice, value_names_[index(fed[k])]));
  }
  line(fmt::format("if (!is_last_block(counters + {}, {})) return;", names.point, names.slices));
  for (size_t k = 0; k < fed.size(); ++k) {
    statement_ = static_cast<uint32_t>(index(fed[k]));
    line(fmt::format("{} = total_of<{}>({} + {} * {}, {});", value_names_[index(fed[k])], threads_,
                     blocks[k], names.slices, names.point, names.slices));
  }
  close();
}

}  // namespace glint::cuda
