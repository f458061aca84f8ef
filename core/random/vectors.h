// Draws of several numbers that depend on one another, and of places by weights.
#pragma once

#include <span>

#include "core/random/draws.h"

namespace glint::random {

/// Into `counts`: how often each of the cases occurs in `n` trials.
void multinomial(Draws& draws, int64_t n, std::span<const double> probabilities,
                 std::span<int64_t> counts);
/// Rows of numbers that sum to 1; `numbers` holds whole rows.
void dirichlet(Draws& draws, std::span<const double> alpha, std::span<double> numbers);
/// Into `places`: each with its probability, by uniform numbers in the running sums.
void weighted_places(BitSource& source, std::span<const double> probabilities,
                     std::span<int64_t> places);

}  // namespace glint::random
