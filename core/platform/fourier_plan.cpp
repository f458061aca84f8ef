#include "core/platform/fourier_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <list>
#include <mutex>
#include <numbers>

namespace glint {
namespace {

/// Adds cos and sin of -2 pi * part / whole.
template <class T>
void add_root(int64_t part, int64_t whole, std::vector<T>& cosines, std::vector<T>& sines) {
  const double angle = -2 * std::numbers::pi * double(part % whole) / double(whole);
  cosines.push_back(T(std::cos(angle)));
  sines.push_back(T(std::sin(angle)));
}

/// None where a prime factor is larger than those: such a length goes by a convolution.
std::vector<int64_t> radices_of(int64_t length) {
  std::vector<int64_t> radices;
  for (int64_t radix : {4, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31})
    for (; length % radix == 0; length /= radix) radices.push_back(radix);
  return length == 1 ? radices : std::vector<int64_t>();
}

/// One pass over one place: `in` and `out` are the first of the numbers that it combines.
template <class T>
struct Place {
  Split<T> in, out;
  int64_t in_step, out_step;  ///< from one of the combined numbers to the next
  int64_t count;              ///< how often, along neighbours
  const T* cosines;           ///< of the place, one a result
  const T* sines;
};

/// Writes (a + bi) w.
template <class T>
inline void put(const Place<T>& p, int64_t j, int64_t i, T a, T b) {
  const T c = p.cosines[j], s = p.sines[j];
  p.out.real[j * p.out_step + i] = a * c - b * s;
  p.out.imaginary[j * p.out_step + i] = a * s + b * c;
}

template <class T>
void pass2(const Place<T>& p) {
  const T *ar = p.in.real, *ai = p.in.imaginary, *br = ar + p.in_step, *bi = ai + p.in_step;
  for (int64_t i = 0; i < p.count; ++i) {
    const T x = ar[i], y = ai[i], u = br[i], v = bi[i];
    put(p, 0, i, x + u, y + v);
    put(p, 1, i, x - u, y - v);
  }
}

template <class T>
void pass4(const Place<T>& p) {
  const T *ar = p.in.real, *ai = p.in.imaginary, *br = ar + p.in_step, *bi = ai + p.in_step;
  const T *cr = br + p.in_step, *ci = bi + p.in_step, *dr = cr + p.in_step, *di = ci + p.in_step;
  for (int64_t i = 0; i < p.count; ++i) {
    const T sum_r = ar[i] + cr[i], sum_i = ai[i] + ci[i];
    const T rest_r = ar[i] - cr[i], rest_i = ai[i] - ci[i];
    const T odd_r = br[i] + dr[i], odd_i = bi[i] + di[i];
    // Times -i.
    const T turn_r = bi[i] - di[i], turn_i = dr[i] - br[i];
    put(p, 0, i, sum_r + odd_r, sum_i + odd_i);
    put(p, 1, i, rest_r + turn_r, rest_i + turn_i);
    put(p, 2, i, sum_r - odd_r, sum_i - odd_i);
    put(p, 3, i, rest_r - turn_r, rest_i - turn_i);
  }
}

/// Any radix, by the sum itself.
template <class T>
void pass_any(const Place<T>& p, int64_t radix, const T* cosines, const T* sines) {
  constexpr int64_t kChunk = 16;
  T a[kChunk], b[kChunk];
  for (int64_t begin = 0; begin < p.count; begin += kChunk) {
    const int64_t width = std::min(kChunk, p.count - begin);
    for (int64_t j = 0; j < radix; ++j) {
      std::copy_n(p.in.real + begin, width, a);
      std::copy_n(p.in.imaginary + begin, width, b);
      for (int64_t k = 1, at = j; k < radix; ++k, at = (at + j) % radix) {
        const T *x = p.in.real + k * p.in_step + begin, *y = p.in.imaginary + k * p.in_step + begin;
        const T c = cosines[at], s = sines[at];
        for (int64_t i = 0; i < width; ++i) {
          a[i] += x[i] * c - y[i] * s;
          b[i] += x[i] * s + y[i] * c;
        }
      }
      for (int64_t i = 0; i < width; ++i) put(p, j, begin + i, a[i], b[i]);
    }
  }
}

}  // namespace

template <class T>
FourierPlan<T>::FourierPlan(int64_t length) : length_(length) {
  if (length_ <= 1) return;
  if (radices_of(length_).empty())
    plan_convolution();
  else
    plan_passes();
}

template <class T>
void FourierPlan<T>::plan_passes() {
  int64_t left = length_;
  for (int64_t radix : radices_of(length_)) {
    Pass pass{.radix = radix, .places = left / radix};
    for (int64_t p = 0; p < pass.places; ++p)
      for (int64_t j = 0; j < radix; ++j) add_root(p * j, left, pass.cosines, pass.sines);
    for (int64_t j = 0; j < radix; ++j) add_root(j, radix, pass.radix_cosines, pass.radix_sines);
    left /= radix;
    passes_.push_back(std::move(pass));
  }
}

template <class T>
void FourierPlan<T>::plan_convolution() {
  const auto size = int64_t(std::bit_ceil(uint64_t(2 * length_ - 1)));
  inner_ = std::make_unique<FourierPlan>(size);
  filter_cosines_.resize(size_t(size));
  filter_sines_.resize(size_t(size));
  for (int64_t j = 0; j < length_; ++j) {
    // j^2 / 2 of 2 pi / length, kept small as an integer.
    const auto square =
        int64_t(static_cast<unsigned __int128>(j) * uint64_t(j) % uint64_t(2 * length_));
    add_root(square, 2 * length_, chirp_cosines_, chirp_sines_);
    for (int64_t at : {j, (size - j) % size}) {
      filter_cosines_[size_t(at)] = chirp_cosines_.back();
      filter_sines_[size_t(at)] = -chirp_sines_.back();
    }
  }
  std::vector<T> work(size_t(inner_->work_size(1)));
  inner_->forward({filter_cosines_.data(), filter_sines_.data()}, 1, work.data());
}

template <class T>
int64_t FourierPlan<T>::work_size(int64_t rows) const {
  if (inner_) return 2 * inner_->length() * rows + inner_->work_size(rows);
  return 2 * length_ * rows;
}

template <class T>
void FourierPlan<T>::forward(Split<T> data, int64_t rows, T* work) const {
  if (inner_) return convolve(data, rows, work);
  Split<T> from = data, to{work, work + length_ * rows};
  int64_t neighbours = rows;
  for (const Pass& pass : passes_) {
    for (int64_t place = 0; place < pass.places; ++place) {
      const int64_t in = neighbours * place, out = neighbours * place * pass.radix;
      const Place<T> at{{from.real + in, from.imaginary + in},
                        {to.real + out, to.imaginary + out},
                        neighbours * pass.places,
                        neighbours,
                        neighbours,
                        pass.cosines.data() + place * pass.radix,
                        pass.sines.data() + place * pass.radix};
      if (pass.radix == 4)
        pass4(at);
      else if (pass.radix == 2)
        pass2(at);
      else
        pass_any(at, pass.radix, pass.radix_cosines.data(), pass.radix_sines.data());
    }
    neighbours *= pass.radix;
    std::swap(from, to);
  }
  if (from.real == data.real) return;
  std::copy_n(from.real, length_ * rows, data.real);
  std::copy_n(from.imaginary, length_ * rows, data.imaginary);
}

template <class T>
void FourierPlan<T>::convolve(Split<T> data, int64_t rows, T* work) const {
  const int64_t size = inner_->length();
  const Split<T> wide{work, work + size * rows};
  T* rest = work + 2 * size * rows;
  auto turned = [rows](Split<T> to, Split<T> from, int64_t j, T c, T s) {
    for (int64_t i = j * rows; i < (j + 1) * rows; ++i) {
      const T a = from.real[i], b = from.imaginary[i];
      to.real[i] = a * c - b * s;
      to.imaginary[i] = a * s + b * c;
    }
  };
  for (int64_t j = 0; j < length_; ++j)
    turned(wide, data, j, chirp_cosines_[size_t(j)], chirp_sines_[size_t(j)]);
  std::fill(wide.real + length_ * rows, wide.real + size * rows, T(0));
  std::fill(wide.imaginary + length_ * rows, wide.imaginary + size * rows, T(0));
  inner_->forward(wide, rows, rest);
  for (int64_t j = 0; j < size; ++j)
    turned(wide, wide, j, filter_cosines_[size_t(j)], filter_sines_[size_t(j)]);
  // Back: forward, with the parts exchanged before and behind.
  inner_->forward({wide.imaginary, wide.real}, rows, rest);
  const T scale = T(1) / T(size);
  for (int64_t j = 0; j < length_; ++j)
    turned(data, wide, j, chirp_cosines_[size_t(j)] * scale, chirp_sines_[size_t(j)] * scale);
}

template <class T>
std::shared_ptr<const FourierPlan<T>> fourier_plan(int64_t length) {
  constexpr size_t kKept = 32;
  static std::mutex mutex;
  static auto& plans = *new std::list<std::shared_ptr<const FourierPlan<T>>>;
  const std::lock_guard lock(mutex);
  auto found = std::ranges::find_if(plans, [&](const auto& p) { return p->length() == length; });
  if (found != plans.end()) {
    plans.splice(plans.begin(), plans, found);
    return plans.front();
  }
  plans.push_front(std::make_shared<const FourierPlan<T>>(length));
  if (plans.size() > kKept) plans.pop_back();
  return plans.front();
}

template class FourierPlan<float>;
template class FourierPlan<double>;
template std::shared_ptr<const FourierPlan<float>> fourier_plan(int64_t length);
template std::shared_ptr<const FourierPlan<double>> fourier_plan(int64_t length);

}  // namespace glint
