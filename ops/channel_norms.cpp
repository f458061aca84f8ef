// Normalisation by channel, one node of the tape each, and the ways back.
//
//     batch_norm(x)         x[n, c, i] less the mean of channel c, over its deviation
//     group_norm(x, 2)      the same of half of the channels of one example
//
// They are composites for the compiler; on the processor an eager call is a few passes
// (channel_norm_calls.h). The ways back are composites of their own, so that a graph shows them as
// one node before it is decomposed.
#include <fmt/format.h>

#include "core/tensor/views.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/channel_norm_calls.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/normalised_rows.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

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

/// Whether an image or a volume lies with its channels innermost.
bool has_channels_last(const TensorType& type) {
  if (type.rank() != 4 && type.rank() != 5) return false;
  SymInt step = 1;
  for (size_t dim : {size_t(1), size_t(4), size_t(3), size_t(2), size_t(0)}) {
    if (dim >= type.rank()) continue;
    if (!type.sizes[dim].is(1) && type.full_strides()[dim] != step) return false;
    step *= type.sizes[dim];
  }
  return true;
}

/// The input as batch norm's result lies: with channels last as it came, else row by row.
OpValue laid_out(OpBuilder& b, const OpValue& x) {
  const TensorType type = b.type(x);
  return type.contiguous() || has_channels_last(type) ? x : b.call("contiguous", {x});
}

/// Means and variances, and what they make of an input: (x - mean) / deviation.
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
  check_channels(b, arguments[0].tensor());
  OpValue x = laid_out(b, arguments[0].tensor());
  Normal normal = normal_of(b, x, other_dims(b.rank(x)), as_float(arguments[3]));
  std::vector<SymInt> channels = {b.sizes(x)[1]};
  return {scaled(b, normal.rows, arguments[1], arguments[2]), b.reshape(normal.mean, channels),
          b.reshape(normal.variance, channels)};
}

/// With statistics that are given, one number a channel.
Normal normal_by(OpBuilder& b, const OpValue& x, const OpValue& mean, const OpValue& variance,
                 double epsilon) {
  Normal normal;
  normal.mean = by_channel(b, mean, x);
  normal.variance = by_channel(b, variance, x);
  normal.centred = b.subtract(x, normal.mean);
  normal.scale = b.rsqrt(b.add(normal.variance, epsilon));
  normal.rows = b.multiply(normal.centred, normal.scale);
  return normal;
}
std::vector<OpValue> batch_norm_known(OpBuilder& b, OpArguments arguments) {
  check_channels(b, arguments[0].tensor());
  OpValue x = laid_out(b, arguments[0].tensor());
  const Normal normal =
      normal_by(b, x, arguments[1].tensor(), arguments[2].tensor(), as_float(arguments[5]));
  return {scaled(b, normal.rows, arguments[3], arguments[4])};
}

/// Channels stay a dimension of their own beside their groups, [n, group, channel, place], so that
/// they are scaled and summed in the loops that go over them.
struct Grouped {
  SymInt groups, channels;  ///< of a group
  std::vector<SymInt> sizes;
};
Grouped grouped(OpBuilder& b, const OpValue& x, const OpArgument& count) {
  const auto sizes = b.sizes(x);
  const SymInt groups = as_int(count), channels = floor_divide(sizes[1], groups);
  return {groups, channels, {sizes[0], groups, channels, product(std::span(sizes).subspan(2))}};
}
OpValue beside_rows(OpBuilder& b, const OpArgument& of_channels, const Grouped& shape) {
  return b.reshape(of_channels.tensor(), {shape.groups, shape.channels, 1});
}
std::vector<OpValue> group_norm(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  check_channels(b, x);
  const Grouped shape = grouped(b, x, arguments[1]);
  OpValue rows = normal_of(b, b.reshape(x, shape.sizes), {2, 3}, as_float(arguments[4])).rows;
  if (!arguments[2].is_none()) rows = b.multiply(rows, beside_rows(b, arguments[2], shape));
  if (!arguments[3].is_none()) rows = b.add(rows, beside_rows(b, arguments[3], shape));
  return {b.reshape(rows, b.sizes(x))};
}

// ---- the ways back -----------------------------------------------------------------------------

