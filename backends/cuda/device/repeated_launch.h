// A short kernel that comes again and again goes as a CUDA graph of that one kernel: to launch a
// graph once more takes the driver less time than to launch a kernel (on an H200 1.3 us, also
// where the arguments are others, against 2.9 us).
//
//     RepeatedLaunch repeated(driver, entry);            // kept with the kernel
//     if (!repeated.run(launch, stream)) ...             // the caller launches it
//
//   1. the first launches in a row into one stream go as they come: a graph takes time to make,
//      which it gives back only if others follow;
//   2. from then on the graph is told what has changed, sizes and arguments, and launched;
//   3. in another stream that begins anew: the launches of one graph wait for each other, in
//      whichever streams they are;
//   4. what the driver refuses is left to the caller, whose launch says what is wrong; where that
//      happens again and again, all launches are.
#pragma once

#include <memory>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/driver_functions.h"

namespace glint::cuda {

class DriverRecord;

/// The launches of one kernel.
class RepeatedLaunch {
 public:
  RepeatedLaunch(const DriverFunctions& driver, const GpuEntry& entry);
  ~RepeatedLaunch();
  RepeatedLaunch(const RepeatedLaunch&) = delete;
  RepeatedLaunch& operator=(const RepeatedLaunch&) = delete;

  /// Launches the kernel as a graph where it is time for that; false: it was not launched.
  bool run(const GpuLaunch& launch, CuStream stream);

 private:
  bool replay(const GpuLaunch& launch);

  const DriverFunctions& driver_;
  CuStream stream_ = nullptr;
  uint32_t launches_ = 0;  ///< into that stream, as they came
  uint32_t refusals_ = 0;
  PendingLaunch last_;  ///< that the record was told of
  std::unique_ptr<DriverRecord> record_;
};

}  // namespace glint::cuda
