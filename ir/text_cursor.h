// A place in IR text: what the parsers of Graph and Kernel IR read with. Skips blanks (not line
// ends, which separate statements) and `#` comments, and remembers the first error, with its line
// and column; after that every `accept` says no, so that a parser runs out by itself.
//
//     TextCursor in("  %x: f32[8]");
//     in.accept("%"); in.word() == "x"; in.accept(":")
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"
#include "core/tensor/dtype.h"
#include "ir/symbolic.h"
#include "ir/tensor_type.h"

namespace glint {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  /// Takes this text if it comes next. A word is not taken out of a longer one.
  bool accept(std::string_view expected);
  /// As accept, but its absence is an error.
  bool expect(std::string_view expected);
  bool peek(std::string_view expected);
  /// As accept, but no blanks may stand before it.
  bool accept_adjacent(std::string_view expected);
  /// [A-Za-z_][A-Za-z0-9_]*; empty when none comes next.
  std::string_view word();
  std::string_view peek_word();
  bool peek_digit();
  /// A number; `is_float` tells whether it was written as one (`1.0`, `1e-3`, `inf`, `nan`).
  struct Number {
    bool is_float = false;
    int64_t integer = 0;
    double real = 0.0;
  };
  std::optional<Number> number();
  /// "text" with \" \\ \n as escapes.
  std::optional<std::string> string();

  bool at_end();
  /// At the end of a line, or of the text.
  bool at_line_end();
  /// Takes line ends and blank lines; an error if the line goes on.
  void expect_line_end();
  void skip_lines();
  /// Takes the rest of the line, untrimmed.
  std::string_view rest_of_line();

  uint32_t line() const { return line_; }
  uint32_t column() const { return static_cast<uint32_t>(position_ - line_start_); }
  bool ok() const { return !error_; }
  /// Records an error here, unless there is one already; gives false.
  bool fail(std::string message);
  const Error& error() const { return *error_; }

 private:
  void skip_blanks();
  bool accept_here(std::string_view expected, bool take);

  std::string_view text_;
  size_t position_ = 0;
  size_t line_start_ = 0;
  uint32_t line_ = 1;
  std::optional<Error> error_;
};

/// A size: `8`, `s0`, `4*s0 + 8`, `(s0 + 1) // 2`, `max(s0, 4)`.
SymInt parse_symint(TextCursor& in);
DType parse_dtype(TextCursor& in);
TensorType parse_tensor_type(TextCursor& in);
/// `-> f32[8] {` or `-> (f32[8], f32[]) {`, which ends the head of a graph or a schedule.
std::vector<TensorType> parse_result_types(TextCursor& in);
/// `return %a, %b.1` and the line's end, against the types that the head declares; `read_one` reads
/// a value and gives its type.
void parse_results(TextCursor& in, std::span<const TensorType> declared,
                   const std::function<TensorType()>& read_one);
/// `%name`: the name.
std::string parse_reference(TextCursor& in);
/// `5:22`, as often as it comes, as spans of the source. What then stands on the line, unless it is
/// a node, is the source's own text as listings show it: it says nothing new.
std::vector<Span> parse_origins(TextCursor& in, SourceId source);

/// A double as Python's repr: `2.5`, `1.0`, `1e-05`, `inf`, `nan`.
std::string number_text(double value);
/// With quotes and escapes.
std::string quoted(std::string_view text);
/// `5:22 5:11`: those of the text that the first one is in.
std::string origins_text(const std::vector<Span>& origins);
bool is_word(std::string_view text);
/// Whether spans print alike: the same lines and columns.
bool same_origins(const std::vector<Span>& a, const std::vector<Span>& b);

}  // namespace glint
