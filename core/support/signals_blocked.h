// Threads that leave Ctrl-C to the main thread.
//
//     SignalsBlocked blocked;               for as long as it lives, this thread gets no signals,
//     std::thread worker([] { ... });       nor does ever a thread that is born meanwhile
//
// Signals that a crash gives rise to are left: they go to the thread that crashed.
#pragma once

#include <signal.h>

#include "core/support/recovery.h"

namespace glint {

class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    for (int crash : recovery::kCrashes) sigdelset(&all, crash);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_ = {};
};

}  // namespace glint
