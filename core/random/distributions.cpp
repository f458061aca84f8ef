#include "core/random/distributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace glint::random {
namespace {

// ---- Real numbers ------------------------------------------------------------------------------

/// x / (x + y) of numbers too small for themselves.
double ratio_of_logarithms(double log_x, double log_y, bool legacy) {
  if (legacy) {
    const double greater = std::max(log_x, log_y);
    log_x -= greater;
    log_y -= greater;
    return std::exp(log_x - std::log(std::exp(log_x) + std::exp(log_y)));
  }
  const double excess = log_x - log_y;
  return excess > 0 ? std::exp(-std::log1p(std::exp(-excess)))
                    : std::exp(excess - std::log1p(std::exp(excess)));
}

double beta(Draws& draws, const Parameters& of) {
  const auto [a, b, unused] = of;
  if (!(a <= 1.0 && b <= 1.0)) {
    const double x = draws.gamma(a);
    return x / (x + draws.gamma(b));
  }
  constexpr double kTiny = 3e-103;
  if (!draws.legacy && a < kTiny && b < kTiny) return (a + b) * draws.uniform() < a ? 1.0 : 0.0;
  // Joehnk's algorithm.
  for (;;) {
    const double u = draws.uniform();
    const double v = draws.uniform();
    const double x = std::pow(u, 1.0 / a);
    const double y = std::pow(v, 1.0 / b);
    const double sum = x + y;
    if (!(sum <= 1.0) || (!draws.legacy && u + v <= 0.0)) continue;
    if (draws.legacy ? sum > 0 : x > 0 && y > 0) return x / sum;
    return ratio_of_logarithms(std::log(u) / a, std::log(v) / b, draws.legacy);
  }
}

double f_ratio(Draws& draws, const Parameters& of) {
  const double above = draws.chi_square(of[0]) * of[1];
  return above / (draws.chi_square(of[1]) * of[0]);
}

double noncentral_chi_square(Draws& draws, double degrees, double noncentrality) {
  if (noncentrality == 0) return draws.chi_square(degrees);
  const bool is_number = !std::isnan(noncentrality);
  if (!is_number && !draws.legacy) return noncentrality;
  if (degrees <= 1) {
    const auto pairs = static_cast<double>(draws.poisson(noncentrality / 2.0));
    const double drawn = draws.chi_square(degrees + 2 * pairs);
    return is_number ? drawn : noncentrality;
  }
  const double rest = draws.chi_square(degrees - 1);
  const double normal = draws.normal() + std::sqrt(noncentrality);
  return rest + normal * normal;
}

double noncentral_f(Draws& draws, const Parameters& of) {
  const auto [above, below, noncentrality] = of;
  const double ratio = noncentral_chi_square(draws, above, noncentrality) * below;
  return ratio / (draws.chi_square(below) * above);
}

/// The inverse Gaussian (Michael, Schucany and Haas 1976).
double wald(Draws& draws, const Parameters& of) {
  const auto [mean, scale, unused] = of;
  const double normal = draws.normal();
  const double y = mean * normal * normal;
  // The same number; the second form is the exact one for large means.
  const double x = draws.legacy ? mean + mean / (2 * scale) * (y - std::sqrt(4 * scale * y + y * y))
                                : mean * (1 - 2 / (1 + std::sqrt(1 + 4 * scale / y)));
  return draws.uniform() <= mean / (mean + x) ? x : mean * mean / x;
}

/// What the concentration of `vonmises` asks of its wrapped Cauchy cover (Best and Fisher 1979).
double cover_shape(double kappa) {
  constexpr double kSeries = 1e-5;
  if (kappa < kSeries) return 1. / kappa + kappa;
  const double r = 1 + std::sqrt(1 + 4 * kappa * kappa);
  const double rho = (r - std::sqrt(2 * r)) / (2 * kappa);
  return (1 + rho * rho) / (2 * rho);
}

double vonmises(Draws& draws, const Parameters& of) {
  constexpr double kPi = std::numbers::pi, kUniform = 1e-8, kNormal = 1e6;
  const auto [mean, kappa, unused] = of;
  if (std::isnan(kappa)) return kappa;
  if (kappa < kUniform) return kPi * (2 * draws.uniform() - 1);
  const double s = cover_shape(kappa);
  // Where s is 1, rejection would not end; `RandomState` of NumPy then never returns.
  if (kappa > kNormal && (!draws.legacy || s <= 1)) {
    const double angle = mean + std::sqrt(1. / kappa) * draws.normal();
    return angle < -kPi ? angle + 2 * kPi : angle > kPi ? angle - 2 * kPi : angle;
  }
  double w = 0;
  for (;;) {
    const double z = std::cos(kPi * draws.uniform());
    w = (1 + s * z) / (s + z);
    const double y = kappa * (s - w);
    const double v = draws.uniform();
    if (y * (2 - y) - v >= 0 || !(std::log(y / v) + 1 - y < 0)) break;
  }
  const double turned = draws.uniform() < 0.5 ? -std::acos(w) : std::acos(w);
  const double angle = turned + mean;
  const double inside = std::fmod(std::fabs(angle) + kPi, 2 * kPi) - kPi;
  return angle < 0 ? -inside : inside;
}

double student_t(Draws& draws, const Parameters& of) {
  const double normal = draws.normal();
  const double gamma = draws.gamma(of[0] / 2);
  return std::sqrt(of[0] / 2) * normal / std::sqrt(gamma);
}

double cauchy(Draws& draws, const Parameters&) {
  const double above = draws.normal();
  return above / draws.normal();
}

double pareto(Draws& draws, const Parameters& of) {
  const double x = draws.exponential() / of[0];
  return draws.legacy ? std::exp(x) - 1 : std::expm1(x);
}

double weibull(Draws& draws, const Parameters& of) {
  return of[0] == 0.0 ? 0.0 : std::pow(draws.exponential(), 1. / of[0]);
}

double power(Draws& draws, const Parameters& of) {
  const double x = -draws.exponential();
  return std::pow(draws.legacy ? 1 - std::exp(x) : -std::expm1(x), 1. / of[0]);
}

double laplace(Draws& draws, const Parameters& of) {
  for (;;) {
    const double u = draws.uniform();
    if (u >= 0.5) return of[0] - of[1] * std::log(2.0 - u - u);
    if (u > 0.0) return of[0] + of[1] * std::log(u + u);
  }
}

double gumbel(Draws& draws, const Parameters& of) {
  for (;;) {
    const double u = 1.0 - draws.uniform();
    if (u < 1.0) return of[0] - of[1] * std::log(-std::log(u));
  }
}

double logistic(Draws& draws, const Parameters& of) {
  for (;;) {
    const double u = draws.uniform();
    if (u > 0.0) return of[0] + of[1] * std::log(u / (1.0 - u));
  }
}

double rayleigh(Draws& draws, const Parameters& of) {
  const double square =
      draws.legacy ? -2.0 * std::log1p(-draws.uniform()) : 2.0 * draws.exponential();
  return of[0] * std::sqrt(square);
}

double triangular(Draws& draws, const Parameters& of) {
  const auto [left, mode, right] = of;
  const double base = right - left;
  const double left_base = mode - left;
  const double u = draws.uniform();
  if (u <= left_base / base) return left + std::sqrt(u * (left_base * base));
  return right - std::sqrt((1.0 - u) * ((right - mode) * base));
}

// ---- Integers ----------------------------------------------------------------------------------

/// One that may be too large for an int: the greatest int then, of `RandomState` the least.
int64_t to_whole(const Draws& draws, double value) {
  constexpr double kEnd = 9223372036854775808.0;
  using Limits = std::numeric_limits<int64_t>;
  if (value < kEnd) return static_cast<int64_t>(value);
  return draws.legacy ? Limits::min() : Limits::max();
}

int64_t binomial(Draws& draws, const Parameters& of) {
  // `RandomState` draws a number also where the outcome is certain.
  if (draws.legacy && (of[0] == 0 || of[1] == 0)) draws.uniform();
  return draws.binomial(static_cast<int64_t>(of[0]), of[1]);
}

int64_t geometric(Draws& draws, const Parameters& of) {
  const double p = of[0];
  if (p < 0.333333333333333333333333) {
    const double x = draws.legacy ? std::log1p(-draws.uniform()) : -draws.exponential();
    return to_whole(draws, std::ceil(x / std::log1p(-p)));
  }
  int64_t count = 1;
  double sum = p, product = p;
  for (const double u = draws.uniform(); u > sum; ++count) {
    product *= 1.0 - p;
    sum += product;
  }
  return count;
}

int64_t negative_binomial(Draws& draws, const Parameters& of) {
  const auto [n, p, unused] = of;
  return draws.poisson((1 - p) / p * draws.gamma(n));
}

int64_t log_series(Draws& draws, const Parameters& of) {
  const double p = of[0];
  const double r = draws.legacy ? std::log(1.0 - p) : std::log1p(-p);
  for (;;) {
    const double v = draws.uniform();
    if (v >= p) return 1;
    const double u = draws.uniform();
    const double q = draws.legacy ? 1.0 - std::exp(r * u) : -std::expm1(r * u);
    if (v <= q * q) {
      const double count = std::floor(1 + std::log(v) / std::log(q));
      if (!(count < 1) && v != 0.0) return to_whole(draws, count);
      continue;
    }
    return v >= q ? 1 : 2;
  }
}

/// Rejection from a Pareto cover (Devroye).
int64_t zipf(Draws& draws, const Parameters& of) {
  constexpr double kEnd = 9223372036854775808.0;
  constexpr double kSteep = 1025;
  const double a = of[0] - 1.0;
  if (of[0] >= kSteep) return 1;
  const double b = std::pow(2.0, a);
  const double least = draws.legacy ? 0.0 : std::pow(kEnd, -a);
  for (;;) {
    const double drawn = draws.uniform();
    const double u = draws.legacy ? 1.0 - drawn : drawn * least + (1 - drawn);
    const double v = draws.uniform();
    const double x = std::floor(std::pow(u, -1.0 / a));
    if (x > kEnd || x < 1.0) continue;
    const double t = std::pow(1.0 + 1.0 / x, a);
    if (v * x * (t - 1.0) / (b - 1.0) <= t / b) return to_whole(draws, x);
  }
}

// ---- The table ---------------------------------------------------------------------------------

constexpr Parameter kLoc = {"loc", Domain::kAny};
constexpr Parameter kScale = {"scale", Domain::kNotNegative};

constexpr Distribution kDistributions[] = {
    {"uniform",
     {{{"low"}, {"range"}}},
     [](Draws& d, const Parameters& of) { return of[0] + of[1] * d.uniform(); }},
    {"random",
     {},
     [](Draws& d, const Parameters&) { return d.uniform(); },
     nullptr,
     [](BitSource& source, float) { return source.uniform_float(); },
     true},
    {"standard_normal",
     {},
     [](Draws& d, const Parameters&) { return d.normal(); },
     nullptr,
     [](BitSource& source, float) { return ziggurat_normal_float(source); }},
    {"normal",
     {kLoc, kScale},
     [](Draws& d, const Parameters& of) { return of[0] + of[1] * d.normal(); }},
    {"lognormal",
     {{{"mean"}, {"sigma", Domain::kNotNegative}}},
     [](Draws& d, const Parameters& of) { return std::exp(of[0] + of[1] * d.normal()); }},
    {"standard_exponential",
     {},
     [](Draws& d, const Parameters&) { return d.exponential(); },
     nullptr,
     [](BitSource& source, float) { return ziggurat_exponential_float(source); }},
    {"inverse_exponential",
     {},
     [](Draws& d, const Parameters&) { return -std::log1p(-d.uniform()); },
     nullptr,
     [](BitSource& source, float) { return -std::log1p(-source.uniform_float()); }},
    {"exponential",
     {kScale},
     [](Draws& d, const Parameters& of) { return of[0] * d.exponential(); }},
    {"standard_gamma",
     {{{"shape", Domain::kNotNegative}}},
     [](Draws& d, const Parameters& of) { return d.gamma(of[0]); },
     nullptr,
     gamma_float},
    {"gamma",
     {{{"shape", Domain::kNotNegative}, kScale}},
     [](Draws& d, const Parameters& of) { return of[1] * d.gamma(of[0]); }},
    {"beta", {{{"a", Domain::kPositive}, {"b", Domain::kPositive}}}, beta},
    {"chisquare",
     {{{"df", Domain::kPositive}}},
     [](Draws& d, const Parameters& of) { return d.chi_square(of[0]); }},
    {"f", {{{"dfnum", Domain::kPositive}, {"dfden", Domain::kPositive}}}, f_ratio},
    {"noncentral_chisquare",
     {{{"df", Domain::kPositive}, {"nonc", Domain::kNotNegative}}},
     [](Draws& d, const Parameters& of) { return noncentral_chi_square(d, of[0], of[1]); }},
    {"noncentral_f",
     {{{"dfnum", Domain::kPositive}, {"dfden", Domain::kPositive}, {"nonc", Domain::kNotNegative}}},
     noncentral_f},
    {"wald", {{{"mean", Domain::kPositive}, {"scale", Domain::kPositive}}}, wald},
    {"vonmises", {{{"mu"}, {"kappa", Domain::kNotNegative}}}, vonmises},
    {"standard_t", {{{"df", Domain::kPositive}}}, student_t},
    {"standard_cauchy", {}, cauchy},
    {"pareto", {{{"a", Domain::kPositive}}}, pareto},
    {"weibull", {{{"a", Domain::kNotNegative}}}, weibull},
    {"power", {{{"a", Domain::kPositive}}}, power},
    {"laplace", {kLoc, kScale}, laplace},
    {"gumbel", {kLoc, kScale}, gumbel},
    {"logistic", {kLoc, kScale}, logistic},
    {"rayleigh", {kScale}, rayleigh},
    {"triangular", {{{"left"}, {"mode"}, {"right"}}}, triangular},
    {"poisson",
     {{{"lam", Domain::kPoissonMean}}},
     nullptr,
     [](Draws& d, const Parameters& of) { return d.poisson(of[0]); }},
    {"binomial", {{{"n", Domain::kCount}, {"p", Domain::kProbability}}}, nullptr, binomial},
    {"geometric", {{{"p", Domain::kPositiveProbability}}}, nullptr, geometric},
    {"negative_binomial",
     {{{"n", Domain::kPositiveNumber}, {"p", Domain::kPositiveProbability}}},
     nullptr,
     negative_binomial},
    {"zipf", {{{"a", Domain::kAboveOne}}}, nullptr, zipf},
    {"logseries", {{{"p", Domain::kFraction}}}, nullptr, log_series},
};

/// The greatest mean whose Poisson numbers are ints: ten deviations lie below the greatest.
double greatest_mean() {
  constexpr double kMost = 9223372036854775808.0;
  return kMost - std::sqrt(kMost) * 10;
}

}  // namespace

