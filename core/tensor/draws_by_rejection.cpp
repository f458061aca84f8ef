// Marsaglia and Tsang's gamma ("A simple method for generating gamma variables", 2000), Hoermann's
// transformed rejection for a Poisson distribution of a rate of 10 or more (1993) and for a
// binomial one of as many expected successes, and, below that, products of uniform numbers and sums
// of geometric ones.
//
//     gamma    x normal, v = (1 + c x)^3: d v is kept if a uniform u is below the ratio of the
//              densities; below a concentration of 1, that of one more times u^(1 / concentration)
#include "core/tensor/draws_by_rejection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/drawing.h"

namespace glint {

namespace {

double uniform(Generator& generator) {
  return draw_unit<double>(generator);
}

template <class T>
double draw_gamma(T concentration, Generator& generator) {
  double scale = 1.0;
  if (concentration < T(1)) {
    if (concentration == T(0)) return 0.0;
    scale = std::pow(1.0 - uniform(generator), double(1.0f / concentration));
    concentration += T(1);
  }
  const double d = concentration - 1.0f / 3.0f;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    double x, y;
    do {
      x = draw_normal(0.0, 1.0, generator);
      y = 1.0 + c * x;
    } while (y <= 0.0);
    const double v = y * y * y;
    const double u = 1.0 - uniform(generator);
    const double square = x * x;
    const bool surely = u < 1.0 - double(0.0331f) * square * square;
    if (surely || std::log(u) < 0.5 * square + d * (1.0 - v + std::log(v))) return scale * d * v;
  }
}

double draw_large_poisson(double rate, Generator& generator) {
  const double log_rate = std::log(rate);
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double squeeze = 0.9277 - 3.6224 / (b - 2.0);
  while (true) {
    const double u = uniform(generator) - 0.5;
    const double v = uniform(generator);
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2.0 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= squeeze) return k;
    if (k < 0.0 || (us < 0.013 && v > us)) continue;
    int sign = 0;
    const double height = std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b);
    if (height <= -rate + k * log_rate - ::lgamma_r(k + 1.0, &sign)) return k;
  }
}

double draw_poisson(double rate, Generator& generator) {
  if (rate >= 10.0) return draw_large_poisson(rate, generator);
  if (rate == 0.0) return 0.0;
  const double least = std::exp(-rate);
  double count = 0.0, product = uniform(generator);
  for (; product > least; product *= uniform(generator)) count += 1.0;
  return count;
}

/// What Stirling's formula leaves of log(k!).
double stirling_remainder(double k) {
  constexpr double kTable[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                               0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                               0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                               0.00833056343336287};
  if (k < double(std::size(kTable))) return kTable[size_t(k)];
  const double square = (k + 1.0) * (k + 1.0);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1.0);
}

/// Geometric numbers are added up until they are more than the trials.
template <class T>
T draw_few_successes(T count, T probability, Generator& generator) {
  const double log_failure = std::log1p(-probability);
  double trials = 0.0;
  T successes = 0;
  while (true) {
    trials += std::ceil(std::log(uniform(generator)) / log_failure);
    if (trials > count) return successes;
    successes += T(1);
  }
}

template <class T>
T draw_many_successes(T count, T probability, Generator& generator) {
  const double deviation = std::sqrt(count * probability * (1 - probability));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * probability;
  const double c = count * probability + 0.5;
  const double squeeze = 0.92 - 4.2 / b;
  const double ratio = probability / (1 - probability);
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((count + 1) * probability);
  while (true) {
    const double u = uniform(generator) - 0.5;
    const double v = uniform(generator);
    const double us = 0.5 - std::abs(u);
    const T k = T(std::floor((2.0 * a / us + b) * u + c));
    if (k < 0 || k > count) continue;
    if (us >= 0.07 && v <= squeeze) return k;
    const double height = std::log(v * alpha / (a / (us * us) + b));
    const double bound = (mode + 0.5) * std::log((mode + 1) / (ratio * (count - mode + 1))) +
                         (count + 1) * std::log((count - mode + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(ratio * (count - k + 1) / (k + 1)) +
                         stirling_remainder(mode) + stirling_remainder(count - mode) -
                         stirling_remainder(k) - stirling_remainder(count - k);
    if (height <= bound) return k;
  }
}

template <class T>
T draw_binomial(T count, T probability, Generator& generator) {
  if (count <= 0 || probability <= 0) return 0;
  if (probability >= 1 || !std::isfinite(count)) return count;
  if (std::isnan(probability)) return std::numeric_limits<T>::quiet_NaN();
  const bool is_rare = probability <= 0.5;
  const T rarer = is_rare ? probability : T(1.0 - probability);
  const T drawn = count * rarer >= 10.0 ? draw_many_successes(count, rarer, generator)
                                        : draw_few_successes(count, rarer, generator);
  return is_rare ? drawn : count - drawn;
}

template <class F>
void visit_float_or_double(DType dtype, F&& f) {
  if (dtype == DType::kFloat64) return f.template operator()<double>();
  f.template operator()<float>();
}

}  // namespace

void fill_gamma(const Tensor& tensor, const Tensor& concentrations, Generator& generator) {
  visit_float_or_double(tensor.dtype(), [&]<class T>() {
    const T* from = concentrations.data<T>();
    fill_in_order<T>(tensor, [&] {
      return std::max(std::numeric_limits<T>::min(), T(draw_gamma(*from++, generator)));
    });
  });
}

void fill_poisson(const Tensor& tensor, const Tensor& rates, Generator& generator) {
  visit_floating(tensor.dtype(), [&]<class T>() {
    const T* from = rates.data<T>();
    fill_in_order<T>(tensor,
                     [&] { return convert_element<T>(draw_poisson(double(*from++), generator)); });
  });
}

void fill_binomial(const Tensor& tensor, const Tensor& counts, const Tensor& probabilities,
                   Generator& generator) {
  visit_float_or_double(tensor.dtype(), [&]<class T>() {
    const T *count = counts.data<T>(), *probability = probabilities.data<T>();
    fill_in_order<T>(tensor, [&] { return draw_binomial(*count++, *probability++, generator); });
  });
}

}  // namespace glint
