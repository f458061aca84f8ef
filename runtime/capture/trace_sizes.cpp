// Symbolic ints in a trace: which instructions know them, and what becomes of the others.
// Calls are in trace_size_calls.cpp.
//
// An instruction that only moves values about (an assignment, a tuple, an argument of a script's
// function) runs as always. Arithmetic is done here, on the expressions, and so are comparisons,
// which this call decides and which become relations. Where an instruction needs the number itself,
// the operand is made plain first: `s0 == 5` is guarded, and the instruction sees 5.
//
//     b, n = x.shape                   s0, s1
//     y = x.view(b * n)                view gets s0*s1
//     if n > 4: return y * n           s1 > 4 is a guard, multiply gets s1
//     return weights[n]                s1 == 5 is a guard

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/symbolic_range.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

// ---- Making and unmaking -----------------------------------------------------------------------

void Trace::make_plain(Value& place) {
  if (auto* symbolic = place.try_as<SymIntObject>()) {
    sizes_.specialise(symbolic->value);
    place = Value(symbolic->hint);
    return;
  }
  if (auto* symbolic = place.try_as<SymFloatObject>()) {
    specialise_float(symbolic->step);
    place = Value(symbolic->hint);
    return;
  }
  if (!holds_symbolic(place)) return;
  if (auto* list = place.try_as<ListObject>()) {
    for (Value& item : list->items) make_plain(item);
  } else if (auto* tuple = place.try_as<TupleObject>()) {
    for (Value& item : tuple->items) make_plain(item);
  } else if (auto* slice = place.try_as<SliceObject>()) {
    for (Value* part : {&slice->start, &slice->stop, &slice->step}) make_plain(*part);
  } else if (auto* dict = place.try_as<DictObject>()) {
    for (const auto& entry : dict->table.entries()) {
      if (entry.key.defined()) make_plain(const_cast<Value&>(entry.value));
    }
  }
}

void Trace::make_plain(Frame& frame, program::Operand which) {
  if (which.is_register()) make_plain(frame.registers[which.index()]);
}

void Trace::make_plain(Frame& frame, std::span<const program::Operand> several) {
  for (program::Operand each : several) make_plain(frame, each);
}

Value Trace::plain(const Value& value) {
  Value place = value;
  make_plain(place);
  return place;
}

std::optional<SymInt> Trace::size_of(const Value& value) {
  auto* symbolic = value.try_as<SymIntObject>();
  return symbolic ? std::optional(symbolic->value) : std::nullopt;
}

std::optional<TensorType> Trace::type(const Tensor& tensor) {
  if (TracedTensor* record = traced(tensor)) return made_.graph.type(record->value);
  std::optional<std::vector<SymInt>> sizes = sizes_of(tensor);
  if (!sizes) return std::nullopt;
  TensorType type = TensorType::tensor(tensor.dtype(), std::move(*sizes));
  type.strides = sizes_.strides_of_tensor.at(&tensor.impl());
  return type;
}

std::optional<std::vector<SymInt>> Trace::sizes_of(const Tensor& tensor) const {
  if (TracedTensor* record = traced(tensor)) return made_.graph.type(record->value).sizes;
  auto found = sizes_.of_tensor.find(&tensor.impl());
  if (found == sizes_.of_tensor.end()) return std::nullopt;
  return found->second;
}

Value Trace::size_along(const Tensor& tensor, size_t dim) {
  auto sizes = sizes_of(tensor);
  return sizes ? sizes_.value((*sizes)[dim]) : Value(tensor.sizes()[dim]);
}

void Trace::specialise_sizes(const Tensor& tensor) {
  const std::optional<TensorType> known = type(tensor);
  if (!known) return;
  for (SymInt size : known->sizes) sizes_.specialise(size);
  for (SymInt stride : known->strides) sizes_.specialise(stride);
}

Tracer::Step Trace::put(Frame& frame, uint32_t pc, const program::Instruction& at, Value value) {
  frame.registers[at.result] = std::move(value);
  if (&frame == entry_) seen_registers_[at.result] = true;
  interpreter_.jump_to(frame, pc + 1);
  return Step::kDone;
}

// ---- Instructions ------------------------------------------------------------------------------

namespace {

/// Instructions that hand symbolic numbers on without looking at them.
constexpr Opcode kHandsOn[] = {
    Opcode::kMove,       Opcode::kMakeCell,    Opcode::kCell,         Opcode::kSetCell,
    Opcode::kCheckBound, Opcode::kDeleteLocal, Opcode::kList,         Opcode::kTuple,
    Opcode::kListAppend, Opcode::kListExtend,  Opcode::kListToTuple,  Opcode::kDictUpdate,
    Opcode::kDictMerge,  Opcode::kSlice,       Opcode::kReturn,       Opcode::kYield,
    Opcode::kFunction,   Opcode::kNext,        Opcode::kSetAttribute, Opcode::kSetGlobal};

bool is_any_number(const Value& value) {
  return value.is_number() || plain_number(value).has_value();
}

}  // namespace

