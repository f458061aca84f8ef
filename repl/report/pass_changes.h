// What each pass changed, with some unchanged lines around it.
//
//         %mul  = multiply %x, %y
//     -   %relu = relu %mul
//     +   %relu = clamp_min %mul, 0
//       return %relu
//
// Passes on graphs are compared with the graph before, those on schedules with the schedule before.
// Two lines are the same where they differ in blanks and in the number of a statement only, so that
// a wider column or an earlier insertion changes nothing. The comparison takes lines that occur
// once on both sides as its fixed points, so that its time grows with the length and not with its
// square.
#pragma once

#include <vector>

#include "passes/pass_log.h"
#include "repl/report/links.h"

namespace glint::report {

/// `-`, `+` and ` ` lines; `@` with a count where unchanged ones were left out.
struct ChangedLine {
  StageLine line;
  char mark = ' ';
  uint32_t at = kNone;  ///< its place: before the pass where it went, else behind it
};
std::vector<ChangedLine> changed_lines(const std::vector<StageLine>& before,
                                       const std::vector<StageLine>& after);

std::vector<PassChange> pass_changes(const passes::PassLog& log, uint32_t region, Links& links);

}  // namespace glint::report
