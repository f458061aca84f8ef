// Losses of distances between an input and a target.
//
//     smooth_l1_loss(x, y)      mean(where(|x - y| < 1, (x - y)^2 / 2, |x - y| - 1/2))
#include <fmt/format.h>

#include "ops/element.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/loss_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// What input and target promote to, of which one at least is a floating tensor.
DType float_dtype(OpBuilder& b, OpArguments arguments, const char* kernel) {
  const InferArgument types[] = {b.type(arguments[0].tensor()), b.type(arguments[1].tensor())};
  const DType dtype = promoted_dtype(types);
  if (is_floating(dtype)) return dtype;
  throw OpError{"NotImplementedError",
                fmt::format("\"{}\" not implemented for '{}'", kernel, scalar_type_name(dtype))};
}

std::vector<OpValue> mse_loss(OpBuilder& b, OpArguments arguments) {
  float_dtype(b, arguments, "mse_cpu");
  OpValue difference = b.subtract(arguments[0], arguments[1]);
  return {reduced(b, b.multiply(difference, difference), arguments[2])};
}

std::vector<OpValue> l1_loss(OpBuilder& b, OpArguments arguments) {
  return {reduced(b, b.call("abs", {b.subtract(arguments[0], arguments[1])}), arguments[2])};
}

/// |input - target|, in float32 where that is what PyTorch's kernel computes a 16-bit dtype in.
OpValue distance_of(OpBuilder& b, OpArguments arguments, bool in_float32) {
  OpValue input = arguments[0].tensor(), target = arguments[1].tensor();
  if (in_float32) input = widened(b, input), target = widened(b, target);
  return b.call("abs", {b.subtract(input, target)});
}

/// d^2 / (2 beta) where |d| < beta, else |d| - beta / 2.
std::vector<OpValue> smooth_l1_loss(OpBuilder& b, OpArguments arguments) {
  double beta = as_float(arguments[3]);
  if (beta < 0)
    throw OpError{"RuntimeError", "smooth_l1_loss does not support negative values for beta."};
  const DType dtype = float_dtype(b, arguments, "smooth_l1_cpu");
  OpValue distance = distance_of(b, arguments, dtype == DType::kBFloat16);
  if (beta == 0.0) return {reduced(b, b.to(distance, dtype), arguments[2])};
  if (dtype == DType::kFloat16) beta = as_element(beta, dtype);
  OpValue small = b.multiply(b.multiply(distance, 0.5), distance);
  if (beta != 1.0) small = b.divide(small, beta);
  OpValue large = b.subtract(distance, 0.5 * beta);
  OpValue losses = b.where(b.less(distance, beta), small, large);
  return {reduced(b, b.to(losses, dtype), arguments[2])};
}

/// d^2 / 2 where |d| < delta, else delta * (|d| - delta / 2).
std::vector<OpValue> huber_loss(OpBuilder& b, OpArguments arguments) {
  double delta = as_float(arguments[3]);
  if (!(delta > 0))
    throw OpError{"RuntimeError", "huber_loss does not support non-positive values for delta."};
  const DType dtype = float_dtype(b, arguments, "huber_cpu");
  OpValue distance = distance_of(b, arguments, dtype == DType::kFloat16);
  if (dtype == DType::kBFloat16) delta = as_element(delta, dtype);
  OpValue small = b.multiply(b.multiply(distance, 0.5), distance);
  OpValue large = b.multiply(b.subtract(distance, 0.5 * delta), delta);
  OpValue losses = b.where(b.less(distance, delta), small, large);
  return {reduced(b, b.to(losses, dtype), arguments[2])};
}

// ---- gradients ---------------------------------------------------------------------------------

/// The input less the target, or the other way round: what is 0 is 0.0 for both.
OpValue difference_to(GradientCall& g, const char* of) {
  bool input = std::string_view(of) == "input";
  return g.b.subtract(g[of], g[input ? "target" : "input"]);
}

constexpr char kInput[] = "input";
constexpr char kTarget[] = "target";

/// `inside` where the difference is between -bound and bound, or NaN; else `beyond` with its sign.
OpValue beyond_bounds(OpBuilder& b, const OpValue& difference, double bound, const OpValue& inside,
                      const OpValue& beyond) {
  OpValue above = b.where(b.call("greater_equal", {difference, bound}), beyond, inside);
  return b.where(b.call("less_equal", {difference, -bound}), b.negative(beyond), above);
}

/// The gradient times the difference over beta, cut to -1 ... 1.
template <const char* kOf>
OpValue smooth_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  const OpValue difference = difference_to(g, kOf), share = loss_share(g);
  const double beta = as_float(g["beta"]);
  if (beta == 0.0) return b.multiply(b.call("sign", {difference}), share);
  OpValue inside = b.divide(b.multiply(difference, share), beta);
  return beyond_bounds(b, difference, beta, inside, share);
}

/// The gradient times the difference, cut to -delta ... delta.
template <const char* kOf>
OpValue huber_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  const OpValue difference = difference_to(g, kOf), share = loss_share(g);
  const double delta = as_element(as_float(g["delta"]), b.dtype(difference));
  return beyond_bounds(b, difference, delta, b.multiply(difference, share),
                       b.multiply(share, delta));
}

template <const char* kOf>
OpValue squared_gradient(GradientCall& g) {
  return g.b.multiply(g.b.multiply(difference_to(g, kOf), 2), loss_share(g));
}

constexpr OpEntry kEntries[] = {
    {
        .name = "mse_loss",
        .signature = "mse_loss(input: Tensor, target: Tensor, reduction: str = \"mean\") -> Tensor",
        .functional = "mse_loss",
        .doc = "The squared differences; their mean, their sum, or all of them.",
        .decomposition = mse_loss,
        .gradients = {{"input", "input target", squared_gradient<kInput>},
                      {"target", "input target", squared_gradient<kTarget>}},
        .grad_name = "MseLossBackward0",
        .samples = loss_samples,
    },
    {
        .name = "l1_loss",
        .signature = "l1_loss(input: Tensor, target: Tensor, reduction: str = \"mean\") -> Tensor",
        .functional = "l1_loss",
        .doc = "The absolute differences; their mean, their sum, or all of them.",
        .decomposition = l1_loss,
        .samples = loss_samples,
    },
    {
        .name = "smooth_l1_loss",
        .signature = "smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = \"mean\", "
                     "beta: float = 1.0) -> Tensor",
        .functional = "smooth_l1_loss",
        .doc = "Squared differences below beta, absolute ones above.",
        .decomposition = smooth_l1_loss,
        .gradients = {{"input", "input target", rounded_once<smooth_gradient<kInput>>},
                      {"target", "input target", rounded_once<smooth_gradient<kTarget>>}},
        .grad_name = "SmoothL1LossBackward0",
        .samples = loss_samples,
    },
    {
        .name = "huber_loss",
        .signature = "huber_loss(input: Tensor, target: Tensor, reduction: str = \"mean\", "
                     "delta: float = 1.0) -> Tensor",
        .functional = "huber_loss",
        .doc = "Half the squared differences up to delta, a straight line beyond.",
        .decomposition = huber_loss,
        .gradients = {{"input", "input target", huber_gradient<kInput>},
                      {"target", "input target", huber_gradient<kTarget>}},
        .grad_name = "HuberLossBackward0",
        .samples = loss_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> distance_loss_entries() {
  return kEntries;
}

}  // namespace glint::ops
