// Losses of classes and probabilities: composites that end in a mean or a sum, as `reduction` says.
//
//     cross_entropy(x, target)      nll_loss(log_softmax(x, 1), target)
#include <algorithm>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/element.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/loss_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

bool same_sizes(std::span<const SymInt> a, std::span<const SymInt> b) {
  return std::ranges::equal(a, b, [](SymInt x, SymInt y) { return decide_equal(x, y); });
}

void check_probability_pair(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), target = arguments[1].tensor();
  check_reduction(arguments[3]);
  if (!same_sizes(b.sizes(x), b.sizes(target)))
    throw OpError{"ValueError",
                  fmt::format("Using a target size (torch.Size({})) that is different to the input "
                              "size (torch.Size({})) is deprecated. Please ensure they have the "
                              "same size.",
                              ints_text(b.sizes(target)), ints_text(b.sizes(x)))};
  if (b.dtype(x) != b.dtype(target))
    throw OpError{"RuntimeError",
                  fmt::format("Found dtype {} but expected {}", scalar_type_name(b.dtype(target)),
                              scalar_type_name(b.dtype(x)))};
  if (!is_floating(b.dtype(x)))
    throw OpError{"NotImplementedError",
                  fmt::format("\"binary_cross_entropy\" not implemented for '{}'",
                              scalar_type_name(b.dtype(x)))};
}

/// What each element lost, with its weight.
OpValue probability_losses(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), target = arguments[1].tensor();
  OpValue log_x = b.call("clamp_min", {b.log(x), -100.0});
  OpValue log_rest = b.call("clamp_min", {b.call("log1p", {b.negative(x)}), -100.0});
  OpValue loss = b.subtract(b.multiply(b.subtract(target, 1), log_rest), b.multiply(target, log_x));
  if (arguments[2].is_none()) return loss;
  OpValue weighted = b.multiply(loss, arguments[2]);
  if (!same_sizes(b.sizes(weighted), b.sizes(loss)))
    throw OpError{"RuntimeError",
                  fmt::format("output with shape {} doesn't match the broadcast shape {}",
                              ints_text(b.sizes(loss)), ints_text(b.sizes(weighted)))};
  return b.to(weighted, b.dtype(x));
}

/// Whether elements are between 0 and 1.
OpValue within_unit(OpBuilder& b, const OpValue& x) {
  return b.call("logical_and", {b.call("greater_equal", {x, 0.0}), b.call("less_equal", {x, 1.0})});
}

std::string not_within_unit(const char* parameter) {
  return fmt::format("all elements of {} should be between 0 and 1", parameter);
}

std::vector<OpValue> binary_cross_entropy(OpBuilder& b, OpArguments arguments) {
  check_probability_pair(b, arguments);
  std::vector<OpArgument> within(arguments.begin(), arguments.end());
  for (auto [at, name] : {std::pair(0, "input"), std::pair(1, "target")})
    within[at] = b.call("checked", {within[at], within_unit(b, within[at].tensor()),
                                    OpArgument(not_within_unit(name))});
  return {reduced(b, probability_losses(b, within), arguments[3])};
}

/// The arguments as a decomposition takes them.
std::vector<OpArgument> eager_arguments(const OpEntry& entry, Arguments arguments) {
  std::vector<OpArgument> converted;
  for (const Argument& argument : arguments)
    converted.push_back(map_argument<OpValue>(argument, eager_value));
  return complete_arguments<OpValue>(entry, std::move(converted), {});
}

Outputs eager_binary_cross_entropy(const OpEntry& entry, Arguments arguments) {
  OpBuilder& b = eager_builder();
  auto complete = eager_arguments(entry, arguments);
  check_probability_pair(b, complete);
  for (size_t at : {0, 1}) {
    Tensor all = eager_tensor(b.call("all", {within_unit(b, complete[at].tensor())}));
    if (!*all.data<bool>())
      throw OpError{"RuntimeError", not_within_unit(at == 0 ? "input" : "target")};
  }
  return eager_tensor(reduced(b, probability_losses(b, complete), complete[3]));
}

