// Operators and natives in a trace: what becomes a node of the graph, and what ends the region.
//
//     y = torch.relu(x)       the entry `relu` and its arguments: %relu = relu %x, y is pending
//     y.add_(1)               the same object, a new value: the graph itself is free of writes
//     time.time()             a native with an effect: the region ends before the call

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "core/tensor/grad_mode.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/sharing.h"
#include "passes/operators.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// The tensors of an argument, in order.
void find_tensors(const Value& value, std::vector<Tensor>& tensors) {
  if (value.is(kTensorKind)) tensors.push_back(tensor_of(value));
  if (const std::vector<Value>* items = items_of(value))
    for (const Value& item : *items) find_tensors(item, tensors);
}

/// As eager views have it: the tape looks at it when one is written.
void set_base(const Tensor& view, const Tensor& of, const ops::OpEntry& entry) {
  if (!entry.differentiable) return;
  view->base = of->base ? of->base : of.ref();
  view->made_without_grad = !grad_mode();
  record_of(view.impl())->shown = of.is_pending() ? record_of(of.impl())->shown : &of.impl();
}

}  // namespace

// ---- tensors -----------------------------------------------------------------------------------

TracedTensor* Trace::traced(const Tensor& tensor) const {
  TracedTensor* record = record_of(tensor.impl());
  return record && record->trace == number_ ? record : nullptr;
}

Value Trace::pending_tensor(glint::Value value, uint32_t memory) {
  const TensorType& type = graph_.type(value);
  std::vector<int64_t> sizes;
  for (SymInt size : type.sizes) sizes.push_back(shapes_.hint(size));
  Tensor tensor = Tensor::pending(IntSpan(sizes.data(), sizes.size()), type.dtype);
  for (size_t i = 0; i < type.strides.size(); ++i)
    tensor->strides[i] = shapes_.hint(type.strides[i]);
  tensor->contiguous = type.contiguous();
  auto record = make_ref<TracedTensor>();
  record->trace = number_;
  record->value = value;
  record->memory = memory;
  tensor->traced = record;
  pending_.push_back(tensor);
  return Value(tensor.ref());
}

