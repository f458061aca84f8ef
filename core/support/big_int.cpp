#include "core/support/big_int.h"

#include <tommath.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace glint {
namespace {

/// LibTomMath fails for want of memory alone: what it is given is checked before.
void must(mp_err outcome) {
  if (outcome != MP_OKAY) throw std::bad_alloc();
}

/// Before a number of so many bits is made.
void check_size(double bits) {
  if (bits > static_cast<double>(BigInt::kMostBits)) throw std::bad_alloc();
}

}  // namespace

struct BigInt::Number {
  mp_int value;
  Number() { must(mp_init(&value)); }
  Number(const Number& other) { must(mp_init_copy(&value, &other.value)); }
  Number& operator=(const Number&) = delete;
  ~Number() { mp_clear(&value); }
};

/// The library's number, and a function of it that fills another.
struct BigInt::Access {
  static mp_int* of(const BigInt& x) { return &x.number_->value; }
  static BigInt made(mp_err (*function)(const mp_int*, mp_int*), const BigInt& x) {
    BigInt result;
    must(function(of(x), of(result)));
    return result;
  }
  static BigInt made(mp_err (*function)(const mp_int*, int, mp_int*), const BigInt& x, size_t y) {
    BigInt result;
    must(function(of(x), static_cast<int>(y), of(result)));
    return result;
  }
  static BigInt made(mp_err (*function)(const mp_int*, const mp_int*, mp_int*), const BigInt& x,
                     const BigInt& y) {
    BigInt result;
    must(function(of(x), of(y), of(result)));
    return result;
  }
  /// The absolute value's bytes, the highest first.
  static std::string magnitude(const BigInt& x) {
    std::string bytes(mp_ubin_size(of(x)), '\0');
    must(mp_to_ubin(of(x), reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), nullptr));
    return bytes;
  }
};

// ---- Making them, and what they hold -----------------------------------------------------------

BigInt::BigInt(int64_t value) : number_(std::make_unique<Number>()) {
  mp_set_i64(&number_->value, value);
}
BigInt::BigInt(const BigInt& other) : number_(std::make_unique<Number>(*other.number_)) {}
BigInt::BigInt(BigInt&& other) noexcept = default;
BigInt& BigInt::operator=(BigInt other) noexcept {
  number_ = std::move(other.number_);
  return *this;
}
BigInt::~BigInt() = default;

BigInt BigInt::truncated(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  if (exponent <= 63) return BigInt(static_cast<int64_t>(std::trunc(value)));
  constexpr int kBits = std::numeric_limits<double>::digits;
  return BigInt(static_cast<int64_t>(std::ldexp(fraction, kBits)))
         << static_cast<size_t>(exponent - kBits);
}

BigInt BigInt::of_digits(std::string_view digits, int base) {
  check_size(static_cast<double>(digits.size()) * std::log2(base));
  BigInt result;
  must(mp_read_radix(Access::of(result), std::string(digits).c_str(), base));
  return result;
}

BigInt BigInt::of_bytes(std::string_view bytes, bool is_signed) {
  check_size(8.0 * static_cast<double>(bytes.size()));
  const std::string highest_first(bytes.rbegin(), bytes.rend());
  BigInt result;
  must(mp_from_ubin(Access::of(result),
                    reinterpret_cast<const unsigned char*>(highest_first.data()),
                    highest_first.size()));
  const bool is_negative = is_signed && !bytes.empty() && (bytes.back() & 0x80) != 0;
  return is_negative ? result - (BigInt(1) << (8 * bytes.size())) : result;
}

std::optional<int64_t> BigInt::as_int64() const {
  const size_t bits = bit_length();
  if (bits > 64) return std::nullopt;
  const uint64_t magnitude = mp_get_mag_u64(&number_->value);
  constexpr uint64_t kHighest = uint64_t{1} << 63;
  if (magnitude > kHighest || (magnitude == kHighest && !is_negative())) return std::nullopt;
  return static_cast<int64_t>(is_negative() ? uint64_t{0} - magnitude : magnitude);
}
bool BigInt::is_zero() const {
  return mp_iszero(&number_->value);
}
bool BigInt::is_negative() const {
  return mp_isneg(&number_->value);
}
bool BigInt::is_odd() const {
  return mp_isodd(&number_->value);
}
size_t BigInt::bit_length() const {
  return static_cast<size_t>(mp_count_bits(&number_->value));
}
size_t BigInt::bit_count() const {
  size_t count = 0;
  for (const char byte : Access::magnitude(*this))
    count += static_cast<size_t>(std::popcount(static_cast<unsigned char>(byte)));
  return count;
}

