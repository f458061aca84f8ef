// Text to bytes and back: `str.encode`, `bytes.decode`.
//
//     "é".encode("latin-1")           b'\xe9'
//     "é".encode("ascii")             UnicodeEncodeError
//     b"a\xff".decode(errors="replace")
//
// UTF-8, ASCII and Latin-1 are known under their usual names; errors are strict, ignore, replace or
// backslashreplace.
#pragma once

#include <string_view>

#include "runtime/interpreter/native.h"

namespace glint::runtime {

/// The bytes of a text; undefined if it raised.
Value encode_text(Interpreter& in, std::string_view text, std::string_view encoding,
                  std::string_view errors);
/// The text that bytes stand for; undefined if it raised.
Value decode_bytes(Interpreter& in, std::string_view data, std::string_view encoding,
                   std::string_view errors);

}  // namespace glint::runtime
