// The backend that runs Kernel IR itself: slow, exact, steppable (kernel_interpreter.h).
#pragma once

#include "backends/backend.h"

namespace glint {

const Backend& interp_backend();

}  // namespace glint
