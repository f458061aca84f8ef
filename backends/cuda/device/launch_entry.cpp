#include "backends/cuda/device/launch_entry.h"

#include "backends/cuda/device/block_counters.h"
#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_recorder.h"
#include "backends/running_call.h"

namespace glint::cuda {
namespace {

uint64_t launches = 0;

}  // namespace

uint64_t launch_count() {
  return launches;
}
void count_launch() {
  ++launches;
}

void launch_entry(const GpuEntry& entry, const GpuLaunch& launch,
                  const std::optional<MovedBytes>& moved) {
  if (RunningCall::is_any())
    RunningCall::note(
        {entry.name(), entry.source(), launch.grid, launch.block, launch.dynamic_shared});
  note_launch(entry, launch, moved);
  if (LaunchRecorder* recorder = LaunchRecorder::current()) return recorder->add({&entry, launch});
  count_launch();
  const CountedLaunches counted;
  fail_on_device(need_gpu().launch(entry, launch));
}

}  // namespace glint::cuda
