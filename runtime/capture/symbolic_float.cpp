#include "runtime/capture/symbolic_float.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "core/support/check.h"
#include "runtime/capture/guard_program.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using program::Opcode;
using runtime::Interpreter;
using runtime::NativeCall;
using runtime::NativeFunctionObject;
using runtime::Value;

namespace {

/// The most frequent operators on two floats, without the interpreter's dispatch; false for others
/// and where one would raise.
bool compute_floats(Opcode opcode, double a, double b, Value& result) {
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kAddInPlace:
      result.put(a + b);
      return true;
    case Opcode::kSubtract:
    case Opcode::kSubtractInPlace:
      result.put(a - b);
      return true;
    case Opcode::kMultiply:
    case Opcode::kMultiplyInPlace:
      result.put(a * b);
      return true;
    case Opcode::kDivide:
    case Opcode::kDivideInPlace:
      if (b == 0.0) return false;
      result.put(a / b);
      return true;
    default:
      return false;
  }
}

Value call_native(Interpreter& interpreter, const FloatStep& step, std::span<const Value> values) {
  auto* native = step.constant.as<NativeFunctionObject>();
  std::array<Value, FloatStep::kMostOperands> arguments;
  const auto& parameters = native->signature.parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    arguments[i] = i < step.operand_count ? values[step.operands[i]] : parameters[i].default_value;
  NativeCall call{interpreter, arguments.data(), parameters.size(), native};
  return native->function(call);
}

/// As Python's: the second only where it is less than the first, or greater.
Value extreme(Interpreter& interpreter, FloatStep::Kind kind, const Value& first,
              const Value& second) {
  Opcode sign = kind == FloatStep::Kind::kLeast ? Opcode::kLess : Opcode::kGreater;
  Value takes_second = compare(interpreter, sign, second, first);
  if (takes_second.is_undefined()) return takes_second;
  return takes_second.as_bool() ? second : first;
}

bool is_extreme(const FloatStep& step) {
  return step.kind == FloatStep::Kind::kLeast || step.kind == FloatStep::Kind::kGreatest;
}

/// Whether it is what such a step gives at each hit.
bool fits(const FloatStep& step, const Value& value) {
  if (step.whole) return value.is_int();
  return is_extreme(step) ? value.is_number() : value.is_float();
}

/// `int(x)`; what is too large for a plain int stays a float, which does not fit.
Value to_int(double x) {
  const double whole = std::trunc(x);
  return std::fabs(whole) < 0x1p62 ? Value(static_cast<int64_t>(whole)) : Value(whole);
}

/// The value of a step that computes; undefined, with an exception pending, if it raised.
Value compute_step(Interpreter& interpreter, const FloatStep& step, std::span<const Value> values) {
  const Value& first = values[step.operands[0]];
  if (step.kind == FloatStep::Kind::kToFloat) return Value(first.to_double());
  if (step.kind == FloatStep::Kind::kToInt) return to_int(first.to_double());
  if (step.kind == FloatStep::Kind::kNative) return call_native(interpreter, step, values);
  if (step.operand_count == 1) return unary(interpreter, step.opcode, first);
  const Value& second = values[step.operands[1]];
  if (is_extreme(step)) return extreme(interpreter, step.kind, first, second);
  Value result;
  bool real = first.is_float() && second.is_float();
  if (real && compute_floats(step.opcode, first.as_float(), second.as_float(), result))
    return result;
  return binary(interpreter, step.opcode, first, second);
}

}  // namespace

bool FloatStep::operator==(const FloatStep& other) const {
  return kind == other.kind && opcode == other.opcode && operand_count == other.operand_count &&
         operands == other.operands && source == other.source && symbol == other.symbol &&
         whole == other.whole && constant.tag() == other.constant.tag() &&
         constant.identical(other.constant);
}

size_t FloatStep::hash() const {
  // A symbol takes no part: a region has few of them.
  uint64_t bits = constant.is_float() ? std::bit_cast<uint64_t>(constant.as_float())
                                      : static_cast<uint64_t>(constant.as_int());
  size_t hash = static_cast<size_t>(kind) << 8 | static_cast<size_t>(opcode);
  auto mix = [&](uint64_t part) { hash = (hash ^ part) * 0x9e3779b97f4a7c15u; };
  mix(bits);
  mix(static_cast<uint64_t>(source));
  for (uint32_t operand : operands) mix(operand);
  return hash;
}

uint32_t FloatProgram::add(const FloatStep& step, Value hint) {
  const size_t hash = step.hash();
  auto [first, last] = by_hash_.equal_range(hash);
  for (auto known = first; known != last; ++known)
    if (steps_[known->second] == step) return known->second;
  auto number = static_cast<uint32_t>(steps_.size());
  by_hash_.emplace(hash, number);
  steps_.push_back(step);
  hints_.push_back(std::move(hint));
  return number;
}

