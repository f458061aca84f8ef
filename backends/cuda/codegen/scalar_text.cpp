#include "backends/cuda/codegen/scalar_text.h"

#include <fmt/format.h>

#include <array>

#include "core/support/check.h"

namespace glint::cuda {
namespace {

/// A function of integers and of truth values; {0}, {1} are operands, {2} their type. What is empty
/// does not exist for the type: the verifier has seen to that.
struct ExactRow {
  ScalarFunction function;
  std::string_view integers;
  std::string_view truths;
  Piece piece = Piece::kIntegers;
};

constexpr std::array kExact = [] {
  using enum ScalarFunction;
  return std::to_array<ExactRow>({
      {kAdd, "wrapping_add({0}, {1})", "{0} || {1}", Piece::kWrappingAdd},
      {kSubtract, "wrapping_subtract({0}, {1})", "", Piece::kWrappingSubtract},
      {kMultiply, "wrapping_multiply({0}, {1})", "{0} && {1}", Piece::kWrappingMultiply},
      {kFloorDivide, "floor_divide({0}, {1})", "", Piece::kDivision},
      {kRemainder, "floor_remainder({0}, {1})", "", Piece::kDivision},
      {kFmod, "trunc_remainder({0}, {1})", "", Piece::kDivision},
      {kPower, "integer_power({0}, {1})", "", Piece::kPower},
      {kMaximum, "{0} > {1} ? {0} : {1}", "{0} || {1}"},
      {kMinimum, "{0} < {1} ? {0} : {1}", "{0} && {1}"},
      {kNegative, "wrapping_subtract(({2})0, {0})", "", Piece::kWrappingSubtract},
      {kAbs, "integer_abs({0})", "", Piece::kSigns},
      {kSign, "integer_sign({0})", "{0}", Piece::kSigns},
      {kSquare, "wrapping_multiply({0}, {0})", "", Piece::kWrappingMultiply},
      {kFloor, "{0}", ""},
      {kCeil, "{0}", ""},
      {kRound, "{0}", ""},
      {kTrunc, "{0}", ""},
      {kIsnan, "false", "false"},
      {kIsinf, "false", "false"},
      {kIsfinite, "true", "true"},
      {kSignbit, "{0} < 0", "false"},
      {kEqual, "{0} == {1}", "{0} == {1}"},
      {kNotEqual, "{0} != {1}", "{0} != {1}"},
      {kLess, "{0} < {1}", "{0} < {1}"},
      {kLessEqual, "{0} <= {1}", "{0} <= {1}"},
      {kGreater, "{0} > {1}", "{0} > {1}"},
      {kGreaterEqual, "{0} >= {1}", "{0} >= {1}"},
      {kBitwiseAnd, "({2})({0} & {1})", "{0} && {1}"},
      {kBitwiseOr, "({2})({0} | {1})", "{0} || {1}"},
      {kBitwiseXor, "({2})({0} ^ {1})", "{0} != {1}"},
      {kBitwiseNot, "({2})~{0}", "!{0}"},
      {kShiftLeft, "shift_left({0}, {1})", "{0} && !{1}", Piece::kShifts},
      {kShiftRight, "shift_right({0}, {1})", "{0} && !{1}", Piece::kShifts},
  });
}();

std::string exact_text(Definitions& definitions, ScalarFunction function, DType dtype,
                       const std::vector<std::string>& operands) {
  for (const ExactRow& row : kExact) {
    if (row.function != function) continue;
    const std::string_view pattern = is_bool(dtype) ? row.truths : row.integers;
    check(!pattern.empty(), "the verifier admits only dtypes that a function takes");
    if (!is_bool(dtype)) definitions.use(row.piece);
    return fmt::format(fmt::runtime(pattern), operands[0], operands.back(), value_type(dtype));
  }
  fail("an integer function that has no text");
}

std::string truth_text(DType dtype, const std::string& operand) {
  return is_bool(dtype) ? operand : fmt::format("{} != 0", operand);
}

std::string logical_text(ScalarFunction function, DType dtype,
                         const std::vector<std::string>& operands) {
  const std::string x = truth_text(dtype, operands[0]);
  if (function == ScalarFunction::kLogicalNot)
    return is_bool(dtype) ? "!" + x : fmt::format("{} == 0", operands[0]);
  const std::string_view sign = function == ScalarFunction::kLogicalAnd  ? "&&"
                                : function == ScalarFunction::kLogicalOr ? "||"
                                                                         : "!=";
  const std::string y = truth_text(dtype, operands[1]);
  if (is_bool(dtype)) return fmt::format("{} {} {}", x, sign, y);
  return fmt::format("({}) {} ({})", x, sign, y);
}

}  // namespace

std::string rounded_text(Definitions& definitions, DType dtype, std::string text) {
  if (dtype != DType::kFloat16 && dtype != DType::kBFloat16) return text;
  definitions.memory(dtype);
  return fmt::format("round_to_{}({})", dtype == DType::kFloat16 ? "half" : "bfloat16", text);
}

std::string compute_text(Definitions& definitions, ScalarFunction function, DType dtype,
                         const std::vector<std::string>& operands) {
  if (function == ScalarFunction::kWhere)
    return fmt::format("{} ? {} : {}", operands[0], operands[1], operands[2]);
  if (function >= ScalarFunction::kLogicalAnd && function <= ScalarFunction::kLogicalNot)
    return logical_text(function, dtype, operands);
  if (!is_floating(dtype)) return exact_text(definitions, function, dtype, operands);
  const DType held = dtype == DType::kFloat64 ? dtype : DType::kFloat32;
  std::string text = definitions.floating(function, held, operands);
  if (info(function).result == ScalarResult::kBool) return text;
  return rounded_text(definitions, dtype, std::move(text));
}

std::string cast_text(Definitions& definitions, DType from, DType to, const std::string& operand) {
  if (from == to) return operand;
  if (is_bool(to)) return truth_text(from, operand);
  const bool same_type = value_type(from) == value_type(to);
  if (is_floating(to)) {
    const DType held = to == DType::kFloat64 ? to : DType::kFloat32;
    std::string text = same_type ? operand : fmt::format("({}){}", value_type(held), operand);
    return rounded_text(definitions, to, std::move(text));
  }
  // A number beyond the narrow types' range is cut by way of a wider one, of PyTorch's choice.
  if (is_floating(from) && dtype_size(to) < 4)
    return fmt::format("({})({}){}", value_type(to), to == DType::kUInt8 ? "int64" : "int",
                       operand);
  return fmt::format("({}){}", value_type(to), operand);
}

}  // namespace glint::cuda
