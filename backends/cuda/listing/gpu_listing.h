// What ran on the simulated device, to be read: counts beside the source, and a warp by steps.
//
//     gpu_text("")            each kernel with what its lines did
//     walk_warp("add", 40)    the first warp of its last launch, instruction by instruction
//
// `:gpu` and `:step` show these. A name stands for the kernels whose entry begins with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "core/support/result.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint::cuda {

struct ScheduleTuning;

std::string gpu_text(std::string_view kernel);
/// Whether a kernel of that name ran; of no name, any.
bool has_run(std::string_view kernel);
/// The counts of one kernel, each line with its place in the script; none where it did not run.
std::vector<StageLine> counted_lines(const CompiledKernel& compiled, const Kernel& kernel);
/// The same of a text that was written by hand, whose lines have no place in the script.
std::vector<StageLine> counted_lines(std::string_view entry, std::string_view source);
/// An instruction, behind the line of CUDA C++ that it is the first of, if it is.
struct WarpStep {
  std::string source;       ///< `  12  float a = ...`, or nothing
  std::string instruction;  ///< lanes, instruction and the registers that it wrote
};
struct WarpWalk {
  std::string title;
  std::vector<WarpStep> steps;
  std::string end;  ///< why there are no more, if the kernel goes on or failed
};
/// Which warp of the launch is walked, counted through its blocks, and how far.
struct WarpChoice {
  uint64_t warp = 0;
  size_t limit = 100;  ///< instructions
};
/// The last launch of a kernel of that name. It runs on a copy of the device's memory, as it is
/// now.
Result<WarpWalk> walk_warp(std::string_view kernel, const WarpChoice& choice);
/// The same of each kernel of a schedule that ran.
Result<std::vector<WarpWalk>> walk_warps(const Schedule& schedule, const ScheduleTuning* tuning,
                                         const WarpChoice& choice);

}  // namespace glint::cuda
