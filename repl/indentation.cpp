#include "repl/indentation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "repl/render/colour.h"

namespace glint {
namespace {

constexpr size_t kStep = 4;

struct OpenBracket {
  size_t line = 0;  ///< where its line begins
  size_t at = 0;
};

/// A text as far as indentation goes: strings and comments are blanked out.
struct Layout {
  std::string code;
  size_t statement = 0;  ///< where the last one's first line begins
  size_t line = 0;       ///< where the last line begins
  std::vector<OpenBracket> open = {};
};

Layout layout_of(std::string_view text) {
  Layout layout = {.code = render::without_texts(text)};
  const std::string& code = layout.code;
  for (size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '(' || c == '[' || c == '{') {
      layout.open.push_back({layout.line, i});
    } else if ((c == ')' || c == ']' || c == '}') && !layout.open.empty()) {
      layout.open.pop_back();
    } else if (c == '\n') {
      layout.line = i + 1;
      const bool goes_on = !layout.open.empty() || (i > 0 && code[i - 1] == '\\');
      if (!goes_on) layout.statement = layout.line;
    }
  }
  return layout;
}

size_t indent_at(std::string_view text, size_t line) {
  return std::min(text.find_first_not_of(' ', line), text.size()) - line;
}

/// Whether nothing of the statement's block runs behind it.
bool leaves_block(std::string_view statement) {
  constexpr std::string_view kLeaving[] = {"return", "pass", "break", "continue", "raise"};
  statement.remove_prefix(indent_at(statement, 0));
  const std::string_view word = statement.substr(0, statement.find_first_of(" \t;("));
  return std::ranges::find(kLeaving, word) != std::end(kLeaving);
}

}  // namespace

size_t indent_behind(std::string_view text) {
  const size_t last_line = text.rfind('\n') + 1;
  if (render::open_string(text)) return indent_at(text, last_line);
  const Layout layout = layout_of(text);
  const std::string_view code = layout.code;
  const size_t last = code.find_last_not_of(' ');
  if (!layout.open.empty()) {
    const OpenBracket& bracket = layout.open.back();
    if (bracket.line != layout.line) return indent_at(text, last_line);
    return last == bracket.at ? indent_at(code, bracket.line) + kStep
                              : bracket.at + 1 - bracket.line;
  }
  // Of an empty line, and of a comment alone, the line itself says it.
  const bool is_blank = last == std::string_view::npos || last < layout.line;
  if (is_blank) return indent_at(text, last_line);
  const size_t indent = indent_at(code, layout.statement);
  const bool first_line = layout.statement == layout.line;
  if (code[last] == '\\') return first_line ? indent + kStep : indent_at(code, layout.line);
  if (code[last] == ':') return indent + kStep;
  return leaves_block(code.substr(layout.statement)) ? indent - std::min(indent, kStep) : indent;
}

size_t indent_of_closer(std::string_view text) {
  const Layout layout = layout_of(text);
  return layout.open.empty() ? indent_at(layout.code, layout.statement)
                             : indent_at(layout.code, layout.open.back().line);
}

}  // namespace glint
