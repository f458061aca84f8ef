// Normalisation by channel on the processor, float32 and float64: the loops over channels and
// groups around the kernels of ops/rows.
//
// A channel's elements lie as rows, one an example (x[n, c, :]), or as columns, where there is
// nothing but examples and channels or channels lie innermost. Statistics take one pass for the
// mean and one about it; the result and the gradient are one pass each.
//
//     x 32 x 16 x 32 x 32      16 strips of 32 rows of 1024 elements
//     x 128 x 256              256 columns of 128 elements
#pragma once

#include "core/tensor/tensor.h"

namespace glint::ops {

/// Whether the loops take a tensor as it lies: [examples, channels, ...], dense, in the order of
/// its dimensions or with channels innermost, and not empty.
bool suits_channel_loops(const Tensor& x);

/// A tensor and what it is scaled by, one number a channel; undefined where there is none. All have
/// one dtype, those of channels are contiguous.
struct ChannelNorm {
  Tensor x, weight, bias;
  double epsilon = 0.0;
};

struct BatchStatistics {
  Tensor mean, variance;  ///< of each channel; the variance is of the elements there are
};
BatchStatistics batch_statistics(const ChannelNorm& norm);
/// (x - mean) / deviation * weight + bias, laid out as x.
Tensor batch_normalised(const ChannelNorm& norm, const BatchStatistics& by);

struct NormGradients {
  Tensor input, weight, bias;
};
/// `grad` lies as x does.
NormGradients batch_norm_back(const ChannelNorm& norm, const BatchStatistics& by,
                              const Tensor& grad);

/// Whether groups of channels lie side by side.
bool suits_group_loops(const Tensor& x);
/// Each example's groups of channels by statistics of their own.
Tensor group_normalised(const ChannelNorm& norm, int64_t groups);
NormGradients group_norm_back(const ChannelNorm& norm, int64_t groups, const Tensor& grad);

}  // namespace glint::ops
