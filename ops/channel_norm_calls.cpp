#include "ops/channel_norm_calls.h"

#include <optional>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/channel_norm_loops.h"
#include "ops/infer.h"

namespace glint::ops {

namespace {

/// A call for the loops; nothing where its tensors are not of one dtype or lie otherwise. `places`:
/// of weight and bias among the arguments.
std::optional<ChannelNorm> loop_call(Arguments arguments, size_t input,
                                     std::initializer_list<size_t> places, double epsilon) {
  ChannelNorm norm = {.x = arguments[input].tensor(), .weight = {}, .bias = {}, .epsilon = epsilon};
  if (!suits_channel_loops(norm.x)) return std::nullopt;
  for (Tensor* parameter : {&norm.weight, &norm.bias}) {
    const size_t i = size_t(parameter == &norm.bias);
    if (i >= places.size() || arguments[places.begin()[i]].is_none()) continue;
    *parameter = contiguous(arguments[places.begin()[i]].tensor());
    const bool fits = parameter->dtype() == norm.x.dtype() && parameter->numel() == norm.x.size(1);
    if (!fits) return std::nullopt;
  }
  return norm;
}

/// Statistics of the input's dtype; nothing where they are of another.
std::optional<BatchStatistics> statistics_of(const Tensor& x, const Argument& mean,
                                             const Argument& variance) {
  BatchStatistics made = {contiguous(mean.tensor()), contiguous(variance.tensor())};
  for (const Tensor& each : {made.mean, made.variance})
    if (each.dtype() != x.dtype() || each.numel() != x.size(1)) return std::nullopt;
  return made;
}

/// Whether a gradient lies as its input does.
bool lies_as(const Tensor& grad, const Tensor& x) {
  return grad.dtype() == x.dtype() && same_dims(grad.sizes(), x.sizes()) &&
         same_dims(grad.strides(), x.strides());
}

/// Whether the result is to lie in another order than the input does: channels that are innermost
/// in rows of other than images and volumes do not stay there.
bool lies_otherwise(const Tensor& x) {
  return !x.is_contiguous() && x.rank() != 4 && x.rank() != 5;
}

std::vector<Argument> in_rows(Arguments arguments) {
  std::vector<Argument> laid_out(arguments.begin(), arguments.end());
  laid_out[0] = contiguous(arguments[0].tensor());
  return laid_out;
}

/// Whether the loops take groups of a call.
bool has_groups(const std::optional<ChannelNorm>& norm, const Argument& groups) {
  return norm && suits_group_loops(norm->x) && as_constant(groups) > 0 &&
         norm->x.size(1) % as_constant(groups) == 0;
}

}  // namespace

Outputs eager_batch_norm(const OpEntry& entry, Arguments arguments) {
  if (lies_otherwise(arguments[0].tensor())) return eager_batch_norm(entry, in_rows(arguments));
  const auto norm = loop_call(arguments, 0, {1, 2}, as_float(arguments[3]));
  if (!norm) return run_decomposition(entry, arguments);
  const BatchStatistics by = batch_statistics(*norm);
  return Outputs({batch_normalised(*norm, by), by.mean, by.variance});
}

Outputs eager_batch_norm_known(const OpEntry& entry, Arguments arguments) {
  if (lies_otherwise(arguments[0].tensor()))
    return eager_batch_norm_known(entry, in_rows(arguments));
  const auto norm = loop_call(arguments, 0, {3, 4}, as_float(arguments[5]));
  if (!norm) return run_decomposition(entry, arguments);
  const auto by = statistics_of(norm->x, arguments[1], arguments[2]);
  if (!by) return run_decomposition(entry, arguments);
  return Outputs(batch_normalised(*norm, *by));
}

Outputs eager_batch_norm_backward(const OpEntry& entry, Arguments arguments) {
  const Tensor& grad = arguments[0].tensor();
  const auto norm = loop_call(arguments, 1, {4}, as_float(arguments[5]));
  if (!norm || !lies_as(grad, norm->x)) return run_decomposition(entry, arguments);
  const auto by = statistics_of(norm->x, arguments[2], arguments[3]);
  if (!by) return run_decomposition(entry, arguments);
  const NormGradients made = batch_norm_back(*norm, *by, grad);
  return Outputs({made.input, made.weight, made.bias});
}

Outputs eager_group_norm(const OpEntry& entry, Arguments arguments) {
  const auto norm = loop_call(arguments, 0, {2, 3}, as_float(arguments[4]));
  if (!has_groups(norm, arguments[1])) return run_decomposition(entry, arguments);
  return Outputs(group_normalised(*norm, as_constant(arguments[1])));
}

Outputs eager_group_norm_backward(const OpEntry& entry, Arguments arguments) {
  const auto norm = loop_call(arguments, 1, {3}, as_float(arguments[4]));
  const Tensor grad = contiguous(arguments[0].tensor());
  if (!has_groups(norm, arguments[2]) || !lies_as(grad, norm->x))
    return run_decomposition(entry, arguments);
  const NormGradients made = group_norm_back(*norm, as_constant(arguments[2]), grad);
  return Outputs({made.input, made.weight, made.bias});
}

}  // namespace glint::ops
