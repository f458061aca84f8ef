#include "backends/cuda/device/driver_entry.h"

namespace glint::cuda {

CuResult allow_shared(const DriverFunctions& driver, const DriverEntry& entry, uint32_t bytes) {
  if (bytes <= entry.shared_allowed) return driver::kSuccess;
  const CuResult result =
      driver.set_attribute(entry.function, driver::kMostDynamicShared, static_cast<int>(bytes));
  if (result == driver::kSuccess) entry.shared_allowed = bytes;
  return result;
}

std::vector<void*> argument_places(const GpuLaunch& launch) {
  std::vector<void*> places;
  places.reserve(launch.arguments.size());
  for (const GpuArgument& each : launch.arguments)
    places.push_back(const_cast<std::byte*>(each.bytes.data()));
  return places;
}

}  // namespace glint::cuda
