// What ran on the simulated device, to be read: counts beside the source, and a warp by steps.
//
//     gpu_text("")            each kernel with what its lines did
//     step_text("add", 40)    the first warp of its last launch, instruction by instruction
//
// `:gpu` and `:step` print these. A name stands for the kernels whose entry begins with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/compiled_kernel.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint::cuda {

std::string gpu_text(std::string_view kernel);
/// Whether a kernel of that name ran; of no name, any.
bool has_run(std::string_view kernel);
/// The counts of one kernel, each line with its place in the script; none where it did not run.
std::vector<StageLine> counted_lines(const CompiledKernel& compiled, const Kernel& kernel);
/// At most `limit` instructions. The kernel runs on a copy of the device's memory, as it is now.
std::string step_text(std::string_view kernel, size_t limit);

}  // namespace glint::cuda
