#include <fmt/format.h>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/driver_functions.h"
#include "core/support/environment.h"

namespace glint::cuda {
namespace {

Result<Gpu*> find_gpu() {
  const auto asked = environment::value(environment::Variable::kGpu);
  if (asked == "sim") return &simulated_gpu();
  if (asked) return Error{fmt::format("GLINT_GPU is `{}`: no GPU is used", *asked)};
  auto opened = driver_gpu();
  if (!opened) return opened.error();
  // Kept until the process ends: tensors may live as long.
  return opened->release();
}

}  // namespace

std::string GpuProperties::architecture() const {
  return fmt::format("compute_{}{}", major, minor);
}

const Result<Gpu*>& open_gpu() {
  static const Result<Gpu*> opened = find_gpu();
  return opened;
}

std::optional<Error> driver_problem() {
  const Result<Gpu*>& opened = open_gpu();
  const bool uses_driver = !environment::value(environment::Variable::kGpu);
  if (opened || !uses_driver) return std::nullopt;
  const std::string& message = opened.error().message;
  return message == kNoDriverText || message == kNoGpuText ? std::nullopt
                                                           : std::optional(opened.error());
}

}  // namespace glint::cuda
