#include "frontend/annotation_text.h"

#include <algorithm>
#include <cctype>

namespace glint::frontend {
namespace {

size_t offset_of(std::string_view source, uint32_t line, uint32_t column) {
  size_t begin = 0;
  for (uint32_t at = 1; at < line; ++at) {
    size_t end = source.find('\n', begin);
    if (end == std::string_view::npos) return source.size();
    begin = end + 1;
  }
  return std::min(source.size(), begin + column);
}

/// A plain string, quoted as `repr` does where it holds neither quotes nor escapes.
std::string requoted(std::string_view literal) {
  std::string_view inside = literal.substr(1, literal.size() - 2);
  bool plain = literal.size() >= 2 && inside.find_first_of("'\"\\") == std::string_view::npos;
  return plain ? "'" + std::string(inside) + "'" : std::string(literal);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}

}  // namespace

std::string annotation_text(std::string_view source, const Span& annotation) {
  size_t at = offset_of(source, annotation.line, annotation.column);
  const size_t end = offset_of(source, annotation.end_line, annotation.end_column);
  std::string text;
  bool spaced = false;  // since the last character that was kept
  for (; at < end; ++at) {
    const char c = source[at];
    if (c == '#') {
      at = std::min(source.find('\n', at), end);
    } else if (c == '\\' || std::isspace(static_cast<unsigned char>(c)) != 0) {
      spaced = true;
    } else if (c == '"' || c == '\'') {
      size_t behind = source.find(c, at + 1);
      behind = behind == std::string_view::npos ? end : std::min(behind + 1, end);
      text += requoted(source.substr(at, behind - at));
      at = behind - 1;
      spaced = false;
    } else {
      // Words that only a space keeps apart: `x if y else z`.
      if (spaced && !text.empty() && is_word(text.back()) && is_word(c)) text += ' ';
      spaced = false;
      text += c == ',' ? ", " : c == '|' ? " | " : std::string(1, c);
    }
  }
  // No space behind the comma of a tuple of one.
  for (size_t comma; (comma = text.find(", ]")) != std::string::npos;) text.erase(comma + 1, 1);
  return text;
}

}  // namespace glint::frontend
