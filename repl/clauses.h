// Where the clauses of a compound statement stand.
//
//     if x:
//         y
//         else:        typed behind the block's indentation, it goes back to that of its `if`
#pragma once

#include <string>
#include <string_view>

namespace glint {

/// The text with its last line, if that is the head of an `else`, `elif`, `except`, `finally` or
/// `case`, as far in as the nearest statement above that the clause can go on with.
std::string with_clause_placed(const std::string& text);

}  // namespace glint
