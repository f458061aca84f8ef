// What ran on the simulated device, to be read: counts beside the source, as `:gpu` shows them.
//
//     gpu_text("")            each kernel with what its lines did
//
// A name stands for the kernels whose entry begins with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint::cuda {

std::string gpu_text(std::string_view kernel);
/// Whether a kernel of that name ran; of no name, any.
bool has_run(std::string_view kernel);
/// The counts of one kernel, each line with its place in the script; none where it did not run.
std::vector<StageLine> counted_lines(const CompiledKernel& compiled, const Kernel& kernel);
/// The same of a text that was written by hand, whose lines have no place in the script.
std::vector<StageLine> counted_lines(std::string_view entry, std::string_view source);

}  // namespace glint::cuda
