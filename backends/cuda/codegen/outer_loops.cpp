// The outer loops of a kernel: who runs each, in how many blocks of how many threads, and the loop
// by which these come to their points.
//
//     for (int i = thread; i < 1024; i += threads) {          // a point is a thread's
//     for (int64 i = blockIdx.x; i < s0; i += gridDim.x) {    // a row is a block's
//     const int i = blockIdx.x;                               // there is a block for each row
//
// A grid has a block for each part of the work, up to what an index holds: the device hands them
// out as others end. Where each block leaves something behind, or has memory of its own, there are
// fewer, and each does several parts.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"
#include "core/support/check.h"

namespace glint::cuda {
namespace {

constexpr int64_t kThreads = 256;
/// Elements of a row that each thread of a block takes, about, and how many threads that makes.
constexpr int64_t kRowPart = 8;
constexpr int64_t kLeastRowThreads = 128;
constexpr int64_t kMostRowThreads = 512;
/// Of rows longer than kLongRow that are gone over again, so that they fit registers and shared
/// memory.
constexpr int64_t kLongRowThreads = 1024;
/// Of columns that are more than caches hold: what 256 blocks of these ask for at a time lies
/// closer together than what 1024 smaller ones do.
constexpr int64_t kWideThreads = 1024;
/// Elements that each thread takes of a reduction by all blocks, before there are more blocks, and
/// threads of one block before there are.
constexpr uint32_t kGridPart = 4;
constexpr int64_t kMostOneBlockThreads = 1024;
constexpr int64_t kLeastOneBlockThreads = 32;
/// Indices below this fit 32 bits also where a loop's step, which may be as large, has been added.
constexpr int64_t kNarrow = (1 << 30) - (1 << 16);
/// Blocks of 1024 threads at most: a multiprocessor waits for all of one to end.
constexpr int64_t kMostLargeBlocks = 1 << 13;

/// Of the one block that scans a whole tensor.
constexpr int64_t kScanThreads = 1024;

}  // namespace

KernelWriter::Team KernelWriter::team_of(const Nest& nest) const {
  switch (kernel_.statements[nest.loops[0]].get_if<Loop>()->binding) {
    case Binding::kWarp:
      return Team::kWarp;
    case Binding::kBlock:
      return Team::kBlock;
    case Binding::kLane:
      return Team::kColumn;
    default:
      return Team::kThread;
  }
}

KernelWriter::TeamWords KernelWriter::words() const {
  switch (team_) {
    case Team::kWarp:
      return {row_lanes_.member, row_lanes_.count, row_lanes_.member + " == 0", "warp_total",
              "__syncwarp();"};
    case Team::kColumn:
      return {columns_.member, columns_.members, columns_.member + " == 0", "column_total",
              "__syncthreads();"};
    case Team::kBlock:
    case Team::kGrid:
      return {"threadIdx.x", threads_, "threadIdx.x == 0", "block_total", "__syncthreads();"};
    default:
      return {"0", 1, "", "", ""};
  }
}

/// How many blocks there are for rows at most.
int64_t KernelWriter::most_row_blocks() const {
  return threads_ == kLongRowThreads ? kMostLargeBlocks : kNarrow;
}

/// A block for each part that one takes, which the device hands out as others end: on an H200 a
/// copy of 512 MiB takes 9 % longer in no more blocks than it holds. The blocks of one loop go over
/// the others too, whose steps have to fit an index.
void KernelWriter::note_grid(SymInt points, int64_t points_a_block) {
  if (threads_ == kLongRowThreads) return note_grid(points, points_a_block, most_row_blocks());
  if (has_several_nests_)
    return note_grid(points, points_a_block, kNarrow / (kMostLanes * threads_));
  grid_ = maximum(grid_, ceil_divide(points, points_a_block));
}

void KernelWriter::note_grid(SymInt points, int64_t points_a_block, int64_t most) {
  grid_ = maximum(grid_, minimum(ceil_divide(points, points_a_block), most));
}

/// How many threads of a block share a row, whose loops these are.
int64_t KernelWriter::row_threads(const std::vector<Nest>& inner) const {
  int64_t longest = 0;
  for (const Nest& nest : inner)
    longest = std::max(longest, most_iterations(kernel_, nest, options_.shape).value_or(0));
  const bool is_again = inner.size() > 1;
  if (longest == 0) return is_again ? kLongRowThreads : kThreads;
  const auto parts = static_cast<uint64_t>(longest / kRowPart);
  return std::clamp(static_cast<int64_t>(std::bit_ceil(parts)), kLeastRowThreads,
                    is_again && longest > kLongRow ? kLongRowThreads : kMostRowThreads);
}

/// Of a reduction by all blocks: where one block will do, as it has nobody to wait for, one with
/// few elements a thread, and no warps that only wait.
uint32_t KernelWriter::grid_threads(const Nest& nest) const {
  const int64_t elements = extent_of(kernel_, nest).maybe_constant().value_or(INT32_MAX);
  if (elements > kMostOneBlockThreads * elements_) return kThreads;
  const auto wanted = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(elements)));
  return static_cast<uint32_t>(std::clamp(wanted, kLeastOneBlockThreads, kMostOneBlockThreads));
}

