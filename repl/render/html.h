// A stage's text as a table for a notebook, beside the plain text that text.h makes.
//
//     %mul  = multiply %x, %y   : f32[4, 8]      5:22   x * y
//
// becomes a row of three cells: the line, its place, and the source there. Of generated code the
// second cell has what its comment says too, `3  %mul  5:22`. Code has its language's colours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/source_map.h"
#include "core/support/stage_log.h"
#include "repl/render/languages.h"

namespace glint::render {

/// With `&`, `<`, `>` and quotes escaped.
std::string escaped(std::string_view text);

/// As it stands, in the letters of code.
std::string html_of(std::string_view text);

/// All lines of an artifact, each with the place that it came from; `main`: see `elsewhere`.
std::string html_of(const std::vector<StageLine>& lines, const SourceMap& sources,
                    Language language = Language::kNone, SourceId main = SourceId::kNone);

/// A table in plain text, whose second line rules its columns (`------  -----`), as a table; any
/// other text as it stands.
std::string html_of_ruled(std::string_view text);

}  // namespace glint::render
