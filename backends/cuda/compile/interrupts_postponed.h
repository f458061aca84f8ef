// Work of a library's that takes Ctrl-C for itself for a while, and must not have it.
//
//     postpone_interrupts([] { foreign_set_up(); });       // short: nothing can end it
//
//     caller   | waits . Ctrl-C . . |  is interrupted here
//     worker   | works              |
//
// Neither takes the signal meanwhile: it waits with the process. A handler that the work changes to
// "ignore", as is the custom before one's own is set, would throw away what waits, so the worker's
// changes are not made: its thread has a filter of system calls (seccomp) that says "done" to them.
// What the handler was before, the worker is not told: it may set that again, and nothing else.
#pragma once

#include <functional>

namespace glint::cuda {

/// Comes back when `work`, which does not throw, is done. Every other thread of the process has to
/// have its signals blocked, as those of signals_blocked.h have.
void postpone_interrupts(const std::function<void()>& work);

}  // namespace glint::cuda
