// A graph's DOT text as a picture, by Graphviz where that is installed.
//
//     draw("digraph f { ... }", "f.svg")      nothing, or why there is no picture
#pragma once

#include <optional>
#include <string>

#include "core/support/result.h"

namespace glint {

/// The picture itself, as SVG.
Result<std::string> svg_of(const std::string& dot);
std::optional<Error> draw(const std::string& dot, const std::string& file);

}  // namespace glint
