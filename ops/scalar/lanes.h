// The backend policy of the scalar functions, instantiated for plain C++: `Lanes<Real, N, Tag>`.
//
// Every function in ops/scalar is a template over such a policy and uses nothing but its members
// and the operators + - * / (on Float) and + - & | << >> (on Int). Three kinds of policy exist:
//
//   Lanes<float, 16, Tag>   16 numbers at once in clang's vector types: the eager kernels; with a
//                           multiple of 16, several registers, whose chains of arithmetic overlap
//   Lanes<float, 1, Tag>    one number: the Kernel IR interpreter
//   IrLanes                 appends LLVM instructions (backends/cpu/ir_lanes.h)
//
// Each member rounds once, as IEEE 754 says, and nothing is reassociated or contracted, so the
// three agree bit for bit. `Tag` keeps the instantiations of files compiled for different
// instruction sets apart: each file passes a type of its own, from an anonymous namespace.
//
//     Lanes<float, 16, Tag> b;
//     auto y = exp(b, b.load(pointer));      // 16 exponentials
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ops/scalar/coefficients.h"

namespace glint::scalar {

/// The C library's function for the few arguments that the vector code does not cover.
using SlowUnary = double (*)(double);
using SlowBinary = double (*)(double, double);

template <class Real_, int kLanes_, class Tag>
struct Lanes {
  using Real = Real_;
  static constexpr int kLanes = kLanes_;
  using Constants = Coefficients<Real>;
  using Bits = typename Constants::Bits;
  typedef Real Float __attribute__((ext_vector_type(kLanes)));
  typedef Bits Int __attribute__((ext_vector_type(kLanes)));
  using Mask = Int;

  Float real(double value) const { return Float(static_cast<Real>(value)); }
  Int integer(int64_t value) const { return Int(static_cast<Bits>(value)); }

  Float fma(Float x, Float y, Float z) const { return __builtin_elementwise_fma(x, y, z); }
  Float sqrt(Float x) const { return __builtin_elementwise_sqrt(x); }
  Float abs(Float x) const { return __builtin_elementwise_abs(x); }
  Float floor(Float x) const { return __builtin_elementwise_floor(x); }
  Float ceil(Float x) const { return __builtin_elementwise_ceil(x); }
  Float trunc(Float x) const { return __builtin_elementwise_trunc(x); }
  Float round_even(Float x) const { return __builtin_elementwise_roundeven(x); }
  Float copysign(Float x, Float sign) const { return __builtin_elementwise_copysign(x, sign); }

  Mask less(Float x, Float y) const { return x < y; }
  Mask less_equal(Float x, Float y) const { return x <= y; }
  Mask equal(Float x, Float y) const { return x == y; }
  Mask unordered(Float x) const { return x != x; }
  Mask is_zero(Int x) const { return x == 0; }
  Mask is_negative(Int x) const { return x < 0; }
  Mask both(Mask x, Mask y) const { return x & y; }
  Mask either(Mask x, Mask y) const { return x | y; }
  Mask negated(Mask x) const { return ~x; }
  Float select(Mask mask, Float x, Float y) const { return mask ? x : y; }

  Int bits(Float x) const { return __builtin_bit_cast(Int, x); }
  Float from_bits(Int x) const { return __builtin_bit_cast(Float, x); }

  /// table[index mod 16] in every lane.
  Float lookup(const float (&table)[16], Int index) const {
    static_assert(sizeof(Real) == 4);
    if constexpr (kLanes > 16) {
      return joined(Half().lookup(table, index.lo), Half().lookup(table, index.hi));
    } else if constexpr (kLanes == 16) {
#if defined(__AVX512F__)
      return __builtin_ia32_permvarsf512(Lanes().load(table), index);
#elif defined(__AVX2__)
      const auto half = [&table](auto at) {
        typedef float Eight __attribute__((ext_vector_type(8)));
        Eight low, high;
        std::memcpy(&low, table, sizeof low);
        std::memcpy(&high, table + 8, sizeof high);
        return __builtin_ia32_blendvps256(__builtin_ia32_permvarsf256(low, at),
                                          __builtin_ia32_permvarsf256(high, at), at << 28);
      };
      return __builtin_shufflevector(half(index.lo), half(index.hi), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                     10, 11, 12, 13, 14, 15);
#endif
    }
    Float result;
    for (int i = 0; i < kLanes; ++i) result[i] = table[index[i] & 15];
    return result;
  }

  /// Whether there is an instruction for x * 2^floor(n), rounded once: `scale`.
  static constexpr bool has_scale() {
#ifdef __AVX512F__
    return sizeof(Float) >= 64;
#else
    return false;
#endif
  }
  Float scale(Float x, Float n) const {
#ifdef __AVX512F__
    constexpr int kCurrentRounding = 4;
    if constexpr (sizeof(Float) < 64) {
      return x;
    } else if constexpr (sizeof(Float) > 64) {
      return joined(Half().scale(x.lo, n.lo), Half().scale(x.hi, n.hi));
    } else if constexpr (sizeof(Real) == 4) {
      return __builtin_ia32_scalefps512_mask(x, n, x, uint16_t(-1), kCurrentRounding);
    } else {
      return __builtin_ia32_scalefpd512_mask(x, n, x, uint8_t(-1), kCurrentRounding);
    }
#else
    return x;
#endif
  }

  /// Half the lanes: vectors of several registers do what has no vector type in clang by parts.
  using Half = Lanes<Real, kLanes == 1 ? 1 : kLanes / 2, Tag>;
  static Float joined(typename Half::Float low, typename Half::Float high) {
    Float result;
    result.lo = low;
    result.hi = high;
    return result;
  }

  /// Replaces the lanes under `mask` by `slow(x)`.
  Float patch(Mask mask, Float result, SlowUnary slow, Float x) const {
    if (!any(mask)) [[likely]]
      return result;
    for (int i = 0; i < kLanes; ++i) {
      if (mask[i]) result[i] = static_cast<Real>(slow(static_cast<double>(x[i])));
    }
    return result;
  }
  Float patch(Mask mask, Float result, SlowBinary slow, Float x, Float y) const {
    if (!any(mask)) [[likely]]
      return result;
    for (int i = 0; i < kLanes; ++i) {
      if (mask[i]) {
        result[i] = static_cast<Real>(slow(static_cast<double>(x[i]), static_cast<double>(y[i])));
      }
    }
    return result;
  }
  /// `slow` on every lane.
  Float each(SlowUnary slow, Float x) const {
    for (int i = 0; i < kLanes; ++i) x[i] = static_cast<Real>(slow(static_cast<double>(x[i])));
    return x;
  }
  Float each(SlowBinary slow, Float x, Float y) const {
    for (int i = 0; i < kLanes; ++i) {
      x[i] = static_cast<Real>(slow(static_cast<double>(x[i]), static_cast<double>(y[i])));
    }
    return x;
  }

  /// The same number of lanes in float64, and the way there and back.
  using Wide = Lanes<double, kLanes_, Tag>;
  Wide wide() const { return {}; }
  typename Wide::Float widen(Float x) const {
    return __builtin_convertvector(x, typename Wide::Float);
  }
  Float narrow(typename Wide::Float x) const { return __builtin_convertvector(x, Float); }

  static bool any(Mask mask) { return __builtin_reduce_or(mask) != 0; }

  Float load(const Real* from) const {
    Float x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
  void store(Real* to, Float x) const { std::memcpy(to, &x, sizeof x); }
};

}  // namespace glint::scalar
