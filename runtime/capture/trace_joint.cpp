// The joint graph of a region that ends with a live tape: what its outputs' gradients will need.
//
//     y = x.exp()          the region ends here, and y has a history
//     <the end>            the tape's rules run on a pending tangent of y:  x_grad = tangent * y,
//                          which is one more output of the graph
//
// Beside it stands what the tape alone knows, and the graph no longer shows: which inputs each
// output's gradient reaches, and what the calls on the way have kept, read or not (a gradient that
// meets a `round` is 0, but what lies before is looked at all the same).

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "runtime/autograd/engine.h"
#include "runtime/autograd/node.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/recorded_calls.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// Whether a backward pass has freed what a node behind it needs; that node may be far behind:
/// `mean` itself saves nothing. What lies behind `outside`, the nodes of the region's inputs, is no
/// part of it.
bool is_released_behind(const Ref<autograd::Node>& root,
                        std::unordered_set<const autograd::Node*> outside) {
  std::unordered_set<const autograd::Node*>& seen = outside;
  seen.insert(root.get());
  std::vector<const autograd::Node*> reached = {root.get()};
  while (!reached.empty()) {
    const autograd::Node* node = reached.back();
    reached.pop_back();
    if (node->released) return true;
    for (const autograd::Edge& edge : node->edges)
      if (edge && seen.insert(edge.node.get()).second) reached.push_back(edge.node.get());
  }
  return false;
}

/// The node that computed a tensor, if there is one that may be asked for.
Ref<autograd::Node> node_behind(const Tensor& tensor) {
  bool known = tensor.defined() && !autograd::hides_history(tensor);
  return known ? autograd::node_of(tensor) : nullptr;
}

/// Calls `f` with what a node keeps and looks at before its gradient flows.
template <class Function>
void for_each_saved(const autograd::Node& node, Function f) {
  auto take = [&](const Tensor& tensor) {
    if (tensor.defined()) f(tensor);
  };
  auto take_all = [&](const std::vector<autograd::SavedTensor>& saved) {
    for (const autograd::SavedTensor& each : saved) take(each.tensor);
  };
  if (auto* call = std::get_if<autograd::OperatorCall>(&node.work)) {
    for (const ops::Argument& argument : call->arguments) for_each_value(argument, take);
    take_all(call->results);
  } else if (auto* custom = std::get_if<autograd::CustomCall>(&node.work)) {
    take_all(custom->saved);
  }
}

}  // namespace

std::vector<uint32_t> TraceGradients::taped_outputs(bool went_backward) const {
  std::vector<uint32_t> numbers;
  std::unordered_set<const autograd::Node*> outside;
  for (const Tensor& input : trace_.made_.inputs)
    if (Ref<autograd::Node> node = node_behind(input)) outside.insert(node.get());
  // Nobody sees what is computed for its checks alone.
  const std::vector<EffectOutput>& unseen = trace_.effects_.outputs();
  for (uint32_t i = 0; i < trace_.made_.outputs.size(); ++i) {
    if (std::ranges::count(unseen, i, &EffectOutput::output) > 0) continue;
    Ref<autograd::Node> node = node_behind(trace_.made_.outputs[i]);
    if (node && is_released_behind(node, outside) == went_backward) numbers.push_back(i);
  }
  return numbers;
}

std::shared_ptr<const std::vector<autograd::EagerCall>> TraceGradients::eager_calls(
    const std::vector<uint32_t>& outputs) const {
  auto calls = std::make_shared<std::vector<autograd::EagerCall>>();
  for (uint32_t output : outputs) {
    const Tensor& tensor = trace_.made_.outputs[output];
    Ref<autograd::Node> node = autograd::node_of(tensor);
    calls->push_back(
        {node->name(autograd::meta_of(tensor)->output), autograd::output_number(tensor)});
  }
  return calls;
}

std::vector<Tensor> TraceGradients::run_tape(std::span<const uint32_t> outputs,
                                             std::span<const Tensor> tangents,
                                             std::span<const Tensor> wanted,
                                             std::vector<size_t>& arrivals) {
  InterpreterRunner runner(trace_.interpreter_);
  TracerScope tracing(trace_.interpreter_, &trace_);
  std::vector<Tensor> roots;
  for (uint32_t output : outputs) roots.push_back(trace_.made_.outputs[output]);
  return autograd::run_backward(runner, roots, tangents,
                                {.inputs = wanted,
                                 .accumulates = false,
                                 .keeps_graph = true,
                                 .stops_at_inputs = true,
                                 .allows_unused = true,
                                 .arrivals = &arrivals});
}

Result<JointGraph> TraceGradients::differentiate() {
  trace_.frame_ = nullptr;
  size_t before = trace_.made_.pending().size();
  Result<JointGraph> joint = differentiate_outputs();
  trace_.made_.graph.outputs.resize(trace_.made_.outputs.size());
  // What is left of half a derivative hangs on gradients that nobody will give.
  if (!joint) trace_.made_.keep_pending(before);
  return joint;
}