/// (1 - target) * x - log_sigmoid(x), which overflows nowhere; the logarithm times 1 + (w - 1) *
/// target where the positive have a weight w.
std::vector<OpValue> binary_cross_entropy_with_logits(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), target = arguments[1].tensor();
  if (!same_sizes(b.sizes(x), b.sizes(target)))
    throw OpError{"ValueError",
                  fmt::format("Target size (torch.Size({})) must be the same as input size "
                              "(torch.Size({}))",
                              ints_text(b.sizes(target)), ints_text(b.sizes(x)))};
  check_reduction(arguments[3]);
  if (!is_floating(b.dtype(target)) && is_floating(b.dtype(x)))
    throw OpError{"RuntimeError",
                  fmt::format("result type {} can't be cast to the desired output type {}",
                              scalar_type_name(b.dtype(x)), scalar_type_name(b.dtype(target)))};
  OpValue rest = b.add(b.negative(target), 1.0);
  OpValue likelihood = b.call("log_sigmoid", {x});
  if (!arguments[4].is_none()) {
    OpValue more = b.multiply(b.subtract(arguments[4], 1), target);
    likelihood = b.multiply(b.add(more, 1), likelihood);
  }
  OpValue loss = b.subtract(b.multiply(rest, x), likelihood);
  if (!arguments[2].is_none()) loss = b.multiply(loss, arguments[2]);
  return {reduced(b, loss, arguments[3])};
}

/// One class for each row of the input, or for each place behind its dimension of classes.
void check_target_sizes(std::span<const SymInt> sizes, std::span<const SymInt> targets) {
  if (sizes.empty()) throw OpError{"ValueError", "Expected 1 or more dimensions (got 0)"};
  if (sizes.size() >= 2 && (targets.empty() || !decide_equal(sizes[0], targets[0])))
    throw OpError{"ValueError",
                  fmt::format("Expected input batch_size ({}) to match target batch_size ({}).",
                              sizes[0].text(), targets.empty() ? "0" : targets[0].text())};
  if (sizes.size() <= 2 && targets.size() > 1)
    throw OpError{"RuntimeError", "0D or 1D target tensor expected, multi-target not supported"};
}

/// One weight for each class, of the dtype that the losses have.
void check_class_weight(OpBuilder& b, std::span<const SymInt> sizes, DType dtype,
                        const OpArgument& weight) {
  SymInt classes = sizes[sizes.size() == 1 ? 0 : 1];
  std::vector<SymInt> given = weight.is_none() ? std::vector{classes} : b.sizes(weight.tensor());
  bool fits = same_sizes(given, std::vector<SymInt>{classes});
  if (!fits && sizes.size() > 2)
    throw OpError{"RuntimeError", "weight tensor should be defined either for all or no classes"};
  if (!fits)
    throw OpError{"RuntimeError",
                  fmt::format("weight tensor should be defined either for all {} classes or no "
                              "classes but got weight tensor of shape: {}",
                              classes.text(), ints_text(given))};
  if (!is_floating(dtype))
    throw OpError{
        "NotImplementedError",
        fmt::format("\"{}\" not implemented for '{}'",
                    sizes.size() > 2 ? "nll_loss2d_forward_out_frame" : "nll_loss_out_frame",
                    scalar_type_name(dtype))};
  if (!weight.is_none() && b.dtype(weight.tensor()) != dtype)
    throw OpError{"RuntimeError",
                  fmt::format("expected scalar type {} but found {}", scalar_type_name(dtype),
                              scalar_type_name(b.dtype(weight.tensor())))};
}

void check_targets(OpBuilder& b, const OpValue& x, const OpValue& target,
                   const OpArgument& weight) {
  auto sizes = b.sizes(x), targets = b.sizes(target);
  check_target_sizes(sizes, targets);
  if (DType dtype = b.dtype(target); dtype != DType::kInt64 && dtype != DType::kUInt8)
    throw OpError{"RuntimeError",
                  fmt::format("expected target dtype to be Long or Byte, but got {}",
                              scalar_type_name(dtype))};
  if (sizes.size() == 1 && targets.size() == 1 && !decide_equal(targets[0], 1))
    throw OpError{"ValueError",
                  fmt::format("For 1D input, 1D target must have size 1, but got target size: {}",
                              targets[0].text())};
  // Images have a kernel of their own in PyTorch, others with places are seen as such.
  std::vector<SymInt> places = sizes;
  if (sizes.size() > 2) places.erase(places.begin() + 1);
  bool image = sizes.size() == 4, fits = sizes.size() <= 2 || same_sizes(places, targets);
  if (!fits && !image)
    throw OpError{"RuntimeError", fmt::format("Expected target size {}, got {}", ints_text(places),
                                              ints_text(targets))};
  if (image && targets.size() != 3)
    throw OpError{"RuntimeError",
                  fmt::format("only batches of spatial targets supported (3D tensors) but got "
                              "targets of dimension: {}",
                              targets.size())};
  check_class_weight(b, sizes, b.dtype(x), weight);
  if (!fits)
    throw OpError{"RuntimeError", fmt::format("size mismatch (got input: {} , target: {}",
                                              ints_text(sizes), ints_text(targets))};
}

