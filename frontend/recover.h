// The syntax errors behind a text's first.
//
//     x = = 1         reported by `parse`
//     y = (2          '(' was never closed: reported here
//     z = 3
//     print "z"       Missing parentheses: reported here
//
// A parse ends at its first error. To see further, the statement that is wrong is taken out and the
// rest is parsed again, its lines where they were:
//
//   1. The statement goes from the start of its logical line, decorators before it included, to the
//      next line of the same or a lower indentation that begins no clause of it.
//   2. In its place stands what keeps the text around it whole: `pass`, or an empty clause.
//   3. The next error counts only if it lies outside that place, and if its own statement, parsed
//      alone, is wrong too: what follows from the removal is never reported. It may lie before it,
//      since a text that cannot be cut into tokens is reported first wherever that is.
//   4. Again from 1, for at most ten errors in all.
#pragma once

#include <string_view>

#include "frontend/parse.h"

namespace glint::frontend {

/// What `parse` would say of a file behind its first error, in the order of the lines.
SyntaxErrors further_errors(std::string_view text, SourceId source, const SyntaxError& first);

}  // namespace glint::frontend
