// Gradients of activation functions as operators of their own: a gradient that can be
// differentiated again says what its own derivatives are, at the kinks and beyond too.
//
//     relu        threshold_backward(grad, relu(x), 0)             grad where relu(x) is above 0
//     its own     threshold_backward(again, relu(x), 0), and 0 for x
//
// A chain rule over `where` would say that nothing depends on x, or would multiply what it leaves
// out: an infinity by 0. Only gradient rules call these; they have no name in Python.
#include "ops/builders.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

std::vector<OpValue> threshold_backward(OpBuilder& b, OpArguments arguments) {
  OpValue below = b.call("less_equal", {arguments[1], arguments[2]});
  return {b.where(below, 0, arguments[0])};
}

std::vector<OpValue> leaky_relu_backward(OpBuilder& b, OpArguments arguments) {
  OpValue scaled = b.multiply(arguments[0], arguments[2]);
  return {b.where(b.greater(arguments[1], 0), arguments[0], scaled)};
}

/// Nothing passes at the bounds, unlike through `clamp`, nor where the input is NaN.
std::vector<OpValue> hardtanh_backward(OpBuilder& b, OpArguments arguments) {
  OpValue above = b.greater(arguments[1], arguments[2]);
  OpValue below = b.less(arguments[1], arguments[3]);
  return {b.where(b.call("logical_and", {above, below}), arguments[0], 0)};
}

/// All passes beyond `lambd` on both sides, and nothing where the input is NaN.
std::vector<OpValue> shrink_backward(OpBuilder& b, OpArguments arguments) {
  double bound = as_float(arguments[2]);
  OpValue below = b.less(arguments[1], -bound);
  OpValue above = b.greater(arguments[1], bound);
  return {b.where(b.call("logical_or", {below, above}), arguments[0], 0)};
}

OpValue times(OpBuilder& b, OpValue x, double factor) {
  return factor == 1.0 ? x : b.multiply(std::move(x), factor);
}

/// scale * grad above 0, else grad * input_scale * alpha * scale * exp(x * input_scale), which NaN
/// goes through.
std::vector<OpValue> elu_backward(OpBuilder& b, OpArguments arguments) {
  double alpha = as_float(arguments[2]), scale = as_float(arguments[3]);
  double input_scale = as_float(arguments[4]);
  const DType dtype = b.dtype(arguments[0].tensor());
  OpValue grad = widened(b, arguments[0].tensor()), x = widened(b, arguments[1].tensor());
  OpValue falling = times(b, b.exp(times(b, x, input_scale)), alpha * scale * input_scale);
  return {b.to(b.where(b.greater(x, 0), times(b, grad, scale), b.multiply(grad, falling)), dtype)};
}

std::vector<OpValue> hardswish_backward(OpBuilder& b, OpArguments arguments) {
  const DType dtype = b.dtype(arguments[0].tensor());
  OpValue grad = widened(b, arguments[0].tensor()), x = widened(b, arguments[1].tensor());
  OpValue bent = b.multiply(grad, b.add(b.divide(x, 3.0), 0.5));
  OpValue risen = b.where(b.call("greater_equal", {x, 3.0}), grad, bent);
  return {b.to(b.where(b.call("less_equal", {x, -3.0}), 0, risen), dtype)};
}

std::vector<OpValue> softplus_backward(OpBuilder& b, OpArguments arguments) {
  const DType dtype = b.dtype(arguments[0].tensor());
  OpValue grad = widened(b, arguments[0].tensor());
  OpValue scaled = b.multiply(widened(b, arguments[1].tensor()), arguments[2]);
  OpValue soft = b.multiply(grad, b.sigmoid(scaled));
  return {b.to(b.where(b.greater(scaled, arguments[3]), grad, soft), dtype)};
}

// ---- their own gradients -----------------------------------------------------------------------

// All are linear in `grad`: its gradient is the same operator of the gradient that arrives.

OpValue on_gradient(GradientCall& g) {
  return g.on_gradient();
}

OpValue nothing(GradientCall& g) {
  return g.zeros_like("input");
}

OpValue elu_of_input(GradientCall& g) {
  OpValue product = times(g.b, g.b.multiply(g.out(), g["grad"]), as_float(g["input_scale"]));
  OpValue slope =
      g.b.call("elu_backward", {product, g["input"], g["alpha"], g["scale"], g["input_scale"]});
  return g.b.multiply(slope, g.b.less(g["input"], 0));
}

OpValue hardswish_of_input(GradientCall& g) {
  OpValue bends =
      g.b.call("logical_and", {g.b.greater(g["input"], -3.0), g.b.less(g["input"], 3.0)});
  return g.b.where(bends, g.b.divide(g.b.multiply(g.out(), g["grad"]), 3.0), 0);
}

