#include "runtime/interpreter/builtins_utf8.h"

#include <fmt/format.h>
#include <locale.h>
#include <wctype.h>

#include <algorithm>

namespace glint::runtime {
namespace {

/// The character classes of Unicode, from the C library; nothing of the user's locale matters.
locale_t unicode_locale() {
  static locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// Characters without a shape of their own: joiners, direction marks, the soft hyphen.
bool is_format_control(uint32_t c) {
  return c == 0xad || (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xe000 && c <= 0xf8ff);
}

void append_escape(std::string& out, uint32_t c) {
  switch (c) {
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (c < 0x100)
    out += fmt::format("\\x{:02x}", c);
  else if (c < 0x10000)
    out += fmt::format("\\u{:04x}", c);
  else
    out += fmt::format("\\U{:08x}", c);
}

char quote_for(std::string_view text) {
  bool single = text.find('\'') != std::string_view::npos;
  return single && text.find('"') == std::string_view::npos ? '"' : '\'';
}

std::string quoted(std::string_view text, bool only_ascii) {
  char quote = quote_for(text);
  std::string out(1, quote);
  for_each_code_point(text, [&](uint32_t c) {
    if (c == static_cast<uint32_t>(quote))
      out += std::string("\\") + quote;
    else if (c != '\\' && c >= 0x20 && c < 0x7f)
      out += static_cast<char>(c);
    else if (c >= 0x80 && !only_ascii && is_printable(c))
      append_code_point(out, c);
    else
      append_escape(out, c);
  });
  return out + quote;
}

}  // namespace

bool is_ascii(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

size_t byte_offset(std::string_view text, size_t index) {
  size_t at = 0;
  while (index > 0 && at < text.size()) {
    at += code_point_size(text[at]);
    --index;
  }
  return std::min(at, text.size());
}

CodePoint decode_code_point(std::string_view text, size_t offset) {
  auto byte = [&](size_t i) -> uint32_t {
    return offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) & 0x3fu : 0u;
  };
  uint32_t lead = static_cast<unsigned char>(text[offset]);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xe0) return {(lead & 0x1fu) << 6 | byte(1), 2};
  if (lead < 0xf0) return {(lead & 0x0fu) << 12 | byte(1) << 6 | byte(2), 3};
  return {(lead & 0x07u) << 18 | byte(1) << 12 | byte(2) << 6 | byte(3), 4};
}

void append_code_point(std::string& out, uint32_t c) {
  auto tail = [&](int shift) { out += static_cast<char>(0x80u | ((c >> shift) & 0x3fu)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0u | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0u | c >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0u | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string encode_code_point(uint32_t value) {
  std::string out;
  append_code_point(out, value);
  return out;
}

bool is_valid_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    unsigned char lead = static_cast<unsigned char>(text[at]);
    if (lead >= 0x80 && (lead < 0xc2 || lead > 0xf4)) return false;
    size_t size = code_point_size(text[at]);
    if (at + size > text.size()) return false;
    for (size_t i = 1; i < size; ++i)
      if (!is_continuation(text[at + i])) return false;
    uint32_t value = decode_code_point(text, at).value;
    if (size == 3 && value < 0x800) return false;
    if (size == 4 && (value < 0x10000 || value > 0x10ffff)) return false;
    at += size;
  }
  return true;
}

bool is_space(uint32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}
bool is_digit(uint32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  return c == 0xb2 || c == 0xb3 || c == 0xb9 || (c >= 0x660 && c <= 0x669);
}
bool is_alpha(uint32_t c) {
  if (c < 0x80) return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  return iswalpha_l(c, unicode_locale()) && !is_digit(c);
}
bool is_upper(uint32_t c) {
  return c < 0x80 ? c >= 'A' && c <= 'Z' : iswupper_l(c, unicode_locale()) != 0;
}
bool is_lower(uint32_t c) {
  return c < 0x80 ? c >= 'a' && c <= 'z' : iswlower_l(c, unicode_locale()) != 0;
}
bool is_printable(uint32_t c) {
  if (c < 0x80) return c >= 0x20 && c < 0x7f;
  return iswprint_l(c, unicode_locale()) && !is_space(c) && !is_format_control(c);
}
uint32_t to_upper(uint32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z' ? c - 32 : c;
  return towupper_l(c, unicode_locale());
}
uint32_t to_lower(uint32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  return towlower_l(c, unicode_locale());
}

std::string text_repr(std::string_view text) {
  return quoted(text, false);
}

std::string bytes_repr(std::string_view bytes) {
  char quote = quote_for(bytes);
  std::string out = std::string("b") + quote;
  for (char raw : bytes) {
    unsigned char c = static_cast<unsigned char>(raw);
    if (raw == quote)
      out += std::string("\\") + quote;
    else if (c != '\\' && c >= 0x20 && c < 0x7f)
      out += raw;
    else
      append_escape(out, c);
  }
  return out + quote;
}

}  // namespace glint::runtime