std::string Trace::parameter_name(SourceId source) const {
  std::string name = sources_.text(source);
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

uint32_t Trace::memory_of(const Tensor& tensor) {
  if (TracedTensor* record = traced(tensor)) return record->memory;
  auto [found, added] = outside_memories_.try_emplace(tensor.storage().get(), memories_);
  memories_ += added;
  return found->second;
}

bool Trace::graph_tensor(const Tensor& tensor, Argument& out) {
  if (TracedTensor* record = traced(tensor)) {
    out = Argument(record->value);
    return true;
  }
  if (OutsideWrite* write = written(tensor)) {
    out = Argument(write->value);
    return true;
  }
  if (auto found = parameter_of_.find(&tensor.impl()); found != parameter_of_.end()) {
    out = Argument(found->second);
    return true;
  }
  auto source = outside_.find(&tensor.impl());
  if (source == outside_.end()) {
    return refuse_operator(
        DiagnosticId::kBreakUnsupportedValue,
        "a tensor was made inside the region by something other than an operator");
  }
  TensorType type = TensorType::tensor(tensor.dtype(), {});
  for (SymInt size : outside_sizes_.at(&tensor.impl())) type.sizes.push_back(size);
  if (!has_row_major_strides(tensor))
    type.strides.assign(tensor.strides().begin(), tensor.strides().end());
  std::string name = parameter_name(source->second);
  // A parameter that is met after the first call cannot be first in the list yet: it is kept as an
  // empty constant until `finish_graph` puts the nodes in order.
  out = Argument(graph_.add_constant(name, std::move(type), {}, {span_}));
  parameters_.push_back(source->second);
  inputs_.push_back(tensor);
  parameter_of_[&tensor.impl()] = out.tensor();
  kept_.push_back(Value(tensor.ref()));
  return true;
}

bool Trace::graph_argument(const Value& value, Argument& out, int levels) {
  if (value.is(kTensorKind)) return graph_tensor(tensor_of(value), out);
  if (auto* symbolic = value.try_as<SymIntObject>()) {
    out = Argument(symbolic->value);
    return true;
  }
  if (auto* symbolic = value.try_as<SymFloatObject>()) {
    bool item = levels < kArgumentLevels;
    if (item) specialise_float(symbolic->step);
    out = item ? Argument(symbolic->hint) : Argument(number_parameter(symbolic->step));
    return true;
  }
  const std::vector<Value>* items = items_of(value);
  if (items && levels > 0) {
    if (!note_contents(value)) return false;
    BasicArgumentList<glint::Value> list;
    for (const Value& item : *items) {
      Argument one;
      if (!graph_argument(item, one, levels - 1)) return false;
      list.push_back(std::move(one));
    }
    out = Argument(std::move(list));
    return true;
  }
  ops::Argument eager;
  if (!to_argument(value, eager)) {
    return refuse_operator(DiagnosticId::kBreakUnsupportedValue,
                           fmt::format("an argument is a {}", type_name(value)));
  }
  std::visit(
      [&](const auto& each) {
        using T = std::decay_t<decltype(each)>;
        if constexpr (!std::is_same_v<T, Tensor> && !std::is_same_v<T, BasicArgumentList<Tensor>>) {
          out.value = each;
        }
      },
      eager.value);
  return true;
}

bool Trace::refuse_operator(DiagnosticId id, std::string detail) {
  if (!stopped_) stop(id, std::move(detail));
  return false;
}

bool Trace::call_operator(const ops::OpEntry& entry, std::span<const Value> arguments,
                          std::vector<Value>& results) {
  ++at_.index;
  // A form with `out=` writes its last argument, which ends the region.
  bool in_place = entry.functional_form && entry.effects.mutates &&
                  !std::string_view(entry.name).ends_with(".out");
  bool done = in_place ? trace_in_place(entry, arguments, results)
                       : trace_operator(entry, arguments, results);
  if (!done) interpreter_.stop_trace();
  return done;
}

bool Trace::trace_operator(const ops::OpEntry& entry, std::span<const Value> arguments,
                           std::vector<Value>& results) {
  const ops::Effects& effects = entry.effects;
  auto refuse_sizes = [&] {
    return refuse_operator(DiagnosticId::kBreakUnsupportedOperator,
                           fmt::format("the sizes that `{}` gives depend on values", entry.name));
  };
  if (effects.data_dependent) return refuse_sizes();
  if (effects.synchronises)
    return refuse_operator(DiagnosticId::kBreakTensorItem,
                           fmt::format("`{}` needs the value", entry.name));
  if (effects.mutates)
    return refuse_operator(DiagnosticId::kBreakMutation,
                           fmt::format("`{}` writes a tensor", entry.name));
  std::vector<Argument> bound;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Argument argument;
    if (!graph_argument(operator_argument(entry, i, arguments), argument)) return false;
    bound.push_back(std::move(argument));
  }
  ShapeEnvironment::Scope scope(shapes_);
  try {
    if (entry.sizes_from_values && entry.sizes_from_values(passes::infer_arguments(graph_, bound)))
      return refuse_sizes();
    using Kind = ops::Sharing::Kind;
    std::vector<ops::Sharing> sharing = ops::sharing(entry, passes::infer_arguments(graph_, bound));
    std::vector<Tensor> given;
    for (const Value& value : arguments) find_tensors(value, given);
    auto is_same = [](const ops::Sharing& one) { return one.kind == Kind::kSame; };
    // There is nothing to do, as in eager: the very same tensors.
    if (!sharing.empty() && std::ranges::all_of(sharing, is_same)) {
      for (const ops::Sharing& one : sharing) results.push_back(value_of(given.at(one.tensor)));
      return true;
    }
    auto is_view = [](const ops::Sharing& one) { return one.kind == Kind::kView; };
    ViewStep step;
    step.entry = &entry;
    if (std::ranges::any_of(sharing, is_view)) step.arguments = bound;
    NodeId node = builder_.append(entry, std::move(bound));
    graph_[node].phase = phase_;
    if (method_call_) method_nodes_.insert(graph_[node].name);
    if (!grad_mode()) unrecorded_nodes_.insert(graph_[node].name);
    for (uint32_t i = 0; i < graph_[node].outputs.size(); ++i) {
      const auto& [kind, which] = sharing.at(i);
      if (kind == Kind::kView && is_written_memory(given.at(which)))
        return refuse_operator(DiagnosticId::kBreakMutation,
                               "a view is taken of a tensor from outside that the region wrote");
      if (kind == Kind::kSame) {
        results.push_back(value_of(given.at(which)));
      } else {
        uint32_t memory = kind == Kind::kView ? memory_of(given.at(which)) : memories_++;
        results.push_back(pending_tensor({node, i}, memory));
        if (kind != Kind::kView) continue;
        set_base(tensor_of(results.back()), given.at(which), entry);
        step.output = i;
        step.of = traced(given.at(which)) ? &given.at(which).impl() : nullptr;
        TracedTensor* view = traced(tensor_of(results.back()));
        view->step = step;
        view->version = autograd::version_of(given.at(which));
      }
    }
    // The parts of a dimension without elements: there are none.
    if (results.empty()) return true;
    auto last = static_cast<uint32_t>(graph_[node].outputs.size() - 1);
    EffectResult result{tensor_of(results.back()), {node, last}, {at_.step, at_.index - 1}};
    if (effects.random) draws_.push_back(result);
    auto* pointwise = entry.lowers_to<ops::Pointwise>();
    bool divides =
        pointwise && ops::divides_integers(pointwise->function, graph_[node].outputs[0].dtype);
    if (effects.may_fail || divides) checks_.push_back(result);
  } catch (const ops::OpError& error) {
    // Eager execution raises it, with the traceback that belongs to it.
    return refuse_operator(DiagnosticId::kBreakException,
                           fmt::format("{}: {}", error.exception, error.message));
  } catch (const InternalError& error) {
    return refuse_operator(DiagnosticId::kBreakUnsupportedOperator, error.what());
  }
  return true;
}

