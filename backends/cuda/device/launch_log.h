// What ran on the simulated device: each kernel once, with what all its launches counted.
//
//     for (const LoggedKernel& each : launch_log().kernels())
//       simulator::report_text(*each.program, each.report)
//
// `:gpu` shows it. The log is kept by kernel, so that it stays small however often one runs.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/eager_launches.h"
#include "backends/cuda/simulator/launch.h"

namespace glint::cuda {

/// A kernel as the simulated device has it.
struct LoadedProgram {
  std::shared_ptr<const simulator::Program> program;
  std::shared_ptr<const std::string> ptx;
  std::shared_ptr<const std::string> source;  ///< CUDA C++
  simulator::LaunchOptions options = {};      ///< what its launches are checked for
  bool is_written_by_hand = false;            ///< by the user
  RegistersOf registers = {};                 ///< as GpuImage has it
};

struct LoggedKernel : LoadedProgram {
  uint64_t launches = 0;
  uint64_t last = 0;  ///< the number of the last launch, of all kernels
  simulator::Launch launch = {};
  simulator::LaunchReport report = {};  ///< of all launches that came to their end, together
  /// By the last launch, each byte once; counted where the user wrote the kernel.
  std::optional<MovedBytes> moved = {};
  std::string fault = {};                   ///< what ended the last launch before its end, if so
  simulator::LaunchReport unfinished = {};  ///< of that launch, up to there
};

class LaunchLog {
 public:
  void add(const LoadedProgram& kernel, const simulator::Launch& launch,
           const simulator::LaunchReport& report, const std::optional<MovedBytes>& moved);
  /// A launch that did not come to its end.
  void add_fault(const LoadedProgram& kernel, const simulator::Launch& launch,
                 const simulator::LaunchReport& report, std::string fault);
  /// In the order of their first launch.
  const std::deque<LoggedKernel>& kernels() const { return kernels_; }
  uint64_t launches() const { return launches_; }
  void clear();

 private:
  LoggedKernel& note_launch(const LoadedProgram& kernel, const simulator::Launch& launch);

  std::deque<LoggedKernel> kernels_;
  std::unordered_map<const simulator::Program*, size_t> places_;
  uint64_t launches_ = 0;
};

LaunchLog& launch_log();
/// What a launch on the simulated device would cost a GPU (simulator/estimate.h). It runs, and is
/// not in the log.
Result<double> estimated_cost(const GpuEntry& entry, const GpuLaunch& launch);
/// The memory of the simulated device.
const simulator::Memory& simulated_memory();

}  // namespace glint::cuda
