// Numbers as text and text as numbers, the way CPython does both.
//
//     float_repr(0.1)            "0.1"        the shortest text that reads back as the same float
//     float_repr(1e16)           "1e+16"
//     parse_int("  0x_ff ", 16)  the digits "ff" of base 16
//     parse_float(" -inf")       -inf
//
// Nothing here knows the interpreter's values: errors come back as `Error`, whose message is the
// text of the ValueError or OverflowError that the caller raises.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/result.h"

namespace glint::runtime {

/// `repr` of a float: `1.0`, `1e-05`, `inf`, `nan`.
std::string float_repr(double value);

/// The digits of a finite, non-negative float and the place of its point: value = 0.DIGITS *
/// 10^point.
struct Decimal {
  std::string digits;
  int point = 0;
};
/// The shortest digits that read back as `value`.
Decimal shortest_decimal(double value);
/// Rounded to `digits` significant digits (at least 1), half to even on the exact binary value.
Decimal decimal_with_digits(double value, int digits);
/// Rounded to `places` digits behind the point; digits may be empty for a value that rounds to 0.
Decimal decimal_with_places(double value, int places);

/// `value` rounded to `places` digits behind the point (before it when negative), as `round` does.
double round_to_places(double value, int64_t places);

/// `int(text, base)`; base 0 reads the prefix. The digits have nothing between them and are those
/// of `base`; there are none where the text is no number.
struct ParsedInt {
  bool is_negative = false;
  std::string digits;
  unsigned base = 10;
};
ParsedInt parse_int(std::string_view text, unsigned base = 10);

/// `float(text)`.
struct ParsedFloat {
  double value = 0;
  bool ok = false;
};
ParsedFloat parse_float(std::string_view text);

/// Digits of `value` in base 2, 8, 10 or 16, without sign or prefix.
std::string digits_in_base(uint64_t value, unsigned base, bool upper_case = false);

}  // namespace glint::runtime
