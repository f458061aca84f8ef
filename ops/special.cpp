// Functions of statistics and physics, and the inverse hyperbolic ones: one node of the tape each.
//
//     lgamma(x)          log |gamma(x)|
//     digamma(x)         its derivative, and polygamma(x, n) the n-th one of that
//     erfinv(x)          the y with erf(y) = x
//     i0(x), i1(x)       modified Bessel functions, and times e^-|x|: i0e, i1e
//
// The higher derivatives of digamma go up by 10 steps of their recurrence, to where an asymptotic
// series is exact, in float64, and reflect what is negative:
//
//     psi(x) = psi(1 - x) - pi cot(pi x)        the n-th derivative of cot(x) is a polynomial of it
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "core/tensor/copy.h"
#include "ops/builders.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The dtype of the result: integers become the default float.
DType floating_dtype(OpBuilder& b, const OpArgument& input) {
  const DType dtype = b.dtype(input.tensor());
  return is_floating(dtype) ? dtype : default_dtype();
}

/// B(2k) / (2k)! of Bernoulli's numbers, from k = 1 on: the series of Euler and Maclaurin.
constexpr double kBernoulli[] = {1.0 / 12,          -1.0 / 720,
                                 1.0 / 30240,       -1.0 / 1209600,
                                 1.0 / 47900160,    -691.0 / 1307674368000,
                                 1.0 / 74724249600, -3617.0 / 10670622842880000};

/// Where the series takes over from the recurrence.
constexpr int kSteps = 10;

/// x where it is positive, else 1 - x, whose value is reflected then.
struct Reflected {
  OpValue x;         ///< float64
  OpValue mirrored;  ///< whether it was
  OpValue fraction;  ///< of the original, between -1 and 1: 0 at the poles
  OpValue original;
};

Reflected reflect(OpBuilder& b, const OpArgument& input) {
  OpValue x = b.to(input.tensor(), DType::kFloat64);
  OpValue mirrored = b.less(x, 0);
  OpValue fraction = b.subtract(x, b.call("trunc", {x}));
  return {b.where(mirrored, b.add(b.negative(x), 1.0), x), mirrored, fraction, x};
}

OpValue tangent(OpBuilder& b, const Reflected& from) {
  return b.call("tan", {b.multiply(from.fraction, std::numbers::pi)});
}

/// The n-th derivative of cot as a polynomial of cot, the lowest power first: cot' = -1 - cot^2.
std::vector<double> cotangent_derivative(int64_t n) {
  std::vector<double> polynomial = {0.0, 1.0};
  for (int64_t i = 0; i < n; ++i) {
    std::vector<double> next(polynomial.size() + 1, 0.0);
    for (size_t power = 1; power < polynomial.size(); ++power) {
      next[power - 1] -= double(power) * polynomial[power];
      next[power + 1] -= double(power) * polynomial[power];
    }
    polynomial = std::move(next);
  }
  return polynomial;
}

/// x^-s for a whole s > 1, by repeated squares.
OpValue inverse_power(OpBuilder& b, const OpValue& x, int64_t s) {
  OpValue square = b.reciprocal(x);
  std::optional<OpValue> result;
  for (int64_t left = s;; square = b.multiply(square, square)) {
    if (left % 2 == 1) result = result ? b.multiply(*result, square) : square;
    left /= 2;
    if (left == 0) return *result;
  }
}

/// The sum over k >= 0 of (x + k)^-s for a whole s > 1, by Euler and Maclaurin.
OpValue hurwitz_zeta(OpBuilder& b, const OpValue& x, int64_t s) {
  OpValue sum = inverse_power(b, x, s);
  for (int k = 1; k < kSteps; ++k) sum = b.add(sum, inverse_power(b, b.add(x, double(k)), s));
  OpValue z = b.add(x, double(kSteps));
  OpValue inverse_square = b.reciprocal(b.multiply(z, z));
  OpValue series = b.full({}, 0.0, DType::kFloat64);
  for (int k = int(std::size(kBernoulli)); k >= 1; --k) {
    double rising = double(s);  // s (s + 1) ... (s + 2k - 2)
    for (int i = 1; i <= 2 * k - 2; ++i) rising *= double(s + i);
    series = b.multiply(b.add(series, kBernoulli[k - 1] * rising), inverse_square);
  }
  OpValue last = inverse_power(b, z, s);
  OpValue integral = b.multiply(b.multiply(z, last), 1.0 / double(s - 1));
  // The series stands behind z^(1 - s), of which the square took one power of z too much.
  OpValue behind = b.multiply(b.multiply(series, z), last);
  return b.add(sum, b.add(integral, b.add(b.multiply(last, 0.5), behind)));
}

