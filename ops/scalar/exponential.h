// exp and its family: exp2, expm1, sigmoid, tanh, sinh, cosh.
//
// exp(x), after Cody and Waite:
//   1. n = round(x / ln2), by adding 1.5 * 2^23, which leaves n in the low bits of the sum;
//   2. r = x - n ln2, with ln2 in two parts so that the subtraction is exact;
//   3. e^r by a polynomial on |r| <= ln2 / 2;
//   4. times 2^n in two halves, so that results that overflow or are denormal round right.
// In float32 n counts sixteenths (1.5 * 2^19 rounds to those): the four lowest bits of the sum
// choose 2^(k/16) from a table that fits a register, and the polynomial, on |r| <= ln2 / 32, has
// four terms instead of eight: a quarter less to do. The table's entries are all too large by a
// factor s that the polynomial takes back, chosen so that rounding them costs little.
// The others are arranged around the same reduction so that nothing cancels: expm1(x) = 2^n (e^r -
// 1) + (2^n - 1), tanh = e / (e + 2) with e = expm1(2|x|), cosh = h + 1 / (4h) with h = e^x / 2.
//
// Largest errors (ulp), float32 / float64: exp 0.9 / 1, exp2 1.2 / 1.2, expm1 1.5 / 2, sigmoid 2.5
// / 2.5 (where exp(-x) is finite), tanh 2.5 / 2.5, sinh 2.5 / 2, cosh 1.5 / 1.
#pragma once

#include <cmath>
#include <type_traits>

#include "ops/scalar/polynomial.h"

