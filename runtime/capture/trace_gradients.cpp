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

void Trace::follow(NodeId forward) {
  const Node& followed = made_.graph[forward];
  made_.builder.set_origins(followed.origins);
  made_.builder.set_module(followed.module);
  made_.gradient_of = followed.gradient_of.empty() ? followed.target : followed.gradient_of;
}

void Trace::differentiating(const autograd::Node* node) {
  frame_ = nullptr;
  made_.gradient_of = {};
  if (!node) {
    made_.phase = Phase::kUpdate;
    made_.builder.set_origins(places_.spans);
    return;
  }
  made_.phase = Phase::kBackward;
  auto written_over = written_over_.find(node->sequence);
  if (written_over != written_over_.end()) return follow(written_over->second);
  for (const autograd::SavedType& output : node->outputs) {
    TracedTensor* record = output.traced.defined() ? traced(output.traced) : nullptr;
    if (record) return follow(record->value.node);
  }
}

void TraceGradients::note_leaf(const Tensor& tensor) {
  if (trace_.tensor_writes_.meets_leaf(tensor))
    trace_.add_guard({.kind = GuardKind::kLeaf, .source = trace_.outside_.at(&tensor.impl())});
}

bool TraceGradients::may_record(const ops::OpEntry& entry, std::span<const Tensor> arguments) {
  for (const Tensor& tensor : arguments) {
    if (autograd::hides_history(tensor))
      return trace_.refuse_operator(
          DiagnosticId::kBreakException,
          fmt::format("`{}` is recorded for a view made in another grad mode, and written since",
                      entry.name));
    bool made_otherwise = tensor->base && tensor->view_origin != ViewOrigin::kRecorded &&
                          tensor->view_origin != ViewOrigin::kFunction;
    bool outside = trace_.outside_.contains(&tensor.impl()) && !trace_.traced(tensor);
    if (made_otherwise && outside && trace_.tensor_writes_.meets_view(tensor))
      trace_.add_guard({.kind = GuardKind::kCurrent, .source = trace_.outside_.at(&tensor.impl())});
  }
  return true;
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
