// The one way by which a launch reaches the device.
//
//     launch_entry(entry, {.grid = {8}, .block = {256}, .arguments = ...});
//
// It is counted, told to the call that runs (backends/running_call.h), and, where launches are
// recorded, kept for the record instead of going to the device at once.
#pragma once

#include <cstdint>

#include <optional>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/eager_launches.h"

namespace glint::cuda {

/// How many launches the device was asked for since the start; a replayed record is one.
uint64_t launch_count();
void count_launch();
/// Launches an entry, and counts it; where launches are recorded, it becomes one of them. Throws
/// what fails. `moved`: where it is known.
void launch_entry(const GpuEntry& entry, const GpuLaunch& launch,
                  const std::optional<MovedBytes>& moved = std::nullopt);

}  // namespace glint::cuda
