// What treats a tensor's channels apart, one node of the tape each.
//
//     batch_norm(x)         x[n, c, i] less the mean of channel c, over its deviation
//     group_norm(x, 2)      the same of half of the channels of one example
//     prelu(x, w)           x where it is above 0, else w[c] * x
//     glu(x)                one half of a dimension, times the sigmoid of the other half
#include <fmt/format.h>

#include "ops/builders.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

// ---- normalisation -----------------------------------------------------------------------------

void check_channels(OpBuilder& b, const OpValue& x) {
  if (b.rank(x) < 2)
    throw OpError{
        "RuntimeError",
        fmt::format("Expected at least 2 dimensions for input tensor but received {}", b.rank(x))};
}

/// All dimensions but that of the channels.
std::vector<SymInt> other_dims(size_t rank) {
  std::vector<SymInt> dims = {0};
  for (size_t i = 2; i < rank; ++i) dims.emplace_back(int64_t(i));
  return dims;
}

/// What belongs to channels, as it broadcasts with the input.
OpValue by_channel(OpBuilder& b, const OpValue& of_channels, const OpValue& input) {
  std::vector<SymInt> shape(b.rank(input), 1);
  shape[1] = b.sizes(input)[1];
  return b.reshape(of_channels, shape);
}

OpValue scaled(OpBuilder& b, OpValue x, const OpArgument& weight, const OpArgument& bias) {
  if (!weight.is_none()) x = b.multiply(x, by_channel(b, weight.tensor(), x));
  return bias.is_none() ? x : b.add(x, by_channel(b, bias.tensor(), x));
}

/// A batch's own mean and variance, and what they make of it: (x - mean) / deviation.
struct Normal {
  OpValue mean, centred, variance, scale, rows;
};
Normal normal_of(OpBuilder& b, const OpValue& x, const std::vector<SymInt>& dims, double epsilon) {
  Normal normal;
  normal.mean = b.mean(x, dims, true);
  normal.centred = b.subtract(x, normal.mean);
  normal.variance = b.mean(b.multiply(normal.centred, normal.centred), dims, true);
  normal.scale = b.rsqrt(b.add(normal.variance, epsilon));
  normal.rows = b.multiply(normal.centred, normal.scale);
  return normal;
}

/// scale * (h - mean(h) - rows * mean(h * rows)) for the gradient h of the rows.
OpValue through_normal(OpBuilder& b, const OpValue& h, const Normal& normal,
                       const std::vector<SymInt>& dims) {
  OpValue along = b.multiply(normal.rows, b.mean(b.multiply(h, normal.rows), dims, true));
  OpValue rest = b.subtract(b.subtract(h, b.mean(h, dims, true)), along);
  return b.multiply(rest, normal.scale);
}

std::vector<OpValue> batch_norm(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  check_channels(b, x);
  Normal normal = normal_of(b, x, other_dims(b.rank(x)), as_float(arguments[3]));
  std::vector<SymInt> channels = {b.sizes(x)[1]};
  return {scaled(b, normal.rows, arguments[1], arguments[2]), b.reshape(normal.mean, channels),
          b.reshape(normal.variance, channels)};
}

/// With statistics that are given.
OpValue known_scale(OpBuilder& b, const OpValue& x, const OpValue& variance,
                    const OpArgument& eps) {
  return by_channel(b, b.rsqrt(b.add(variance, as_float(eps))), x);
}
std::vector<OpValue> batch_norm_known(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  check_channels(b, x);
  OpValue centred = b.subtract(x, by_channel(b, arguments[1].tensor(), x));
  OpValue rows = b.multiply(centred, known_scale(b, x, arguments[2].tensor(), arguments[5]));
  return {scaled(b, rows, arguments[3], arguments[4])};
}

/// The channels of each group side by side.
OpValue in_groups(OpBuilder& b, const OpValue& x, const OpArgument& groups) {
  auto sizes = b.sizes(x);
  SymInt length = floor_divide(product(std::span(sizes).subspan(1)), as_int(groups));
  return b.reshape(x, {sizes[0], as_int(groups), length});
}
/// Channels stay a dimension of their own, so that they are scaled in the loop that goes over them.
std::vector<OpValue> group_norm(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  check_channels(b, x);
  auto sizes = b.sizes(x);
  SymInt groups = as_int(arguments[1]), channels = floor_divide(sizes[1], groups);
  SymInt places = product(std::span(sizes).subspan(2));
  OpValue rows = b.reshape(x, {sizes[0], groups, channels, places});
  rows = b.call("layer_norm", {rows, std::vector<SymInt>{channels, places}, OpArgument(),
                               OpArgument(), arguments[4]});
  auto beside_rows = [&](const OpArgument& of_channels) {
    return b.reshape(of_channels.tensor(), {groups, channels, 1});
  };
  if (!arguments[2].is_none()) rows = b.multiply(rows, beside_rows(arguments[2]));
  if (!arguments[3].is_none()) rows = b.add(rows, beside_rows(arguments[3]));
  return {b.reshape(rows, sizes)};
}

