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

/// 8, 4 and 2 whose product is 2^power, the least of them: no 2 where two 4 do.
std::vector<int64_t> powers_of_two(int64_t power) {
  std::vector<int64_t> radices;
  for (; power >= 3 && power != 4; power -= 3) radices.push_back(8);
  for (; power >= 2; power -= 2) radices.push_back(4);
  if (power == 1) radices.push_back(2);
  return radices;
}

/// None where a prime factor is larger than those: such a length goes by a convolution.
std::vector<int64_t> radices_of(int64_t length) {
  const int64_t power = std::countr_zero(uint64_t(length));
  std::vector<int64_t> radices = powers_of_two(power);
  length >>= power;
  for (int64_t radix : {3, 5, 7, 11, 13, 17, 19, 23, 29, 31})
    for (; length % radix == 0; length /= radix) radices.push_back(radix);
  return length == 1 ? radices : std::vector<int64_t>();
}

}  // namespace

template <class T>
FourierPlan<T>::FourierPlan(int64_t length) : length_(length), loops_(fourier_loops<T>()) {
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
    FourierPass<T> pass{.radix = radix, .places = left / radix};
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
  // The way back has a factor of 1 / size.
  for (auto* filter : {&filter_cosines_, &filter_sines_})
    for (T& each : *filter) each /= T(size);
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
  for (const FourierPass<T>& pass : passes_) {
    loops_.pass(pass, from, to, neighbours);
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
  loops_.turn(data, wide, chirp_cosines_.data(), chirp_sines_.data(), length_, rows);
  std::fill(wide.real + length_ * rows, wide.real + size * rows, T(0));
  std::fill(wide.imaginary + length_ * rows, wide.imaginary + size * rows, T(0));
  inner_->forward(wide, rows, rest);
  loops_.turn(wide, wide, filter_cosines_.data(), filter_sines_.data(), size, rows);
  // Back: forward, with the parts exchanged before and behind.
  inner_->forward({wide.imaginary, wide.real}, rows, rest);
  loops_.turn(wide, data, chirp_cosines_.data(), chirp_sines_.data(), length_, rows);
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
