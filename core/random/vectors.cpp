#include "core/random/vectors.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/random/distributions.h"

namespace glint::random {

void multinomial(Draws& draws, int64_t n, std::span<const double> probabilities,
                 std::span<int64_t> counts) {
  std::ranges::fill(counts, 0);
  double remaining = 1.0;
  for (size_t i = 0; i < counts.size() && n > 0; ++i) {
    counts[i] = i + 1 < counts.size() ? draws.binomial(n, probabilities[i] / remaining) : n;
    n -= counts[i];
    remaining -= probabilities[i];
  }
}

namespace {

void dirichlet_of_gammas(Draws& draws, std::span<const double> alpha, std::span<double> row) {
  double sum = 0;
  for (size_t i = 0; i < row.size(); ++i) sum += row[i] = draws.gamma(alpha[i]);
  const double inverse = 1 / sum;
  for (double& number : row) number *= inverse;
}

/// Breaks a stick: gammas of small shapes would all be 0. `rest[i]` sums the shapes from i on.
void dirichlet_of_stick(Draws& draws, std::span<const double> alpha, std::span<const double> rest,
                        std::span<double> row) {
  static const Distribution& beta = *distribution_named("beta");
  double stick = 1.0;
  std::ranges::fill(row, 0.0);
  if (rest[0] == 0) return;
  for (size_t i = 0; i + 1 < row.size(); ++i) {
    const double part = beta.real(draws, {alpha[i], rest[i + 1]});
    row[i] = stick * part;
    stick *= 1.0 - part;
    if (rest[i + 1] == 0) break;
  }
  row.back() = stick;
}

}  // namespace

void dirichlet(Draws& draws, std::span<const double> alpha, std::span<double> numbers) {
  constexpr double kSmall = 0.1;
  const size_t size = alpha.size();
  const bool of_stick = !draws.legacy && *std::ranges::max_element(alpha) < kSmall;
  std::vector<double> rest(size);
  std::partial_sum(alpha.rbegin(), alpha.rend(), rest.rbegin());
  for (size_t start = 0; start < numbers.size(); start += size) {
    const auto row = numbers.subspan(start, size);
    if (of_stick)
      dirichlet_of_stick(draws, alpha, rest, row);
    else
      dirichlet_of_gammas(draws, alpha, row);
  }
}

void weighted_places(BitSource& source, std::span<const double> probabilities,
                     std::span<int64_t> places) {
  std::vector<double> sums(probabilities.size());
  std::partial_sum(probabilities.begin(), probabilities.end(), sums.begin());
  const double total = sums.back();
  for (double& sum : sums) sum /= total;
  for (int64_t& place : places)
    place = std::ranges::upper_bound(sums, source.uniform()) - sums.begin();
}

}  // namespace glint::random
