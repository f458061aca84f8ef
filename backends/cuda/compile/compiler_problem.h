// Whether kernels can be made for the GPU at hand. A GPU may be there, hold tensors and copy them,
// and run nothing: without NVRTC, where NVRTC makes no code for so old a GPU, and where the driver
// is older than NVRTC, whose code it cannot read.
#pragma once

#include <optional>

#include "core/support/result.h"

namespace glint::cuda {

/// Why none can be made, and what to do; nothing where they can, or where there is no GPU.
std::optional<Error> compiler_problem();

}  // namespace glint::cuda
