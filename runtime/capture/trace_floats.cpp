// Symbolic floats in a trace: where they come from, and what makes plain numbers of them.
//
//     rate = group["lr"]               any float: a source
//     rate = rate / (1 - 0.9 ** step)  arithmetic on numbers: a step of the float program
//     rate = min(1, rate)              the same
//     y = x * rate                     an operator's number: a parameter of the graph, %number: f64
//     if rate > 0.5: ...               decided as this call has it; that it is, is a guard
//     name[rate] ...                   any other use: the floats and sizes that rate is made of are
//                                      guarded to be what they are, and rate is a plain number
//
// Which instructions see them, and what becomes of the others, is in trace_sizes.cpp and
// trace_size_calls.cpp, as for symbolic ints. symbolic_float.h runs the program.

#include <fmt/format.h>

#include <algorithm>

#include "ops/infer.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

// ---- Sources -----------------------------------------------------------------------------------

bool Trace::note_loaded(const Value& value, SourceId source) {
  bool symbolic = value.is_float() && options_.dynamic != DynamicSizes::kNever;
  if (!symbolic) return note(value, source);
  if (!noted_sources_.insert(static_cast<uint32_t>(source)).second) return true;
  add_guard({.kind = GuardKind::kFloat, .source = source});
  floats_.of_source[source] =
      floats_.program.add({.kind = FloatStep::Kind::kSource, .source = source}, value);
  return true;
}

Value Trace::settle_whole(uint32_t step) {
  const Value hint = floats_.program.hints()[step];
  decide_steps(Opcode::kEqual, step, *floats_.operand(hint));
  return hint;
}

void Trace::specialise_float(uint32_t step, const std::string& reason) {
  if (floats_.program.steps()[step].whole) {
    settle_whole(step);
    return;
  }
  std::vector<bool> needed = floats_.needed_for(step);
  for (size_t i = step + 1; i-- > 0;) {
    if (!needed[i]) continue;
    const FloatStep& each = floats_.program.steps()[i];
    if (each.kind == FloatStep::Kind::kSymbol) sizes_.specialise(each.symbol);
    if (each.kind == FloatStep::Kind::kSource && floats_.fixed.insert(each.source).second) {
      add_guard({.kind = GuardKind::kEquals,
                 .source = each.source,
                 .expected = floats_.program.hints()[i],
                 .reason = reason});
    }
  }
}

// ---- Arithmetic --------------------------------------------------------------------------------

namespace {

bool is_arithmetic(Opcode opcode) {
  switch (opcode) {
    case Opcode::kNegative:
    case Opcode::kPositive:
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kDivide:
    case Opcode::kFloorDivide:
    case Opcode::kModulo:
    case Opcode::kPower:
    case Opcode::kAddInPlace:
    case Opcode::kSubtractInPlace:
    case Opcode::kMultiplyInPlace:
    case Opcode::kDivideInPlace:
    case Opcode::kFloorDivideInPlace:
    case Opcode::kModuloInPlace:
    case Opcode::kPowerInPlace:
      return true;
    default:
      return false;
  }
}

/// Whether an operator on two ints may give a float.
bool leaves_ints(Opcode opcode) {
  return opcode == Opcode::kDivide || opcode == Opcode::kDivideInPlace ||
         opcode == Opcode::kPower || opcode == Opcode::kPowerInPlace;
}

bool is_real(const Value& value) {
  return value.is_float() || value.is<SymFloatObject>();
}

}  // namespace

std::optional<Tracer::Step> Trace::float_instruction(Frame& frame, uint32_t pc,
                                                     const program::Instruction& at) {
  if (!is_arithmetic(at.opcode)) return std::nullopt;
  auto gives_float = [&](const Value& value) {
    auto* symbolic = value.try_as<SymFloatObject>();
    return symbolic ? floats_.program.gives_float(symbolic->step) : value.is_float();
  };
  bool divides = at.opcode == Opcode::kDivide || at.opcode == Opcode::kDivideInPlace;
  if (!divides && !gives_float(operand(frame, at.a)) && !gives_float(operand(frame, at.b))) {
    settle(frame, at.a);
    settle(frame, at.b);
  }
  const Value operands[] = {operand(frame, at.a), operand(frame, at.b)};
  if (!is_real(operands[0]) && !is_real(operands[1]) && !leaves_ints(at.opcode))
    return std::nullopt;
  FloatStep step{.kind = FloatStep::Kind::kOperator, .opcode = at.opcode};
  std::optional<Value> made =
      floats_.compute(interpreter_, step, {operands, at.b.none() ? 1u : 2u});
  if (!made) return std::nullopt;
  return put(frame, pc, at, std::move(*made));
}

