// CPython's words for a text that does not parse. Inside the folder only.
//
//     if x            expected ':'
//     foo(a b)        invalid syntax. Perhaps you forgot a comma?
//     print "x"       Missing parentheses in call to 'print'. Did you mean print(...)?
//
// CPython parses a wrong source twice. The first pass finds how far it can be read; the second,
// with rules for common mistakes in the grammar, finds the words. Both are done here over the
// tokens with such a grammar (frontend/peg.h), and only for sources that are wrong: the parser that
// builds trees knows nothing of mistakes.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "frontend/layout.h"

namespace glint::frontend {

/// Checks the string literals of the tokens `begin` to `end`; throws a SyntaxErrorException.
using StringCheck = std::function<void(size_t begin, size_t end)>;

/// The error of a text that is read by the diagnosing grammar's rule `start`; nothing if it has
/// none.
std::optional<SyntaxError> explain(const Layout& layout, std::string_view text,
                                   std::string_view start, const StringCheck& check_strings);

}  // namespace glint::frontend
