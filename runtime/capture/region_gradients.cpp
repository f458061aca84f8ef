#include "runtime/capture/region_gradients.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "core/support/check.h"
#include "core/support/milliseconds.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "core/tensor/grad_mode.h"
#include "ops/op.h"
#include "passes/computed_from.h"
#include "passes/drop_tangents.h"
#include "passes/listings.h"
#include "passes/open_composites.h"
#include "passes/operators.h"
#include "runtime/autograd/engine.h"
#include "runtime/autograd/record.h"
#include "runtime/capture/executable.h"
#include "runtime/capture/listings.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {
namespace {

/// Random numbers come from another state for a while; null: from where they do.
class DrawingFrom {
 public:
  explicit DrawingFrom(const Generator* state) {
    if (state) before_ = std::exchange(default_generator(), *state);
  }
  ~DrawingFrom() {
    if (before_) default_generator() = *before_;
  }
  DrawingFrom(const DrawingFrom&) = delete;
  DrawingFrom& operator=(const DrawingFrom&) = delete;

 private:
  std::optional<Generator> before_;
};

/// A number is kept in a tensor without dimensions. An output is kept without its history: the
/// node must not keep itself alive.
Tensor saved_tensor(const passes::SavedValue& saved, const RegionRun& run,
                    std::span<const Tensor> outputs) {
  if (!saved.is_input) return autograd::without_history(outputs[saved.index]);
  const RunInput& input = run.inputs[saved.index];
  if (input.tensor) return Tensor(Ref<TensorImpl>(input.tensor));
  return Tensor::scalar(Scalar(*static_cast<const double*>(input.number)), DType::kFloat64);
}

/// What a run that ended early is to a script: the exception that is pending, or a failed check.
ops::OpError error_of(std::string_view fault) {
  runtime::Interpreter& interpreter = runtime::Interpreter::current();
  if (!interpreter.raised()) return {"RuntimeError", std::string(fault)};
  const bool interrupted = interpreter.pending_is("KeyboardInterrupt");
  runtime::Value raised(interpreter.take_pending());
  std::string text;
  if (!runtime::str_of(interpreter, raised, text)) interpreter.take_pending();
  return {interrupted ? "KeyboardInterrupt" : "RuntimeError", text};
}

class LazyBackward final : public autograd::CompiledBackward {
 public:
  LazyBackward(BackwardPlan plan, const CaptureContext& context,
               std::function<void(const BackwardPlan&, const std::string&)> failed)
      : plan_(std::move(plan)), context_(context), failed_(std::move(failed)) {}

  std::vector<Tensor> run(const autograd::CompiledCall& call,
                          std::span<const Tensor> tangents) override {
    std::vector<bool> arrived;
    for (const Tensor& tangent : tangents) arrived.push_back(tangent.defined());
    auto [place, added] = parts_.try_emplace(std::move(arrived));
    Part& part = place->second;
    if (!part.executable) part = part_for(place->first, default_device());
    const size_t saved = plan_.graph->parameter_count - tangents.size();
    std::vector<Tensor> held;
    for (uint32_t parameter : part.parameters)
      held.push_back(parameter < saved ? call.saved[parameter].tensor
                                       : contiguous(tangents[parameter - saved]));
    std::vector<RunInput> inputs;
    for (const Tensor& each : held)
      if (plan_.graph->nodes[part.parameters[inputs.size()]].outputs[0].scalar)
        inputs.push_back({nullptr, each.data<double>()});
      else
        inputs.push_back({&each.impl(), nullptr});
    std::vector<Tensor> outputs, gradients(plan_.graph->outputs.size());
    std::optional<Generator> drawn_from;
    if (plan_.keeps_runs && *plan_.keeps_runs) drawn_from = default_generator();
    if (RunStatus fault = run_executable(*part.executable, inputs, call.symbols, outputs))
      throw error_of(*fault);
    if (drawn_from && held.size() == tensors_of(inputs))
      plan_.ran({part.about, part.graph, part.trail.passes, held, call.symbols, *drawn_from});
    for (size_t i = 0; i < outputs.size(); ++i)
      gradients[part.gradients[i]] = std::move(outputs[i]);
    return gradients;
  }

