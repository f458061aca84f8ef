// Activation functions of straight pieces: composites of comparisons, clamps and products.
//
//     relu(x) = max(x, 0), which keeps NaN
//     hardsigmoid(x) = clamp(x + 3, 0, 6) / 6
#include <limits>

#include <fmt/format.h>

#include "ops/activation_call.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

void refuse_bool(DType dtype, const char* why) {
  if (is_bool(dtype)) throw OpError{"NotImplementedError", why};
}
constexpr char kNoBoolRelu[] = "Boolean inputs not supported for relu";

std::vector<OpValue> relu(OpBuilder& b, OpArguments arguments) {
  refuse_bool(b.dtype(arguments[0].tensor()), kNoBoolRelu);
  return {b.call("clamp_min", {arguments[0], 0})};
}

Outputs eager_relu(const OpEntry& entry, Arguments arguments) {
  static const OpEntry& clamp_min = *find_op("clamp_min");
  refuse_bool(arguments[0].tensor().dtype(), kNoBoolRelu);
  const Argument operands[] = {arguments[0], 0};
  return eager_pointwise(clamp_min, operands);
}

std::vector<OpValue> relu6(OpBuilder& b, OpArguments arguments) {
  return {b.call("hardtanh", {arguments[0], 0, 6})};
}

std::vector<OpValue> hard_sigmoid(OpBuilder& b, OpArguments arguments) {
  const DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  return {b.to(b.divide(b.call("clamp", {b.add(x, 3.0), 0, 6}), 6.0), dtype)};
}

std::vector<OpValue> hard_swish(OpBuilder& b, OpArguments arguments) {
  const DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  return {b.to(b.divide(b.multiply(x, b.call("clamp", {b.add(x, 3.0), 0, 6})), 6.0), dtype)};
}

/// NaN is not below the threshold.
std::vector<OpValue> threshold(OpBuilder& b, OpArguments arguments) {
  refuse_bool(b.dtype(arguments[0].tensor()), "\"threshold_cpu\" not implemented for 'Bool'");
  OpValue below = b.call("less_equal", {arguments[0], arguments[1]});
  return {b.call("masked_fill", {arguments[0], below, arguments[2]})};
}

/// Bounds of integers are integers, and no float among them makes floats of the elements.
std::vector<OpValue> hardtanh(OpBuilder& b, OpArguments arguments) {
  const DType dtype = b.dtype(arguments[0].tensor());
  if (as_float(arguments[1]) > as_float(arguments[2]))
    throw OpError{"ValueError", "min_val cannot be greater than max_val"};
  refuse_bool(dtype, "Bool inputs not supported for hardtanh");
  const DType bounds = is_floating(dtype) ? dtype : DType::kInt64;
  return {b.call("clamp", {arguments[0], without_fraction(bounds, arguments[1]),
                           without_fraction(bounds, arguments[2])})};
}

std::vector<OpValue> hardshrink(OpBuilder& b, OpArguments arguments) {
  double bound = as_float(arguments[1]);
  OpValue above = b.call("greater_equal", {arguments[0], -bound});
  OpValue below = b.call("less_equal", {arguments[0], bound});
  return {b.where(b.call("logical_and", {above, below}), 0, arguments[0])};
}

double greatest(DType dtype) {
  if (dtype == DType::kFloat64) return std::numeric_limits<double>::max();
  if (dtype == DType::kFloat16) return 65504.0;
  return dtype == DType::kBFloat16 ? 0x1.fep127 : double(std::numeric_limits<float>::max());
}

std::vector<OpValue> softshrink(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  double bound = as_float(arguments[1]);
  if (!(bound >= 0 && bound <= greatest(b.dtype(x))))
    throw OpError{
        "RuntimeError",
        fmt::format("lambda must be in range [0, {:g}] for input dtype {}, but found {:g}",
                    greatest(b.dtype(x)), scalar_type_name(b.dtype(x)), bound)};
  OpValue low = b.where(b.less(x, -bound), b.add(x, bound), b.where(b.call("isnan", {x}), x, 0));
  return {b.where(b.greater(x, bound), b.subtract(x, bound), low)};
}

template <Activation kActivation>
Outputs eager_shrink(const OpEntry& entry, Arguments arguments) {
  const double bound = arguments.size() > 1 ? as_float(arguments[1]) : 0.5;
  if (kActivation == Activation::kSoftShrink &&
      !(bound >= 0 && bound <= greatest(arguments[0].tensor().dtype())))
    return run_decomposition(entry, arguments);  // which raises
  return activated(entry, arguments, kActivation, bound);
}

/// Nothing passes at the bounds, nor where the input is NaN.
OpValue hard_sigmoid_gradient(GradientCall& g) {
  OpValue rises =
      g.b.call("logical_and", {g.b.greater(g["input"], -3.0), g.b.less(g["input"], 3.0)});
  return g.b.where(rises, g.b.multiply(g.out(), 1.0 / 6.0), 0);
}