bool Trace::is_outside_memory(uint32_t memory) const {
  return std::ranges::any_of(outside_memories_,
                             [&](const auto& each) { return each.second == memory; });
}

std::optional<std::string> Trace::obstacle_to_write(const Tensor& target) {
  uint32_t memory = memory_of(target);
  if (is_outside_memory(memory)) return "that shows the memory of one from outside";
  for (const Tensor& other : pending_) {
    bool held = other->ref_count() > 1;
    TracedTensor* record = traced(other);
    if (held && record && record->memory == memory && &owner_of(other) != &owner_of(target))
      return fmt::format("that shares its memory with {}", graph_.text(record->value));
  }
  return std::nullopt;
}

std::optional<std::string> Trace::obstacle_by_history(const Tensor& target,
                                                      std::span<const Value> arguments) {
  if (!grad_mode()) return std::nullopt;
  std::vector<Tensor> views;
  for (const Tensor& other : pending_) {
    bool held = other->ref_count() > 1;
    TracedTensor* record = traced(other);
    if (held && record && record->memory == memory_of(target) && !other.is_same(target))
      views.push_back(other);
  }
  auto is_taped = [](const Value& value) {
    return value.is(kTensorKind) && autograd::requires_grad(tensor_of(value));
  };
  bool taped = std::ranges::any_of(arguments, is_taped) ||
               std::ranges::any_of(views, &autograd::requires_grad);
  if (views.empty() || !taped) return std::nullopt;
  return fmt::format("whose memory {} shows, while gradients are recorded",
                     graph_.text(traced(views[0])->value));
}

bool Trace::fit_to_type(const ops::OpEntry& entry, const TensorType& type, bool is_view,
                        glint::Value& value) {
  const TensorType& found = graph_.type(value);
  bool rearranged = found != type && type.contiguous() && found.dtype == type.dtype &&
                    found.sizes == type.sizes && found.scalar == type.scalar;
  if (rearranged) {
    Value given = pending_tensor(value, memories_++);
    std::vector<Value> made;
    if (!trace_operator(*ops::find_op("contiguous"), {&given, 1}, made)) return false;
    value = traced(tensor_of(made[0]))->value;
  }
  // A written view is taken once more from what it shows.
  bool same = found.dtype == type.dtype && found.sizes == type.sizes && found.scalar == type.scalar;
  if (is_view && same) return true;
  // Strides that repeat or skip elements are not those of a result.
  return graph_.type(value) == type ||
         refuse_operator(DiagnosticId::kBreakMutation,
                         fmt::format("`{}` would change the tensor's type", entry.name));
}