  std::vector<Tensor> run_recorded(autograd::OperatorRunner& runner,
                                   const autograd::CompiledCall& call,
                                   std::span<const Tensor> tangents) override {
    const Replay& replay = *plan_.replay;
    std::vector<Tensor> results = run_forward(runner, call), roots, arrived, wanted;
    for (size_t i = 0; i < results.size(); ++i) {
      if (!tangents[i].defined()) continue;
      roots.push_back(results[i]);
      arrived.push_back(tangents[i]);
    }
    // What is freed is what no result that is left is computed from: no gradient goes there.
    for (uint32_t input : replay.inputs)
      if (const Tensor& tensor = call.inputs[input].tensor; tensor.defined())
        wanted.push_back(tensor);
    std::vector<Tensor> found = autograd::run_backward(runner, roots, arrived,
                                                       {.inputs = wanted,
                                                        .accumulates = false,
                                                        .keeps_graph = true,
                                                        .stops_at_inputs = true,
                                                        .creates_graph = true,
                                                        .allows_unused = true});
    std::vector<Tensor> gradients;
    auto next = found.begin();
    for (uint32_t input : replay.inputs)
      gradients.push_back(call.inputs[input].tensor.defined() ? std::move(*next++) : Tensor());
    return gradients;
  }

  std::vector<Tensor> run_forward(autograd::OperatorRunner& runner,
                                  const autograd::CompiledCall& call) override {
    const Replay& replay = *plan_.replay;
    std::vector<RunInput> inputs;
    for (const autograd::SavedTensor& input : call.inputs)
      inputs.push_back({input.tensor.defined() ? &input.tensor.impl() : nullptr, nullptr});
    for (const double& number : call.numbers) inputs.push_back({nullptr, &number});
    DrawingFrom draws(call.generator.get());
    std::vector<Tensor> outputs =
        run_nodes(*replay.graph, device_of(inputs), inputs, call.symbols,
                  [&](const Node& node, const ops::OpEntry& entry, ops::Arguments given) {
                    if (!all_there(given)) return std::vector<Tensor>(node.outputs.size());
                    GradModeScope recording({!replay.unrecorded.contains(node.name), false});
                    return autograd::call_operator(runner, entry, given);
                  });
    std::vector<Tensor> results;
    for (uint32_t output : replay.outputs) results.push_back(outputs[output]);
    return results;
  }

 private:
  /// What runs where gradients arrived at these results.
  struct Part {
    std::vector<uint32_t> parameters;  ///< which it takes, of the saved values and tangents
    std::vector<uint32_t> gradients;   ///< which it gives
    std::shared_ptr<const Graph> graph;
    Artifact about = {};
    CompileTrail trail = {};
    std::unique_ptr<Executable> executable;
  };

  static size_t tensors_of(std::span<const RunInput> inputs) {
    return static_cast<size_t>(
        std::ranges::count_if(inputs, [](const RunInput& each) { return each.tensor != nullptr; }));
  }

  static bool all_there(ops::Arguments given) {
    bool all = true;
    for (const ops::Argument& argument : given)
      for_each_value(argument, [&](const Tensor& tensor) { all = all && tensor.defined(); });
    return all;
  }

  /// `device`: that of the gradients, where the engine makes its tensors.
  Part part_for(const std::vector<bool>& arrived, Device device) {
    ShapeEnvironment::Scope scope(plan_.shapes);
    Part part;
    std::shared_ptr<const Graph> graph = plan_.graph;
    if (std::ranges::find(arrived, false) == arrived.end()) {
      for (uint32_t i = 0; i < graph->parameter_count; ++i) part.parameters.push_back(i);
      for (uint32_t i = 0; i < graph->outputs.size(); ++i) part.gradients.push_back(i);
    } else {
      passes::ReducedBackward reduced = passes::drop_tangents(*graph, arrived);
      part.parameters = std::move(reduced.parameters);
      part.gradients = std::move(reduced.gradients);
      graph = std::make_shared<const Graph>(std::move(reduced.graph));
    }
    part.graph = std::move(graph);
    compile(part, device);
    return part;
  }

  void compile(Part& part, Device device) {
    const std::shared_ptr<const Graph>& graph = part.graph;
    part.about = plan_.about;
    if (context_.log) {
      part.about.compile = plan_.begin_compile();
      Artifact shown = part.about;
      shown.stage = Stage::kGraph;
      shown.lines = passes::GraphListing{.graph = graph, .part = passes::GraphPart::kBackward};
      context_.log->add(std::move(shown));
    }
    auto start = std::chrono::steady_clock::now();
    auto compiled = compiled_or_why(part, device);
    if (compiled) {
      part.executable = std::move(*compiled);
      log_time(part, milliseconds_since(start));
      return;
    }
    // A Ctrl-C is no fault of the compiler's: the next call compiles anew.
    if (runtime::Interpreter& interpreter = runtime::Interpreter::current();
        interpreter.raise_interrupt()) {
      interpreter.take_pending();
      throw ops::OpError{"KeyboardInterrupt", ""};
    }
    failed_(plan_, compiled.error().message);
    part.executable = eager_executable(graph, device);
  }

