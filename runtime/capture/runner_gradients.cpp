// Cutting a backward off: the tape that lives on where a region ends becomes a compiled backward.
//
//     y = fast(x)     the forward runs and saves; `y` has one node, which stands for the region
//
// The trace gives the joint graph, the partition cuts it, and what is kept with the region says how
// each run hangs its outputs on a node of their own. Where that cannot be done, the obstacle says
// why, and what the tape saved becomes output instead.

#include <fmt/format.h>

#include "core/tensor/accelerator.h"
#include "passes/computed_from.h"
#include "runtime/capture/executable.h"
#include "runtime/capture/runner.h"

namespace glint::capture {

using runtime::Value;

namespace {

/// Whether what is differentiated stands for a compiled function, and not for its operators, which
/// PyTorch's backend "eager" records.
bool hides_operators(const CompileRecord& record) {
  return record.wrapped && record.options.backend != "eager";
}

/// What the results of a region show themselves as; null: as those of a compiled function.
std::shared_ptr<const std::vector<autograd::EagerCall>> shown_as(
    const CompileRecord& record, Trace& trace, const std::vector<uint32_t>& outputs) {
  return hides_operators(record) ? nullptr : trace.gradients().eager_calls(outputs);
}

/// Whether the region writes an input, or memory of one, that what it differentiates is computed
/// from: the backward may read what was there. The running mean of a batch norm is none.
bool writes_what_is_differentiated(const Region& region, Trace& trace,
                                   const std::vector<uint32_t>& outputs) {
  if (region.updates.empty()) return false;
  const Graph graph = trace.made().finish();
  std::vector<bool> behind(graph.nodes.size());  // the parameters, which are the inputs, come first
  for (uint32_t output : outputs) behind[index(graph.outputs[output].node)] = true;
  passes::mark_computed_from(graph, behind);
  const std::vector<Tensor>& inputs = trace.made().inputs;
  return std::ranges::any_of(region.updates, [&](const InputUpdate& update) {
    if (std::ranges::find(outputs, update.output) != outputs.end()) return true;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (behind[i] && inputs[i].storage() == inputs[update.input].storage()) return true;
    return false;
  });
}

/// Why no backward may be cut off for these outputs; empty: it may.
std::string_view obstacle_to_cut(const CompileRecord& record, const Region& region, Trace& trace,
                                 const std::vector<uint32_t>& outputs) {
  const Value& backend = record.options.custom_backend;
  if (backend.defined() && !backend.is_none()) return "the script's own backend gives none";
  if (writes_what_is_differentiated(region, trace, outputs))
    return "the region writes what gradients may read";
  if (trace.looks_at_tape()) return "the script hooks into it";
  for (uint32_t output : outputs)
    if (trace.made().shows_live_tensor(output)) return "it shares the memory of one that lives on";
  return "";
}

}  // namespace

void Runner::tape_spent(const CompileRecord& record, Region& region, Trace& trace) const {
  std::vector<uint32_t> done = trace.gradients().taped_outputs(true);
  if (done.empty()) return;
  RegionGradients gradients;
  // A backward that comes here once more fails before it has a gradient for those.
  gradients.inputs = trace.gradients().inputs_behind(done);
  gradients.shown_as = shown_as(record, trace, done);
  gradients.outputs = std::move(done);
  region.taped.push_back(std::move(gradients));
}

std::optional<Graph> Runner::cut_backward(const CompileRecord& record, Region& region, Trace& trace,
                                          std::string& obstacle) {
  const std::vector<uint32_t> outputs = trace.gradients().taped_outputs(false);
  auto refuse = [&](std::string_view why) {
    obstacle = fmt::format("a tensor with a history ({})", why);
    return std::nullopt;
  };
  if (outputs.empty()) {
    tape_spent(record, region, trace);
    return std::nullopt;
  }
  if (std::string_view why = obstacle_to_cut(record, region, trace, outputs); !why.empty())
    return refuse(why);
  auto shown = shown_as(record, trace, outputs);
  // Inside a function all is as in eager execution; at its end, as with PyTorch's compiled ones.
  const bool exact = !hides_operators(record) || !region.returned;
  auto traced = std::make_shared<const Graph>(trace.made().finish());
  std::optional<Replay> replay;
  if (exact) replay = Replay{.graph = traced, .unrecorded = trace.made().unrecorded_nodes};
  const size_t before = trace.made().pending().size();
  Result<JointGraph> joint = trace.gradients().differentiate();
  if (!joint) return refuse(joint.error().message);
  const passes::JointShape shape = {.outputs = static_cast<uint32_t>(trace.made().outputs.size()),
                                    .tangents = static_cast<uint32_t>(joint->outputs.size()),
                                    .writable = std::move(joint->writable),
                                    .writable_inputs = std::move(joint->writable_inputs)};
  const DefaultDeviceScope scope(trace.made().device.value_or(Device::cpu()));
  Result<JointCut> made = cut_joint(joint->graph, shape);
  if (!made) {
    trace.made().keep_pending(before);  // what the derivative made hangs on gradients
    return refuse(made.error().message);
  }
  tape_spent(record, region, trace);
  region.joint = std::make_shared<const JointCut>(std::move(*made));
  const passes::Partition& cut = region.joint->cut;
  if (replay) {
    replay->outputs = joint->outputs;
    replay->inputs = joint->inputs;
  }
  RegionGradients gradients = gradients_of(*traced, std::move(*joint), cut, exact);
  gradients.shown_as = std::move(shown);
  gradients.backward =
      make_backward(backward_plan(record, region, trace, cut.backward, std::move(replay)), context_,
                    [this](const BackwardPlan& plan, const std::string& why) {
                      fall_back(plan.about.function, why, *plan.graph);
                    });
  region.taped.push_back(std::move(gradients));
  return cut.forward;
}

BackwardPlan Runner::backward_plan(const CompileRecord& record, const Region& region, Trace& trace,
                                   Graph graph, std::optional<Replay> replay) {
  Artifact about = artifact_of(region, Stage::kGraph, {});
  about.function += ".backward";
  return {.graph = std::make_shared<const Graph>(std::move(graph)),
          .backend = resolve_backend(record.options.backend, context_).value_or("eager"),
          .shapes = trace.shapes(),
          .about = std::move(about),
          .replay = std::move(replay),
          .records_launches = record.options.records_launches(),
          .tunes_kernels = record.options.tunes_kernels(),
          .begin_compile = [this, &record] { return begin_compile(record); },
          .ran = [this](const BackwardRun& run) { keep_backward(run); },
          .keeps_runs = &keeps_inputs_};
}

}  // namespace glint::capture
