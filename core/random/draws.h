// What the distributions are made of: uniform, normal, exponential and gamma numbers of a source,
// as NumPy's `RandomState` draws them (`legacy`: by logarithms and the polar method) or its
// `Generator` (by ziggurats).
//
//     Draws draws{source, /*legacy=*/true};
//     draws.normal()          the first of a pair; the next call gives the second
#pragma once

#include <optional>

#include "core/random/bit_source.h"
#include "core/random/ziggurat.h"

namespace glint::random {

struct Draws {
  BitSource& source;
  bool legacy;
  /// The second of a pair of normal numbers, for the next call.
  std::optional<double> kept_normal = std::nullopt;

  double uniform() { return source.uniform(); }
  double normal() { return legacy ? polar_normal() : ziggurat_normal(source); }
  double exponential() { return legacy ? log_exponential() : ziggurat_exponential(source); }
  /// Of scale 1 (Marsaglia and Tsang 2000; below shape 1 Ahrens and Dieter 1974).
  double gamma(double shape);
  double chi_square(double degrees) { return 2.0 * gamma(degrees / 2.0); }
  int64_t poisson(double mean);
  int64_t binomial(int64_t n, double p);

 private:
  double polar_normal();
  double log_exponential();
  double small_gamma(double shape);
};

/// Of scale 1, in float32 all along.
float gamma_float(BitSource& source, float shape);

}  // namespace glint::random
