// A record of a device that waits for launches: one after another, each launched for itself.
//
//     LaunchesInTurn record(gpu, launches);
//     record.replay();        // up to the first that fails, or whose check does
//
// What fails is told where it was launched, and nothing runs behind it.
#pragma once

#include <vector>

#include "backends/cuda/device/device.h"

namespace glint::cuda {

class LaunchesInTurn final : public GpuRecord {
 public:
  LaunchesInTurn(Gpu& gpu, std::vector<PendingLaunch> launches)
      : gpu_(gpu), launches_(std::move(launches)) {}

  std::optional<Error> change(size_t which, const PendingLaunch& launch) override;
  std::optional<Error> replay() override;

 private:
  Gpu& gpu_;
  std::vector<PendingLaunch> launches_;
};

}  // namespace glint::cuda
