// A CUDA graph of launches, one after another, which the driver replays as one.
//
//     DriverRecord record(driver, stream);
//     record.make(launches);
//     record.change(1, other);      // the second one, with other arguments
//     record.replay();
#pragma once

#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/driver_functions.h"

namespace glint::cuda {

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