std::optional<Tracer::Step> Trace::float_call(Frame& frame, uint32_t pc,
                                              const program::Instruction& at,
                                              const NativeFunctionObject& native) {
  static constexpr std::string_view kBuiltins[] = {"abs", "pow", "round"};
  const NativeSignature& signature = native.signature;
  bool known = native.module_name == "math" ||
               (native.module_name == "builtins" &&
                std::ranges::find(kBuiltins, signature.name) != std::end(kBuiltins));
  auto given = frame.program().tail(at);
  bool fits = signature.simple && at.opcode == Opcode::kCall && at.keyword_count == 0 &&
              signature.parameters.size() <= FloatStep::kMostOperands && !given.empty() &&
              given.size() >= signature.required && given.size() <= signature.parameters.size();
  if (!known || !fits) return std::nullopt;
  std::vector<Value> operands;
  for (program::Operand each : given) operands.push_back(operand(frame, each));
  if (std::ranges::none_of(operands, holds_symbolic)) return std::nullopt;
  Value function(Ref<NativeFunctionObject>(const_cast<NativeFunctionObject*>(&native)));
  std::optional<Value> made = floats_.compute(
      interpreter_, {.kind = FloatStep::Kind::kNative, .constant = std::move(function)}, operands);
  if (!made) return std::nullopt;
  return put(frame, pc, at, std::move(*made));
}

// ---- Comparisons -------------------------------------------------------------------------------

bool Trace::decide_steps(Opcode opcode, uint32_t left, uint32_t right) {
  bool added = false;
  bool outcome = floats_.compare(interpreter_, opcode, left, right, added);
  if (!added) return outcome;
  static constexpr std::string_view kSigns[] = {"<", "<=", "==", "!=", ">", ">="};
  size_t sign = static_cast<size_t>(opcode) - static_cast<size_t>(Opcode::kLess);
  add_guard({.kind = GuardKind::kOutcome,
             .flag = outcome,
             .name = fmt::format("{} {} {}", floats_.program.text(left, sources_),
                                 opcode == Opcode::kIn ? "in" : kSigns[sign],
                                 floats_.program.text(right, sources_)),
             .comparison = static_cast<uint32_t>(floats_.comparisons.size() - 1)});
  return outcome;
}

std::optional<bool> Trace::decide_floats(Opcode opcode, const Value& left, const Value& right) {
  std::optional<uint32_t> a = floats_.operand(left), b = floats_.operand(right);
  return a && b ? std::optional(decide_steps(opcode, *a, *b)) : std::nullopt;
}

std::optional<Tracer::Step> Trace::float_comparison(Frame& frame, uint32_t pc,
                                                    const program::Instruction& at) {
  const Value& a = operand(frame, at.a);
  if (at.opcode >= Opcode::kLess && at.opcode <= Opcode::kGreaterEqual) {
    std::optional<bool> outcome = decide_floats(at.opcode, a, operand(frame, at.b));
    return outcome ? std::optional(put(frame, pc, at, Value(*outcome))) : std::nullopt;
  }
  bool tests = at.opcode == Opcode::kNot || at.opcode == Opcode::kJumpIfTrue ||
               at.opcode == Opcode::kJumpIfFalse;
  if (!tests || !a.is<SymFloatObject>()) return std::nullopt;
  bool truth = *decide_floats(Opcode::kNotEqual, a, Value(int64_t{0}));
  if (at.opcode == Opcode::kNot) return put(frame, pc, at, Value(!truth));
  bool jumps = truth == (at.opcode == Opcode::kJumpIfTrue);
  interpreter_.jump_to(frame, jumps ? at.immediate : pc + 1);
  return Step::kDone;
}

std::optional<Value> Trace::float_combination(std::string_view name,
                                              std::span<const Value> numbers) {
  if (name == "sum") return floats_.sum(interpreter_, numbers);
  if (numbers.empty() || (name != "min" && name != "max")) return std::nullopt;
  FloatStep::Kind kind = name == "min" ? FloatStep::Kind::kLeast : FloatStep::Kind::kGreatest;
  return floats_.extreme(interpreter_, kind, numbers);
}

void Trace::settle(Value& place) {
  while (auto* symbolic = place.try_as<SymFloatObject>()) {
    const FloatStep made = floats_.program.steps()[symbolic->step];
    if (made.kind == FloatStep::Kind::kConstant) {
      place = made.constant;
    } else if (floats_.program.gives_float(symbolic->step)) {
      return;
    } else if (made.whole) {
      place = settle_whole(symbolic->step);
    } else if (made.kind == FloatStep::Kind::kSymbol) {
      place = sizes_.value(made.symbol);
    } else {
      Opcode sign = made.kind == FloatStep::Kind::kLeast ? Opcode::kLess : Opcode::kGreater;
      bool second = decide_steps(sign, made.operands[1], made.operands[0]);
      place = floats_.value(made.operands[second ? 1 : 0]);
    }
  }
  if (!holds_symbolic(place)) return;
  if (auto* list = place.try_as<ListObject>())
    for (Value& item : list->items) settle(item);
  else if (auto* tuple = place.try_as<TupleObject>())
    for (Value& item : tuple->items) settle(item);
}

