#include "backends/cuda/simulator/part_barriers.h"

#include <algorithm>

#include "backends/cuda/simulator/race_faults.h"
#include "backends/cuda/simulator/shared_checks.h"
#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {
namespace {

/// Those that wait at the barrier learn what all knew that came.
void let_go(Block& block, const std::vector<Arrival>& came) {
  std::vector<Warp*> waiting;
  WarpClocks::Clock known = {};
  for (const Arrival& one : came) {
    for (size_t i = 0; i < kMostWarps; ++i) known[i] = std::max(known[i], one.clock[i]);
    Warp& warp = block.warps[one.warp];
    if (warp.state == WarpState::kAtBarrier && warp.barrier == one.barrier)
      waiting.push_back(&warp);
  }
  tell_votes(block, waiting);
  for (Warp* warp : waiting) {
    warp->state = WarpState::kRunning;
    if (block.checks) block.checks->clocks().learn(warp->index, known);
  }
  if (block.checks && waiting.size() == block.warps.size()) block.checks->barrier();
}

}  // namespace

void come_to_barrier(Warp& warp, uint32_t barrier, uint32_t count) {
  Block& block = *warp.block;
  Arrival arrival;
  arrival.barrier = barrier;
  arrival.threads = count != 0 ? count : static_cast<uint32_t>(block.warps.size()) * kLanes;
  arrival.warp = warp.index;
  if (fail_at_barrier(warp, kAllLanes)) return;
  if (block.checks) {
    arrival.clock = block.checks->clocks().end_epoch(warp.index, warp.epoch);
    block.checks->meet(warp.index, kAllLanes, warp.epoch);
  }
  block.arrivals.push_back(arrival);
  const auto other =
      std::stable_partition(block.arrivals.begin(), block.arrivals.end(), [&](const Arrival& one) {
        return one.barrier != arrival.barrier || one.threads != arrival.threads;
      });
  if (static_cast<size_t>(block.arrivals.end() - other) * kLanes < arrival.threads) return;
  const std::vector<Arrival> came(other, block.arrivals.end());
  block.arrivals.erase(other, block.arrivals.end());
  let_go(block, came);
}

}  // namespace glint::simulator
