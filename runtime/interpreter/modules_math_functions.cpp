#include "runtime/interpreter/modules_math_functions.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace glint::runtime {

double exact_sum(std::span<const double> values) {
  std::vector<double> partials;
  double special = 0;
  for (double x : values) {
    if (!std::isfinite(x)) {
      special += x;
      continue;
    }
    size_t kept = 0;
    for (double y : partials) {
      if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
      double high = x + y;
      double low = y - (high - x);
      if (low != 0) partials[kept++] = low;
      x = high;
    }
    partials.resize(kept);
    partials.push_back(x);
  }
  if (special != 0 || std::isnan(special)) return special;
  double high = 0;
  double low = 0;
  size_t n = partials.size();
  while (n > 0) {
    double x = high;
    double y = partials[--n];
    high = x + y;
    low = y - (high - x);
    if (low != 0) break;
  }
  // Half-way cases: the partials below decide the direction.
  if (n > 0 && ((low < 0 && partials[n - 1] < 0) || (low > 0 && partials[n - 1] > 0))) {
    double y = low * 2;
    double x = high + y;
    if (y == x - high) high = x;
  }
  return high;
}

int64_t greatest_common_divisor(int64_t a, int64_t b) {
  uint64_t x = a < 0 ? uint64_t{0} - static_cast<uint64_t>(a) : static_cast<uint64_t>(a);
  uint64_t y = b < 0 ? uint64_t{0} - static_cast<uint64_t>(b) : static_cast<uint64_t>(b);
  while (y) x = std::exchange(y, x % y);
  return static_cast<int64_t>(x);
}

std::optional<int64_t> least_common_multiple(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  int64_t product = 0;
  if (__builtin_mul_overflow(a / greatest_common_divisor(a, b), b, &product)) return std::nullopt;
  return product < 0 ? -product : product;
}

BigInt permutations(const BigInt& n, int64_t k) {
  if (BigInt(k).compare(n) > 0) return BigInt(0);
  BigInt product(1);
  for (int64_t i = 0; i < k; ++i) product = product * (n - BigInt(i));
  return product;
}

BigInt combinations(const BigInt& n, int64_t k) {
  const BigInt rest = n - BigInt(k);
  if (rest.is_negative()) return BigInt(0);
  k = std::min(k, rest.as_int64().value_or(k));
  BigInt product(1);
  for (int64_t i = 0; i < k; ++i)
    product = BigInt::divide(product * (n - BigInt(i)), BigInt(i + 1)).quotient;
  return product;
}

int64_t integer_square_root(int64_t n) {
  int64_t root = static_cast<int64_t>(std::sqrt(static_cast<double>(n)));
  while (static_cast<__int128>(root) * root > n) --root;
  while (static_cast<__int128>(root + 1) * (root + 1) <= n) ++root;
  return root;
}

std::optional<int64_t> integer_power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  while (exponent > 0) {
    if (exponent & 1 && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return std::nullopt;
  }
  return result;
}

int64_t modular_power(int64_t base, int64_t exponent, int64_t modulus) {
  __int128 m = modulus < 0 ? -static_cast<__int128>(modulus) : modulus;
  __int128 square = ((base % m) + m) % m;
  __int128 result = 1 % m;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = result * square % m;
    square = square * square % m;
  }
  if (modulus < 0 && result != 0) result += modulus;
  return static_cast<int64_t>(result);
}

double log_gamma(double x) {
  constexpr double kNumerator[] = {
      23531376880.410759688572, 42919803642.649098768958, 35711959237.355668049440,
      17921034426.037209699920, 6039542586.3520280050643, 1439720407.3117216736632,
      248874557.86205415651146, 31426415.585400194380614, 2876370.6289353724412254,
      186056.26539522349504030, 8071.6720023658162106380, 210.82427775157934587251,
      2.5066282746310002701649};
  constexpr double kDenominator[] = {0.0,        39916800.0, 120543840.0, 150917976.0, 105258076.0,
                                     45995730.0, 13339535.0, 2637558.0,   357423.0,    32670.0,
                                     1925.0,     66.0,       1.0};
  constexpr double kG = 6.024680040776729583740234375;
  constexpr int kTerms = 13;
  if (!(x > 0) || std::isinf(x)) return std::lgamma(x);
  if (x == 1.0 || x == 2.0) return 0.0;
  if (x < 1e-20) return -std::log(x);
  double above = 0, below = 0;
  for (int i = 0; i < kTerms; ++i) {
    // Large arguments go by powers of 1 / x, so that nothing overflows.
    int term = x < 5.0 ? kTerms - 1 - i : i;
    above = (x < 5.0 ? above * x : above / x) + kNumerator[term];
    below = (x < 5.0 ? below * x : below / x) + kDenominator[term];
  }
  return std::log(above / below) - kG + (x - 0.5) * (std::log(x + kG - 0.5) - 1);
}

bool is_close(double a, double b, double relative, double absolute) {
  if (a == b) return true;
  if (std::isinf(a) || std::isinf(b)) return false;
  double difference = std::fabs(b - a);
  return difference <= std::fabs(relative * b) || difference <= std::fabs(relative * a) ||
         difference <= absolute;
}

}  // namespace glint::runtime
