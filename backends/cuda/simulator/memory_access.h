// From the addresses of a warp's lanes to bytes of the host: every access of memory comes through
// here, where it is checked and counted.
//
//     LanePointers at;
//     if (!reach(warp, instruction, mask, {4, AccessKind::kLoad}, at)) return;   // the warp has
//     faulted
#pragma once

#include "backends/cuda/simulator/shared_access.h"
#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {

struct Access {
  uint32_t size = 0;  ///< bytes a lane
  AccessKind kind = AccessKind::kLoad;
  bool is_flag = false;  ///< as SharedAccess has it
};

using LanePointers = std::array<std::byte*, kLanes>;

/// Fills in the pointers of the lanes of `mask`; false where one of them is at fault.
bool reach(Warp& warp, const Instruction& instruction, uint32_t mask, Access access,
           LanePointers& at);

}  // namespace glint::simulator