OpValue channel_sum(OpBuilder& b, const OpValue& x) {
  return b.sum(x, other_dims(b.rank(x)));
}
/// The gradient of what was scaled.
OpValue unscaled(OpBuilder& b, const OpValue& grad, const OpArgument& weight) {
  return weight.is_none() ? grad : b.multiply(grad, by_channel(b, weight.tensor(), grad));
}

std::vector<OpValue> batch_norm_backward(OpBuilder& b, OpArguments arguments) {
  const OpValue grad = arguments[0].tensor(), x = arguments[1].tensor();
  check_channels(b, x);
  check_gradient_sizes(b, grad, x);
  const Normal normal =
      normal_by(b, x, arguments[2].tensor(), arguments[3].tensor(), as_float(arguments[5]));
  const OpValue h = unscaled(b, grad, arguments[4]);
  return {through_normal(b, h, normal, other_dims(b.rank(x))),
          channel_sum(b, b.multiply(grad, normal.rows)), channel_sum(b, grad)};
}

std::vector<OpValue> group_norm_backward(OpBuilder& b, OpArguments arguments) {
  const OpValue grad = arguments[0].tensor(), x = arguments[1].tensor();
  check_channels(b, x);
  check_gradient_sizes(b, grad, x);
  const Grouped shape = grouped(b, x, arguments[2]);
  const Normal normal = normal_of(b, b.reshape(x, shape.sizes), {2, 3}, as_float(arguments[4]));
  const OpValue tangent = b.reshape(grad, shape.sizes);
  const OpValue h =
      arguments[3].is_none() ? tangent : b.multiply(tangent, beside_rows(b, arguments[3], shape));
  const auto of_channels = [&](const OpValue& each) {
    return b.reshape(b.sum(each, {0, 3}), {b.sizes(x)[1]});
  };
  return {b.reshape(through_normal(b, h, normal, {2, 3}), b.sizes(x)),
          of_channels(b.multiply(tangent, normal.rows)), of_channels(tangent)};
}

// ---- gradients ---------------------------------------------------------------------------------

/// What arrives for the mean, the second result, or for the variance, the third.
OpValue of_statistic(GradientCall& g, size_t result, const OpValue& like) {
  SymInt count = 1;
  for (SymInt dim : other_dims(g.b.rank(like))) count *= g.b.sizes(like)[size_t(dim.constant())];
  return by_channel(g.b, g.b.divide(g.out(result), count), like);
}

template <size_t kPlace>
OpValue batch_part(GradientCall& g) {
  return g.shared([&] {
    return g.b.call_all("batch_norm_backward",
                        {g.out(), g["input"], g.result(1), g.result(2), g["weight"], g["eps"]}, {});
  })[kPlace];
}
OpValue batch_norm_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  const OpValue x = g.tensor("input");
  OpValue gradient = batch_part<0>(g);
  if (g.has_out(1)) gradient = b.add(gradient, of_statistic(g, 1, x));
  if (!g.has_out(2)) return gradient;
  const OpValue centred = b.subtract(x, by_channel(b, g.result(1), x));
  return b.add(gradient, b.multiply(b.multiply(of_statistic(g, 2, x), 2), centred));
}

template <size_t kPlace>
OpValue group_part(GradientCall& g) {
  return g.shared([&] {
    return g.b.call_all("group_norm_backward",
                        {g.out(), g["input"], g["num_groups"], g["weight"], g["eps"]}, {});
  })[kPlace];
}

