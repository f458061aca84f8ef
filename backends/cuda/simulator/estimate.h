// What a launch would cost a GPU, by what the simulator counted: a documented estimate, no time.
//
//     estimated_cycles(program, launch, report)       // 3120
//
// The blocks are dealt out to 108 multiprocessors (an A100's); the launch costs what the one with
// the most blocks needs, which is the greatest of
//
//     instructions of warps           4 a cycle
//     turns of shared memory          1 a cycle
//     sectors of global memory        2 a cycle, and of all multiprocessors together 34 a cycle
//     waiting                         of the blocks that are there at once each warp waits 4 cycles
//                                     an instruction and 100 an access of global memory
//
// so that too few warps cost as much as too many instructions. It says which of two ways to run a
// kernel is likely better, and not how long either takes.
#pragma once

#include "backends/cuda/simulator/launch.h"

namespace glint::simulator {

double estimated_cycles(const Launch& launch, const LaunchReport& report);

}  // namespace glint::simulator