std::vector<OpValue> polygamma(OpBuilder& b, OpArguments arguments) {
  const int64_t n = as_constant(arguments[1]);
  if (n < 0) throw OpError{"RuntimeError", "polygamma(n, x) does not support negative n."};
  if (n < 2) return {b.call(n == 0 ? "digamma" : "trigamma", {arguments[0]})};
  const Reflected from = reflect(b, arguments[0]);
  const double sign = n % 2 == 0 ? -1.0 : 1.0;
  OpValue result = b.multiply(hurwitz_zeta(b, from.x, n + 1), sign * std::tgamma(double(n + 1)));
  const std::vector<double> derivative = cotangent_derivative(n);
  OpValue cotangent = b.reciprocal(tangent(b, from));
  OpValue sum = b.full({}, derivative.back(), DType::kFloat64);
  for (size_t i = derivative.size() - 1; i-- > 0;)
    sum = b.add(b.multiply(sum, cotangent), derivative[i]);
  OpValue mirror = b.subtract(b.multiply(result, -sign),
                              b.multiply(sum, std::pow(std::numbers::pi, double(n + 1))));
  OpValue pole = b.equal(from.fraction, 0);
  result = b.where(from.mirrored, b.where(pole, sign * kInfinity, mirror), result);
  return {b.to(result, floating_dtype(b, arguments[0]))};
}

// ---- gradients ---------------------------------------------------------------------------------

/// The gradient of the result over the root of x^2 + `added`.
OpValue over_root(GradientCall& g, double added) {
  OpValue square = g.b.call("square", {g["input"]});
  return g.b.multiply(g.out(), g.b.rsqrt(g.b.add(square, added)));
}

OpValue erfc_gradient(GradientCall& g) {
  OpValue bell = g.b.exp(g.b.negative(g.b.call("square", {g["input"]})));
  return g.b.multiply(g.out(), g.b.multiply(bell, -2 * std::numbers::inv_sqrtpi));
}

OpValue erfinv_gradient(GradientCall& g) {
  OpValue inverse = g.b.exp(g.b.call("square", {g.result()}));
  return g.b.multiply(g.out(), g.b.multiply(inverse, 0.5 / std::numbers::inv_sqrtpi));
}

OpValue times_polygamma(GradientCall& g, SymInt n) {
  return g.b.multiply(g.out(), g.b.call("polygamma", {g["input"], n}));
}

OpValue erfcx_gradient(GradientCall& g) {
  OpValue slope = g.b.multiply(g.b.multiply(g["input"], 2.0), g.result());
  return g.b.multiply(g.out(), g.b.subtract(slope, 2 * std::numbers::inv_sqrtpi));
}

OpValue i0_gradient(GradientCall& g) {
  return g.b.multiply(g.out(), g.b.call("i1", {g["input"]}));
}
OpValue i0e_gradient(GradientCall& g) {
  OpValue shrinks = g.b.multiply(g.b.call("sign", {g["input"]}), g.result());
  return g.b.multiply(g.out(), g.b.subtract(g.b.call("i1e", {g["input"]}), shrinks));
}

/// I1(x) / x, and its limit at 0.
OpValue over_input(GradientCall& g) {
  OpValue is_zero = g.b.equal(g["input"], 0);
  return g.b.where(is_zero, 0.5, g.b.divide(g.result(), g.b.where(is_zero, 1, g["input"])));
}
OpValue i1_gradient(GradientCall& g) {
  OpValue slope = g.b.subtract(g.b.call("i0", {g["input"]}), over_input(g));
  return g.b.multiply(g.out(), slope);
}
OpValue i1e_gradient(GradientCall& g) {
  OpValue shrinks = g.b.multiply(g.b.call("sign", {g["input"]}), g.result());
  OpValue slope = g.b.subtract(g.b.call("i0e", {g["input"]}), shrinks);
  return g.b.multiply(g.out(), g.b.subtract(slope, over_input(g)));
}

std::vector<Sample> polygamma_samples(const OpEntry& entry) {
  return each_input(entry, kFloats, {{1}, {2}, {3}, {0}});
}

