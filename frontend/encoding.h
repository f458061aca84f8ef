// What a source may hold as bytes: UTF-8 without a NUL.
//
//     # -*- coding: latin-1 -*-      refused where the file holds more than ASCII
//
// A source that says another encoding, or is no UTF-8, is refused with CPython's words, or by name
// where CPython would read it.
#pragma once

#include <optional>
#include <string_view>

#include "frontend/syntax_error.h"

namespace glint::frontend {

/// The error of a text that cannot be read as characters.
std::optional<SyntaxError> encoding_error(std::string_view text, SourceId source);

/// The error of a file that says another encoding than UTF-8, where that makes a difference.
std::optional<SyntaxError> declaration_error(std::string_view text, SourceId source);

/// The encoding that a comment in the first two lines names, lower case; empty where none does.
std::string declared_encoding(std::string_view text);

}  // namespace glint::frontend
