// Elementwise operators of one operand: signs, exponentials, logarithms, trigonometry, rounding.
//
//     torch.exp(x)      out[i] = exp(x[i])      integers become the default float first
#include <cmath>
#include <numbers>

#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// round(x * 10**d) / 10**d; nothing for d = 0, which the lowering covers.
std::vector<OpValue> round_decimals(OpBuilder& b, OpArguments arguments) {
  int64_t decimals = as_constant(arguments[1]);
  if (decimals == 0) return {};
  double scale = std::pow(10.0, double(std::abs(decimals)));
  OpValue x = arguments[0].tensor();
  if (decimals < 0) return {b.multiply(b.call("round", {b.divide(x, scale)}), scale)};
  return {b.divide(b.call("round", {b.multiply(x, scale)}), scale)};
}

/// The gradient of the result times the derivative, or over its reciprocal.
OpValue scaled(GradientCall& g, OpArgument derivative) {
  return g.b.multiply(g.out(), std::move(derivative));
}
OpValue divided(GradientCall& g, OpArgument divisor) {
  return g.b.divide(g.out(), std::move(divisor));
}
OpValue zeros(GradientCall& g) {
  return g.zeros_like("input");
}
OpValue one_minus(GradientCall& g, OpValue x) {
  return g.b.add(g.b.negative(std::move(x)), 1);
}
OpValue one_minus_square(GradientCall& g, OpValue x) {
  return one_minus(g, g.b.call("square", {std::move(x)}));
}

OpValue tanh_gradient(GradientCall& g) {
  return scaled(g, one_minus_square(g, g.result()));
}
/// PyTorch's rounds each step of float16, and bfloat16 once.
OpValue sigmoid_gradient(GradientCall& g) {
  if (g.result_type().dtype == DType::kFloat16)
    return g.b.multiply(scaled(g, one_minus(g, g.result())), g.result());
  return g.in_float32([](GradientCall& wide) {
    return scaled(wide, wide.b.multiply(wide.result(), one_minus(wide, wide.result())));
  });
}

const char* round_name(Arguments arguments) {
  bool plain = arguments.size() < 2 || as_constant(arguments[1]) == 0;
  return plain ? "RoundBackward0" : "RoundBackward1";
}

