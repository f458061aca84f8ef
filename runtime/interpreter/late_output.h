// Output that a sink holds back, to put it together with more, is shown before the script takes its
// time, and at the latest when the sink asks for it.
//
//     late_output::show();    before a long sleep, a compile: nobody waits for what was printed
//     already late_output::ask();     from any thread: at the script's next call or back-edge
#pragma once

#include <cstdint>

#include "runtime/interpreter/heap.h"

namespace glint::runtime::late_output {

/// Beside the other bits of `attention`.
inline constexpr uint32_t kAttendOutput = 4;
static_assert((kAttendOutput & (kAttendInterrupt | kAttendCollect)) == 0);

/// Of the sink that holds output back; null: none does. Set and called on the script's thread.
inline void (*show_now)() = nullptr;

inline void show() {
  if (show_now) show_now();
}
inline void ask() {
  attention.fetch_or(kAttendOutput);
}

}  // namespace glint::runtime::late_output
