#include "frontend/identifier.h"

#include <algorithm>

namespace glint::frontend {

CodePoint decode(std::string_view text) {
  auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  uint32_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  uint32_t code = first & (0x7fu >> bytes);
  for (uint32_t i = 1; i < bytes; ++i)
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3fu);
  return {code, bytes};
}

static bool holds(std::span<const CodePointRange> ranges, uint32_t code) {
  auto after = std::ranges::upper_bound(ranges, code, {}, &CodePointRange::first);
  return after != ranges.begin() && code <= std::prev(after)->last;
}

bool is_printable(uint32_t code) {
  if (code < 0x80) return code >= 0x20 && code != 0x7f;
  return !holds(unprintable_ranges(), code);
}

size_t bad_character(std::string_view name) {
  for (size_t at = 0; at < name.size();) {
    CodePoint point = decode(name.substr(at));
    bool fits =
        point.code < 0x80 || holds(at == 0 ? name_start_ranges() : name_part_ranges(), point.code);
    if (!fits) return at;
    at += point.bytes;
  }
  return std::string_view::npos;
}

}  // namespace glint::frontend