std::optional<uint32_t> FloatProgram::compute(Interpreter& interpreter, const FloatStep& step) {
  Value value = compute_step(interpreter, step, hints_);
  if (value.is_undefined()) interpreter.take_pending();
  FloatStep made = step;
  made.whole = step.kind == FloatStep::Kind::kToInt ||
               (step.kind == FloatStep::Kind::kNative && value.is_int());
  if (!fits(made, value)) return std::nullopt;
  return add(made, std::move(value));
}

bool FloatProgram::gives_float(uint32_t step) const {
  const FloatStep& made = steps_[step];
  if (made.kind == FloatStep::Kind::kConstant) return made.constant.is_float();
  if (made.whole) return false;
  if (!is_extreme(made)) return made.kind != FloatStep::Kind::kSymbol;
  return gives_float(made.operands[0]) && gives_float(made.operands[1]);
}

void FloatProgram::close(std::vector<bool>& steps) const {
  for (size_t i = steps.size(); i-- > 0;)
    for (uint8_t k = 0; steps[i] && k < steps_[i].operand_count; ++k)
      steps[steps_[i].operands[k]] = true;
}

FloatProgram FloatProgram::part(std::vector<bool> steps, std::vector<uint32_t>& places) const {
  close(steps);
  places.assign(steps.size(), 0);
  FloatProgram made;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i]) continue;
    FloatStep step = steps_[i];
    for (uint8_t k = 0; k < step.operand_count; ++k) step.operands[k] = places[step.operands[k]];
    places[i] = made.add(step, hints_[i]);
  }
  return made;
}

std::string FloatProgram::text(uint32_t step, const SourceTable& sources) const {
  static constexpr std::string_view kSigns[] = {"+", "-", "*", "@", "/", "//", "%", "**"};
  const FloatStep& made = steps_[step];
  std::string operands[FloatStep::kMostOperands];
  for (uint8_t k = 0; k < made.operand_count; ++k) operands[k] = text(made.operands[k], sources);
  auto call = [&](std::string_view function) {
    std::string list;
    for (uint8_t k = 0; k < made.operand_count; ++k) list += (k ? ", " : "") + operands[k];
    return fmt::format("{}({})", function, list);
  };
  switch (made.kind) {
    case FloatStep::Kind::kConstant: {
      std::string number;
      repr_of(Interpreter::current(), made.constant, number);
      return number;
    }
    case FloatStep::Kind::kSource:
      return sources.text(made.source);
    case FloatStep::Kind::kSymbol:
      return made.symbol.text();
    case FloatStep::Kind::kToFloat:
      return call("float");
    case FloatStep::Kind::kToInt:
      return call("int");
    case FloatStep::Kind::kLeast:
      return call("min");
    case FloatStep::Kind::kGreatest:
      return call("max");
    case FloatStep::Kind::kNative:
      return call(made.constant.as<NativeFunctionObject>()->signature.name);
    case FloatStep::Kind::kOperator:
      break;
  }
  for (uint8_t k = 0; k < made.operand_count; ++k)
    if (steps_[made.operands[k]].kind == FloatStep::Kind::kOperator)
      operands[k] = fmt::format("({})", operands[k]);
  if (made.operand_count == 1) return (made.opcode == Opcode::kNegative ? "-" : "+") + operands[0];
  bool in_place = made.opcode >= Opcode::kAddInPlace;
  size_t sign = static_cast<size_t>(made.opcode) -
                static_cast<size_t>(in_place ? Opcode::kAddInPlace : Opcode::kAdd);
  return fmt::format("{} {} {}", operands[0], kSigns[sign], operands[1]);
}

bool FloatProgram::run(Interpreter& interpreter, const GuardProgram& guards,
                       std::span<const int64_t> symbols, std::vector<Value>& values) const {
  for (size_t i = 0; i < steps_.size(); ++i) {
    const FloatStep& step = steps_[i];
    switch (step.kind) {
      case FloatStep::Kind::kConstant:
        break;  // as it was in the call that was traced
      case FloatStep::Kind::kSource:
        values[i].put(guards.slot(step.source)->as_float());
        break;
      case FloatStep::Kind::kSymbol:
        values[i].put(step.symbol.evaluate(symbols));
        break;
      default:
        values[i] = compute_step(interpreter, step, values);
        if (fits(step, values[i])) continue;
        if (values[i].is_undefined()) interpreter.take_pending();
        return false;
    }
  }
  return true;
}

void RegionFloats::start() {
  values = program.hints();
  numbers.resize(inputs.size());
  fill_numbers();
}

bool RegionFloats::fill(Interpreter& interpreter, const GuardProgram& guards,
                        std::span<const int64_t> symbols) {
  if (!program.run(interpreter, guards, symbols, values)) return false;
  fill_numbers();
  return true;
}

void RegionFloats::fill_numbers() {
  for (size_t i = 0; i < inputs.size(); ++i) numbers[i] = values[inputs[i]].as_float();
}

}  // namespace glint::capture