void Trace::settle(Frame& frame, program::Operand which) {
  if (which.is_register()) settle(frame.registers[which.index()]);
}

std::shared_ptr<FloatComparisons> Trace::float_comparisons() const {
  if (floats_.comparisons.empty()) return nullptr;
  return std::make_shared<FloatComparisons>(interpreter_, floats_.program, floats_.comparisons);
}

// ---- Operators ---------------------------------------------------------------------------------

namespace {

/// Whether a dtype is asked for in which not every number has a place.
bool asks_for_integers(std::span<const Value> arguments) {
  return std::ranges::any_of(arguments, [](const Value& each) {
    auto* wanted = each.try_as<DTypeObject>();
    return wanted && !is_floating(wanted->dtype);
  });
}

/// Whether a number that is no operand is converted to float16, in which many have no place: one
/// beyond it raises.
bool becomes_float16(const ops::OpEntry& entry, size_t place, std::span<const Value> arguments) {
  if (entry.numbers.held_in_float32 || place < ops::operand_count(entry)) return false;
  return std::ranges::any_of(arguments, [](const Value& each) {
    if (auto* wanted = each.try_as<DTypeObject>()) return wanted->dtype == DType::kFloat16;
    return each.is(kTensorKind) && each.as<TensorImpl>()->dtype == DType::kFloat16;
  });
}

bool takes_numbers(const ops::OpEntry& entry, size_t place, std::span<const Value> arguments) {
  const ops::Signature& signature = ops::signature(entry);
  auto is_it = [&](const ops::VaryingNumber& row) {
    return row.parameter && signature.parameters[place].name == row.parameter;
  };
  auto row = std::ranges::find_if(entry.numbers.vary, is_it);
  if (row == std::end(entry.numbers.vary))
    return !entry.numbers.fixed && place < ops::operand_count(entry);
  if (asks_for_integers(arguments)) return false;
  if (!row->floating) return true;
  const Value& tensor = arguments[*signature.find(row->floating)];
  return tensor.is(kTensorKind) && is_floating(tensor.as<TensorImpl>()->dtype);
}

}  // namespace

bool Trace::takes_any_number(const ops::OpEntry& entry, size_t place,
                             std::span<const Value> arguments, const SymFloatObject& number) {
  return floats_.program.gives_float(number.step) && takes_numbers(entry, place, arguments);
}

bool Trace::is_float16(const Value& number) {
  constexpr double kMost = 65504.0;
  return decide_floats(Opcode::kLessEqual, number, Value(kMost)).value_or(false) &&
         decide_floats(Opcode::kGreaterEqual, number, Value(-kMost)).value_or(false);
}

Value Trace::operator_argument(const ops::OpEntry& entry, size_t place,
                               std::span<const Value> arguments) {
  auto* symbolic = arguments[place].try_as<SymFloatObject>();
  if (!symbolic || (takes_any_number(entry, place, arguments, *symbolic) &&
                    (!becomes_float16(entry, place, arguments) || is_float16(arguments[place]))))
    return arguments[place];
  const ops::Signature& signature = ops::signature(entry);
  specialise_float(symbolic->step, fmt::format("a constant of `{}`'s `{}`", signature.name,
                                               signature.parameters[place].name));
  return symbolic->hint;
}

Tensor Trace::number_of(const ops::OpEntry& entry, size_t place, std::span<const Value> arguments) {
  auto* symbolic = arguments[place].try_as<SymFloatObject>();
  const ops::OpEntry& recorded = entry.functional_form ? *entry.functional_form : entry;
  bool kept = symbolic && recorded.numbers.any_in_gradients &&
              takes_any_number(recorded, place, arguments, *symbolic);
  if (!kept) return Tensor();
  return made_.pending_number(symbolic->step, number_parameter(symbolic->step));
}

Value Trace::value_of_number(const Tensor& tensor) {
  TracedTensor* record = tensor.defined() ? traced(tensor) : nullptr;
  return record && record->number ? floats_.value(*record->number) : Value();
}

glint::Value Trace::number_parameter(uint32_t step) {
  if (const glint::Value* known = made_.number_of(step)) return *known;
  const FloatStep& made = floats_.program.steps()[step];
  bool given = made.kind == FloatStep::Kind::kSource;
  return made_.add_number(step, given ? parameter_name(made.source) : "number", places_.spans);
}

}  // namespace glint::capture
