// The body that a team runs: inner loops that its members share, what they combine behind them, and
// what they wait for.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/codegen/kernel_writer.h"
#include "backends/cuda/codegen/relative_place.h"
#include "core/support/check.h"

namespace glint::cuda {

// ---- barriers ----------------------------------------------------------------------------------

void KernelWriter::add_accesses(std::vector<TeamAccess>& list, size_t first, size_t last,
                                const Nest* nest) const {
  for (size_t i = first; i < last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || kept_scratch_.contains(access->buffer)) continue;
    const auto kept = kept_loads_.find(i);
    if (kept == kept_loads_.end() || kept->second.fills) list.push_back({*access, nest});
  }
}

/// Whether one member may touch what another has touched, one of them writing.
bool KernelWriter::collide(const TeamAccess& a, const TeamAccess& b) const {
  if (!a.access.stores && !b.access.stores) return false;
  if (!may_be_one(kernel_, a.access.buffer, b.access.buffer)) return false;
  // Outside the inner loops the first member stores, and all of them load.
  if (a.nest == nullptr && b.nest == nullptr) return !a.access.stores || !b.access.stores;
  if (a.nest == nullptr || b.nest == nullptr) return true;
  const RelativePlace place = relative_place(kernel_, a.access, *a.nest);
  return !same_extents(kernel_, *a.nest, *b.nest) || !is_walked(place, *a.nest) ||
         place != relative_place(kernel_, b.access, *b.nest);
}

void KernelWriter::wait_before(std::vector<TeamAccess> next) {
  const bool waits = std::any_of(next.begin(), next.end(), [&](const TeamAccess& b) {
    return std::any_of(since_barrier_.begin(), since_barrier_.end(),
                       [&](const TeamAccess& a) { return collide(a, b); });
  });
  if (waits) {
    since_barrier_.clear();
    line(std::string(words().barrier));
  }
  since_barrier_.insert(since_barrier_.end(), next.begin(), next.end());
}

// ---- the body ----------------------------------------------------------------------------------

void KernelWriter::write_team_body(size_t first, size_t last) {
  nests_ = inner_nests(kernel_, first, last);
  since_barrier_.clear();
  short_counts_.clear();
  statement_ = SourceLine::kNone;
  plan_kept();
  size_t nest = 0;
  for (size_t i = first; i < last; ++i) {
    statement_ = static_cast<uint32_t>(i);
    std::vector<TeamAccess> next;
    if (nest < nests_.size() && nests_[nest].loops[0] == i) {
      add_accesses(next, nests_[nest].first, nests_[nest].last, &nests_[nest]);
      wait_before(std::move(next));
      write_shared(nests_[nest]);
      i = nests_[nest++].last - 1;
    } else {
      add_accesses(next, i, i + 1, nullptr);
      wait_before(std::move(next));
      write_statement(i);
    }
  }
  // Scratch is the next iteration's too.
  const bool shares_scratch = std::any_of(
      since_barrier_.begin(), since_barrier_.end(),
      [&](const TeamAccess& each) { return index(each.access.buffer) >= kernel_.parameter_count; });
  statement_ = SourceLine::kNone;
  if (shares_scratch && depth_ > 1) line(std::string(words().barrier));
}

/// Statements of a thread on its own; loops run in order.
void KernelWriter::write_range(size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    statement_ = static_cast<uint32_t>(i);
    const auto* loop = kernel_.statements[i].get_if<Loop>();
    if (loop == nullptr) {
      write_statement(i);
      continue;
    }
    if (const Nest nest = nest_at(kernel_, i); is_thread_row(nest)) {
      write_thread_row(nest);
      i = nest.last - 1;
      continue;
    }
    const std::string extent = iterations_of({{i}, i + 1, index(loop->end)});
    names_.open();
    value_names_[i] = names_.fresh(kernel_.statements[i].name);
    begin(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1})", index_type_, value_names_[i], extent));
    const auto vectors = static_cast<long>(thread_vectors_.size());
    write_range(i + 1, index(loop->end));
    thread_vectors_.erase(thread_vectors_.begin() + vectors, thread_vectors_.end());
    close();
    i = index(loop->end) - 1;
  }
}

/// How many iterations a nest has: of a block of a longer axis, no more than the axis has left.
std::string KernelWriter::iterations_of(const Nest& nest) {
  const auto& outer = *kernel_.statements[nest.loops[0]].get_if<Loop>();
  if (!outer.rest) return size(extent_of(kernel_, nest));
  const std::string block = fmt::format("{}{}", is_narrow_ ? "" : "(int64)", factor(outer.extent));
  std::string text = fmt::format("min({}, {})", block, index_text(*outer.rest, false));
  SymInt inside = 1;
  for (size_t k = 1; k < nest.loops.size(); ++k) {
    const auto& loop = *kernel_.statements[nest.loops[k]].get_if<Loop>();
    check(!loop.rest, "only the outermost loop goes over a part of an axis");
    inside *= loop.extent;
  }
  if (!inside.is(1)) text += " * " + factor(inside);
  const std::string count = names_.fresh("count");
  line(fmt::format("const {} {} = {};", index_type_, count, text));
  return count;
}

