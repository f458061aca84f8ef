#include "runtime/capture/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/liveness.h"
#include "ops/call.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

Trace::Trace(Interpreter& interpreter, Frame& entry, const CompileOptions& options,
             const VaryingSizes& varying)
    : interpreter_(interpreter),
      entry_(&entry),
      options_(options),
      varying_(varying),
      builder_(graph_, {}),
      seen_registers_(entry.register_count(), false) {
  graph_.name = entry.program().name;
  if (graph_.name.empty() || graph_.name[0] == '<') graph_.name = "region";
}

Tracer::Step Trace::stop(DiagnosticId id, std::string detail) {
  stopped_ = Diagnostic{id, span_, std::move(detail)};
  return Step::kStop;
}

const Value& Trace::operand(Frame& frame, program::Operand which) const {
  static const Value nothing;
  if (which.none()) return nothing;
  if (which.is_constant()) return frame.code->constants[which.index()];
  return frame.registers[which.index()];
}

Tracer::Step Trace::step(Frame& frame, uint32_t pc) {
  const program::Code& code = frame.program();
  const program::Instruction& at = code.instructions[pc];
  span_ = at.span;
  opcode_ = at.opcode;
  builder_.set_origins({at.span});
  if (&frame == entry_ && at.opcode == Opcode::kReturn) {
    if (at.a.is_register() && !note_register(frame, at.a.index())) return Step::kStop;
    return Step::kStop;
  }
  if (++instructions_ > kMostInstructions) {
    return stop(DiagnosticId::kBreakRegionTooLong,
                fmt::format("{} instructions were run", kMostInstructions));
  }
  if (graph_.nodes.size() >= kMostNodes) {
    return stop(DiagnosticId::kBreakRegionTooLong,
                fmt::format("the graph has {} nodes", kMostNodes));
  }
  if (&frame == entry_) {
    bool fine = true;
    program::for_each_read(code, at,
                           [&](uint32_t index) { fine = fine && note_register(frame, index); });
    if (!fine) return Step::kStop;
  }
  Step result = instruction(frame, pc, at);
  if (&frame == entry_) {
    writing_.clear();
    if (result == Step::kRun)
      program::for_each_write(code, at, [&](uint32_t index) {
        if (!seen_registers_[index]) writing_.push_back(index);
        seen_registers_[index] = true;
      });
  }
  return result;
}

void Trace::caught(Frame& frame, uint32_t exception) {
  if (&frame != entry_) return;
  for (uint32_t index : writing_) seen_registers_[index] = false;
  writing_.clear();
  seen_registers_[exception] = true;
}

bool Trace::note_register(Frame& frame, uint32_t index) {
  if (seen_registers_[index]) return true;
  seen_registers_[index] = true;
  const Value& value = frame.registers[index];
  if (value.is_undefined()) return true;
  const program::Code& code = frame.program();
  std::string name = index < code.local_names.size()
                         ? code.local_names[index]
                         : fmt::format("r{}", index - code.local_names.size());
  return note(value, sources_.local(index, name));
}

// ---- outside values ----------------------------------------------------------------------------

void Trace::add_guard(Guard guard) {
  guard.span = span_;
  guards_.push_back(std::move(guard));
}

SourceId Trace::object_source(const Value& object) {
  auto [found, added] =
      object_index_.try_emplace(object.object(), static_cast<uint32_t>(objects_.size()));
  if (added) objects_.push_back(object);
  std::string name = actual(object);
  if (auto* function = object.try_as<FunctionObject>()) name = std::string(function->name->view());
  return sources_.object(found->second, name);
}

bool Trace::note(const Value& value, SourceId source) {
  if (!noted_sources_.insert(static_cast<uint32_t>(source)).second) return true;
  if (!value.is_object()) {
    add_guard({.kind = GuardKind::kEquals, .source = source, .expected = value});
    return true;
  }
  kept_.push_back(value);
  bool known = outside_.contains(value.object());
  if (value.is(kTensorKind)) {
    if (traced(tensor_of(value))) return true;  // pending: the region's own, put there by it
    if (!known) outside_[value.object()] = source;
    return note_tensor(tensor_of(value), source);
  }
  if (!known) outside_[value.object()] = source;
  switch (value.kind()) {
    case kStrKind:
      add_guard({.kind = GuardKind::kEquals, .source = source, .expected = value});
      return true;
    case kListKind:
    case kTupleKind:
    case kDictKind:
    case kInstanceKind:
    case kSetKind:
    case kFrozenSetKind:
    case kSliceKind:
    case kIteratorKind:
      add_guard({.kind = GuardKind::kType,
                 .source = source,
                 .expected = Value(Ref<ClassObject>(class_of(value))),
                 .object_kind = value.kind()});
      return true;
    default:
      add_guard({.kind = GuardKind::kIdentity, .source = source, .expected = value});
      return true;
  }
}

