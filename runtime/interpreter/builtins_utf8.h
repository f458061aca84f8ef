// UTF-8 text seen as code points, which is what Python's strings count in.
//
//     count_code_points("añb")        3
//     byte_offset("añb", 2)           3      where code point 2 begins
//     prefix_code_points("añb", 2)    "añ"
//
// Strings are kept as UTF-8. Text that is all ASCII (most of it) takes the short way everywhere:
// a code point's index is its byte offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glint::runtime {

/// Bytes of the code point that begins with `lead`.
inline size_t code_point_size(char lead) {
  unsigned char c = static_cast<unsigned char>(lead);
  if (c < 0x80) return 1;
  if (c < 0xe0) return 2;
  return c < 0xf0 ? 3 : 4;
}

bool is_ascii(std::string_view text);
/// Code points of UTF-8 text (object.h declares it too).
int64_t count_code_points(std::string_view text);
/// The byte at which code point `index` begins; the size of the text at and behind its end.
size_t byte_offset(std::string_view text, size_t index);
/// How many code points begin before byte `offset`.
inline size_t code_point_index(std::string_view text, size_t offset) {
  return static_cast<size_t>(count_code_points(text.substr(0, offset)));
}
inline std::string_view prefix_code_points(std::string_view text, size_t count) {
  return text.substr(0, byte_offset(text, count));
}

struct CodePoint {
  uint32_t value = 0;
  size_t size = 1;  ///< in bytes
};
/// The code point at byte `offset`, which must be the start of one.
CodePoint decode_code_point(std::string_view text, size_t offset);
std::string encode_code_point(uint32_t value);
void append_code_point(std::string& out, uint32_t value);

/// True for a text that is well-formed UTF-8.
bool is_valid_utf8(std::string_view text);

// What Unicode says of one code point.
bool is_space(uint32_t c);
bool is_alpha(uint32_t c);
bool is_digit(uint32_t c);
bool is_upper(uint32_t c);
bool is_lower(uint32_t c);
bool is_printable(uint32_t c);
uint32_t to_upper(uint32_t c);
uint32_t to_lower(uint32_t c);

/// Calls `f(code point)` for each code point of `text`.
template <class F>
void for_each_code_point(std::string_view text, F f) {
  for (size_t at = 0; at < text.size();) {
    CodePoint point = decode_code_point(text, at);
    f(point.value);
    at += point.size;
  }
}

/// `repr` of a str: the quotes that need the fewest escapes, unprintable characters escaped.
std::string text_repr(std::string_view text);
/// `repr` of a bytes object: `b'a\x00'`.
std::string bytes_repr(std::string_view bytes);

}  // namespace glint::runtime
