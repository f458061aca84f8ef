// What ran on the simulated device, to be read: counts beside the source, as `:gpu` shows them.
//
//     gpu_text({})            each kernel with what its lines did
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/listing/logged_kernels.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint::cuda {

std::string gpu_text(const KernelChoice& choice);
/// Whether such a kernel ran.
bool has_run(const KernelChoice& choice);
/// The counts of one kernel, each line with its place in the script; none where it did not run.
std::vector<StageLine> counted_lines(const CompiledKernel& compiled, const Kernel& kernel);
/// The same of a text that was written by hand, whose lines have no place in the script.
std::vector<StageLine> counted_lines(std::string_view entry, std::string_view source);

}  // namespace glint::cuda