  void log_time(const Part& part, double milliseconds) {
    if (!context_.log) return;
    Artifact shown = part.about;
    shown.stage = Stage::kTime;
    shown.lines = TimeListing{.title = shown.title(),
                              .span = "from its graph to code that runs",
                              .times = part.trail.times,
                              .total = milliseconds};
    context_.log->add(std::move(shown));
  }

  Result<std::unique_ptr<Executable>> compiled_or_why(Part& part, Device device) {
    try {
      return compile_graph(part.graph, plan_.backend, context_, part.about, part.trail,
                           {.device = device,
                            .records_launches = plan_.records_launches,
                            .tunes_kernels = plan_.tunes_kernels});
    } catch (const InternalError& error) {
      return Error{std::string("passes: ") + error.what()};
    } catch (const ops::OpError& error) {
      return Error{"passes: " + error.message};
    }
  }

  BackwardPlan plan_;
  const CaptureContext& context_;
  std::function<void(const BackwardPlan&, const std::string&)> failed_;
  std::map<std::vector<bool>, Part> parts_;  ///< by the results at which gradients arrived
};

}  // namespace

std::shared_ptr<autograd::CompiledBackward> make_backward(
    BackwardPlan plan, const CaptureContext& context,
    std::function<void(const BackwardPlan&, const std::string&)> failed) {
  return std::make_shared<LazyBackward>(std::move(plan), context, std::move(failed));
}

namespace {

/// Which nodes a value is computed from, itself among them; `draws`: random numbers are drawn for
/// the others too.
std::vector<bool> behind(const Graph& graph, Value value, bool draws = false) {
  std::vector<bool> found(graph.nodes.size(), false);
  found[index(value.node)] = true;
  auto is_random = [](const Node& node) {
    return node.kind == NodeKind::kCall && passes::entry_of(node).effects.random;
  };
  for (size_t i = 0; draws && i < found.size(); ++i)
    if (is_random(graph.nodes[i])) found[i] = true;
  passes::mark_computed_from(graph, found);
  return found;
}

/// By tangent, then by saved value: the tangent meets what is computed from that value.
std::vector<std::vector<bool>> reads_of(const Graph& backward, size_t tangents) {
  size_t saved = backward.parameter_count - tangents;
  std::vector<std::vector<bool>> reads(tangents, std::vector<bool>(saved, false));
  // By node: which saved values and which tangents it is computed from.
  std::vector<std::vector<bool>> from(backward.nodes.size());
  auto has_tangent = [&](const std::vector<bool>& parameters) {
    return std::find(parameters.begin() + ptrdiff_t(saved), parameters.end(), true) !=
           parameters.end();
  };
  for (size_t i = 0; i < backward.nodes.size(); ++i) {
    from[i].resize(backward.parameter_count, false);
    if (i < backward.parameter_count) from[i][i] = true;
    std::vector<bool> values(backward.parameter_count, false);  // of arguments without tangents
    for (const NamedArgument& argument : backward.nodes[i].arguments)
      for_each_value(argument.value, [&](Value each) {
        const std::vector<bool>& given = from[index(each.node)];
        for (size_t k = 0; k < given.size(); ++k)
          if (given[k]) from[i][k] = true;
        for (size_t k = 0; k < saved && !has_tangent(given); ++k)
          if (given[k]) values[k] = true;
      });
    for (size_t t = 0; t < tangents; ++t)
      for (size_t k = 0; k < saved && from[i][saved + t]; ++k)
        if (values[k]) reads[t][k] = true;
  }
  return reads;
}

/// How the results of a region hang together. `backward` is cut from the joint graph: its
/// parameters are the saved values, then a tangent for each result.
autograd::ResultRelations relations_of(const Graph& forward, const JointGraph& joint,
                                       const Graph& backward) {
  autograd::ResultRelations relations;
  size_t results = joint.outputs.size();
  relations.inner.resize(results, false);
  for (uint32_t from : joint.outputs) {
    std::vector<bool> needed = behind(forward, forward.outputs[from]);
    for (size_t i = 0; i < results; ++i) {
      NodeId node = forward.outputs[joint.outputs[i]].node;
      if (node != forward.outputs[from].node && needed[index(node)]) relations.inner[i] = true;
    }
  }
  for (uint32_t output : joint.outputs) {
    std::vector<bool> needed = behind(forward, forward.outputs[output], true);
    needed.resize(forward.parameter_count);
    relations.needs.push_back(std::move(needed));
  }
  relations.reaches = joint.reaches;
  relations.spends = joint.spends;
  relations.order = joint.order;
  relations.reads = reads_of(backward, results);
  return relations;
}

/// What eager execution keeps is looked at before a gradient flows, whether or not the backward
/// reads it.
void check_kept_too(const std::vector<KeptValue>& kept, RegionGradients& gradients,
                    autograd::ResultRelations& relations) {
  auto is_same = [](const passes::SavedValue& left, const passes::SavedValue& right) {
    return left.is_input == right.is_input && left.index == right.index;
  };
  for (const KeptValue& each : kept) {
    auto saved = std::ranges::find_if(
        gradients.saved, [&](const passes::SavedValue& one) { return is_same(one, each.value); });
    const size_t place = size_t(saved - gradients.saved.begin());
    if (saved == gradients.saved.end()) gradients.saved.push_back(each.value);
    for (size_t i = 0; i < relations.reads.size(); ++i) {
      relations.reads[i].resize(gradients.saved.size(), false);
      if (each.by_result[i]) relations.reads[i][place] = true;
    }
  }
}

}  // namespace

