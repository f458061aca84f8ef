// Gradients in a trace, and writes to tensors from outside.
//
//     loss = model(x)         operators that are recorded: nodes of the graph as ever; the tape is
//                             real, its tensors are pending
//     loss.backward()         the engine runs the tape's rules, and their operators are nodes of
//     the
//                             graph too; `w.grad` of a leaf is now a pending tensor
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

std::string_view Trace::obstacle_at(const autograd::Node& node, std::vector<Tensor>& leaves) {
  constexpr std::string_view kHook = "calls a function of the script's with a gradient";
  constexpr std::string_view kBefore =
      "goes on to a part of the graph that was recorded before the region";
  if (auto* end = std::get_if<autograd::AccumulateGradient>(&node.work)) {
    Tensor leaf(end->leaf);
    if (!autograd::meta_of(leaf)->has_no_hooks()) return kHook;
    if (outside_.contains(&leaf.impl()))
      leaves.push_back(leaf);
    else if (!traced(leaf))
      return kBefore;
    return "";
  }
  if (std::holds_alternative<autograd::CustomCall>(node.work) || !node.hooks.empty()) return kHook;
  bool own = std::ranges::all_of(node.outputs, [&](const autograd::SavedType& output) {
    return output.traced.defined() && traced(output.traced);
  });
  return own ? "" : kBefore;
}

std::string_view Trace::obstacle_behind(const Tensor& root, std::vector<Tensor>& leaves) {
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

bool Trace::may_run_backward(const Value& roots) {
  std::vector<Value> tensors = {roots};
  if (const std::vector<Value>* items = items_of(roots)) tensors = *items;
  std::vector<Tensor> leaves;
  for (const Value& root : tensors) {
    if (!root.is(kTensorKind)) continue;
    std::string_view obstacle = obstacle_behind(tensor_of(root), leaves);
    if (obstacle.empty()) continue;
    stop(DiagnosticId::kBreakGradient, fmt::format("`backward` {}", obstacle));
    return false;
  }
  for (const Tensor& leaf : leaves) {
    note_leaf(leaf);
    if (!note_gradient(leaf)) return false;
    keep_gradient(leaf);
  }
  return true;
}

void Trace::differentiating(const autograd::Node* node) {
  if (!node) {
    phase_ = Phase::kUpdate;
    builder_.set_origins({span_});
    return;
  }
  phase_ = Phase::kBackward;
  for (const autograd::SavedType& output : node->outputs) {
    TracedTensor* record = output.traced.defined() ? traced(output.traced) : nullptr;
    if (record) return builder_.set_origins(graph_[record->value.node].origins);
  }
}

void Trace::note_leaf(const Tensor& tensor) {
  SourceId source = outside_.at(&tensor.impl());
  if (!known_leaves_.insert(&tensor.impl()).second) return;
  add_guard({.kind = GuardKind::kLeaf, .source = source});
}

// ---- gradients from outside --------------------------------------------------------------------

namespace {

/// Whether a backward pass has freed what a node behind it needs; that node may be far behind:
/// `mean` itself saves nothing. What lies behind `outside`, the nodes of
/// the region's inputs, is no part of it.
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

std::vector<uint32_t> Trace::taped_outputs(bool went_backward) const {
  std::vector<uint32_t> numbers;
  std::unordered_set<const autograd::Node*> outside;
  for (const Tensor& input : inputs_)
    if (Ref<autograd::Node> node = autograd::node_of(input)) outside.insert(node.get());
  for (uint32_t i = 0; i < outputs_.size(); ++i) {
    Ref<autograd::Node> node = outputs_[i].defined() ? autograd::node_of(outputs_[i]) : nullptr;
    if (node && is_released_behind(node, outside) == went_backward) numbers.push_back(i);
  }
  return numbers;
}

std::shared_ptr<const std::vector<autograd::EagerCall>> Trace::eager_calls(
    const std::vector<uint32_t>& outputs) const {
  auto calls = std::make_shared<std::vector<autograd::EagerCall>>();
  for (uint32_t output : outputs) {
    const Tensor& tensor = outputs_[output];
    Ref<autograd::Node> node = autograd::node_of(tensor);
    calls->push_back(
        {node->name(autograd::meta_of(tensor)->output), autograd::output_number(tensor)});
  }
  return calls;
}

bool Trace::shows_live_tensor(uint32_t output) const {
  const Tensor& tensor = outputs_[output];
  const Ref<TensorImpl>& base = tensor->base;
  if (base && base->storage) return true;
  // Views that one call gave, like those of `chunk`, may not be written; others may be, and then
  // the histories of all that share the memory change.
  auto is_of_several = [&](const TracedTensor& record) {
    return graph_[record.value.node].outputs.size() > 1;
  };
  const TracedTensor& record = *traced(tensor);
  return std::ranges::any_of(outputs_, [&](const Tensor& other) {
    if (!other.defined() || other.is_same(tensor)) return false;
    const TracedTensor& beside = *traced(other);
    if (beside.memory != record.memory) return false;
    return &other.impl() == base.get() || !is_of_several(record) || !is_of_several(beside);
  });
}

std::vector<Tensor> Trace::run_tape(std::span<const uint32_t> outputs,
                                    std::span<const Tensor> tangents,
                                    std::span<const Tensor> wanted) {
  InterpreterRunner runner(interpreter_);
  TracerScope tracing(interpreter_, this);
  std::vector<Tensor> roots;
  for (uint32_t output : outputs) roots.push_back(outputs_[output]);
  return autograd::run_backward(runner, roots, tangents,
                                {.inputs = wanted,
                                 .accumulates = false,
                                 .keeps_graph = true,
                                 .stops_at_inputs = true,
                                 .allows_unused = true});
}

Result<JointGraph> Trace::differentiate() {
  size_t before = pending_.size();
  Result<JointGraph> joint = differentiate_outputs();
  graph_.outputs.resize(outputs_.size());
  // What is left of half a derivative hangs on gradients that nobody will give.
  if (!joint) pending_.resize(before);
  return joint;
}

Result<JointGraph> Trace::differentiate_outputs() {
  JointGraph joint;
  joint.outputs = taped_outputs(false);
  joint.writable = writable_outputs();
  ShapeEnvironment::Scope scope(shapes_);
  std::vector<glint::Value> parameters;
  std::vector<Tensor> tangents, wanted;
  for (uint32_t output : joint.outputs) {
    const TensorType& type = graph_.type(graph_.outputs[output]);
    parameters.push_back(
        graph_.add_constant("tangent", TensorType::tensor(type.dtype, type.sizes), {}, {span_}));
    tangents.push_back(tensor_of(pending_tensor(parameters.back(), memories_++)));
  }
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].requires_grad()) continue;
    wanted.push_back(inputs_[i]);
    numbers.push_back(i);
  }
  try {
    std::vector<Tensor> gradients = run_tape(joint.outputs, tangents, wanted);
    for (size_t i = 0; i < gradients.size(); ++i) {
      Argument value;
      if (!gradients[i].defined()) continue;
      if (!graph_tensor(gradients[i], value)) return Error{stopped_->detail};
      joint.inputs.push_back(numbers[i]);
      graph_.outputs.push_back(value.tensor());
    }
  } catch (const ops::OpError& error) {
    return Error{error.message};
  } catch (const autograd::Interrupted&) {
    return Error{stopped_ ? stopped_->detail : "its derivative cannot be traced"};
  }
  joint.graph = finish_graph(parameters);
  return joint;
}

