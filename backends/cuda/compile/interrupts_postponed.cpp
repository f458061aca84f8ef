#include "backends/cuda/compile/interrupts_postponed.h"

#include <signal.h>
#include <time.h>

#include <atomic>
#include <thread>

#include "core/support/signals_blocked.h"

namespace glint::cuda {

void postpone_interrupts(const std::function<void()>& work) {
  bool came = false;
  {
    const SignalsBlocked blocked;
    std::atomic<bool> is_done = false;
    std::thread worker([&work, &is_done] {
      work();
      is_done = true;
    });
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    constexpr timespec kPatience = {.tv_sec = 0, .tv_nsec = 1'000'000};
    while (!is_done)
      if (sigtimedwait(&interrupt, nullptr, &kPatience) == SIGINT) came = true;
    worker.join();
  }
  if (came) raise(SIGINT);
}

}  // namespace glint::cuda
