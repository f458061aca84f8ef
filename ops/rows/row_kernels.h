// The inner loops of reductions, softmax, normalisation, attention and LSTMs, one row (or block of
// columns) at a time, and of transposes, a tile at a time.
//
// They are compiled twice, for x86-64-v3 and for x86-64-v4, like the loops of ops/scalar; which
// table is used is decided once. Sums are added up in the order of ops/scalar/reduction_order.h.
//
//     const ReduceKernels* kernels = reduce_kernels(Combiner::kSum, DType::kFloat32);
//     kernels->row(x, 1024, &out);                     // out = x[0] + ... + x[1023]
//     kernels->columns(x, 4096, 1024, 1024, out);      // out[j] = x[0, j] + ... + x[4095, j]
#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>

#include "core/tensor/dtype.h"
#include "ir/kernel.h"

namespace glint::ops {

/// Reduces `n` contiguous elements to one: of the dtype, but int64 for argmax and argmin.
using ReduceRow = void (*)(const void* row, int64_t n, void* out);
/// Reduces `rows` rows, `row_stride` elements apart, to one row of `columns` results.
using ReduceColumns = void (*)(const void* in, int64_t rows, int64_t row_stride, int64_t columns,
                               void* out);
/// The sum of at most kSumBlock elements, not yet rounded.
using SumBlock = double (*)(const void* row, int64_t n);
/// Adds the next `n` elements of a block to its kPartialSums partial sums. Of pieces but the last
/// `n` is a multiple of their number.
using SumPiece = void (*)(const void* piece, int64_t n, void* partials);

struct ReduceKernels {
  ReduceRow row = nullptr;
  ReduceColumns columns = nullptr;
  SumBlock block = nullptr;  ///< of floating sums
  SumPiece piece = nullptr;  ///< of those whose partial sums are of the dtype itself
};

/// Null where the combiner does not take the dtype.
const ReduceKernels* reduce_kernels(Combiner combiner, DType dtype);

/// out = softmax(in) or its logarithm over n contiguous elements; floating dtypes.
using SoftmaxRow = void (*)(const void* in, void* out, int64_t n, bool logarithm);
/// out = (in - mean) / sqrt(variance + epsilon) * weight + bias; weight and bias may be null.
using LayerNormRow = void (*)(const void* in, const void* weight, const void* bias, double epsilon,
                              void* out, int64_t n);
/// The way back through one row: out = its input's gradient, and what it adds to those of weight
/// and bias, which have room for whole vectors and are float64 for float64, else float32. `weight`
/// may be null.
struct LayerNormBack {
  DType dtype;
  const std::byte *in, *grad;
  const void* weight;
  double epsilon;
  std::byte* out;
  void *of_weight, *of_bias;
  int64_t n;
};
using LayerNormBackRow = void (*)(const LayerNormBack& row);
SoftmaxRow softmax_row(DType dtype);
LayerNormRow layer_norm_row(DType dtype);
LayerNormBackRow layer_norm_back_row(DType dtype);

/// Activation functions with a loop of their own, and their parameters.
enum class Activation : uint8_t {
  kGelu,
  kGeluTanh,
  kSilu,
  kSoftplus,   ///< beta, threshold
  kLeakyRelu,  ///< negative slope
  kElu,        ///< alpha
  kLogSigmoid,
  kMish,
  kHardSigmoid,
  kHardSwish,
  kHardTanh,    ///< the bounds
  kHardShrink,  ///< what is nothing
  kSoftShrink,  ///< by how much
  kNanToNum,    ///< what stands for NaN, for infinity, and with the other sign for -infinity
};
inline constexpr size_t kActivationCount = 14;
/// gelu by tanh is x sigmoid(x (slope + cube x^2)).
inline constexpr double kGeluTanhSlope = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
inline constexpr double kGeluTanhCube = 0.044715 * kGeluTanhSlope;
using ActivationLoop = void (*)(const void* in, void* out, int64_t n, double p, double q);
/// Null for dtypes other than float32 and float64.
ActivationLoop activation_loop(Activation activation, DType dtype);

inline constexpr int kTileSide = 16;
/// out[i, j] = corner[j, i] for 16 x 16 elements: rows of `corner` are `step` elements apart, those
/// of `out` follow each other.
using TransposeTile = void (*)(const void* corner, int64_t step, void* out);
/// For elements of 1, 2, 4 or 8 bytes.
TransposeTile transpose_tile(size_t element_bytes);

/// A row of an LSTM at one place, of float32. Gates are four rows of `size` elements, `stride`
/// apart.
struct LstmStep {
  int64_t size, stride;
  const float* seen;    ///< gates: the product with the hidden state before
  const float* before;  ///< the cell before
  float* gates;         ///< before: the product with the input; behind: what they come to
  float* cell;
  float* hidden;
};
/// The way back. `of_output` and `of_hidden` are both gradients of the hidden state, of which
/// `hidden` brings back the value.
struct LstmStepBack {
  int64_t size, stride;
  const float *gates, *before, *cell;
  const float *of_output, *of_hidden;
  float* of_cell;   ///< before: the gradient of the cell; behind: of the cell before
  float* of_gates;  ///< of what went into the gates
  float* hidden;
};
struct LstmLoops {
  void (*step)(const LstmStep& row);
  void (*step_back)(const LstmStepBack& row);
};
const LstmLoops& lstm_loops();

/// The scores of one query, of float32, with room for whole vectors of 16.
struct AttentionRow {
  int64_t seen;  ///< keys that the query sees, the first ones
  int64_t keys;  ///< those behind `seen` weigh 0
  float scale;
  const float* mask;  ///< added to the scaled scores; may be null
};
/// exp(score - shift) in place, and their sum.
struct AttentionWeights {
  float shift, sum;
};
struct AttentionLoops {
  AttentionWeights (*weigh)(const AttentionRow& row, float* scores);
  /// From scores and the logarithm of their exponentials' sum to weights; from the weights'
  /// gradients, and their mean by weight, to those of the scores.
  void (*weigh_back)(const AttentionRow& row, float logarithm_of_sum, float mean, float* scores,
                     float* of_weights);
  void (*multiply)(float* row, int64_t n, float factor);
  float (*dot)(const float* x, const float* y, int64_t n);
};
const AttentionLoops& attention_loops();

/// Rows of `length` elements, whose starts are `stride` apart.
template <class Real>
struct Strip {
  const Real* data;
  int64_t rows, stride, length;
};
/// Of gradients, and of gradients times what their elements are less the mean.
struct ChannelSums {
  double of_grad, along;
};
template <class Real>
struct ChannelNormal {
  Real mean, scale;
};
/// ((grad * weight - shift) - (x - mean) * slope) * scale.
template <class Real>
struct ChannelSlope {
  Real mean, shift, slope, scale;
};
/// Normalisation of elements side by side, of float32 or float64. Numbers for each row lie `step`
/// apart: 0 where one is for all.
template <class Real>
struct ChannelLoops {
  double (*sum)(const Strip<Real>& x);
  double (*squares)(const Strip<Real>& x, Real mean);
  /// (x - mean) * scale * weight + shift; `out` lies as x does.
  void (*normalise)(const Strip<Real>& x, const ChannelNormal<Real>& by, const Real* weights,
                    const Real* shifts, int64_t step, Real* out);
  /// Each row's, or without a step those of all rows.
  void (*gradient_sums)(const Strip<Real>& x, const Real* grad, Real mean, ChannelSums* sums,
                        int64_t step);
  void (*gradient)(const Strip<Real>& x, const Real* grad, const ChannelSlope<Real>& by,
                   const Real* weights, int64_t step, Real* out);
};
/// (x - mean) * scale * weight + shift, a number of each for a column.
template <class Real>
struct ColumnNormals {
  const Real *means, *scales, *weights, *shifts;
};
/// (grad - shift - (x - mean) * slope) * scale, a number of each for a column.
template <class Real>
struct ColumnSlopes {
  const Real *means, *shifts, *slopes, *scales;
};
/// The same for columns: a strip has a row for each element of a channel.
template <class Real>
struct ColumnLoops {
  void (*sum)(const Strip<Real>& x, double* sums);
  void (*squares)(const Strip<Real>& x, const Real* means, double* sums);
  void (*normalise)(const Strip<Real>& x, const ColumnNormals<Real>& by, Real* out);
  void (*gradient_sums)(const Strip<Real>& x, const Real* grad, const Real* means, double* of_grad,
                        double* along);
  void (*gradient)(const Strip<Real>& x, const Real* grad, const ColumnSlopes<Real>& by, Real* out);
};
/// Of float and double.
template <class Real>
const ChannelLoops<Real>& channel_loops();
template <>
const ChannelLoops<float>& channel_loops();
template <>
const ChannelLoops<double>& channel_loops();
template <class Real>
const ColumnLoops<Real>& column_loops();
template <>
const ColumnLoops<float>& column_loops();
template <>
const ColumnLoops<double>& column_loops();

/// One build's tables.
struct RowTables {
  ReduceKernels reduce[9][kDTypeCount];
  SoftmaxRow softmax[kDTypeCount];
  LayerNormRow layer_norm[kDTypeCount];
  LayerNormBackRow layer_norm_back[kDTypeCount];
  ActivationLoop activation[2][kActivationCount];  ///< float32, float64
  TransposeTile transpose[4];                      ///< 1, 2, 4, 8 bytes
  LstmLoops lstm;
  AttentionLoops attention;
  ChannelLoops<float> channels;
  ChannelLoops<double> wide_channels;
  ColumnLoops<float> columns;
  ColumnLoops<double> wide_columns;
};
namespace v3 {
void fill_reductions(RowTables& tables);
void fill_normalisations(RowTables& tables);
void fill_activations(RowTables& tables);
void fill_transposes(RowTables& tables);
void fill_lstm(RowTables& tables);
void fill_attention(RowTables& tables);
void fill_channels(RowTables& tables);
void fill_channel_columns(RowTables& tables);
}  // namespace v3
namespace v4 {
void fill_reductions(RowTables& tables);
void fill_normalisations(RowTables& tables);
void fill_activations(RowTables& tables);
void fill_transposes(RowTables& tables);
void fill_lstm(RowTables& tables);
void fill_attention(RowTables& tables);
void fill_channels(RowTables& tables);
void fill_channel_columns(RowTables& tables);
}  // namespace v4

}  // namespace glint::ops