RegionGradients gradients_of(const Graph& forward, JointGraph joint, const passes::Partition& cut,
                             bool exact) {
  autograd::ResultRelations relations = relations_of(forward, joint, cut.backward);
  RegionGradients gradients;
  gradients.outputs = std::move(joint.outputs);
  gradients.inputs = std::move(joint.inputs);
  gradients.saved = cut.saved;
  gradients.results = std::move(joint.results);
  gradients.exact = exact;
  if (exact) check_kept_too(joint.kept, gradients, relations);
  gradients.relations = std::make_shared<const autograd::ResultRelations>(std::move(relations));
  return gradients;
}

Result<JointCut> cut_joint(const Graph& traced, const passes::JointShape& shape) {
  try {
    Graph joint = passes::open_composites(traced);
    Result<passes::Partition> cut = passes::partition(joint, shape);
    if (!cut) return cut.error();
    joint.name += "_joint";
    return JointCut{std::move(joint), std::move(*cut)};
  } catch (const InternalError& error) {
    return Error{error.what()};
  } catch (const ops::OpError& error) {
    return Error{error.message};
  }
}

void set_version(const Tensor& tensor, uint32_t version) {
  tensor.reset_version(version);
}

void attach_history(const RegionGradients& gradients, const RegionRun& run,
                    std::span<const Tensor> outputs) {
  autograd::CompiledCall call;
  call.backward = gradients.backward;
  call.symbols.assign(run.symbols.begin(), run.symbols.end());
  call.shown_as = gradients.shown_as;
  call.relations = gradients.relations;
  call.exact = gradients.exact;
  if (gradients.exact) {
    call.inputs.reserve(run.inputs.size());
    for (const RunInput& input : run.inputs)
      if (input.tensor) {
        Tensor tensor{Ref<TensorImpl>(input.tensor)};
        call.inputs.push_back({tensor, tensor.version()});
      } else {
        call.numbers.push_back(*static_cast<const double*>(input.number));
      }
    if (run.generator) call.generator = std::make_shared<const Generator>(*run.generator);
  }
  call.saved.reserve(gradients.saved.size());
  for (const passes::SavedValue& saved : gradients.saved) {
    Tensor tensor = saved_tensor(saved, run, outputs);
    uint32_t version = tensor.version();
    call.saved.push_back({std::move(tensor), version});
  }
  auto node = make_ref<autograd::Node>(std::move(call));
  node->released = !gradients.backward;  // it went backward already
  node->edges.reserve(gradients.inputs.size());
  for (uint32_t input : gradients.inputs)
    node->edges.push_back(autograd::edge_of(Tensor(Ref<TensorImpl>(run.inputs[input].tensor))));
  for (uint32_t output : gradients.outputs)
    node->outputs.push_back(autograd::saved_type(outputs[output]));
  for (size_t i = 0; i < gradients.outputs.size(); ++i)
    autograd::set_history(outputs[gradients.outputs[i]], node, static_cast<uint32_t>(i));
  auto& kept = std::get<autograd::CompiledCall>(node->work).saved;
  for (size_t i = 0; i < kept.size(); ++i) {
    const passes::SavedValue& saved = gradients.saved[i];
    // An input that a call gave is asked later whether it still comes from there.
    if (saved.is_input && run.inputs[saved.index].tensor && !autograd::is_leaf(kept[i].tensor))
      kept[i].maker = autograd::maker_of(kept[i].tensor);
    bool taped = !saved.is_input && std::ranges::count(gradients.outputs, saved.index) > 0;
    if (!taped) continue;
    kept[i].maker = autograd::maker_of(outputs[saved.index]);
    // Who writes it later does not change which call it was saved for.
    if (gradients.results[saved.index])
      kept[i].maker = make_ref<autograd::Maker>(kept[i].maker->name, kept[i].maker->output);
  }
}

}  // namespace glint::capture
