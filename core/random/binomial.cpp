// Binomial numbers: by inversion where few are expected, else by BTPE (Kachitvichyanukul and
// Schmeiser 1988): a triangle, two parallelograms and two exponential tails cover the
// probabilities, and a squeeze spares most of the exact comparisons.
#include <algorithm>
#include <cmath>

#include "core/random/draws.h"

namespace glint::random {
namespace {

/// For p up to a half.
int64_t binomial_by_inversion(Draws& draws, int64_t n, double p) {
  const double q = 1.0 - p;
  const auto trials = static_cast<double>(n);
  const double none = std::exp(trials * std::log(q));
  const double mean = trials * p;
  const auto bound = static_cast<int64_t>(std::min(trials, mean + 10.0 * std::sqrt(mean * q + 1)));
  int64_t count = 0;
  double probability = none;
  double u = draws.uniform();
  while (u > probability) {
    if (++count > bound) {
      count = 0;
      probability = none;
      u = draws.uniform();
    } else {
      u -= probability;
      probability =
          (static_cast<double>(n - count + 1) * p * probability) / (static_cast<double>(count) * q);
    }
  }
  return count;
}

/// The areas and edges of the covering function, for r = min(p, 1 - p).
struct Btpe {
  double n, r, q, variance, slope;
  int64_t mode;
  double triangle, middle, left, right, height, left_rate, right_rate;
  double area_triangle, area_parallel, area_left, area_right;

  Btpe(int64_t trials, double p) {
    n = static_cast<double>(trials);
    r = std::min(p, 1.0 - p);
    q = 1.0 - r;
    const double peak = n * r + r;
    mode = static_cast<int64_t>(std::floor(peak));
    variance = n * r * q;
    triangle = std::floor(2.195 * std::sqrt(variance) - 4.6 * q) + 0.5;
    middle = static_cast<double>(mode) + 0.5;
    left = middle - triangle;
    right = middle + triangle;
    height = 0.134 + 20.5 / (15.3 + static_cast<double>(mode));
    const double a = (peak - left) / (peak - left * r);
    left_rate = a * (1.0 + a / 2.0);
    const double b = (right - peak) / (right * q);
    right_rate = b * (1.0 + b / 2.0);
    area_triangle = triangle;
    area_parallel = area_triangle * (1.0 + 2.0 * height);
    area_left = area_parallel + height / left_rate;
    area_right = area_left + height / right_rate;
    slope = r / q;
  }

  /// A candidate, and in `v` where under the cover it lies; false to draw anew. `sure`: no
  /// comparison is needed.
  bool propose(Draws& draws, int64_t& y, double& v, bool& sure) const {
    const double u = draws.uniform() * area_right;
    v = draws.uniform();
    sure = u <= area_triangle;
    if (sure) {
      y = static_cast<int64_t>(std::floor(middle - triangle * v + u));
    } else if (u <= area_parallel) {
      const double x = left + (u - area_triangle) / height;
      v = v * height + 1.0 - std::fabs(static_cast<double>(mode) - x + 0.5) / triangle;
      if (v > 1.0) return false;
      y = static_cast<int64_t>(std::floor(x));
    } else if (v == 0.0) {
      return false;
    } else if (u <= area_left) {
      y = static_cast<int64_t>(std::floor(left + std::log(v) / left_rate));
      if (y < 0) return false;
      v = v * (u - area_parallel) * left_rate;
    } else {
      y = static_cast<int64_t>(std::floor(right - std::log(v) / right_rate));
      if (static_cast<double>(y) > n) return false;
      v = v * (u - area_left) * right_rate;
    }
    return true;
  }

  bool accepts(int64_t y, double v) const {
    const auto distance = static_cast<double>(std::abs(y - mode));
    if (!(distance > 20 && distance < variance / 2.0 - 1)) return accepts_by_recursion(y, v);
    const double rho =
        (distance / variance) *
        ((distance * (distance / 3.0 + 0.625) + 0.16666666666666666) / variance + 0.5);
    const double t = -distance * distance / (2 * variance);
    const double log_v = std::log(v);
    if (log_v < t - rho) return true;
    return log_v <= t + rho && accepts_by_series(y, log_v);
  }

 private:
  bool accepts_by_recursion(int64_t y, double v) const {
    const double a = slope * (n + 1);
    double ratio = 1.0;
    for (int64_t i = mode + 1; i <= y; ++i) ratio *= a / static_cast<double>(i) - slope;
    for (int64_t i = y + 1; i <= mode; ++i) ratio /= a / static_cast<double>(i) - slope;
    return v <= ratio;
  }

  bool accepts_by_series(int64_t y, double log_v) const {
    const auto count = static_cast<double>(y);
    const auto peak = static_cast<double>(mode);
    const double x1 = count + 1, f1 = peak + 1, z = n + 1 - peak, w = n - count + 1;
    const auto stirling = [](double x) {
      const double s = x * x;
      return (13680. - (462. - (132. - (99. - 140. / s) / s) / s) / s) / x / 166320.;
    };
    return log_v <= middle * std::log(f1 / x1) + (n - peak + 0.5) * std::log(z / w) +
                        (count - peak) * std::log(w * r / (x1 * q)) + stirling(f1) + stirling(z) +
                        stirling(x1) + stirling(w);
  }
};

int64_t binomial_by_btpe(Draws& draws, int64_t n, double p) {
  const Btpe cover(n, p);
  for (;;) {
    int64_t y = 0;
    double v = 0;
    bool sure = false;
    if (!cover.propose(draws, y, v, sure)) continue;
    if (sure || cover.accepts(y, v)) return y;
  }
}

}  // namespace

int64_t Draws::binomial(int64_t n, double p) {
  if (n == 0 || p == 0.0) return 0;
  const double rare = p <= 0.5 ? p : 1.0 - p;
  const int64_t count = rare * static_cast<double>(n) <= 30.0
                            ? binomial_by_inversion(*this, n, rare)
                            : binomial_by_btpe(*this, n, rare);
  return p <= 0.5 ? count : n - count;
}

}  // namespace glint::random