bool Trace::note_tensor(const Tensor& tensor, SourceId source) {
  if (tensor.requires_grad()) {
    stop(DiagnosticId::kBreakGradient,
         fmt::format("`{}` requires gradients", sources_.text(source)));
    return false;
  }
  Guard guard{.kind = GuardKind::kTensor, .source = source};
  guard.dtype = tensor.dtype();
  TensorType type = TensorType::tensor(tensor.dtype(), {});
  std::string name = sources_.text(source);
  for (size_t i = 0; i < tensor.sizes().size(); ++i) {
    int64_t size = tensor.sizes()[i];
    bool symbolic = size >= 2 && options_.dynamic != DynamicSizes::kNever &&
                    tensor.is_contiguous() &&
                    (options_.dynamic == DynamicSizes::kAlways || varying_.contains({name, i}));
    SizeGuard expected;
    if (!symbolic) {
      expected.constant = size;
      type.sizes.push_back(size);
    } else {
      // Equal sizes share a symbol, as they nearly always mean the same thing.
      auto [found, added] = symbol_of_size_.try_emplace(size, SymInt(0));
      if (added) found->second = shapes_.new_symbol(size);
      expected.symbol = *found->second.maybe_symbol();
      expected.binds = added;
      type.sizes.push_back(found->second);
    }
    guard.sizes.push_back(expected);
  }
  if (!tensor.is_contiguous()) {
    for (int64_t stride : tensor.strides()) {
      guard.strides.push_back(stride);
      type.strides.push_back(stride);
    }
  }
  add_guard(std::move(guard));
  if (!parameter_of_.contains(&tensor.impl())) {
    // A parameter of the graph only when an operator uses it; its type is kept until then.
    outside_[&tensor.impl()] = source;
  }
  return true;
}

bool Trace::note_length(const Value& container) {
  if (!is_outside(container)) return true;
  SourceId source = outside_source(container);
  int64_t length = -1;
  if (auto* list = container.try_as<ListObject>())
    length = static_cast<int64_t>(list->items.size());
  if (auto* tuple = container.try_as<TupleObject>())
    length = static_cast<int64_t>(tuple->items.size());
  if (auto* dict = container.try_as<DictObject>()) length = static_cast<int64_t>(dict->size());
  if (length >= 0) add_guard({.kind = GuardKind::kLength, .source = source, .length = length});
  return true;
}

bool Trace::note_contents(const Value& container) {
  if (!is_outside(container)) return true;
  SourceId source = outside_source(container);
  const std::vector<Value>* items = container.is<ListObject>() ? &container.as<ListObject>()->items
                                    : container.is<TupleObject>()
                                        ? &container.as<TupleObject>()->items
                                        : nullptr;
  if (items) {
    note_length(container);
    for (size_t i = 0; i < items->size(); ++i) {
      SourceId item = sources_.child(source, SourceKind::kItem, static_cast<uint32_t>(i));
      if (!note((*items)[i], item) || !note_contents((*items)[i])) return false;
    }
    return true;
  }
  if (auto* dict = container.try_as<DictObject>()) {
    note_length(container);
    for (const auto& entry : dict->table.entries()) {
      if (entry.key.is_undefined()) continue;
      auto* name = entry.key.try_as<StrObject>();
      if (!name) {
        stop(DiagnosticId::kBreakUnsupportedValue,
             "a dict from outside whose keys are not all str is read");
        return false;
      }
      SourceId item = sources_.child(source, SourceKind::kEntry, name->view());
      if (!note(entry.value, item) || !note_contents(entry.value)) return false;
    }
    return true;
  }
  bool opaque =
      container.is(kSetKind) || container.is(kFrozenSetKind) || container.is(kIteratorKind);
  if (opaque) {
    stop(DiagnosticId::kBreakUnsupportedValue,
         fmt::format("a {} from outside is read", type_name(container)));
    return false;
  }
  return true;
}

Graph Trace::finish_graph() const {
  Graph ordered;
  ordered.name = graph_.name;
  std::vector<glint::Value> moved(graph_.nodes.size());
  auto place_of = [&](const TensorImpl* tensor) { return parameter_of_.at(tensor).node; };
  for (const Tensor& input : inputs_) {
    const Node& node = graph_[place_of(&input.impl())];
    moved[index(place_of(&input.impl()))] =
        ordered.add_parameter(node.name, node.outputs[0], node.origins);
  }
  for (size_t i = 0; i < graph_.nodes.size(); ++i) {
    const Node& node = graph_.nodes[i];
    if (node.kind != NodeKind::kCall) continue;
    std::vector<NamedArgument> arguments = node.arguments;
    for (NamedArgument& argument : arguments) {
      for_each_value(argument.value, [&](glint::Value& value) {
        value = {moved[index(value.node)].node, value.output};
      });
    }
    NodeId made =
        ordered.add_call(node.name, node.target, std::move(arguments), node.outputs, node.origins);
    moved[i] = {made, 0};
  }
  for (const glint::Value& output : graph_.outputs) {
    ordered.outputs.push_back({moved[index(output.node)].node, output.output});
  }
  return ordered;
}

