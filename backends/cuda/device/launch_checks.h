// What checks in kernels find, though nobody waits for the launch.
//
//     const LaunchCheck check("take_kernel", {{4, "index out of range"}});   // kept by the kernel
//
//     launch(..., check.argument());        // `int* status` of the kernel
//
//     check.launched();                     // throws what failed, where each launch is waited for
//     ...
//
//     fail_on_checks();                     // whoever has waited for the device asks
//
// A thread whose check fails stores the check's number in the status of its kernel, and the index
// that it is about beside it. These lie in pinned memory, so that looking at them is a read and no
// call of the driver: an index that is out of range costs the launches that are in order nothing,
// and is told at the next call that waits. A status stays where it is, so that a record
// (launch_recorder.h) passes it at each replay; where launches are waited for, who replays a record
// looks at those of its launches.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/device/device.h"

namespace glint::cuda {

class LaunchCheck {
 public:
  LaunchCheck(std::string kernel, CheckMessages messages);

  GpuArgument argument() const;
  /// To be called behind each launch. Where that is waited for, and is not recorded, as it has run
  /// then, throws what it found.
  void launched() const;
  /// Throws what was found so far, if something was.
  void fail_if_found() const;

 private:
  struct KernelStatus* status_;  ///< never freed: a launch that is under way may still store there
};

/// Throws what a check of a launch has found since this was asked last.
void fail_on_checks();
/// Throws what the first launch has found whose check failed, of some that were waited for.
void fail_on_checks_of(std::span<const PendingLaunch> launches);
/// The same, behind all that was launched since this was asked last: what failed there is told,
/// unless somebody was told already.
void finish_launches();
/// A failure of the device is being told: it is that of what was launched so far.
void note_told();

}  // namespace glint::cuda
