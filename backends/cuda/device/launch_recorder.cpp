#include "backends/cuda/device/launch_recorder.h"

#include <algorithm>
#include <utility>

#include "backends/cuda/device/block_counters.h"
#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_checks.h"
#include "backends/cuda/device/launch_entry.h"

namespace glint::cuda {
namespace {

LaunchRecorder* at_work = nullptr;

bool same_sizes(const PendingLaunch& a, const PendingLaunch& b) {
  return a.entry == b.entry && a.launch.grid == b.launch.grid && a.launch.block == b.launch.block &&
         a.launch.dynamic_shared == b.launch.dynamic_shared && a.check == b.check;
}

}  // namespace

LaunchRecorder* LaunchRecorder::current() {
  return at_work;
}

LaunchRecorder::Scope::Scope(LaunchRecorder& recorder)
    : recorder_(recorder), outer_(std::exchange(at_work, &recorder)) {
  recorder.pending_.clear();
  recorder.next_stretch_ = 0;
}

LaunchRecorder::Scope::~Scope() {
  recorder_.pending_.clear();
  at_work = outer_;
}

std::optional<Error> LaunchRecorder::update(Stretch& stretch,
                                            const std::vector<PendingLaunch>& launches) {
  for (size_t i = 0; i < launches.size(); ++i) {
    if (stretch.launches[i].launch.arguments == launches[i].launch.arguments) continue;
    if (auto fault = stretch.record->change(i, launches[i])) return fault;
    stretch.launches[i].launch.arguments = launches[i].launch.arguments;
  }
  return std::nullopt;
}

std::optional<Error> LaunchRecorder::replay(Stretch& stretch,
                                            const std::vector<PendingLaunch>& launches, Gpu& gpu) {
  if (stretch.record && std::ranges::equal(stretch.launches, launches, same_sizes)) {
    if (auto fault = update(stretch, launches)) return fault;
  } else {
    auto made = gpu.record_launches(launches);
    if (!made) return made.error();
    stretch = {launches, std::move(*made)};
  }
  count_launch();
  return stretch.record->replay();
}

std::optional<Error> LaunchRecorder::run(const std::vector<PendingLaunch>& launches, Gpu& gpu) {
  if (launches.size() > 1) {
    if (next_stretch_ == stretches_.size()) stretches_.emplace_back();
    return replay(stretches_[next_stretch_++], launches, gpu);
  }
  count_launch();
  return gpu.launch(*launches[0].entry, launches[0].launch);
}

void LaunchRecorder::run_pending() {
  if (pending_.empty()) return;
  // If they fail, nobody is to run them again: memory is freed on the way out.
  const std::vector<PendingLaunch> launches = std::exchange(pending_, {});
  Gpu& gpu = need_gpu_beside_launches();
  const CountedLaunches counted;
  const std::optional<Error> fault = run(launches, gpu);
  // A device that watches tells that threads are missed which a failed check has ended: the check
  // is what was wrong.
  if (gpu.waits_for_launches()) fail_on_checks_of(launches);
  fail_on_device(fault);
}

bool has_pending_launches() {
  return at_work != nullptr && at_work->has_pending();
}

void run_pending_launches() {
  if (at_work != nullptr) at_work->run_pending();
}

}  // namespace glint::cuda
