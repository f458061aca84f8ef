// The families of operators: one file each, one row each.
#pragma once

#include <span>
#include <string_view>

#include "ops/op.h"

namespace glint::ops {

std::span<const OpEntry> unary_entries();
std::span<const OpEntry> elementary_entries();
std::span<const OpEntry> special_entries();
std::span<const OpEntry> piecewise_activation_entries();
std::span<const OpEntry> activation_entries();
std::span<const OpEntry> activation_gradient_entries();
std::span<const OpEntry> binary_entries();
std::span<const OpEntry> power_entries();
std::span<const OpEntry> pairs_entries();
std::span<const OpEntry> comparison_entries();
std::span<const OpEntry> selection_entries();
std::span<const OpEntry> checked_entries();
std::span<const OpEntry> blending_entries();
std::span<const OpEntry> creation_entries();
std::span<const OpEntry> sequences_entries();
std::span<const OpEntry> random_entries();
std::span<const OpEntry> sampling_entries();
std::span<const OpEntry> dropout_entries();
std::span<const OpEntry> reduction_entries();
std::span<const OpEntry> statistics_entries();
std::span<const OpEntry> scan_entries();
std::span<const OpEntry> running_entries();
std::span<const OpEntry> view_entries();
std::span<const OpEntry> restride_entries();
std::span<const OpEntry> shape_entries();
std::span<const OpEntry> padding_entries();
std::span<const OpEntry> join_entries();
std::span<const OpEntry> conversion_entries();
std::span<const OpEntry> index_entries();
std::span<const OpEntry> advanced_index_entries();
std::span<const OpEntry> scatter_entries();
std::span<const OpEntry> scatter_reduce_entries();
std::span<const OpEntry> index_writing_entries();
std::span<const OpEntry> closeness_entries();
std::span<const OpEntry> sorting_entries();
std::span<const OpEntry> searching_entries();
std::span<const OpEntry> complex_entries();
std::span<const OpEntry> fourier_entries();
std::span<const OpEntry> matrix_entries();
std::span<const OpEntry> affine_entries();
std::span<const OpEntry> products_entries();
std::span<const OpEntry> convolution_entries();
std::span<const OpEntry> transposed_convolution_entries();
std::span<const OpEntry> pooling_entries();
std::span<const OpEntry> resampling_entries();
std::span<const OpEntry> recurrent_entries();
std::span<const OpEntry> attention_entries();
std::span<const OpEntry> softmax_entries();
std::span<const OpEntry> layer_norm_entries();
std::span<const OpEntry> channel_norms_entries();
std::span<const OpEntry> distance_loss_entries();
std::span<const OpEntry> loss_entries();
std::span<const OpEntry> gates_entries();

struct Family {
  std::string_view name;  ///< as the manual groups them
  std::span<const OpEntry> (*entries)();
};
inline constexpr Family kFamilies[] = {
    {"unary", unary_entries},
    {"elementary", elementary_entries},
    {"special", special_entries},
    {"piecewise_activation", piecewise_activation_entries},
    {"activation", activation_entries},
    {"activation_gradients", activation_gradient_entries},
    {"binary", binary_entries},
    {"power", power_entries},
    {"pairs", pairs_entries},
    {"comparison", comparison_entries},
    {"selection", selection_entries},
    {"checked", checked_entries},
    {"blending", blending_entries},
    {"creation", creation_entries},
    {"sequences", sequences_entries},
    {"random", random_entries},
    {"sampling", sampling_entries},
    {"dropout", dropout_entries},
    {"reduction", reduction_entries},
    {"statistics", statistics_entries},
    {"scan", scan_entries},
    {"running", running_entries},
    {"view", view_entries},
    {"restride", restride_entries},
    {"shape", shape_entries},
    {"padding", padding_entries},
    {"join", join_entries},
    {"conversion", conversion_entries},
    {"index", index_entries},
    {"advanced_index", advanced_index_entries},
    {"scatter", scatter_entries},
    {"scatter_reduce", scatter_reduce_entries},
    {"index_writing", index_writing_entries},
    {"matrix", matrix_entries},
    {"affine", affine_entries},
    {"products", products_entries},
    {"sorting", sorting_entries},
    {"searching", searching_entries},
    {"complex", complex_entries},
    {"fourier", fourier_entries},
    {"convolution", convolution_entries},
    {"transposed_convolution", transposed_convolution_entries},
    {"pooling", pooling_entries},
    {"resampling", resampling_entries},
    {"recurrent", recurrent_entries},
    {"attention", attention_entries},
    {"softmax", softmax_entries},
    {"layer_norm", layer_norm_entries},
    {"channel_norms", channel_norms_entries},
    {"gates", gates_entries},
    {"distance_loss", distance_loss_entries},
    {"loss", loss_entries},
    {"closeness", closeness_entries},
};

}  // namespace glint::ops
