// What convolutions and transposed ones have in common: what their numbers may be, and the gradient
// of a bias.
#pragma once

#include <span>

#include "ops/gradient.h"

namespace glint::ops {

/// Throws OpError where padding is negative, or a stride or a dilation is not positive.
void check_window_numbers(std::span<const SymInt> padding, std::span<const SymInt> stride,
                          std::span<const SymInt> dilation);
/// Throws OpError where the weight's first dimension does not fall into so many groups.
void check_groups_of_weight(const std::vector<SymInt>& weight, SymInt groups);
/// The sum over all but the channels.
OpValue convolution_bias_gradient(GradientCall& g);

}  // namespace glint::ops
