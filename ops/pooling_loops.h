// Pooling's eager loops over contiguous memory.
//
// An input is a number of planes, each of the dimensions that windows move in, of which there are
// three here: those that are missing come first and have one element. A row of results is made at
// once, of one element of all its windows after the other, so that the inner loops have no
// branches; where windows are long and few, each by itself.
#pragma once

#include <array>

#include "core/tensor/tensor.h"
#include "ops/pooling_windows.h"

namespace glint::ops {

/// The windows of planes that are volumes.
class PoolingPlanes {
 public:
  PoolingPlanes(const PoolingWindows& windows, IntSpan sizes);

  int64_t elements() const { return size_[0] * size_[1] * size_[2]; }
  int64_t places() const { return places_[0] * places_[1] * places_[2]; }

  /// For each row of windows of a plane and each element of a window that is in the input for some
  /// of the row: visit(first place, first element, how many places, elements from one to the next).
  template <class Visit>
  void for_each_run(Visit&& visit) const;
  /// Whether windows are longer than their row is of places, and in one piece: then it is they that
  /// are gone through, not the rows.
  bool has_long_windows() const { return kernel_[2] > places_[2] && dilation_[2] == 1; }
  /// For each window, in order, and each stretch of memory that it has: visit(place, first element,
  /// how many). Rows that are in the window as a whole are one stretch.
  template <class Visit>
  void for_each_stretch(Visit&& visit) const;
  /// The first element of each window in order, or where one begins outside, the first that is in.
  template <class Visit>
  void for_each_start(Visit&& visit) const;

 private:
  /// The elements of a dimension that a window is of: the first, and behind the last, of those that
  /// are `dilation` apart.
  struct Reach {
    int64_t first, end;
  };
  Reach reach(size_t i, int64_t place) const;
  template <class Visit>
  void for_each_stretch_of(const std::array<Reach, 3>& reaches, Visit&& visit) const;
  /// The places of a row for which element `offset` of the windows is inside.
  struct Run {
    int64_t offset, first, count;
  };
  Run run_of(int64_t offset) const;
  int64_t element(size_t i, int64_t place, int64_t offset) const {
    return place * stride_[i] - before_[i] + offset * dilation_[i];
  }

  std::array<int64_t, 3> size_ = {1, 1, 1}, places_ = {1, 1, 1}, kernel_ = {1, 1, 1},
                         stride_ = {1, 1, 1}, before_ = {}, dilation_ = {1, 1, 1};
  std::vector<Run> runs_;  ///< in the last dimension; none is empty
};

/// Writes each window's greatest element, the last that is no number if there is one, and where it
/// is in its plane.
void max_pool_planes(const PoolingPlanes& planes, const Tensor& input, const Tensor& values,
                     const Tensor& indices);
/// Adds each window's gradient where its element came from; `out` is written whole.
void max_pool_planes_back(const PoolingPlanes& planes, const Tensor& gradient,
                          const Tensor& indices, const Tensor& out);
/// Writes the sum of each window, of float32, float64 or integers.
void sum_planes(const PoolingPlanes& planes, const Tensor& input, const Tensor& sums);
/// Adds each window's gradient to all its elements; `out` is written whole.
void sum_planes_back(const PoolingPlanes& planes, const Tensor& gradient, const Tensor& out);

}  // namespace glint::ops
