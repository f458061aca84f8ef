// Accesses of several nests of a body, held against one another: whether iterations of the same
// number touch the same element.
//
//     reduce j in 0..1000 { a = load %x[i, j] ... }
//     parallel k in 0..1000 { b = load %x[i, k] ... }  the same: 1000*i + the loop's index
#pragma once

#include <utility>
#include <vector>

#include "backends/cuda/codegen/loop_nest.h"

namespace glint::cuda {

/// Where an access lies, with a nest's loops named by their position: comparable between nests.
struct RelativePlace {
  SymInt constant;
  std::vector<std::pair<int64_t, SymInt>> terms;
  bool operator==(const RelativePlace&) const = default;
};
RelativePlace relative_place(const Kernel& kernel, const Access& access, const Nest& nest);

bool same_extents(const Kernel& kernel, const Nest& a, const Nest& b);

/// Whether what an access names depends on the nest's loops and on nothing that is made in it.
bool is_walked(const RelativePlace& place, const Nest& nest);

/// Whether each iteration has an element of its own, in order.
bool is_own_element(const Kernel& kernel, const RelativePlace& place, const Nest& nest);

}  // namespace glint::cuda
