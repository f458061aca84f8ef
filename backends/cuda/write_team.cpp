// The body that a team runs: inner loops that its members share, what they combine behind them,
// what they wait for and what they keep.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/bind_axes.h"
#include "backends/cuda/kernel_writer.h"
#include "core/support/check.h"

namespace glint::cuda {
namespace {

/// Iterations of a member that are written out, so that what it keeps lies in registers; and how
/// many values it keeps.
constexpr int64_t kMostParts = 16;
constexpr int64_t kMostKept = 64;
/// What a block keeps in shared memory of rows that do not fit there.
constexpr int64_t kRowBytes = 32768;

int64_t value_bytes(DType dtype) {
  return std::max<int64_t>(dtype_size(dtype), is_floating(dtype) ? 4 : 1);
}

/// Where an access lies, with a nest's loops named by their position: comparable between nests.
struct RelativePlace {
  SymInt constant;
  std::vector<std::pair<int64_t, SymInt>> terms;
  bool operator==(const RelativePlace&) const = default;
};

RelativePlace relative_place(const Kernel& kernel, const Access& access, const Nest& nest) {
  const IndexExpression place = memory_place(kernel, access.buffer, *access.indices);
  RelativePlace relative{place.constant, {}};
  for (const IndexTerm& term : place.terms) {
    int64_t variable = static_cast<int64_t>(index(term.variable));
    const auto found = std::find(nest.loops.begin(), nest.loops.end(), index(term.variable));
    if (found != nest.loops.end()) variable = -1 - (found - nest.loops.begin());
    relative.terms.emplace_back(variable, term.coefficient);
  }
  std::sort(relative.terms.begin(), relative.terms.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return relative;
}

bool same_extents(const Kernel& kernel, const Nest& a, const Nest& b) {
  return std::equal(a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(),
                    [&](size_t x, size_t y) {
                      return kernel.statements[x].get_if<Loop>()->extent ==
                             kernel.statements[y].get_if<Loop>()->extent;
                    });
}

/// Whether what an access names depends on the nest's loops and on nothing that is made in it.
bool is_walked(const RelativePlace& place, const Nest& nest) {
  const bool made_inside =
      std::any_of(place.terms.begin(), place.terms.end(), [&](const auto& term) {
        return term.first >= static_cast<int64_t>(nest.first) &&
               term.first < static_cast<int64_t>(nest.last);
      });
  return !made_inside && !place.terms.empty() && place.terms.front().first < 0;
}

/// Whether each iteration has an element of its own, in order.
bool is_own_element(const Kernel& kernel, const RelativePlace& place, const Nest& nest) {
  if (!place.constant.is(0)) return false;
  SymInt step = 1;
  std::vector<std::pair<int64_t, SymInt>> expected;
  for (size_t k = nest.loops.size(); k-- > 0;) {
    const SymInt extent = kernel.statements[nest.loops[k]].get_if<Loop>()->extent;
    if (!extent.is(1)) expected.emplace_back(-1 - static_cast<int64_t>(k), step);
    step *= extent;
  }
  std::sort(expected.begin(), expected.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return place.terms == expected;
}

}  // namespace

// ---- what is kept ------------------------------------------------------------------------------

/// How many iterations of a nest each member does at most; 0 where that is not known, or too many.
int64_t KernelWriter::parts_of(const Nest& nest) const {
  const auto extent = most_iterations(kernel_, nest, options_.shape);
  const bool has_rest = kernel_.statements[nest.loops[0]].get_if<Loop>()->rest.has_value();
  if (!extent || *extent <= 0 || has_rest || team_ == Team::kGrid) return 0;
  const int64_t count = words().count * row_.lanes;
  if (count == 0) return 0;
  const int64_t parts = (*extent + count - 1) / count * row_.lanes;
  return parts <= kMostParts ? parts : 0;
}

bool KernelWriter::has_room(const Nest& nest) const {
  int64_t kept = parts_of(nest);
  if (kept == 0) return false;
  for (const KeptArray& each : kept_arrays_) kept += each.length;
  return kept <= kMostKept;
}

/// Whether there is room to keep an element for each iteration of the nest.
bool KernelWriter::add_array(KeptArray array, const Nest& nest) {
  const bool has_rest = kernel_.statements[nest.loops[0]].get_if<Loop>()->rest.has_value();
  if (has_room(nest)) {
    array.length = parts_of(nest);
  } else if (team_ != Team::kBlock || has_rest || parts_of(nest) > 0) {
    return false;
  }
  kept_arrays_.push_back(std::move(array));
  return true;
}

/// How much of a row the arrays in shared memory hold. One takes the place of another that is read
/// no more when it is first written: each thread touches only what it has put there.
void KernelWriter::find_shared_room() {
  kept_elements_ = 0;
  int64_t bytes = 0;
  std::stable_sort(kept_arrays_.begin(), kept_arrays_.end(),
                   [](const KeptArray& a, const KeptArray& b) {
                     if (a.length > 0 || b.length > 0) return a.length > b.length && b.length == 0;
                     return a.first_statement < b.first_statement;
                   });
  for (size_t k = 0; k < kept_arrays_.size(); ++k) {
    KeptArray& array = kept_arrays_[k];
    if (array.length > 0) continue;
    for (size_t before = 0; before < k && array.with.empty(); ++before) {
      const KeptArray& other = kept_arrays_[before];
      const bool is_taken =
          std::any_of(kept_arrays_.begin(), kept_arrays_.begin() + static_cast<long>(k),
                      [&](const KeptArray& each) { return each.with == other.name; });
      if (other.length == 0 && other.with.empty() && !is_taken && other.dtype == array.dtype &&
          other.last_statement < array.first_statement)
        array.with = other.name;
    }
    if (array.with.empty()) bytes += value_bytes(array.dtype);
  }
  if (bytes == 0) return;
  int64_t room = kRowBytes - kept_bytes_;
  for (const KernelBuffer& buffer : kernel_.buffers)
    if (buffer.scratch) room -= std::min(buffer.type.bytes().maybe_constant().value_or(0), room);
  const int64_t round = row_.lanes * threads_;
  kept_elements_ = room / bytes / round * round;
  kept_bytes_ += kept_elements_ * bytes;
  if (kept_elements_ > 0) return;
  std::erase_if(kept_arrays_, [](const KeptArray& array) { return array.length == 0; });
  std::erase_if(kept_loads_, [](const auto& each) { return each.second.shared; });
  std::erase_if(kept_scratch_, [](const auto& each) { return each.second.shared; });
}

void KernelWriter::declare_kept() {
  for (const KeptArray& each : kept_arrays_) {
    const std::string_view type = value_type(each.dtype);
    if (each.length > 0)
      line(fmt::format("{} {}[{}];", type, each.name, each.length));
    else if (each.with.empty())
      line(fmt::format("__shared__ {} {}[{}];", type, each.name, kept_elements_));
    else
      line(fmt::format("{}* const {} = {};  // where each thread is done with it", type, each.name,
                       each.with));
  }
}

void KernelWriter::plan_kept() {
  kept_loads_.clear();
  kept_scratch_.clear();
  kept_arrays_.clear();
  parts_.clear();
  keep_scratch();
  keep_loads();
  find_shared_room();
  declare_kept();
}

/// Scratch of which each iteration of nests of one length writes and reads its own element.
void KernelWriter::keep_scratch() {
  for (size_t b = kernel_.parameter_count; b < kernel_.buffers.size(); ++b) {
    const auto buffer = BufferId(b);
    const Nest* first = nullptr;
    bool fits = true;
    std::vector<size_t> nests;
    std::vector<size_t> uses;
    for (const Nest& nest : nests_) {
      for (size_t i = nest.first; i < nest.last; ++i) {
        const auto access = access_of(kernel_.statements[i]);
        if (!access || access->buffer != buffer) continue;
        if (first == nullptr) first = &nest;
        fits &= !access->masked && same_extents(kernel_, *first, nest) &&
                is_own_element(kernel_, relative_place(kernel_, *access, nest), nest);
        nests.push_back(nest.loops[0]);
        uses.push_back(i);
      }
    }
    if (first == nullptr || !fits) continue;
    const std::string name = names_.fresh(kernel_.buffers[b].name);
    const bool shared = !has_room(*first);
    if (!add_array({name, kernel_.buffers[b].type.dtype, 0, uses.front(), uses.back(), ""}, *first))
      continue;
    kept_scratch_[buffer] = {name, false, shared};
    if (shared) continue;
    for (const size_t nest : nests) parts_[nest] = parts_of(*first);
  }
}

/// Elements that several nests load, and nobody writes.
void KernelWriter::keep_loads() {
  for (size_t n = 0; n < nests_.size(); ++n) {
    const Nest& nest = nests_[n];
    for (size_t i = nest.first; i < nest.last; ++i) {
      const auto access = access_of(kernel_.statements[i]);
      if (!access || access->stores || access->masked || kept_loads_.contains(i)) continue;
      if (index(access->buffer) >= kernel_.parameter_count || written_[index(access->buffer)])
        continue;
      const RelativePlace place = relative_place(kernel_, *access, nest);
      if (!is_walked(place, nest)) continue;
      std::vector<std::pair<size_t, size_t>> again;  // the load, its nest
      for (size_t later = n + 1; later < nests_.size(); ++later) {
        const Nest& other = nests_[later];
        for (size_t k = other.first; k < other.last; ++k) {
          const auto load = access_of(kernel_.statements[k]);
          if (!load || load->stores || load->masked || load->buffer != access->buffer) continue;
          if (same_extents(kernel_, nest, other) && relative_place(kernel_, *load, other) == place)
            again.emplace_back(k, other.loops[0]);
        }
      }
      if (again.empty()) continue;
      const std::string name = names_.fresh(buffer_names_[index(access->buffer)] + "_row");
      const bool shared = !has_room(nest);
      const DType dtype = kernel_[access->buffer].type.dtype;
      if (!add_array({name, dtype, 0, i, again.back().first, ""}, nest)) continue;
      kept_loads_[i] = {name, true, shared};
      if (!shared) parts_[nest.loops[0]] = parts_of(nest);
      for (const auto& [load, its_nest] : again) {
        kept_loads_[load] = {name, false, shared};
        if (!shared) parts_[its_nest] = parts_of(nest);
      }
    }
  }
}

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
    const std::string extent = iterations_of({{i}, i + 1, index(loop->end)});
    names_.open();
    value_names_[i] = names_.fresh(kernel_.statements[i].name);
    begin(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1})", index_type_, value_names_[i], extent));
    write_range(i + 1, index(loop->end));
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

/// An inner loop: each member does some of its iterations.
void KernelWriter::write_shared(const Nest& nest) {
  if (team_ == Team::kGrid) uses_thread_ = true;
  const std::string count = iterations_of(nest);
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
  const std::string arguments = team_ == Team::kWarp ? "" : fmt::format("<{}>", threads_);
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
}

/// Each block leaves what it has; the last one combines that and goes on, alone.
void KernelWriter::write_grid_totals(const Nest& nest, const std::vector<StatementId>& fed) {
  definitions_.use(Piece::kLastBlock);
  definitions_.use(Piece::kTotalOf);
  constexpr int64_t kHead = 16;
  constexpr int64_t kBlockBytes = 24;  // of the largest reduction
  zero_bytes_ = kHead;
  int64_t bytes = kHead;
  std::vector<std::pair<StatementId, std::string>> blocks;  // where the blocks' totals lie
  for (const StatementId id : fed) {
    statement_ = static_cast<uint32_t>(index(id));
    const auto* reduction = kernel_[id].get_if<Reduction>();
    const std::string type = definitions_.reduction(reduction->combiner, reduction->dtype);
    const std::string& name = value_names_[index(id)];
    const std::string totals = names_.fresh(name + "_blocks");
    line(fmt::format("{0}* const {1} = ({0}*)(workspace + {2});", type, totals, bytes));
    line(fmt::format("if (threadIdx.x == 0) {}[blockIdx.x] = {};", totals, name));
    bytes += kMostBlocks * kBlockBytes;
    blocks.emplace_back(id, totals);
  }
  workspace_bytes_ = bytes;
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  line("if (!is_last_block((unsigned*)workspace, gridDim.x)) return;");
  for (const auto& [id, totals] : blocks) {
    statement_ = static_cast<uint32_t>(index(id));
    line(fmt::format("{} = total_of<{}>({});", value_names_[index(id)], threads_, totals));
  }
}

}  // namespace glint::cuda
