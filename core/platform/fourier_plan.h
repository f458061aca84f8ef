// How a transform of one length is done: passes of small factors, or a convolution.
//
// 1. The length is written as a product of radices: 8, 4, 2, then 3, 5 and other primes up to 31.
// 2. Each radix is a pass (fourier_passes.h); two buffers take turns, and nothing is reordered at
//    the end.
// 3. Several rows are transformed at once: element j of all of them lies together, and the
//    innermost loop, over rows, is one of whole vectors.
// 4. A length with a large prime factor is a convolution of twice the length or more (Bluestein's):
//    jk = (j^2 + k^2 - (k - j)^2) / 2, and the length of the convolution is a power of 2.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/platform/fourier_loops.h"

namespace glint {

template <class T>
class FourierPlan {
 public:
  explicit FourierPlan(int64_t length);

  int64_t length() const { return length_; }
  /// How many numbers of T `work` of `forward` has to have.
  int64_t work_size(int64_t rows) const;
  /// The transform of `rows` rows: element j of row i is at [j * rows + i]. In place.
  void forward(Split<T> data, int64_t rows, T* work) const;

 private:
  void plan_passes();
  void plan_convolution();
  void convolve(Split<T> data, int64_t rows, T* work) const;

  int64_t length_;
  const FourierLoops<T>& loops_;
  std::vector<FourierPass<T>> passes_;
  /// Of a convolution: the transform of its length, w^(j^2 / 2), and the transform of those.
  std::unique_ptr<FourierPlan> inner_;
  std::vector<T> chirp_cosines_, chirp_sines_, filter_cosines_, filter_sines_;
};

/// The plan of a length, made once; the last ones used are kept.
template <class T>
std::shared_ptr<const FourierPlan<T>> fourier_plan(int64_t length);

}  // namespace glint
