// Chooses between the two builds of the row kernels (ops/rows), once, by the processor.
#include "ops/rows/row_kernels.h"

#include <bit>
#include <memory>
#include <string_view>

#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

namespace {

const RowTables& tables() {
  static const RowTables* chosen = [] {
    auto* made = new RowTables{};
    if constexpr (scalar::kHasWideLoops) {
      if (std::string_view(scalar::elementwise_instruction_set()) == "x86-64-v4") {
        v4::fill_reductions(*made);
        v4::fill_normalisations(*made);
        v4::fill_activations(*made);
        v4::fill_transposes(*made);
        v4::fill_lstm(*made);
        v4::fill_attention(*made);
        v4::fill_channels(*made);
        v4::fill_channel_columns(*made);
        return made;
      }
    }
    v3::fill_reductions(*made);
    v3::fill_normalisations(*made);
    v3::fill_activations(*made);
    v3::fill_transposes(*made);
    v3::fill_lstm(*made);
    v3::fill_attention(*made);
    v3::fill_channels(*made);
    v3::fill_channel_columns(*made);
    return made;
  }();
  return *chosen;
}

}  // namespace

const ReduceKernels* reduce_kernels(Combiner combiner, DType dtype) {
  const ReduceKernels* kernels = &tables().reduce[size_t(combiner)][size_t(dtype)];
  return kernels->row ? kernels : nullptr;
}
SoftmaxRow softmax_row(DType dtype) {
  return tables().softmax[size_t(dtype)];
}
LayerNormRow layer_norm_row(DType dtype) {
  return tables().layer_norm[size_t(dtype)];
}
LayerNormBackRow layer_norm_back_row(DType dtype) {
  return tables().layer_norm_back[size_t(dtype)];
}

ActivationLoop activation_loop(Activation activation, DType dtype) {
  if (dtype != DType::kFloat32 && dtype != DType::kFloat64) return nullptr;
  return tables().activation[dtype == DType::kFloat64][size_t(activation)];
}

const LstmLoops& lstm_loops() {
  return tables().lstm;
}

const AttentionLoops& attention_loops() {
  return tables().attention;
}

template <>
const ChannelLoops<float>& channel_loops() {
  return tables().channels;
}
template <>
const ChannelLoops<double>& channel_loops() {
  return tables().wide_channels;
}
template <>
const ColumnLoops<float>& column_loops() {
  return tables().columns;
}
template <>
const ColumnLoops<double>& column_loops() {
  return tables().wide_columns;
}

TransposeTile transpose_tile(size_t element_bytes) {
  return tables().transpose[std::countr_zero(element_bytes)];
}

}  // namespace glint::ops
