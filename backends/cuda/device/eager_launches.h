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

#include <cstdint>
#include <deque>
#include <optional>

#include "backends/cuda/device/device.h"
#include "backends/running_call.h"

namespace glint::cuda {

/// The bytes of the elements that a launch reaches, each once.
struct MovedBytes {
  int64_t read = 0;
  int64_t written = 0;
};
struct EagerLaunches : LaunchedKernel {
  uint64_t launches = 0;
  uint64_t last = 0;                     ///< the number of the last one, of all kernels
  std::optional<MovedBytes> moved = {};  ///< by the last one, where that is known
};
/// Each kernel once, in the order of their first launch.
const std::deque<EagerLaunches>& eager_launches();
void forget_eager_launches();

/// Whether launches count now: no region does them.
bool notes_launches();
/// A launch, where it counts.
void note_launch(const GpuEntry& entry, const GpuLaunch& launch,
                 const std::optional<MovedBytes>& moved);

/// An operator that runs by itself. If it has launched one kernel, and nobody said what that moved,
/// it was what the operator's tensors have; of several nobody knows what each has moved.
class OperatorLaunches {
 public:
  OperatorLaunches();
  bool are_one_unknown() const;
  /// It was this.
  static void say(const MovedBytes& moved);

 private:
  uint64_t before_;
};

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
