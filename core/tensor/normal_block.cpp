#include "core/tensor/normal_block.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace glint {

namespace {

constexpr int kLanes = 8;

struct SineCosine {
  float sine, cosine;
};

/// The sum of c[i] * x^(n-1-i), by Horner's rule with fused steps.
template <int N>
[[gnu::always_inline]] inline float polynomial(const float (&c)[N], float x) {
  float sum = c[0];
  for (int i = 1; i < N; ++i) sum = __builtin_fmaf(sum, x, c[i]);
  return sum;
}

/// log(x) for normal x > 0: x = m * 2^e with m in [sqrt(1/2), sqrt(2)), log(m) by a polynomial.
[[gnu::always_inline]] inline float log_cephes(float x) {
  constexpr float kCoefficients[] = {7.0376836292E-2f,  -1.1514610310E-1f, 1.1676998740E-1f,
                                     -1.2420140846E-1f, 1.4249322787E-1f,  -1.6668057665E-1f,
                                     2.0000714765E-1f,  -2.4999993993E-1f, 3.3333331174E-1f};
  // ln 2 in two parts, so that exponent * high is exact.
  constexpr float kLog2High = 0.693359375f, kLog2Low = -2.12194440e-4f;
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  float exponent = float(int32_t(bits >> 23) - 126);
  bits = (bits & 0x007fffffu) | 0x3f000000u;
  float mantissa;
  std::memcpy(&mantissa, &bits, 4);  // [0.5, 1)
  bool low = mantissa < 0.707106781186547524f;
  exponent = low ? exponent - 1.0f : exponent;
  float m = low ? (mantissa - 1.0f) + mantissa : mantissa - 1.0f;
  float square = m * m;
  float y = polynomial(kCoefficients, m) * m;
  y = __builtin_fmaf(y, square, exponent * kLog2Low);
  y = __builtin_fmaf(square, -0.5f, y);
  return __builtin_fmaf(exponent, kLog2High, m + y);
}

/// sin and cos of an angle >= 0: reduced by multiples of pi/4 (in three parts), then polynomials.
[[gnu::always_inline]] inline SineCosine sine_cosine_cephes(float angle) {
  constexpr float kSine[] = {-1.9515295891E-4f, 8.3321608736E-3f, -1.6666654611E-1f};
  constexpr float kCosine[] = {2.443315711809948E-005f, -1.388731625493765E-003f,
                               4.166664568298827E-002f};
  int32_t octant = (int32_t(angle * 1.27323954473516f) + 1) & ~1;
  float count = float(octant);
  float x = __builtin_fmaf(count, -0.78515625f, angle);
  x = __builtin_fmaf(count, -2.4187564849853515625e-4f, x);
  x = __builtin_fmaf(count, -3.77489497744594108e-8f, x);
  float square = x * x;
  float cosine = polynomial(kCosine, square) * square;
  cosine = __builtin_fmaf(cosine, square, square * -0.5f) + 1.0f;
  float sine = __builtin_fmaf(polynomial(kSine, square) * square, x, x);
  bool swapped = (octant & 2) != 0;
  float sine_value = swapped ? cosine : sine, cosine_value = swapped ? sine : cosine;
  return {(octant & 4) != 0 ? -sine_value : sine_value,
          ((octant - 2) & 4) == 0 ? -cosine_value : cosine_value};
}

[[gnu::always_inline]] inline void block(float* data, float mean, float deviation) {
  constexpr float kTwoPi = 6.28318530717958647692f;
  float radius[kLanes], sine[kLanes], cosine[kLanes];
  for (int j = 0; j < kLanes; ++j) {
    radius[j] = __builtin_sqrtf(-2.0f * log_cephes(1.0f - data[j]));
    SineCosine both = sine_cosine_cephes(kTwoPi * data[j + kLanes]);
    sine[j] = both.sine;
    cosine[j] = both.cosine;
  }
  for (int j = 0; j < kLanes; ++j) {
    data[j] = __builtin_fmaf(radius[j] * cosine[j], deviation, mean);
    data[j + kLanes] = __builtin_fmaf(radius[j] * sine[j], deviation, mean);
  }
}

__attribute__((target("avx2,fma"))) void block_avx2(float* data, float mean, float deviation) {
  block(data, mean, deviation);
}
void block_plain(float* data, float mean, float deviation) {
  block(data, mean, deviation);
}

}  // namespace

void float_normal_block(float* data, float mean, float deviation) {
  static const bool vector = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  (vector ? block_avx2 : block_plain)(data, mean, deviation);
}

}  // namespace glint