// ---- gradients of it ---------------------------------------------------------------------------

/// The gradient of what was scaled.
OpValue unscaled(GradientCall& g, const OpValue& like) {
  if (g.is_none("weight")) return g.out();
  return g.b.multiply(g.out(), by_channel(g.b, g.tensor("weight"), like));
}
OpValue channel_sum(GradientCall& g, const OpValue& x) {
  return g.b.sum(x, other_dims(g.b.rank(x)));
}
OpValue bias_gradient(GradientCall& g) {
  return channel_sum(g, g.out());
}

Normal batch_normal(GradientCall& g) {
  OpValue x = g.tensor("input");
  return normal_of(g.b, x, other_dims(g.b.rank(x)), as_float(g["eps"]));
}
/// What arrives for the mean, the second result, or for the variance, the third.
OpValue of_statistic(GradientCall& g, size_t result, const OpValue& like) {
  SymInt count = 1;
  for (SymInt dim : other_dims(g.b.rank(like))) count *= g.b.sizes(like)[size_t(dim.constant())];
  return by_channel(g.b, g.b.divide(g.out(result), count), like);
}
OpValue batch_norm_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  Normal normal = batch_normal(g);
  auto dims = other_dims(b.rank(normal.rows));
  OpValue gradient = through_normal(b, unscaled(g, normal.rows), normal, dims);
  if (g.has_out(1)) gradient = b.add(gradient, of_statistic(g, 1, normal.rows));
  if (!g.has_out(2)) return gradient;
  OpValue of_variance = b.multiply(of_statistic(g, 2, normal.rows), 2);
  return b.add(gradient, b.multiply(of_variance, normal.centred));
}
OpValue batch_norm_weight(GradientCall& g) {
  return channel_sum(g, g.b.multiply(g.out(), batch_normal(g).rows));
}

OpValue known_gradient(GradientCall& g) {
  OpValue h = unscaled(g, g.out());
  return g.b.multiply(h, known_scale(g.b, h, g.tensor("var"), g["eps"]));
}
OpValue known_weight(GradientCall& g) {
  OpValue x = g.tensor("input");
  OpValue centred = g.b.subtract(x, by_channel(g.b, g.tensor("mean"), x));
  OpValue rows = g.b.multiply(centred, known_scale(g.b, x, g.tensor("var"), g["eps"]));
  return channel_sum(g, g.b.multiply(g.out(), rows));
}

Normal group_normal(GradientCall& g) {
  OpValue groups = in_groups(g.b, g.tensor("input"), g["num_groups"]);
  return normal_of(g.b, groups, {2}, as_float(g["eps"]));
}
OpValue group_norm_gradient(GradientCall& g) {
  OpValue h = in_groups(g.b, unscaled(g, g.tensor("input")), g["num_groups"]);
  return g.b.reshape(through_normal(g.b, h, group_normal(g), {2}), g.sizes("input"));
}
OpValue group_norm_weight(GradientCall& g) {
  OpValue rows = g.b.reshape(group_normal(g).rows, g.sizes("input"));
  return channel_sum(g, g.b.multiply(g.out(), rows));
}

// ---- gates -------------------------------------------------------------------------------------

std::vector<OpValue> prelu(OpBuilder& b, OpArguments arguments) {
  OpValue scaled_down = b.multiply(arguments[1], arguments[0]);
  return {b.where(b.greater(arguments[0], 0), arguments[0], scaled_down)};
}
OpValue prelu_of_input(GradientCall& g) {
  OpValue scaled_down = g.b.multiply(g["weight"], g.out());
  return g.b.where(g.b.greater(g["input"], 0), g.out(), scaled_down);
}
OpValue prelu_of_weight(GradientCall& g) {
  return g.b.where(g.b.greater(g["input"], 0), 0, g.b.multiply(g["input"], g.out()));
}

std::vector<OpValue> glu(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  int64_t dim = wrap_dim(as_constant(arguments[1]), b.rank(x));
  SymInt size = b.rank(x) == 0 ? SymInt(1) : b.sizes(x)[size_t(dim)];
  if (size.is_constant() && size.constant() % 2 != 0)
    throw OpError{"RuntimeError",
                  fmt::format("Halving dimension must be even, but dimension {} is size {}", dim,
                              size.text())};
  auto halves = b.call_all("chunk", {arguments[0], 2, arguments[1]}, {});
  return {b.multiply(halves[0], b.sigmoid(halves[1]))};
}
OpValue glu_gradient(GradientCall& g) {
  auto halves = g.b.call_all("chunk", {g["input"], 2, g["dim"]}, {});
  OpValue gate = g.b.sigmoid(halves[1]);
  OpValue of_value = g.b.multiply(gate, g.out());
  OpValue slope = g.b.multiply(g.b.add(g.b.negative(gate), 1.0), halves[0]);
  OpArgument::List parts = {of_value, g.b.multiply(of_value, slope)};
  return g.b.call("cat", {parts, g["dim"]});
}

