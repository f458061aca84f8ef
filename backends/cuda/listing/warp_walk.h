// A warp of a kernel that ran on the simulated device, instruction by instruction: `:step`.
//
//     walk_warp({"add"}, {.warp = 40})                the beginning of the way of warp 40 of its
//     last
//                                                   launch
//     walk_warp({"add"}, {.from = 101, .most = 50})   the instructions 101 to 150 of the first warp
//
// It runs on a copy of the device's memory, as it is now.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/listing/logged_kernels.h"
#include "core/support/result.h"
#include "ir/kernel.h"

namespace glint::cuda {

struct ScheduleTuning;

/// An instruction, behind the line of CUDA C++ that it is the first of, if it is.
struct WarpStep {
  std::string source = {};       ///< `  12  float a = ...`, or nothing
  std::string instruction = {};  ///< number, lanes, instruction and the registers that it wrote
  bool is_seen = false;          ///< by others: a barrier, a shuffle, a store
};
struct WarpWalk {
  std::string title;
  uint64_t first = 1;    ///< the number of the first step among the warp's instructions
  std::string all = {};  ///< how many instructions the warp executes: `340`, `more than 1000000`
  std::vector<WarpStep> steps = {};
  std::string end = {};  ///< why there are no more, if the kernel goes on or failed
};
/// Which warp of the launch is walked, counted through its blocks, and which of its instructions.
struct WarpChoice {
  uint64_t warp = 0;
  uint64_t from = 1;
  uint64_t most = 100;
};
/// What is said to somebody who cannot see a walk: where there are warps that can be walked.
std::string_view where_warps_are_walked();
/// The last launch of such a kernel.
Result<WarpWalk> walk_warp(const KernelChoice& kernel, const WarpChoice& choice);
/// The same of each kernel of a schedule that ran, in the order of its steps. One that has no such
/// warp has no steps, and `end` says so.
Result<std::vector<WarpWalk>> walk_warps(const Schedule& schedule, const ScheduleTuning* tuning,
                                         const WarpChoice& choice);

}  // namespace glint::cuda
