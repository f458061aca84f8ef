// A CUDA graph of launches, one after another, which the driver replays as one.
//
//     DriverRecord record(driver, device);
//     record.make(launches);
//     record.change(1, other);      // the second one, with other arguments
//     record.replay();
#pragma once

#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/driver_functions.h"
#include "backends/cuda/device/repeated_launch.h"

namespace glint::cuda {

struct DriverEntry final : GpuEntry {
  DriverEntry(std::string name, std::shared_ptr<const std::string> source, CuFunction made,
              const DriverFunctions& driver)
      : GpuEntry(std::move(name), std::move(source)), function(made), repeated(driver) {}
  CuFunction function;
  mutable RepeatedLaunch repeated;
  mutable uint32_t shared_allowed = 0;  ///< dynamic shared memory that was asked for
};

/// Before a launch: a kernel gets more than 48 KiB of shared memory where that was asked for.
CuResult allow_shared(const DriverFunctions& driver, const DriverEntry& entry, uint32_t bytes);

/// Where each argument of a launch lies, as the driver wants it; it copies them at once.
std::vector<void*> argument_places(const GpuLaunch& launch);

class DriverRecord final : public GpuRecord {
 public:
  /// `stream`: where it is replayed, as it is then.
  DriverRecord(const DriverFunctions& functions, const CuStream& stream)
      : f_(functions), stream_(stream) {}
  ~DriverRecord() override;
  DriverRecord(const DriverRecord&) = delete;
  DriverRecord& operator=(const DriverRecord&) = delete;

  std::optional<Error> make(const std::vector<PendingLaunch>& launches);
  std::optional<Error> change(size_t which, const PendingLaunch& launch) override;
  std::optional<Error> replay() override;

 private:
  const DriverFunctions& f_;
  const CuStream& stream_;
  CuGraph graph_ = nullptr;
  CuGraphExecutable executable_ = nullptr;
  std::vector<CuGraphNode> nodes_;
};

}  // namespace glint::cuda
