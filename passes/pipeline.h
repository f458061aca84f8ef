// The passes in their order: a graph goes in, a schedule of kernels comes out.
//
//     fuse_epilogues  decompose  fold_constants  simplify
//     common_subexpressions  dead_code                          graph to graph
//     fuse  order                                               graph to groups
//     lower  copy_turned  collapse_axes  split_reductions
//     batch_launches  plan_buffers  share_kernels               groups to schedule
//
// `pass_table()` is the one list of them: it drives the order, `--list-passes`, the times and the
// manual. After each pass the result is verified, the memory that its outputs share too, and kept,
// so `:passes` can show what it changed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "ir/kernel.h"
#include "passes/fuse.h"
#include "passes/memory_roots.h"
#include "passes/pass_log.h"
#include "passes/plan_buffers.h"

namespace glint::passes {

/// What the passes hand on to one another.
struct PipelineState {
  Graph graph;
  FusionPlan plan;
  Schedule schedule;
  std::vector<Update> updates;
  std::function<bool(const Node&)> stays_whole;  ///< see PipelineOptions
  bool on_device = false;                        ///< see PipelineOptions
  bool split_axes = false;                       ///< whether some kernel's axes were split
  std::vector<OutputRoot> roots;  ///< whose memory each output of the captured graph shows
  PassLog* log = nullptr;
  PassRecord* record = nullptr;  ///< of the pass at work
};

/// Which of a pipeline's values a pass changes.
enum class PassKind : uint8_t { kGraph, kPlan, kSchedule };

struct Pass {
  std::string_view name;
  std::string_view description;
  PassKind kind;
  void (*function)(PipelineState& state);
};
std::span<const Pass> pass_table();
const Pass* find_pass(std::string_view name);

struct PipelineOptions {
  /// Verify after each pass: graphs and schedules always; calls against the operator table
  /// (types) where this is set, as in tests.
  bool verify_calls = false;
  /// Keep each stage's value in the log.
  bool keep_values = true;
  /// This pass, or the pass that makes this stage (passes, fusion, kernels, memory), fails on
  /// purpose (`GLINT_FAIL`).
  std::string fail_stage = {};
  /// Graph passes that are left out.
  std::vector<std::string> disabled = {};
  /// Whether a composite stays as it is: the device computes it in a step. Empty: none does.
  std::function<bool(const Node&)> stays_whole = {};
  /// The schedule is for a device: a kernel shares one long reduction among all its threads, so
  /// that none is split; a launch is one of the device's, so that none has several lists, and costs
  /// more than to compute a little again; and a product's call may add a matrix to its sums.
  bool on_device = false;
  /// Ctrl-C ends it, between two passes: `interruption::Interrupted` is thrown.
  bool interruptible = false;
  /// The outputs that are new values of inputs.
  std::vector<Update> updates = {};
};

/// Runs all passes. Throws InternalError that names the pass when one fails or leaves something
/// that its verifier refuses.
Schedule run_pipeline(Graph graph, const PipelineOptions& options, PassLog& log);

/// Runs the named passes only (`glint ir --passes`); `log` gets what they did. A pass on groups or
/// schedules needs those before it.
Result<PipelineState> run_passes(Graph graph, std::span<const std::string> names, PassLog& log,
                                 std::vector<Update> updates = {});

}  // namespace glint::passes
