// Elementwise operators of two operands: arithmetic, truth values, bits.
//
//     torch.add(x, y, alpha=2)      out[i, j] = x[i, j] + 2 * y[j]      sizes broadcast
//
// Either operand may be a Python number, which promotes less than a tensor does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// Whether an argument is a number, given or an input of the graph.
bool is_any_number(OpBuilder& b, const OpArgument& argument) {
  return !argument.is_value() || b.type(argument.tensor()).scalar;
}

/// A number as a tensor of no dimensions, on which alpha multiplies: the product of two numbers
/// would be of the default dtype, whatever it is added to.
OpValue full_like(OpBuilder& b, const OpArgument& like, const OpArgument& number) {
  DType dtype = like.is_value() ? b.dtype(like.tensor()) : default_dtype();
  const bool is_real = number.is_value() ? is_floating(b.dtype(number.tensor()))
                                         : number.get_if<double>() != nullptr;
  if (is_real && !is_floating(dtype)) dtype = default_dtype();
  // What is too large for the elements is infinite, or cut to their bits.
  const DType wide = is_floating(dtype) ? DType::kFloat64 : DType::kInt64;
  return b.to(b.full({}, number, wide), dtype);
}

bool is_one(const OpArgument& argument) {
  const SymInt* value = argument.get_if<SymInt>();
  return value && value->is(1);
}

void check_alpha(OpBuilder& b, OpArguments arguments) {
  if (arguments[2].get_if<bool>()) {
    for (const OpArgument& operand : arguments.first(2))
      if (!(operand.is_value() ? is_bool(b.dtype(operand.tensor())) : !!operand.get_if<bool>()))
        throw OpError{"RuntimeError", "Boolean alpha only supported for Boolean results."};
    return;
  }
  bool real = arguments[2].get_if<double>() ||
              (arguments[2].is_value() && is_floating(b.dtype(arguments[2].tensor())));
  if (!real) return;
  for (const OpArgument& operand : arguments.first(2))
    if (operand.get_if<double>() || (operand.is_value() && is_floating(b.dtype(operand.tensor()))))
      return;
  throw OpError{"RuntimeError",
                "For integral input tensors, argument alpha must not be a floating point number."};
}

/// alpha * y, where a bool takes the dtype of x, of which the sum is: two bools' sum is a bool.
OpValue times_alpha(OpBuilder& b, const OpArgument& x, OpValue y, const OpArgument& alpha) {
  if (!is_bool(b.dtype(y))) return b.multiply(y, alpha);
  const DType dtype = b.dtype(x.tensor());
  if (!is_bool(dtype)) return b.multiply(b.to(y, dtype), alpha);
  OpValue factor = alpha.is_value() ? alpha.tensor() : b.full({}, alpha, DType::kInt64);
  return b.call("logical_and", {y, factor});
}

bool is_real(OpBuilder& b, const OpArgument& operand) {
  return operand.is_value() ? is_floating(b.dtype(operand.tensor()))
                            : operand.get_if<double>() != nullptr;
}

/// A number that varies is negated in the dtype of the operands, whose digits it has.
OpArgument negated(OpBuilder& b, const OpArgument& number, const OpValue& x, const OpValue& y) {
  if (const SymInt* whole = number.get_if<SymInt>()) return -*whole;
  if (!number.is_value()) return -as_float(number);
  const InferArgument types[] = {b.type(x), b.type(y)};
  return b.negative(b.full({}, number, promoted_dtype(types)));
}

/// x + alpha * y, rounded once where floats come out; nothing for alpha = 1, which the lowering
/// covers.
std::vector<OpValue> add_alpha(OpBuilder& b, OpArguments arguments) {
  if (is_one(arguments[2])) return {};
  if (!arguments[0].is_value())
    throw OpError{"TypeError", "add(): argument 'input' (position 1) must be Tensor, with alpha"};
  check_alpha(b, arguments);
  OpValue other = is_any_number(b, arguments[1]) ? full_like(b, arguments[0], arguments[1])
                                                 : arguments[1].tensor();
  if (is_real(b, arguments[0]) || is_real(b, other))
    return {b.fma(other, arguments[2], arguments[0])};
  return {b.add(arguments[0], times_alpha(b, arguments[0], other, arguments[2]))};
}

