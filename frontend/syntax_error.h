// A syntax error, and its text in CPython's form:
//
//       File "demo.py", line 3
//         x = = 2
//             ^
//     SyntaxError: invalid syntax
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/source_map.h"
#include "core/support/span.h"

namespace glint::frontend {

enum class SyntaxErrorKind : uint8_t { kSyntax, kIndentation, kTab };

struct SyntaxError {
  SyntaxErrorKind kind = SyntaxErrorKind::kSyntax;
  std::string message;
  Span span = {};
  /// For a REPL: the text ends before the construct does, more lines may mend it.
  bool at_end = false;
};

/// `SyntaxError`, `IndentationError`, `TabError`.
std::string_view class_name(SyntaxErrorKind kind);

/// The text as CPython prints it, without a traceback header, newline-ended.
std::string print(const SyntaxError& error, const SourceMap& sources);

/// Thrown inside the front end, where a statement cannot go on; `compile_source` collects it.
struct SyntaxErrorException {
  SyntaxError error;
};

}  // namespace glint::frontend
