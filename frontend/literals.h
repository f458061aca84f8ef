// Number and string literals: from the token's text to the value.
//
//     parse_number("0x_ff")      255             parse_number("012")   leading zeros ... error
//     parse_string("rb'\\n'")    bytes, raw      decode_escapes("a\\n", false)   "a" and a line end
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/support/result.h"
#include "ir/program.h"

namespace glint::frontend {

/// Where the number at the start of `text` ends, as CPython's tokenizer reads it; or what is wrong
/// with it, and the bytes that the complaint points at.
struct NumberScan {
  size_t end = 0;
  std::string error = {};
  size_t error_begin = 0;
  size_t error_end = 0;
  std::string warning = {};  ///< of a keyword without a space before it
};
NumberScan scan_number(std::string_view text);

/// An int, a float or an imaginary constant. The error's message is CPython's, or says what is left
/// out.
Result<program::Constant> parse_number(std::string_view text);

/// A string token taken apart; `body` lies between the quotes, escapes not yet decoded.
struct StringLiteral {
  bool raw = false;
  bool bytes = false;
  bool formatted = false;
  size_t body_offset = 0;  ///< of the body in the token
  std::string_view body;
};
StringLiteral split_string(std::string_view token);

/// The body with its escapes decoded; line ends become `\n`.
Result<std::string> decode_escapes(std::string_view body, bool bytes);
/// The body as it stands, line ends made `\n`.
std::string normalise_line_ends(std::string_view body);

}  // namespace glint::frontend
