#include "notebook/name_at.h"

#include <algorithm>
#include <cctype>

namespace glint::notebook {
namespace {

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The dotted name that ends at a byte, or goes on behind it.
std::string_view dotted_name(std::string_view text, size_t at) {
  size_t begin = at, end = at;
  while (begin > 0 && (is_letter(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  while (end < text.size() && is_letter(text[end])) ++end;
  while (begin < end && text[begin] == '.') ++begin;
  std::string_view name = text.substr(begin, end - begin);
  return name.substr(0, name.find_last_not_of('.') + 1);
}

/// Where the bracket of the call opens that a byte is in; `npos`: it is in none.
size_t call_around(std::string_view text, size_t at) {
  int closed = 0;
  for (size_t i = at; i-- > 0;) {
    if (text[i] == ')') ++closed;
    if (text[i] == '(' && closed-- == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::string name_at(std::string_view text, size_t at) {
  at = std::min(at, text.size());
  std::string_view name = dotted_name(text, at);
  for (size_t place = at; name.empty();) {
    place = call_around(text, place);
    if (place == std::string_view::npos) return {};
    name = dotted_name(text.substr(0, place), place);
  }
  size_t begin = static_cast<size_t>(name.data() - text.data());
  bool command = begin > 0 && text[begin - 1] == ':' && (begin == 1 || text[begin - 2] == '\n');
  return (command ? ":" : "") + std::string(name);
}

}  // namespace glint::notebook
