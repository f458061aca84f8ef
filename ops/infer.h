// Types without values: the dtype, sizes and strides of an operator's results.
//
//     infer(add, {f32[s0, 8], i64[8], 1})   gives   {f32[s0, 8]}
//
// The rules for whole classes of operators are here (pointwise, reductions, views, composites);
// an entry with a rule of its own names it in `infer`. Beside them stand the small questions that
// rules and lowerings ask: broadcasting, promotion, wrapping of negative dimensions. Messages are
// PyTorch's.
#pragma once

#include <span>
#include <vector>

#include "ops/op.h"

namespace glint::ops {

/// The types of an operator's results for bound arguments (trailing defaults may be left off).
/// Throws OpError for what eager execution would refuse by shape or dtype.
std::vector<TensorType> infer(const OpEntry& entry, InferArguments arguments);

/// Tensors become their types.
TensorType type_of(const Tensor& tensor);
InferArgument infer_argument(const Argument& argument);

/// PyTorch's broadcasting of sizes, aligned at the last dimension.
std::vector<SymInt> broadcast(std::span<const SymInt> a, std::span<const SymInt> b);

/// PyTorch's result_type over tensors, 0-dim tensors and Python numbers.
DType promoted_dtype(InferArguments operands);
/// The dtype in which a pointwise operator computes, and to which its operands are cast first.
DType computation_dtype(const OpEntry& entry, InferArguments arguments);
/// The dtype to which a reduction's or scan's input is cast.
DType reduction_dtype(const OpEntry& entry, InferArguments arguments);
/// How many of the leading arguments of a pointwise operator are operands.
size_t operand_count(const OpEntry& entry);

/// A dimension in 0..rank-1 from one in -rank..rank-1; IndexError otherwise. Rank 0 counts as 1.
int64_t wrap_dim(int64_t dim, size_t rank);
/// The reduced dimensions, ascending; all for None or an empty list.
std::vector<int64_t> reduced_dims(const InferArgument& dim, size_t rank);
/// The sizes left by a reduction.
std::vector<SymInt> reduced_sizes(std::span<const SymInt> sizes, std::span<const int64_t> dims,
                                  bool keepdim);

/// The argument of a parameter by name; its default where it was left off.
template <class V>
BasicArgument<V> argument(const OpEntry& entry, std::span<const BasicArgument<V>> arguments,
                          std::string_view parameter);

/// Values of arguments, as rules need them. Ints are accepted for floats, and bools for ints.
template <class V>
SymInt as_int(const BasicArgument<V>& argument);
template <class V>
bool as_bool(const BasicArgument<V>& argument);
template <class V>
double as_float(const BasicArgument<V>& argument);
/// An int or a list of ints.
template <class V>
std::vector<SymInt> as_ints(const BasicArgument<V>& argument);
template <class V>
std::vector<V> as_values(const BasicArgument<V>& argument);

}  // namespace glint::ops
