// Whether a function that breaks pays for small tensors.
//
//     def f(x):                 two regions of one operator each, and a write between them:
//         y = x + 1             0.17 us compiled, 0.12 us eager
//         counter.value = 1
//         return y * 2
//
// A region that is all of a call is never slower than its operators. Where a function breaks, each
// region is entered and left for itself. Counted in small eager operators (measured by
// bench/breaks.py, writes.py, rates.py): a region costs 1.2, a branch on a tensor 0.3, another
// break 1.9, and 6 where it lies in a callee, whose frame has to be built; a write of its journal,
// or to a tensor from outside, costs 0.7. If that is more than the operators in the regions, calls
// with small tensors run eagerly.
//
// Where no region holds two operators, nothing was fused: sizes that change, a float among the
// inputs or an earlier entry's guards are then enough to lose, and larger tensors gain nothing
// either. Where nothing was compiled at all, every call goes past the compiler.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ops/op.h"
#include "runtime/capture/executable.h"
#include "runtime/capture/runner.h"

namespace glint::capture {
namespace {

constexpr int64_t kSmallElements = 1024;
/// One operator on so many elements takes so long that a region's cost is lost in it.
constexpr int64_t kManyElements = 65536;
constexpr double kRegionCost = 1.2;
constexpr double kBranchCost = 0.3;
constexpr double kBreakCost = 1.9;
constexpr double kCalleeBreakCost = 6.0;
constexpr double kWriteCost = 0.7;
/// So much dearer it has to be, for what is counted is an estimate.
constexpr double kMargin = 0.8;

struct Account {
  /// Each operator is one loop over its elements, alike in eager execution and compiled.
  bool only_loops = true;
  bool varies = false;  ///< guards do more than compare with what they have seen
  size_t regions = 0, breaks = 0, operators = 0, writes = 0;
  double cost = 0.0;  ///< in eager operators
  int64_t largest = 0;
  const Region* newest = nullptr;
};

void add_break(Account& account, double cost) {
  ++account.breaks;
  account.cost += cost;
}

double break_cost(const Region& region) {
  if (region.frames.size() > 1) return kCalleeBreakCost;
  return region.stopped->id == DiagnosticId::kBreakTensorBranch ? kBranchCost : kBreakCost;
}

void add_region(Account& account, const Region& region) {
  if (region.stopped) add_break(account, break_cost(region));
  if (!region.executable || !region.graph) return;
  ++account.regions;
  size_t writes = region.journal.size() + region.updates.size();
  account.cost += kRegionCost + kWriteCost * static_cast<double>(writes);
  account.writes += writes;
  account.newest = &region;
  account.varies |= !region.first_symbols.empty() || !region.floats.program.empty();
  for (const Node& node : region.graph->nodes) {
    if (node.kind == NodeKind::kCall) {
      ++account.operators;
      const ops::OpEntry* entry = ops::find_op(node.target.text());
      account.only_loops &= entry != nullptr && entry->lowers_to<ops::Pointwise>() != nullptr;
    }
    for (const TensorType& type : node.outputs)
      account.largest = std::max(account.largest, type.numel().evaluate(region.symbols));
  }
}

/// Whether calls were looked at, and held nothing to compile.
bool found_nothing(const CompileRecord& record, const Account& account) {
  bool must_compile = record.options.fullgraph || record.options.disable;
  return !account.newest && !must_compile && !record.entry_points.empty();
}

}  // namespace

void Runner::weigh(CompileRecord& record) {
  // What was not asked for by `torch.compile` has no wrapper that could send calls elsewhere; a
  // backend that the script wrote, or asked to see run, runs.
  if (record.eager_up_to > 0) return;
  if (!record.wrapped || record.options.custom_backend.defined()) return;
  if (resolve_backend(record.options.backend, context_) != "cpu") return;
  Account account;
  for (const auto& [at, point] : record.entry_points) {
    if (point.stretch_end) add_break(account, kBreakCost);
    if (point.regions.empty()) continue;
    add_region(account, *point.regions.back());
    account.varies |= point.regions.size() > 1;
  }
  if (found_nothing(record, account)) {
    record.eager_up_to = std::numeric_limits<int64_t>::max();
    return;
  }
  bool fuses = account.operators > account.regions || !account.only_loops;
  int64_t limit = fuses ? kSmallElements : kManyElements;
  bool pays = fuses && account.cost <= static_cast<double>(account.operators) + kMargin;
  bool costs = account.breaks + account.writes > 0 || (account.varies && !fuses);
  if (!costs || !account.newest || account.largest > limit || pays) return;
  record.eager_up_to = limit;
  if (!context_.log) return;
  const DiagnosticInfo& about = info(DiagnosticId::kFallbackSmall);
  std::string counts = fmt::format(
      "  operators: {}, regions: {}, breaks: {}, writes: {}; calls with tensors of at most {} "
      "elements run eagerly from here on",
      account.operators, account.regions, account.breaks, account.writes, limit);
  add_artifact(*account.newest, Stage::kBreaks,
               {{fmt::format("{} {}", about.code, about.title), {}},
                {std::move(counts), {}},
                {fmt::format("  {}", about.advice), {}}});
}

}  // namespace glint::capture
