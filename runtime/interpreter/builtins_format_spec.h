// The format-spec mini-language: what stands behind the colon in `f"{x:>10.3f}"`.
//
//     [[fill]align][sign]["z"]["#"]["0"][width][grouping]["." precision][type]
//
//     format_float(3.14159, spec of ">10.2f")    "      3.14"
//     format_int(1234567, spec of ",")           "1,234,567"
//     format_text("ab", spec of "*^6")           "**ab**"
//
// One parser, and one function for each kind of value. Errors carry CPython's text for the
// ValueError that the caller raises. `%`-formatting uses the same functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/result.h"

namespace glint::runtime {

struct FormatSpec {
  std::string fill = " ";  ///< one code point
  char align = 0;          ///< `<`, `>`, `=`, `^`, or 0 for the type's own
  char sign = 0;           ///< `+`, `-`, ` `, or 0
  bool no_negative_zero = false;
  bool alternate = false;
  bool zero_padding = false;  ///< `0` before the width, without an alignment of its own
  int64_t width = -1;
  char grouping = 0;  ///< `,`, `_` or 0
  int64_t precision = -1;
  char type = 0;
};

/// `type_name` is for the message ("Invalid format specifier '..' for object of type 'int'").
Result<FormatSpec> parse_format_spec(std::string_view text, std::string_view type_name);

Result<std::string> format_text(std::string_view text, const FormatSpec& spec);
Result<std::string> format_int(int64_t value, const FormatSpec& spec);
/// An int whose digits, in the base of `spec.type`, are known.
Result<std::string> format_digits(bool is_negative, std::string digits, const FormatSpec& spec);
/// The base that a format's type writes ints in: `x` 16, `o` 8, `b` 2, all others 10.
unsigned base_of(char type);
/// `type_name` differs from "float" for numpy-like scalars; it appears in messages.
Result<std::string> format_float(double value, const FormatSpec& spec);

/// A number's text in parts, padded as `spec` says: sign, prefix (`0x`), digits.
std::string pad_number(std::string_view sign, std::string_view prefix, std::string_view digits,
                       std::string_view rest, const FormatSpec& spec);

/// `value` without its sign in the form e, f, g, r (or E F G %), as the format type asks.
std::string float_digits(double value, char type, int64_t precision, bool alternate);

}  // namespace glint::runtime
