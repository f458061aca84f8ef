#include "backends/cuda/compile/interrupts_postponed.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <bit>
#include <cstddef>
#include <thread>

#include "core/support/signals_blocked.h"

namespace glint::cuda {
namespace {

/// The lower half of a system call's first argument, which says which signal.
constexpr uint32_t kFirstArgument =
    offsetof(seccomp_data, args) + (std::endian::native == std::endian::big ? 4 : 0);

/// From here on what this thread asks the kernel to do at SIGINT is answered with "done" and left
/// undone; so is what threads ask that it starts. A sandbox may refuse the filter: then a Ctrl-C
/// that comes at the wrong moment is lost, and nothing else.
void keep_interrupt_handler() {
  std::array filter = {
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 0, 3),
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFirstArgument),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGINT, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),  // the error 0
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {.len = filter.size(), .filter = filter.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

}  // namespace

void postpone_interrupts(const std::function<void()>& work) {
  const SignalsBlocked blocked;
  std::thread worker([&work] {
    keep_interrupt_handler();
    work();
  });
  worker.join();
}

}  // namespace glint::cuda
