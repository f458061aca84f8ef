// Numbers that may be any in lists and tuples from outside: read as a whole, they still vary.
//
//     first, second = group["betas"]     each is a source, as `group["betas"][0]` would be
//     for rate in rates: ...             likewise, one after the other
//     x * sum(rates)                     a step of the float program: rates[0] + rates[1] + ...
//     if epoch in (30, 60): ...          decided as this call has it; that it is so is a guard
//
// What else reads such a container (`sorted`, `zip`, an operator) guards each of its floats to be
// what it is now: trace_contents.cpp.

#include <algorithm>

#include "runtime/capture/symbolic_value.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

// ---- A whole container -------------------------------------------------------------------------

bool Trace::holds_floats(const Value& container) const {
  const std::vector<Value>* items = container.is_object() ? items_of(container) : nullptr;
  return items && is_outside(container) && !container.as<Object>()->flag(Object::kSubclassed) &&
         !writes_.journal().written(container.object()) &&
         std::ranges::any_of(*items, &Value::is_float);
}

bool Trace::load_items(const Value& container, std::vector<Value>& items) {
  containers_.note_length(container);
  SourceId parent = outside_source(container);
  for (const Value& item : *items_of(container)) {
    auto place = static_cast<uint32_t>(items.size());
    SourceId source = sources_.child(parent, SourceKind::kItem, place);
    if (!note_loaded(item, source)) return false;
    items.push_back(is_symbolic(source) ? value_from(item, source) : item);
  }
  return true;
}

std::optional<Tracer::Step> Trace::unpack_floats(Frame& frame, uint32_t pc,
                                                 const program::Instruction& at) {
  const Value container = operand(frame, at.a);
  auto targets = frame.program().tail(at);
  if (!holds_floats(container) || items_of(container)->size() != targets.size())
    return std::nullopt;
  std::vector<Value> items;
  if (!load_items(container, items)) return Step::kStop;
  for (size_t i = 0; i < targets.size(); ++i) {
    frame.registers[targets[i].index()] = std::move(items[i]);
    if (&frame == entry_) seen_registers_[targets[i].index()] = true;
  }
  interpreter_.jump_to(frame, pc + 1);
  return Step::kDone;
}

std::optional<Tracer::Step> Trace::call_on_floats(Frame& frame, uint32_t pc,
                                                  const program::Instruction& at) {
  auto given = frame.program().tail(at);
  if (given.size() != 1 || at.keyword_count > 0) return std::nullopt;
  const Value container = operand(frame, given[0]);
  if (options_.dynamic == DynamicSizes::kNever || !holds_floats(container)) return std::nullopt;
  const Value& callee = operand(frame, at.a);
  const BuiltinClasses& classes = interpreter_.classes();
  auto* cls = callee.try_as<ClassObject>();
  auto* native = callee.try_as<NativeFunctionObject>();
  bool copies = cls && (cls == classes.list.get() || cls == classes.tuple.get());
  bool combines = native && native->module_name == "builtins" &&
                  (native->signature.name == "sum" || native->signature.name == "min" ||
                   native->signature.name == "max");
  bool all_numbers = std::ranges::all_of(*items_of(container), &Value::is_number);
  if (!copies && !(combines && all_numbers)) return std::nullopt;
  std::vector<Value> items;
  if (!load_items(container, items)) return Step::kStop;
  if (copies)
    return put(frame, pc, at,
               cls == classes.list.get() ? Value(make_list(std::move(items)))
                                         : Value(make_tuple(std::move(items))));
  std::optional<Value> combined = float_combination(native->signature.name, items);
  return combined ? std::optional(put(frame, pc, at, std::move(*combined))) : std::nullopt;
}

// ---- One after the other -----------------------------------------------------------------------

namespace {

/// The container that an iterator of a list or tuple walks, and its place there.
struct Walk {
  Value container = {};
  size_t* place = nullptr;
};

Walk walk_of(const Value& iterator) {
  auto* object = iterator.try_as<IteratorObject>();
  if (object && object->which == IteratorObject::Which::kList) {
    auto* list = static_cast<ListIterator*>(object);
    return {list->list ? Value(list->list) : Value(), &list->index};
  }
  if (object && object->which == IteratorObject::Which::kTuple) {
    auto* tuple = static_cast<TupleIterator*>(object);
    return {tuple->tuple ? Value(tuple->tuple) : Value(), &tuple->index};
  }
  return {};
}

}  // namespace

Value Trace::walked(const Value& iterator) {
  return walk_of(iterator).container;
}

std::optional<Tracer::Step> Trace::next_float(Frame& frame, uint32_t pc,
                                              const program::Instruction& at) {
  auto [container, place] = walk_of(operand(frame, at.a));
  if (container.is_undefined() || !is_outside(container)) return std::nullopt;
  const std::vector<Value>& items = *items_of(container);
  if (*place >= items.size() || !items[*place].is_float()) return std::nullopt;
  Step step = item_at(frame, pc, at, container, *place);
  if (step == Step::kDone) ++*place;
  return step;
}

// ---- Membership --------------------------------------------------------------------------------

std::optional<Tracer::Step> Trace::number_membership(Frame& frame, uint32_t pc,
                                                     const program::Instruction& at) {
  const Value number = operand(frame, at.a), container = operand(frame, at.b);
  if (!plain_number(number) || !container.is_object() || holds_symbolic(container) ||
      has_hook(container, Special::kContains))
    return std::nullopt;
  std::vector<Value> numbers;
  if (const std::vector<Value>* items = items_of(container)) numbers = *items;
  if (const HashTable* table = table_of(container))
    for (const auto& entry : table->entries())
      if (entry.key.defined()) numbers.push_back(entry.key);
  if (numbers.empty() || !std::ranges::all_of(numbers, &Value::is_number)) return std::nullopt;
  if (!containers_.note_contents(container, Contents::kKeys)) return Step::kStop;
  ShapeEnvironment::Scope scope(sizes_.shapes);
  Value among(make_tuple(std::move(numbers)));
  uint32_t right =
      floats_.program.add({.kind = FloatStep::Kind::kConstant, .constant = among}, among);
  bool found = decide_steps(Opcode::kIn, *floats_.operand(number), right);
  return put(frame, pc, at, Value(found == (at.opcode == Opcode::kIn)));
}

}  // namespace glint::capture
