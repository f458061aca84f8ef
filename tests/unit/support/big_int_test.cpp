// Integers of any size; the numbers to compare with are CPython's.
#include <cmath>

#include <catch2/catch.hpp>

#include "core/support/big_int.h"

using glint::BigInt;

namespace {

BigInt number(std::string_view digits) {
  const bool negative = digits.starts_with('-');
  BigInt magnitude = BigInt::of_digits(digits.substr(negative ? 1 : 0), 10);
  return negative ? -magnitude : magnitude;
}
std::string text(const BigInt& x) {
  return (x.is_negative() ? "-" : "") + x.digits(10);
}

const BigInt kX = number("123456789012345678901234567890");
const BigInt kY = number("-987654321098765432109");

}  // namespace

TEST_CASE("arithmetic of big ints") {
  CHECK(text(kX + kY) == "123456788024691357802469135781");
  CHECK(text(kX - number("1" + std::string(20, '0'))) == "123456788912345678901234567890");
  CHECK(text(kX * kY) == "-121932631137021795226076817523485749121223746380010");
  CHECK(text(-kX) == "-123456789012345678901234567890");
  auto [quotient, remainder] = BigInt::divide(kX, kY);
  CHECK(text(quotient) == "-124999999");
  CHECK(text(remainder) == "-137345679013625000001");
  CHECK(text(BigInt::power(BigInt(-3), 41)) == "-36472996377170786403");
  CHECK(text(BigInt::power_modulo(kX, BigInt(12345), kY)) == "-192630676390072555788");
  CHECK(text(*BigInt::inverse_modulo(BigInt(3), BigInt(7))) == "5");
  CHECK_FALSE(BigInt::inverse_modulo(BigInt(6), BigInt(9)));
  CHECK(text(BigInt::greatest_common_divisor(kX, BigInt(90))) == "90");
  CHECK(text(BigInt::square_root(kX)) == "351364182882014");
}

TEST_CASE("bits of big ints are two's complement's") {
  CHECK(text(kX & kY) == "123456788043715692998132959954");
  CHECK(text(kX | kY) == "-19024335195663824173");
  CHECK(text(kX ^ kY) == "-123456788062740028193796784127");
  CHECK(text(kX >> 70) == "104571967");
  CHECK(text(kY >> 70) == "-1");
  CHECK(text(-kX >> 3) == "-15432098626543209862654320987");
  CHECK(text(BigInt(-5) << 64) == "-92233720368547758080");
  CHECK(kX.bit_length() == 97);
  CHECK((BigInt(1) << 200).bit_count() == 1);
}

TEST_CASE("big ints as floats round once") {
  CHECK((BigInt(1) << 64).to_double() == 0x1p64);
  CHECK(((BigInt(1) << 64) + BigInt(1 << 11)).to_double() == 0x1p64);  // half way, to even
  CHECK(((BigInt(1) << 64) + BigInt((1 << 11) + 1)).to_double() == 0x1.0000000000001p64);
  CHECK((BigInt(1) << 1024).to_double() == HUGE_VAL);
  CHECK(BigInt::true_divide(kX, kY) == -124999998.8609375);
  CHECK(BigInt::true_divide((BigInt(1) << 1100) + BigInt(1), BigInt(1) << 1090) == 1024.0);
  CHECK(BigInt::true_divide(BigInt(3), BigInt(1) << 1075) == 0x1p-1073);
  CHECK(BigInt::true_divide(BigInt(1), BigInt(1) << 1075) == 0.0);
  CHECK(BigInt::true_divide(BigInt(9007199254740993), BigInt(1)) == 9007199254740992.0);
  CHECK(text(BigInt::truncated(-1e20)) == "-100000000000000000000");
  CHECK(text(BigInt::truncated(2.75)) == "2");
}

TEST_CASE("big ints as bytes, texts and hashes") {
  CHECK(text(BigInt::of_bytes({"\xff\xff", 2}, true)) == "-1");
  CHECK(text(BigInt::of_bytes({"\0\1", 2}, false)) == "256");
  CHECK(*BigInt(-128).to_bytes(1, true) == "\x80");
  CHECK_FALSE(BigInt(128).to_bytes(1, true));
  CHECK_FALSE(BigInt(-1).to_bytes(9, false));
  CHECK(*BigInt(-2).to_bytes(9, true) == "\xfe" + std::string(8, '\xff'));
  CHECK(BigInt(0).to_bytes(0, false)->empty());
  CHECK(BigInt(-1).to_bytes(0, true)->empty());
  CHECK_FALSE(BigInt(1).to_bytes(0, true));
  CHECK((BigInt(1) << 70).digits(16) == "400000000000000000");
  CHECK(text(BigInt::of_digits("fFfFfFfFfFfFfFfFfF", 16)) == "4722366482869645213695");
  CHECK(kX.hash_residue() == 248789772095949448u);
  CHECK(kY.hash_residue() == 753513155304421081u);
}

TEST_CASE("big ints that fit say so") {
  CHECK(BigInt(INT64_MIN).as_int64() == INT64_MIN);
  CHECK((-BigInt(INT64_MIN)).as_int64() == std::nullopt);
  CHECK((-BigInt(INT64_MIN) - BigInt(1)).as_int64() == INT64_MAX);
  CHECK_THROWS_AS(BigInt(1) << (size_t{1} << 40), std::bad_alloc);
}