/// One number a channel: weight / deviation.
OpValue known_gradient(GradientCall& g) {
  OpValue scale = g.b.rsqrt(g.b.add(g["var"], as_float(g["eps"])));
  if (!g.is_none("weight")) scale = g.b.multiply(scale, g["weight"]);
  return g.b.multiply(g.out(), by_channel(g.b, scale, g.out()));
}
OpValue known_weight(GradientCall& g) {
  const OpValue x = g.tensor("input");
  const OpValue centred = g.b.subtract(x, by_channel(g.b, g.tensor("mean"), x));
  const OpValue along = channel_sum(g.b, g.b.multiply(g.out(), centred));
  return g.b.multiply(along, g.b.rsqrt(g.b.add(g["var"], as_float(g["eps"]))));
}
OpValue known_bias(GradientCall& g) {
  return channel_sum(g.b, g.out());
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

/// Shapes whose channels are rows, columns, and columns of a tensor with its channels innermost.
std::vector<Tensor> channel_inputs(DType dtype) {
  const Tensor innermost =
      permute(sample_tensor({2, 3, 5, 4}, dtype), std::vector<int64_t>{0, 3, 1, 2});
  return {sample_tensor({70, 20}, dtype), sample_tensor({3, 4, 40, 2}, dtype), innermost};
}
std::vector<Sample> batch_norm_backward_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  const auto try_call = [&](const Tensor& x, const Argument& weight) {
    const auto made =
        call_eager(*find_op("batch_norm"), std::vector<Argument>{x, weight, Argument(), 1e-5})
            .to_vector();
    const Tensor grad = call_eager("clone", {x});
    add(samples, entry, {grad, x, made[1], made[2], weight, 1e-5});
  };
  for (DType dtype : {DType::kFloat32, DType::kFloat64})
    for (const Tensor& x : channel_inputs(dtype)) {
      try_call(x, Argument());
      try_call(x, sample_tensor({x.size(1)}, dtype));
    }
  return samples;
}
std::vector<Sample> group_norm_backward_samples(const OpEntry& entry) {
  return channel_samples(entry, [](const Tensor& x, const Argument& weight) {
    return std::vector<Argument>{sample_tensor(x.sizes(), x.dtype()), x, 2, weight, 1e-5};
  });
}

constexpr OpEntry kEntries[] = {
    {
        .name = "batch_norm",
        .signature = "batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, "
                     "eps: float) -> Tensors",
        .torch = "_batch_norm",
        .doc = "`batch_norm` with the statistics of the batch, which it gives too.",
        .eager = eager_batch_norm,
        .decomposition = batch_norm,
        .gradients = {{"input", "input mean variance weight", batch_norm_gradient},
                      {"weight", "input mean variance weight", batch_part<1>},
                      {"bias", "input mean variance weight", batch_part<2>}},
        .grad_name = "NativeBatchNormBackward0",
        .output_form = OutputForm::kTuple,
        .output_names = "output mean variance",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = batch_norm_samples,
    },
    {
        .name = "batch_norm_known",
        .signature = "batch_norm(input: Tensor, mean: Tensor, var: Tensor, weight: Tensor | None, "
                     "bias: Tensor | None, eps: float) -> Tensor",
        .torch = "_batch_norm_known",
        .doc = "`batch_norm` with statistics that are known.",
        .eager = eager_batch_norm_known,
        .decomposition = batch_norm_known,
        // As PyTorch's, it keeps what it is of: a write to that is noticed.
        .gradients = {{"input", "input mean var weight", known_gradient},
                      {"weight", "input mean var", known_weight},
                      {"bias", "", known_bias}},
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
        .eager = eager_group_norm,
        .decomposition = group_norm,
        .gradients = {{"input", "input weight", group_part<0>},
                      {"weight", "input weight", group_part<1>},
                      {"bias", "input weight", group_part<2>}},
        .grad_name = "NativeGroupNormBackward0",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = group_norm_samples,
    },
    {
        .name = "batch_norm_backward",
        .signature = "batch_norm_backward(grad: Tensor, input: Tensor, mean: Tensor, "
                     "variance: Tensor, weight: Tensor | None, eps: float) -> Tensors",
        .doc = "The gradients of `batch_norm`'s output for its input, its weight and its bias.",
        .eager = eager_batch_norm_backward,
        .decomposition = batch_norm_backward,
        .output_form = OutputForm::kTuple,
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = batch_norm_backward_samples,
    },
    {
        .name = "group_norm_backward",
        .signature = "group_norm_backward(grad: Tensor, input: Tensor, num_groups: int, "
                     "weight: Tensor | None, eps: float) -> Tensors",
        .doc = "The gradients of `group_norm` for its input, its weight and its bias.",
        .eager = eager_group_norm_backward,
        .decomposition = group_norm_backward,
        .output_form = OutputForm::kTuple,
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = group_norm_backward_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> channel_norms_entries() {
  return kEntries;
}

}  // namespace glint::ops
