// The index that a check is about, for those who tell of one that failed.
//
//     b = less a, 0                    an index that may count from the end: `a` is the one
//     c = add a, 5
//     d = where b, c, a
//     e = greater_equal d, 0
//     f = less d, 5
//     g = logical_and e, f
//     check g, "index out of range"    compares `a` with 5
#pragma once

#include <optional>

#include "ir/kernel.h"

namespace glint {

struct ComparedIndex {
  Operand index;  ///< as it was given
  Operand size;
};

/// Nothing where the check is of anything but `0 <= index < size`.
std::optional<ComparedIndex> compared_index(const Kernel& kernel, const Check& check);

}  // namespace glint
