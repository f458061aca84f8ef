// The backend that makes machine code: Kernel IR -> LLVM IR -> ORC, in this process.
//
//     Result<std::unique_ptr<CompiledSchedule>> compiled = cpu_backend().compile(schedule, {});
//
// All kernels of a schedule are one LLVM module. Kernels whose text has been compiled before, for
// the same processor, are taken from a cache.
#pragma once

#include "backends/backend.h"

namespace glint {

const Backend& cpu_backend();

}  // namespace glint
