// The manual's page of the functions that the library makes of operators: docs/functions.md.
//
//     | `hypot(input, other)` | yes | In float64, and in parts of the longer side, ... |
//
// It is read from the library's text: the `def` of a function, and the documentation under it.
#pragma once

#include <string>

namespace glint {

/// The page in Markdown, a row for each function of `torch` and `torch.nn.functional`.
std::string functions_manual();

}  // namespace glint
