// Functions of elements that are a few steps, and one node of the tape each.
//
//     frac(x)      x - trunc(x)              passes its gradient on
//     sinc(x)      sin(pi x) / (pi x)        1 at 0, with a slope of 0
//     logit(x)     log(x / (1 - x))          NaN for a slope outside 0 ... 1
#include <cmath>
#include <limits>
#include <numbers>

#include "ops/activation_call.h"
#include "ops/builders.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

constexpr double kRadians = std::numbers::pi / 180.0;
constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

OpValue floating(OpBuilder& b, OpValue x) {
  return is_floating(b.dtype(x)) ? x : b.to(std::move(x), default_dtype());
}

std::vector<OpValue> deg2rad(OpBuilder& b, OpArguments arguments) {
  return {b.multiply(floating(b, arguments[0].tensor()), kRadians)};
}
std::vector<OpValue> rad2deg(OpBuilder& b, OpArguments arguments) {
  return {b.multiply(floating(b, arguments[0].tensor()), kDegrees)};
}
std::vector<OpValue> sgn(OpBuilder& b, OpArguments arguments) {
  return {b.call("sign", {arguments[0]})};
}

std::vector<OpValue> sinc(OpBuilder& b, OpArguments arguments) {
  OpValue angle = b.multiply(floating(b, arguments[0].tensor()), std::numbers::pi);
  OpValue at_zero = b.equal(angle, 0);
  OpValue safe = b.where(at_zero, 1, angle);
  return {b.where(at_zero, 1, b.divide(b.call("sin", {safe}), safe))};
}

std::vector<OpValue> logit(OpBuilder& b, OpArguments arguments) {
  OpValue x = floating(b, arguments[0].tensor());
  if (!arguments[1].is_none()) {
    double eps = as_float(arguments[1]);
    x = b.call("clamp", {x, eps, 1.0 - eps});
  }
  return {b.log(b.divide(x, b.add(b.negative(x), 1.0)))};
}

double greatest(DType dtype) {
  if (dtype == DType::kFloat64) return std::numeric_limits<double>::max();
  if (dtype == DType::kFloat16) return 65504.0;
  return dtype == DType::kBFloat16 ? 0x1.fep127 : double(std::numeric_limits<float>::max());
}

std::vector<OpValue> nan_to_num(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  DType dtype = b.dtype(x);
  if (!is_floating(dtype)) return {b.call("copy", {x})};
  auto number = [&](size_t at, double other) {
    return arguments[at].is_none() ? other : as_float(arguments[at]);
  };
  OpValue result = b.where(b.call("isnan", {x}), number(1, 0.0), x);
  result = b.where(b.equal(x, kInfinity), number(2, greatest(dtype)), result);
  return {b.where(b.equal(x, -kInfinity), number(3, -greatest(dtype)), result)};
}

/// One pass where the infinities become each other's opposites.
Outputs eager_nan_to_num(const OpEntry& entry, Arguments arguments) {
  const DType dtype = arguments[0].tensor().dtype();
  auto number = [&](size_t at, double other) {
    return arguments.size() <= at || arguments[at].is_none() ? other : as_float(arguments[at]);
  };
  const double most = number(2, greatest(dtype));
  const double least = number(3, -greatest(dtype));
  if (!is_floating(dtype) || least != -most || std::signbit(least) == std::signbit(most))
    return run_decomposition(entry, arguments);
  return activated(entry, arguments, Activation::kNanToNum, number(1, 0.0), most);
}

std::vector<OpValue> isposinf(OpBuilder& b, OpArguments arguments) {
  return {b.equal(arguments[0].tensor(), kInfinity)};
}
std::vector<OpValue> isneginf(OpBuilder& b, OpArguments arguments) {
  return {b.equal(arguments[0].tensor(), -kInfinity)};
}

// ---- gradients ---------------------------------------------------------------------------------

/// (pi x cos(pi x) - sin(pi x)) / (pi x^2), and 0 where x is 0.
OpValue sinc_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue x = g.tensor("input");
  OpValue angle = b.multiply(x, std::numbers::pi);
  OpValue square = b.multiply(b.multiply(x, x), std::numbers::pi);
  OpValue rise = b.subtract(b.multiply(angle, b.call("cos", {angle})), b.call("sin", {angle}));
  return b.where(b.equal(square, 0), 0, b.multiply(g.out(), b.divide(rise, square)));
}

