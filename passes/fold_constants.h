// Runs calls whose operands are all known at compile time, and puts constants in their place.
//
//     %c = constant [1.0, 2.0] : f32[2]        %e = constant [2.718.., 7.389..] : f32[2]
//     %e = exp %c                        ->
//
// The eager kernels do the computing, so the bits are eager's. Only small results are folded
// (`kLargestConstant` elements): a large one is cheaper to make than to keep. Views of constants
// are folded with them; fills and ranges alone are not, since kernels make their elements for
// nothing.
#pragma once

#include "ir/graph.h"

namespace glint::passes {

inline constexpr int64_t kLargestConstant = 64;

Graph fold_constants(const Graph& graph);

}  // namespace glint::passes
