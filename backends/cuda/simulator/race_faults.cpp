#include "backends/cuda/simulator/race_faults.h"

#include "backends/cuda/simulator/shared_checks.h"

namespace glint::simulator {
namespace {

bool fail(Block& block, const std::optional<SharedChecks::Finding>& finding) {
  if (!finding) return false;
  block.warps[finding->thread / kLanes].fail(FaultKind::kRace, *finding->instruction,
                                             finding->thread % kLanes, finding->text());
  return true;
}

}  // namespace

bool fail_at_barrier(Warp& warp, uint32_t lanes) {
  Block& block = *warp.block;
  if (!block.checks || !fail(block, block.checks->finding_at_barrier(warp.index, lanes)))
    return false;
  warp.state = WarpState::kFaulted;
  return true;
}

bool fail_at_barrier(Block& block) {
  return block.checks && fail(block, block.checks->finding_at_barrier());
}

}  // namespace glint::simulator
