#include "repl/columns.h"

#include <clocale>
#include <cwchar>

#include <algorithm>
#include <cctype>

namespace glint {
namespace {

constexpr char32_t kJoiner = 0x200d;
constexpr size_t kTab = 8;

bool is_continuation_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

size_t code_point_end(std::string_view text, size_t position) {
  if (position < text.size()) ++position;
  while (position < text.size() && is_continuation_byte(text[position])) ++position;
  return position;
}

size_t code_point_begin(std::string_view text, size_t end) {
  if (end > 0) --end;
  while (end > 0 && is_continuation_byte(text[end])) --end;
  return end;
}

/// The code point whose bytes these are; they come from a Python source, so they are valid, and any
/// others are read as what their bits say.
char32_t decoded(std::string_view bytes) {
  if (bytes.size() <= 1) return bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
  constexpr size_t kMostBytes = 4;
  bytes = bytes.substr(0, kMostBytes);
  char32_t code = static_cast<unsigned char>(bytes[0]) & (0xffU >> (bytes.size() + 1));
  for (char c : bytes.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return code;
}

/// Of one code point. The program runs in the C locale, which knows ASCII alone.
size_t width_of(char32_t code) {
  if (code < 0x7f) return 1;
  static const locale_t unicode = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (!unicode) return 1;
  const locale_t before = ::uselocale(unicode);
  const int width = ::wcwidth(static_cast<wchar_t>(code));
  ::uselocale(before);
  return width < 0 ? 1 : static_cast<size_t>(width);
}

/// Whether the code point belongs to the character before it.
bool is_mark(char32_t code) {
  return code >= 0x300 && (width_of(code) == 0 || (code >= 0x1f3fb && code <= 0x1f3ff));
}

size_t escape_sequence_end(std::string_view text, size_t position) {
  while (position < text.size() && !std::isalpha(static_cast<unsigned char>(text[position])))
    ++position;
  return std::min(position + 1, text.size());
}

}  // namespace

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b') {
      i = escape_sequence_end(text, i);
      continue;
    }
    const size_t end = code_point_end(text, i);
    width += width_of(decoded(text.substr(i, end - i)));
    i = end;
  }
  return width;
}

std::string with_tabs_expanded(std::string_view line) {
  std::string out;
  for (char c : line) {
    if (c == '\t')
      out.append(kTab - display_width(out) % kTab, ' ');
    else
      out += c;
  }
  return out;
}

std::string_view fitting(std::string_view text, size_t columns) {
  size_t taken = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t end = next_stop(text, i);
    taken += display_width(text.substr(i, end - i));
    if (taken > columns) return text.substr(0, i);
    i = end;
  }
  return text;
}

size_t next_stop(std::string_view text, size_t position) {
  size_t end = code_point_end(text, position);
  while (end < text.size()) {
    const size_t after = code_point_end(text, end);
    const char32_t code = decoded(text.substr(end, after - end));
    if (!is_mark(code)) break;
    end = code == kJoiner ? code_point_end(text, after) : after;
  }
  return end;
}

size_t previous_stop(std::string_view text, size_t position) {
  // From a place where a character begins for certain: a line's first, or one of ASCII.
  size_t begin = code_point_begin(text, position);
  while (begin > 0 && static_cast<unsigned char>(text[begin]) >= 0x80)
    begin = code_point_begin(text, begin);
  for (;;) {
    const size_t next = next_stop(text, begin);
    if (next >= position) return begin;
    begin = next;
  }
}

}  // namespace glint
