// The passes of a Fourier transform over vectors V of numbers T, or over single numbers; inlined
// into functions that are compiled for an instruction set.
//
// A pass combines `radix` numbers from as many parts of the row, turns them by powers of w, and
// puts them where the next pass reads along again (Stockham's).
#pragma once

#include <cstdint>
#include <cstring>
#include <numbers>
#include <type_traits>

#include "core/platform/fourier_loops.h"

namespace glint::fourier {

template <class V>
struct Complex {
  V real, imaginary;
};
template <class V>
[[gnu::always_inline]] inline Complex<V> operator+(Complex<V> x, Complex<V> y) {
  return {x.real + y.real, x.imaginary + y.imaginary};
}
template <class V>
[[gnu::always_inline]] inline Complex<V> operator-(Complex<V> x, Complex<V> y) {
  return {x.real - y.real, x.imaginary - y.imaginary};
}
/// Times -i.
template <class V>
[[gnu::always_inline]] inline Complex<V> turned(Complex<V> x) {
  return {x.imaginary, -x.real};
}
/// Times (1 - i) / sqrt(2).
template <class V, class T>
[[gnu::always_inline]] inline Complex<V> half_turned(Complex<V> x) {
  const T root = T(std::numbers::sqrt2 / 2);
  return {(x.real + x.imaginary) * root, (x.imaginary - x.real) * root};
}

template <class V, class T>
[[gnu::always_inline]] inline Complex<V> load(Split<T> from, int64_t at) {
  Complex<V> x;
  std::memcpy(&x.real, from.real + at, sizeof(V));
  std::memcpy(&x.imaginary, from.imaginary + at, sizeof(V));
  return x;
}
template <class V, class T>
[[gnu::always_inline]] inline void store(Split<T> to, int64_t at, Complex<V> x) {
  std::memcpy(to.real + at, &x.real, sizeof(V));
  std::memcpy(to.imaginary + at, &x.imaginary, sizeof(V));
}
/// x w, of which the parts are numbers.
template <class V, class T>
[[gnu::always_inline]] inline Complex<V> times(Complex<V> x, T cosine, T sine) {
  return {x.real * cosine - x.imaginary * sine, x.real * sine + x.imaginary * cosine};
}

/// The transforms of 2, 4 and 8 numbers, in place.
template <class V, class T>
[[gnu::always_inline]] inline void transform(Complex<V> (&x)[2]) {
  const Complex<V> sum = x[0] + x[1];
  x[1] = x[0] - x[1];
  x[0] = sum;
}
template <class V, class T>
[[gnu::always_inline]] inline void transform(Complex<V> (&x)[4]) {
  const Complex<V> sum = x[0] + x[2], rest = x[0] - x[2];
  const Complex<V> odd = x[1] + x[3], turn = turned(x[1] - x[3]);
  x[0] = sum + odd;
  x[1] = rest + turn;
  x[2] = sum - odd;
  x[3] = rest - turn;
}
template <class V, class T>
[[gnu::always_inline]] inline void transform(Complex<V> (&x)[8]) {
  Complex<V> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  transform<V, T>(even);
  transform<V, T>(odd);
  odd[1] = half_turned<V, T>(odd[1]);
  odd[2] = turned(odd[2]);
  odd[3] = turned(half_turned<V, T>(odd[3]));
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; ++k) {
    x[k] = even[k] + odd[k];
    x[k + 4] = even[k] - odd[k];
  }
}

/// Of an odd number of numbers, by sums and differences of the two that are each other's mirror
/// images: c and s are the powers of the root of unity.
template <class V, class T, class Function>
[[gnu::always_inline]] inline void transform_odd(int64_t radix, const T* c, const T* s,
                                                 Complex<V>* x, Function put) {
  const int64_t half = radix / 2;
  Complex<V> first = x[0];
  for (int64_t k = 1; k <= half; ++k) {
    const Complex<V> sum = x[k] + x[radix - k];
    x[radix - k] = x[k] - x[radix - k];
    x[k] = sum;
    first = first + sum;
  }
  put(0, first);
  for (int64_t j = 1; j <= half; ++j) {
    Complex<V> even = x[0], odd = {V{}, V{}};
    for (int64_t k = 1, at = j; k <= half; ++k, at = (at + j) % radix) {
      const Complex<V> sum = x[k], difference = x[radix - k];
      even = {even.real + sum.real * c[at], even.imaginary + sum.imaginary * c[at]};
      odd = {odd.real - difference.imaginary * s[at], odd.imaginary + difference.real * s[at]};
    }
    put(j, even + odd);
    put(radix - j, even - odd);
  }
}

constexpr int64_t kLargestRadix = 31;

/// One place: `in` and `out` are the first of the numbers that it combines, `in_step` and
/// `neighbours` the steps to the next ones.
template <class V, class T, int kRadix>
[[gnu::always_inline]] inline void pass_place(const FourierPass<T>& pass, Split<T> in, Split<T> out,
                                              int64_t in_step, int64_t neighbours, const T* cosines,
                                              const T* sines) {
  constexpr int64_t kStep = std::is_same_v<V, T> ? 1 : kFourierLanes<T>;
  for (int64_t i = 0; i < neighbours; i += kStep) {
    if constexpr (kRadix == 2 || kRadix == 4 || kRadix == 8) {
      Complex<V> x[kRadix];
#pragma clang loop unroll(full)
      for (int k = 0; k < kRadix; ++k) x[k] = load<V>(in, k * in_step + i);
      transform<V, T>(x);
      store<V>(out, i, x[0]);
#pragma clang loop unroll(full)
      for (int k = 1; k < kRadix; ++k)
        store<V>(out, k * neighbours + i, times(x[k], cosines[k], sines[k]));
    } else {
      Complex<V> x[kRadix == 0 ? kLargestRadix : kRadix];
      const int64_t radix = kRadix == 0 ? pass.radix : kRadix;
      for (int64_t k = 0; k < radix; ++k) x[k] = load<V>(in, k * in_step + i);
      auto put = [&](int64_t k, Complex<V> value) {
        store<V>(out, k * neighbours + i, times(value, cosines[k], sines[k]));
      };
      transform_odd<V>(radix, pass.radix_cosines.data(), pass.radix_sines.data(), x, put);
    }
  }
}

template <class V, class T>
[[gnu::always_inline]] inline void pass_places(const FourierPass<T>& pass, Split<T> from,
                                               Split<T> to, int64_t neighbours) {
  for (int64_t place = 0; place < pass.places; ++place) {
    const int64_t at = neighbours * place;
    const Split<T> in{from.real + at, from.imaginary + at};
    const Split<T> out{to.real + at * pass.radix, to.imaginary + at * pass.radix};
    const int64_t step = neighbours * pass.places;
    const T* cosines = pass.cosines.data() + place * pass.radix;
    const T* sines = pass.sines.data() + place * pass.radix;
    switch (pass.radix) {
      case 2:
        pass_place<V, T, 2>(pass, in, out, step, neighbours, cosines, sines);
        break;
      case 3:
        pass_place<V, T, 3>(pass, in, out, step, neighbours, cosines, sines);
        break;
      case 4:
        pass_place<V, T, 4>(pass, in, out, step, neighbours, cosines, sines);
        break;
      case 5:
        pass_place<V, T, 5>(pass, in, out, step, neighbours, cosines, sines);
        break;
      case 8:
        pass_place<V, T, 8>(pass, in, out, step, neighbours, cosines, sines);
        break;
      default:
        pass_place<V, T, 0>(pass, in, out, step, neighbours, cosines, sines);
    }
  }
}

}  // namespace glint::fourier