std::string BigInt::digits(int base) const {
  int size = 0;  // with a sign and the final zero
  must(mp_radix_size(&number_->value, base, &size));
  std::string text(static_cast<size_t>(size), '\0');
  size_t written = 0;
  must(mp_to_radix(&number_->value, text.data(), text.size(), &written, base));
  text.resize(written - 1);
  if (is_negative()) text.erase(0, 1);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::optional<std::string> BigInt::to_bytes(size_t length, bool is_signed) const {
  if (is_negative() && !is_signed) return std::nullopt;
  // -128 has as many bits as 127: those of what is one nearer to zero.
  const size_t bits = is_negative() ? (*this + BigInt(1)).bit_length() : bit_length();
  // 0 and -1 need none, and in no bytes there is no room for a sign.
  if (length == 0) return bits == 0 ? std::optional<std::string>("") : std::nullopt;
  if (bits + (is_signed ? 1 : 0) > 8 * length) return std::nullopt;
  std::string bytes =
      Access::magnitude(is_negative() ? *this + (BigInt(1) << (8 * length)) : *this);
  std::ranges::reverse(bytes);
  bytes.resize(length, '\0');
  return bytes;
}

uint64_t BigInt::hash_residue() const {
  static const BigInt kPrime((int64_t{1} << 61) - 1);
  return mp_get_mag_u64(Access::of(Access::made(mp_mod, Access::made(mp_abs, *this), kPrime)));
}

int BigInt::compare(const BigInt& other) const {
  return mp_cmp(&number_->value, &other.number_->value);
}

// ---- Floats ------------------------------------------------------------------------------------

/// `magnitude * 2**scale`, rounded once to the nearest float, halves to even; `more` says that the
/// exact value is above that by less than the last bit.
static double rounded(const BigInt& magnitude, bool more, int64_t scale) {
  const auto bits = static_cast<int64_t>(magnitude.bit_length());
  if (bits == 0) return 0.0;
  // The highest 64 bits; the last of them tells whether there is anything below.
  const int64_t below = bits - 64;
  const BigInt top = below > 0 ? magnitude >> static_cast<size_t>(below)
                               : magnitude << static_cast<size_t>(-below);
  uint64_t mantissa = 0;
  const std::string bytes = top.to_bytes(8, false).value();
  for (const char byte : bytes)
    mantissa = mantissa >> 8 | uint64_t{static_cast<unsigned char>(byte)} << 56;
  if (below > 0) more = more || (top << static_cast<size_t>(below)) != magnitude;
  mantissa |= uint64_t{more};
  // Numbers near zero have fewer bits than others.
  const int64_t exponent = bits + scale;
  if (exponent > std::numeric_limits<double>::max_exponent) return HUGE_VAL;
  constexpr int64_t kLowest = std::numeric_limits<double>::min_exponent;
  const int64_t kept =
      std::numeric_limits<double>::digits - std::max<int64_t>(0, kLowest - exponent);
  if (kept < 0) return 0.0;
  const auto dropped = static_cast<unsigned>(64 - kept);
  uint64_t whole = dropped == 64 ? 0 : mantissa >> dropped;
  const uint64_t rest = dropped == 64 ? mantissa : mantissa & ((uint64_t{1} << dropped) - 1);
  const uint64_t half = uint64_t{1} << (dropped - 1);
  if (rest > half || (rest == half && (whole & 1) != 0)) ++whole;
  return std::ldexp(static_cast<double>(whole), static_cast<int>(exponent - kept));
}

double BigInt::to_double() const {
  const double magnitude = rounded(Access::made(mp_abs, *this), false, 0);
  return is_negative() ? -magnitude : magnitude;
}

double BigInt::true_divide(const BigInt& x, const BigInt& y) {
  // A quotient of 65 bits or more says all that rounding has to know.
  const auto shift =
      static_cast<int64_t>(y.bit_length()) - static_cast<int64_t>(x.bit_length()) + 66;
  const BigInt above = Access::made(mp_abs, x) << static_cast<size_t>(std::max<int64_t>(0, shift));
  const Division division = divide(above, Access::made(mp_abs, y));
  const double magnitude =
      rounded(division.quotient, !division.remainder.is_zero(), -std::max<int64_t>(0, shift));
  return x.is_negative() != y.is_negative() ? -magnitude : magnitude;
}

// ---- Operators ---------------------------------------------------------------------------------

BigInt operator-(const BigInt& x) {
  return BigInt::Access::made(mp_neg, x);
}
BigInt operator+(const BigInt& x, const BigInt& y) {
  return BigInt::Access::made(mp_add, x, y);
}
BigInt operator-(const BigInt& x, const BigInt& y) {
  return BigInt::Access::made(mp_sub, x, y);
}
BigInt operator*(const BigInt& x, const BigInt& y) {
  check_size(static_cast<double>(x.bit_length()) + static_cast<double>(y.bit_length()));
  return BigInt::Access::made(mp_mul, x, y);
}
BigInt operator&(const BigInt& x, const BigInt& y) {
  return BigInt::Access::made(mp_and, x, y);
}
BigInt operator|(const BigInt& x, const BigInt& y) {
  return BigInt::Access::made(mp_or, x, y);
}
BigInt operator^(const BigInt& x, const BigInt& y) {
  return BigInt::Access::made(mp_xor, x, y);
}
BigInt operator<<(const BigInt& x, size_t bits) {
  if (x.is_zero()) return x;
  check_size(static_cast<double>(x.bit_length()) + static_cast<double>(bits));
  return BigInt::Access::made(mp_mul_2d, x, bits);
}
BigInt operator>>(const BigInt& x, size_t bits) {
  return BigInt::Access::made(mp_signed_rsh, x, std::min(bits, BigInt::kMostBits));
}

BigInt::Division BigInt::divide(const BigInt& x, const BigInt& y) {
  Division division;
  must(mp_div(Access::of(x), Access::of(y), Access::of(division.quotient),
              Access::of(division.remainder)));
  // The library rounds towards zero.
  if (!division.remainder.is_zero() && x.is_negative() != y.is_negative()) {
    division.quotient = division.quotient - BigInt(1);
    division.remainder = division.remainder + y;
  }
  return division;
}

BigInt BigInt::power(const BigInt& base, uint64_t exponent) {
  if (base.bit_length() > 1)
    check_size(static_cast<double>(base.bit_length() - 1) * static_cast<double>(exponent));
  BigInt result(1);
  BigInt square = base;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * square;
    if (exponent > 1) square = square * square;
  }
  return result;
}

BigInt BigInt::power_modulo(const BigInt& base, const BigInt& exponent, const BigInt& modulus) {
  const BigInt size = Access::made(mp_abs, modulus);
  BigInt result;
  if (size.compare(BigInt(1)) == 0) return result;
  const BigInt reduced = divide(base, size).remainder;
  must(mp_exptmod(Access::of(reduced), Access::of(exponent), Access::of(size), Access::of(result)));
  return divide(result, modulus).remainder;
}

std::optional<BigInt> BigInt::inverse_modulo(const BigInt& value, const BigInt& modulus) {
  const BigInt size = Access::made(mp_abs, modulus);
  if (size.compare(BigInt(1)) == 0) return BigInt();
  const BigInt reduced = divide(value, size).remainder;
  BigInt result;
  if (mp_invmod(Access::of(reduced), Access::of(size), Access::of(result)) != MP_OKAY)
    return std::nullopt;
  return divide(result, modulus).remainder;
}

BigInt BigInt::greatest_common_divisor(const BigInt& x, const BigInt& y) {
  return Access::made(mp_gcd, x, y);
}
BigInt BigInt::square_root(const BigInt& x) {
  return Access::made(mp_sqrt, x);
}

}  // namespace glint
