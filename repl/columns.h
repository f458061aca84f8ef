// What a text takes on a terminal's screen, and the pieces of it that a cursor stands between.
//
//     display_width("\x1b[32mabc\x1b[0m") == 3        colours take no column
//     display_width("日") == 2                         nor do marks: "é" as e and an accent is 1
//     next_stop("é=1", 0) == 3                         behind the accent, not before it
//
// The C library says how wide a character is; carets are placed by core/support/text_width.h, as
// CPython places them, which counts marks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glint {

/// How many columns UTF-8 takes on a terminal: escape sequences and marks none, wide characters
/// two.
size_t display_width(std::string_view text);

/// A line with spaces for its tabs, up to the next multiple of eight from the line's own beginning.
std::string with_tabs_expanded(std::string_view line);

/// The text's beginning that takes at most so many columns.
std::string_view fitting(std::string_view text, size_t columns);

/// Where a cursor at `position` stands next to the right or left: a character with its marks, and
/// what joiners tie together, is one step. The end of the text, or 0, where there is none.
size_t next_stop(std::string_view text, size_t position);
size_t previous_stop(std::string_view text, size_t position);

}  // namespace glint
