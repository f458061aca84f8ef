// The compiler's warnings: what is allowed but surely meant otherwise. Inside the folder, but for
// `SyntaxWarning`.
//
//     x is 1            "is" with a literal. Did you mean "=="?
//     [(1, 2) (3, 4)]   'tuple' object is not callable; perhaps you missed a comma?
//     assert (x, "m")   assertion is always true, perhaps remove parentheses?
//     1if x else 2      invalid decimal literal
//
// They are CPython 3.11's, in its words and in the order in which it compiles: a `finally` block
// that is compiled twice warns twice. The questions look at the tree alone, after the constants in
// it are thought folded.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/span.h"
#include "frontend/ast.h"

namespace glint::frontend {

/// Printed with the line where `span` begins; the program runs on.
struct SyntaxWarning {
  std::string message;
  Span span;
};

using WarningSink = std::function<void(const SyntaxWarning&)>;

std::optional<std::string> warning_of(const Compare& node);
std::optional<std::string> warning_of(const Call& node);
std::optional<std::string> warning_of(const Subscript& node);
std::optional<std::string> warning_of(const Assert& node);
/// Of a number that a keyword follows without a space; `kind` is "decimal", "hexadecimal", ...
std::string number_warning(std::string_view kind);

}  // namespace glint::frontend
