// Random numbers for the inputs of kernels.
//
//     std::mt19937 random(7);
//     const double value = uniform(random, -3.0, 3.0);
#pragma once

#include <cstdint>
#include <random>

namespace glint::tests {

/// From [low, high). The library's distribution takes five times as long, which is most of the test
/// of a small kernel.
inline double uniform(std::mt19937& random, double low, double high) {
  const uint64_t high_word = random(), low_word = random();
  // As many bits as a float64 has digits.
  return low + (high - low) * (static_cast<double>(high_word << 21 ^ low_word >> 11) * 0x1p-53);
}

}  // namespace glint::tests