uint32_t KernelWriter::threads_for(const std::vector<Nest>& nests) const {
  if (options_.shape.threads != 0) return options_.shape.threads;
  int64_t threads = 0;
  for (const Nest& outer : nests) {
    const Binding binding = kernel_.statements[outer.loops[0]].get_if<Loop>()->binding;
    const bool is_row =
        binding == Binding::kBlock &&
        kernel_.statements[outer.loops[0]].get_if<Loop>()->kind == LoopKind::kParallel;
    const std::vector<Nest> inner = inner_nests(kernel_, outer.first, outer.last);
    const bool is_wide = binding == Binding::kLane && has_wide_columns(outer);
    threads = std::max(threads, is_row ? row_threads(inner) : is_wide ? kWideThreads : kThreads);
  }
  return static_cast<uint32_t>(threads);
}

bool KernelWriter::fits_narrow() const {
  for (const KernelBuffer& buffer : kernel_.buffers) {
    const auto strides = buffer.type.full_strides();
    int64_t reach = 1;
    for (size_t d = 0; d < strides.size(); ++d) {
      const auto size = buffer.type.sizes[d].maybe_constant();
      const auto stride = strides[d].maybe_constant();
      if (!size || !stride || *size >= kNarrow || std::abs(*stride) >= kNarrow) return false;
      reach += *size * std::abs(*stride);
      if (reach >= kNarrow) return false;
    }
  }
  std::vector<std::pair<size_t, int64_t>> open = {{kernel_.statements.size(), 1}};
  for (size_t i = 0; i < kernel_.statements.size(); ++i) {
    while (open.size() > 1 && open.back().first <= i) open.pop_back();
    const auto* loop = kernel_.statements[i].get_if<Loop>();
    if (loop == nullptr) continue;
    const auto extent = loop->extent.maybe_constant();
    if (!extent || *extent >= kNarrow || open.back().second * *extent >= kNarrow) return false;
    open.emplace_back(index(loop->end), open.back().second * std::max<int64_t>(*extent, 1));
  }
  return true;
}

/// How many points a nest has; of a flat kernel as many as the launch says.
std::string KernelWriter::count_text(const Nest& nest) {
  if (!kernel_.is_flat()) return size(extent_of(kernel_, nest));
  if (!length_)
    length_ = KernelParameter{KernelParameter::Kind::kLength, names_.fresh_argument("length"), 0,
                              DType::kInt64, extent_of(kernel_, nest)};
  return length_->name;
}

/// `blockIdx.x * 256`, in the index's type.
std::string KernelWriter::of_blocks(std::string_view builtin, int64_t factor) const {
  const std::string number = fmt::format("{}{}.x", is_narrow_ ? "" : "(int64)", builtin);
  return factor == 1 ? number : fmt::format("{} * {}", number, factor);
}

std::string KernelWriter::point_name(const Nest& nest) {
  return names_.fresh(nest.loops.size() == 1 ? kernel_.statements[nest.loops[0]].name : "point");
}

