// A kernel that CUDA's driver has loaded, and what was asked of the driver for it.
//
//     const auto& kernel = static_cast<const DriverEntry&>(entry);
//     if (auto fault = driver.outcome(allow_shared(driver, kernel, launch.dynamic_shared))) ...
//     std::vector<void*> arguments = argument_places(launch);
#pragma once

#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/driver_functions.h"
#include "backends/cuda/device/repeated_launch.h"

namespace glint::cuda {

struct DriverEntry final : GpuEntry {
  DriverEntry(std::string name, std::shared_ptr<const std::string> source, CuFunction made,
              const DriverFunctions& driver)
      : GpuEntry(std::move(name), std::move(source)), function(made), repeated(driver, *this) {}

  CuFunction function;
  mutable uint32_t shared_allowed = 0;  ///< dynamic shared memory that was asked for
  mutable RepeatedLaunch repeated;
};

/// Before a launch: a kernel gets more than 48 KiB of shared memory where that was asked for.
CuResult allow_shared(const DriverFunctions& driver, const DriverEntry& entry, uint32_t bytes);

/// Where each argument of a launch lies, as the driver wants it; it copies them at once.
std::vector<void*> argument_places(const GpuLaunch& launch);

}  // namespace glint::cuda
