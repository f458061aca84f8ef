// Work that Ctrl-C must not meet, since it has a handler of its own for a while.
//
//     postpone_interrupts([] { foreign_set_up(); });       // short: nothing can end it
//
//     caller   | waits . Ctrl-C . . |  is interrupted here
//     worker   | works              |
//
// The worker takes no signals; what comes meanwhile is taken from the caller's waiting ones at
// once, since a handler that is changed to "ignore" would throw it away, and raised again behind.
#pragma once

#include <functional>

namespace glint::cuda {

/// Comes back when `work`, which does not throw, is done. Every other thread of the process has to
/// have its signals blocked, as those of signals_blocked.h have.
void postpone_interrupts(const std::function<void()>& work);

}  // namespace glint::cuda
