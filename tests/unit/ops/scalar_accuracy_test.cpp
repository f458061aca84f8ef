// Each scalar function against the C library's long double: the stated error bound holds over the
// domain and at the special values (both zeros, infinities, nan, denormals, huge arguments), and
// the two builds of the loops (x86-64-v3 and v4) agree bit for bit, wherever in a vector an element
// is.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "ops/scalar/elementwise_kernels.h"
#include "ops/scalar/loop_tables.h"
#include "sanitized.h"

namespace glint::scalar {
namespace {

using Reference = long double (*)(long double);

struct UnaryCase {
  ScalarFunction function;
  Reference reference;
  double low, high;
  double float32_ulp, float64_ulp;
};

long double sigmoid_reference(long double x) {
  return 1.0L / (1.0L + std::exp(-x));
}
/// Newton's method from about three digits on, after Winitzki.
long double erfinv_reference(long double x) {
  if (std::abs(x) == 1) return x * std::numeric_limits<long double>::infinity();
  const long double log = std::log1p(-x * x), a = 4.33L + log / 2;
  long double y = std::copysign(std::sqrt(std::sqrt(a * a - log / 0.147L) - a), x);
  if (!std::isfinite(y) || x == 0) return x == 0 ? x : y;
  for (int i = 0; i < 6; ++i) {
    const long double slope = 2 * std::numbers::inv_sqrtpi_v<long double> * std::exp(-y * y);
    y -= (x > 0.5L ? (1 - x) - std::erfc(y) : std::erf(y) - x) / slope;
  }
  return y;
}

long double erfcx_reference(long double x) {
  return std::exp(x * x) * std::erfc(x);
}
/// By the recurrence up to where the asymptotic series is exact; what is negative is reflected.
long double digamma_reference(long double x) {
  constexpr long double kPi = std::numbers::pi_v<long double>;
  if (x < 0) return digamma_reference(1 - x) - kPi / std::tan(kPi * (x - std::nearbyint(x)));
  long double taken = 0;
  for (; x < 30; ++x) taken += 1 / x;
  const long double s = 1 / (x * x);
  const long double series =
      s * (1 / 12.0L - s * (1 / 120.0L - s * (1 / 252.0L - s * (1 / 240.0L - s / 132.0L))));
  return std::log(x) - 0.5L / x - series - taken;
}
long double trigamma_reference(long double x) {
  constexpr long double kPi = std::numbers::pi_v<long double>;
  if (x < 0) {
    const long double sine = std::sin(kPi * (x - std::nearbyint(x)));
    return kPi * kPi / (sine * sine) - trigamma_reference(1 - x);
  }
  long double sum = 0;
  for (; x < 30; ++x) sum += 1 / (x * x);
  const long double s = 1 / (x * x);
  const long double series =
      s * (1 / 6.0L - s * (1 / 30.0L - s * (1 / 42.0L - s * (1 / 30.0L - s * 5 / 66))));
  return sum + (1 + 0.5L / x + series) / x;
}
/// The function's own series, whose terms are all positive.
template <int kOrder>
long double bessel_reference(long double x) {
  long double term = 1, sum = 0;
  if (kOrder == 1) term = x / 2;
  for (int k = 1; std::abs(term) > std::abs(sum) * 1e-21L; ++k) {
    sum += term;
    term *= x / 2 * (x / 2) / (static_cast<long double>(k) * (k + kOrder));
  }
  return sum;
}
template <int kOrder>
long double scaled_bessel_reference(long double x) {
  return bessel_reference<kOrder>(x) * std::exp(-std::abs(x));
}

long double rsqrt_reference(long double x) {
  return 1.0L / std::sqrt(x);
}

const UnaryCase kCases[] = {
    {ScalarFunction::kExp, std::exp, -110, 90, 0.9, 1},
    {ScalarFunction::kExp, std::exp, -1, 1, 0.9, 1},
    {ScalarFunction::kExp2, std::exp2, -150, 128, 1.2, 1.2},
    {ScalarFunction::kExpm1, std::expm1, -2, 2, 1.5, 2},
    {ScalarFunction::kExpm1, std::expm1, -30, 88, 1.5, 2},
    {ScalarFunction::kLog, std::log, 0, 3, 1, 1},
    {ScalarFunction::kLog, std::log, 0, 1e30, 1, 1},
    {ScalarFunction::kLog2, std::log2, 0, 3, 2.2, 2.2},
    {ScalarFunction::kLog10, std::log10, 0, 3, 2.2, 2.2},
    {ScalarFunction::kLog1p, std::log1p, -1, 10, 1, 1},
    {ScalarFunction::kSin, std::sin, -10, 10, 1.7, 1.7},
    {ScalarFunction::kSin, std::sin, -1e5, 1e5, 1.7, 1.7},
    {ScalarFunction::kSin, std::sin, -1e12, 1e12, 1.7, 1.7},
    {ScalarFunction::kCos, std::cos, -10, 10, 1.7, 1.7},
    {ScalarFunction::kCos, std::cos, -1e12, 1e12, 1.7, 1.7},
    {ScalarFunction::kTan, std::tan, -10, 10, 3.6, 1},
    {ScalarFunction::kAsin, std::asin, -1.1, 1.1, 2.5, 1},
    {ScalarFunction::kAcos, std::acos, -1.1, 1.1, 1.5, 1},
    {ScalarFunction::kAtan, std::atan, -20, 20, 1.5, 1},
    {ScalarFunction::kSinh, std::sinh, -89, 89, 2.5, 2},
    {ScalarFunction::kSinh, std::sinh, -2, 2, 2.5, 2},
    {ScalarFunction::kCosh, std::cosh, -89, 89, 1.5, 1},
    {ScalarFunction::kTanh, std::tanh, -12, 12, 2.5, 2.5},
    {ScalarFunction::kTanh, std::tanh, -1e-3, 1e-3, 2.5, 2.5},
    {ScalarFunction::kSigmoid, sigmoid_reference, -80, 40, 2.5, 2.5},
    {ScalarFunction::kErf, std::erf, -6, 6, 2, 1},
    {ScalarFunction::kErfc, std::erfc, -6, 30, 0.51, 5},
    {ScalarFunction::kErfinv, erfinv_reference, -1.1, 1.1, 0.51, 3},
    {ScalarFunction::kAsinh, std::asinh, -100, 100, 0.51, 2},
    {ScalarFunction::kAcosh, std::acosh, 0.5, 100, 0.51, 2},
    {ScalarFunction::kAtanh, std::atanh, -1.1, 1.1, 0.51, 2},
    {ScalarFunction::kLgamma, std::lgamma, -3.5, 100, 0.51, 4},
    {ScalarFunction::kSqrt, std::sqrt, -1, 100, 0.5, 0.5},
    {ScalarFunction::kRsqrt, rsqrt_reference, 0, 100, 1.5, 1.5},
    {ScalarFunction::kFloor, std::floor, -100, 100, 0, 0},
    {ScalarFunction::kCeil, std::ceil, -100, 100, 0, 0},
    {ScalarFunction::kTrunc, std::trunc, -100, 100, 0, 0},
    {ScalarFunction::kRound, std::nearbyint, -100, 100, 0, 0},
    {ScalarFunction::kAbs, std::fabs, -100, 100, 0, 0},
};

/// The distance of `got` from `exact` in units of the last place of `exact` rounded.
template <class Real>
double error_in_ulp(Real got, long double exact) {
  constexpr double kWrong = 1e9;
  const Real rounded = static_cast<Real>(exact);
  if (std::isnan(rounded)) return std::isnan(got) ? 0 : kWrong;
  if (got == rounded) return 0;
  if (!std::isfinite(got) || !std::isfinite(rounded)) {
    // Overflow one rounding early or late is within a bound of an ulp or two.
    const Real limit = std::numeric_limits<Real>::max() * Real(1 - 1e-6);
    return std::abs(exact) > limit && (std::isinf(got) || std::abs(got) > limit) ? 0 : kWrong;
  }
  int exponent = 0;
  (void)std::frexp(rounded, &exponent);
  const int last_place =
      std::max(exponent - std::numeric_limits<Real>::digits,
               std::numeric_limits<Real>::min_exponent - std::numeric_limits<Real>::digits);
  return static_cast<double>(std::abs(static_cast<long double>(got) - exact) /
                             std::ldexp(1.0L, last_place));
}

template <class Real>
std::vector<Real> arguments(double low, double high) {
  const double largest = std::numeric_limits<Real>::max();
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<Real> values;
  for (double special : {0.0,
                         -0.0,
                         infinity,
                         -infinity,
                         std::nan(""),
                         1.0,
                         -1.0,
                         0.5,
                         -0.5,
                         2.0,
                         -2.0,
                         1e-9,
                         -1e-9,
                         largest,
                         -largest,
                         double(std::numeric_limits<Real>::min()),
                         88.7,
                         89.0,
                         -104.0,
                         709.7,
                         710.0,
                         -745.0,
                         128.0,
                         -149.0,
                         1e22,
                         1.5,
                         2.5,
                         -2.5,
                         double(std::numeric_limits<Real>::denorm_min()),
                         -100.0 * double(std::numeric_limits<Real>::denorm_min())}) {
    values.push_back(static_cast<Real>(special));
  }
  constexpr int kCount = 60013;
  for (int i = 0; i < kCount; ++i) {
    values.push_back(static_cast<Real>(low + (high - low) * i / kCount));
  }
  return values;
}

template <class Real>
void check_unary(const UnaryCase& c, DType dtype, double bound) {
  const auto in = arguments<Real>(c.low, c.high);
  std::vector<Real> out(in.size());
  const auto n = static_cast<int64_t>(in.size());
  elementwise_loops(c.function, dtype)->unary(in.data(), out.data(), n);
  double worst = 0;
  Real where = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    // sigmoid is stated where exp(-x) is finite.
    if (c.function == ScalarFunction::kSigmoid && in[i] < c.low) continue;
    const long double exact = c.reference(static_cast<long double>(in[i]));
    const double error = error_in_ulp(out[i], exact);
    if (error > worst) {
      worst = error;
      where = in[i];
    }
    if (in[i] == 0 && exact == 0) CHECK(std::signbit(out[i]) == std::signbit(exact));
  }
  INFO(info(c.function).name << " " << dtype_name(dtype) << " worst at " << where);
  CHECK(worst <= bound);
}

TEST_CASE("scalar functions keep their error bounds") {
  for (const UnaryCase& c : kCases) {
    check_unary<float>(c, DType::kFloat32, c.float32_ulp);
    check_unary<double>(c, DType::kFloat64, c.float64_ulp);
  }
}

/// Where they are smooth: their values at the ends are tests/scripts/special_functions.py's.
const UnaryCase kSpecialCases[] = {
    {ScalarFunction::kErfcx, erfcx_reference, -5, 90, 0.51, 5},
    {ScalarFunction::kErfcx, erfcx_reference, -1, 1, 0.51, 5},
    {ScalarFunction::kDigamma, digamma_reference, 0.001, 1, 0.51, 10},
    {ScalarFunction::kDigamma, digamma_reference, 2, 100, 0.51, 10},
    {ScalarFunction::kDigamma, digamma_reference, -0.4, -0.01, 0.51, 10},
    {ScalarFunction::kTrigamma, trigamma_reference, 0.001, 100, 0.51, 6},
    {ScalarFunction::kTrigamma, trigamma_reference, -9.9, -0.1, 0.51, 6},
    {ScalarFunction::kI0, bessel_reference<0>, -30, 30, 0.51, 5},
    {ScalarFunction::kI1, bessel_reference<1>, -30, 30, 0.51, 5},
    {ScalarFunction::kI0e, scaled_bessel_reference<0>, -30, 30, 0.51, 5},
    {ScalarFunction::kI1e, scaled_bessel_reference<1>, -30, 30, 0.51, 5},
};

template <class Real>
void check_special(const UnaryCase& c, DType dtype, double bound) {
  constexpr int kCount = 20011;
  std::vector<Real> in, out(kCount);
  for (int i = 0; i < kCount; ++i) {
    const Real x = static_cast<Real>(c.low + (c.high - c.low) * i / kCount);
    in.push_back(x == std::trunc(x) ? x + Real(0.25) : x);
  }
  elementwise_loops(c.function, dtype)->unary(in.data(), out.data(), kCount);
  double worst = 0;
  Real where = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const double error = error_in_ulp(out[i], c.reference(static_cast<long double>(in[i])));
    if (error <= worst) continue;
    worst = error;
    where = in[i];
  }
  INFO(info(c.function).name << " " << dtype_name(dtype) << " worst at " << where);
  CHECK(worst <= bound);
}