std::vector<autograd::OperatorCall*> Trace::calls_on_tape() const {
  std::vector<autograd::OperatorCall*> calls;
  std::unordered_set<const autograd::Node*> seen;
  std::vector<Ref<autograd::Node>> reached;
  for (const Tensor& tensor : outputs_)
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

std::vector<bool> Trace::writable_outputs() const {
  std::unordered_set<uint32_t> saved;
  auto note = [&](const Tensor& tensor) {
    TracedTensor* record = tensor.defined() ? traced(tensor) : nullptr;
    if (record) saved.insert(record->memory);
  };
  for (const autograd::OperatorCall* call : calls_on_tape()) {
    for (const ops::Argument& argument : call->arguments) for_each_value(argument, note);
    for (const autograd::SavedTensor& result : call->results) note(result.tensor);
  }
  std::vector<bool> writable;
  for (const Tensor& output : outputs_)
    writable.push_back(output.defined() && !saved.contains(traced(output)->memory));
  return writable;
}

void Trace::keep_tape() {
  for (autograd::OperatorCall* call : calls_on_tape()) {
    for (ops::Argument& argument : call->arguments) {
      if (const Tensor* saved = argument.get_if<Tensor>())
        if (Value number = value_of_number(*saved); number.defined())
          argument = number.as<SymFloatObject>()->hint;
      for_each_value(argument, [&](const Tensor& saved) {
        if (saved.defined()) output_of(saved);
      });
    }
    for (const autograd::SavedTensor& saved : call->results)
      if (saved.tensor.defined()) output_of(saved.tensor);
  }
}

// ---- grad --------------------------------------------------------------------------------------

bool Trace::note_gradient(const Tensor& tensor) {
  if (!known_gradients_.insert(&tensor.impl()).second) return true;
  SourceId source = sources_.child(outside_.at(&tensor.impl()), SourceKind::kGradient, uint32_t{0});
  autograd::AutogradMeta* meta = autograd::meta_of(tensor);
  return note(meta ? value_of(meta->gradient) : Value::none(), source);
}

void Trace::keep_gradient(const Tensor& tensor) {
  known_gradients_.insert(&tensor.impl());
  auto is_it = [&](const auto& kept) { return kept.first.is_same(tensor); };
  if (std::ranges::any_of(gradients_before_, is_it)) return;
  autograd::AutogradMeta* meta = autograd::meta_of(tensor);
  gradients_before_.emplace_back(tensor, meta ? meta->gradient : Tensor());
}

Tracer::Step Trace::gradient(const Tensor& tensor) {
  bool outside = outside_.contains(&tensor.impl()) && !traced(tensor);
  return !outside || note_gradient(tensor) ? Step::kRun : Step::kStop;
}

Tracer::Step Trace::set_gradient(Frame& frame, uint32_t pc, const Tensor& tensor,
                                 const Value& value) {
  if (traced(tensor) || !outside_.contains(&tensor.impl()))
    return stop(DiagnosticId::kBreakMutation, "the `grad` of a computed tensor is set");
  Tensor given = value.is(kTensorKind) ? tensor_of(value) : Tensor();
  bool fits = given.defined() ? given->sizes == tensor->sizes && given.dtype() == tensor.dtype() &&
                                    !given.is_same(tensor)
                              : value.is_none();
  if (!fits) return stop(DiagnosticId::kBreakException, "`grad` is set to what cannot be one");
  keep_gradient(tensor);
  autograd::make_meta(tensor).gradient = std::move(given);
  interpreter_.jump_to(frame, pc + 1);
  return Step::kDone;
}

std::vector<Tensor> Trace::set_gradients() const {
  std::vector<Tensor> tensors;
  for (const auto& [tensor, before] : gradients_before_) tensors.push_back(tensor);
  return tensors;
}

void Trace::undo_writes() {
  for (const auto& [tensor, before] : gradients_before_)
    autograd::make_meta(tensor).gradient = before;
  gradients_before_.clear();
  for (const OutsideWrite& write : written_) set_version(write.tensor, write.version_before);
  written_.clear();
  journal_.undo();
}

// ---- writes to tensors from outside ------------------------------------------------------------

bool Trace::shares_written_memory(const Tensor& tensor) const {
  return std::ranges::any_of(written_, [&](const OutsideWrite& write) {
    return write.tensor->storage == tensor->storage && !write.tensor.is_same(tensor);
  });
}

bool Trace::is_shown(uint32_t memory) const {
  return std::ranges::any_of(pending_, [&](const Tensor& tensor) {
    TracedTensor* record = traced(tensor);
    return tensor->ref_count() > 1 && record && record->memory == memory;
  });
}

bool Trace::is_written_memory(const Tensor& tensor) {
  return !written_.empty() && std::ranges::any_of(written_, [&](const OutsideWrite& write) {
    return memory_of(write.tensor) == memory_of(tensor);
  });
}

OutsideWrite* Trace::written(const Tensor& tensor) {
  auto found = std::ranges::find_if(
      written_, [&](const OutsideWrite& write) { return write.tensor.is_same(tensor); });
  return found == written_.end() ? nullptr : &*found;
}

bool Trace::write_outside(const ops::OpEntry& entry, std::span<const Value> arguments,
                          std::vector<Value>& results) {
  Tensor target = tensor_of(arguments[0]);
  auto source = outside_.find(&target.impl());
  auto refuse = [&](std::string_view why) {
    return refuse_operator(DiagnosticId::kBreakMutation,
                           fmt::format("`{}` writes {}", entry.name, why));
  };
  if (source == outside_.end() || repeats_elements(target)) return refuse("a tensor from outside");
  if (grad_mode() && any_requires_grad(arguments))
    return refuse_operator(
        DiagnosticId::kBreakGradient,
        fmt::format("`{}` writes a tensor from outside while gradients are recorded", entry.name));
  for (const auto& [other, sizes] : outside_sizes_)
    if (other != &target.impl() && other->storage == target->storage)
      return refuse("memory that two tensors from outside share");
  Argument current;
  if (!graph_tensor(target, current)) return false;
  if (is_shown(memory_of(target))) return refuse("a tensor that has views");
  std::vector<Value> made;
  if (!trace_operator(*entry.functional_form, arguments, made)) return false;
  glint::Value updated = traced(tensor_of(made[0]))->value;
  if (!fit_to_type(entry, graph_.type(current.tensor()), false, updated)) return false;
  uint32_t version = target.version();
  target.bump_version();
  if (OutsideWrite* before = written(target)) {
    before->value = updated;
    ++before->count;
  } else {
    written_.push_back({target, updated, 1, version});
    add_guard({.kind = GuardKind::kUnshared, .source = source->second});
  }
  results.push_back(arguments[0]);
  return true;
}

std::vector<InputUpdate> Trace::finish_updates() {
  std::vector<InputUpdate> updates;
  for (const OutsideWrite& write : written_) {
    auto input = std::ranges::find_if(
        inputs_, [&](const Tensor& each) { return each.is_same(write.tensor); });
    updates.push_back({static_cast<uint32_t>(outputs_.size()),
                       static_cast<uint32_t>(input - inputs_.begin()), write.count});
    outputs_.emplace_back();
    graph_.outputs.push_back(write.value);
  }
  return updates;
}

}  // namespace glint::capture
