// The inner loops of reductions, softmax, layer norm and LSTMs, one row (or block of columns) at a
// time, and of transposes, a tile at a time.
//
// They are compiled twice, for x86-64-v3 and for x86-64-v4, like the loops of ops/scalar; which
// table is used is decided once. Sums are added up in the order of ops/scalar/reduction_order.h.
//
//     const ReduceKernels* kernels = reduce_kernels(Combiner::kSum, DType::kFloat32);
//     kernels->row(x, 1024, &out);                     // out = x[0] + ... + x[1023]
//     kernels->columns(x, 4096, 1024, 1024, out);      // out[j] = x[0, j] + ... + x[4095, j]
#pragma once

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

struct ReduceKernels {
  ReduceRow row = nullptr;
  ReduceColumns columns = nullptr;
  SumBlock block = nullptr;  ///< of floating sums
};

/// Null where the combiner does not take the dtype.
const ReduceKernels* reduce_kernels(Combiner combiner, DType dtype);

/// out = softmax(in) or its logarithm over n contiguous elements; floating dtypes.
using SoftmaxRow = void (*)(const void* in, void* out, int64_t n, bool logarithm);
/// out = (in - mean) / sqrt(variance + epsilon) * weight + bias; weight and bias may be null.
using LayerNormRow = void (*)(const void* in, const void* weight, const void* bias, double epsilon,
                              void* out, int64_t n);
SoftmaxRow softmax_row(DType dtype);
LayerNormRow layer_norm_row(DType dtype);

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

/// One build's tables.
struct RowTables {
  ReduceKernels reduce[9][kDTypeCount];
  SoftmaxRow softmax[kDTypeCount];
  LayerNormRow layer_norm[kDTypeCount];
  ActivationLoop activation[2][kActivationCount];  ///< float32, float64
  TransposeTile transpose[4];                      ///< 1, 2, 4, 8 bytes
  LstmLoops lstm;
};
namespace v3 {
void fill_reductions(RowTables& tables);
void fill_normalisations(RowTables& tables);
void fill_activations(RowTables& tables);
void fill_transposes(RowTables& tables);
void fill_lstm(RowTables& tables);
}  // namespace v3
namespace v4 {
void fill_reductions(RowTables& tables);
void fill_normalisations(RowTables& tables);
void fill_activations(RowTables& tables);
void fill_transposes(RowTables& tables);
void fill_lstm(RowTables& tables);
}  // namespace v4

}  // namespace glint::ops
