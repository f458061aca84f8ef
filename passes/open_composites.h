// Takes apart the composites of a joint graph's forward whose insides its backward computes too, so
// that a cut can save what is inside.
//
//     %y    = layer_norm %x, [64]          the backward's formula has the mean of %x again:
//     %sum  = sum %x, dim=[1]       ->     %sum  = sum %x, dim=[1]           once, in the forward
//     %mean = divide %sum, 64              %mean = divide %sum, 64
//
// Only where that spares a reduction: elements are as well done again, and a composite that stays
// whole may become a library's epilogue.
#pragma once

#include "ir/graph.h"

namespace glint::passes {

/// Equal calls are merged, and views in the sizes of another tensor name the sizes.
Graph open_composites(const Graph& traced);

}  // namespace glint::passes