/// The target of a single row, which may be a vector of one, without that dimension.
OpValue plain_target(OpBuilder& b, const OpValue& target, size_t input_rank) {
  return input_rank == 1 && b.rank(target) == 1 ? b.reshape(target, {}) : target;
}

/// Which targets count, and their indices, 0 for the others, which are in range.
struct NllTargets {
  OpValue counted, index;
};
NllTargets nll_targets(OpBuilder& b, const OpValue& target, int64_t ignored) {
  OpValue wide = b.to(target, DType::kInt64);
  OpValue counted = b.call("not_equal", {wide, ignored});
  return {counted, b.where(counted, wide, b.full({}, 0, DType::kInt64))};
}

/// The weight of each target: that of its class, 0 if it does not count.
OpValue nll_weight(OpBuilder& b, const NllTargets& targets, const OpArgument& of_class,
                   DType dtype) {
  OpValue weight = b.to(targets.counted, dtype);
  if (of_class.is_none()) return weight;
  auto shape = b.sizes(targets.index);
  OpValue flat = b.reshape(targets.index, {product(shape)});
  return b.multiply(weight, b.reshape(b.call("index_select", {of_class, 0, flat}), shape));
}

/// The negated log-probability of each target, weighted; ignored targets count nothing.
std::vector<OpValue> nll_loss(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), target = arguments[1].tensor();
  check_reduction(arguments[4]);
  check_targets(b, x, target, arguments[2]);
  target = plain_target(b, target, b.rank(x));
  int64_t dim = b.rank(x) == 1 ? 0 : 1;
  int64_t ignored = as_constant(arguments[3]);
  NllTargets targets = nll_targets(b, target, ignored);
  OpValue picked = b.squeeze(b.call("gather", {x, dim, b.unsqueeze(targets.index, dim)}), dim);
  OpValue weight = nll_weight(b, targets, arguments[2], b.dtype(x));
  OpValue zero = b.full({}, 0, b.dtype(x));
  OpValue loss = b.where(targets.counted, b.multiply(b.negative(picked), weight), zero);
  const std::string& how = *arguments[4].get_if<std::string>();
  if (how == "mean") return {b.divide(b.call("sum", {loss}), b.call("sum", {weight}))};
  return {reduced(b, loss, arguments[4])};
}

/// Whether targets are in range is asked last, so that the message speaks of them.
Outputs eager_nll_loss(const OpEntry& entry, Arguments arguments) {
  auto complete = eager_arguments(entry, arguments);
  check_reduction(complete[4]);
  check_targets(eager_builder(), complete[0].tensor(), complete[1].tensor(), complete[2]);
  const Tensor& x = arguments[0].tensor();
  Tensor target = contiguous(arguments[1].tensor());
  int64_t ignored = as_constant(argument(entry, arguments, "ignore_index"));
  int64_t classes = x.rank() == 0 ? 0 : x.size(x.rank() == 1 ? 0 : 1);
  if (target.dtype() == DType::kInt64)
    for (int64_t i = 0; i < target.numel(); ++i) {
      int64_t value = target.data<int64_t>()[i];
      if (value != ignored && (value < 0 || value >= classes))
        throw OpError{"IndexError", fmt::format("Target {} is out of bounds.", value)};
    }
  return eager_tensor(nll_loss(eager_builder(), complete)[0]);
}

void check_probabilities(OpBuilder& b, const OpValue& x, const OpValue& target,
                         const OpArgument& weight, int64_t ignored) {
  if (!is_floating(b.dtype(target)))
    throw OpError{"RuntimeError",
                  fmt::format("Expected floating point type for target with class probabilities, "
                              "got {}",
                              scalar_type_name(b.dtype(target)))};
  if (ignored >= 0)
    throw OpError{"RuntimeError", "ignore_index is not supported for floating point target"};
  auto sizes = b.sizes(x);
  if (sizes.empty())
    throw OpError{"IndexError", "Dimension specified as 1 but tensor has no dimensions"};
  SymInt classes = sizes[sizes.size() == 1 ? 0 : 1];
  if (!weight.is_none() && !same_sizes(b.sizes(weight.tensor()), std::vector<SymInt>{classes}))
    throw OpError{"RuntimeError",
                  fmt::format("cross_entropy: weight tensor should be defined either for all {} "
                              "classes or no classes but got weight tensor of shape: {}",
                              classes.text(), ints_text(b.sizes(weight.tensor())))};
}

