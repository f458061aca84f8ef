// Which lines of two listings are the same ones: what stands once on both sides holds the others in
// place, so that a line that moved is taken away and put in again.
//
//     before   a b c d        after   d a b c        partners   1 2 3 none
//
// Numbers in front of lines, and how many blanks there are, are no difference.
#pragma once

#include <cstdint>
#include <vector>

#include "core/support/stage_log.h"

namespace glint::report {

/// For each line before, its place after; `kNone` for those that went. Places rise.
std::vector<uint32_t> matching_lines(const std::vector<StageLine>& before,
                                     const std::vector<StageLine>& after);

}  // namespace glint::report
