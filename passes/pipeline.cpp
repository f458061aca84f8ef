#include "passes/pipeline.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "core/support/check.h"
#include "core/support/fail_stage.h"
#include "core/support/interruption.h"
#include "core/support/milliseconds.h"
#include "core/support/profile.h"
#include "passes/batch_launches.h"
#include "passes/collapse_axes.h"
#include "passes/common_subexpressions.h"
#include "passes/copy_turned.h"
#include "passes/dead_code.h"
#include "passes/decompose.h"
#include "passes/fold_constants.h"
#include "passes/fuse_epilogues.h"
#include "passes/lower.h"
#include "passes/operators.h"
#include "passes/plan_buffers.h"
#include "passes/share_kernels.h"
#include "passes/simplify.h"
#include "passes/split_axes.h"
#include "passes/split_reductions.h"

namespace glint::passes {

std::span<const Pass> pass_table() {
  using enum PassKind;
  static constexpr Pass kPasses[] = {
      {"fuse_epilogues", "a bias and an activation behind a matrix product join the call", kGraph,
       [](PipelineState& s) { s.graph = fuse_epilogues(s.graph, s.record->rules, s.on_device); }},
      {"decompose", "composite operators become the operators they are written with", kGraph,
       [](PipelineState& s) { s.graph = decompose_others(s.graph, s.stays_whole); }},
      {"fold_constants", "calls on constants run now", kGraph,
       [](PipelineState& s) { s.graph = fold_constants(s.graph); }},
      {"simplify", "algebra that changes no bit, by named rules", kGraph,
       [](PipelineState& s) { s.graph = simplify(s.graph, s.record->rules); }},
      {"common_subexpressions", "equal calls are computed once", kGraph,
       [](PipelineState& s) { s.graph = merge_common_subexpressions(s.graph); }},
      {"dead_code", "what no output depends on goes", kGraph,
       [](PipelineState& s) { s.graph = remove_dead_code(s.graph); }},
      {"fuse", "nodes that iterate alike share a kernel", kPlan,
       [](PipelineState& s) { s.plan = fuse(s.graph, s.log->decisions, s.on_device); }},
      {"order", "kernels run after what they read", kPlan,
       [](PipelineState& s) { order(s.plan, s.graph); }},
      {"lower", "groups become loop nests, library calls become steps", kSchedule,
       [](PipelineState& s) { s.schedule = lower(s.graph, s.plan); }},
      {"copy_turned", "on a device, what lies across a kernel's rows is copied to lie along them",
       kSchedule,
       [](PipelineState& s) {
         if (s.on_device) copy_turned(s.schedule);
       }},
      {"collapse_axes", "loops over memory that lies as one become one", kSchedule,
       [](PipelineState& s) {
         for (Kernel& kernel : s.schedule.kernels) collapse_axes(kernel);
       }},
      {"split_axes", "a loop whose index is divided becomes one for each part of it", kSchedule,
       [](PipelineState& s) {
         if (s.on_device) return;
         for (Kernel& kernel : s.schedule.kernels) s.split_axes |= split_axes(kernel);
       }},
      {"split_reductions", "long reductions to one value go in blocks, which threads share",
       kSchedule,
       [](PipelineState& s) {
         if (!s.on_device) split_reductions(s.schedule);
       }},
      {"batch_launches", "launches of like kernels become one", kSchedule,
       [](PipelineState& s) {
         if (!s.on_device) batch_launches(s.schedule, s.graph, s.updates, s.log->decisions);
       }},
      {"plan_buffers", "tensors that do not live together share memory", kSchedule,
       [](PipelineState& s) { plan_buffers(s.schedule, s.updates); }},
      {"share_kernels", "equal kernels are compiled once", kSchedule,
       [](PipelineState& s) { share_kernels(s.schedule, s.on_device); }},
  };
  return kPasses;
}

const Pass* find_pass(std::string_view name) {
  for (const Pass& pass : pass_table())
    if (pass.name == name) return &pass;
  return nullptr;
}

namespace {

std::string count_text(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string size_text(const PipelineState& state, PassKind kind) {
  switch (kind) {
    case PassKind::kGraph:
      return count_text(state.graph.call_count(), "node");
    case PassKind::kPlan: {
      auto kernels =
          std::count_if(state.plan.groups.begin(), state.plan.groups.end(),
                        [](const Group& group) { return group.kind != GroupKind::kLibrary; });
      size_t calls = state.plan.groups.size() - static_cast<size_t>(kernels);
      std::string text = count_text(static_cast<size_t>(kernels), "kernel");
      return calls ? text + ", " + count_text(calls, "library call") : text;
    }
    case PassKind::kSchedule:
      break;
  }
  size_t statements = 0;
  for (const Kernel& kernel : state.schedule.kernels) statements += kernel.statements.size();
  return fmt::format("{}, {}", count_text(statements, "statement"),
                     count_text(state.schedule.slots.size(), "slot"));
}

std::optional<Error> verify(const PipelineState& state, PassKind kind, bool calls) {
  if (kind == PassKind::kPlan) return std::nullopt;
  if (kind == PassKind::kSchedule) {
    if (auto error = verify_schedule(state.schedule)) return error;
    return compare_roots(state.roots, output_roots(state.schedule));
  }
  if (auto error = verify_graph(state.graph)) return error;
  if (auto error = compare_roots(state.roots, output_roots(state.graph))) return error;
  return calls ? verify_calls(state.graph) : std::nullopt;
}

/// A stage of the stage log fails in the pass that makes it; a pass goes by its own name too.
bool is_made_to_fail(const Pass& pass, std::string_view stage) {
  auto named = std::ranges::find(fail_stage::kStages, stage, &fail_stage::Stage::name);
  return pass.name == (named == fail_stage::kStages.end() ? stage : named->pass);
}

/// Runs one pass, times it, verifies what it leaves and records it.
void run_pass(const Pass& pass, PipelineState& state, const PipelineOptions& options) {
  PassRecord record{.name = pass.name};
  state.record = &record;
  PassKind before_kind = pass.name == "fuse" ? PassKind::kGraph : pass.kind;
  if (pass.name == "lower") before_kind = PassKind::kPlan;
  record.before = size_text(state, before_kind);
  std::shared_ptr<const Graph> last;
  if (pass.kind == PassKind::kGraph) {
    for (const PassRecord& earlier : state.log->passes)
      if (earlier.graph) last = earlier.graph;
    if (!last) last = state.log->captured;
  }
  auto start = std::chrono::steady_clock::now();
  if (is_made_to_fail(pass, options.fail_stage)) fail(fail_stage::message(options.fail_stage));
  SizeFacts sizes = state.graph.sizes;
  pass.function(state);
  state.graph.sizes = sizes;
  state.schedule.sizes = std::move(sizes);
  record.milliseconds = milliseconds_since(start);
  record.after = size_text(state, pass.kind);
  if (auto error = verify(state, pass.kind, options.verify_calls))
    fail(fmt::format("the result is not sound: {}", error->message));
  if (pass.kind == PassKind::kGraph) {
    record.changed = !last || !same_graph(*last, state.graph);
    if (options.keep_values)
      record.graph = record.changed ? std::make_shared<Graph>(state.graph) : last;
  } else {
    record.changed = pass.name != "order";
    if (options.keep_values && pass.kind == PassKind::kSchedule) {
      std::shared_ptr<const Schedule> before;
      if (!state.log->passes.empty()) before = state.log->passes.back().schedule;
      record.changed = !before || !same_schedule(*before, state.schedule);
      record.schedule = record.changed ? std::make_shared<Schedule>(state.schedule) : before;
    }
    if (pass.name == "fuse") state.log->fused_graph = std::make_shared<Graph>(state.graph);
  }
  state.record = nullptr;
  state.log->passes.push_back(std::move(record));
}

void run_named(const Pass& pass, PipelineState& state, const PipelineOptions& options) {
  if (options.interruptible) interruption::check();
  profile::Scope scope;
  if (profile::recording()) scope.begin("compile", std::string(pass.name));
  try {
    run_pass(pass, state, options);
  } catch (const InternalError& error) {
    fail(fmt::format("pass {}: {}", pass.name, error.message()), error.where());
  } catch (const ops::OpError& error) {
    fail(fmt::format("pass {}: {}", pass.name, error.message));
  }
}

/// What the first pass is given.
PipelineState begin(Graph graph, PassLog& log) {
  PipelineState state;
  state.log = &log;
  log.captured = std::make_shared<Graph>(graph);
  state.roots = output_roots(graph);
  state.graph = std::move(graph);
  return state;
}

/// Whether a launch has several lists, as none has on a GPU.
bool has_batches(const Schedule& schedule) {
  return std::ranges::any_of(schedule.steps, [&](const Step& step) {
    const auto* launch = std::get_if<Launch>(&step.kind);
    return launch != nullptr && schedule.list_count(*launch) > 1;
  });
}

/// What a GPU would run, from the schedule as lowering left it, where that is not what the
/// processor runs; else null.
std::shared_ptr<const Schedule> finished_on_gpu(Schedule whole, const PipelineState& state) {
  const size_t steps = whole.steps.size();
  copy_turned(whole);
  for (Kernel& kernel : whole.kernels) collapse_axes(kernel);
  const bool differs = whole.steps.size() != steps || state.split_axes ||
                       has_long_reductions(whole) || has_batches(state.schedule);
  if (!differs) return nullptr;
  plan_buffers(whole, state.updates);
  share_kernels(whole, true);
  return std::make_shared<const Schedule>(std::move(whole));
}

}  // namespace

Schedule run_pipeline(Graph graph, const PipelineOptions& options, PassLog& log) {
  profile::Scope scope;
  if (profile::recording()) scope.begin("compile", "passes");
  PipelineState state = begin(std::move(graph), log);
  state.updates = options.updates;
  state.stays_whole = options.stays_whole;
  state.on_device = options.on_device;
  std::optional<Schedule> whole;
  for (const Pass& pass : pass_table()) {
    bool disabled = std::find(options.disabled.begin(), options.disabled.end(), pass.name) !=
                    options.disabled.end();
    if (disabled) continue;
    if (pass.name == "copy_turned" && !options.on_device) whole = state.schedule;
    run_named(pass, state, options);
  }
  if (whole) log.on_gpu = finished_on_gpu(std::move(*whole), state);
  return std::move(state.schedule);
}

Result<PipelineState> run_passes(Graph graph, std::span<const std::string> names, PassLog& log,
                                 std::vector<Update> updates) {
  PipelineState state;
  try {
    state = begin(std::move(graph), log);
  } catch (const InternalError& error) {
    return Error{error.what()};
  } catch (const ops::OpError& error) {
    return Error{error.message};
  }
  state.updates = std::move(updates);
  bool fused = false, lowered = false;
  for (const std::string& name : names) {
    const Pass* pass = find_pass(name);
    if (!pass) return Error{fmt::format("there is no pass `{}`", name)};
    bool starts_plan = name == "fuse", starts_schedule = name == "lower";
    if (pass->kind == PassKind::kPlan && !starts_plan && !fused)
      return Error{fmt::format("`{}` needs `fuse` before it", name)};
    if (starts_schedule && !fused) return Error{"`lower` needs `fuse` before it"};
    if (pass->kind == PassKind::kSchedule && !starts_schedule && !lowered)
      return Error{fmt::format("`{}` needs `lower` before it", name)};
    fused |= starts_plan;
    lowered |= starts_schedule;
    try {
      run_named(*pass, state, {});
    } catch (const InternalError& error) {
      return Error{error.what()};
    }
  }
  return state;
}

}  // namespace glint::passes
