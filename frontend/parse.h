// Text to syntax tree: layout, ANTLR's parser in two stages, the tree's own checks.
//
// The first stage predicts with SLL, which is fast and almost always enough; where it fails the
// text is parsed again with full LL, whose verdict counts. A syntax error is worded as CPython
// words it (explain.cpp).
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "core/support/source_map.h"
#include "frontend/ast.h"
#include "frontend/syntax_error.h"
#include "frontend/warnings.h"

namespace glint::frontend {

/// What a text is expected to be: a file, one entry at the REPL (whose expression statements are
/// echoed), one expression, or a notebook's cell (whose last statement is echoed, if it is an
/// expression without a semicolon behind it).
enum class Mode : uint8_t { kFile, kSingle, kExpression, kCell };

using SyntaxErrors = std::vector<SyntaxError>;

/// The tree, or at least one error. An expression comes as a module of one expression statement.
/// `warn` hears of the numbers that are read before an error.
std::variant<Module, SyntaxErrors> parse(std::string_view text, SourceId source, Mode mode,
                                         const WarningSink& warn = {});

}  // namespace glint::frontend
