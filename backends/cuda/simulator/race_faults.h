// Where a thread comes to a barrier, or to its end, with a race that its reads were in: the launch
// ends with the access that met it. Of no race these give false.
#pragma once

#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {

/// Of lanes of a warp.
bool fail_at_barrier(Warp& warp, uint32_t lanes);
/// Of all threads of the block.
bool fail_at_barrier(Block& block);

}  // namespace glint::simulator
