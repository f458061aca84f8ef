// Activation functions with an exponential in them, and leaky_relu: composites of elementwise
// operators, so that a chain of them fuses.
//
//     gelu(x) = x * 0.5 * (1 + erf(x / sqrt(2)))
//     gelu(x, approximate="tanh") = x sigmoid(2u),  u = sqrt(2 / pi) (x + 0.044715 x^3)
#include <numbers>

#include <fmt/format.h>

#include "ops/activation_call.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/parallel.h"
#include "ops/rows/row_kernels.h"
#include "ops/samples.h"

namespace glint::ops {

Outputs activated(const OpEntry& entry, Arguments arguments, Activation activation, double p,
                  double q) {
  const Tensor& x = arguments[0].tensor();
  ActivationLoop loop = is_dense(x) ? activation_loop(activation, x.dtype()) : nullptr;
  if (!loop) return run_decomposition(entry, arguments);
  Tensor out = x.is_contiguous() ? Tensor::empty(x.sizes(), x.dtype())
                                 : Tensor::empty_strided(x.sizes(), x.strides(), x.dtype());
  int64_t size = int64_t(x.element_size());
  parallel_ranges(x.numel(), Work::kHeavy, [&](int64_t begin, int64_t end) {
    loop(x.raw_data() + begin * size, out.raw_data() + begin * size, end - begin, p, q);
  });
  return out;
}

namespace {

/// Those whose parameters are numbers, by position.
template <Activation kActivation>
Outputs eager_with_numbers(const OpEntry& entry, Arguments arguments) {
  const auto& parameters = signature(entry).parameters;
  double numbers[2] = {};
  for (size_t i = 1; i < parameters.size(); ++i)
    numbers[i - 1] = as_float(i < arguments.size() ? arguments[i] : parameters[i].default_value);
  return activated(entry, arguments, kActivation, numbers[0], numbers[1]);
}

Outputs eager_gelu(const OpEntry& entry, Arguments arguments) {
  const std::string* form = arguments.size() > 1 ? arguments[1].get_if<std::string>() : nullptr;
  if (form && *form != "none" && *form != "tanh") return run_decomposition(entry, arguments);
  return activated(entry, arguments,
                   form && *form == "tanh" ? Activation::kGeluTanh : Activation::kGelu);
}

std::vector<OpValue> gelu(OpBuilder& b, OpArguments arguments) {
  DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  const std::string& form = *arguments[1].get_if<std::string>();
  if (form == "none") {
    OpValue bell = b.add(b.erf(b.multiply(x, std::numbers::sqrt2 / 2)), 1.0);
    return {b.to(b.multiply(b.multiply(x, 0.5), bell), dtype)};
  }
  if (form != "tanh")
    throw OpError{"RuntimeError", "approximate argument must be either none or tanh."};
  // 1 + tanh(u) = 2 sigmoid(2u): one exponential, and nothing cancels where x is negative.
  OpValue slope = b.add(b.multiply(b.multiply(x, x), kGeluTanhCube), kGeluTanhSlope);
  return {b.to(b.multiply(x, b.sigmoid(b.multiply(x, slope))), dtype)};
}

std::vector<OpValue> silu(OpBuilder& b, OpArguments arguments) {
  DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  return {b.to(b.divide(x, b.add(b.exp(b.negative(x)), 1.0)), dtype)};
}

/// log(1 + exp(beta * x)) / beta, and x itself where beta * x is above the threshold.
std::vector<OpValue> softplus(OpBuilder& b, OpArguments arguments) {
  DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  OpValue scaled = b.multiply(x, arguments[1]);
  OpValue soft = b.divide(b.call("log1p", {b.exp(scaled)}), arguments[1]);
  return {b.to(b.where(b.greater(scaled, arguments[2]), x, soft), dtype)};
}

std::vector<OpValue> leaky_relu(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  return {b.where(b.greater(x, 0), x, b.multiply(x, arguments[1]))};
}

std::vector<OpValue> elu(OpBuilder& b, OpArguments arguments) {
  DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  return {b.to(b.where(b.greater(x, 0), x, b.multiply(b.call("expm1", {x}), arguments[1])), dtype)};
}

/// min(x, 0) - log1p(exp(-|x|)), which overflows nowhere.
std::vector<OpValue> log_sigmoid(OpBuilder& b, OpArguments arguments) {
  DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  OpValue low = b.call("clamp_max", {x, 0});
  return {b.to(b.subtract(low, b.call("log1p", {b.exp(b.negative(b.call("abs", {x})))})), dtype)};
}

/// What makes selu keep means and variances (Klambauer and others, 2017).
constexpr double kSeluAlpha = 1.6732632423543772848170429916717;
constexpr double kSeluScale = 1.0507009873554804934193349852946;

std::vector<OpValue> selu(OpBuilder& b, OpArguments arguments) {
  DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  OpValue below = b.multiply(b.call("expm1", {x}), kSeluAlpha * kSeluScale);
  return {b.to(b.where(b.greater(x, 0), b.multiply(x, kSeluScale), below), dtype)};
}

std::vector<OpValue> celu(OpBuilder& b, OpArguments arguments) {
  double alpha = as_float(arguments[1]);
  if (alpha == 0.0) throw OpError{"RuntimeError", "ZeroDivisionError: alpha cannot be 0 for CELU"};
  DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  OpValue below = b.multiply(b.call("expm1", {b.multiply(x, 1.0 / alpha)}), alpha);
  return {b.to(b.where(b.greater(x, 0), x, below), dtype)};
}

std::vector<OpValue> mish(OpBuilder& b, OpArguments arguments) {
  DType dtype = b.dtype(arguments[0].tensor());
  OpValue x = widened(b, arguments[0].tensor());
  return {b.to(b.multiply(x, b.tanh(b.call("softplus", {x}))), dtype)};
}

// ---- gradients ---------------------------------------------------------------------------------

/// The normal distribution's function and x times its density; or the same of the tanh form.
OpValue gelu_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue x = widened(b, g.tensor("input"));
  OpValue square = b.call("square", {x});
  if (*g["approximate"].get_if<std::string>() == "none") {
    OpValue below = b.multiply(b.add(b.erf(b.multiply(x, std::numbers::sqrt2 / 2)), 1.0), 0.5);
    const double scale = std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2;
    OpValue density = b.multiply(b.exp(b.multiply(square, -0.5)), scale);
    return b.multiply(g.out(), b.add(below, b.multiply(x, density)));
  }
  const double scale = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  OpValue cube = b.multiply(square, x);
  OpValue inner = b.multiply(b.add(x, b.multiply(cube, 0.044715)), scale);
  OpValue tanh = b.tanh(inner);
  OpValue below = b.multiply(b.add(tanh, 1.0), 0.5);
  OpValue of_tanh = b.subtract(b.full({}, 1, b.dtype(x)), b.call("square", {tanh}));
  OpValue of_inner = b.multiply(b.add(b.multiply(square, 3 * 0.044715), 1.0), scale);
  OpValue density = b.multiply(b.multiply(of_tanh, of_inner), 0.5);
  return b.multiply(g.out(), b.add(below, b.multiply(x, density)));
}

/// s * (1 + x * (1 - s)) for s = sigmoid(x).
OpValue silu_gradient(GradientCall& g) {
  OpValue x = g.tensor("input");
  OpValue s = g.b.sigmoid(x);
  OpValue rest = g.b.add(g.b.negative(s), 1.0);
  return g.b.multiply(g.b.multiply(g.out(), s), g.b.add(g.b.multiply(x, rest), 1.0));
}

OpValue softplus_gradient(GradientCall& g) {
  return g.b.call("softplus_backward", {g.out(), g["input"], g["beta"], g["threshold"]});
}

OpValue leaky_relu_gradient(GradientCall& g) {
  return g.b.call("leaky_relu_backward", {g.out(), g["input"], g["negative_slope"]});
}

/// Throws where the result does not say on which side of 0 the input was.
void check_written_slope(std::string_view name, double slope, std::string_view more = "") {
  if (slope >= 0) return;
  throw OpError{"RuntimeError",
                fmt::format("In-place {} backward calculation is triggered with a negative slope "
                            "which is not supported. This is caused by calling in-place forward "
                            "function with a negative slope, please call out-of-place version "
                            "instead.{}",
                            name, more)};
}

OpValue written_leaky_relu_gradient(GradientCall& g) {
  check_written_slope("leakyReLu", as_float(g["negative_slope"]),
                      " File an issue at https://github.com/pytorch/pytorch if you do require "
                      "supporting in-place leakRelu backward calculation with negative slope");
  return g.b.where(g.b.greater(g.result(), 0), g.out(), g.b.multiply(g.out(), g["negative_slope"]));
}

/// Of `scale * x`, and `alpha * scale * (exp(x * rate) - 1)` where that is not above 0, which the
/// result has the sign of.
OpValue written_elu_gradient(GradientCall& g, double alpha, double scale, double rate) {
  check_written_slope("elu", alpha);
  OpValue falling = g.b.multiply(g.b.add(g.result(), alpha * scale), rate);
  OpValue slope = g.b.where(g.b.greater(g.result(), 0), scale, falling);
  return g.b.multiply(g.out(), slope);
}

OpValue elu_gradient(GradientCall& g) {
  return g.b.call("elu_backward", {g.out(), g["input"], g["alpha"], 1.0, 1.0});
}

OpValue selu_gradient(GradientCall& g) {
  return g.b.call("elu_backward", {g.out(), g["input"], kSeluAlpha, kSeluScale, 1.0});
}

OpValue celu_gradient(GradientCall& g) {
  double alpha = as_float(g["alpha"]);
  return g.b.call("elu_backward", {g.out(), g["input"], alpha, 1.0, 1.0 / alpha});
}

OpValue log_sigmoid_gradient(GradientCall& g) {
  return g.b.multiply(g.out(), g.b.sigmoid(g.b.negative(g.tensor("input"))));
}

/// t + x * sigmoid(x) * (1 - t * t) for t = tanh(softplus(x)).
OpValue mish_gradient(GradientCall& g) {
  OpValue x = g.tensor("input");
  OpValue t = g.b.tanh(g.b.call("softplus", {x}));
  OpValue of_tanh = g.b.add(g.b.negative(g.b.call("square", {t})), 1.0);
  OpValue rest = g.b.multiply(g.b.multiply(x, g.b.sigmoid(x)), of_tanh);
  return g.b.multiply(g.out(), g.b.add(t, rest));
}

constexpr OpEntry kEntries[] = {
    {
        .name = "gelu",
        .signature = "gelu(input: Tensor, *, approximate: str = \"none\") -> Tensor",
        .functional = "gelu",
        .doc =
            "x times the normal distribution's probability of being below x; approximate is `none` "
            "(by erf) or `tanh`.",
        .eager = eager_gelu,
        .decomposition = gelu,
        .gradients = {{"input", "input", gelu_gradient}},
        .grad_name = "GeluBackward0",
        .floats_kernel = "GeluKernelImpl",
        .samples = gelu_samples,
    },
    {
        .name = "silu",
        .signature = "silu(input: Tensor) -> Tensor",
        .functional = "silu",
        .doc = "x times sigmoid(x), also called swish.",
        .eager = eager_activation<Activation::kSilu>,
        .decomposition = silu,
        .gradients = {{"input", "input", rounded_once<silu_gradient>}},
        .grad_name = "SiluBackward0",
        .floats_kernel = "silu_cpu",
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
    {
        .name = "softplus",
        .signature =
            "softplus(input: Tensor, beta: Number = 1.0, threshold: Number = 20.0) -> Tensor",
        .functional = "softplus",
        .doc = "log(1 + exp(beta * x)) / beta: a smooth relu; x itself where beta * x is above the "
               "threshold.",
        .eager = eager_with_numbers<Activation::kSoftplus>,
        .decomposition = softplus,
        .gradients = {{"input", "input", softplus_gradient}},
        .grad_name = "SoftplusBackward0",
        .numbers = {.held = "beta threshold", .held_in_float32 = true},
        .floats_kernel = "softplus_cpu",
        .samples = float_unary_samples,
    },
    {
        .name = "leaky_relu",
        .signature = "leaky_relu(input: Tensor, negative_slope: Number = 0.01) -> Tensor",
        .functional = "leaky_relu",
        .doc = "The element, times negative_slope if it is negative.",
        .eager = eager_with_numbers<Activation::kLeakyRelu>,
        .decomposition = leaky_relu,
        .gradients = {{"input", "input", leaky_relu_gradient}},
        .grad_name = "LeakyReluBackward0",
        .recorded_in_place = "written_leaky_relu",
        .numbers = {.vary = {{.parameter = "negative_slope", .floating = "input"}},
                    .held = "negative_slope",
                    .held_in_float32 = true},
        .floats_kernel = "leaky_relu_cpu",
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
    {
        .name = "written_leaky_relu",
        .signature = "written_leaky_relu(input: Tensor, negative_slope: Number = 0.01) -> Tensor",
        .doc = "leaky_relu as its in-place form is recorded: the gradient reads the result.",
        .eager = eager_with_numbers<Activation::kLeakyRelu>,
        .decomposition = leaky_relu,
        .gradients = {{"input", "result", written_leaky_relu_gradient}},
        .grad_name = "LeakyReluBackward1",
        .samples = float_unary_samples,
    },
    {
        .name = "elu",
        .signature = "elu(input: Tensor, alpha: Number = 1.0) -> Tensor",
        .functional = "elu",
        .doc = "The element, or alpha * (exp(x) - 1) if it is negative.",
        .eager = eager_with_numbers<Activation::kElu>,
        .decomposition = elu,
        .gradients = {{"input", "input", elu_gradient}},
        .grad_name = "EluBackward0",
        .recorded_in_place = "written_elu",
        .numbers = {.held = "alpha", .held_in_float32 = true},
        .floats_kernel = "elu_cpu",
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
    {
        .name = "written_elu",
        .signature = "written_elu(input: Tensor, alpha: Number = 1.0) -> Tensor",
        .doc = "elu as its in-place form is recorded: the gradient reads the result.",
        .eager = eager_with_numbers<Activation::kElu>,
        .decomposition = elu,
        .gradients = {{"input", "result",
                       [](GradientCall& g) {
                         return written_elu_gradient(g, as_float(g["alpha"]), 1.0, 1.0);
                       }}},
        .grad_name = "EluBackward1",
        .samples = float_unary_samples,
    },
    {
        .name = "selu",
        .signature = "selu(input: Tensor) -> Tensor",
        .torch = "selu",
        .functional = "selu",
        .doc = "A scaled elu, which keeps means and variances.",
        .decomposition = selu,
        .gradients = {{"input", "input", selu_gradient}},
        .grad_name = "EluBackward0",
        .recorded_in_place = "written_selu",
        .floats_kernel = "elu_cpu",
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
    {
        .name = "written_selu",
        .signature = "written_selu(input: Tensor) -> Tensor",
        .doc = "selu as its in-place form is recorded: the gradient reads the result.",
        .decomposition = selu,
        .gradients = {{"input", "result",
                       [](GradientCall& g) {
                         return written_elu_gradient(g, kSeluAlpha, kSeluScale, 1.0);
                       }}},
        .grad_name = "EluBackward1",
        .samples = float_unary_samples,
    },
    {
        .name = "celu",
        .signature = "celu(input: Tensor, alpha: Number = 1.0) -> Tensor",
        .torch = "celu",
        .functional = "celu",
        .doc = "The element, or alpha * (exp(x / alpha) - 1) if it is negative.",
        .decomposition = celu,
        .gradients = {{"input", "input", celu_gradient}},
        .grad_name = "CeluBackward0",
        .recorded_in_place = "written_celu",
        .numbers = {.held = "alpha", .held_in_float32 = true},
        .floats_kernel = "elu_cpu",
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
    {
        .name = "written_celu",
        .signature = "written_celu(input: Tensor, alpha: Number = 1.0) -> Tensor",
        .doc = "celu as its in-place form is recorded: the gradient reads the result.",
        .decomposition = celu,
        .gradients = {{"input", "result",
                       [](GradientCall& g) {
                         const double alpha = as_float(g["alpha"]);
                         return written_elu_gradient(g, alpha, 1.0, 1.0 / alpha);
                       }}},
        .grad_name = "CeluBackward1",
        .samples = float_unary_samples,
    },
    {
        .name = "mish",
        .signature = "mish(input: Tensor) -> Tensor",
        .functional = "mish",
        .doc = "x * tanh(softplus(x)).",
        .eager = eager_activation<Activation::kMish>,
        .decomposition = mish,
        .gradients = {{"input", "input", rounded_once<mish_gradient>}},
        .grad_name = "MishBackward0",
        .floats_kernel = "mish_cpu",
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
    {
        .name = "log_sigmoid",
        .signature = "logsigmoid(input: Tensor) -> Tensor",
        .functional = "logsigmoid",
        .doc = "The logarithm of the sigmoid, exact far from 0 too.",
        .eager = eager_activation<Activation::kLogSigmoid>,
        .decomposition = log_sigmoid,
        .gradients = {{"input", "input", rounded_once<log_sigmoid_gradient>}},
        .grad_name = "LogSigmoidBackward0",
        .floats_kernel = "log_sigmoid_cpu",
        .samples = float_unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> activation_entries() {
  return kEntries;
}

}  // namespace glint::ops
