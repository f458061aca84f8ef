#include "backends/cuda/device/launches_in_turn.h"

namespace glint::cuda {

std::optional<Error> LaunchesInTurn::change(size_t which, const PendingLaunch& launch) {
  launches_[which] = launch;
  return std::nullopt;
}

std::optional<Error> LaunchesInTurn::replay() {
  for (const PendingLaunch& each : launches_) {
    if (auto fault = gpu_.launch(*each.entry, each.launch)) return fault;
    if (each.check != nullptr && *each.check != 0) break;
  }
  return std::nullopt;
}

}  // namespace glint::cuda
