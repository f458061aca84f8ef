#include "runtime/capture/symbolic_float.h"

#include <bit>

#include "core/support/check.h"
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

/// The value of a step that computes; undefined, with an exception pending, if it raised.
Value compute_step(Interpreter& interpreter, const FloatStep& step, std::span<const Value> values) {
  const Value& first = values[step.operands[0]];
  if (step.kind == FloatStep::Kind::kToFloat) return Value(first.to_double());
  if (step.kind == FloatStep::Kind::kNative) return call_native(interpreter, step, values);
  if (step.operand_count == 1) return unary(interpreter, step.opcode, first);
  const Value& second = values[step.operands[1]];
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
         constant.tag() == other.constant.tag() && constant.identical(other.constant);
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
  if (!value.is_float()) return std::nullopt;
  return add(step, std::move(value));
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
        if (values[i].is_float()) continue;
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