/// 1 / (x (1 - x)) between the bounds; beyond them NaN, or 0 where `eps` cut the input.
OpValue logit_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue x = g.tensor("input");
  double eps = g.is_none("eps") ? 0.0 : as_float(g["eps"]);
  OpValue inside = b.call(
      "logical_and", {b.call("greater_equal", {x, eps}), b.call("less_equal", {x, 1.0 - eps})});
  OpValue slope = b.divide(g.out(), b.multiply(x, b.add(b.negative(x), 1.0)));
  return b.where(inside, slope, g.is_none("eps") ? kNaN : 0.0);
}

std::vector<Sample> logit_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
    Tensor x = sample_tensor({2, 4}, dtype);
    visit_dtype(dtype, [&]<class T>() {
      for (int64_t i = 0; i < 8; ++i) x.data<T>()[i] = convert_element<T>(0.06 + 0.115 * double(i));
    });
    for (const Argument& eps : {Argument(), Argument(0.25)}) samples.push_back({{x, eps}});
  }
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "deg2rad",
        .signature = "deg2rad(input: Tensor) -> Tensor",
        .torch = "deg2rad",
        .method = "deg2rad",
        .doc = "Degrees as radians.",
        .decomposition = deg2rad,
        .gradients = {{"input", "",
                       [](GradientCall& g) { return g.b.multiply(g.out(), kRadians); }}},
        .grad_name = "Deg2RadBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "rad2deg",
        .signature = "rad2deg(input: Tensor) -> Tensor",
        .torch = "rad2deg",
        .method = "rad2deg",
        .doc = "Radians as degrees.",
        .decomposition = rad2deg,
        .gradients = {{"input", "",
                       [](GradientCall& g) { return g.b.multiply(g.out(), kDegrees); }}},
        .grad_name = "Rad2DegBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "frac",
        .signature = "frac(input: Tensor) -> Tensor",
        .torch = "frac",
        .method = "frac",
        .doc = "What is behind the point.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kFrac},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name = "FracBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = float_unary_samples,
    },
    {
        .name = "sgn",
        .signature = "sgn(input: Tensor) -> Tensor",
        .torch = "sgn",
        .method = "sgn",
        .doc = "The sign: -1, 0 or 1.",
        .decomposition = sgn,
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }}},
        .grad_name = "SgnBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kFoundDType,
        .samples = unary_samples,
    },
    {
        .name = "sinc",
        .signature = "sinc(input: Tensor) -> Tensor",
        .torch = "sinc",
        .method = "sinc",
        .doc = "sin(pi * x) / (pi * x), and 1 at 0.",
        .decomposition = sinc,
        .gradients = {{"input", "input", sinc_gradient}},
        .grad_name = "SincBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "logit",
        .signature = "logit(input: Tensor, eps: float | None = None) -> Tensor",
        .torch = "logit",
        .method = "logit",
        .doc = "The inverse of sigmoid; `eps` keeps away from 0 and 1.",
        .decomposition = logit,
        .gradients = {{"input", "input", logit_gradient}},
        .grad_name = "LogitBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = logit_samples,
    },
    {
        .name = "nan_to_num",
        .signature = "nan_to_num(input: Tensor, nan: float | None = 0.0, posinf: float | None = "
                     "None, neginf: float | None = None) -> Tensor",
        .torch = "nan_to_num",
        .method = "nan_to_num",
        .doc = "NaN and infinities replaced by numbers.",
        .eager = eager_nan_to_num,
        .decomposition = nan_to_num,
        .gradients = {{"input", "input",
                       [](GradientCall& g) {
                         return g.b.multiply(g.out(), g.b.call("isfinite", {g["input"]}));
                       }}},
        .grad_name = "NanToNumBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = {"nan_to_num: dtype of out: {1} should be same as input: {0}", true},
        .samples = unary_samples,
    },
    {
        .name = "isposinf",
        .signature = "isposinf(input: Tensor) -> Tensor",
        .torch = "isposinf",
        .method = "isposinf",
        .doc = "True where the element is infinity.",
        .decomposition = isposinf,
        .differentiable = false,
        .forms = Forms::kOut,
        .output_dtype = {"isposinf does not support non-boolean outputs.", true},
        .samples = unary_samples,
    },
    {
        .name = "isneginf",
        .signature = "isneginf(input: Tensor) -> Tensor",
        .torch = "isneginf",
        .method = "isneginf",
        .doc = "True where the element is minus infinity.",
        .decomposition = isneginf,
        .differentiable = false,
        .forms = Forms::kOut,
        .output_dtype = {"isneginf does not support non-boolean outputs.", true},
        .samples = unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> elementary_entries() {
  return kEntries;
}

}  // namespace glint::ops
