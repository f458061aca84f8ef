#include "frontend/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace glint::frontend {
namespace {

/// How many bytes the character at `at` takes; 0 where the bytes are no UTF-8.
size_t character_length(std::string_view text, size_t at) {
  auto byte_at = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  unsigned first = byte_at(at);
  if (first < 0x80) return 1;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte_at(at + i) & 0xc0) != 0x80) return 0;
  }
  unsigned second = byte_at(at + 1);
  bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  bool surrogate = first == 0xed && second >= 0xa0;
  bool too_large = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

/// The byte where the text is no UTF-8 any more; npos where it is to its end.
size_t first_bad_byte(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    size_t length = character_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(), [](unsigned char c) {
    return c == '_' ? '-' : static_cast<char>(std::tolower(c));
  });
  return made;
}

/// `coding: NAME` or `coding=NAME` in a comment that is all of the line.
std::string encoding_of_line(std::string_view line) {
  size_t start = line.find_first_not_of(" \t\f");
  if (start == std::string_view::npos || line[start] != '#') return {};
  for (size_t at = line.find("coding", start); at != std::string_view::npos;
       at = line.find("coding", at + 1)) {
    size_t sign = at + 6;
    if (sign >= line.size() || (line[sign] != ':' && line[sign] != '=')) continue;
    size_t begin = line.find_first_not_of(" \t", sign + 1);
    size_t end = begin;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) ||
                                 std::string_view("-_.").find(line[end]) != std::string_view::npos))
      ++end;
    if (begin < end) return lower(line.substr(begin, end - begin));
  }
  return {};
}

bool is_utf8_name(std::string_view name) {
  return name == "utf-8" || name == "utf8" || name == "utf" || name == "u8" ||
         name == "utf-8-sig" || name.starts_with("utf-8-");
}

/// Encodings that hold ASCII as it is, which CPython reads.
bool holds_ascii(std::string_view name) {
  constexpr std::array<std::string_view, 10> kNames = {
      "ascii",       "us-ascii", "latin-1", "latin1", "iso-8859-1",
      "iso-8859-15", "l1",       "cp1252",  "cp437",  "windows-1252"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

std::string declared_encoding(std::string_view text) {
  for (int i = 0; i < 2; ++i) {
    size_t end = text.find_first_of("\r\n");
    std::string_view line = text.substr(0, end);
    if (std::string name = encoding_of_line(line); !name.empty()) return name;
    size_t first = line.find_first_not_of(" \t\f");
    bool blank = first == std::string_view::npos || line[first] == '#';
    if (!blank || end == std::string_view::npos) return {};
    text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  return {};
}

std::optional<SyntaxError> declaration_error(std::string_view text, SourceId source) {
  std::string name = declared_encoding(text);
  if (name.empty() || is_utf8_name(name)) return std::nullopt;
  bool beyond_ascii = std::any_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  if (holds_ascii(name) && !beyond_ascii) return std::nullopt;
  SyntaxError error{SyntaxErrorKind::kSyntax, "", {source, 1, 0, 1, 1}};
  error.by_tokenizer = true;
  error.has_place = false;
  error.message =
      holds_ascii(name)
          ? fmt::format("source in `{}` is not part of the language; save the file as UTF-8", name)
          : fmt::format("encoding problem: {}", name);
  return error;
}

std::optional<SyntaxError> encoding_error(std::string_view text, SourceId source) {
  SyntaxError error{SyntaxErrorKind::kSyntax, "", {source, 1, 0, 1, 1}};
  error.by_tokenizer = true;
  error.has_place = false;
  size_t bad = first_bad_byte(text);
  size_t nul = text.find('\0');
  if (bad != std::string_view::npos) {
    error.span.line += static_cast<uint32_t>(std::count(text.begin(), text.begin() + bad, '\n'));
    error.span.end_line = error.span.line;
    error.bad_byte = static_cast<unsigned char>(text[bad]);
    return error;
  }
  if (nul == std::string_view::npos) return std::nullopt;
  error.message = "source code cannot contain null bytes";
  error.has_place = true;
  error.has_caret = false;
  error.span.line += static_cast<uint32_t>(std::count(text.begin(), text.begin() + nul, '\n'));
  error.span.end_line = error.span.line;
  size_t start = text.rfind('\n', nul);
  start = start == std::string_view::npos ? 0 : start + 1;
  error.shown = text.substr(start, nul - start);
  return error;
}

}  // namespace glint::frontend
