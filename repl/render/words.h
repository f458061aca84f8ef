// Where the words of a text end, for whatever reads code: names, numbers, strings.
#pragma once

#include <cstddef>
#include <string_view>

namespace glint::render {

bool is_digit(char c);
/// A letter, an underscore, any letter beyond ASCII.
bool is_name_start(char c);
bool is_name_part(char c);

/// Behind the name, or the number, that begins there.
size_t name_end(std::string_view source, size_t begin);
size_t number_end(std::string_view source, size_t begin);

/// Behind the string literal whose opening quote is at `begin`; the end of the text when it is not
/// closed. A one-line string also ends at the end of its line.
size_t string_end(std::string_view source, size_t begin);

}  // namespace glint::render
