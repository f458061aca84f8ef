// Gradients in a trace, and writes to tensors from outside.
//
//     loss = model(x)         operators that are recorded: nodes of the graph as ever; the tape is
//                             real, its tensors are pending
//     loss.backward()         the engine runs the tape's rules, and their operators are nodes
//                             of the graph too; `w.grad` of a leaf is now a pending tensor
//     w.sub_(0.1 * w.grad)    w has a new value: an output of the graph, which the region's end
//                             writes into w's memory
//
// So forward, backward and update are one graph. What was set on objects from outside is kept with
// what it was before, to be undone when the trace is taken back.

#include <fmt/format.h>

#include <algorithm>

#include "core/tensor/grad_mode.h"
#include "ops/op.h"
#include "passes/operators.h"
#include "runtime/autograd/engine.h"
#include "runtime/autograd/node.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/recorded_calls.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

// ---- backward ----------------------------------------------------------------------------------

std::string_view TraceGradients::obstacle_at(const autograd::Node& node,
                                             std::vector<Tensor>& leaves) {
  constexpr std::string_view kHook = "calls a function of the script's with a gradient";
  constexpr std::string_view kBefore =
      "goes on to a part of the graph that was recorded before the region";
  if (auto* end = std::get_if<autograd::AccumulateGradient>(&node.work)) {
    Tensor leaf(end->leaf);
    if (!autograd::meta_of(leaf)->has_no_hooks()) return kHook;
    if (trace_.outside_.contains(&leaf.impl()))
      leaves.push_back(leaf);
    else if (!trace_.traced(leaf))
      return kBefore;
    return "";
  }
  if (std::holds_alternative<autograd::CustomCall>(node.work) || !node.hooks.empty()) return kHook;
  bool own = std::ranges::all_of(node.outputs, [&](const autograd::SavedType& output) {
    return output.traced.defined() && trace_.traced(output.traced);
  });
  return own ? "" : kBefore;
}

std::string_view TraceGradients::obstacle_behind(const Tensor& root, std::vector<Tensor>& leaves) {
  std::unordered_set<const autograd::Node*> seen;
  std::vector<Ref<autograd::Node>> reached;
  auto visit = [&](const autograd::Edge& edge) {
    if (edge && seen.insert(edge.node.get()).second) reached.push_back(edge.node);
  };
  visit(autograd::edge_of(root));
  while (!reached.empty()) {
    Ref<autograd::Node> node = std::move(reached.back());
    reached.pop_back();
    if (std::string_view obstacle = obstacle_at(*node, leaves); !obstacle.empty()) return obstacle;
    for (const autograd::Edge& edge : node->edges) visit(edge);
  }
  return "";
}

bool TraceGradients::may_run_backward(const Value& roots) {
  std::vector<Value> tensors = {roots};
  if (const std::vector<Value>* items = items_of(roots)) tensors = *items;
  std::vector<Tensor> leaves;
  for (const Value& root : tensors) {
    if (!root.is(kTensorKind)) continue;
    std::string_view obstacle = obstacle_behind(tensor_of(root), leaves);
    if (obstacle.empty()) continue;
    trace_.stop(DiagnosticId::kBreakGradient, fmt::format("`backward` {}", obstacle));
    return false;
  }
  for (const Tensor& leaf : leaves) {
    note_leaf(leaf);
    if (!note_gradient(leaf) || !may_add_to_gradient(leaf)) return false;
    trace_.tensor_writes_.keep_gradient(leaf);
  }
  return true;
}

bool TraceGradients::may_add_to_gradient(const Tensor& leaf) {
  autograd::AutogradMeta* meta = autograd::meta_of(leaf);
  const Tensor sum = meta ? meta->gradient : Tensor();
  if (!sum.defined() || trace_.traced(sum)) return true;
  static const ops::OpEntry* add = ops::find_op("add_");
  Argument current;
  if (!trace_.graph_tensor(sum, current)) return false;
  const TensorType type = trace_.made_.graph.type(current.tensor());
  return may_write_outside(*add, sum, {}) &&
         (Trace::can_lay_out_as(type) ||
          trace_.refuse_operator(DiagnosticId::kBreakMutation,
                                 "`backward` adds to a `grad` whose memory has gaps"));
}

void Trace::differentiating(const autograd::Node* node) {
  if (!node) {
    made_.phase = Phase::kUpdate;
    made_.builder.set_origins({span_});
    return;
  }
  made_.phase = Phase::kBackward;
  for (const autograd::SavedType& output : node->outputs) {
    TracedTensor* record = output.traced.defined() ? traced(output.traced) : nullptr;
    if (record) return made_.builder.set_origins(made_.graph[record->value.node].origins);
  }
}

