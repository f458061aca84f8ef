#include "backends/cuda/launch_recorder.h"

#include <algorithm>
#include <utility>

#include "backends/cuda/device_memory.h"
#include "backends/cuda/launch_kernel.h"

namespace glint::cuda {
namespace {

LaunchRecorder* at_work = nullptr;

bool same_sizes(const PendingLaunch& a, const PendingLaunch& b) {
  return a.entry == b.entry && a.launch.grid == b.launch.grid && a.launch.block == b.launch.block &&
         a.launch.dynamic_shared == b.launch.dynamic_shared;
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

bool LaunchRecorder::update(Stretch& stretch, const std::vector<PendingLaunch>& launches) {
  if (!stretch.record || !std::ranges::equal(stretch.launches, launches, same_sizes)) return false;
  for (size_t i = 0; i < launches.size(); ++i) {
    if (stretch.launches[i].launch.arguments == launches[i].launch.arguments) continue;
    fail_on_device(stretch.record->change(i, launches[i]));
    stretch.launches[i].launch.arguments = launches[i].launch.arguments;
  }
  return true;
}

void LaunchRecorder::replay(Stretch& stretch, const std::vector<PendingLaunch>& launches,
                            Gpu& gpu) {
  if (!update(stretch, launches)) {
    auto made = gpu.record_launches(launches);
    if (!made) fail_on_device(made.error());
    stretch = {launches, std::move(*made)};
  }
  count_launch();
  fail_on_device(stretch.record->replay());
}

void LaunchRecorder::run_pending() {
  if (pending_.empty()) return;
  // If they fail, nobody is to run them again: memory is freed on the way out.
  const std::vector<PendingLaunch> launches = std::exchange(pending_, {});
  // Not `need_gpu`, which would come back here.
  Gpu& gpu = **open_gpu();
  if (launches.size() == 1) {
    count_launch();
    fail_on_device(gpu.launch(*launches[0].entry, launches[0].launch));
  } else {
    if (next_stretch_ == stretches_.size()) stretches_.emplace_back();
    replay(stretches_[next_stretch_++], launches, gpu);
  }
}

bool has_pending_launches() {
  return at_work != nullptr && at_work->has_pending();
}

void run_pending_launches() {
  if (at_work != nullptr) at_work->run_pending();
}

}  // namespace glint::cuda
