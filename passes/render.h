// The log of the passes as text: what `:passes`, `:fusion`, `:kernels`, `:memory` and `:graph`
// show.
//
//     capture                 3 nodes
//     decompose               3 nodes -> 3 nodes      unchanged    0.01 ms
//     simplify                3 nodes -> 2 nodes      1 rule       0.01 ms
//     fuse                    2 nodes -> 1 kernel                  0.02 ms
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/stage_log.h"
#include "ir/graph.h"
#include "ir/kernel.h"
#include "passes/pass_log.h"

namespace glint::passes {

struct PassLineOptions {
  bool times = true;
  /// Below each pass that changed something, its diff and its rules.
  bool open = false;
};
/// One line a pass.
std::vector<StageLine> pass_lines(const PassLog& log, const PassLineOptions& options = {});
/// What one pass changed: `-` and `+` lines of the graph or schedule before and after.
std::vector<StageLine> diff_lines(const PassLog& log, std::string_view pass);
/// The rules that fired: name, hits, birthplace, and each rewrite.
std::vector<StageLine> rule_lines(const PassLog& log);
/// One line a pair that was looked at: `relu + sum   yes   the reduction reads it once`.
std::vector<StageLine> fusion_lines(const PassLog& log);
/// Kernels and schedule: `schedule_lines`.
std::vector<StageLine> kernel_stage_lines(const Schedule& schedule);
/// Slots with who lives in them from which step to which, and the totals.
std::vector<StageLine> memory_lines(const Schedule& schedule);
/// Of a training step: each value of its forward that its backward reads, from which step to which
/// it is kept, and for whom. `graph`: what the schedule was made from. Nothing of other graphs.
std::vector<StageLine> kept_lines(const Graph& graph, const Schedule& schedule);
/// opcode, name, target, args, kwargs: as torch.fx's `print_tabular` prints through `tabulate`.
std::vector<StageLine> table_lines(const Graph& graph);
/// For Graphviz: one box a node, with its type; boxes of one kernel in one cluster when a plan's
/// groups are given (group of each node, -1 for none).
std::string graph_dot(const Graph& graph, const std::vector<int>& group_of = {});

}  // namespace glint::passes
