// The algorithms behind the methods of `str`: text in, text out, no interpreter values.
//
//     split("a,b,,c", ",", -1)       {"a", "b", "", "c"}
//     title_case("hello world")      "Hello World"
//     replace_all("aXbX", "X", "-", 1)   "a-bX"
//
// Offsets are bytes throughout; the methods turn code point indices into bytes and back. Views
// returned point into the argument.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glint::runtime {

using TextPieces = std::vector<std::string_view>;

/// `text.split(separator, limit)`; a limit below 0 means none. The separator is not empty.
TextPieces split(std::string_view text, std::string_view separator, int64_t limit);
TextPieces split_from_right(std::string_view text, std::string_view separator, int64_t limit);
/// `text.split(None, limit)`: at runs of white space.
TextPieces split_at_spaces(std::string_view text, int64_t limit);
TextPieces split_at_spaces_from_right(std::string_view text, int64_t limit);
TextPieces split_lines(std::string_view text, bool keep_ends);

/// Strips white space, or any of the code points of `characters` where that is given.
std::string_view strip_left(std::string_view text, const std::string_view* characters);
std::string_view strip_right(std::string_view text, const std::string_view* characters);

/// Replaces the first `limit` occurrences (all when below 0).
std::string replace_all(std::string_view text, std::string_view from, std::string_view to,
                        int64_t limit);
int64_t count_occurrences(std::string_view text, std::string_view part);

std::string upper_case(std::string_view text);
std::string lower_case(std::string_view text);
/// For comparison without case.
std::string fold_case(std::string_view text);
std::string swap_case(std::string_view text);
std::string title_case(std::string_view text);
std::string capitalize(std::string_view text);
std::string expand_tabs(std::string_view text, int64_t tab_size);

/// `text` in the middle, left or right of `width` code points of `fill`.
std::string center(std::string_view text, int64_t width, std::string_view fill);
std::string justify_left(std::string_view text, int64_t width, std::string_view fill);
std::string justify_right(std::string_view text, int64_t width, std::string_view fill);
std::string fill_zeros(std::string_view text, int64_t width);

// Questions that hold of every code point of a text that is not empty.
bool all_alpha(std::string_view text);
bool all_digits(std::string_view text);
bool all_alphanumeric(std::string_view text);
bool all_spaces(std::string_view text);
bool all_printable(std::string_view text);
bool is_upper_case(std::string_view text);
bool is_lower_case(std::string_view text);
bool is_title_case(std::string_view text);
bool is_identifier(std::string_view text);

}  // namespace glint::runtime