TEST_CASE("functions of statistics and physics keep their error bounds") {
  for (const UnaryCase& c : kSpecialCases) {
    check_special<float>(c, DType::kFloat32, c.float32_ulp);
    check_special<double>(c, DType::kFloat64, c.float64_ulp);
  }
}

struct BinaryCase {
  ScalarFunction function;
  std::function<long double(long double, long double)> reference;
  double float32_ulp, float64_ulp;
};

long double remainder_reference(long double x, long double y) {
  const long double r = std::fmod(x, y);
  return r != 0 && std::signbit(r) != std::signbit(y) ? r + y : r;
}
long double maximum_reference(long double x, long double y) {
  return std::isnan(x) || std::isnan(y) ? std::nanl("") : std::max(x, y);
}

template <class Real>
void check_binary(const BinaryCase& c, DType dtype, double bound) {
  const auto left = arguments<Real>(-40, 40);
  const auto right = arguments<Real>(-7, 7);
  const size_t specials = left.size() - 60013;
  constexpr size_t kOthers = tests::kSanitized ? 10 : 200;
  for (size_t k = 0; k < specials + kOthers; ++k) {
    const Real y = right[k < specials ? k : specials + (k - specials) * (60000 / kOthers)];
    std::vector<Real> out(left.size());
    elementwise_loops(c.function, dtype)
        ->right_scalar(left.data(), &y, out.data(), static_cast<int64_t>(left.size()));
    double worst = 0;
    Real where = 0;
    for (size_t i = 0; i < left.size(); i += i < specials ? 1 : 97) {
      const double error = error_in_ulp(
          out[i], c.reference(static_cast<long double>(left[i]), static_cast<long double>(y)));
      if (error > worst) {
        worst = error;
        where = left[i];
      }
    }
    INFO(info(c.function).name << " " << dtype_name(dtype) << " worst at " << where << ", " << y);
    CHECK(worst <= bound);
  }
}