/// Probabilities as targets, or classes with smoothing, need the whole row of log-probabilities.
std::vector<OpValue> cross_entropy(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), target = arguments[1].tensor();
  const OpArgument &weight = arguments[2], &ignored = arguments[3], &reduction = arguments[4];
  double smoothing = as_float(arguments[5]);
  int64_t dim = b.rank(x) <= 1 ? 0 : 1;
  bool probabilities = same_sizes(b.sizes(x), b.sizes(target));
  check_reduction(reduction);
  if (probabilities) check_probabilities(b, x, target, weight, as_constant(ignored));
  if (smoothing > 1)
    throw OpError{"RuntimeError",
                  fmt::format("label_smoothing must be between 0.0 and 1.0. Got: {:g}", smoothing)};
  OpValue logs = b.call("log_softmax", {x, dim});
  if (probabilities) {
    SymInt classes = b.sizes(x)[size_t(dim)];
    OpValue wanted = target;
    if (smoothing > 0)
      wanted = b.add(b.multiply(target, 1.0 - smoothing),
                     b.divide(b.full({}, smoothing, b.dtype(x)), classes));
    OpValue products = b.multiply(logs, wanted);
    if (!weight.is_none()) products = b.multiply(products, weight);
    OpValue loss = b.negative(b.sum(products, {dim}));
    const std::string& how = *reduction.get_if<std::string>();
    if (how != "mean") return {reduced(b, loss, reduction)};
    return {b.call("mean", {loss})};
  }
  OpValue likelihood = b.call("nll_loss", {logs, target, weight, ignored, reduction});
  target = plain_target(b, target, b.rank(x));
  if (smoothing <= 0) return {likelihood};  // a negative one counts as none
  OpValue counted = b.call("not_equal", {target, ignored});
  OpValue weighted = logs;
  if (!weight.is_none()) {
    std::vector<SymInt> shape(b.rank(x), 1);
    shape[size_t(dim)] = b.sizes(x)[size_t(dim)];
    weighted = b.multiply(logs, b.reshape(weight.tensor(), shape));
  }
  OpValue rows = b.negative(b.mean(weighted, {dim}));
  OpValue kept = b.where(counted, rows, b.full({}, 0, b.dtype(x)));
  const std::string& how = *reduction.get_if<std::string>();
  OpValue smooth = kept;
  if (how == "sum") smooth = b.call("sum", {kept});
  if (how == "mean") {
    NllTargets targets = nll_targets(b, target, as_constant(ignored));
    OpValue share = nll_weight(b, targets, weight, b.dtype(x));
    smooth = b.divide(b.call("sum", {kept}), b.call("sum", {share}));
  }
  return {b.add(b.multiply(likelihood, 1.0 - smoothing), b.multiply(smooth, smoothing))};
}

// ---- gradients ---------------------------------------------------------------------------------

OpValue weighted_share(GradientCall& g) {
  OpValue share = loss_share(g);
  return g.is_none("weight") ? share : g.b.multiply(share, g["weight"]);
}

/// (x - target) / (x * (1 - x)), the divisor not below 1e-12 (a float in PyTorch).
OpValue probability_gradient(GradientCall& g) {
  OpValue x = g.tensor("input");
  OpValue spread = g.b.multiply(g.b.add(g.b.negative(x), 1), x);
  OpValue divisor = g.b.call("clamp_min", {spread, double(1e-12F)});
  OpValue slope = g.b.divide(g.b.subtract(x, g["target"]), divisor);
  return g.b.multiply(weighted_share(g), slope);
}
/// log(1 - x) - log(x)
OpValue probability_target_gradient(GradientCall& g) {
  OpValue x = g.tensor("input");
  OpValue log_rest = g.b.call("log1p", {g.b.negative(x)});
  return g.b.multiply(weighted_share(g), g.b.subtract(log_rest, g.b.log(x)));
}