Result<JointGraph> TraceGradients::differentiate_outputs() {
  JointGraph joint;
  joint.outputs = taped_outputs(false);
  find_writable(joint);
  ShapeEnvironment::Scope scope(trace_.sizes_.shapes);
  std::vector<glint::Value> parameters;
  std::vector<Tensor> tangents, wanted;
  for (uint32_t output : joint.outputs) {
    const TensorType& type = trace_.made_.graph.type(trace_.made_.graph.outputs[output]);
    parameters.push_back(trace_.made_.graph.add_constant(
        "tangent", TensorType::tensor(type.dtype, type.sizes), {}, trace_.places_.spans));
    tangents.push_back(tensor_of(trace_.made_.pending_tensor(parameters.back())));
  }
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < trace_.made_.inputs.size(); ++i) {
    if (!trace_.made_.inputs[i]->requires_grad) continue;
    wanted.push_back(trace_.made_.inputs[i]);
    numbers.push_back(i);
  }
  try {
    std::vector<size_t> arrivals;
    std::vector<Tensor> gradients = run_tape(joint.outputs, tangents, wanted, arrivals);
    for (size_t i = 0; i < gradients.size(); ++i) {
      Argument value;
      if (!gradients[i].defined()) continue;
      if (!trace_.graph_tensor(gradients[i], value)) return Error{trace_.stopped_->detail};
      joint.inputs.push_back(numbers[i]);
      trace_.made_.graph.outputs.push_back(value.tensor());
    }
    for (size_t i : arrivals) {
      auto place = std::ranges::find(joint.inputs, numbers[i]);
      if (place == joint.inputs.end()) continue;
      joint.order.push_back(static_cast<uint32_t>(place - joint.inputs.begin()));
    }
  } catch (const ops::OpError& error) {
    return Error{error.message};
  } catch (const autograd::Interrupted&) {
    return Error{trace_.stopped_ ? trace_.stopped_->detail : "its derivative cannot be traced"};
  }
  find_reached(joint);
  joint.graph = trace_.made_.finish(parameters);
  return joint;
}

void TraceGradients::find_reached(JointGraph& joint) const {
  std::vector<Ref<autograd::Node>> ends;
  std::unordered_set<const autograd::Node*> is_end;
  for (uint32_t input : joint.inputs) {
    ends.push_back(autograd::edge_of(trace_.made_.inputs[input]).node);
    is_end.insert(ends.back().get());
  }
  std::vector<std::unordered_set<const autograd::Node*>> keeping;  // by output, those behind it
  for (uint32_t output : joint.outputs) {
    std::unordered_set<const autograd::Node*> seen;
    std::unordered_set<const autograd::Node*>& keeps = keeping.emplace_back();
    std::vector<const autograd::Node*> reached;
    auto visit = [&](const autograd::Node* node) {
      if (seen.insert(node).second && !is_end.contains(node)) reached.push_back(node);
    };
    visit(autograd::node_of(trace_.made_.outputs[output]).get());
    while (!reached.empty()) {
      const autograd::Node* node = reached.back();
      reached.pop_back();
      if (node->saves_anything()) keeps.insert(node);
      for (const autograd::Edge& edge : node->edges)
        if (edge) visit(edge.node.get());
    }
    std::vector<bool>& reaches = joint.reaches.emplace_back();
    for (const Ref<autograd::Node>& end : ends) reaches.push_back(seen.contains(end.get()));
  }
  for (const auto& left : keeping) {
    std::vector<bool>& spends = joint.spends.emplace_back();
    for (const auto& right : keeping)
      spends.push_back(std::ranges::any_of(left, [&](auto* node) { return right.contains(node); }));
  }
  find_kept(joint, keeping);
}

void TraceGradients::find_kept(
    JointGraph& joint, std::span<const std::unordered_set<const autograd::Node*>> keeping) const {
  std::unordered_map<uint32_t, std::vector<bool>> kept;  // by memory, then by taped output
  for (size_t i = 0; i < keeping.size(); ++i)
    for (const autograd::Node* node : keeping[i])
      for_each_saved(*node, [&](const Tensor& tensor) {
        std::vector<bool>& by_output = kept[trace_.made_.memory_of(tensor)];
        by_output.resize(keeping.size(), false);
        by_output[i] = true;
      });
  auto note = [&](bool is_input, std::span<const Tensor> tensors) {
    for (uint32_t i = 0; i < tensors.size(); ++i) {
      if (!tensors[i].defined()) continue;
      auto found = kept.find(trace_.made_.memory_of(tensors[i]));
      if (found != kept.end())
        joint.kept.push_back({{.is_input = is_input, .index = i}, found->second});
    }
  };
  note(true, trace_.made_.inputs);
  note(false, trace_.made_.outputs);
}

