#include "repl/render/words.h"

#include <cctype>
#include <string>

namespace glint::render {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

size_t name_end(std::string_view source, size_t begin) {
  size_t end = begin;
  while (end < source.size() && is_name_part(source[end])) ++end;
  return end;
}

size_t number_end(std::string_view source, size_t begin) {
  size_t end = begin;
  while (end < source.size() && (is_name_part(source[end]) || source[end] == '.')) {
    bool exponent = source[end] == 'e' || source[end] == 'E';
    ++end;
    if (exponent && end < source.size() && (source[end] == '-' || source[end] == '+')) ++end;
  }
  return end;
}

size_t string_end(std::string_view source, size_t begin) {
  char quote = source[begin];
  bool triple = source.substr(begin, 3) == std::string(3, quote);
  size_t length = triple ? 3 : 1;
  for (size_t i = begin + length; i < source.size(); ++i) {
    if (source[i] == '\\')
      ++i;
    else if (source.substr(i, length) == std::string(length, quote))
      return i + length;
    else if (!triple && source[i] == '\n')
      return i;
  }
  return source.size();
}

}  // namespace glint::render
