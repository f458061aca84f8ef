// A stage as plain text: its lines, with the place and the source text of each in a right column.
//
//     %mul  = multiply %x, %y   : f32[4, 8]      5:22   x * y
//
// The right column stands where the longest line ends; where that is more than `kWidestColumn` to
// the right, where all but a tenth end. Of several places that a line came from the first,
// innermost one is shown. What the IR's own text says of its place is not said again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/control_characters.h"
#include "core/support/source_map.h"
#include "core/support/stage_log.h"
#include "repl/render/languages.h"

namespace glint::render {

inline constexpr size_t kWidestColumn = 64;

/// A text's lines; what stands behind the last line end is one only where there is something.
std::vector<std::string_view> lines_of(std::string_view text);

using glint::with_controls_escaped;

/// The line above a listing: `== graph f`. One style everywhere; `glint ir` passes over it.
std::string heading(std::string_view title);
bool is_heading(std::string_view line);

/// `items` behind `lead`, lines of at most `width` columns, the later ones indented as far.
std::string wrapped(std::string_view lead, const std::vector<std::string>& items, size_t width);

/// What a line of IR says itself of where it is from, at its end: `5:22`, `5:22 %mul`,
/// `from %mul 5:22`; empty where it does not.
std::string_view own_margin(const StageLine& line);

/// Behind the source of a line's place, where that is not in the main text: `   in model.py`; and
/// where the library did what is there: `   by linear.py 36:15`.
std::string elsewhere(const StageLine& line, const SourceMap& sources, SourceId main);

/// Where lines of these widths end: the longest, or, where that is far to the right, all but a
/// tenth.
size_t column_behind(std::vector<size_t> widths);

/// How a stage's lines are shown.
struct TextStyle {
  /// See `elsewhere`.
  SourceId main = SourceId::kNone;
  /// For a terminal: code in its language's colours, what stands beside it faint.
  bool has_colours = false;
  /// Columns that lines should fit in (narrow.h); 0: any number.
  size_t width = 0;
  Language language = Language::kNone;
};
/// Lines, newline-ended; without a source map no right column.
std::string text_of(const std::vector<StageLine>& lines, const SourceMap* sources,
                    const TextStyle& style = {});

}  // namespace glint::render