std::vector<OpValue> subtract_alpha(OpBuilder& b, OpArguments arguments) {
  if (is_one(arguments[2])) return {};
  if (!arguments[0].is_value())
    throw OpError{"TypeError", "sub(): argument 'input' (position 1) must be Tensor, with alpha"};
  // A bool is refused as without alpha, which would make a number of it.
  if (std::ranges::any_of(arguments.first(2), [&](const OpArgument& operand) {
        return operand.is_value() ? is_bool(b.dtype(operand.tensor())) : !!operand.get_if<bool>();
      }))
    return {b.subtract(arguments[0], arguments[1])};
  check_alpha(b, arguments);
  OpValue other = is_any_number(b, arguments[1]) ? full_like(b, arguments[0], arguments[1])
                                                 : arguments[1].tensor();
  if (is_real(b, arguments[0]) || is_real(b, other))
    return {b.fma(other, negated(b, arguments[2], arguments[0].tensor(), other), arguments[0])};
  return {b.subtract(arguments[0], b.multiply(other, arguments[2]))};
}

std::vector<OpValue> divide_rounding(OpBuilder& b, OpArguments arguments) {
  if (arguments[2].is_none()) return {};
  const std::string& mode = *arguments[2].get_if<std::string>();
  if (mode == "floor") return {b.call("floor_divide", {arguments[0], arguments[1]})};
  if (mode != "trunc")
    throw OpError{"RuntimeError",
                  "div expected rounding_mode to be one of None, 'trunc', or 'floor' "
                  "but found '" +
                      mode + "'"};
  // Integers stay integers: what remains of them is taken away, and the rest is divided exactly.
  OpValue remainder = b.call("fmod", {arguments[0], arguments[1]});
  const DType dtype = b.dtype(remainder);
  if (!is_floating(dtype)) {
    const bool is_mask = arguments[0].is_value() && is_bool(b.dtype(arguments[0].tensor()));
    OpArgument dividend = is_mask ? OpArgument(b.to(arguments[0].tensor(), dtype)) : arguments[0];
    return {b.call("floor_divide", {b.subtract(dividend, remainder), arguments[1]})};
  }
  const bool by_number = !arguments[1].is_value() || is_one_element(b.type(arguments[1].tensor()));
  if (!is_narrow_float(dtype) || !arguments[0].is_value() || !by_number)
    return {b.call("trunc", {b.divide(arguments[0], arguments[1])})};
  // The quotient by one number is rounded behind its point, and then to 16 bits.
  OpValue dividend = b.to(b.to(arguments[0].tensor(), dtype), DType::kFloat32);
  return {b.to(b.call("trunc", {b.divide(dividend, arguments[1])}), dtype)};
}

// ---- gradients ---------------------------------------------------------------------------------

OpValue times_alpha(GradientCall& g, OpValue gradient) {
  return is_one(g["alpha"]) ? gradient : g.b.multiply(gradient, g["alpha"]);
}

/// A rounded quotient is flat.
OpValue quotient_input(GradientCall& g) {
  if (!g.is_none("rounding_mode")) return g.zeros_like("input");
  return g.b.divide(g.out(), g["other"]);
}
OpValue quotient_other(GradientCall& g) {
  if (!g.is_none("rounding_mode")) return g.zeros_like("other");
  OpValue slope = g.b.divide(g.b.divide(g["input"], g["other"]), g["other"]);
  return g.b.multiply(g.b.negative(g.out()), slope);
}

OpValue rounded_quotient(GradientCall& g, const char* mode) {
  return g.b.call("divide", {g["input"], g["other"], mode});
}

/// x / (input^2 + other^2), and 0 at the origin.
OpValue over_radius(GradientCall& g, OpValue x) {
  OpValue squares =
      g.b.add(g.b.multiply(g["input"], g["input"]), g.b.multiply(g["other"], g["other"]));
  return g.b.where(g.b.equal(squares, 0), 0, g.b.divide(std::move(x), squares));
}

