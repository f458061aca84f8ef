// Lines that fit a terminal.
//
//     on a GPU (compute_80)            grid  block  ...       what is wider than the terminal, here
//     layer_norm_softmax_and_6_more       2    256  ...       a table, is folded behind its first
//                                                             column:
//     on a GPU (compute_80)
//         grid  block  ...
//     layer_norm_softmax_and_6_more
//            2    256  ...
//
// A table is what stands in lines of one width, with a gap of two blanks at the same place in all.
// Of what lines of a source did, the counts move together and the source is cut. All other lines
// are left as they are: IR reads back from what a terminal shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/stage_log.h"

namespace glint::render {

/// The columns of the terminal behind standard output; 0 where there is none, and all fits.
size_t fitting_width();

/// The beginning of a text that is too wide, with points behind it.
std::string cut_to(std::string_view text, size_t columns);

std::vector<StageLine> narrowed(std::vector<StageLine> lines, size_t columns);
/// The same of a text's lines.
std::string narrowed(std::string_view text, size_t columns);

/// Lines of prose, each broken at blanks where it is too wide; what is left of it is indented.
std::string folded(std::string_view text, size_t columns);

}  // namespace glint::render
