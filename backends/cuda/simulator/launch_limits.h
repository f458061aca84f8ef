// What no GPU launches, whatever the kernel does: the sizes of a launch held against the device's
// limits and against what the kernel promised.
//
//     __global__ void __launch_bounds__(128) scale(...)     scale((4,), (256,), ...)
//     a block of `scale` has 256 threads, of which its __launch_bounds__ allow 128
//
//   grid, block        each size from 1 to the most of its axis, 1024 threads in all
//   launch bounds      no more threads than `.maxntid` says, exactly those of `.reqntid`
//   shared memory      48 KiB that the text declares, and with the dynamic part as much as a block
//                      of that architecture may have
//   registers          those of all threads are there: 64 Ki
#pragma once

#include <optional>
#include <string_view>

#include "core/support/result.h"

namespace glint::simulator {

struct Launch;
struct Program;

/// The first size that there cannot be, and what there can.
std::optional<Error> check_launch_sizes(const Program& program, const Launch& launch);

/// Whether a block's threads find that many registers each. The text itself says too little: an
/// assembler takes more or fewer, and where there are launch bounds so few that they are there.
std::optional<Error> check_registers(const Program& program, const Launch& launch,
                                     uint32_t registers);

/// In the assembler's words, which on a GPU is who refuses it.
std::optional<Error> check_static_shared(std::string_view entry, uint64_t bytes);

}  // namespace glint::simulator
