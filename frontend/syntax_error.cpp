#include "frontend/syntax_error.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint::frontend {

std::string_view class_name(SyntaxErrorKind kind) {
  switch (kind) {
    case SyntaxErrorKind::kSyntax:
      return "SyntaxError";
    case SyntaxErrorKind::kIndentation:
      return "IndentationError";
    case SyntaxErrorKind::kTab:
      return "TabError";
    case SyntaxErrorKind::kMemory:
      return "MemoryError";
    case SyntaxErrorKind::kRecursion:
      return "RecursionError";
  }
  return "SyntaxError";
}

std::string_view shown_line(const SyntaxError& error, const SourceMap& sources) {
  return error.shown.empty() ? sources.line(error.span.source, error.span.line) : error.shown;
}

bool has_caret(const SyntaxError& error) {
  // CPython has no column for these.
  return error.has_caret && error.kind != SyntaxErrorKind::kTab;
}

size_t characters(std::string_view line, size_t bytes) {
  std::string_view part = line.substr(0, bytes);
  auto inside = std::count_if(part.begin(), part.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  });
  return static_cast<size_t>(inside) + (bytes - part.size());
}

std::string message_of(const SyntaxError& error, const SourceMap& sources) {
  if (error.bad_byte == 0) return error.message;
  return fmt::format(
      "Non-UTF-8 code starting with '\\x{:x}' in file {} on line {}, but no encoding declared; see "
      "https://peps.python.org/pep-0263/ for details",
      error.bad_byte, sources.name(error.span.source), error.span.line);
}

size_t column_of(const SyntaxError& error, std::string_view line, size_t byte) {
  return error.counts_bytes ? byte : characters(line, byte);
}

std::string print(const SyntaxError& error, const SourceMap& sources) {
  const Span& span = error.span;
  std::string last = fmt::format("{}{}{}\n", class_name(error.kind),
                                 error.message.empty() && error.bad_byte == 0 ? "" : ": ",
                                 message_of(error, sources));
  if (!error.has_place) return last;
  std::string out = fmt::format("  File \"{}\", line {}\n", sources.name(span.source), span.line);
  std::string_view line = shown_line(error, sources);
  size_t indent = std::min(line.find_first_not_of(" \t\f"), line.size());
  if (indent < line.size()) {
    out += fmt::format("    {}\n", line.substr(indent));
    if (has_caret(error) && span.column >= indent) {
      size_t end = span.end_line == span.line ? span.end_column : line.size();
      size_t column = column_of(error, line, span.column);
      size_t end_column = std::max(column_of(error, line, end), column + 1);
      out += fmt::format("    {}{}\n", std::string(column - indent, ' '),
                         std::string(end_column - column, '^'));
    }
  }
  return out + last;
}

}  // namespace glint::frontend