/// Names the indices of a nest's loops by the number of the iteration in all of them.
void KernelWriter::name_loops(const Nest& nest, const std::string& point) {
  if (nest.loops.size() == 1) {
    value_names_[nest.loops[0]] = point;
    return;
  }
  for (size_t k = 0; k < nest.loops.size(); ++k) {
    const size_t at = nest.loops[k];
    const SymInt extent = kernel_.statements[at].get_if<Loop>()->extent;
    SymInt inside = 1;
    for (size_t later = k + 1; later < nest.loops.size(); ++later)
      inside *= kernel_.statements[nest.loops[later]].get_if<Loop>()->extent;
    std::string text = point;
    if (!inside.is(1)) text += " / " + factor(inside);
    if (k > 0) text += " % " + factor(extent);
    value_names_[at] = names_.fresh(kernel_.statements[at].name);
    statement_ = static_cast<uint32_t>(at);
    line(fmt::format("const {} {} = {};", index_type_, value_names_[at], text));
  }
}

void KernelWriter::write_body() {
  const std::vector<Nest> nests = inner_nests(kernel_, 0, kernel_.statements.size());
  if (nests.empty() ||
      kernel_.statements[nests[0].loops[0]].get_if<Loop>()->binding == Binding::kUnbound) {
    threads_ = 1;
    write_range(0, kernel_.statements.size());
    return;
  }
  threads_ = threads_for(nests);
  has_several_nests_ = nests.size() > 1;
  if (options_.shape.threads == 0 &&
      kernel_.statements[nests[0].loops[0]].get_if<Loop>()->kind == LoopKind::kScan)
    threads_ = kScanThreads;
  if (are_independent(kernel_)) {
    for (const Nest& nest : nests) write_outer(nest);
    return;
  }
  const Binding binding = kernel_.statements[nests[0].loops[0]].get_if<Loop>()->binding;
  team_ = binding == Binding::kBlock ? Team::kGrid : Team::kBlock;
  if (team_ == Team::kGrid) {
    elements_ = options_.shape.elements != 0 ? options_.shape.elements : kGridPart;
    if (options_.shape.threads == 0) threads_ = grid_threads(nests[0]);
    note_grid(extent_of(kernel_, nests[0]), int64_t{threads_} * elements_, kMostBlocks);
  } else {
    rows_ = 1;
  }
  plan_row_vectors(0, kernel_.statements.size());
  write_row_lead();
  write_team_body(0, kernel_.statements.size());
  drop_unused_next();
}

/// What a nest's loop says in a comment above it.
std::string KernelWriter::sharing_text(const Nest& nest, Binding binding) const {
  switch (binding) {
    case Binding::kThread:
      return "// Each thread takes elements of its own.";
    case Binding::kVector:
      return "// Each thread takes neighbours, which it moves in one access.";
    case Binding::kWarp:
      if (row_lanes_.count < 32)
        return fmt::format("// Each {} lanes of a warp take rows, which they share.",
                           row_lanes_.count);
      return "// Each warp takes rows; its lanes share them.";
    case Binding::kBlock:
      return is_block_of_its_own(nest) ? "// Each block takes a row; its threads share it."
                                       : "// Each block takes rows; its threads share them.";
    default:
      return "// Each block takes columns side by side, one a lane; its other threads share them.";
  }
}

void KernelWriter::write_outer(const Nest& nest) {
  Binding binding = kernel_.statements[nest.loops.back()].get_if<Loop>()->binding;
  // What a vector moves is not checked element by element.
  if (binding == Binding::kVector && options_.checks_bounds) binding = Binding::kThread;
  statement_ = SourceLine::kNone;
  for (const size_t i : nest.loops)
    if (binding == Binding::kLane &&
        kernel_.statements[i].get_if<Loop>()->binding == Binding::kWarp)
      return write_tiles(nest, i);
  row_ = {};
  row_slices_ = {};
  row_index_type_ = index_type_of_rows(nest);
  team_ = team_of(nest);
  if (team_ == Team::kWarp) plan_row_lanes(nest);
  const bool has_slices = team_ == Team::kBlock && has_long_rows(nest);
  line(has_slices
           ? "// Several blocks share a row, or each takes rows of its own where these are many."
           : sharing_text(nest, binding));
  if (has_slices) plan_row_slices(nest);
  write_row_lanes();
  if (binding == Binding::kVector) return write_vectors(nest);
  if (team_ == Team::kThread)
    plan_thread_rows(nest.first, nest.last);
  else
    plan_row_vectors(nest.first, nest.last);
  if (row_.two_bodies)
    write_both_bodies(nest);
  else
    write_points(nest);
  drop_unused_next();
  mine_.clear();
}