/// A number on the left is subtracted from by `rsub`, and divided as `reciprocal(x) * number`.
const char* subtract_name(Arguments arguments) {
  return arguments[0].is_value() ? "SubBackward0" : "RsubBackward1";
}
const char* divide_name(Arguments arguments) {
  if (!arguments[0].is_value()) return "MulBackward0";
  return arguments.size() < 3 || arguments[2].is_none() ? "DivBackward0" : "DivBackward2";
}
/// What a tensor leaves of a number has no derivative.
OpValue remainder_other(GradientCall& g) {
  if (!g["input"].is_value())
    throw OpError{"RuntimeError", "derivative for aten::remainder is not implemented"};
  return g.b.negative(g.b.multiply(g.out(), rounded_quotient(g, "floor")));
}
const char* remainder_name(Arguments arguments) {
  if (!arguments[0].is_value()) return "NotImplemented";
  return arguments[1].is_value() ? "RemainderBackward1" : "RemainderBackward0";
}
const char* fmod_name(Arguments arguments) {
  return arguments[1].is_value() ? "FmodBackward1" : "FmodBackward0";
}
constexpr OpEntry kEntries[] = {
    {
        .name = "add",
        .signature =
            "add(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1) -> Tensor",
        .torch = "add",
        .method = "add",
        .operators = "__add__ __radd__",
        .doc = "The sum, of other times alpha. Sizes broadcast and dtypes promote, as for all "
               "binary operators.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kAdd},
        .decomposition = add_alpha,
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }},
                      {"other", "", [](GradientCall& g) { return times_alpha(g, g.out()); }}},
        .grad_name = "AddBackward0",
        .numbers = {.vary = {{"alpha"}}, .any_in_gradients = true, .held = "alpha"},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "subtract",
        .signature =
            "sub(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1) -> Tensor",
        .torch = "sub subtract",
        .method = "sub subtract",
        .operators = "__sub__",
        .doc = "The difference, with other times alpha. Not for two bools: use `^`.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kSubtract},
        .decomposition = subtract_alpha,
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }},
                      {"other", "",
                       [](GradientCall& g) { return g.b.negative(times_alpha(g, g.out())); }}},
        .grad_name_of = subtract_name,
        .numbers = {.vary = {{"alpha"}}, .any_in_gradients = true, .held = "alpha"},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "multiply",
        .signature = "mul(input: Tensor | Number, other: Tensor | Number) -> Tensor",
        .torch = "mul multiply",
        .method = "mul multiply",
        .operators = "__mul__ __rmul__",
        .doc = "The product, element by element.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kMultiply},
        .gradients = {{"input", "other",
                       [](GradientCall& g) { return g.b.multiply(g.out(), g["other"]); }},
                      {"other", "input",
                       [](GradientCall& g) { return g.b.multiply(g.out(), g["input"]); }}},
        .grad_name = "MulBackward0",
        .numbers = {.any_in_gradients = true, .kept = true},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "divide",
        .signature =
            "div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: str | None = "
            "None) -> Tensor",
        .torch = "div divide true_divide",
        .method = "div divide true_divide",
        .operators = "__truediv__",
        .doc = "The quotient: true division, of integers too; rounding_mode `floor` or `trunc` "
               "rounds it.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kDivide},
        .decomposition = divide_rounding,
        .gradients = {{"input", "other", quotient_input}, {"other", "input other", quotient_other}},
        .grad_name_of = divide_name,
        .numbers = {.any_in_gradients = true, .kept = true},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "floor_divide",
        .signature = "floor_divide(input: Tensor | Number, other: Tensor | Number) -> Tensor",
        .torch = "floor_divide",
        .method = "floor_divide",
        .operators = "__floordiv__",
        .doc = "The quotient rounded down, as `//`.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kFloorDivide},
        .lacks_derivative = true,
        .forms = Forms::kInPlaceAndOut,
        .samples = divisor_samples,
    },
    {
        .name = "remainder",
        .signature = "remainder(input: Tensor | Number, other: Tensor | Number) -> Tensor",
        .torch = "remainder",
        .method = "remainder",
        .operators = "__mod__",
        .doc = "What floor division leaves, with the sign of the divisor, as `%`.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kRemainder},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }},
                      {"other", "input other", remainder_other}},
        .grad_name_of = remainder_name,
        .forms = Forms::kInPlaceAndOut,
        .samples = divisor_samples,
    },
    {
        .name = "fmod",
        .signature = "fmod(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "fmod",
        .method = "fmod",
        .doc = "What division rounded towards zero leaves, with the sign of the dividend.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kFmod},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }},
                      {"other", "input other",
                       [](GradientCall& g) {
                         return g.b.negative(g.b.multiply(g.out(), rounded_quotient(g, "trunc")));
                       }}},
        .grad_name_of = fmod_name,
        .forms = Forms::kInPlaceAndOut,
        .samples = divisor_samples,
    },
    {
        .name = "maximum",
        .signature = "maximum(input: Tensor, other: Tensor) -> Tensor",
        .torch = "maximum",
        .method = "maximum",
        .doc = "The greater of two; NaN if either is.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kMaximum},
        .gradients = {{"input", "input other",
                       [](GradientCall& g) {
                         return extreme_share(g.b, g.out(), "less", g["input"], g["other"]);
                       }},
                      {"other", "input other",
                       [](GradientCall& g) {
                         return extreme_share(g.b, g.out(), "less", g["other"], g["input"]);
                       }}},
        .grad_name = "MaximumBackward0",
        .forms = Forms::kOut,
        .samples = binary_samples,
    },
    {
        .name = "minimum",
        .signature = "minimum(input: Tensor, other: Tensor) -> Tensor",
        .torch = "minimum",
        .method = "minimum",
        .doc = "The less of two; NaN if either is.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kMinimum},
        .gradients = {{"input", "input other",
                       [](GradientCall& g) {
                         return extreme_share(g.b, g.out(), "greater", g["input"], g["other"]);
                       }},
                      {"other", "input other",
                       [](GradientCall& g) {
                         return extreme_share(g.b, g.out(), "greater", g["other"], g["input"]);
                       }}},
        .grad_name = "MinimumBackward0",
        .forms = Forms::kOut,
        .samples = binary_samples,
    },
    {
        .name = "atan2",
        .signature = "atan2(input: Tensor, other: Tensor) -> Tensor",
        .torch = "atan2 arctan2",
        .method = "atan2 arctan2",
        .doc = "The angle of the point (other, input), in radians.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kAtan2},
        .gradients = {{"input", "input other",
                       [](GradientCall& g) {
                         return g.b.multiply(g.out(), over_radius(g, g.tensor("other")));
                       }},
                      {"other", "input other",
                       [](GradientCall& g) {
                         return g.b.multiply(g.out(),
                                             g.b.negative(over_radius(g, g.tensor("input"))));
                       }}},
        .grad_name = "Atan2Backward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "logical_and",
        .signature = "logical_and(input: Tensor, other: Tensor) -> Tensor",
        .torch = "logical_and",
        .method = "logical_and",
        .doc = "True where both elements are nonzero.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kLogicalAnd},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "logical_or",
        .signature = "logical_or(input: Tensor, other: Tensor) -> Tensor",
        .torch = "logical_or",
        .method = "logical_or",
        .doc = "True where either element is nonzero.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kLogicalOr},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "logical_xor",
        .signature = "logical_xor(input: Tensor, other: Tensor) -> Tensor",
        .torch = "logical_xor",
        .method = "logical_xor",
        .doc = "True where just one element is nonzero.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kLogicalXor},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "bitwise_and",
        .signature = "bitwise_and(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "bitwise_and",
        .method = "bitwise_and",
        .operators = "__and__ __rand__",
        .doc = "Both, bit by bit; of bools, whether both are true.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kBitwiseAnd},
        .forms = Forms::kInPlaceAndOut,
        .samples = integer_binary_samples,
    },
    {
        .name = "bitwise_or",
        .signature = "bitwise_or(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "bitwise_or",
        .method = "bitwise_or",
        .operators = "__or__ __ror__",
        .doc = "Either, bit by bit; of bools, whether one is true.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kBitwiseOr},
        .forms = Forms::kInPlaceAndOut,
        .samples = integer_binary_samples,
    },
    {
        .name = "bitwise_xor",
        .signature = "bitwise_xor(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "bitwise_xor",
        .method = "bitwise_xor",
        .operators = "__xor__ __rxor__",
        .doc = "Just one, bit by bit; of bools, whether they differ.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kBitwiseXor},
        .forms = Forms::kInPlaceAndOut,
        .samples = integer_binary_samples,
    },
    {
        .name = "bitwise_left_shift",
        .signature = "bitwise_left_shift(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "bitwise_left_shift",
        .method = "bitwise_left_shift",
        .operators = "__lshift__",
        .doc = "The bits moved up by other places.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kShiftLeft},
        .forms = Forms::kInPlaceAndOut,
        .samples = shift_samples,
    },
    {
        .name = "bitwise_right_shift",
        .signature = "bitwise_right_shift(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "bitwise_right_shift",
        .method = "bitwise_right_shift",
        .operators = "__rshift__",
        .doc = "The bits moved down by other places; the sign stays.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kShiftRight},
        .forms = Forms::kInPlaceAndOut,
        .samples = shift_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> binary_entries() {
  return kEntries;
}

}  // namespace glint::ops
