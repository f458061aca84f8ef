// The functions of `math` that are more than one call of the C library, on plain numbers.
//
//     exact_sum({0.1, 0.2, -0.3})      2.7755575615628914e-17, as math.fsum
//     combinations(5, 2)               10
//
// Where a result does not fit 64 bits, there is none: the caller takes a BigInt.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/support/big_int.h"

namespace glint::runtime {

/// The sum rounded once, by Shewchuk's partial sums; infinities and NaN as IEEE has it.
double exact_sum(std::span<const double> values);

int64_t greatest_common_divisor(int64_t a, int64_t b);
std::optional<int64_t> least_common_multiple(int64_t a, int64_t b);
/// `n * (n - 1) * ... * (n - k + 1)`, and that over `k!`; n and k are not negative.
BigInt permutations(const BigInt& n, int64_t k);
BigInt combinations(const BigInt& n, int64_t k);
int64_t integer_square_root(int64_t n);
/// `base ** exponent` for exponent >= 0.
std::optional<int64_t> integer_power(int64_t base, int64_t exponent);
/// `pow(base, exponent, modulus)` for exponent >= 0 and modulus != 0.
int64_t modular_power(int64_t base, int64_t exponent, int64_t modulus);

/// The logarithm of the gamma function by Lanczos' approximation (g = 6.02, 13 terms), whose last
/// digit is the one that CPython prints.
double log_gamma(double x);

bool is_close(double a, double b, double relative, double absolute);

}  // namespace glint::runtime
