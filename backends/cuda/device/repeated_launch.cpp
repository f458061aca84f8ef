#include "backends/cuda/device/repeated_launch.h"

#include "backends/cuda/device/driver_record.h"

namespace glint::cuda {
namespace {

/// A graph takes some 20 us to make, and saves between one and two.
constexpr uint32_t kLaunchesBefore = 16;

bool same_sizes(const GpuLaunch& a, const GpuLaunch& b) {
  return a.grid == b.grid && a.block == b.block && a.dynamic_shared == b.dynamic_shared;
}

}  // namespace

RepeatedLaunch::RepeatedLaunch(const DriverFunctions& driver) : driver_(driver) {}
RepeatedLaunch::~RepeatedLaunch() = default;

bool RepeatedLaunch::run(const GpuEntry& entry, const GpuLaunch& launch, CuStream stream) {
  if (in_a_row_ == 0 || stream != stream_ || !same_sizes(last_.launch, launch))
    begin_anew(entry, launch, stream);
  if (in_a_row_ < kLaunchesBefore) {
    ++in_a_row_;
    return false;
  }
  if ((record_ || make_record(launch)) && replay(launch)) return true;
  begin_anew(entry, launch, stream);
  return false;
}

void RepeatedLaunch::begin_anew(const GpuEntry& entry, const GpuLaunch& launch, CuStream stream) {
  record_.reset();
  last_ = {&entry, {launch.grid, launch.block, launch.dynamic_shared}};
  stream_ = stream;
  in_a_row_ = 0;
}

bool RepeatedLaunch::make_record(const GpuLaunch& launch) {
  record_ = std::make_unique<DriverRecord>(driver_, stream_);
  last_.launch.arguments = launch.arguments;
  return !record_->make({last_});
}

bool RepeatedLaunch::replay(const GpuLaunch& launch) {
  if (last_.launch.arguments != launch.arguments) {
    last_.launch.arguments = launch.arguments;
    if (record_->change(0, last_)) return false;
  }
  return !record_->replay();
}

}  // namespace glint::cuda
