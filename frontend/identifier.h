// Which characters beyond ASCII a name may hold: Unicode's XID_Start and XID_Continue.
//
//     size_t at = bad_character("caf\u00e9");        // npos: a name
//     size_t at = bad_character("price\u20ac");      // 5: the euro sign is no letter
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace glint::frontend {

struct CodePointRange {
  uint32_t first;
  uint32_t last;
};
/// Sorted, from U+0080 on; made at build time from CPython's own tables.
std::span<const CodePointRange> name_start_ranges();
std::span<const CodePointRange> name_part_ranges();
std::span<const CodePointRange> unprintable_ranges();

/// The byte at which the first character stands that no name holds there; npos if there is none.
/// ASCII is taken as checked: the lexer has no other in names.
size_t bad_character(std::string_view name);

/// Whether a character is shown as itself, by Unicode's account.
bool is_printable(uint32_t code);

/// One code point of valid UTF-8, and how many bytes it takes.
struct CodePoint {
  uint32_t code;
  uint32_t bytes;
};
CodePoint decode(std::string_view text);

}  // namespace glint::frontend