OpValue softplus_of_input(GradientCall& g) {
  OpValue scaled = g.b.multiply(g["input"], g["beta"]);
  OpValue s = g.b.sigmoid(scaled);
  OpValue slope = g.b.multiply(g.b.multiply(s, g.b.add(g.b.negative(s), 1.0)), g["beta"]);
  OpValue product = g.b.multiply(g.b.multiply(g.out(), g["grad"]), slope);
  return g.b.multiply(product, g.b.less(scaled, g["threshold"]));
}

/// A gradient beside each input, and the numbers.
std::vector<Sample> with_numbers(std::initializer_list<double> numbers) {
  std::vector<Sample> samples;
  for (DType dtype : {DType::kFloat32, DType::kFloat64, DType::kBFloat16})
    for (const Tensor& x : sample_inputs(dtype)) {
      std::vector<Argument> arguments = {sample_tensor(x.sizes(), dtype), x};
      for (double number : numbers) arguments.emplace_back(number);
      samples.push_back({std::move(arguments)});
    }
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "threshold_backward",
        .signature = "threshold_backward(grad: Tensor, input: Tensor, threshold: Number) -> Tensor",
        .doc = "grad where the input is above the threshold, else 0.",
        .decomposition = threshold_backward,
        .gradients = {{"grad", "input", on_gradient}, {"input", "", nothing}},
        .grad_name = "ThresholdBackwardBackward0",
        .samples = [](const OpEntry&) { return with_numbers({0.25}); },
    },
    {
        .name = "leaky_relu_backward",
        .signature = "leaky_relu_backward(grad: Tensor, input: Tensor, "
                     "negative_slope: Number) -> Tensor",
        .doc = "grad, times negative_slope where the input is not above 0.",
        .decomposition = leaky_relu_backward,
        .gradients = {{"grad", "input", on_gradient}, {"input", "", nothing}},
        .grad_name = "LeakyReluBackwardBackward0",
        .numbers = {.vary = {{.parameter = "negative_slope", .floating = "grad"}}},
        .samples = [](const OpEntry&) { return with_numbers({0.01}); },
    },
    {
        .name = "hardtanh_backward",
        .signature = "hardtanh_backward(grad: Tensor, input: Tensor, "
                     "min_val: Number, max_val: Number) -> Tensor",
        .doc = "grad where the input is between the bounds, else 0.",
        .decomposition = hardtanh_backward,
        .gradients = {{"grad", "input", on_gradient}, {"input", "", nothing}},
        .grad_name = "HardtanhBackwardBackward0",
        .samples = [](const OpEntry&) { return with_numbers({-1.0, 1.0}); },
    },
    {
        .name = "hardshrink_backward",
        .signature = "hardshrink_backward(grad: Tensor, input: Tensor, lambd: Number) -> Tensor",
        .doc = "grad where the input is further than lambd from 0, else 0.",
        .decomposition = shrink_backward,
        .gradients = {{"grad", "input", on_gradient}, {"input", "", nothing}},
        .grad_name = "HardshrinkBackwardBackward0",
        .samples = [](const OpEntry&) { return with_numbers({0.5}); },
    },
    {
        .name = "softshrink_backward",
        .signature = "softshrink_backward(grad: Tensor, input: Tensor, lambd: Number) -> Tensor",
        .doc = "grad where the input is further than lambd from 0, else 0.",
        .decomposition = shrink_backward,
        .gradients = {{"grad", "input", on_gradient}, {"input", "", nothing}},
        .grad_name = "SoftshrinkBackwardBackward0",
        .samples = [](const OpEntry&) { return with_numbers({0.5}); },
    },
    {
        .name = "elu_backward",
        .signature = "elu_backward(grad: Tensor, input: Tensor, "
                     "alpha: Number, scale: Number, input_scale: Number) -> Tensor",
        .doc = "grad times the slope of elu, selu or celu at the input.",
        .decomposition = elu_backward,
        .gradients = {{"grad", "input", on_gradient}, {"input", "grad input", elu_of_input}},
        .grad_name = "EluBackwardBackward0",
        .samples = [](const OpEntry&) { return with_numbers({1.5, 1.25, 0.5}); },
    },
    {
        .name = "hardswish_backward",
        .signature = "hardswish_backward(grad: Tensor, input: Tensor) -> Tensor",
        .doc = "grad times the slope of hardswish at the input.",
        .decomposition = hardswish_backward,
        .gradients = {{"grad", "input", on_gradient}, {"input", "grad input", hardswish_of_input}},
        .grad_name = "HardswishBackwardBackward0",
        .samples = [](const OpEntry&) { return with_numbers({}); },
    },
    {
        .name = "softplus_backward",
        .signature = "softplus_backward(grad: Tensor, input: Tensor, "
                     "beta: Number, threshold: Number) -> Tensor",
        .doc = "grad times the slope of softplus at the input.",
        .decomposition = softplus_backward,
        .gradients = {{"grad", "input", on_gradient}, {"input", "grad input", softplus_of_input}},
        .grad_name = "SoftplusBackwardBackward0",
        .samples = [](const OpEntry&) { return with_numbers({2.0, 20.0}); },
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> activation_gradient_entries() {
  return kEntries;
}

}  // namespace glint::ops
