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

Value Trace::size_value(SymInt size) {
  if (size.is_constant()) return Value(size.constant());
  return Value(make_ref<SymIntObject>(size, shapes_.hint(size)));
}

void Trace::specialise(SymInt size) {
  if (size.is_constant()) return;
  ShapeEnvironment::Scope scope(shapes_);
  if (known_equal(size, shapes_.hint(size)) != true)
    shapes_.add_relation({Relation::Kind::kEqual, size, shapes_.hint(size)});
}

void Trace::make_plain(Value& place) {
  if (auto* symbolic = place.try_as<SymIntObject>()) {
    specialise(symbolic->value);
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
  if (TracedTensor* record = traced(tensor)) return graph_.type(record->value);
  std::optional<std::vector<SymInt>> sizes = sizes_of(tensor);
  if (!sizes) return std::nullopt;
  TensorType type = TensorType::tensor(tensor.dtype(), std::move(*sizes));
  if (!has_row_major_strides(tensor))
    type.strides.assign(tensor.strides().begin(), tensor.strides().end());
  return type;
}

std::optional<std::vector<SymInt>> Trace::sizes_of(const Tensor& tensor) const {
  if (TracedTensor* record = traced(tensor)) return graph_.type(record->value).sizes;
  auto found = outside_sizes_.find(&tensor.impl());
  if (found == outside_sizes_.end()) return std::nullopt;
  return found->second;
}

Value Trace::size_along(const Tensor& tensor, size_t dim) {
  auto sizes = sizes_of(tensor);
  return sizes ? size_value((*sizes)[dim]) : Value(tensor.sizes()[dim]);
}

void Trace::specialise_sizes(const Tensor& tensor) {
  auto sizes = sizes_of(tensor);
  if (!sizes) return;
  for (SymInt size : *sizes) specialise(size);
}

Value Trace::shape_value(const std::vector<SymInt>& sizes) {
  std::vector<Value> items;
  for (SymInt size : sizes) items.push_back(size_value(size));
  Ref<TupleObject> tuple = make_tuple(std::move(items));
  tuple->set_flag(Object::kIsSize);
  return Value(tuple);
}

Tracer::Step Trace::put(Frame& frame, uint32_t pc, const program::Instruction& at, Value value) {
  frame.registers[at.result] = std::move(value);
  if (&frame == entry_) seen_registers_[at.result] = true;
  interpreter_.jump_to(frame, pc + 1);
  return Step::kDone;
}

// ---- Arithmetic and comparison -----------------------------------------------------------------

namespace {

std::optional<Relation::Kind> relation_of(Opcode opcode, bool& mirrored) {
  mirrored = opcode == Opcode::kGreater || opcode == Opcode::kGreaterEqual;
  switch (opcode) {
    case Opcode::kLess:
    case Opcode::kGreater:
      return Relation::Kind::kLess;
    case Opcode::kLessEqual:
    case Opcode::kGreaterEqual:
      return Relation::Kind::kLessEqual;
    case Opcode::kEqual:
      return Relation::Kind::kEqual;
    case Opcode::kNotEqual:
      return Relation::Kind::kNotEqual;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool Trace::decide(Relation::Kind kind, SymInt left, SymInt right) {
  std::optional<bool> known;
  switch (kind) {
    case Relation::Kind::kEqual:
      known = known_equal(left, right);
      break;
    case Relation::Kind::kNotEqual:
      known = known_equal(left, right);
      if (known) known = !*known;
      break;
    case Relation::Kind::kLess:
      known = known_less(left, right);
      break;
    case Relation::Kind::kLessEqual:
      known = known_less_equal(left, right);
      break;
  }
  return known ? *known : shapes_.decide(kind, left, right);
}

std::optional<SymInt> Trace::fitting(SymInt result) {
  if (result.is_constant()) return result;
  if (!evaluate_exactly(result, shapes_.hints())) return std::nullopt;
  auto same = [&](const auto& each) { return each.first == result; };
  if (std::ranges::none_of(computed_, same)) computed_.emplace_back(result, span_);
  return result;
}

void Trace::guard_magnitudes() {
  constexpr int kAnyInt = 63;
  constexpr double kTooGreat = 0x1p63;
  auto is_size = [&](uint32_t symbol) { return shapes_.least(symbol) == 2; };
  auto add = [&](SymInt value) {
    if (!std::ranges::all_of(value.symbols(), is_size)) computed_.emplace_back(value, span_);
  };
  for (const Relation& relation : shapes_.relations()) {
    add(relation.left);
    add(relation.right);
  }
  // The memory of a result whose size a script's int decides.
  constexpr int64_t kGreatestElement = 16;
  for (const Node& node : graph_.nodes)
    for (const TensorType& type : node.outputs) add(product(type.sizes) * kGreatestElement);
  double greatest_now = 1;
  for (uint32_t symbol = 0; symbol < shapes_.symbol_count(); ++symbol) {
    if (!is_size(symbol))
      greatest_now = std::max(greatest_now, std::abs(static_cast<double>(shapes_.hints()[symbol])));
  }
  int bits = kAnyInt;
  for (const auto& [value, span] : computed_) {
    if (value.maybe_symbol()) continue;
    auto fits_within = [&](int bits_of_ints) {
      return greatest_magnitude(value, [&](uint32_t symbol) {
               return std::exp2(is_size(symbol) ? kSizeBits : bits_of_ints);
             }) < kTooGreat;
    };
    int enough = bits;
    while (enough >= 0 && !fits_within(enough)) --enough;
    if (enough >= 0 && greatest_now <= std::exp2(enough)) {
      bits = enough;
    } else {
      guards_.push_back({.kind = GuardKind::kFits, .size = value, .span = span});
    }
  }
  for (Guard& guard : guards_) {
    if (guard.kind == GuardKind::kInteger)
      guard.length = bits == kAnyInt ? std::numeric_limits<int64_t>::max() : int64_t{1} << bits;
  }
}

std::optional<SymInt> Trace::size_arithmetic(Opcode opcode, SymInt a, SymInt b) {
  // Coefficients are numbers of 64 bits too.
  constexpr double kGreatestCoefficient = 0x1p60;
  double left = std::max(1.0, greatest_magnitude(a, 1)), right = greatest_magnitude(b, 1);
  if (left * std::max(1.0, right) > kGreatestCoefficient) return std::nullopt;
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kAddInPlace:
      return fitting(a + b);
    case Opcode::kSubtract:
    case Opcode::kSubtractInPlace:
      return fitting(a - b);
    case Opcode::kMultiply:
    case Opcode::kMultiplyInPlace:
      return fitting(a * b);
    case Opcode::kFloorDivide:
    case Opcode::kFloorDivideInPlace:
    case Opcode::kModulo:
    case Opcode::kModuloInPlace: {
      // A divisor that may be zero or negative is rare: its sign becomes a guard, or it is plain.
      if (shapes_.hint(b) <= 0 || !decide(Relation::Kind::kLess, 0, b)) return std::nullopt;
      bool divides = opcode == Opcode::kFloorDivide || opcode == Opcode::kFloorDivideInPlace;
      return fitting(divides ? floor_divide(a, b) : remainder(a, b));
    }
    default:
      return std::nullopt;
  }
}

std::optional<bool> Trace::compare_sizes(Opcode opcode, const Value& left, const Value& right) {
  bool mirrored = false;
  std::optional<Relation::Kind> kind = relation_of(opcode, mirrored);
  if (!kind) return std::nullopt;
  auto a = as_symbolic(left), b = as_symbolic(right);
  if (a && b) return mirrored ? decide(*kind, *b, *a) : decide(*kind, *a, *b);
  // Shapes are compared item by item, up to the first that differs.
  const auto* first = items_of(left);
  const auto* second = items_of(right);
  bool equality = opcode == Opcode::kEqual || opcode == Opcode::kNotEqual;
  if (!equality || !first || !second || left.kind() != right.kind()) return std::nullopt;
  auto is_size = [](const Value& item) { return as_symbolic(item).has_value(); };
  bool all = std::all_of(first->begin(), first->end(), is_size) &&
             std::all_of(second->begin(), second->end(), is_size);
  if (!all) return std::nullopt;
  bool same = first->size() == second->size();
  for (size_t i = 0; same && i < first->size(); ++i)
    same = decide(Relation::Kind::kEqual, *as_symbolic((*first)[i]), *as_symbolic((*second)[i]));
  return same == (opcode == Opcode::kEqual);
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
        if (sizes && !sizes->empty()) specialise(sizes->front());
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
      return computed_size(frame, pc, at);
    case Opcode::kSetItem:
    case Opcode::kDeleteItem:
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
  if (a.is(kTensorKind) || b.is(kTensorKind)) return std::nullopt;  // an operator's argument
  ShapeEnvironment::Scope scope(shapes_);
  if (auto done = float_instruction(frame, pc, at)) return done;
  if (auto decided = compare_sizes(at.opcode, a, b)) return put(frame, pc, at, Value(*decided));
  auto left = as_symbolic(a), right = as_symbolic(b);
  if (left && right) {
    if (auto result = size_arithmetic(at.opcode, *left, *right))
      return put(frame, pc, at, size_value(*result));
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
  auto nonzero = [&] { return decide(Relation::Kind::kNotEqual, size, 0); };
  switch (at.opcode) {
    case Opcode::kNegative: {
      std::optional<SymInt> negative = size_arithmetic(Opcode::kSubtract, 0, size);
      if (!negative) return std::nullopt;
      return put(frame, pc, at, size_value(*negative));
    }
    case Opcode::kPositive:
      return put(frame, pc, at, size_value(size));
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
  return put(frame, pc, at, shape_value(*sizes));
}

}  // namespace glint::capture
