// Integers of any size: what an `int` of the language becomes when it outgrows 64 bits.
//
//     BigInt x = BigInt(1) << 64;
//     x.digits(10)         "18446744073709551616"
//     (x - x).as_int64()   0: whoever keeps numbers keeps the small ones as int64_t
//
// LibTomMath does the arithmetic; this is Python's view of it: floor division, shifts and bitwise
// operators of two's complement with endless sign bits, floats that round to the nearest. Memory
// that there is not ends in std::bad_alloc; so does a number of more than `kMostBits`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace glint {

class BigInt {
 public:
  static constexpr size_t kMostBits = size_t{1} << 30;

  explicit BigInt(int64_t value = 0);
  /// A finite float without its fraction.
  static BigInt truncated(double value);
  /// Digits of base 2 to 36 in either case, nothing else; `value` may be long.
  static BigInt of_digits(std::string_view digits, int base);
  /// Two's complement, the lowest byte first; unsigned unless `is_signed`.
  static BigInt of_bytes(std::string_view bytes, bool is_signed);
  BigInt(const BigInt& other);
  BigInt(BigInt&& other) noexcept;
  BigInt& operator=(BigInt other) noexcept;
  ~BigInt();

  /// The value, if it fits.
  std::optional<int64_t> as_int64() const;
  bool is_zero() const;
  bool is_negative() const;
  bool is_odd() const;
  /// How many bits the absolute value needs; 0 of 0.
  size_t bit_length() const;
  /// How many of the absolute value's bits are 1.
  size_t bit_count() const;
  /// The nearest float, halves to even; an infinity beyond the largest.
  double to_double() const;
  /// Of the absolute value, in lower case.
  std::string digits(int base) const;
  /// Two's complement in `length` bytes, the lowest first; none if they do not hold it.
  std::optional<std::string> to_bytes(size_t length, bool is_signed) const;
  /// The absolute value modulo 2^61 - 1, which Python's hash is.
  uint64_t hash_residue() const;
  /// -1, 0 or 1.
  int compare(const BigInt& other) const;
  bool operator==(const BigInt& other) const { return compare(other) == 0; }

  friend BigInt operator-(const BigInt& x);
  friend BigInt operator+(const BigInt& x, const BigInt& y);
  friend BigInt operator-(const BigInt& x, const BigInt& y);
  friend BigInt operator*(const BigInt& x, const BigInt& y);
  friend BigInt operator&(const BigInt& x, const BigInt& y);
  friend BigInt operator|(const BigInt& x, const BigInt& y);
  friend BigInt operator^(const BigInt& x, const BigInt& y);
  friend BigInt operator<<(const BigInt& x, size_t bits);
  /// Rounds down, as `>>` of Python does.
  friend BigInt operator>>(const BigInt& x, size_t bits);

  /// `x // y` and `x % y`; the remainder has the sign of y, which is not 0.
  struct Division;
  static Division divide(const BigInt& x, const BigInt& y);
  /// `x / y`, the nearest float; y is not 0. An infinity beyond the largest.
  static double true_divide(const BigInt& x, const BigInt& y);
  static BigInt power(const BigInt& base, uint64_t exponent);
  /// `base ** exponent % modulus`, with the sign of the modulus; the exponent is not negative, the
  /// modulus not 0.
  static BigInt power_modulo(const BigInt& base, const BigInt& exponent, const BigInt& modulus);
  /// The x with `value * x % modulus == 1 % modulus`; none if they have a common divisor.
  static std::optional<BigInt> inverse_modulo(const BigInt& value, const BigInt& modulus);
  static BigInt greatest_common_divisor(const BigInt& x, const BigInt& y);
  /// The root of a number that is not negative, rounded down.
  static BigInt square_root(const BigInt& x);

 private:
  struct Number;
  struct Access;
  std::unique_ptr<Number> number_;
};

struct BigInt::Division {
  BigInt quotient, remainder;
};

}  // namespace glint
