// The inverse of erf: a rational approximation of about three digits, one in the middle and one for
// the tails, and steps of Newton's method on erf, or on erfc where erf is nearly 1:
//
//     y <- y - (erf(y) - x) / (2 / sqrt(pi) exp(-y^2))
#include "ops/scalar/seldom_functions.h"

#include <limits>
#include <numbers>

namespace glint::scalar::special {
namespace {

/// Coefficients from the lowest power on.
template <size_t kCount>
double horner(const double (&coefficients)[kCount], double x) {
  double sum = 0;
  for (size_t i = kCount; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

constexpr double kMiddle[] = {0.886226899, -1.645349621, 0.914624893, -0.140543331};
constexpr double kUnderMiddle[] = {1.0, -2.118377725, 1.442710462, -0.329097515, 0.012229801};
constexpr double kTail[] = {-1.970840454, -1.624906493, 3.429567803, 1.641345311};
constexpr double kUnderTail[] = {1.0, 3.543889200, 1.637067800};
constexpr double kWhereTailBegins = 0.7;

double approximate(double x) {
  if (x <= kWhereTailBegins) {
    const double square = x * x;
    return x * horner(kMiddle, square) / horner(kUnderMiddle, square);
  }
  const double z = std::sqrt(-std::log((1.0 - x) / 2.0));
  return horner(kTail, z) / horner(kUnderTail, z);
}

}  // namespace

double erfinv(double x) {
  const double magnitude = std::abs(x);
  if (!(magnitude <= 1.0)) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude == 1.0) return std::copysign(std::numeric_limits<double>::infinity(), x);
  constexpr int kSteps = 3;
  double y = approximate(magnitude);
  for (int i = 0; i < kSteps; ++i) {
    const double slope = 2.0 * std::numbers::inv_sqrtpi * std::exp(-y * y);
    const double beyond =
        magnitude <= kWhereTailBegins ? std::erf(y) - magnitude : (1.0 - magnitude) - std::erfc(y);
    y -= beyond / slope;
  }
  return std::copysign(y, x);
}

double lgamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace glint::scalar::special
