// The backend that runs schedules on the process's GPU, or the simulated one.
//
//     cuda_backend().compile(schedule, {})
//
// Kernels are compiled by compile_cuda.h and launched one by one; tensors, constants and the
// workspace are in the device's memory. Library calls are the device's own (ops/device_calls.h).
#pragma once

#include "backends/backend.h"

namespace glint {

const Backend& cuda_backend();

}  // namespace glint