namespace glint::scalar {

/// x = n ln2 + r: `n` as a real number and as an integer, and the remainder.
template <class B>
struct ExponentReduction {
  typename B::Float whole;
  typename B::Int n;
  typename B::Float r;
};

template <class B>
ExponentReduction<B> reduce_exponent(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto shifted = b.fma(x, b.real(C::kLog2EHigh), b.real(C::kRounder));
  const auto n = shifted - b.real(C::kRounder);
  const auto r = b.fma(n, b.real(-C::kLn2Low), b.fma(n, b.real(-C::kLn2High), x));
  return {n, b.bits(shifted) - b.bits(b.real(C::kRounder)), r};
}

/// 2^n for n within the exponent range.
template <class B>
typename B::Float power_of_two(const B& b, typename B::Int n) {
  using C = typename B::Constants;
  return b.from_bits((n + b.integer(C::kExponentBias)) << b.integer(C::kMantissaBits));
}

/// x * 2^n for |x| of the order of 1 and n within twice the exponent range, rounded once: in two
/// halves, of which the first is exact, or by the one instruction that AVX-512 has for it, which
/// takes n as `whole` rounded down.
template <class B>
typename B::Float scale_by_power(const B& b, typename B::Float x, typename B::Float whole,
                                 typename B::Int n) {
  if (b.has_scale()) return b.scale(x, whole);
  const auto half = n >> b.integer(1);
  return x * power_of_two(b, half) * power_of_two(b, n - half);
}

template <class B>
typename B::Float at_most(const B& b, typename B::Float x, double high) {
  return b.select(b.less(b.real(high), x), b.real(high), x);
}

template <class B>
typename B::Float at_least(const B& b, typename B::Float x, double low) {
  return b.select(b.less(x, b.real(low)), b.real(low), x);
}

/// f(x), and 0 below `smallest`, where f would round to 0. f is never asked there: on some
/// processors an instruction whose result is too small to be normal takes a hundred times as long,
/// also where it rounds to 0, and a masked softmax is full of such.
template <class B, class Function>
typename B::Float zero_below(const B& b, double smallest, typename B::Float x, Function f) {
  const auto vanishes = b.less(x, b.real(smallest));
  return b.select(vanishes, b.real(0.0), f(b.select(vanishes, b.real(0.0), x)));
}

/// (e^r - 1) on |r| <= ln2 / 2.
template <class B>
typename B::Float expm1_reduced(const B& b, typename B::Float r) {
  return b.fma(r * r, polynomial(b, r, B::Constants::kExp), r);
}

/// A number as power * 2^n with 0.9 < power < 2; `whole`, rounded down, is n.
template <class B>
struct Exponential {
  typename B::Float power;
  typename B::Float whole;
  typename B::Int n;
};

/// 2^whole e^r in float32, where `whole` is a multiple of 1/16, read off `shifted`.
template <class B>
Exponential<B> exponential_by_sixteenths(const B& b, typename B::Float shifted,
                                         typename B::Float whole, typename B::Float r) {
  using C = typename B::Constants;
  const auto sixteenths = b.bits(shifted) - b.bits(b.real(C::kSixteenthRounder));
  const auto root = b.lookup(C::kRootsOfTwo, b.bits(shifted));
  const auto small = polynomial(b, r, C::kExpSixteenth);
  return {b.fma(root, small, root), whole, sixteenths >> b.integer(4)};
}

/// e^x within the range of exponents.
template <class B>
Exponential<B> exponential(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  if constexpr (std::is_same_v<typename B::Real, float>) {
    const auto rounder = b.real(C::kSixteenthRounder);
    const auto shifted = b.fma(x, b.real(C::kLog2EHigh), rounder);
    const auto whole = shifted - rounder;
    const auto r = b.fma(whole, b.real(-C::kLn2Low), b.fma(whole, b.real(-C::kLn2High), x));
    return exponential_by_sixteenths(b, shifted, whole, r);
  } else {
    const auto reduced = reduce_exponent(b, x);
    return {expm1_reduced(b, reduced.r) + b.real(1.0), reduced.whole, reduced.n};
  }
}

/// e^x from the smallest to the largest argument that the two half scalings reach.
template <class B>
typename B::Float exp_in_range(const B& b, typename B::Float x) {
  const auto e = exponential(b, x);
  return scale_by_power(b, e.power, e.whole, e.n);
}

/// exp where no number is positive, as behind the subtraction of a maximum: one limit less to keep.
template <class B>
typename B::Float exp_of_nonpositive(const B& b, typename B::Float x) {
  return zero_below(b, B::Constants::kExpSmallest, x,
                    [&b](typename B::Float inside) { return exp_in_range(b, inside); });
}

template <class B>
typename B::Float exp(const B& b, typename B::Float x) {
  return exp_of_nonpositive(b, at_most(b, x, B::Constants::kExpLargest + 1.0));
}

/// e^x / 2 for x >= 0, which is finite a little longer than e^x.
template <class B>
typename B::Float half_exp_of_nonnegative(const B& b, typename B::Float x) {
  const auto e = exponential(b, at_most(b, x, B::Constants::kExpLargest + 1.0));
  return scale_by_power(b, e.power, e.whole - b.real(1.0), e.n - b.integer(1));
}

template <class B>
typename B::Float exp2_in_range(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto ln2 = b.real(C::kLn2High + C::kLn2Low);
  if constexpr (std::is_same_v<typename B::Real, float>) {
    const auto shifted = x + b.real(C::kSixteenthRounder);
    const auto whole = shifted - b.real(C::kSixteenthRounder);
    const auto e = exponential_by_sixteenths(b, shifted, whole, (x - whole) * ln2);
    return scale_by_power(b, e.power, e.whole, e.n);
  } else {
    const auto shifted = x + b.real(C::kRounder);
    const auto whole = shifted - b.real(C::kRounder);
    const auto power = expm1_reduced(b, (x - whole) * ln2) + b.real(1.0);
    return scale_by_power(b, power, whole, b.bits(shifted) - b.bits(b.real(C::kRounder)));
  }
}

template <class B>
typename B::Float exp2(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  return zero_below(b, C::kExp2Smallest, at_most(b, x, C::kExp2Largest),
                    [&b](typename B::Float inside) { return exp2_in_range(b, inside); });
}

template <class B>
typename B::Float expm1(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const double smallest = -0.7 * (C::kMantissaBits + 3);  // -1 from here down
  const auto clamped = at_least(b, at_most(b, x, C::kExpLargest), smallest);
  const auto reduced = reduce_exponent(b, clamped);
  // In units of half, so that 2^n does not overflow before the result does.
  const auto scale = power_of_two(b, reduced.n - b.integer(1));
  const auto half = b.fma(scale, expm1_reduced(b, reduced.r), scale - b.real(0.5));
  // Tiny arguments, and -0.0, are their own result.
  const auto tiny =
      b.less(b.abs(x), b.real(std::is_same_v<typename B::Real, float> ? 1e-8 : 1e-17));
  return b.select(tiny, x, half + half);
}

/// e^-x is kept from getting so small that it is not normal: 1 + e^-x is 1 long before.
template <class B>
typename B::Float sigmoid(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto exponent = at_most(b, -x, C::kExpLargest + 1.0);
  return b.real(1.0) / (b.real(1.0) + exp_in_range(b, at_least(b, exponent, C::kOnePlusExpIsOne)));
}

template <class B>
typename B::Float tanh(const B& b, typename B::Float x) {
  const auto magnitude = b.abs(x);
  const auto limit = b.real(B::Constants::kTanhSaturates);
  const auto clamped = b.select(b.less(limit, magnitude), limit, magnitude);
  // expm1(2|x|), which is below 2^58 here: no clamping, no overflow, and exact for tiny x.
  const auto reduced = reduce_exponent(b, clamped + clamped);
  const auto power = power_of_two(b, reduced.n);
  const auto e = b.fma(power, expm1_reduced(b, reduced.r), power - b.real(1.0));
  return b.copysign(e / (e + b.real(2.0)), x);
}

/// e^x / 2 of float64 for x >= 0, as a sum of which the second part is what the first's rounding
/// lost.
template <class B>
struct ExpHalves {
  typename B::Float high;
  typename B::Float low;
};
template <class B>
ExpHalves<B> exact_half_exp(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto reduced = reduce_exponent(b, at_most(b, x, C::kExpLargest + 1.0));
  const auto beyond = expm1_reduced(b, reduced.r);
  const auto high = b.real(1.0) + beyond;
  const auto low = beyond - (high - b.real(1.0));
  const auto whole = reduced.whole - b.real(1.0);
  const auto n = reduced.n - b.integer(1);
  return {scale_by_power(b, high, whole, n), scale_by_power(b, low, whole, n)};
}

template <class B>
typename B::Float sinh(const B& b, typename B::Float x) {
  const auto magnitude = b.abs(x);
  if constexpr (std::is_same_v<typename B::Real, double>) {
    const auto z = x * x;
    const auto small = b.fma(x * z, polynomial(b, z, B::Constants::kSinh), x);
    const auto half = exact_half_exp(b, magnitude);
    const auto large = half.high + (half.low - b.real(0.25) / half.high);
    return b.select(b.less(magnitude, b.real(1.0)), small, b.copysign(large, x));
  } else {
    const auto e = expm1(b, magnitude);
    const auto small = (e + e / (e + b.real(1.0))) * b.real(0.5);
    const auto large = half_exp_of_nonnegative(b, magnitude);
    return b.copysign(b.select(b.less(b.real(20.0), magnitude), large, small), x);
  }
}

template <class B>
typename B::Float cosh(const B& b, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    const auto half = exact_half_exp(b, b.abs(x));
    return half.high + (half.low + b.real(0.25) / half.high);
  } else {
    const auto half = half_exp_of_nonnegative(b, b.abs(x));
    return half + b.real(0.25) / half;
  }
}

}  // namespace glint::scalar