void Trace::finish_guards() {
  for (const Relation& relation : shapes_.relations()) {
    guards_.push_back({.kind = GuardKind::kRelation, .relation = relation});
  }
  // A size that the first guard binds must be read before others compare with it, and relations
  // come last; otherwise cheap checks come first.
  auto cost = [](const Guard& guard) {
    switch (guard.kind) {
      case GuardKind::kTensor:
        return 0;
      case GuardKind::kIdentity:
      case GuardKind::kType:
        return 1;
      case GuardKind::kEquals:
      case GuardKind::kLength:
        return 2;
      case GuardKind::kRelation:
        return 3;
      case GuardKind::kAbsent:
        return 4;
    }
    return 5;
  };
  std::stable_sort(guards_.begin(), guards_.end(),
                   [&](const Guard& a, const Guard& b) { return cost(a) < cost(b); });
}

std::optional<SourceId> Trace::source_of(const Value& object) {
  auto found = outside_.find(object.object());
  if (found == outside_.end()) return std::nullopt;
  return found->second;
}

// ---- tensors -----------------------------------------------------------------------------------

TracedTensor* Trace::traced(const Tensor& tensor) const {
  auto* record = static_cast<TracedTensor*>(tensor->traced.get());
  return record && record->trace == this ? record : nullptr;
}

Value Trace::pending_tensor(glint::Value value) {
  const TensorType& type = graph_.type(value);
  std::vector<int64_t> sizes;
  for (SymInt size : type.sizes) sizes.push_back(shapes_.hint(size));
  Tensor tensor = Tensor::pending(IntSpan(sizes.data(), sizes.size()), type.dtype);
  if (!type.contiguous()) {
    for (size_t i = 0; i < type.strides.size(); ++i)
      tensor->strides[i] = shapes_.hint(type.strides[i]);
    tensor->contiguous = false;
  }
  auto record = make_ref<TracedTensor>();
  record->trace = this;
  record->value = value;
  tensor->traced = record;
  pending_.push_back(tensor);
  return Value(tensor.ref());
}

