#include "backends/cuda/device/launch_log.h"

namespace glint::cuda {

LoggedKernel& LaunchLog::note_launch(const LoadedProgram& loaded, const simulator::Launch& launch) {
  const auto [place, added] = places_.try_emplace(loaded.program.get(), kernels_.size());
  if (added) kernels_.push_back({loaded});
  LoggedKernel& kernel = kernels_[place->second];
  ++kernel.launches;
  kernel.last = ++launches_;
  kernel.launch = launch;
  kernel.moved.reset();
  kernel.fault.clear();
  kernel.unfinished = {};
  return kernel;
}

void LaunchLog::add(const LoadedProgram& loaded, const simulator::Launch& launch,
                    const simulator::LaunchReport& report, const std::optional<MovedBytes>& moved) {
  LoggedKernel& kernel = note_launch(loaded, launch);
  kernel.moved = moved;
  if (kernel.report.counts.empty()) {
    kernel.report = report;
    return;
  }
  for (size_t i = 0; i < report.counts.size(); ++i) kernel.report.counts[i] += report.counts[i];
  kernel.report.total += report.total;
  kernel.report.occupancy = report.occupancy;
}

void LaunchLog::add_fault(const LoadedProgram& loaded, const simulator::Launch& launch,
                          const simulator::LaunchReport& report, std::string fault) {
  LoggedKernel& kernel = note_launch(loaded, launch);
  kernel.fault = std::move(fault);
  kernel.unfinished = report;
}

void LaunchLog::clear() {
  kernels_.clear();
  places_.clear();
  launches_ = 0;
}

LaunchLog& launch_log() {
  static LaunchLog& log = *new LaunchLog;
  return log;
}

}  // namespace glint::cuda
