#include "repl/interrupt_guard.h"

#include <sys/auxv.h>

#include "core/support/recovery.h"

namespace glint {
namespace {

/// The session that Ctrl-C interrupts.
Session* interruptible = nullptr;

void on_interrupt(int) {
  if (!interruptible) return;
  interruptible->interrupt();
  recovery::leave();
}

}  // namespace

InterruptGuard::InterruptGuard(Session& session)
    : memory_(getauxval(AT_MINSIGSTKSZ) + (64U << 10U)) {
  interruptible = &session;
  stack_t own = {};
  own.ss_sp = memory_.data();
  own.ss_size = memory_.size();
  sigaltstack(&own, &previous_stack_);
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  // A kernel at work is left from the handler, which then is to leave no signal blocked.
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigaction(SIGINT, &action, &previous_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &previous_, nullptr);
  sigaltstack(&previous_stack_, nullptr);
  interruptible = nullptr;
}

}  // namespace glint