bool Trace::trace_in_place(const ops::OpEntry& entry, std::span<const Value> arguments,
                           std::vector<Value>& results) {
  Tensor target = tensor_of(arguments[0]);
  TracedTensor* record = traced(target);
  if (!record) return write_outside(entry, arguments, results);
  if (is_copy_of_itself(entry, arguments)) {
    results.push_back(arguments[0]);
    return true;
  }
  auto obstacle = obstacle_to_write(target);
  if (!obstacle) obstacle = obstacle_by_history(target, arguments);
  if (!obstacle) obstacle = obstacle_to_write_through(target, arguments);
  if (obstacle)
    return refuse_operator(DiagnosticId::kBreakMutation,
                           fmt::format("`{}` writes a tensor {}", entry.name, *obstacle));
  std::vector<Value> made;
  uint32_t before = memories_;
  if (!trace_operator(*entry.functional_form, arguments, made)) return false;
  // `x.copy_(y)` makes x no other name of y's memory.
  uint32_t shown = memory_of(tensor_of(made[0]));
  if (shown < before || is_outside_memory(shown)) {
    Value source = std::exchange(made, {})[0];
    if (!trace_operator(*ops::find_op("clone"), {&source, 1}, made)) return false;
  }
  // The same object, a new value: the graph stays free of writes.
  glint::Value updated = traced(tensor_of(made[0]))->value;
  if (!fit_to_type(entry, graph_.type(record->value), record->step.of, updated)) return false;
  record->value = updated;
  write_through(target);
  results.push_back(arguments[0]);
  return true;
}

bool Trace::demand_value(const Tensor& tensor) {
  using enum DiagnosticId;
  TracedTensor* record = traced(tensor);
  // What is neither pending nor from outside is a constant that the region makes.
  auto shares = [&](const Tensor& input) { return input.storage() == tensor.storage(); };
  bool constant = !tensor.is_pending() && !outside_.contains(&tensor.impl()) &&
                  std::ranges::none_of(inputs_, shares);
  if (constant) return true;
  std::string which = record ? graph_.text(record->value) : "a tensor";
  switch (opcode_) {
    case Opcode::kJumpIfTrue:
    case Opcode::kJumpIfFalse:
    case Opcode::kNot:
      stop(kBreakTensorBranch, fmt::format("the branch reads the value of {}", which));
      break;
    case Opcode::kFormat:
    case Opcode::kJoin:
    case Opcode::kDisplay:
      stop(kBreakTensorPrint, fmt::format("{} is formatted", which));
      break;
    case Opcode::kIterator:
    case Opcode::kNext:
      stop(kBreakTensorIteration, fmt::format("the loop reads {}", which));
      break;
    default:
      if (!stopped_) stop(kBreakTensorItem, fmt::format("the value of {} is read", which));
  }
  return false;
}

std::optional<uint32_t> Trace::output_of(const Tensor& tensor) {
  TracedTensor* record = traced(tensor);
  if (!record) return std::nullopt;
  auto [found, added] =
      output_index_.try_emplace(&tensor.impl(), static_cast<uint32_t>(outputs_.size()));
  if (added) {
    outputs_.push_back(tensor);
    graph_.outputs.push_back(record->value);
  }
  return found->second;
}

std::vector<OutputBase> Trace::output_bases() const {
  std::vector<OutputBase> bases;
  for (uint32_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i].defined() || !outputs_[i]->base) continue;
    const Ref<TensorImpl>& base = outputs_[i]->base;
    const TensorImpl* shown = traced(outputs_[i])->shown;
    auto input =
        std::ranges::find_if(inputs_, [&](const Tensor& each) { return &each.impl() == shown; });
    auto output = output_index_.find(base.get());
    if (shown && input != inputs_.end())
      bases.push_back({i, true, static_cast<uint32_t>(input - inputs_.begin())});
    else if (!base->storage && output != output_index_.end())
      bases.push_back({i, false, output->second});
    else
      continue;
    bases.back().made_without_grad = outputs_[i]->made_without_grad;
  }
  return bases;
}

std::optional<bool> Trace::new_grad_mode() const {
  if (grad_mode() == entry_grad_mode_) return std::nullopt;
  return grad_mode();
}

void Trace::keep_effect(const EffectResult& result) {
  TracedTensor* record = traced(result.tensor);
  bool written = record && record->value != result.value;
  Tensor tensor =
      written ? tensor_of(pending_tensor(result.value, memories_++)) : Tensor(result.tensor);
  if (std::optional<uint32_t> output = output_of(tensor))
    effects_.push_back({result.call, *output});
}

void Trace::drop_unfinished() {
  auto is_unfinished = [&](const EffectResult& each) { return each.call.step == at_.step; };
  for (const EffectResult& draw : draws_)
    if (is_unfinished(draw)) dropped_.insert(glint::index(draw.value.node));
  std::erase_if(draws_, is_unfinished);
  std::erase_if(checks_, is_unfinished);
}