const Distribution* distribution_named(std::string_view name) {
  const auto* found = std::ranges::find(kDistributions, name, &Distribution::name);
  return found == std::end(kDistributions) ? nullptr : found;
}

std::optional<std::string> complaint(const Parameter& parameter, double value, bool in_array,
                                     bool legacy) {
  const std::string_view name = parameter.name;
  const auto unless = [](bool fits, std::string text) {
    return fits ? std::nullopt : std::optional(std::move(text));
  };
  const std::string_view nan = in_array ? "contains NaNs" : "is NaN";
  switch (parameter.domain) {
    case Domain::kAny:
      return std::nullopt;
    case Domain::kCount:
      if (value > 0x1p53) return fmt::format("{} is too large: at most 2**53 here", name);
      [[fallthrough]];
    case Domain::kNotNegative:
      return unless(std::isnan(value) || !std::signbit(value), fmt::format("{} < 0", name));
    case Domain::kPositiveNumber:
      if (std::isnan(value) && !legacy) return fmt::format("{} must not be NaN", name);
      [[fallthrough]];
    case Domain::kPositive:
      return unless(!(value <= 0), fmt::format("{} <= 0", name));
    case Domain::kProbability:
      return unless(value >= 0 && value <= 1,
                    fmt::format("{0} < 0, {0} > 1 or {0} {1}", name, nan));
    case Domain::kPositiveProbability:
      return unless(value > 0 && value <= 1,
                    fmt::format("{0} <= 0, {0} > 1 or {0} contains NaNs", name));
    case Domain::kFraction:
      return unless(value >= 0 && value < 1,
                    fmt::format("{0} < 0, {0} >= 1 or {0} {1}", name, nan));
    case Domain::kAboveOne:
      return unless(value > 1, fmt::format("{0} <= 1 or {0} {1}", name, nan));
    case Domain::kPoissonMean:
      if (value > greatest_mean()) return fmt::format("{} value too large", name);
      return unless(value >= 0, fmt::format("{0} < 0 or {0} {1}", name, nan));
  }
  return std::nullopt;
}

}  // namespace glint::random
