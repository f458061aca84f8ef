// Kernels that ran on the simulated device, found by name or by text, and the lines of their texts.
//
//     kernels_that_ran("softmax")     softmax_rows_to_16, softmax
//     none_ran("sofmax")              no kernel `sofmax` ran; those that did: ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/device/launch_log.h"

namespace glint::cuda {

/// Those whose entry begins so.
std::vector<const LoggedKernel*> kernels_that_ran(std::string_view name);
/// The kernel of that text; null where it did not run.
const LoggedKernel* kernel_that_ran(std::string_view entry, std::string_view source);
/// What is said where none of that name ran.
std::string none_ran(std::string_view name);

std::vector<std::string_view> lines_of(std::string_view text);
/// Line `number`, counted from 1; empty where there is none.
std::string_view line_at(const std::vector<std::string_view>& lines, uint32_t number);
/// A line of the text itself; 0 of a header's.
uint32_t line_in_text(const simulator::Program& program, simulator::SourceLine at);

}  // namespace glint::cuda
