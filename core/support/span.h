// A span is a stretch of source text: which file, from which line and column to which.
//
// Every instruction, node and kernel statement carries one, down to the lines of assembly, so it is
// small (20 bytes), copied freely, and resolved to text only when somebody looks.
//
//     return torch.relu(x * y)        line 5, column 11 to line 5, column 28
//            ^^^^^^^^^^^^^^^^^
#pragma once

#include <cstdint>

namespace glint {

/// Names one source text (a script, a REPL entry, a library module) in a `SourceMap`.
enum class SourceId : uint32_t { kNone = 0 };

/// A half-open range of source text. Lines count from 1; columns count bytes from 0, as CPython's
/// `ast` does. A span of `SourceId::kNone` is "nowhere": code that no user wrote.
struct Span {
  SourceId source = SourceId::kNone;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t end_line = 0;
  uint32_t end_column = 0;

  bool known() const { return source != SourceId::kNone; }
  bool operator==(const Span&) const = default;
};

/// The smallest span that holds both; `b` when `a` is nowhere.
inline Span join(const Span& a, const Span& b) {
  if (!a.known()) return b;
  if (!b.known() || a.source != b.source) return a;
  Span joined = a;
  if (b.line < a.line || (b.line == a.line && b.column < a.column)) {
    joined.line = b.line;
    joined.column = b.column;
  }
  if (b.end_line > a.end_line || (b.end_line == a.end_line && b.end_column > a.end_column)) {
    joined.end_line = b.end_line;
    joined.end_column = b.end_column;
  }
  return joined;
}

}  // namespace glint