/// What each team has of the outer loops, one after another.
void KernelWriter::write_points(const Nest& nest) {
  bool has_loop = true;
  if (team_ == Team::kColumn)
    open_columns(nest);
  else
    has_loop = open_points(nest);
  write_row_lead();
  if (team_ == Team::kThread)
    write_range(nest.first, nest.last);
  else
    write_team_body(nest.first, nest.last);
  if (has_loop)
    close();
  else
    names_.close();
}

/// `for (int64 i = start; i < count; i += step) {`
void KernelWriter::begin_stride(const std::string& type, const std::string& point,
                                const std::string& start, const std::string& count,
                                const std::string& step) {
  begin(fmt::format("for ({0} {1} = {2}; {1} < {3}; {1} += {4})", type, point, start, count, step));
}

/// Whether there are as many blocks as rows, so that none has to look for more: a loop over one row
/// takes registers.
bool KernelWriter::is_block_of_its_own(const Nest& nest) const {
  const auto rows = extent_of(kernel_, nest).maybe_constant();
  if (team_ != Team::kBlock || has_several_nests_ || !row_slices_.slices.empty() || !rows ||
      *rows == 0 || holds<Scratch>(kernel_, 0, kernel_.statements.size()))
    return false;
  return *rows <= most_row_blocks();
}

/// Says whether that opened a loop.
bool KernelWriter::open_points(const Nest& nest) {
  if (team_ == Team::kWarp && row_lanes_.count < 32) {
    open_row_lanes(nest);
    return true;
  }
  std::string start = "thread";
  std::string step = "threads";
  int64_t a_block = threads_;
  if (team_ == Team::kWarp) {
    a_block = rows_ = threads_ / 32;
    start = of_blocks("blockIdx", a_block) + " + warp";
    step = of_blocks("gridDim", a_block);
    uses_lane_ = uses_warp_ = true;
  } else if (team_ == Team::kBlock) {
    a_block = rows_ = 1;
    start = row_slices_.slices.empty()
                ? "blockIdx.x"
                : fmt::format("{} % {}", of_blocks("blockIdx", 1), row_slices_.rows);
    step = "gridDim.x";
  } else {
    uses_thread_ = true;
  }
  note_grid(extent_of(kernel_, nest), a_block);
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  const std::string count = count_text(nest);
  names_.open();
  const std::string point = row_slices_.point = point_name(nest);
  const bool has_loop = !is_block_of_its_own(nest);
  check(has_loop || grid_ == extent_of(kernel_, nest), "each row has its block");
  if (has_loop)
    begin_stride(index_type_, point, start, count, step);
  else
    line(fmt::format("const {} {} = blockIdx.x;", index_type_, point));
  name_loops(nest, point);
  return has_loop;
}

/// Along rows whose length has a limit 32 bits are enough, which take half the registers.
std::string KernelWriter::index_type_of_rows(const Nest& outer) const {
  constexpr int64_t kMostStep = 1 << 16;
  static_assert(kMostStep * kLongRow < kNarrow);
  if (is_narrow_ || options_.shape.longest_row == 0) return index_type_;
  for (size_t i = outer.first; i < outer.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access) continue;
    const IndexExpression place = memory_place(kernel_, access->buffer, *access->indices);
    int64_t steps = std::abs(place.constant.maybe_constant().value_or(0)) / kLongRow;
    for (const IndexTerm& term : place.terms)
      if (index(term.variable) >= outer.first)
        steps += std::abs(term.coefficient.maybe_constant().value_or(0));
    if (steps >= kMostStep) return index_type_;
  }
  return "int";
}

}  // namespace glint::cuda