TEST_CASE("scalar functions of two operands keep their error bounds") {
  const BinaryCase cases[] = {
      {ScalarFunction::kPower, [](long double x, long double y) { return std::pow(x, y); }, 0.6, 1},
      {ScalarFunction::kAtan2, [](long double x, long double y) { return std::atan2(x, y); }, 2, 1},
      {ScalarFunction::kHypot, [](long double x, long double y) { return std::hypot(x, y); }, 0.51,
       0.51},
      {ScalarFunction::kCopysign, [](long double x, long double y) { return std::copysign(x, y); },
       0, 0},
      {ScalarFunction::kFmod, [](long double x, long double y) { return std::fmod(x, y); }, 0, 0},
      {ScalarFunction::kRemainder, remainder_reference, 0.5, 0.5},
      {ScalarFunction::kMaximum, maximum_reference, 0, 0},
      {ScalarFunction::kDivide, [](long double x, long double y) { return x / y; }, 0.51, 0.51},
  };
  for (const BinaryCase& c : cases) {
    check_binary<float>(c, DType::kFloat32, c.float32_ulp);
    check_binary<double>(c, DType::kFloat64, c.float64_ulp);
  }
}

[[maybe_unused]] void expect_same_bits(const LoopTables& narrow, const LoopTables& wide) {
  const auto in = arguments<float>(-20, 20);
  for (const ScalarFunctionInfo& row : kScalarFunctions) {
    const size_t f32 = size_t(DType::kFloat32);
    const ElementwiseLoops& a = narrow.functions[f32][size_t(row.function)];
    const ElementwiseLoops& b = wide.functions[f32][size_t(row.function)];
    if (a.unary == nullptr || row.result != ScalarResult::kSame) continue;
    std::vector<float> first(in.size()), second(in.size());
    a.unary(in.data(), first.data(), static_cast<int64_t>(in.size()));
    second[0] = first[0];
    for (size_t i = 1; i < in.size();) {
      const size_t count = std::min<size_t>(1 + i % 37, in.size() - i);
      b.unary(in.data() + i, second.data() + i, static_cast<int64_t>(count));
      i += count;
    }
    size_t different = 0;
    for (size_t i = 0; i < in.size(); ++i) {
      const bool both_nan = std::isnan(first[i]) && std::isnan(second[i]);
      if (!both_nan && std::memcmp(&first[i], &second[i], sizeof(float)) != 0) ++different;
    }
    INFO(row.name);
    CHECK(different == 0);
  }
}

