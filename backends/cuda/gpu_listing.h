// What ran on the simulated device, to be read: counts beside the source, and a warp by steps.
//
//     gpu_text("")            each kernel with what its lines did
//     step_text("add", 40)    the first warp of its last launch, instruction by instruction
//
// `:gpu` and `:step` print these. A name stands for the kernels whose entry begins with it.
#pragma once

#include <string>
#include <string_view>

namespace glint::cuda {

std::string gpu_text(std::string_view kernel);
/// At most `limit` instructions. The kernel runs on a copy of the device's memory, as it is now.
std::string step_text(std::string_view kernel, size_t limit);

}  // namespace glint::cuda
