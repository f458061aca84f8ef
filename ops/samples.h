// Sample arguments for every operator, from which the table's tests are generated: each backend
// against eager, decomposition against kernel, inference against results.
//
// `sample_inputs` is the common stock: 0-dim, empty, size-1, plain, transposed, sliced, expanded
// (overlapping) tensors, with NaN, infinities and -0.0 among the values of floating ones. A rule
// combines them; combinations that the operator refuses by dtype or shape are left out.
#pragma once

#include "ops/op.h"

namespace glint::ops {

/// Tensors of one dtype in every layout that kernels meet.
std::vector<Tensor> sample_inputs(DType dtype);
/// A contiguous tensor of distinct finite values.
Tensor sample_tensor(IntSpan sizes, DType dtype = DType::kFloat32);
inline Tensor sample_tensor(std::initializer_list<int64_t> sizes, DType dtype = DType::kFloat32) {
  return sample_tensor(IntSpan(sizes.begin(), sizes.size()), dtype);
}

std::vector<Sample> addmm_samples(const OpEntry& entry);
std::vector<Sample> along_samples(const OpEntry& entry);
std::vector<Sample> arange_samples(const OpEntry& entry);
std::vector<Sample> baddbmm_samples(const OpEntry& entry);
std::vector<Sample> binary_samples(const OpEntry& entry);
std::vector<Sample> bmm_samples(const OpEntry& entry);
std::vector<Sample> cat_samples(const OpEntry& entry);
std::vector<Sample> clamp_samples(const OpEntry& entry);
std::vector<Sample> class_loss_samples(const OpEntry& entry);
std::vector<Sample> conversion_samples(const OpEntry& entry);
std::vector<Sample> count_samples(const OpEntry& entry);
std::vector<Sample> dims_samples(const OpEntry& entry);
std::vector<Sample> divisor_samples(const OpEntry& entry);
std::vector<Sample> embedding_samples(const OpEntry& entry);
std::vector<Sample> expand_samples(const OpEntry& entry);
std::vector<Sample> fill_samples(const OpEntry& entry);
std::vector<Sample> float_reduction_samples(const OpEntry& entry);
std::vector<Sample> float_unary_samples(const OpEntry& entry);
std::vector<Sample> full_samples(const OpEntry& entry);
std::vector<Sample> gather_samples(const OpEntry& entry);
std::vector<Sample> gelu_samples(const OpEntry& entry);
std::vector<Sample> index_add_samples(const OpEntry& entry);
std::vector<Sample> index_fill_samples(const OpEntry& entry);
std::vector<Sample> index_samples(const OpEntry& entry);
std::vector<Sample> index_select_samples(const OpEntry& entry);
std::vector<Sample> integer_binary_samples(const OpEntry& entry);
std::vector<Sample> integer_unary_samples(const OpEntry& entry);
std::vector<Sample> lerp_samples(const OpEntry& entry);
std::vector<Sample> linear_samples(const OpEntry& entry);
std::vector<Sample> linspace_samples(const OpEntry& entry);
std::vector<Sample> loss_samples(const OpEntry& entry);
std::vector<Sample> masked_fill_samples(const OpEntry& entry);
std::vector<Sample> masked_select_samples(const OpEntry& entry);
std::vector<Sample> matmul_samples(const OpEntry& entry);
std::vector<Sample> matrix_samples(const OpEntry& entry);
std::vector<Sample> mm_samples(const OpEntry& entry);
std::vector<Sample> mv_samples(const OpEntry& entry);
std::vector<Sample> narrow_samples(const OpEntry& entry);
std::vector<Sample> new_dim_samples(const OpEntry& entry);
std::vector<Sample> new_full_samples(const OpEntry& entry);
std::vector<Sample> new_sizes_samples(const OpEntry& entry);
std::vector<Sample> norm_samples(const OpEntry& entry);
std::vector<Sample> number_second_samples(const OpEntry& entry);
std::vector<Sample> number_unary_samples(const OpEntry& entry);
std::vector<Sample> one_hot_samples(const OpEntry& entry);
std::vector<Sample> permute_samples(const OpEntry& entry);
std::vector<Sample> power_samples(const OpEntry& entry);
std::vector<Sample> probability_loss_samples(const OpEntry& entry);
std::vector<Sample> count_probability_samples(const OpEntry& entry);
std::vector<Sample> probability_number_samples(const OpEntry& entry);
std::vector<Sample> probability_samples(const OpEntry& entry);
std::vector<Sample> randint_samples(const OpEntry& entry);
std::vector<Sample> reduction_samples(const OpEntry& entry);
std::vector<Sample> repeat_samples(const OpEntry& entry);
std::vector<Sample> reshape_samples(const OpEntry& entry);
std::vector<Sample> index_put_samples(const OpEntry& entry);
std::vector<Sample> masked_scatter_samples(const OpEntry& entry);
std::vector<Sample> masked_order_samples(const OpEntry& entry);
std::vector<Sample> select_scatter_samples(const OpEntry& entry);
std::vector<Sample> slice_scatter_samples(const OpEntry& entry);
std::vector<Sample> diagonal_scatter_samples(const OpEntry& entry);
std::vector<Sample> interleave_samples(const OpEntry& entry);
std::vector<Sample> roll_samples(const OpEntry& entry);
std::vector<Sample> same_shape_samples(const OpEntry& entry);
std::vector<Sample> scan_samples(const OpEntry& entry);
std::vector<Sample> scatter_samples(const OpEntry& entry);
std::vector<Sample> select_samples(const OpEntry& entry);
std::vector<Sample> shift_samples(const OpEntry& entry);
std::vector<Sample> sizes_samples(const OpEntry& entry);
std::vector<Sample> slice_samples(const OpEntry& entry);
std::vector<Sample> softmax_samples(const OpEntry& entry);
std::vector<Sample> split_samples(const OpEntry& entry);
std::vector<Sample> stack_only_samples(const OpEntry& entry);
std::vector<Sample> stack_samples(const OpEntry& entry);
std::vector<Sample> ternary_samples(const OpEntry& entry);
std::vector<Sample> topk_samples(const OpEntry& entry);
std::vector<Sample> two_dim_samples(const OpEntry& entry);
std::vector<Sample> unary_samples(const OpEntry& entry);
std::vector<Sample> unflatten_samples(const OpEntry& entry);
std::vector<Sample> variance_samples(const OpEntry& entry);
std::vector<Sample> vector_samples(const OpEntry& entry);
std::vector<Sample> view_samples(const OpEntry& entry);
std::vector<Sample> where_method_samples(const OpEntry& entry);
std::vector<Sample> where_samples(const OpEntry& entry);
std::vector<Sample> wrap_index_samples(const OpEntry& entry);
std::vector<Sample> take_samples(const OpEntry& entry);
std::vector<Sample> unfold_samples(const OpEntry& entry);

}  // namespace glint::ops
