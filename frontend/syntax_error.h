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

enum class SyntaxErrorKind : uint8_t {
  kSyntax,
  kIndentation,
  kTab,
  kMemory,     ///< nested deeper than CPython's parser goes
  kRecursion,  ///< nested deeper than its compiler goes
};

struct SyntaxError {
  SyntaxErrorKind kind = SyntaxErrorKind::kSyntax;
  std::string message;
  Span span = {};
  /// For a REPL: the text ends before the construct does, more lines may mend it.
  bool at_end = false;
  /// What is shown in place of the source's line, with columns of its own: an f-string's field
  /// stands in parentheses, as CPython parses it.
  std::string shown = {};
  /// Some errors show their line without a place in it; some have no line either.
  bool has_caret = true;
  bool has_place = true;
  /// CPython counts bytes as columns here: the caret stands further right where the line holds
  /// characters beyond ASCII.
  bool counts_bytes = false;
  /// Found when the text was cut into tokens.
  bool by_tokenizer = false;
  /// The byte that is no UTF-8, of an error that is about it: the message names the file too.
  uint32_t bad_byte = 0;
};

/// The message, without the kind in front.
std::string message_of(const SyntaxError& error, const SourceMap& sources);
/// The characters of its line before a byte of it, as CPython counts them for this error.
size_t column_of(const SyntaxError& error, std::string_view line, size_t byte);
/// The line that the error shows.
std::string_view shown_line(const SyntaxError& error, const SourceMap& sources);
/// Whether a caret stands under that line.
bool has_caret(const SyntaxError& error);
/// How many characters the first `bytes` bytes of a line are; bytes behind its end count one each.
size_t characters(std::string_view line, size_t bytes);

/// `SyntaxError`, `IndentationError`, `TabError`.
std::string_view class_name(SyntaxErrorKind kind);

/// The text as CPython prints it, without a traceback header, newline-ended.
std::string print(const SyntaxError& error, const SourceMap& sources);

/// Thrown inside the front end, where a statement cannot go on; `compile_source` collects it.
struct SyntaxErrorException {
  SyntaxError error;
};

}  // namespace glint::frontend
