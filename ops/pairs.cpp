// Functions of two operands that are a few steps, and one node of the tape each.
//
//     xlogy(x, y)          x * log(y), and 0 where x is 0
//     logaddexp(x, y)      log(exp(x) + exp(y)), exact far from 0 too
//     fmax(x, y)           the greater; where one is NaN, the other
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "ops/builders.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The dtype of the two.
DType promoted(OpBuilder& b, OpArguments pair) {
  std::vector<InferArgument> types;
  for (const OpArgument& each : pair.first(2))
    types.push_back(
        map_argument<TensorType>(each, [&](const OpValue& value) { return b.type(value); }));
  return promoted_dtype(types);
}
DType promoted_float(OpBuilder& b, OpArguments pair) {
  DType dtype = promoted(b, pair);
  return is_floating(dtype) ? dtype : default_dtype();
}

/// Both as tensors of that dtype.
std::pair<OpValue, OpValue> together(OpBuilder& b, DType dtype, OpArguments pair) {
  auto converted = [&](const OpArgument& each) {
    return each.is_value() ? b.to(each.tensor(), dtype) : b.full({}, each, dtype);
  };
  return {converted(pair[0]), converted(pair[1])};
}

const char* number_type(const OpArgument& number) {
  if (number.get_if<bool>()) return "bool";
  return number.get_if<SymInt>() ? "int" : "float";
}

std::vector<OpValue> xlogy(OpBuilder& b, OpArguments arguments) {
  if (!arguments[0].is_value() && !arguments[1].is_value())
    throw OpError{
        "TypeError",
        fmt::format("xlogy() received an invalid combination of arguments - got ({}, {}), but "
                    "expected one of:\n"
                    " * (Tensor input, Tensor other, *, Tensor out = None)\n"
                    " * (Number self, Tensor other, *, Tensor out = None)\n"
                    " * (Tensor input, Number other, *, Tensor out = None)\n",
                    number_type(arguments[0]), number_type(arguments[1]))};
  auto [x, y] = together(b, promoted_float(b, arguments), arguments);
  OpValue product = b.where(b.equal(x, 0), 0.0, b.multiply(x, b.log(y)));
  return {b.where(b.call("isnan", {y}), kNaN, product)};
}

/// The greater and the one that is there, or the lesser.
std::vector<OpValue> extreme_there(OpBuilder& b, OpArguments arguments, const char* extreme) {
  auto [x, y] = together(b, promoted(b, arguments), arguments);
  OpValue found = b.call(extreme, {x, y});
  if (!is_floating(b.dtype(found))) return {found};
  found = b.where(b.call("isnan", {y}), x, found);
  return {b.where(b.call("isnan", {x}), y, found)};
}
std::vector<OpValue> fmax(OpBuilder& b, OpArguments arguments) {
  return extreme_there(b, arguments, "maximum");
}
std::vector<OpValue> fmin(OpBuilder& b, OpArguments arguments) {
  return extreme_there(b, arguments, "minimum");
}

std::vector<OpValue> vdot(OpBuilder& b, OpArguments arguments) {
  return {b.call("dot", {arguments[0], arguments[1]})};
}

/// Each component from the two others: x[i + 1] * y[i + 2] - x[i + 2] * y[i + 1].
std::vector<OpValue> cross(OpBuilder& b, OpArguments arguments) {
  OpValue x[3], y[3];
  for (int64_t i = 0; i < 3; ++i) {
    x[i] = b.call("narrow", {arguments[0], arguments[2], i, 1});
    y[i] = b.call("narrow", {arguments[1], arguments[2], i, 1});
  }
  std::vector<OpValue> components;
  for (size_t i = 0; i < 3; ++i) {
    size_t next = (i + 1) % 3, last = (i + 2) % 3;
    components.push_back(b.subtract(b.multiply(x[next], y[last]), b.multiply(x[last], y[next])));
  }
  return {b.call("cat", {components, arguments[2]})};
}

