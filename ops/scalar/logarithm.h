// log, log2, log10, log1p.
//
//   1. x = 2^e m with m in [2/3, 4/3), by integer arithmetic on the bits (denormals scaled first);
//   2. log(m) = log1p(f), f = m - 1 (exact): float32 by a polynomial in f; float64 by the series of
//      2 atanh(s), s = f / (2 + f), arranged as f - (f^2/2 - s (f^2/2 + R)) so that the rounding of
//      s does not matter (as in Sun's fdlibm);
//   3. the sum e ln2 + log(m), small parts first.
// log1p (float32) reduces x directly: m - 1 = (x + 1) 2^-e - 1 by one fused multiply-add, so that
// the digits of a small x are kept; float64 adds what the rounding of 1 + x lost.
//
// Largest errors (ulp), float32 / float64: log 1 / 1, log2 2.2 / 2.2, log10 2.2 / 2.2, log1p 1 / 1.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "ops/scalar/polynomial.h"

namespace glint::scalar {

/// A small integer as a real number.
template <class B>
typename B::Float small_integer_to_real(const B& b, typename B::Int n) {
  const auto rounder = b.real(B::Constants::kRounder);
  return b.from_bits(n + b.bits(rounder)) - rounder;
}

/// x = 2^exponent (1 + fraction), for positive finite x.
template <class B>
struct LogReduction {
  typename B::Float exponent;
  typename B::Float fraction;
};

template <class B>
LogReduction<B> reduce_logarithm(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto tiny = b.less(x, b.real(C::kSmallestNormal));
  const double scale = std::is_same_v<typename B::Real, float> ? 0x1p23 : 0x1p52;
  x = b.select(tiny, x * b.real(scale), x);
  const auto offset = b.bits(b.real(2.0 / 3.0));
  const auto width = b.integer(C::kMantissaBits);
  const auto n = (b.bits(x) - offset) >> width;
  const auto mantissa = b.from_bits(b.bits(x) - (n << width));
  const auto exponent = small_integer_to_real(b, n);
  return {b.select(tiny, exponent - b.real(C::kMantissaBits), exponent), mantissa - b.real(1.0)};
}

/// log1p(f) - f, on |f| <= 1/3.
template <class B>
typename B::Float log1p_remainder(const B& b, typename B::Float f) {
  const auto half_square = f * f * b.real(0.5);
  if constexpr (std::is_same_v<typename B::Real, float>) {
    return b.fma(f * f * f, polynomial(b, f, B::Constants::kLog), -half_square);
  } else {
    const auto s = f / (f + b.real(2.0));
    const auto z = s * s;
    const auto tail = z * polynomial(b, z, B::Constants::kAtanh);
    return s * (half_square + tail) - half_square;
  }
}

/// Puts the logarithm's special cases over `result`: 0, negative, infinite and nan arguments.
template <class B>
typename B::Float finish_logarithm(const B& b, typename B::Float x, typename B::Float result) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto zero = b.real(0.0);
  result = b.select(b.less(x, b.real(infinity)), result, x);  // infinity and nan
  result = b.select(b.equal(x, zero), b.real(-infinity), result);
  return b.select(b.less(x, zero), b.real(std::numeric_limits<double>::quiet_NaN()), result);
}

template <class B>
typename B::Float log(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto [e, f] = reduce_logarithm(b, x);
  const auto tail = b.fma(e, b.real(C::kLn2Low), log1p_remainder(b, f));
  return finish_logarithm(b, x, b.fma(e, b.real(C::kLn2High), f + tail));
}

template <class B>
typename B::Float log2(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto [e, f] = reduce_logarithm(b, x);
  const auto natural = f + log1p_remainder(b, f);
  const auto tail = natural * b.real(C::kLog2ELow);
  const auto product = b.fma(natural, b.real(C::kLog2EHigh), tail);
  return finish_logarithm(b, x, e + product);
}

template <class B>
typename B::Float log10(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto [e, f] = reduce_logarithm(b, x);
  const auto natural = f + log1p_remainder(b, f);
  const auto tail = b.fma(e, b.real(C::kLog10Of2Low), natural * b.real(C::kLog10ELow));
  const auto product = b.fma(natural, b.real(C::kLog10EHigh), tail);
  return finish_logarithm(b, x, b.fma(e, b.real(C::kLog10Of2High), product));
}

/// log1p of float64: log(u) with u = 1 + x rounded, and what the rounding lost, over u.
template <class B>
typename B::Float log1p_by_log(const B& b, typename B::Float x) {
  using C = typename B::Constants;
  const auto one = b.real(1.0);
  const auto u = x + one;
  const auto [e, f] = reduce_logarithm(b, u);
  const auto lost = b.select(b.less(one, x), one - (u - x), x - (u - one));
  const auto tail = b.fma(e, b.real(C::kLn2Low), log1p_remainder(b, f) + lost / u);
  const auto result = b.fma(e, b.real(C::kLn2High), f + tail);
  const auto kept = b.select(b.equal(x, b.real(0.0)), x, result);  // -0.0
  return finish_logarithm(b, u, kept);
}

template <class B>
typename B::Float log1p(const B& b, typename B::Float x) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return log1p_by_log(b, x);
  } else {
    using C = typename B::Constants;
    const double infinity = std::numeric_limits<double>::infinity();
    // 2^n as bits: 1 + x = 2^n m with m in [3/4, 3/2).
    const auto shift = (b.bits(x + b.real(1.0)) - b.bits(b.real(0.75))) &
                       b.integer(static_cast<int32_t>(0xff800000));
    const auto scaled = b.from_bits(b.bits(x) - shift);
    const auto quarter_scale = b.from_bits(b.bits(b.real(4.0)) - shift);  // 4 * 2^-n
    // x of the order of 1 or less loses nothing; a denormal x has shift 0.
    const auto f = scaled + b.fma(b.real(0.25), quarter_scale, b.real(-1.0));
    const auto e = small_integer_to_real(b, shift >> b.integer(C::kMantissaBits));
    const auto square = f * f;
    const auto remainder = b.fma(square * f, polynomial(b, f, C::kLog1p), square * b.real(-0.5));
    const auto tail = b.fma(e, b.real(C::kLn2Low), remainder);
    auto result = b.fma(e, b.real(C::kLn2High), f + tail);
    result = b.select(b.less(x, b.real(infinity)), result, x);
    result = b.select(b.equal(x, b.real(0.0)), x, result);  // -0.0
    result = b.select(b.equal(x, b.real(-1.0)), b.real(-infinity), result);
    const auto outside = b.less(x, b.real(-1.0));
    return b.select(outside, b.real(std::numeric_limits<double>::quiet_NaN()), result);
  }
}

}  // namespace glint::scalar
