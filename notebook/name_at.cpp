#include "notebook/name_at.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace glint::notebook {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}

bool is_name_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The dotted name that ends at a byte, or goes on behind it; none in a number.
std::string_view dotted_name(std::string_view text, size_t at) {
  size_t begin = at, end = at;
  while (begin > 0 && (is_name_part(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  while (end < text.size() && is_name_part(text[end])) ++end;
  while (begin < end && text[begin] == '.') ++begin;
  if (begin < end && is_digit(text[begin])) return {};
  std::string_view name = text.substr(begin, end - begin);
  return name.substr(0, name.find_last_not_of('.') + 1);
}

/// The byte behind the string that opens at `begin`, or behind the text.
size_t end_of_string(std::string_view text, size_t begin) {
  const char quote = text[begin];
  const bool is_triple = text.substr(begin, 3) == std::string(3, quote);
  const std::string closing(is_triple ? 3 : 1, quote);
  for (size_t i = begin + closing.size(); i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text.substr(i, closing.size()) == closing)
      return i + closing.size();
    else if (text[i] == '\n' && !is_triple)
      return i;
  }
  return text.size() + 1;
}

struct Place {
  std::vector<size_t> brackets;  ///< that are open, the innermost last
  bool is_code = true;           ///< in no string and no comment
};

Place place_of(std::string_view text, size_t at) {
  Place place;
  for (size_t i = 0; i < at; ++i) {
    const char c = text[i];
    size_t end = i + 1;
    if (c == '#') end = std::min(text.find('\n', i), text.size() + 1);
    if (c == '"' || c == '\'') end = end_of_string(text, i);
    if (end > at) place.is_code = false;
    if (c == '(' || c == '[' || c == '{') place.brackets.push_back(i);
    if ((c == ')' || c == ']' || c == '}') && !place.brackets.empty()) place.brackets.pop_back();
    i = end - 1;
  }
  return place;
}

}  // namespace

std::string name_at(std::string_view text, size_t at) {
  at = std::min(at, text.size());
  Place place = place_of(text, at);
  std::string_view name = place.is_code ? dotted_name(text, at) : std::string_view();
  for (; name.empty() && !place.brackets.empty(); place.brackets.pop_back()) {
    const size_t open = place.brackets.back();
    if (text[open] == '(') name = dotted_name(text.substr(0, open), open);
  }
  if (name.empty()) return {};
  size_t begin = static_cast<size_t>(name.data() - text.data());
  bool command = begin > 0 && text[begin - 1] == ':' && (begin == 1 || text[begin - 2] == '\n');
  return (command ? ":" : "") + std::string(name);
}

}  // namespace glint::notebook