/// A count of iterations along a row in the rows' own index type: `const int length = s1;`
std::string KernelWriter::short_count(const std::string& count) {
  std::string& name = short_counts_[count];
  if (!name.empty()) return name;
  name = names_.fresh("length");
  line(fmt::format("const {} {} = {};", row_index_type_, name, count));
  return name;
}

/// An inner loop: each member does some of its iterations.
void KernelWriter::write_shared(const Nest& nest) {
  if (team_ == Team::kGrid) uses_thread_ = true;
  std::string count = iterations_of(nest);
  if (row_index_type_ != index_type_) count = short_count(count);
  is_shared_ = true;
  const bool is_scan = kernel_.statements[nest.loops[0]].get_if<Loop>()->kind == LoopKind::kScan;
  if (is_scan)
    write_scan(nest, count);
  else if (row_.lanes > 1)
    write_row_vectors(nest, count);
  else
    write_row(nest, count);
  is_shared_ = false;
  if (!is_scan) write_totals(nest);
}

/// Combines what the members have of each reduction that the nest has fed.
void KernelWriter::write_totals(const Nest& nest) {
  std::vector<StatementId> fed;
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto* accumulate = kernel_.statements[i].get_if<Accumulate>();
    if (accumulate != nullptr &&
        std::find(fed.begin(), fed.end(), accumulate->reduction) == fed.end())
      fed.push_back(accumulate->reduction);
  }
  const TeamWords team = words();
  if (team_ == Team::kWarp)
    definitions_.use(Piece::kWarpTotal);
  else
    definitions_.use(team_ == Team::kColumn ? Piece::kColumnTotal : Piece::kBlockTotal);
  const int64_t members = team_ == Team::kWarp ? row_lanes_.count : threads_;
  const bool is_warp = team_ == Team::kWarp && members == 32;
  const std::string arguments = is_warp ? "" : fmt::format("<{}>", members);
  const std::string width = team_ == Team::kColumn ? ", " + columns_.width : "";
  for (const StatementId id : fed) {
    statement_ = static_cast<uint32_t>(index(id));
    const std::string& name = value_names_[index(id)];
    line(fmt::format("{0} = {1}{2}({0}{3});", name, team.total, arguments, width));
  }
  // A barrier stands in each total, but in a warp's.
  if (!fed.empty() && team_ != Team::kWarp) since_barrier_.clear();
  if (team_ == Team::kGrid && !fed.empty()) write_grid_totals(nest, fed);
  if (team_ == Team::kColumn && !fed.empty()) write_slice_totals(fed);
  if (team_ == Team::kBlock && !fed.empty()) write_row_slice_totals(fed);
}

/// Names the place in the workspace, so many bytes behind its begin, where blocks leave what they
/// have of a reduction: `Sum_f32* const acc_blocks = (Sum_f32*)(workspace + 16384);`
std::string KernelWriter::declare_block_totals(StatementId reduction, const std::string& offset) {
  const auto* what = kernel_[reduction].get_if<Reduction>();
  const std::string type = definitions_.reduction(what->combiner, what->dtype);
  const std::string name = names_.fresh(value_names_[index(reduction)] + "_blocks");
  const std::string place = offset.empty() ? "workspace" : fmt::format("(workspace + {})", offset);
  line(fmt::format("{0}* const {1} = ({0}*){2};", type, name, place));
  return name;
}

/// Each block leaves what it has; the last one combines that and goes on, alone. Of one block there
/// is nothing to combine.
void KernelWriter::write_grid_totals(const Nest& nest, const std::vector<StatementId>& fed) {
  if (grid_.is(1)) return;
  definitions_.use(Piece::kLastBlock);
  definitions_.use(Piece::kTotalOf);
  counts_blocks_ = true;
  open("if (gridDim.x > 1)");
  int64_t bytes = 0;
  std::vector<std::pair<StatementId, std::string>> blocks;  // where the blocks' totals lie
  for (const StatementId id : fed) {
    statement_ = static_cast<uint32_t>(index(id));
    const std::string totals = declare_block_totals(id, bytes == 0 ? "" : std::to_string(bytes));
    line(
        fmt::format("if (threadIdx.x == 0) {}[blockIdx.x] = {};", totals, value_names_[index(id)]));
    bytes += kMostBlocks * kSlotBytes;
    blocks.emplace_back(id, totals);
  }
  workspace_bytes_ = bytes;
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  line("if (!is_last_block(counters, gridDim.x)) return;");
  for (const auto& [id, totals] : blocks) {
    statement_ = static_cast<uint32_t>(index(id));
    line(fmt::format("{} = total_of<{}>({}, gridDim.x);", value_names_[index(id)], threads_,
                     totals));
  }
  close();
}

}  // namespace glint::cuda
