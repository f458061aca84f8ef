// Ctrl-C, held back or let through, on the thread that runs cells.
#pragma once

#include <csignal>
#include <ctime>

namespace glint::notebook {

inline sigset_t only_interrupt() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

/// Lets it through, or holds it back, while it lives.
class InterruptsAre {
 public:
  enum Choice { kHeldBack, kLetThrough };
  explicit InterruptsAre(Choice choice) {
    sigset_t set = only_interrupt();
    pthread_sigmask(choice == kLetThrough ? SIG_UNBLOCK : SIG_BLOCK, &set, &before_);
  }
  ~InterruptsAre() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  InterruptsAre(const InterruptsAre&) = delete;
  InterruptsAre& operator=(const InterruptsAre&) = delete;

 private:
  sigset_t before_ = {};
};

/// Forgets one that came while it was held back.
inline void forget_interrupt() {
  sigset_t set = only_interrupt();
  timespec at_once = {};
  while (sigtimedwait(&set, nullptr, &at_once) == SIGINT) {
  }
}

}  // namespace glint::notebook