// ---- samples -----------------------------------------------------------------------------------

/// Four channels, with weights or without: `make` puts the arguments of one call together.
template <class F>
std::vector<Sample> channel_samples(const OpEntry& entry, F&& make) {
  std::vector<Sample> samples;
  for (DType dtype : {DType::kFloat32, DType::kFloat64})
    for (bool weighted : {true, false})
      for (const Tensor& x : {sample_tensor({3, 4}, dtype), sample_tensor({2, 4, 3}, dtype)}) {
        Argument weight = weighted ? Argument(sample_tensor({4}, dtype)) : Argument();
        add(samples, entry, make(x, weight));
      }
  return samples;
}

std::vector<Sample> batch_norm_samples(const OpEntry& entry) {
  return channel_samples(entry, [](const Tensor& x, const Argument& weight) {
    return std::vector<Argument>{x, weight, weight, 1e-5};
  });
}
std::vector<Sample> known_samples(const OpEntry& entry) {
  return channel_samples(entry, [](const Tensor& x, const Argument& weight) {
    Tensor mean = sample_tensor({4}, x.dtype()), variance = Tensor::full({4}, 1.5, x.dtype());
    return std::vector<Argument>{x, mean, variance, weight, weight, 1e-5};
  });
}
std::vector<Sample> group_norm_samples(const OpEntry& entry) {
  return channel_samples(entry, [](const Tensor& x, const Argument& weight) {
    return std::vector<Argument>{x, 2, weight, weight, 1e-5};
  });
}
std::vector<Sample> prelu_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kFloats) {
    add(samples, entry, {sample_tensor({2, 3}, dtype), sample_tensor({1, 3}, dtype)});
    add(samples, entry, {sample_tensor({4}, dtype), Tensor::full({1}, 0.25, dtype)});
    add(samples, entry, {sample_tensor({2, 3, 2}, dtype), sample_tensor({1, 3, 1}, dtype)});
  }
  return samples;
}
std::vector<Sample> glu_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kFloats) {
    add(samples, entry, {sample_tensor({3, 4}, dtype), -1});
    add(samples, entry, {sample_tensor({2, 4, 3}, dtype), 1});
    add(samples, entry, {sample_tensor({2}, dtype), 0});
  }
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "batch_norm",
        .signature = "batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, "
                     "eps: float) -> Tensors",
        .torch = "_batch_norm",
        .doc = "`batch_norm` with the statistics of the batch, which it gives too.",
        .decomposition = batch_norm,
        .gradients = {{"input", "input weight", batch_norm_gradient},
                      {"weight", "input", batch_norm_weight},
                      {"bias", "", bias_gradient}},
        .grad_name = "NativeBatchNormBackward0",
        .output_form = OutputForm::kTuple,
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = batch_norm_samples,
    },
    {
        .name = "batch_norm_known",
        .signature = "batch_norm(input: Tensor, mean: Tensor, var: Tensor, weight: Tensor | None, "
                     "bias: Tensor | None, eps: float) -> Tensor",
        .torch = "_batch_norm_known",
        .doc = "`batch_norm` with statistics that are known.",
        .decomposition = batch_norm_known,
        .gradients = {{"input", "var weight", known_gradient},
                      {"weight", "input mean var", known_weight},
                      {"bias", "", bias_gradient}},
        .grad_name = "NativeBatchNormBackward0",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = known_samples,
    },
    {
        .name = "group_norm",
        .signature = "group_norm(input: Tensor, num_groups: int, weight: Tensor | None, "
                     "bias: Tensor | None, eps: float) -> Tensor",
        .torch = "_group_norm",
        .doc = "Groups of channels normalised to mean 0 and variance 1, then scaled and shifted.",
        .decomposition = group_norm,
        .gradients = {{"input", "input weight", group_norm_gradient},
                      {"weight", "input", group_norm_weight},
                      {"bias", "", bias_gradient}},
        .grad_name = "NativeGroupNormBackward0",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = group_norm_samples,
    },
    {
        .name = "prelu",
        .signature = "prelu(input: Tensor, weight: Tensor) -> Tensor",
        .torch = "_prelu_kernel",
        .doc = "The element, times a weight if it is not above 0.",
        .decomposition = prelu,
        .gradients = {{"input", "input weight", prelu_of_input},
                      {"weight", "input", prelu_of_weight}},
        .grad_name = "PreluKernelBackward0",
        .samples = prelu_samples,
    },
    {
        .name = "glu",
        .signature = "glu(input: Tensor, dim: int) -> Tensor",
        .torch = "_glu",
        .doc = "One half of a dimension, times the sigmoid of the other half.",
        .decomposition = glu,
        .gradients = {{"input", "input", glu_gradient}},
        .grad_name = "GluBackward0",
        .samples = glu_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> channels_entries() {
  return kEntries;
}

}  // namespace glint::ops
