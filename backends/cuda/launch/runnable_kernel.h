// A kernel of the device as the runner of schedules calls it (schedule_runner.h).
//
//     PreparedKernel prepared{launch, symbol_count(compiled)};
//     runner_kernel(prepared, kernel)          // points to `prepared`
#pragma once

#include <functional>
#include <span>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/schedule_runner.h"

namespace glint::cuda {

/// `symbols`: the values of the first so many. As `LaunchableKernel::launch`.
struct PreparedKernel {
  std::function<void(std::byte* const* parameters, std::span<const int64_t> symbols,
                     int64_t length)>
      launch;
  size_t symbols = 0;
};

/// One more than the highest symbol that a launch of the kernel mentions, or what it moves.
size_t symbol_count(const CompiledKernel& kernel);
/// So too, of a size.
size_t symbol_count(SymInt size);

RunnableKernel runner_kernel(const PreparedKernel& prepared, const Kernel& kernel);

}  // namespace glint::cuda
