#include "backends/cuda/device/repeated_launch.h"

#include "backends/cuda/device/driver_record.h"

namespace glint::cuda {
namespace {

/// To make a graph takes about as long as a dozen launches save.
constexpr uint32_t kLaunchesBefore = 16;
/// A script may try sizes that no kernel takes; a driver may have no graphs to give.
constexpr uint32_t kMostRefusals = 4;

}  // namespace

RepeatedLaunch::RepeatedLaunch(const DriverFunctions& driver, const GpuEntry& entry)
    : driver_(driver), last_{.entry = &entry} {}
RepeatedLaunch::~RepeatedLaunch() = default;

bool RepeatedLaunch::run(const GpuLaunch& launch, CuStream stream) {
  if (refusals_ >= kMostRefusals) return false;
  if (stream != stream_) {
    record_.reset();
    stream_ = stream;
    launches_ = 0;
  }
  if (launches_ < kLaunchesBefore) {
    ++launches_;
    return false;
  }
  if (replay(launch)) return true;
  ++refusals_;
  record_.reset();
  launches_ = 0;
  return false;
}

bool RepeatedLaunch::replay(const GpuLaunch& launch) {
  if (!record_) {
    last_.launch = launch;
    record_ = std::make_unique<DriverRecord>(driver_, stream_);
    if (record_->make({last_})) return false;
  } else if (last_.launch != launch) {
    last_.launch = launch;
    if (record_->change(0, last_)) return false;
  }
  return !record_->replay();
}

}  // namespace glint::cuda