OpValue power_of_two(OpBuilder& b, const OpArgument& exponent) {
  return b.call("power", {2.0, exponent});
}
std::vector<OpValue> ldexp(OpBuilder& b, OpArguments arguments) {
  return {b.multiply(arguments[0].tensor(), power_of_two(b, arguments[1]))};
}
OpValue ldexp_of_other(GradientCall& g) {
  OpValue slope =
      g.b.multiply(power_of_two(g.b, g["other"]), g.b.multiply(g["input"], std::numbers::ln2));
  return g.b.multiply(g.out(), slope);
}

/// 0 below zero, 1 above, `values` at zero.
std::vector<OpValue> heaviside(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (b.dtype(x) != b.dtype(arguments[1].tensor()))
    throw OpError{"RuntimeError",
                  "heaviside is not yet implemented for tensors with different dtypes."};
  OpValue step = b.to(b.greater(x, 0), b.dtype(x));
  return {b.where(b.equal(x, 0), arguments[1], step)};
}

// ---- gradients ---------------------------------------------------------------------------------

/// xlogy(gradient, y), and 0 where x is 0 and the logarithm has no value.
OpValue xlogy_of_input(GradientCall& g) {
  OpBuilder& b = g.b;
  const OpArgument& y = g["other"];
  OpValue gradient = b.call("xlogy", {g.out(), y});
  if (!y.is_value() && as_float(y) > 0) return gradient;
  OpValue at_zero = b.equal(g["input"], 0);
  if (y.is_value()) at_zero = b.call("logical_and", {at_zero, b.call("less_equal", {y, 0})});
  return b.where(at_zero, 0, gradient);
}
OpValue xlogy_of_other(GradientCall& g) {
  return g.b.divide(g.b.multiply(g.out(), g["input"]), g["other"]);
}
const char* xlogy_name(Arguments arguments) {
  if (!arguments[0].is_value()) return "XlogyBackward1";
  return arguments[1].is_value() ? "XlogyBackward0" : "XlogyBackward2";
}

/// The gradient goes to the one that is the result, half of it to each of equal ones.
template <const char* kWins, bool kFirst>
OpValue winners_share(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue wins = b.call(kWins, {g["input"], g["other"]});
  OpValue first = b.call("logical_or", {wins, b.call("isnan", {g["other"]})});
  OpValue share = kFirst ? b.where(first, g.out(), 0) : b.where(first, 0, g.out());
  return b.where(b.equal(g["input"], g["other"]), b.divide(g.out(), 2), share);
}
constexpr char kGreater[] = "greater";
constexpr char kLess[] = "less";

/// gradient / (1 + base ** (the other - this one))
template <const char* kPower>
OpValue power_share(GradientCall& g, const char* mine, const char* other) {
  DType dtype = g.result_type().dtype;
  OpValue apart = g.b.subtract(g.b.to(g.tensor(other), dtype), g.b.to(g.tensor(mine), dtype));
  return g.b.divide(g.out(), g.b.add(g.b.call(kPower, {apart}), 1));
}
constexpr char kExp[] = "exp";
constexpr char kExp2[] = "exp2";

OpValue hypot_share(GradientCall& g, const char* of) {
  return g.b.multiply(g.out(), g.b.divide(g[of], g.result()));
}

OpValue copysign_of_input(GradientCall& g) {
  OpValue ratio = g.b.divide(g.result(), g["input"]);
  return g.b.multiply(g.out(), g.b.where(g.b.equal(g["input"], 0), 0, ratio));
}
const char* copysign_name(Arguments arguments) {
  return arguments[1].is_value() ? "CopysignBackward0" : "CopysignBackward1";
}

OpValue crossed(GradientCall& g, const OpArgument& x, const OpArgument& y) {
  return g.b.call("cross", {x, y, g["dim"]});
}

std::vector<Sample> cross_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kNumbers) {
    add(samples, entry, {sample_tensor({3}, dtype), sample_tensor({3}, dtype), 0});
    add(samples, entry, {sample_tensor({2, 3}, dtype), sample_tensor({1, 3}, dtype), 1});
  }
  return samples;
}