std::vector<Ref<autograd::Node>> TraceGradients::nodes_behind(
    std::span<const Tensor> tensors, const std::unordered_set<const autograd::Node*>& ends) const {
  std::vector<Ref<autograd::Node>> nodes, reached;
  std::unordered_set<const autograd::Node*> seen;
  for (const Tensor& tensor : tensors)
    if (Ref<autograd::Node> node = node_behind(tensor)) reached.push_back(std::move(node));
  while (!reached.empty()) {
    Ref<autograd::Node> node = std::move(reached.back());
    reached.pop_back();
    if (!seen.insert(node.get()).second) continue;
    for (const autograd::Edge& edge : node->edges)
      if (edge && !ends.contains(node.get())) reached.push_back(edge.node);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<uint32_t> TraceGradients::inputs_behind(const std::vector<uint32_t>& outputs) const {
  std::vector<Tensor> tensors;
  for (uint32_t output : outputs) tensors.push_back(trace_.made_.outputs[output]);
  std::unordered_set<const autograd::Node*> ends, met;
  for (const Tensor& input : trace_.made_.inputs)
    if (input->requires_grad) ends.insert(autograd::edge_of(input).node.get());
  for (const Ref<autograd::Node>& node : nodes_behind(tensors, ends)) met.insert(node.get());
  std::vector<uint32_t> inputs;
  for (uint32_t i = 0; i < trace_.made_.inputs.size(); ++i) {
    const Tensor& input = trace_.made_.inputs[i];
    if (input->requires_grad && met.contains(autograd::edge_of(input).node.get()))
      inputs.push_back(i);
  }
  return inputs;
}

std::vector<Ref<autograd::Node>> TraceGradients::calls_on_tape() const {
  std::vector<Ref<autograd::Node>> calls = nodes_behind(trace_.made_.outputs, {});
  std::erase_if(calls, [](const Ref<autograd::Node>& node) {
    return !std::holds_alternative<autograd::OperatorCall>(node->work);
  });
  return calls;
}

void TraceGradients::find_writable(JointGraph& joint) const {
  std::unordered_set<uint32_t> arguments, results;
  auto note_in = [&](std::unordered_set<uint32_t>& memories) {
    return [&](const Tensor& tensor) {
      if (tensor.defined()) memories.insert(trace_.made_.memory_of(tensor));
    };
  };
  for (const Ref<autograd::Node>& node : calls_on_tape()) {
    const auto& call = std::get<autograd::OperatorCall>(node->work);
    for (const ops::Argument& argument : call.arguments)
      for_each_value(argument, note_in(arguments));
    for (const autograd::SavedTensor& result : call.results) note_in(results)(result.tensor);
  }
  auto is_among = [&](const std::unordered_set<uint32_t>& memories, const Tensor& tensor) {
    return memories.contains(trace_.made_.memory_of(tensor));
  };
  auto is_unsaved = [&](const Tensor& tensor) {
    return tensor.defined() && !is_among(arguments, tensor) && !is_among(results, tensor);
  };
  for (const Tensor& output : trace_.made_.outputs) {
    joint.writable.push_back(is_unsaved(output));
    joint.results.push_back(output.defined() && !joint.writable.back() &&
                            !is_among(arguments, output));
  }
  for (const Tensor& input : trace_.made_.inputs)
    joint.writable_inputs.push_back(is_unsaved(input));
}

namespace {

/// Behind the region its symbols mean nothing: what varies is what it was in this call.
void make_sizes_plain(ops::Argument& argument, const ShapeEnvironment& shapes) {
  if (const SymInt* size = argument.get_if<SymInt>()) argument = shapes.hint(*size);
  if (auto* items = std::get_if<ops::Argument::List>(&argument.value))
    for (ops::Argument& item : *items) make_sizes_plain(item, shapes);
}

/// A tensor among the arguments has become a number: it has no edge.
void forget_tensor(autograd::Node& node, autograd::OperatorCall& call, size_t at) {
  const auto place = static_cast<ptrdiff_t>(at);
  node.edges.erase(node.edges.begin() + place);
  call.types.erase(call.types.begin() + place);
  call.versions.erase(call.versions.begin() + place);
}

}  // namespace

void TraceGradients::keep_tape() {
  for (const Ref<autograd::Node>& node : calls_on_tape()) {
    auto& call = std::get<autograd::OperatorCall>(node->work);
    for (autograd::SavedType& type : call.types) type.traced = Tensor();
    size_t tensors = 0;
    for (ops::Argument& argument : call.arguments) {
      make_sizes_plain(argument, trace_.sizes_.shapes);
      if (const Tensor* saved = argument.get_if<Tensor>())
        if (Value number = trace_.value_of_number(*saved); number.defined()) {
          argument = number.as<SymFloatObject>()->hint.to_double();
          forget_tensor(*node, call, tensors);
        }
      for_each_value(argument, [&](const Tensor& saved) {
        ++tensors;
        if (saved.defined()) trace_.output_of(saved);
      });
    }
    for (const autograd::SavedTensor& saved : call.results)
      if (saved.tensor.defined()) trace_.output_of(saved.tensor);
  }
}

}  // namespace glint::capture
