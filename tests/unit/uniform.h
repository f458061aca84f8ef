// Random numbers for the inputs of kernels.
//
//     std::mt19937 random(7);
//     const double value = uniform(random, -3.0, 3.0);
#pragma once

#include <random>

namespace glint::tests {

/// From [low, high). The library's distribution takes five times as long, which is most of the test
/// of a small kernel.
inline double uniform(std::mt19937& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

}  // namespace glint::tests