OpValue hard_swish_gradient(GradientCall& g) {
  return g.b.call("hardswish_backward", {g.out(), g["input"]});
}

OpValue hardtanh_gradient(GradientCall& g) {
  return g.b.call("hardtanh_backward", {g.out(), g["input"], g["min_val"], g["max_val"]});
}

std::vector<Sample> threshold_samples(const OpEntry& entry) {
  std::vector<Sample> samples = float_unary_samples(entry);
  for (Sample& sample : samples) {
    sample.arguments[1] = 0.25;
    sample.arguments[2] = -1.5;
  }
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "relu",
        .signature = "relu(input: Tensor) -> Tensor",
        .torch = "relu",
        .method = "relu",
        .functional = "relu",
        .doc = "The element, or 0 if it is negative.",
        .eager = eager_relu,
        .decomposition = relu,
        .gradients = {{"input", "result",
                       [](GradientCall& g) {
                         return g.b.call("threshold_backward", {g.out(), g.result(), 0});
                       }}},
        .grad_name = "ReluBackward0",
        .forms = Forms::kInPlace,
        .samples = number_unary_samples,
    },
    {
        .name = "relu6",
        .signature = "relu6(input: Tensor) -> Tensor",
        .functional = "relu6",
        .doc = "The element, cut to 0 ... 6.",
        .decomposition = relu6,
        .forms = Forms::kInPlace,
        .samples = number_unary_samples,
    },
    {
        .name = "hardsigmoid",
        .signature = "hardsigmoid(input: Tensor) -> Tensor",
        .functional = "hardsigmoid",
        .doc = "A sigmoid of three straight lines: 0 below -3, 1 above 3.",
        .eager = eager_activation<Activation::kHardSigmoid>,
        .decomposition = hard_sigmoid,
        .gradients = {{"input", "input", hard_sigmoid_gradient}},
        .grad_name = "HardsigmoidBackward0",
        .floats_kernel = "hardsigmoid_cpu",
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
    {
        .name = "hardswish",
        .signature = "hardswish(input: Tensor) -> Tensor",
        .functional = "hardswish",
        .doc = "x * hardsigmoid(x).",
        .eager = eager_activation<Activation::kHardSwish>,
        .decomposition = hard_swish,
        .gradients = {{"input", "input", hard_swish_gradient}},
        .grad_name = "HardswishBackward0",
        .floats_kernel = "hardswish_cpu",
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
    {
        .name = "threshold",
        .signature = "threshold(input: Tensor, threshold: Number, value: Number) -> Tensor",
        .torch = "threshold",
        .functional = "threshold",
        .doc = "The element if it is greater than `threshold`, else `value`.",
        .decomposition = threshold,
        .gradients = {{"input", "input",
                       [](GradientCall& g) {
                         return g.b.call("threshold_backward",
                                         {g.out(), g["input"], g["threshold"]});
                       }}},
        .grad_name = "ThresholdBackward0",
        .in_place_grad_name = "ThresholdBackward1",
        .numbers = {.held = "threshold", .held_in_float32 = true},
        .forms = Forms::kInPlace,
        .samples = threshold_samples,
    },
    {
        .name = "hardshrink",
        .signature = "hardshrink(input: Tensor, lambd: Number = 0.5) -> Tensor",
        .torch = "hardshrink",
        .method = "hardshrink",
        .functional = "hardshrink",
        .doc = "The element, or 0 within `lambd` of 0.",
        .eager = eager_shrink<Activation::kHardShrink>,
        .decomposition = hardshrink,
        .gradients = {{"input", "input",
                       [](GradientCall& g) {
                         return g.b.call("hardshrink_backward", {g.out(), g["input"], g["lambd"]});
                       }}},
        .numbers = {.held = "lambd"},
        .floats_kernel = "hardshrink_cpu",
        .samples = float_unary_samples,
    },
    {
        .name = "softshrink",
        .signature = "softshrink(input: Tensor, lambd: Number = 0.5) -> Tensor",
        .functional = "softshrink",
        .doc = "The element moved towards 0 by `lambd`, at most to 0.",
        .eager = eager_shrink<Activation::kSoftShrink>,
        .decomposition = softshrink,
        .gradients = {{"input", "input",
                       [](GradientCall& g) {
                         return g.b.call("softshrink_backward", {g.out(), g["input"], g["lambd"]});
                       }}},
        .floats_kernel = "softshrink_check",
        .samples = float_unary_samples,
    },
    {
        .name = "hardtanh",
        .signature =
            "hardtanh(input: Tensor, min_val: Number = -1.0, max_val: Number = 1.0) -> Tensor",
        .functional = "hardtanh",
        .doc = "The element, cut to min_val ... max_val.",
        .decomposition = hardtanh,
        .gradients = {{"input", "input", hardtanh_gradient}},
        .grad_name = "HardtanhBackward0",
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> piecewise_activation_entries() {
  return kEntries;
}

}  // namespace glint::ops
