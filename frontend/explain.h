// CPython's words for a text that does not parse. Inside the folder only.
#pragma once

#include <string_view>

#include "frontend/layout.h"

namespace glint::frontend {

/// The error for a parse that stopped at token `at` (its index).
SyntaxError explain_parse_error(const Layout& layout, std::string_view text, size_t at);

}  // namespace glint::frontend