std::optional<Tracer::Step> Trace::size_instruction(Frame& frame, uint32_t pc,
                                                    const program::Instruction& at) {
  if (std::ranges::find(kHandsOn, at.opcode) != std::end(kHandsOn)) return std::nullopt;
  const Value& a = operand(frame, at.a);
  switch (at.opcode) {
    case Opcode::kUnpack:
    case Opcode::kUnpackStar:
    case Opcode::kIterator:
      // As many parts as the tensor is long.
      if (a.is(kTensorKind)) {
        auto sizes = sizes_of(tensor_of(a));
        if (sizes && !sizes->empty()) sizes_.specialise(sizes->front());
      }
      return std::nullopt;
    case Opcode::kIs:
    case Opcode::kIsNot:
      // Whether two numbers are one is a question of their values.
      if (is_any_number(a) && is_any_number(operand(frame, at.b))) {
        make_plain(frame, at.a);
        make_plain(frame, at.b);
      }
      return std::nullopt;
    case Opcode::kAttribute:
      return size_attribute(frame, pc, at);
    case Opcode::kMethod:
      // A container's method is only bound here; what it is called on is looked at by the call.
      if (plain_number(a)) make_plain(frame, at.a);
      return std::nullopt;
    case Opcode::kCall:
    case Opcode::kCallUnpacked:
      return size_call(frame, pc, at);
    case Opcode::kItem:
      if (!a.is(kTensorKind)) make_plain(frame, at.b);
      return std::nullopt;
    case Opcode::kIn:
    case Opcode::kNotIn:
      // Keys are plain already; the values under them are not looked at.
      if (operand(frame, at.b).is<DictObject>() && !holds_symbolic(a)) return std::nullopt;
      if (auto done = number_membership(frame, pc, at)) return done;
      return computed_size(frame, pc, at);
    case Opcode::kSetItem:
    case Opcode::kDeleteItem:
      if (!a.is(kTensorKind)) make_plain(frame, at.b);
      return std::nullopt;
    case Opcode::kDictInsert:
      make_plain(frame, at.b);
      return std::nullopt;
    case Opcode::kDict: {
      auto parts = frame.program().tail(at);
      for (size_t i = 0; i < parts.size(); i += 2) make_plain(frame, parts[i]);
      return std::nullopt;
    }
    default:
      return computed_size(frame, pc, at);
  }
}

/// An instruction that computes: on sizes its result is a size again, or a relation that is decided
/// here; what it cannot compute on gets plain numbers.
std::optional<Tracer::Step> Trace::computed_size(Frame& frame, uint32_t pc,
                                                 const program::Instruction& at) {
  const Value& a = operand(frame, at.a);
  const Value& b = operand(frame, at.b);
  if (!holds_symbolic(a) && !holds_symbolic(b)) {
    make_plain(frame, frame.program().tail(at));
    make_plain(frame, at.c);
    return std::nullopt;
  }
  if (a.is(kTensorKind) || b.is(kTensorKind)) {  // an operator's argument
    settle(frame, at.a);
    settle(frame, at.b);
    return std::nullopt;
  }
  ShapeEnvironment::Scope scope(sizes_.shapes);
  if (auto done = float_instruction(frame, pc, at)) return done;
  if (auto decided = sizes_.compare(at.opcode, a, b)) return put(frame, pc, at, Value(*decided));
  if (auto done = float_comparison(frame, pc, at)) return done;
  auto left = as_symbolic(a), right = as_symbolic(b);
  if (left && right) {
    if (auto result = sizes_.arithmetic(at.opcode, *left, *right))
      return put(frame, pc, at, sizes_.value(*result));
  }
  if (left && at.b.none()) {
    if (auto done = size_operator(frame, pc, at, *left)) return done;
  }
  bool joins = items_of(a) && items_of(b);
  if (joins && (at.opcode == Opcode::kAdd || at.opcode == Opcode::kAddInPlace)) return std::nullopt;
  make_plain(frame, at.a);
  make_plain(frame, at.b);
  make_plain(frame, at.c);
  return std::nullopt;
}

/// `-n`, `not n`, `if n`: an operator with one operand.
std::optional<Tracer::Step> Trace::size_operator(Frame& frame, uint32_t pc,
                                                 const program::Instruction& at, SymInt size) {
  auto nonzero = [&] { return sizes_.decide(Relation::Kind::kNotEqual, size, 0); };
  switch (at.opcode) {
    case Opcode::kNegative: {
      std::optional<SymInt> negative = sizes_.arithmetic(Opcode::kSubtract, 0, size);
      if (!negative) return std::nullopt;
      return put(frame, pc, at, sizes_.value(*negative));
    }
    case Opcode::kPositive:
      return put(frame, pc, at, sizes_.value(size));
    case Opcode::kNot:
      return put(frame, pc, at, Value(!nonzero()));
    case Opcode::kJumpIfTrue:
    case Opcode::kJumpIfFalse: {
      bool jumps = nonzero() == (at.opcode == Opcode::kJumpIfTrue);
      interpreter_.jump_to(frame, jumps ? at.immediate : pc + 1);
      return Step::kDone;
    }
    default:
      return std::nullopt;
  }
}

std::optional<Tracer::Step> Trace::size_attribute(Frame& frame, uint32_t pc,
                                                  const program::Instruction& at) {
  const Value& object = operand(frame, at.a);
  const std::string& name = frame.program().names[at.immediate];
  if (!object.is(kTensorKind)) {
    if (plain_number(object)) make_plain(frame, at.a);
    return std::nullopt;
  }
  if (name == "nbytes") specialise_sizes(tensor_of(object));
  if (name != "shape") return std::nullopt;
  auto sizes = sizes_of(tensor_of(object));
  if (!sizes) return std::nullopt;
  return put(frame, pc, at, sizes_.shape(*sizes));
}

}  // namespace glint::capture
