// The columns that a text takes on a screen: East Asian wide characters take two, all others one.
//
//     text_width("ab") == 2        text_width("日本") == 4
//
// Combining marks count too: CPython places its carets so.
#pragma once

#include <cstddef>
#include <string_view>

namespace glint {

/// Of UTF-8.
size_t text_width(std::string_view text);

}  // namespace glint