bool Trace::graph_tensor(const Tensor& tensor, Argument& out) {
  if (TracedTensor* record = traced(tensor)) {
    out = Argument(record->value);
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
  for (const Guard& guard : guards_) {
    if (guard.kind != GuardKind::kTensor || guard.source != source->second) continue;
    for (const SizeGuard& size : guard.sizes) {
      type.sizes.push_back(size.constant ? SymInt(*size.constant) : SymInt::symbol(size.symbol));
    }
    for (int64_t stride : guard.strides) type.strides.push_back(stride);
  }
  std::string name = sources_.text(source->second);
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  // A parameter that is met after the first call cannot be first in the list yet: it is kept as an
  // empty constant until `finish_graph` puts the nodes in order.
  out = Argument(graph_.add_constant(name, std::move(type), {}, {span_}));
  parameters_.push_back(source->second);
  inputs_.push_back(tensor);
  parameter_of_[&tensor.impl()] = out.tensor();
  kept_.push_back(Value(tensor.ref()));
  return true;
}

bool Trace::graph_argument(const Value& value, Argument& out) {
  if (value.is(kTensorKind)) return graph_tensor(tensor_of(value), out);
  const std::vector<Value>* items = value.is<ListObject>()    ? &value.as<ListObject>()->items
                                    : value.is<TupleObject>() ? &value.as<TupleObject>()->items
                                                              : nullptr;
  if (items) {
    if (!note_contents(value)) return false;
    BasicArgumentList<glint::Value> list;
    for (const Value& item : *items) {
      Argument one;
      if (!graph_argument(item, one)) return false;
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
  bool done = entry.functional_form && entry.effects.mutates
                  ? trace_in_place(entry, arguments, results)
                  : trace_operator(entry, arguments, results);
  if (!done) interpreter_.stop_trace();
  return done;
}

bool Trace::trace_operator(const ops::OpEntry& entry, std::span<const Value> arguments,
                           std::vector<Value>& results) {
  const ops::Effects& effects = entry.effects;
  if (effects.synchronises)
    return refuse_operator(DiagnosticId::kBreakTensorItem,
                           fmt::format("`{}` needs the value", entry.name));
  if (effects.mutates)
    return refuse_operator(DiagnosticId::kBreakMutation,
                           fmt::format("`{}` writes a tensor", entry.name));
  if (effects.random) {
    return refuse_operator(DiagnosticId::kBreakUnsupportedOperator,
                           fmt::format("`{}` draws random numbers", entry.name));
  }
  if (effects.data_dependent) {
    return refuse_operator(DiagnosticId::kBreakUnsupportedOperator,
                           fmt::format("the sizes that `{}` gives depend on values", entry.name));
  }
  std::vector<Argument> bound;
  for (const Value& value : arguments) {
    Argument argument;
    if (!graph_argument(value, argument)) return false;
    bound.push_back(std::move(argument));
  }
  ShapeEnvironment::Scope scope(shapes_);
  try {
    NodeId node = builder_.append(entry, std::move(bound));
    for (uint32_t i = 0; i < graph_[node].outputs.size(); ++i) {
      results.push_back(pending_tensor({node, i}));
    }
  } catch (const ops::OpError& error) {
    // Eager execution raises it, with the traceback that belongs to it.
    return refuse_operator(DiagnosticId::kBreakException,
                           fmt::format("{}: {}", error.exception, error.message));
  } catch (const InternalError& error) {
    return refuse_operator(DiagnosticId::kBreakUnsupportedOperator, error.what());
  }
  return true;
}

bool Trace::trace_in_place(const ops::OpEntry& entry, std::span<const Value> arguments,
                           std::vector<Value>& results) {
  Tensor target = tensor_of(arguments[0]);
  TracedTensor* record = traced(target);
  if (!record)
    return refuse_operator(DiagnosticId::kBreakMutation,
                           fmt::format("`{}` writes a tensor from outside", entry.name));
  // Other pending tensors may be views of this one, and this one of others.
  bool may_alias = !graph_.type(record->value).contiguous();
  for (const Node& node : graph_.nodes) {
    if (node.kind != NodeKind::kCall) continue;
    const ops::OpEntry* maker = ops::find_op(node.target.text());
    bool view = maker && maker->lowers_to<ops::View>();
    if (!view) continue;
    bool is_view_of_it = !node.arguments.empty() && node.arguments[0].value.is_value() &&
                         node.arguments[0].value.tensor() == record->value;
    may_alias = may_alias || is_view_of_it || &node == &graph_[record->value.node];
  }
  if (may_alias)
    return refuse_operator(DiagnosticId::kBreakMutation,
                           fmt::format("`{}` writes a tensor that has views", entry.name));
  std::vector<Value> made;
  if (!trace_operator(*entry.functional_form, arguments, made)) return false;
  // The same object, a new value: the graph stays free of writes.
  glint::Value updated = traced(tensor_of(made[0]))->value;
  bool same_type = graph_.type(updated).dtype == target.dtype() &&
                   graph_.type(updated).sizes == graph_.type(record->value).sizes;
  if (!same_type)
    return refuse_operator(DiagnosticId::kBreakException,
                           fmt::format("`{}` would change the tensor's type", entry.name));
  record->value = updated;
  results.push_back(arguments[0]);
  return true;
}

bool Trace::demand_value(const Tensor& tensor) {
  using enum DiagnosticId;
  TracedTensor* record = traced(tensor);
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
  if (effects.prints) {
    bool tensor = false;
    for (size_t i = 0; i < count; ++i) {
      tensor = tensor || arguments[i].is(kTensorKind);
      if (auto* list = arguments[i].try_as<TupleObject>()) {
        for (const Value& item : list->items) tensor = tensor || item.is(kTensorKind);
      }
    }
    return refuse(tensor ? DiagnosticId::kBreakTensorPrint : DiagnosticId::kBreakImpureCall,
                  fmt::format("`{}` writes to the output", name));
  }
  if (effects.impure || !effects.declared())
    return refuse(DiagnosticId::kBreakImpureCall, fmt::format("`{}` is called", name));
  if (effects.mutates && count > 0 && is_outside(arguments[0])) {
    return refuse(
        DiagnosticId::kBreakMutation,
        fmt::format("`{}` changes `{}`", name, sources_.text(outside_source(arguments[0]))));
  }
  for (size_t i = 0; i < count; ++i) {
    if (!is_outside(arguments[i])) {
      // The arguments of `max(a, b)` come as one tuple.
      auto* tuple = arguments[i].try_as<TupleObject>();
      for (size_t k = 0; tuple && k < tuple->items.size(); ++k) {
        if (!note_contents(tuple->items[k])) return false;
      }
      continue;
    }
    if (effects.advances_iterator && arguments[i].is(kIteratorKind)) {
      return refuse(DiagnosticId::kBreakGenerator,
                    fmt::format("`{}` advances an iterator from outside", name));
    }
    bool only_length = effects.reads_length && !effects.reads_elements && !effects.reads_keys &&
                       !effects.reads_value;
    if (only_length ? !note_length(arguments[i]) : !note_contents(arguments[i])) return false;
  }
  return true;
}

}  // namespace glint::capture