void TraceGradients::note_leaf(const Tensor& tensor) {
  if (trace_.tensor_writes_.meets_leaf(tensor))
    trace_.add_guard({.kind = GuardKind::kLeaf, .source = trace_.outside_.at(&tensor.impl())});
}

// ---- gradients from outside --------------------------------------------------------------------

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

}  // namespace

std::vector<uint32_t> TraceGradients::taped_outputs(bool went_backward) const {
  std::vector<uint32_t> numbers;
  std::unordered_set<const autograd::Node*> outside;
  for (const Tensor& input : trace_.made_.inputs)
    if (Ref<autograd::Node> node = autograd::node_of(input)) outside.insert(node.get());
  for (uint32_t i = 0; i < trace_.made_.outputs.size(); ++i) {
    Ref<autograd::Node> node =
        trace_.made_.outputs[i].defined() ? autograd::node_of(trace_.made_.outputs[i]) : nullptr;
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
        "tangent", TensorType::tensor(type.dtype, type.sizes), {}, {trace_.span_}));
    tangents.push_back(tensor_of(trace_.made_.pending_tensor(parameters.back())));
  }
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < trace_.made_.inputs.size(); ++i) {
    if (!trace_.made_.inputs[i].requires_grad()) continue;
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
}

std::vector<autograd::OperatorCall*> TraceGradients::calls_on_tape() const {
  std::vector<autograd::OperatorCall*> calls;
  std::unordered_set<const autograd::Node*> seen;
  std::vector<Ref<autograd::Node>> reached;
  for (const Tensor& tensor : trace_.made_.outputs)
    if (Ref<autograd::Node> node = tensor.defined() ? autograd::node_of(tensor) : nullptr)
      reached.push_back(std::move(node));
  while (!reached.empty()) {
    Ref<autograd::Node> node = std::move(reached.back());
    reached.pop_back();
    if (!seen.insert(node.get()).second) continue;
    if (auto* call = std::get_if<autograd::OperatorCall>(&node->work)) calls.push_back(call);
    for (const autograd::Edge& edge : node->edges)
      if (edge) reached.push_back(edge.node);
  }
  return calls;
}

