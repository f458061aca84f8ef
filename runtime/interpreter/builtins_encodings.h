// Text to bytes and back: `str.encode`, `bytes.decode`.
//
//     "é".encode("latin-1")           b'\xe9'
//     "é".encode("ascii")             UnicodeEncodeError
//     b"a\xff".decode(errors="replace")
//
// UTF-8, ASCII and Latin-1 are known under their usual names; errors are strict, ignore, replace or
// backslashreplace.
#pragma once

#include <string>
#include <string_view>

#include "runtime/interpreter/native.h"

namespace glint::runtime {

/// The bytes of a text; undefined if it raised.
Value encode_text(Interpreter& in, std::string_view text, std::string_view encoding,
                  std::string_view errors);
/// The text that bytes stand for; undefined if it raised.
Value decode_bytes(Interpreter& in, std::string_view data, std::string_view encoding,
                   std::string_view errors);

/// `utf-8`, `ascii` or `latin-1` for any of an encoding's names; empty if it raised.
std::string usual_encoding_name(Interpreter& in, std::string_view name);

/// Whether a text can be written as UTF-8; raises if it holds surrogates.
bool check_encodable(Interpreter& in, std::string_view text);
/// The text as standard error shows it: surrogates as their escapes.
std::string with_escapes(Interpreter& in, std::string_view text);

}  // namespace glint::runtime
