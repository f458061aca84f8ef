// Between which steps of a schedule each tensor is alive: what `:memory` lists and the report
// draws.
//
//     launch a(%x, %t)     step 0    %t is alive from step 0 ...
//     launch b(%t, %out)   step 1    ... to step 1; %out leaves with the result
#pragma once

#include <cstddef>
#include <vector>

#include "ir/kernel.h"

namespace glint::passes {

struct Life {
  size_t first = ~size_t(0);
  size_t last = 0;
  bool leaves = false;  ///< it, or a view of it, is an output
};

/// One for each tensor; a view's uses count for its base.
std::vector<Life> find_lives(const Schedule& schedule);

}  // namespace glint::passes
