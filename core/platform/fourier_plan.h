// How a transform of one length is done: passes of small factors, or a convolution.
//
// 1. The length is written as a product of radices: 4, then 2, 3, 5 and other primes up to 31.
// 2. Each radix r is a pass (Stockham's): it combines r numbers from r parts of the row, turns them
// by
//    powers of w, and puts them where the next pass reads along again, so that nothing is reordered
//    at the end. Two buffers take turns.
// 3. Several rows are transformed at once: element j of all of them lies together, and the
// innermost
//    loop, over rows, is one of plain vectors.
// 4. A length with a large prime factor is a convolution of twice the length or more (Bluestein's):
//    jk = (j^2 + k^2 - (k - j)^2) / 2, and the length of the convolution is a power of 2.
//
// Real and imaginary parts lie apart, as `Split`.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace glint {

template <class T>
struct Split {
  T* real;
  T* imaginary;
};

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
  /// A factor, and w^(jp) for each place p of its pass and each j below the radix.
  struct Pass {
    int64_t radix = 0;
    int64_t places = 0;
    std::vector<T> cosines = {}, sines = {};
    std::vector<T> radix_cosines = {},
                   radix_sines = {};  ///< powers of the root of unity of the radix
  };

  void plan_passes();
  void plan_convolution();
  void convolve(Split<T> data, int64_t rows, T* work) const;

  int64_t length_;
  std::vector<Pass> passes_;
  /// Of a convolution: the transform of its length, w^(j^2 / 2), and the transform of those.
  std::unique_ptr<FourierPlan> inner_;
  std::vector<T> chirp_cosines_, chirp_sines_, filter_cosines_, filter_sines_;
};

/// The plan of a length, made once; the last ones used are kept.
template <class T>
std::shared_ptr<const FourierPlan<T>> fourier_plan(int64_t length);

}  // namespace glint
