#include "runtime/interpreter/builtins_text_algorithms.h"

#include <algorithm>
#include <stdexcept>

#include "runtime/interpreter/builtins_utf8.h"

namespace glint::runtime {
namespace {

/// The byte where the code point before `end` begins.
size_t previous_start(std::string_view text, size_t end) {
  do --end;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80);
  return end;
}

bool strips(uint32_t c, const std::string_view* characters) {
  if (!characters) return is_space(c);
  return characters->find(encode_code_point(c)) != std::string_view::npos;
}

template <class Predicate>
bool all_of(std::string_view text, Predicate holds) {
  bool all = !text.empty();
  for_each_code_point(text, [&](uint32_t c) { all = all && holds(c); });
  return all;
}

std::string repeat(std::string_view fill, int64_t count) {
  std::string out;
  if (count <= 0) return out;
  // What is far too much fails here, not when all memory is used.
  auto copies = static_cast<size_t>(count);
  if (copies > out.max_size() / std::max<size_t>(fill.size(), 1)) throw std::length_error("repeat");
  out.reserve(copies * fill.size());
  for (int64_t i = 0; i < count; ++i) out += fill;
  return out;
}

int64_t missing(std::string_view text, int64_t width) {
  return std::max<int64_t>(0, width - count_code_points(text));
}

bool is_line_end(uint32_t c) {
  return (c >= '\n' && c <= '\r') || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

}  // namespace

TextPieces split(std::string_view text, std::string_view separator, int64_t limit) {
  TextPieces pieces;
  size_t start = 0;
  while (limit != 0) {
    size_t found = text.find(separator, start);
    if (found == std::string_view::npos) break;
    pieces.push_back(text.substr(start, found - start));
    start = found + separator.size();
    --limit;
  }
  pieces.push_back(text.substr(start));
  return pieces;
}

TextPieces split_from_right(std::string_view text, std::string_view separator, int64_t limit) {
  TextPieces pieces;
  while (limit != 0) {
    size_t found = text.rfind(separator);
    if (found == std::string_view::npos) break;
    pieces.push_back(text.substr(found + separator.size()));
    text = text.substr(0, found);
    --limit;
  }
  pieces.push_back(text);
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

TextPieces split_at_spaces(std::string_view text, int64_t limit) {
  TextPieces pieces;
  text = strip_left(text, nullptr);
  while (!text.empty() && limit != 0) {
    size_t end = 0;
    while (end < text.size() && !is_space(decode_code_point(text, end).value))
      end += code_point_size(text[end]);
    pieces.push_back(text.substr(0, end));
    text = strip_left(text.substr(end), nullptr);
    --limit;
  }
  if (!text.empty()) pieces.push_back(text);
  return pieces;
}

TextPieces split_at_spaces_from_right(std::string_view text, int64_t limit) {
  TextPieces pieces;
  text = strip_right(text, nullptr);
  while (!text.empty() && limit != 0) {
    size_t start = text.size();
    while (start > 0) {
      size_t before = previous_start(text, start);
      if (is_space(decode_code_point(text, before).value)) break;
      start = before;
    }
    pieces.push_back(text.substr(start));
    text = strip_right(text.substr(0, start), nullptr);
    --limit;
  }
  if (!text.empty()) pieces.push_back(text);
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

TextPieces split_lines(std::string_view text, bool keep_ends) {
  TextPieces lines;
  size_t start = 0;
  for (size_t at = 0; at < text.size();) {
    CodePoint point = decode_code_point(text, at);
    size_t end = at;
    at += point.size;
    if (!is_line_end(point.value)) continue;
    if (point.value == '\r' && at < text.size() && text[at] == '\n') ++at;
    lines.push_back(text.substr(start, (keep_ends ? at : end) - start));
    start = at;
  }
  if (start < text.size()) lines.push_back(text.substr(start));
  return lines;
}

std::string_view strip_left(std::string_view text, const std::string_view* characters) {
  while (!text.empty()) {
    CodePoint point = decode_code_point(text, 0);
    if (!strips(point.value, characters)) break;
    text.remove_prefix(point.size);
  }
  return text;
}

std::string_view strip_right(std::string_view text, const std::string_view* characters) {
  while (!text.empty()) {
    size_t start = previous_start(text, text.size());
    if (!strips(decode_code_point(text, start).value, characters)) break;
    text = text.substr(0, start);
  }
  return text;
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to,
                        int64_t limit) {
  std::string out;
  size_t at = 0;
  if (from.empty()) {
    while (limit != 0) {
      out += to;
      --limit;
      if (at >= text.size()) return out;
      size_t size = code_point_size(text[at]);
      out += text.substr(at, size);
      at += size;
    }
    return out += text.substr(at);
  }
  while (limit != 0) {
    size_t found = text.find(from, at);
    if (found == std::string_view::npos) break;
    out += text.substr(at, found - at);
    out += to;
    at = found + from.size();
    --limit;
  }
  return out += text.substr(at);
}

int64_t count_occurrences(std::string_view text, std::string_view part) {
  if (part.empty()) return count_code_points(text) + 1;
  int64_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

std::string expand_tabs(std::string_view text, int64_t tab_size) {
  std::string out;
  int64_t column = 0;
  for_each_code_point(text, [&](uint32_t c) {
    if (c == '\t') {
      int64_t spaces = tab_size > 0 ? tab_size - column % tab_size : 0;
      out += std::string(static_cast<size_t>(spaces), ' ');
      column += spaces;
      return;
    }
    append_code_point(out, c);
    column = c == '\n' || c == '\r' ? 0 : column + 1;
  });
  return out;
}

std::string center(std::string_view text, int64_t width, std::string_view fill) {
  int64_t total = missing(text, width);
  int64_t left = total / 2 + (total & width & 1);
  return repeat(fill, left) + std::string(text) + repeat(fill, total - left);
}
std::string justify_left(std::string_view text, int64_t width, std::string_view fill) {
  return std::string(text) + repeat(fill, missing(text, width));
}
std::string justify_right(std::string_view text, int64_t width, std::string_view fill) {
  return repeat(fill, missing(text, width)) + std::string(text);
}
std::string fill_zeros(std::string_view text, int64_t width) {
  size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  return std::string(text.substr(0, sign)) + repeat("0", missing(text, width)) +
         std::string(text.substr(sign));
}

bool all_alpha(std::string_view text) {
  return all_of(text, is_alpha);
}
bool all_digits(std::string_view text) {
  return all_of(text, is_digit);
}
bool all_alphanumeric(std::string_view text) {
  return all_of(text, [](uint32_t c) { return is_alpha(c) || is_digit(c); });
}
bool all_spaces(std::string_view text) {
  return all_of(text, [](uint32_t c) { return is_space(c); });
}
bool all_printable(std::string_view text) {
  return text.empty() || all_of(text, is_printable);
}

bool is_upper_case(std::string_view text) {
  bool cased = false;
  bool holds = true;
  for_each_code_point(text, [&](uint32_t c) {
    cased = cased || is_upper(c);
    holds = holds && !is_lower(c);
  });
  return cased && holds;
}
bool is_lower_case(std::string_view text) {
  bool cased = false;
  bool holds = true;
  for_each_code_point(text, [&](uint32_t c) {
    cased = cased || is_lower(c);
    holds = holds && !is_upper(c);
  });
  return cased && holds;
}
bool is_title_case(std::string_view text) {
  bool cased = false;
  bool holds = true;
  bool inside = false;
  for_each_code_point(text, [&](uint32_t c) {
    bool upper = is_upper(c);
    bool lower = is_lower(c);
    if (upper && inside) holds = false;
    if (lower && !inside) holds = false;
    inside = upper || lower;
    cased = cased || inside;
  });
  return cased && holds;
}
bool is_identifier(std::string_view text) {
  if (text.empty() || is_digit(decode_code_point(text, 0).value)) return false;
  return all_of(text, [](uint32_t c) { return c == '_' || is_alpha(c) || is_digit(c); });
}

}  // namespace glint::runtime
