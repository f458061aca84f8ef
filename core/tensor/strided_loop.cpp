#include "core/tensor/strided_loop.h"

#include <algorithm>
#include <cstdlib>

namespace glint {

void StridedLoop::plan(std::span<const Tensor* const> operands) {
  check(operands.size() <= kMaxOperands, "a loop over at most eight operands");
  operands_ = operands.size();
  const Tensor& first = *operands[0];
  count_ = first.numel();
  bool flat = true;
  for (size_t operand = 0; operand < operands_; ++operand) {
    const Tensor& tensor = *operands[operand];
    data_[operand] = tensor.raw_data();
    flat = flat && tensor.is_contiguous() && same_dims(tensor.sizes(), first.sizes());
  }
  if (count_ == 0) return;
  flat_ = flat;
  if (!flat) return plan_general(operands);
  rank_ = 1;
  sizes_[0] = count_;
  for (size_t operand = 0; operand < operands_; ++operand)
    strides_[0][operand] = int64_t(operands[operand]->element_size());
}

void StridedLoop::plan_general(std::span<const Tensor* const> operands) {
  IntSpan sizes = operands[0]->sizes();
  check(sizes.size() <= kMaxRank, "a tensor of at most 64 dimensions");
  rank_ = 0;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    if (sizes[dim] == 1) continue;
    sizes_[rank_] = sizes[dim];
    for (size_t operand = 0; operand < operands_; ++operand) {
      const Tensor& tensor = *operands[operand];
      size_t missing = sizes.size() - tensor.sizes().size();
      bool repeats = dim < missing || tensor.sizes()[dim - missing] == 1;
      check(repeats || tensor.sizes()[dim - missing] == sizes[dim], "operands broadcast");
      strides_[rank_][operand] =
          repeats ? 0 : tensor.strides()[dim - missing] * int64_t(tensor.element_size());
    }
    ++rank_;
  }
  if (rank_ == 0) {
    rank_ = 1;
    sizes_[0] = 1;
    for (size_t operand = 0; operand < operands_; ++operand)
      strides_[0][operand] = int64_t(operands[operand]->element_size());
    flat_ = true;
    return;
  }
  sort_dims();
  coalesce();
  flat_ = rank_ == 1;
  for (size_t operand = 0; operand < operands_; ++operand)
    flat_ = flat_ && strides_[0][operand] == int64_t(operands[operand]->element_size());
}

StridedLoop StridedLoop::rows() const {
  check(rank_ > 1, "a loop over rows");
  StridedLoop rows;
  rows.operands_ = operands_;
  rows.rank_ = rank_ - 1;
  rows.count_ = count_ / sizes_[0];
  std::copy_n(data_, operands_, rows.data_);
  for (size_t dim = 1; dim < rank_; ++dim) {
    rows.sizes_[dim - 1] = sizes_[dim];
    std::copy_n(strides_[dim], operands_, rows.strides_[dim - 1]);
  }
  return rows;
}

/// Insertion sort, since nearly all plans are in order already. Stride 0 decides nothing.
void StridedLoop::sort_dims() {
  auto goes_inside = [&](size_t a, size_t b) {
    for (size_t operand = 0; operand < operands_; ++operand) {
      int64_t left = std::abs(strides_[a][operand]), right = std::abs(strides_[b][operand]);
      if (left == 0 || right == 0 || left == right) continue;
      return left < right;
    }
    return false;
  };
  for (size_t i = 1; i < rank_; ++i)
    for (size_t j = i; j > 0 && goes_inside(j, j - 1); --j) {
      std::swap(sizes_[j], sizes_[j - 1]);
      for (size_t operand = 0; operand < operands_; ++operand)
        std::swap(strides_[j][operand], strides_[j - 1][operand]);
    }
}

void StridedLoop::coalesce() {
  size_t last = 0;
  for (size_t dim = 1; dim < rank_; ++dim) {
    bool merges = true;
    for (size_t operand = 0; operand < operands_; ++operand)
      merges = merges && strides_[dim][operand] == strides_[last][operand] * sizes_[last];
    if (merges) {
      sizes_[last] *= sizes_[dim];
      continue;
    }
    ++last;
    sizes_[last] = sizes_[dim];
    for (size_t operand = 0; operand < operands_; ++operand)
      strides_[last][operand] = strides_[dim][operand];
  }
  rank_ = last + 1;
}

Dims elementwise_strides(IntSpan sizes, std::span<const Tensor* const> inputs) {
  bool row_major = true;
  for (const Tensor* input : inputs)
    row_major = row_major && input->is_contiguous() && same_dims(input->sizes(), sizes);
  if (row_major || sizes.size() < 2) return contiguous_strides(sizes);

  auto stride_of = [&](const Tensor& tensor, size_t dim) -> int64_t {
    size_t missing = sizes.size() - tensor.sizes().size();
    if (dim < missing || (tensor.sizes()[dim - missing] == 1 && sizes[dim] != 1)) return 0;
    return tensor.strides()[dim - missing];
  };
  // 1: dimension a steps farther than b, so b belongs inside; -1: the other way; 0: no opinion.
  auto compare = [&](size_t a, size_t b) {
    for (const Tensor* input : inputs) {
      int64_t left = stride_of(*input, a), right = stride_of(*input, b);
      if (left == 0 || right == 0) continue;
      if (left != right) return left < right ? -1 : 1;
      if (sizes[a] > sizes[b]) return 1;
    }
    return 0;
  };
  // order[0] is innermost. Insertion with the three-valued comparison: "no opinion" looks further.
  Dims order(sizes.size(), 0);
  for (size_t i = 0; i < sizes.size(); ++i) order[i] = int64_t(sizes.size() - 1 - i);
  for (size_t i = 1; i < order.size(); ++i) {
    size_t at = i;
    for (size_t below = i; below-- > 0;) {
      int verdict = compare(size_t(order[below]), size_t(order[at]));
      if (verdict > 0) {
        std::swap(order[below], order[at]);
        at = below;
      } else if (verdict < 0) {
        break;
      }
    }
  }
  Dims strides(sizes.size(), 1);
  int64_t step = 1;
  for (int64_t dim : order) {
    strides[size_t(dim)] = step;
    step *= std::max<int64_t>(sizes[size_t(dim)], 1);
  }
  return strides;
}

}  // namespace glint
