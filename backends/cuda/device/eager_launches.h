// Which kernels were launched outside compiled regions: those of operators that ran by themselves,
// and a user's own.
//
//     {
//       RegionLaunches of_region;                       // what is launched now, a region launches
//     }
//     launch_entry(entry, ...)                          // eager_launches().back().entry
//
// A region's kernels are known from its schedule. Of these only the launches tell, on whichever
// device; `:kernels` shows them.
#pragma once

#include <deque>

#include "backends/cuda/device/device.h"
#include "backends/running_call.h"

namespace glint::cuda {

struct EagerLaunches : LaunchedKernel {
  uint64_t launches = 0;
  uint64_t last = 0;  ///< the number of the last one, of all kernels
};
/// Each kernel once, in the order of their first launch.
const std::deque<EagerLaunches>& eager_launches();

/// A launch, which counts where no region does it.
void note_launch(const GpuEntry& entry, const GpuLaunch& launch);

/// A run of a compiled region.
class RegionLaunches {
 public:
  RegionLaunches();
  ~RegionLaunches();
  RegionLaunches(const RegionLaunches&) = delete;
  RegionLaunches& operator=(const RegionLaunches&) = delete;

 private:
  bool outer_;
};

}  // namespace glint::cuda