void Trace::keep_effects() {
  if (outputs_.empty() && !draws_.empty()) keep_effect(draws_.front());
  if (checks_.empty()) return;
  std::vector<bool> live(graph_.nodes.size());
  auto mark = [&](glint::Value output) {
    live[glint::index(output.node)] = true;
    for (size_t i = glint::index(output.node) + 1; i-- > 0;) {
      if (!live[i]) continue;
      auto arguments = std::span(graph_.nodes[i].arguments);
      const ops::OpEntry* entry = ops::find_op(graph_.nodes[i].target.text());
      if (entry && entry->reads_only_type) arguments = arguments.subspan(1);
      for (const NamedArgument& argument : arguments)
        for_each_value(argument.value,
                       [&](const glint::Value& value) { live[glint::index(value.node)] = true; });
    }
  };
  for (glint::Value output : graph_.outputs) mark(output);
  // The last first: it keeps alive what it is made of.
  for (const EffectResult& check : checks_ | std::views::reverse) {
    if (!traced(check.tensor) || live[glint::index(check.value.node)]) continue;
    keep_effect(check);
    mark(check.value);
  }
}

void Trace::keep_all_alive() {
  for (const Tensor& tensor : pending_) {
    bool held = tensor->ref_count() > 1;
    if (held) output_of(tensor);
  }
}

// ---- natives -----------------------------------------------------------------------------------

bool Trace::entering_native(const NativeFunctionObject& native, const Value* arguments,
                            size_t count) {
  const Effects& effects = native.effects;
  const std::string& name = native.signature.name;
  auto refuse = [&](DiagnosticId id, std::string detail) {
    stop(id, std::move(detail));
    return false;
  };
  if (effects.traceable) return true;
  if (effects.differentiates) return may_run_backward(arguments[0]);
  bool grads = name == "grad_enabled" || name == "is_grad_enabled" || name == "set_grad_enabled";
  if (grads) {
    note_grad_mode();
    return true;
  }
  if (!sizes_are_plain(native, arguments, count)) return false;
  if (effects.prints) {
    bool tensor = false;
    for (size_t i = 0; i < count; ++i) {
      tensor = tensor || arguments[i].is(kTensorKind);
      if (auto* list = arguments[i].try_as<TupleObject>()) {
        for (const Value& item : list->items) tensor = tensor || item.is(kTensorKind);
      }
    }
    if (tensor)
      return refuse(DiagnosticId::kBreakTensorPrint,
                    fmt::format("`{}` shows the values of a tensor", name));
    return refuse(DiagnosticId::kBreakImpureCall, fmt::format("`{}` writes to the output", name));
  }
  bool hooks = name == "register_hook" || name == "retain_grad";
  if (hooks && arguments[0].is(kTensorKind) && traced(tensor_of(arguments[0])))
    looks_at_tape_ = true;
  // It refuses views: what this one shows is there, then.
  if (name == "detach_" && arguments[0].is(kTensorKind) && tensor_of(arguments[0])->base)
    output_of(Tensor(tensor_of(arguments[0])->base));
  if (effects.impure || !effects.declared())
    return refuse(DiagnosticId::kBreakImpureCall, fmt::format("`{}` is called", name));
  note_compared(name, arguments, count);
  if (!note_named_attribute(native, arguments, count)) return false;
  // What is only written is not read.
  bool writes = effects.mutates && count > 0 && is_outside(arguments[0]);
  for (size_t i = writes ? 1 : 0; i < count; ++i) {
    if (arguments[i].is(kIteratorKind) || arguments[i].is(kGeneratorKind)) consuming_ = at_.step;
    const Contents read = read_by(native, arguments, i);
    bool only_length = effects.reads_length && !effects.reads_elements && !effects.reads_keys &&
                       !effects.reads_value;
    if (!is_outside(arguments[i])) {
      // The arguments of `zip(a, b)` come as one tuple.
      auto* tuple = arguments[i].try_as<TupleObject>();
      for (size_t k = 0; tuple && k < tuple->items.size(); ++k) {
        if (is_outside(tuple->items[k]) && !note_contents(tuple->items[k], read)) return false;
      }
      if (!only_length && !note_contents(arguments[i], read)) return false;
      continue;
    }
    // Whatever takes an iterator may advance it, now (`next`) or later (`zip`).
    if (arguments[i].is(kIteratorKind) || arguments[i].is(kGeneratorKind)) {
      return refuse(DiagnosticId::kBreakGenerator,
                    fmt::format("`{}` gets an iterator from outside", name));
    }
    if (only_length ? !note_size(arguments[i]) : !note_contents(arguments[i], read)) return false;
  }
  return !writes || write_by_native(native, arguments, count) == Step::kRun;
}

}  // namespace glint::capture
