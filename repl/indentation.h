// How far in a line begins, told by the statement and the brackets before it, not by how the text
// ends.
//
//     def f(x):               4 behind it: a block
//         a = [x,             9: what follows a bracket stands below it
//              1]             4: the statement began there
//         return a            0: nothing of the block runs behind it
#pragma once

#include <cstddef>
#include <string_view>

namespace glint {

/// Of the line that Enter begins behind the text; inside a string as far in as the line before.
size_t indent_behind(std::string_view text);

/// Of a line that begins with the bracket that closes what the text has open: that of the line in
/// which it was opened.
size_t indent_of_closer(std::string_view text);

}  // namespace glint