/// Besides, numbers that have one.
std::vector<Sample> acosh_samples(const OpEntry& entry) {
  std::vector<Sample> samples = unary_samples(entry);
  for (DType dtype : {DType::kFloat32, DType::kFloat64})
    add(samples, entry, {convert_copy(Tensor::full({2, 3}, 1.75, DType::kFloat64), dtype)});
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "asinh",
        .signature = "asinh(input: Tensor) -> Tensor",
        .torch = "asinh arcsinh",
        .method = "asinh arcsinh",
        .doc = "The inverse hyperbolic sine.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kAsinh},
        .gradients = {{"input", "input", [](GradientCall& g) { return over_root(g, 1.0); }}},
        .grad_name = "AsinhBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "acosh",
        .signature = "acosh(input: Tensor) -> Tensor",
        .torch = "acosh arccosh",
        .method = "acosh arccosh",
        .doc = "The inverse hyperbolic cosine; NaN below 1.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kAcosh},
        .gradients = {{"input", "input", [](GradientCall& g) { return over_root(g, -1.0); }}},
        .grad_name = "AcoshBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = acosh_samples,
    },
    {
        .name = "atanh",
        .signature = "atanh(input: Tensor) -> Tensor",
        .torch = "atanh arctanh",
        .method = "atanh arctanh",
        .doc = "The inverse hyperbolic tangent; NaN beyond -1 and 1.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kAtanh},
        .gradients = {{"input", "input",
                       [](GradientCall& g) {
                         OpValue square = g.b.call("square", {g["input"]});
                         return g.b.divide(g.out(), g.b.add(g.b.negative(square), 1.0));
                       }}},
        .grad_name = "AtanhBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "erfc",
        .signature = "erfc(input: Tensor) -> Tensor",
        .torch = "erfc",
        .method = "erfc",
        .doc = "1 - erf(x), exact also where erf is nearly 1.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kErfc},
        .gradients = {{"input", "input", erfc_gradient}},
        .grad_name = "ErfcBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "erfinv",
        .signature = "erfinv(input: Tensor) -> Tensor",
        .torch = "erfinv",
        .method = "erfinv",
        .doc = "The inverse of erf; NaN beyond -1 and 1.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kErfinv},
        .gradients = {{"input", "result", erfinv_gradient}},
        .grad_name = "ErfinvBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "lgamma",
        .signature = "lgamma(input: Tensor) -> Tensor",
        .torch = "lgamma",
        .method = "lgamma",
        .doc = "The natural logarithm of the absolute value of the gamma function.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kLgamma},
        .gradients = {{"input", "input",
                       [](GradientCall& g) {
                         return g.b.multiply(g.out(), g.b.call("digamma", {g["input"]}));
                       }}},
        .grad_name = "LgammaBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "digamma",
        .signature = "digamma(input: Tensor) -> Tensor",
        .torch = "digamma",
        .method = "digamma",
        .doc = "The derivative of lgamma.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kDigamma},
        .gradients = {{"input", "input", [](GradientCall& g) { return times_polygamma(g, 1); }}},
        .grad_name = "DigammaBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "trigamma",
        .signature = "trigamma(input: Tensor) -> Tensor",
        .doc = "The derivative of digamma.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kTrigamma},
        .gradients = {{"input", "input", [](GradientCall& g) { return times_polygamma(g, 2); }}},
        .samples = unary_samples,
    },
    {
        .name = "polygamma",
        .signature = "polygamma(input: Tensor, n: int) -> Tensor",
        .torch = "_polygamma",
        .method = "polygamma",
        .doc = "The n-th derivative of digamma.",
        .decomposition = polygamma,
        .gradients = {{"input", "input",
                       [](GradientCall& g) { return times_polygamma(g, as_int(g["n"]) + 1); }}},
        .grad_name = "PolygammaBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = polygamma_samples,
    },
    {
        .name = "erfcx",
        .signature = "special_erfcx(input: Tensor) -> Tensor",
        .torch = "_special_erfcx",
        .doc = "exp(x * x) * erfc(x), where neither leaves its range.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kErfcx},
        .gradients = {{"input", "input result", erfcx_gradient}},
        .grad_name = "SpecialErfcxBackward0",
        .forms = Forms::kOut,
        .samples = unary_samples,
    },
    {
        .name = "i0",
        .signature = "i0(input: Tensor) -> Tensor",
        .torch = "i0",
        .method = "i0",
        .doc = "The modified Bessel function of the first kind, of order 0.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kI0},
        .gradients = {{"input", "input", i0_gradient}},
        .grad_name = "I0Backward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = unary_samples,
    },
    {
        .name = "i0e",
        .signature = "special_i0e(input: Tensor) -> Tensor",
        .torch = "_special_i0e",
        .doc = "The same times exp(-abs(x)).",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kI0e},
        .gradients = {{"input", "input result", i0e_gradient}},
        .grad_name = "SpecialI0EBackward0",
        .forms = Forms::kOut,
        .samples = unary_samples,
    },
    {
        .name = "i1",
        .signature = "special_i1(input: Tensor) -> Tensor",
        .torch = "_special_i1",
        .doc = "The modified Bessel function of the first kind, of order 1.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kI1},
        .gradients = {{"input", "input result", i1_gradient}},
        .grad_name = "SpecialI1Backward0",
        .forms = Forms::kOut,
        .samples = unary_samples,
    },
    {
        .name = "i1e",
        .signature = "special_i1e(input: Tensor) -> Tensor",
        .torch = "_special_i1e",
        .doc = "The same times exp(-abs(x)).",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kI1e},
        .gradients = {{"input", "input result", i1e_gradient}},
        .grad_name = "SpecialI1EBackward0",
        .forms = Forms::kOut,
        .samples = unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> special_entries() {
  return kEntries;
}

}  // namespace glint::ops