TEST_CASE("the two builds of the loops agree bit for bit, at every offset") {
  if constexpr (kHasWideLoops) {
    if (std::string(elementwise_instruction_set()) == "x86-64-v4")
      expect_same_bits(v3::loop_tables(), v4::loop_tables());
  }
}

TEST_CASE("division of reals and integers rounds down") {
  const float x[] = {7, -7, 7, -7, 6, -0.0f, 1e10f};
  const float y[] = {2, 2, -2, -2, 3, 3, 3};
  const float expected[] = {3, -4, -4, 3, 2, -0.0f, 3333333248.0f};
  float out[7];
  elementwise_loops(ScalarFunction::kFloorDivide, DType::kFloat32)->binary(x, y, out, 7);
  for (int i = 0; i < 7; ++i) CHECK(out[i] == expected[i]);
  const int32_t a[] = {7, -7, 7, -7, 5};
  const int32_t b[] = {2, 2, -2, -2, 0};
  const int32_t quotients[] = {3, -4, -4, 3, 0};
  int32_t results[5];
  elementwise_loops(ScalarFunction::kFloorDivide, DType::kInt32)->binary(a, b, results, 5);
  for (int i = 0; i < 5; ++i) CHECK(results[i] == quotients[i]);
}

TEST_CASE("casts round to nearest even, truncate and test for nonzero") {
  const float in[] = {1.00390625f, 1.01171875f, -2.7f, 0.0f, 300.0f};
  uint16_t half[5];
  cast_loop(DType::kFloat32, DType::kBFloat16)(in, half, 5);
  CHECK(half[0] == 0x3f80);
  CHECK(half[1] == 0x3f82);
  int64_t whole[5];
  cast_loop(DType::kFloat32, DType::kInt64)(in, whole, 5);
  CHECK(whole[2] == -2);
  uint8_t truth[5];
  cast_loop(DType::kFloat32, DType::kBool)(in, truth, 5);
  CHECK((truth[2] == 1 && truth[3] == 0));
}

}  // namespace
}  // namespace glint::scalar
