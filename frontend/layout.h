// The layout of a text: from the lexer's raw tokens to the tokens that the grammar is written for.
//
//     if x:               IF NAME COLON NEWLINE
//         y = [1,         INDENT NAME ASSIGN LBRACK NUMBER COMMA
//              2]         NUMBER RBRACK NEWLINE
//     z                   DEDENT NAME NEWLINE
//
// As CPython's tokenizer: indentation is measured with tabs to columns of eight (and again with
// tabs of one, which must agree); line ends inside brackets, on blank lines and behind comments
// vanish; a missing last newline is added. Then the soft keywords: a line that begins with `match`
// or `case`, ends in a colon of its own and reads as no expression is a match statement's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/span.h"
#include "core/support/stage_log.h"
#include "frontend/syntax_error.h"
#include "frontend/warnings.h"

namespace glint::frontend {

struct Token {
  size_t type = 0;     ///< GlintLexer's numbering
  uint32_t begin = 0;  ///< bytes in the source
  uint32_t end = 0;
  Span span;
};

/// The tokens of a text, and the first tokenizer error: parsing goes on up to it.
struct Layout {
  std::vector<Token> tokens;  ///< ends with one of type EOF
  std::optional<SyntaxError> error;
  std::vector<SyntaxWarning> warnings;
  /// The number of tokens before the error, or before an end of the text inside brackets: those
  /// behind it are made up.
  size_t read = 0;
  /// Whether CPython notices the error before it reads the token, wherever the parser is.
  bool error_comes_first = true;
  /// How many brackets are open behind each token.
  std::vector<uint32_t> depths;
  /// The innermost bracket that is open where the text (or the error) ends.
  std::optional<Token> open_bracket;
  char open_bracket_text = 0;
};

/// Cuts a text into tokens and lays them out. `text` is UTF-8; bytes that are not are an error.
Layout lay_out(std::string_view text, SourceId source);

/// `:tokens`: one line a token, `NAME 'x'`, with its place.
std::vector<StageLine> print_tokens(const Layout& layout, std::string_view text);

}  // namespace glint::frontend
