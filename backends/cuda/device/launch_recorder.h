// Launches as one: what a run of a schedule launches is recorded, and the next runs replay it.
//
//     LaunchRecorder recorder;                   // kept with the schedule
//     {
//       LaunchRecorder::Scope scope(recorder);   // launches wait in it from here on
//       ...                                      // steps of the schedule
//       scope.finish();                          // all of them run, by one call of the driver
//     }
//
//   1. `launch_entry` hands a launch to the recorder that is at work, which keeps it, and the check
//      of its kernel with it;
//   2. whatever else is asked of the device and has a place in the order of work (a copy, a call of
//      NVIDIA's libraries) has the kept ones run first, so that a run is some stretches of
//      launches;
//   3. a stretch that has the kernels and sizes of the last run's is that run's record, told of the
//      arguments that have changed (the memory of inputs and outputs is another at each call, and
//      so are a draw's numbers); else it is recorded anew;
//   4. a check that has failed is told by the run, where the device waits for launches: nothing is
//      launched behind it, as where each launch goes to the device at once.
#pragma once

#include <vector>

#include "backends/cuda/device/device.h"

namespace glint::cuda {

class LaunchRecorder {
 public:
  /// The one at work; null where launches go to the device at once.
  static LaunchRecorder* current();

  void add(PendingLaunch launch) { pending_.push_back(std::move(launch)); }
  /// The last one has a check, whose number is left there.
  void note_check(const int32_t* number) { pending_.back().check = number; }
  bool has_pending() const { return !pending_.empty(); }
  /// Runs what waits. Throws what fails.
  void run_pending();

  class Scope {
   public:
    explicit Scope(LaunchRecorder& recorder);
    /// What still waits is dropped: the run has failed.
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    void finish() { recorder_.run_pending(); }

   private:
    LaunchRecorder& recorder_;
    LaunchRecorder* outer_;
  };

 private:
  struct Stretch {
    std::vector<PendingLaunch> launches;
    std::unique_ptr<GpuRecord> record;
  };
  /// What these say is what failed.
  std::optional<Error> run(const std::vector<PendingLaunch>& launches, Gpu& gpu);
  static std::optional<Error> replay(Stretch& stretch, const std::vector<PendingLaunch>& launches,
                                     Gpu& gpu);
  /// Tells a record of other arguments.
  static std::optional<Error> update(Stretch& stretch, const std::vector<PendingLaunch>& launches);

  std::vector<PendingLaunch> pending_;
  std::vector<Stretch> stretches_;
  size_t next_stretch_ = 0;
};

/// Whether a recorder is at work, and something waits in it.
bool has_pending_launches();
/// Has the recorder at work, if there is one, run what waits in it.
void run_pending_launches();

}  // namespace glint::cuda
