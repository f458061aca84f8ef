// What a kernel asks the system for, by calling functions that have no body: text to print, and an
// end of the launch where what it asserts is false.
//
//     printf("%d: %f\n", i, x)       call (retval0), vprintf, (param0, param1)
//                                    param0: where the format lies; param1: i, and x as a double,
//                                    one behind the other, each at a multiple of its size
//
// The linker makes one instruction of such a call, whose operands are the places of the parameters
// in the thread's local memory. Lanes print in order, and so do warps as they run and blocks by
// their numbers, so that the text is the same each time; a GPU promises no order. Of a launch the
// last MiB is kept, as a GPU's own buffer has it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "backends/cuda/simulator/instruction.h"

namespace glint::simulator {

/// Slots 0 on are the parameters' places; the result's is slot 5, if `mode` says that there is one.
inline constexpr size_t kResultSlot = 5;

struct SystemCall {
  std::string_view name;
  size_t parameters;
  Handler run;
};

/// Null where there is none of that name.
const SystemCall* find_system_call(std::string_view name);

/// How much of what a launch prints is kept at least.
inline constexpr size_t kKeptText = size_t{1} << 20;
/// Drops the front of a text of which only the end is kept.
void keep_printed_end(std::string& text);

}  // namespace glint::simulator
