// A short kernel that comes again and again goes as a CUDA graph of that one kernel: to launch a
// graph once more takes the driver less time than to launch a kernel (on an H200 1.3 us, also
// where the arguments are others, against 2.9 us).
//
//     RepeatedLaunch repeated(driver);                       // kept with the kernel
//     if (!repeated.run(entry, launch, stream)) ...          // the caller launches it
//
//   1. the first launches of some sizes into some stream go as they come, since the graph has to be
//      made, which pays by then only if as many follow;
//   2. from then on the graph is told what arguments have changed, and launched;
//   3. other sizes, or another stream, begin anew: a graph does not run beside itself, so that two
//      streams would wait for each other;
//   4. what the driver refuses is left to the caller, whose launch says what is wrong.
#pragma once

#include <memory>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/driver_functions.h"

namespace glint::cuda {

class DriverRecord;

class RepeatedLaunch {
 public:
  explicit RepeatedLaunch(const DriverFunctions& driver);
  ~RepeatedLaunch();
  RepeatedLaunch(const RepeatedLaunch&) = delete;
  RepeatedLaunch& operator=(const RepeatedLaunch&) = delete;

  /// Whether it has gone into the stream. `entry`: the same each time.
  bool run(const GpuEntry& entry, const GpuLaunch& launch, CuStream stream);

 private:
  void begin_anew(const GpuEntry& entry, const GpuLaunch& launch, CuStream stream);
  bool make_record(const GpuLaunch& launch);
  bool replay(const GpuLaunch& launch);

  const DriverFunctions& driver_;
  PendingLaunch last_;  ///< its arguments are those that the record has
  CuStream stream_ = nullptr;
  uint32_t in_a_row_ = 0;
  std::unique_ptr<DriverRecord> record_;
};

}  // namespace glint::cuda
