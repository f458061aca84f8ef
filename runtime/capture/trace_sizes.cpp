// Symbolic ints in a trace: which instructions and calls know them, and what becomes of the others.
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

#include "ops/op.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_operators.h"
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

std::optional<std::vector<SymInt>> Trace::sizes_of(const Tensor& tensor) const {
  if (TracedTensor* record = traced(tensor)) return graph_.type(record->value).sizes;
  auto found = outside_sizes_.find(&tensor.impl());
  if (found == outside_sizes_.end()) return std::nullopt;
  return found->second;
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

const std::vector<Value>* items_of(const Value& value) {
  if (auto* list = value.try_as<ListObject>()) return &list->items;
  if (auto* tuple = value.try_as<TupleObject>()) return &tuple->items;
  return nullptr;
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

std::optional<SymInt> Trace::size_arithmetic(Opcode opcode, SymInt a, SymInt b) {
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kAddInPlace:
      return a + b;
    case Opcode::kSubtract:
    case Opcode::kSubtractInPlace:
      return a - b;
    case Opcode::kMultiply:
    case Opcode::kMultiplyInPlace:
      return a * b;
    case Opcode::kFloorDivide:
    case Opcode::kFloorDivideInPlace:
    case Opcode::kModulo:
    case Opcode::kModuloInPlace: {
      // A divisor that may be zero or negative is rare: its sign becomes a guard, or it is plain.
      if (shapes_.hint(b) <= 0 || !decide(Relation::Kind::kLess, 0, b)) return std::nullopt;
      bool divides = opcode == Opcode::kFloorDivide || opcode == Opcode::kFloorDivideInPlace;
      return divides ? floor_divide(a, b) : remainder(a, b);
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

std::optional<Tracer::Step> Trace::size_instruction(Frame& frame, uint32_t pc,
                                                    const program::Instruction& at) {
  const Value& a = operand(frame, at.a);
  const Value& b = operand(frame, at.b);
  switch (at.opcode) {
    case Opcode::kMove:
    case Opcode::kMakeCell:
    case Opcode::kCell:
    case Opcode::kSetCell:
    case Opcode::kCheckBound:
    case Opcode::kDeleteLocal:
    case Opcode::kList:
    case Opcode::kTuple:
    case Opcode::kListAppend:
    case Opcode::kListExtend:
    case Opcode::kListToTuple:
    case Opcode::kDictUpdate:
    case Opcode::kDictMerge:
    case Opcode::kSlice:
    case Opcode::kIs:
    case Opcode::kIsNot:
    case Opcode::kReturn:
    case Opcode::kYield:
    case Opcode::kFunction:
    case Opcode::kNext:
    case Opcode::kSetAttribute:
      return std::nullopt;
    case Opcode::kUnpack:
    case Opcode::kUnpackStar:
    case Opcode::kIterator:
      // As many parts as the tensor is long.
      if (a.is(kTensorKind)) {
        auto sizes = sizes_of(tensor_of(a));
        if (sizes && !sizes->empty()) specialise(sizes->front());
      }
      return std::nullopt;
    case Opcode::kAttribute:
      return size_attribute(frame, pc, at);
    case Opcode::kCall:
    case Opcode::kCallUnpacked:
      return size_call(frame, pc, at);
    case Opcode::kItem:
      if (!a.is(kTensorKind)) make_plain(frame, at.b);
      return std::nullopt;
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
      break;
  }
  if (!holds_symbolic(a) && !holds_symbolic(b)) {
    for (program::Operand part : frame.program().tail(at)) make_plain(frame, part);
    make_plain(frame, at.c);
    return std::nullopt;
  }
  if (a.is(kTensorKind) || b.is(kTensorKind)) return std::nullopt;  // an operator's argument
  ShapeEnvironment::Scope scope(shapes_);
  if (auto decided = compare_sizes(at.opcode, a, b)) return put(frame, pc, at, Value(*decided));
  auto left = as_symbolic(a), right = as_symbolic(b);
  if (left && right) {
    if (auto result = size_arithmetic(at.opcode, *left, *right))
      return put(frame, pc, at, size_value(*result));
  }
  if (left && at.b.none()) {
    auto nonzero = [&] { return decide(Relation::Kind::kNotEqual, *left, 0); };
    switch (at.opcode) {
      case Opcode::kNegative:
        return put(frame, pc, at, size_value(-*left));
      case Opcode::kPositive:
        return put(frame, pc, at, size_value(*left));
      case Opcode::kNot:
        return put(frame, pc, at, Value(!nonzero()));
      case Opcode::kJumpIfTrue:
      case Opcode::kJumpIfFalse: {
        bool jumps = nonzero() == (at.opcode == Opcode::kJumpIfTrue);
        interpreter_.jump_to(frame, jumps ? at.immediate : pc + 1);
        return Step::kDone;
      }
      default:
        break;
    }
  }
  bool joins = items_of(a) && items_of(b);
  if (joins && (at.opcode == Opcode::kAdd || at.opcode == Opcode::kAddInPlace)) return std::nullopt;
  make_plain(frame, at.a);
  make_plain(frame, at.b);
  make_plain(frame, at.c);
  return std::nullopt;
}

std::optional<Tracer::Step> Trace::size_attribute(Frame& frame, uint32_t pc,
                                                  const program::Instruction& at) {
  const Value& object = operand(frame, at.a);
  const std::string& name = frame.program().names[at.immediate];
  if (!object.is(kTensorKind)) {
    if (object.is<SymIntObject>()) make_plain(frame, at.a);
    return std::nullopt;
  }
  if (name == "nbytes") specialise_sizes(tensor_of(object));
  if (name != "shape") return std::nullopt;
  auto sizes = sizes_of(tensor_of(object));
  if (!sizes) return std::nullopt;
  return put(frame, pc, at, shape_value(*sizes));
}

// ---- Calls -------------------------------------------------------------------------------------

namespace {

/// Parameters of operators that take a symbolic int as it is; others get a plain one.
bool takes_symbolic(const ops::OpEntry& entry, std::string_view parameter) {
  static constexpr std::string_view kOperands[] = {"input", "other",      "min",   "max",
                                                   "value", "fill_value", "start", "end"};
  static constexpr std::string_view kSizes[] = {"size", "shape", "sizes"};
  static constexpr std::string_view kPlainOperators[] = {"power", "linspace", "wrap_index",
                                                         "split"};
  auto holds = [](const auto& names, std::string_view wanted) {
    return std::find(std::begin(names), std::end(names), wanted) != std::end(names);
  };
  if (holds(kPlainOperators, entry.name) || entry.effects.random) return false;
  if (std::string_view(entry.name) == "narrow" && parameter == "length") return true;
  return holds(kOperands, parameter) || holds(kSizes, parameter);
}

/// The native that a callee comes down to, and what it is bound to.
NativeFunctionObject* native_of(const Value& callee, Value& self) {
  if (auto* bound = callee.try_as<BoundNativeObject>()) {
    self = bound->self;
    return bound->function.get();
  }
  if (auto* bound = callee.try_as<BoundMethodObject>()) {
    self = bound->self;
    return bound->function.try_as<NativeFunctionObject>();
  }
  return callee.try_as<NativeFunctionObject>();
}

/// Natives that hand symbolic ints on without looking at them.
bool passes_through(const NativeFunctionObject& native) {
  static constexpr std::string_view kNames[] = {"append", "extend", "isinstance", "items",
                                                "keys",   "values", "get",        "__init__"};
  return std::find(std::begin(kNames), std::end(kNames), native.signature.name) != std::end(kNames);
}

}  // namespace

std::optional<Tracer::Step> Trace::size_query(Frame& frame, uint32_t pc,
                                              const program::Instruction& at, std::string_view name,
                                              const Tensor& tensor,
                                              std::span<const program::Operand> rest) {
  auto sizes = sizes_of(tensor);
  if (!sizes || at.keyword_count > 0 || at.opcode == Opcode::kCallUnpacked) return std::nullopt;
  auto rank = static_cast<int64_t>(sizes->size());
  if (name == "size" && rest.empty()) return put(frame, pc, at, shape_value(*sizes));
  if (name == "size" && rest.size() == 1) {
    const Value& dim = operand(frame, rest[0]);
    if (!dim.is_int() || dim.as_int() < -rank || dim.as_int() >= rank) return std::nullopt;
    int64_t place = dim.as_int() < 0 ? dim.as_int() + rank : dim.as_int();
    return put(frame, pc, at, size_value((*sizes)[static_cast<size_t>(place)]));
  }
  bool counts = (name == "numel" || name == "nelement") && rest.empty();
  if (counts) return put(frame, pc, at, size_value(product(*sizes)));
  if (name == "len" && rank > 0) return put(frame, pc, at, size_value(sizes->front()));
  return std::nullopt;
}

std::optional<Value> Trace::combine_sizes(std::string_view name, const std::vector<Value>& items) {
  std::vector<SymInt> sizes;
  for (const Value& item : items) {
    auto size = as_symbolic(item);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  if (sizes.empty()) return std::nullopt;
  SymInt result = sizes.front();
  for (size_t i = 1; i < sizes.size(); ++i) {
    if (name == "min") result = minimum(result, sizes[i]);
    if (name == "max") result = maximum(result, sizes[i]);
    if (name == "prod") result = result * sizes[i];
    if (name == "sum") result = result + sizes[i];
  }
  return size_value(result);
}

void Trace::make_operator_arguments_plain(Frame& frame, const program::Instruction& at,
                                          const ops::OpEntry& entry, bool bound) {
  const auto& parameters = ops::signature(entry).parameters;
  auto operands = frame.program().tail(at);
  size_t positional = operands.size() - at.keyword_count;
  // Several ints in place of a size all belong to the one parameter.
  size_t several = parameters.size();
  for (size_t k = 0; k < parameters.size(); ++k) {
    bool method_size = bound && k == 1 && parameters[k].types == ops::kTakesSize;
    if (parameters[k].variadic || method_size) several = std::min(several, k);
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string_view name;
    if (i < positional) {
      size_t place = std::min({i + (bound ? 1 : 0), several, parameters.size() - 1});
      name = parameters[place].name;
    } else {
      const Value& names = operand(frame, at.keywords);
      name = names.as<TupleObject>()->items[i - positional].as<StrObject>()->view();
    }
    if (!takes_symbolic(entry, name)) make_plain(frame, operands[i]);
  }
}

std::optional<Tracer::Step> Trace::size_call(Frame& frame, uint32_t pc,
                                             const program::Instruction& at) {
  const Value& callee = operand(frame, at.a);
  auto operands = frame.program().tail(at);
  size_t positional = operands.size() - at.keyword_count;
  auto all_plain = [&]() -> std::optional<Step> {
    for (program::Operand each : operands) make_plain(frame, each);
    make_plain(frame, at.b);
    make_plain(frame, at.c);
    return std::nullopt;
  };
  ShapeEnvironment::Scope scope(shapes_);
  const BuiltinClasses& classes = interpreter_.classes();
  if (auto* cls = callee.try_as<ClassObject>()) {
    bool script = !cls->native;
    bool copies = cls == classes.list.get() || cls == classes.tuple.get();
    if (script || copies) return std::nullopt;
    bool same = cls == classes.integer.get() && at.opcode == Opcode::kCall && operands.size() == 1;
    if (same && operand(frame, operands[0]).is<SymIntObject>())
      return put(frame, pc, at, operand(frame, operands[0]));
    return all_plain();
  }
  Value self;
  NativeFunctionObject* native = native_of(callee, self);
  if (!native) return std::nullopt;
  const std::string& name = native->signature.name;
  if (self.is(kTensorKind)) {
    if (auto step = size_query(frame, pc, at, name, tensor_of(self), operands)) return step;
  } else if (name == "len" && positional == 1) {
    const Value& counted = operand(frame, operands[0]);
    if (counted.is(kTensorKind)) {
      if (auto step = size_query(frame, pc, at, name, tensor_of(counted), operands)) return step;
    }
    return std::nullopt;
  }
  if (const ops::OpEntry* entry = operator_of(*native)) {
    if (at.opcode == Opcode::kCall) {
      make_operator_arguments_plain(frame, at, *entry, self.defined());
      return std::nullopt;
    }
    const auto& parameters = ops::signature(*entry).parameters;
    bool sizes = std::any_of(parameters.begin(), parameters.end(), [&](const auto& parameter) {
      return parameter.variadic && takes_symbolic(*entry, parameter.name);
    });
    return sizes ? std::nullopt : all_plain();
  }
  bool combines = (name == "min" || name == "max" || name == "sum" || name == "prod") &&
                  at.opcode == Opcode::kCall && at.keyword_count == 0 && self.is_undefined();
  if (combines) {
    std::vector<Value> items;
    for (program::Operand each : operands) items.push_back(operand(frame, each));
    if (items.size() == 1 && items_of(items[0])) items = std::vector<Value>(*items_of(items[0]));
    bool any = std::any_of(items.begin(), items.end(), holds_symbolic);
    if (any) {
      if (auto result = combine_sizes(name, items)) return put(frame, pc, at, std::move(*result));
    }
  }
  if (passes_through(*native)) return std::nullopt;
  if (self.defined() && holds_symbolic(self)) make_plain(self);
  return all_plain();
}

namespace {

/// What a tensor says about itself without looking at its sizes.
bool is_harmless(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "dtype",         "device",  "ndim", "dim",  "ndimension", "itemsize", "grad", "element_size",
      "requires_grad", "grad_fn", "cpu",  "type", "callable",   "hasattr",  "id"};
  return name.starts_with("is_") ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace

bool Trace::sizes_are_plain(const NativeFunctionObject& native, const Value* arguments,
                            size_t count) {
  if (shapes_.symbol_count() == 0 || passes_through(native)) return true;
  const std::string& name = native.signature.name;
  for (size_t i = 0; i < count && !is_harmless(name); ++i) {
    if (arguments[i].is(kTensorKind)) specialise_sizes(tensor_of(arguments[i]));
  }
  bool builds = name == "list" || name == "tuple" || name == "len";
  for (size_t i = 0; i < count && !builds; ++i) {
    if (!holds_symbolic(arguments[i])) continue;
    stop(DiagnosticId::kBreakUnsupportedValue,
         fmt::format("`{}` is called with a size that varies", name));
    return false;
  }
  return true;
}

}  // namespace glint::capture
