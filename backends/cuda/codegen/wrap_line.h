// Lines of C++ that are too long, broken as a person would break them.
//
//     const float a = load<4>(x + 20495 * i + 4099 * j, whole, 4099 - k0, next);
//
//     const float a =
//         load<4>(x + 20495 * i + 4099 * j, whole, 4099 - k0, next);
//
//   1. A break stands behind a comma, a semicolon or a `=`, before another operator, or behind the
//      parentheses of an `if`. Of those that fit, the one in the fewest parentheses is taken, of
//      these the one whose operator binds loosest, of these the last one.
//   2. The rest stands below what is behind the parenthesis that it is in, or four columns further
//      in than the line; and is broken in turn.
//
// A line of comment is broken between words, and a comment behind code that is too long goes above
// it. Nothing else is known of the text: what has no such
// place stays as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint::cuda {

/// That a line of generated text has at most.
inline constexpr size_t kWidestLine = 100;

std::vector<std::string> wrapped_line(std::string_view line, size_t width = kWidestLine);
/// The same of each line of a text; of several empty lines one stays.
std::string wrapped_text(std::string_view text);

}  // namespace glint::cuda
