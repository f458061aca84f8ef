#include "core/random/draws.h"

#include <cmath>

namespace glint::random {

double Draws::polar_normal() {
  if (kept_normal) {
    const double kept = *kept_normal;
    kept_normal.reset();
    return kept;
  }
  double x = 0, y = 0, square = 0;
  do {
    x = 2.0 * uniform() - 1.0;
    y = 2.0 * uniform() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  kept_normal = factor * x;
  return factor * y;
}

double Draws::log_exponential() {
  return -std::log(1.0 - uniform());
}

namespace {

/// What the gamma algorithms need of a precision.
struct FloatParts {
  BitSource& source;
  float uniform() { return source.uniform_float(); }
  float normal() { return ziggurat_normal_float(source); }
  float exponential() { return ziggurat_exponential_float(source); }
};

template <class Real, class Parts>
Real gamma_below_one(Parts& parts, Real shape) {
  constexpr Real kOne = 1;
  for (;;) {
    const Real u = parts.uniform();
    const Real v = parts.exponential();
    if (u <= kOne - shape) {
      const Real x = std::pow(u, kOne / shape);
      if (x <= v) return x;
    } else {
      const Real y = -std::log((kOne - u) / shape);
      const Real x = std::pow(kOne - shape + shape * y, kOne / shape);
      if (x <= v + y) return x;
    }
  }
}

template <class Real, class Parts>
Real gamma_above_one(Parts& parts, Real shape) {
  constexpr Real kOne = 1;
  const Real b = shape - kOne / 3;
  const Real c = kOne / std::sqrt(9 * b);
  for (;;) {
    Real x = 0, v = 0;
    do {
      x = parts.normal();
      v = kOne + c * x;
    } while (v <= 0);
    v = v * v * v;
    const Real u = parts.uniform();
    if (u < kOne - static_cast<Real>(0.0331) * (x * x) * (x * x)) return b * v;
    if (std::log(u) < static_cast<Real>(0.5) * x * x + b * (kOne - v + std::log(v))) return b * v;
  }
}

template <class Real, class Parts>
Real gamma_of(Parts& parts, Real shape) {
  if (shape == 1) return parts.exponential();
  if (shape == 0) return 0;
  return shape < 1 ? gamma_below_one(parts, shape) : gamma_above_one(parts, shape);
}

}  // namespace

double Draws::gamma(double shape) {
  return gamma_of(*this, shape);
}

float gamma_float(BitSource& source, float shape) {
  FloatParts parts{source};
  return gamma_of(parts, shape);
}

// ---- Poisson -----------------------------------------------------------------------------------

namespace {

/// log(gamma(x)) by Stirling's series, moved to where it converges.
double log_gamma(double x) {
  constexpr double kSeries[] = {
      8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04,
      8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02,
      1.796443723688307e-01, -1.39243221690590e+00};
  constexpr double kLogTwoPi = 1.8378770664093453;
  if (x == 1.0 || x == 2.0) return 0.0;
  const int64_t steps = x < 7.0 ? static_cast<int64_t>(7 - x) : 0;
  double far = x + static_cast<double>(steps);
  const double square = (1.0 / far) * (1.0 / far);
  double sum = kSeries[9];
  for (int k = 8; k >= 0; --k) sum = sum * square + kSeries[k];
  double result = sum / far + 0.5 * kLogTwoPi + (far - 0.5) * std::log(far) - far;
  for (int64_t k = 0; k < steps; ++k) {
    result -= std::log(far - 1.0);
    far -= 1.0;
  }
  return result;
}

/// Counts uniform factors until the product is small.
int64_t poisson_by_products(Draws& draws, double mean) {
  const double least = std::exp(-mean);
  double product = 1.0;
  for (int64_t count = 0;; ++count) {
    product *= draws.uniform();
    if (!(product > least)) return count;
  }
}

/// Transformed rejection with squeeze, PTRS (Hoermann 1993).
int64_t poisson_by_rejection(Draws& draws, double mean) {
  const double root = std::sqrt(mean);
  const double log_mean = std::log(mean);
  const double b = 0.931 + 2.53 * root;
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double squeeze = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = draws.uniform() - 0.5;
    const double v = draws.uniform();
    const double us = 0.5 - std::fabs(u);
    const double count = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= squeeze) return static_cast<int64_t>(count);
    if (count < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <=
        -mean + count * log_mean - log_gamma(count + 1))
      return static_cast<int64_t>(count);
  }
}

}  // namespace

int64_t Draws::poisson(double mean) {
  if (mean >= 10) return poisson_by_rejection(*this, mean);
  return mean == 0 ? 0 : poisson_by_products(*this, mean);
}

}  // namespace glint::random
