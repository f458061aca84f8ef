// The layout of pointwise results, and the checks that rules and eager kernels share.
//
//     transposed + row        laid out like the transposed operand
//     x + y, both contiguous  contiguous
#pragma once

#include "ops/op.h"

namespace glint::ops {

/// The type of a pointwise result: the operands' sizes broadcast; its dimensions lie in memory in
/// the order of the operands' strides, without gaps.
TensorType broadcast_type(InferArguments operands, DType dtype);

/// The dense strides of such a result, from each operand's strides along its dimensions (0 where
/// the operand repeats). The first operand that steps through two dimensions decides their order.
std::vector<SymInt> elementwise_layout(std::span<const SymInt> sizes,
                                       std::span<const std::vector<SymInt>> operands);

/// The type of what is made in the layout of a tensor (`zeros_like`, `clone`): the same strides
/// where that has no gaps, else dense ones in the order of its dimensions.
TensorType like_type(const TensorType& input, DType dtype);

/// Throws where a function does not take a dtype, in PyTorch's words.
void check_domain(ScalarFunction function, DType dtype);

/// Throws where a reduction without identity would reduce nothing.
void check_reducible(const OpEntry& entry, Combiner combiner, std::span<const SymInt> sizes,
                     std::span<const int64_t> dims, bool all);

/// PyTorch's names of a dtype in messages: `Float`, `Long`, `Bool`, and `float`, `long int`,
/// `bool`.
std::string_view scalar_type_name(DType dtype);
/// The type of a tensor as messages have it: `torch.FloatTensor`, but `CPUBoolType`.
std::string tensor_type_name(DType dtype);
std::string_view message_dtype(DType dtype);

/// Whether two arguments without tensors are the same.
bool same_plain(const Argument& a, const Argument& b);

/// `[2, 3]`: sizes as messages write them.
std::string ints_text(std::span<const SymInt> ints);
/// Sizes that are all known.
Dims constant_dims(std::span<const SymInt> sizes);
/// A contiguous tensor's elements with row-major strides, also along dimensions of size 1: the
/// tensor itself, another view of it, or a copy.
Tensor row_major(const Tensor& tensor);
/// New memory of a type whose sizes are all known.
Tensor empty_of(const TensorType& type);

}  // namespace glint::ops
