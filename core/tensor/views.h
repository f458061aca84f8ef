// Views: new tensors on the same memory, made by rearranging sizes and strides.
//
// All of them come down to `Tensor::view_of`. Dimensions may be negative (from the end). Arguments
// are taken as valid: the operators' shape rules speak to the user before this is reached.
//
//     Tensor t = transpose(x, 0, 1);       // strides swapped, nothing copied
//     Tensor r = reshape(t, {128});        // a copy here, since no strides describe it
#pragma once

#include <optional>

#include "core/tensor/tensor.h"

namespace glint {

inline int64_t normalize_dim(int64_t dim, int64_t rank) {
  return dim < 0 ? dim + rank : dim;
}

/// A new tensor with the same view of the same memory (`x.detach()`, without autograd's record).
Tensor alias(const Tensor& base);
Tensor transpose(const Tensor& base, int64_t first, int64_t second);
Tensor permute(const Tensor& base, IntSpan order);
/// Sizes of 1 (and new dimensions in front) repeat; -1 keeps a size.
Tensor expand(const Tensor& base, IntSpan sizes);
/// `base[..., index, ...]`: one dimension less.
Tensor select(const Tensor& base, int64_t dim, int64_t index);
/// `base[..., start:stop:step, ...]`, with Python's clamping; step > 0.
Tensor slice(const Tensor& base, int64_t dim, int64_t start, int64_t stop, int64_t step = 1);
Tensor unsqueeze(const Tensor& base, int64_t dim);
Tensor squeeze(const Tensor& base, int64_t dim);
Tensor squeeze(const Tensor& base);

/// Strides that show `sizes` over the memory of (old_sizes, old_strides) in the same row-major
/// order, if there are any: what PyTorch's `view` demands. Element counts must agree.
std::optional<Dims> view_strides(IntSpan old_sizes, IntSpan old_strides, IntSpan sizes);
/// Replaces one -1 by what the element count leaves; nothing if it does not divide.
std::optional<Dims> infer_sizes(IntSpan sizes, int64_t numel);
/// A view with other sizes, or nothing where the strides do not allow it.
std::optional<Tensor> view(const Tensor& base, IntSpan sizes);
/// A view where possible, else a copy.
Tensor reshape(const Tensor& base, IntSpan sizes);
inline Tensor reshape(const Tensor& base, std::initializer_list<int64_t> sizes) {
  return reshape(base, IntSpan(sizes.begin(), sizes.size()));
}
inline Tensor expand(const Tensor& base, std::initializer_list<int64_t> sizes) {
  return expand(base, IntSpan(sizes.begin(), sizes.size()));
}
inline Tensor permute(const Tensor& base, std::initializer_list<int64_t> order) {
  return permute(base, IntSpan(order.begin(), order.size()));
}

/// The shape that operands of these shapes broadcast to, or nothing if they do not.
std::optional<Dims> broadcast_sizes(IntSpan a, IntSpan b);

}  // namespace glint
