// Texts that were typed, by the names that they have in a `SourceMap`.
//
//     <repl 3>     the third entry at the REPL
//     <cell 3>     a notebook's cell
#pragma once

#include <string_view>

namespace glint {

inline bool is_typed(std::string_view name) {
  return name.starts_with("<repl ") || name.starts_with("<cell ");
}

}  // namespace glint