/// Towards what is far away: where both are equal there are no finite differences.
std::vector<Sample> nextafter_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
    add(samples, entry, {sample_tensor({2, 3}, dtype), Tensor::full({2, 3}, 1e3, dtype)});
    add(samples, entry, {sample_tensor({4, 17}, dtype), Tensor::full({17}, -1e3, dtype)});
  }
  return samples;
}

/// A logarithm has finite differences above 0 alone.
std::vector<Sample> xlogy_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : {DType::kFloat32, DType::kFloat64, DType::kBFloat16}) {
    Tensor x = sample_tensor({2, 3}, dtype);
    Tensor y = Tensor::full({2, 3}, 1.75, dtype);
    add(samples, entry, {x, y});
    add(samples, entry, {x, Tensor::full({3}, 0.5, dtype)});
    add(samples, entry, {2.0, y});
    add(samples, entry, {x, 3.0});
  }
  add(samples, entry,
      {sample_tensor({2, 3}, DType::kInt64), Tensor::full({3}, 2.0, DType::kFloat64)});
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "xlogy",
        .signature = "xlogy(input: Tensor | Number, other: Tensor | Number) -> Tensor",
        .torch = "xlogy",
        .method = "xlogy",
        .doc = "x * log(y), and 0 where x is 0.",
        .decomposition = xlogy,
        .gradients = {{"input", "input other", xlogy_of_input},
                      {"other", "input other", xlogy_of_other}},
        .grad_name_of = xlogy_name,
        .numbers = {.fixed = true},
        .forms = Forms::kInPlaceAndOut,
        .samples = xlogy_samples,
    },
    {
        .name = "fmax",
        .signature = "fmax(input: Tensor, other: Tensor) -> Tensor",
        .torch = "fmax",
        .method = "fmax",
        .doc = "The greater; where one is NaN, the other.",
        .decomposition = fmax,
        .gradients = {{"input", "input other", winners_share<kGreater, true>},
                      {"other", "input other", winners_share<kGreater, false>}},
        .grad_name = "FmaxBackward0",
        .forms = Forms::kOut,
        .samples = binary_samples,
    },
    {
        .name = "fmin",
        .signature = "fmin(input: Tensor, other: Tensor) -> Tensor",
        .torch = "fmin",
        .method = "fmin",
        .doc = "The lesser; where one is NaN, the other.",
        .decomposition = fmin,
        .gradients = {{"input", "input other", winners_share<kLess, true>},
                      {"other", "input other", winners_share<kLess, false>}},
        .grad_name = "FminBackward0",
        .forms = Forms::kOut,
        .samples = binary_samples,
    },
    {
        .name = "hypot",
        .signature = "hypot(input: Tensor, other: Tensor) -> Tensor",
        .torch = "hypot",
        .method = "hypot",
        .doc = "The length of the third side of a right triangle.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kHypot},
        .gradients = {{"input", "input result",
                       [](GradientCall& g) { return hypot_share(g, "input"); }},
                      {"other", "other result",
                       [](GradientCall& g) { return hypot_share(g, "other"); }}},
        .grad_name = "HypotBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "logaddexp",
        .signature = "logaddexp(input: Tensor, other: Tensor) -> Tensor",
        .torch = "logaddexp",
        .method = "logaddexp",
        .doc = "log(exp(x) + exp(y)), exact far from 0 too.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kLogaddexp},
        .gradients = {{"input", "input other",
                       [](GradientCall& g) { return power_share<kExp>(g, "input", "other"); }},
                      {"other", "input other",
                       [](GradientCall& g) { return power_share<kExp>(g, "other", "input"); }}},
        .grad_name = "LogaddexpBackward0",
        .forms = Forms::kOut,
        .samples = binary_samples,
    },
    {
        .name = "logaddexp2",
        .signature = "logaddexp2(input: Tensor, other: Tensor) -> Tensor",
        .torch = "logaddexp2",
        .method = "logaddexp2",
        .doc = "log2(2 ** x + 2 ** y), exact far from 0 too.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kLogaddexp2},
        .gradients = {{"input", "input other",
                       [](GradientCall& g) { return power_share<kExp2>(g, "input", "other"); }},
                      {"other", "input other",
                       [](GradientCall& g) { return power_share<kExp2>(g, "other", "input"); }}},
        .grad_name = "Logaddexp2Backward0",
        .forms = Forms::kOut,
        .samples = binary_samples,
    },
    {
        .name = "copysign",
        .signature = "copysign(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "copysign",
        .method = "copysign",
        .doc = "The magnitude of one with the sign of the other.",
        .dtype_rule = DTypeRule::kFloat,
        .lowering = Pointwise{ScalarFunction::kCopysign},
        .gradients = {{"input", "input result", copysign_of_input},
                      {"other", "", [](GradientCall& g) { return g.zeros_like("other"); }}},
        .grad_name_of = copysign_name,
        .numbers = {.fixed = true},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "nextafter",
        .signature = "nextafter(input: Tensor, other: Tensor) -> Tensor",
        .torch = "nextafter",
        .method = "nextafter",
        .doc = "The next number of the dtype from one towards the other; float32 and float64.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kNextafter},
        .gradients = {{"input", "input other",
                       [](GradientCall& g) {
                         return g.b.where(g.b.equal(g["input"], g["other"]), 0, g.out());
                       }},
                      {"other", "", [](GradientCall& g) { return g.zeros_like("other"); }}},
        .grad_name = "NextafterBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = nextafter_samples,
    },
    {
        .name = "ldexp",
        .signature = "ldexp(input: Tensor, other: Tensor) -> Tensor",
        .torch = "ldexp",
        .method = "ldexp",
        .doc = "input * 2 ** other.",
        .decomposition = ldexp,
        .gradients = {{"input", "other",
                       [](GradientCall& g) {
                         return g.b.multiply(g.out(), power_of_two(g.b, g["other"]));
                       }},
                      {"other", "input other", ldexp_of_other}},
        .grad_name = "LdexpBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = {"ldexp can't be cast to the desired output type {1}"},
        .samples = binary_samples,
    },
    {
        .name = "heaviside",
        .signature = "heaviside(input: Tensor, values: Tensor) -> Tensor",
        .torch = "heaviside",
        .method = "heaviside",
        .doc = "0 below zero, 1 above, `values` at zero.",
        .decomposition = heaviside,
        .lacks_derivative = true,
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = {"heaviside is not yet implemented for tensors with different dtypes.",
                         true},
        .samples = binary_samples,
    },
    {
        .name = "vdot",
        .signature = "vdot(input: Tensor, other: Tensor) -> Tensor",
        .torch = "vdot",
        .method = "vdot",
        .doc = "The sum of the products of two vectors.",
        .decomposition = vdot,
        .gradients = {{"input", "other",
                       [](GradientCall& g) { return g.b.multiply(g.out(), g["other"]); }},
                      {"other", "input",
                       [](GradientCall& g) { return g.b.multiply(g.out(), g["input"]); }}},
        .grad_name = "VdotBackward0",
        .forms = Forms::kOut,
        .output_dtype = {"result dtype {1} does not match input dtype {0}", true},
        .samples = vector_samples,
    },
    {
        .name = "cross",
        .signature = "cross(input: Tensor, other: Tensor, dim: int) -> Tensor",
        .torch = "_cross",
        .doc = "The cross product along a dimension of size 3.",
        .decomposition = cross,
        .gradients = {{"input", "other",
                       [](GradientCall& g) { return crossed(g, g["other"], g.out()); }},
                      {"other", "input",
                       [](GradientCall& g) { return crossed(g, g.out(), g["input"]); }}},
        .grad_name = "LinalgCrossBackward0",
        .samples = cross_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> pairs_entries() {
  return kEntries;
}

}  // namespace glint::ops
