// `StridedLoop`: walks several tensors of one (broadcast) shape together.
//
// The planner takes the operands, output first, and finds the fewest and longest inner loops:
//
//   1. broadcast: an operand's missing dimensions and sizes of 1 get stride 0;
//   2. drop dimensions of size 1; order the rest by the first operand's strides, smallest innermost
//      (ties by the next operand's);
//   3. coalesce: two neighbouring dimensions become one where every operand steps through them
//      evenly.
//
// Contiguous operands of equal shape become one flat loop without any of this. The body then runs
// on inner rows, with byte strides:
//
//     StridedLoop loop({out, a, b});                          // out[i] = a[i] + b[i]
//     loop.run([](std::byte* const* data, const int64_t* strides, int64_t count) { ... });
//
// Large loops are split over the threads. Planning allocates nothing.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>

#include "core/support/thread_pool.h"
#include "core/tensor/tensor.h"

namespace glint {

class StridedLoop {
 public:
  static constexpr size_t kMaxOperands = 8;
  static constexpr size_t kMaxRank = 64;
  /// Elements below which a loop stays on the calling thread, for cheap bodies.
  static constexpr int64_t kGrain = 32768;

  /// Iterates over the sizes of the first operand, to which all others must broadcast.
  explicit StridedLoop(std::initializer_list<const Tensor*> operands) {
    plan(std::span<const Tensor* const>(operands.begin(), operands.size()));
  }
  explicit StridedLoop(std::span<const Tensor* const> operands) { plan(operands); }

  int64_t count() const { return count_; }
  /// Dimensions after coalescing; 0 for an empty loop, 1 for a flat one.
  size_t rank() const { return rank_; }
  size_t operands() const { return operands_; }
  /// Sizes and byte strides, innermost first.
  int64_t size(size_t dim) const { return sizes_[dim]; }
  int64_t stride(size_t operand, size_t dim) const { return strides_[dim][operand]; }
  const int64_t* inner_strides() const { return strides_[0]; }
  std::byte* data(size_t operand) const { return data_[operand]; }
  /// One inner loop in which every operand is dense: `stride(o, 0)` is its element size.
  bool is_flat() const { return flat_; }

  /// The loop over the inner rows: this one without dimension 0, of a rank of two at least.
  StridedLoop rows() const;

  /// Calls `body(pointers, byte strides, count)` for inner rows until all elements are covered.
  template <class F>
  void run(F&& body, int64_t grain = kGrain) const {
    if (count_ == 0) return;
    if (rank_ == 1 && (count_ < 2 * grain || num_threads() == 1)) {
      body(data_, strides_[0], count_);
      return;
    }
    parallel_for(0, count_, grain,
                 [&](int64_t begin, int64_t end) { run_range(begin, end, body); });
  }

  /// The same on the calling thread only, in row order.
  template <class F>
  void run_serial(F&& body) const {
    if (count_ != 0) run_range(0, count_, body);
  }

  /// The part [begin, end) of the elements, counted with the innermost dimension fastest. With an
  /// `inner` of 1 the innermost dimension is the body's: what is counted, and what it gets pointers
  /// and steps of, are its rows.
  template <class F>
  void run_range(int64_t begin, int64_t end, F&& body, size_t inner = 0) const;

 private:
  StridedLoop() = default;
  void plan(std::span<const Tensor* const> operands);
  void plan_general(std::span<const Tensor* const> operands);
  void sort_dims();
  void coalesce();

  size_t operands_ = 0;
  size_t rank_ = 0;
  int64_t count_ = 0;
  bool flat_ = false;
  std::byte* data_[kMaxOperands];
  int64_t sizes_[kMaxRank];
  int64_t strides_[kMaxRank][kMaxOperands];
};

/// The strides that PyTorch gives a new result of an elementwise operator: the operands' order of
/// dimensions if they have a common one (a transposed input gives a transposed result), without
/// gaps. Row-major strides in the usual case.
Dims elementwise_strides(IntSpan sizes, std::span<const Tensor* const> inputs);

template <class F>
void StridedLoop::run_range(int64_t begin, int64_t end, F&& body, size_t inner) const {
  int64_t index[kMaxRank];
  std::byte* row[kMaxOperands];
  for (size_t operand = 0; operand < operands_; ++operand) row[operand] = data_[operand];
  int64_t rest = begin;
  for (size_t dim = inner; dim < rank_; ++dim) {
    index[dim] = rest % sizes_[dim];
    rest /= sizes_[dim];
    for (size_t operand = 0; operand < operands_; ++operand)
      row[operand] += index[dim] * strides_[dim][operand];
  }
  for (int64_t at = begin;;) {
    int64_t length = std::min(sizes_[inner] - index[inner], end - at);
    body(static_cast<std::byte* const*>(row), strides_[inner], length);
    at += length;
    if (at >= end) return;
    for (size_t operand = 0; operand < operands_; ++operand)
      row[operand] -= index[inner] * strides_[inner][operand];
    index[inner] = 0;
    for (size_t dim = inner + 1; dim < rank_; ++dim) {
      ++index[dim];
      for (size_t operand = 0; operand < operands_; ++operand)
        row[operand] += strides_[dim][operand];
      if (index[dim] < sizes_[dim]) break;
      for (size_t operand = 0; operand < operands_; ++operand)
        row[operand] -= sizes_[dim] * strides_[dim][operand];
      index[dim] = 0;
    }
  }
}

}  // namespace glint
