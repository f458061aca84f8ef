// The first elements of a vector, read and written without touching what lies behind them: the ends
// of rows. By the processor's masks, since a detour over a small array waits for its own stores.
//
//     load_first<Vector>(row + 48, 1, 0.0f)       one element and fifteen zeros
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <type_traits>

namespace glint::ops::GLINT_INSTRUCTION_SET {

/// Masks for the first k of eight floats, or of four doubles: from place 8 - k, or 2 * (4 - k).
alignas(32) inline constexpr int32_t kFirst[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

[[gnu::always_inline]] inline __m256i first_of(int64_t count, int64_t lanes) {
  const int64_t kept = count < 0 ? 0 : count > lanes ? lanes : count;
  const int32_t* at = kFirst + (lanes - kept) * (8 / lanes);
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

/// A vector of 64 bytes whose first `count` elements are read, 0 < count < lanes; the others are
/// `filler`.
template <class Vector, class Real>
[[gnu::always_inline]] inline Vector load_first(const Real* from, int64_t count, Real filler) {
#ifdef __AVX512F__
  if constexpr (std::is_same_v<Real, float>)
    return __builtin_bit_cast(
        Vector, _mm512_mask_loadu_ps(_mm512_set1_ps(filler), __mmask16((1U << count) - 1), from));
  else
    return __builtin_bit_cast(
        Vector, _mm512_mask_loadu_pd(_mm512_set1_pd(filler), __mmask8((1U << count) - 1), from));
#else
  constexpr int64_t kHalf = 32 / sizeof(Real);
  Vector result;
  for (int64_t half = 0; half < 2; ++half) {
    const __m256i mask = first_of(count - half * kHalf, kHalf);
    const Real* at = from + half * kHalf;
    auto* to = reinterpret_cast<Real*>(&result) + half * kHalf;
    if constexpr (std::is_same_v<Real, float>)
      _mm256_storeu_ps(to, _mm256_blendv_ps(_mm256_set1_ps(filler), _mm256_maskload_ps(at, mask),
                                            _mm256_castsi256_ps(mask)));
    else
      _mm256_storeu_pd(to, _mm256_blendv_pd(_mm256_set1_pd(filler), _mm256_maskload_pd(at, mask),
                                            _mm256_castsi256_pd(mask)));
  }
  return result;
#endif
}

template <class Vector, class Real>
[[gnu::always_inline]] inline void store_first(Real* to, const Vector& vector, int64_t count) {
#ifdef __AVX512F__
  if constexpr (std::is_same_v<Real, float>)
    _mm512_mask_storeu_ps(to, __mmask16((1U << count) - 1), __builtin_bit_cast(__m512, vector));
  else
    _mm512_mask_storeu_pd(to, __mmask8((1U << count) - 1), __builtin_bit_cast(__m512d, vector));
#else
  constexpr int64_t kHalf = 32 / sizeof(Real);
  for (int64_t half = 0; half < 2; ++half) {
    const __m256i mask = first_of(count - half * kHalf, kHalf);
    const auto* from = reinterpret_cast<const Real*>(&vector) + half * kHalf;
    if constexpr (std::is_same_v<Real, float>)
      _mm256_maskstore_ps(to + half * kHalf, mask, _mm256_loadu_ps(from));
    else
      _mm256_maskstore_pd(to + half * kHalf, mask, _mm256_loadu_pd(from));
  }
#endif
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
