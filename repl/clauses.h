// Where the clauses of a compound statement stand, and the lines behind a line.
//
//     if x:
//         y
//         else:        typed behind the block's indentation, it goes back to that of its `if`
#pragma once

#include <string>
#include <string_view>

namespace glint {

/// The text with its last line, if that is the head of an `else`, `elif`, `except` or `finally`,
/// as far in as the nearest statement above that the clause can go on with.
std::string with_clause_placed(const std::string& text);

/// How far in the line behind this one begins: deeper behind a colon or an open bracket, less deep
/// behind what leaves its block.
size_t indent_behind(std::string_view line);

}  // namespace glint