constexpr OpEntry kEntries[] = {
    {
        .name = "negative",
        .signature = "neg(input: Tensor) -> Tensor",
        .torch = "neg negative",
        .method = "neg negative",
        .operators = "__neg__",
        .doc = "The number with the other sign. Not for bool: use `~` or logical_not.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kNegative},
        .gradients = {{"input", "", [](GradientCall& g) { return g.b.negative(g.out()); }}},
        .grad_name = "NegBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = unary_samples,
    },
    {
        .name = "abs",
        .signature = "abs(input: Tensor) -> Tensor",
        .torch = "abs absolute",
        .method = "abs absolute",
        .operators = "__abs__",
        .doc = "The absolute value.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kAbs},
        .gradients = {{"input", "input", [](GradientCall& g) { return scaled(g, g.b.call("sign", {g["input"]})); }}},
        .grad_name = "AbsBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = unary_samples,
    },
    {
        .name = "sign",
        .signature = "sign(input: Tensor) -> Tensor",
        .torch = "sign",
        .method = "sign",
        .doc = "-1, 0 or 1, as the element is negative, zero or positive; 0 for NaN.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kSign},
        .gradients = {{"input", "", zeros}},
        .grad_name = "SignBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = unary_samples,
    },
    {
        .name = "square",
        .signature = "square(input: Tensor) -> Tensor",
        .torch = "square",
        .method = "square",
        .doc = "The element times itself.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kSquare},
        .gradients = {{"input", "input", [](GradientCall& g) { return scaled(g, g.b.multiply(g["input"], 2)); }}},
        .grad_name = "PowBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "reciprocal",
        .signature = "reciprocal(input: Tensor) -> Tensor",
        .torch = "reciprocal",
        .method = "reciprocal",
        .doc = "One divided by the element.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kReciprocal},
        .gradients = {{"input", "result", [](GradientCall& g) { return scaled(g, g.b.negative(g.b.call("square", {g.result()}))); }}},
        .grad_name = "ReciprocalBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "exp",
        .signature = "exp(input: Tensor) -> Tensor",
        .torch = "exp",
        .method = "exp",
        .doc = "e to the power of the element.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kExp},
        .gradients = {{"input", "result", [](GradientCall& g) { return scaled(g, g.result()); }}},
        .grad_name = "ExpBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "exp2",
        .signature = "exp2(input: Tensor) -> Tensor",
        .torch = "exp2",
        .method = "exp2",
        .doc = "2 to the power of the element.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kExp2},
        .gradients = {{"input", "result", [](GradientCall& g) { return g.b.multiply(scaled(g, g.result()), std::numbers::ln2); }}},
        .grad_name = "Exp2Backward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "expm1",
        .signature = "expm1(input: Tensor) -> Tensor",
        .torch = "expm1",
        .method = "expm1",
        .doc = "exp(x) - 1, exact also near 0.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kExpm1},
        .gradients = {{"input", "result", [](GradientCall& g) { return scaled(g, g.b.add(g.result(), 1)); }}},
        .grad_name = "Expm1Backward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "log",
        .signature = "log(input: Tensor) -> Tensor",
        .torch = "log",
        .method = "log",
        .doc = "The natural logarithm; NaN below 0, -inf at 0.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kLog},
        .gradients = {{"input", "input", [](GradientCall& g) { return divided(g, g["input"]); }}},
        .grad_name = "LogBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "log2",
        .signature = "log2(input: Tensor) -> Tensor",
        .torch = "log2",
        .method = "log2",
        .doc = "The logarithm to base 2.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kLog2},
        .gradients = {{"input", "input", [](GradientCall& g) { return divided(g, g.b.multiply(g["input"], std::numbers::ln2)); }}},
        .grad_name = "Log2Backward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "log10",
        .signature = "log10(input: Tensor) -> Tensor",
        .torch = "log10",
        .method = "log10",
        .doc = "The logarithm to base 10.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kLog10},
        .gradients = {{"input", "input", [](GradientCall& g) { return divided(g, g.b.multiply(g["input"], std::numbers::ln10)); }}},
        .grad_name = "Log10Backward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "log1p",
        .signature = "log1p(input: Tensor) -> Tensor",
        .torch = "log1p",
        .method = "log1p",
        .doc = "log(1 + x), exact also near 0.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kLog1p},
        .gradients = {{"input", "input", [](GradientCall& g) { return divided(g, g.b.add(g["input"], 1)); }}},
        .grad_name = "Log1PBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "sqrt",
        .signature = "sqrt(input: Tensor) -> Tensor",
        .torch = "sqrt",
        .method = "sqrt",
        .doc = "The square root; NaN below 0.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kSqrt},
        .gradients = {{"input", "result", [](GradientCall& g) { return divided(g, g.b.multiply(g.result(), 2)); }}},
        .grad_name = "SqrtBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "rsqrt",
        .signature = "rsqrt(input: Tensor) -> Tensor",
        .torch = "rsqrt",
        .method = "rsqrt",
        .doc = "One divided by the square root.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kRsqrt},
        .gradients = {{"input", "result", [](GradientCall& g) { return scaled(g, g.b.multiply(g.b.power(g.result(), 3), -0.5)); }}},
        .grad_name = "RsqrtBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "sin",
        .signature = "sin(input: Tensor) -> Tensor",
        .torch = "sin",
        .method = "sin",
        .doc = "The sine, of radians.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kSin},
        .gradients = {{"input", "input", [](GradientCall& g) { return scaled(g, g.b.call("cos", {g["input"]})); }}},
        .grad_name = "SinBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "cos",
        .signature = "cos(input: Tensor) -> Tensor",
        .torch = "cos",
        .method = "cos",
        .doc = "The cosine, of radians.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kCos},
        .gradients = {{"input", "input", [](GradientCall& g) { return scaled(g, g.b.negative(g.b.call("sin", {g["input"]}))); }}},
        .grad_name = "CosBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "tan",
        .signature = "tan(input: Tensor) -> Tensor",
        .torch = "tan",
        .method = "tan",
        .doc = "The tangent, of radians.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kTan},
        .gradients = {{"input", "result", [](GradientCall& g) { return scaled(g, g.b.add(g.b.call("square", {g.result()}), 1)); }}},
        .grad_name = "TanBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "asin",
        .signature = "asin(input: Tensor) -> Tensor",
        .torch = "asin arcsin",
        .method = "asin arcsin",
        .doc = "The inverse sine, in radians.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kAsin},
        .gradients = {{"input", "input", [](GradientCall& g) { return scaled(g, g.b.rsqrt(one_minus_square(g, g.tensor("input")))); }}},
        .grad_name = "AsinBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "acos",
        .signature = "acos(input: Tensor) -> Tensor",
        .torch = "acos arccos",
        .method = "acos arccos",
        .doc = "The inverse cosine, in radians.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kAcos},
        .gradients = {{"input", "input", [](GradientCall& g) { return scaled(g, g.b.negative(g.b.rsqrt(one_minus_square(g, g.tensor("input"))))); }}},
        .grad_name = "AcosBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "atan",
        .signature = "atan(input: Tensor) -> Tensor",
        .torch = "atan arctan",
        .method = "atan arctan",
        .doc = "The inverse tangent, in radians.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kAtan},
        .gradients = {{"input", "input", [](GradientCall& g) { return divided(g, g.b.add(g.b.call("square", {g["input"]}), 1)); }}},
        .grad_name = "AtanBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "sinh",
        .signature = "sinh(input: Tensor) -> Tensor",
        .torch = "sinh",
        .method = "sinh",
        .doc = "The hyperbolic sine.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kSinh},
        .gradients = {{"input", "input", [](GradientCall& g) { return scaled(g, g.b.call("cosh", {g["input"]})); }}},
        .grad_name = "SinhBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "cosh",
        .signature = "cosh(input: Tensor) -> Tensor",
        .torch = "cosh",
        .method = "cosh",
        .doc = "The hyperbolic cosine.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kCosh},
        .gradients = {{"input", "input", [](GradientCall& g) { return scaled(g, g.b.call("sinh", {g["input"]})); }}},
        .grad_name = "CoshBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "tanh",
        .signature = "tanh(input: Tensor) -> Tensor",
        .torch = "tanh",
        .method = "tanh",
        .functional = "tanh",
        .doc = "The hyperbolic tangent.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kTanh},
        .gradients = {{"input", "result", rounded_once<tanh_gradient>}},
        .grad_name = "TanhBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "sigmoid",
        .signature = "sigmoid(input: Tensor) -> Tensor",
        .torch = "sigmoid",
        .method = "sigmoid",
        .functional = "sigmoid",
        .doc = "1 / (1 + exp(-x)).",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kSigmoid},
        .gradients = {{"input", "result", sigmoid_gradient}},
        .grad_name = "SigmoidBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "erf",
        .signature = "erf(input: Tensor) -> Tensor",
        .torch = "erf",
        .method = "erf",
        .doc = "The error function.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kErf},
        .gradients = {{"input", "input", [](GradientCall& g) { return scaled(g, g.b.multiply(g.b.exp(g.b.negative(g.b.call("square", {g["input"]}))), 2 * std::numbers::inv_sqrtpi)); }}},
        .grad_name = "ErfBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "floor",
        .signature = "floor(input: Tensor) -> Tensor",
        .torch = "floor",
        .method = "floor",
        .doc = "The greatest integer that is not above.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kFloor},
        .gradients = {{"input", "", zeros}},
        .grad_name = "FloorBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = unary_samples,
    },
    {
        .name = "ceil",
        .signature = "ceil(input: Tensor) -> Tensor",
        .torch = "ceil",
        .method = "ceil",
        .doc = "The least integer that is not below.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kCeil},
        .gradients = {{"input", "", zeros}},
        .grad_name = "CeilBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = unary_samples,
    },
    {
        .name = "trunc",
        .signature = "trunc(input: Tensor) -> Tensor",
        .torch = "trunc fix",
        .method = "trunc fix",
        .doc = "The integer part, towards zero.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kTrunc},
        .gradients = {{"input", "", zeros}},
        .grad_name = "TruncBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = unary_samples,
    },
    {
        .name = "round",
        .signature = "round(input: Tensor, *, decimals: int = 0) -> Tensor",
        .torch = "round",
        .method = "round",
        .doc = "The nearest integer, halves to the even one; with decimals, the nearest multiple "
               "of 10**-decimals.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kRound},
        .decomposition = round_decimals,
        .gradients = {{"input", "", zeros}},
        .grad_name_of = round_name,
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = unary_samples,
    },
    {
        .name = "isnan",
        .signature = "isnan(input: Tensor) -> Tensor",
        .torch = "isnan",
        .method = "isnan",
        .doc = "True where the element is NaN.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kIsnan},
        .samples = unary_samples,
    },
    {
        .name = "isinf",
        .signature = "isinf(input: Tensor) -> Tensor",
        .torch = "isinf",
        .method = "isinf",
        .doc = "True where the element is infinite.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kIsinf},
        .samples = unary_samples,
    },
    {
        .name = "isfinite",
        .signature = "isfinite(input: Tensor) -> Tensor",
        .torch = "isfinite",
        .method = "isfinite",
        .doc = "True where the element is neither NaN nor infinite.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kIsfinite},
        .samples = unary_samples,
    },
    {
        .name = "signbit",
        .signature = "signbit(input: Tensor) -> Tensor",
        .torch = "signbit",
        .method = "signbit",
        .doc = "True where the sign is set, of -0.0 and of NaN too.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kSignbit},
        .forms = Forms::kOut,
        .output_dtype = {"signbit does not support non-boolean outputs.", true},
        .samples = unary_samples,
    },
    {
        .name = "logical_not",
        .signature = "logical_not(input: Tensor) -> Tensor",
        .torch = "logical_not",
        .method = "logical_not",
        .doc = "True where the element is zero.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kLogicalNot},
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "bitwise_not",
        .signature = "bitwise_not(input: Tensor) -> Tensor",
        .torch = "bitwise_not",
        .method = "bitwise_not",
        .operators = "__invert__",
        .doc = "Every bit inverted; of bool, the other truth value.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kBitwiseNot},
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = integer_unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> unary_entries() {
  return kEntries;
}

}  // namespace glint::ops