OpValue logit_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue probability = b.sigmoid(g.tensor("input"));
  if (g.is_none("pos_weight"))
    return b.multiply(weighted_share(g), b.subtract(probability, g["target"]));
  OpValue wanted = b.multiply(g["pos_weight"], g["target"]);
  OpValue all = b.subtract(b.add(wanted, 1), g["target"]);
  return b.multiply(weighted_share(g), b.subtract(b.multiply(all, probability), wanted));
}
OpValue logit_target_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue x = g.tensor("input");
  if (g.is_none("pos_weight")) return b.negative(b.multiply(weighted_share(g), x));
  OpValue positive = b.multiply(g["pos_weight"], b.call("log_sigmoid", {x}));
  OpValue slope = b.subtract(b.call("log_sigmoid", {b.negative(x)}), positive);
  return b.multiply(weighted_share(g), slope);
}

/// -weight of the class at each target, 0 elsewhere; the mean is over the weights.
OpValue nll_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  const TensorType& input = g.type("input");
  int64_t dim = input.rank() == 1 ? 0 : 1;
  OpValue target = plain_target(b, g.tensor("target"), input.rank());
  NllTargets targets = nll_targets(b, target, as_constant(g["ignore_index"]));
  OpValue weight = nll_weight(b, targets, g["weight"], input.dtype);
  OpValue share = g.out();
  if (*g["reduction"].get_if<std::string>() == "mean")
    share = b.divide(share, b.call("sum", {weight}));
  OpValue picked = b.unsqueeze(b.negative(b.multiply(weight, share)), dim);
  OpValue place = b.unsqueeze(targets.index, dim);
  return b.call("scatter", {g.base_of_zeros("input"), dim, place, b.to(picked, input.dtype)});
}
const char* nll_name(Arguments arguments) {
  const Tensor& target = arguments[1].tensor();
  return target.defined() && target.rank() > 1 ? "NllLoss2DBackward0" : "NllLossBackward0";
}

constexpr Effects kChecks = {.may_fail = true};

constexpr OpEntry kEntries[] = {
    {
        .name = "binary_cross_entropy",
        .signature =
            "binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, "
            "reduction: str = \"mean\") -> Tensor",
        .functional = "binary_cross_entropy",
        .doc = "-(target * log(x) + (1 - target) * log(1 - x)), logarithms not below -100.",
        .eager = eager_binary_cross_entropy,
        .decomposition = binary_cross_entropy,
        .gradients = {{"input", "input target weight", probability_gradient},
                      {"target", "input weight", probability_target_gradient}},
        .grad_name = "BinaryCrossEntropyBackward0",
        .effects = kChecks,
        .samples = probability_loss_samples,
    },
    {
        .name = "binary_cross_entropy_with_logits",
        .signature = "binary_cross_entropy_with_logits(input: Tensor, target: Tensor, "
                     "weight: Tensor | None = None, reduction: str = \"mean\", "
                     "pos_weight: Tensor | None = None) -> Tensor",
        .functional = "binary_cross_entropy_with_logits",
        .doc = "binary_cross_entropy of sigmoid(x), without overflow.",
        .decomposition = binary_cross_entropy_with_logits,
        .gradients = {{"input", "input target weight pos_weight", logit_gradient},
                      {"target", "input weight pos_weight", logit_target_gradient}},
        .grad_name = "BinaryCrossEntropyWithLogitsBackward0",
        .samples = probability_loss_samples,
    },
    {
        .name = "nll_loss",
        .signature = "nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, "
                     "ignore_index: int = -100, reduction: str = \"mean\") -> Tensor",
        .functional = "nll_loss",
        .doc = "The negated log-probability of the target classes; the mean is over their weights.",
        .eager = eager_nll_loss,
        .decomposition = nll_loss,
        .gradients = {{"input", "target weight", nll_gradient}},
        .grad_name_of = nll_name,
        .effects = kChecks,
        .samples = class_loss_samples,
    },
    {
        .name = "cross_entropy",
        .signature = "cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, "
                     "ignore_index: int = -100, reduction: str = \"mean\", "
                     "label_smoothing: float = 0.0) -> Tensor",
        .functional = "cross_entropy",
        .doc = "nll_loss of log_softmax; targets are classes, or a probability for each class.",
        .decomposition = cross_entropy,
        .effects = kChecks,
        .samples = class_loss_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> loss_entries() {
  return kEntries;
}

}  // namespace glint::ops
