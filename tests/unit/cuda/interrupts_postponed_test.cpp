#include "backends/cuda/compile/interrupts_postponed.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace glint {
namespace {

volatile sig_atomic_t ours = 0;
volatile sig_atomic_t theirs = 0;

TEST_CASE("Ctrl-C outlasts the handlers that a library's set-up has for a while") {
  if (prctl(PR_GET_SECCOMP) < 0) {
    WARN("without filters of system calls a Ctrl-C may be lost");
    return;
  }
  ours = 0;
  theirs = 0;
  const auto before = signal(SIGINT, [](int) { ours = ours + 1; });
  cuda::postpone_interrupts([] {
    kill(getpid(), SIGINT);
    signal(SIGINT, SIG_IGN);
    signal(SIGINT, [](int) { theirs = theirs + 1; });
    CHECK(ours == 0);
  });
  CHECK(ours == 1);
  // What was set meanwhile is not what is there now.
  raise(SIGINT);
  CHECK(ours == 2);
  CHECK(theirs == 0);
  signal(SIGINT, before);
}

TEST_CASE("without Ctrl-C the work is all that happens") {
  bool worked = false;
  cuda::postpone_interrupts([&worked] { worked = true; });
  CHECK(worked);
}

}  // namespace
}  // namespace glint