void TraceGradients::find_writable(JointGraph& joint) const {
  std::unordered_set<uint32_t> arguments, results;
  auto note_in = [&](std::unordered_set<uint32_t>& memories) {
    return [&](const Tensor& tensor) {
      if (tensor.defined()) memories.insert(trace_.made_.memory_of(tensor));
    };
  };
  for (const autograd::OperatorCall* call : calls_on_tape()) {
    for (const ops::Argument& argument : call->arguments)
      for_each_value(argument, note_in(arguments));
    for (const autograd::SavedTensor& result : call->results) note_in(results)(result.tensor);
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

}  // namespace

void TraceGradients::keep_tape() {
  for (autograd::OperatorCall* call : calls_on_tape()) {
    for (ops::Argument& argument : call->arguments) {
      make_sizes_plain(argument, trace_.sizes_.shapes);
      if (const Tensor* saved = argument.get_if<Tensor>())
        if (Value number = trace_.value_of_number(*saved); number.defined())
          argument = number.as<SymFloatObject>()->hint.as_float();
      for_each_value(argument, [&](const Tensor& saved) {
        if (saved.defined()) trace_.output_of(saved);
      });
    }
    for (const autograd::SavedTensor& saved : call->results)
      if (saved.tensor.defined()) trace_.output_of(saved.tensor);
  }
}

// ---- grad --------------------------------------------------------------------------------------

bool TraceGradients::note_gradient(const Tensor& tensor) {
  if (!trace_.tensor_writes_.meets_gradient(tensor)) return true;
  SourceId source =
      trace_.sources_.child(trace_.outside_.at(&tensor.impl()), SourceKind::kGradient, uint32_t{0});
  autograd::AutogradMeta* meta = autograd::meta_of(tensor);
  return trace_.note(meta ? value_of(meta->gradient) : Value::none(), source);
}

Tracer::Step TraceGradients::gradient(const Tensor& tensor) {
  bool outside = trace_.outside_.contains(&tensor.impl()) && !trace_.traced(tensor);
  return !outside || note_gradient(tensor) ? Step::kRun : Step::kStop;
}

Tracer::Step TraceGradients::set_gradient(Frame& frame, uint32_t pc, const Tensor& tensor,
                                          const Value& value) {
  if (trace_.traced(tensor) || !trace_.outside_.contains(&tensor.impl()))
    return trace_.stop(DiagnosticId::kBreakMutation, "the `grad` of a computed tensor is set");
  Tensor given = value.is(kTensorKind) ? tensor_of(value) : Tensor();
  bool fits = given.defined() ? given->sizes == tensor->sizes && given.dtype() == tensor.dtype() &&
                                    !given.is_same(tensor)
                              : value.is_none();
  if (!fits)
    return trace_.stop(DiagnosticId::kBreakException, "`grad` is set to what cannot be one");
  trace_.tensor_writes_.keep_gradient(tensor);
  autograd::make_meta(tensor).gradient = std::move(given);
  trace_.interpreter_.jump_to(frame, pc + 1);
  return Step::kDone;
}

// ---- data --------------------------------------------------------------------------------------

Tracer::Step TraceGradients::data(Frame& frame, uint32_t pc, const program::Instruction& at,
                                  const Value& tensor) {
  const Tensor shown = tensor_of(tensor);
  if (trace_.traced(shown) || !trace_.outside_.contains(&shown.impl()))
    return trace_.stop(DiagnosticId::kBreakGradient, "`.data` of a computed tensor is read");
  std::vector<Value> made;
  if (!trace_.trace_operator(*ops::find_op("detach"), {&tensor, 1}, made)) return Step::kStop;
  TracedTensor* record = trace_.traced(tensor_of(made[0]));
  record->data_of = &shown.impl();
  record->version = 0;
  return trace_.put(frame, pc, at, std::move(made[0]));
}

Tracer::Step TraceGradients::set_data(Frame& frame, uint32_t pc, const Tensor& tensor,
                                      const Value& value) {
  TracedTensor* given = value.is(kTensorKind) ? trace_.traced(tensor_of(value)) : nullptr;
  if (!given || given->data_of != &tensor.impl())
    return trace_.stop(DiagnosticId::kBreakMutation, "a tensor gets other memory, by its `data`");
  trace_.interpreter_.jump_to(frame, pc + 1);
  return Step::kDone;
}

// ---- writes to tensors from outside ------------------------------------------------------------

bool TraceGradients::may_write_outside(const ops::OpEntry& entry, const Tensor& target,
                                       std::span<const Value> arguments, bool counted) {
  auto refuse = [&](std::string_view why) {
    return trace_.refuse_operator(DiagnosticId::kBreakMutation,
                                  fmt::format("`{}` writes {}", entry.name, why));
  };
  if (!trace_.outside_.contains(&target.impl()) || repeats_elements(target))
    return refuse("a tensor from outside");
  bool recorded = (counted && target.requires_grad()) || any_requires_grad(arguments);
  if (grad_mode() && recorded)
    return trace_.refuse_operator(
        DiagnosticId::kBreakGradient,
        fmt::format("`{}` writes a tensor from outside while gradients are recorded", entry.name));
  for (const auto& [other, sizes] : trace_.sizes_.of_tensor)
    if (other != &target.impl() && other->storage == target->storage)
      return refuse("memory that two tensors from outside share");
  return true;
}

void TraceGradients::note_written(const Tensor& tensor) {
  trace_.add_guard({.kind = GuardKind::kUnshared, .source = trace_.outside_.at(&tensor.impl())});
}

bool TraceGradients::write_outside(const ops::OpEntry& entry, std::span<const Value> arguments,
                                   std::vector<Value>& results) {
  Tensor target = tensor_of(arguments[0]);
  if (!may_write_outside(entry, target, arguments)) return false;
  Argument current;
  if (!trace_.graph_tensor(target, current)) return false;
  auto obstacle = trace_.view_writes_.obstacle_by_history(target, arguments);
  if (!obstacle) obstacle = trace_.view_writes_.obstacle_by_reads(arguments);
  if (obstacle)
    return trace_.refuse_operator(DiagnosticId::kBreakMutation,
                                  fmt::format("`{}` writes a tensor {}", entry.name, *obstacle));
  std::vector<Value> made;
  if (!trace_.trace_operator(*entry.functional_form, arguments, made)) return false;
  glint::Value updated = trace_.traced(tensor_of(made[0]))->value;
  if (!trace_.fit_to_type(entry, trace_.made_.graph.type(current.tensor()), false, updated))
    return false;
  if (trace_.view_writes_.write_input(target, updated)) note_written(target);
  results.push_back(arguments[0]);
  return true;
}

}  // namespace glint::capture
