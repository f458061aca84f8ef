#include "backends/cuda/compile/compiler_problem.h"

#include <cstdlib>

#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/device/device.h"
#include "backends/cuda/device/driver_functions.h"

namespace glint::cuda {
namespace {

/// `13` of `13.0`.
int major_version(const std::string& version) {
  return static_cast<int>(std::strtol(version.c_str(), nullptr, 10));
}

}  // namespace

std::optional<Error> compiler_problem() {
  const Result<Gpu*>& gpu = open_gpu();
  if (!gpu) return std::nullopt;
  const auto& nvrtc = load_nvrtc();
  if (!nvrtc) return nvrtc.error();
  const GpuProperties& its = (*gpu)->properties();
  if (its.is_simulated) return std::nullopt;
  const auto architecture = (*nvrtc)->architecture_for(its.major, its.minor);
  if (!architecture) return architecture.error();
  const DriverFunctions& driver = **load_driver();
  if (major_version(driver.cuda_version()) < major_version((*nvrtc)->version()))
    return driver.older_than_nvrtc();
  return std::nullopt;
}

}  // namespace glint::cuda
