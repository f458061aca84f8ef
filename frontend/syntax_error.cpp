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
  }
  return "SyntaxError";
}

std::string print(const SyntaxError& error, const SourceMap& sources) {
  const Span& span = error.span;
  std::string out = fmt::format("  File \"{}\", line {}\n", sources.name(span.source), span.line);
  std::string_view line = sources.line(span.source, span.line);
  size_t indent = std::min(line.find_first_not_of(" \t\f"), line.size());
  std::string_view shown = line.substr(indent);
  if (!shown.empty()) {
    out += fmt::format("    {}\n", shown);
    size_t column = span.column < indent ? 0 : span.column - indent;
    size_t end = span.end_line == span.line ? span.end_column : line.size();
    size_t width = end > span.column ? end - span.column : 1;
    // CPython has no column for these two.
    bool placeless = error.kind == SyntaxErrorKind::kTab || error.message == "unexpected indent";
    if (!placeless) {
      // CPython counts characters, not bytes, in front of and under the caret.
      auto characters = [&](size_t from, size_t count) {
        std::string_view part = shown.substr(std::min(from, shown.size()), count);
        return static_cast<size_t>(std::count_if(part.begin(), part.end(), [](char c) {
          return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
        }));
      };
      size_t lead = characters(0, column) + (column > shown.size() ? column - shown.size() : 0);
      size_t carets = std::max<size_t>(1, characters(column, width));
      out += fmt::format("    {}{}\n", std::string(lead, ' '), std::string(carets, '^'));
    }
  }
  return out + fmt::format("{}: {}\n", class_name(error.kind), error.message);
}

}  // namespace glint::frontend
