// Ctrl-C as a KeyboardInterrupt in the script.
//
//     InterruptGuard guard(session);      from now on, until it goes
#pragma once

#include <csignal>
#include <cstddef>
#include <vector>

#include "runtime/session/session.h"

namespace glint {

/// The handler has a stack of its own: oneDNN's products let the stack pointer run through memory
/// from the heap, where what the kernel puts on the stack for a signal (a dozen kilobytes, with
/// AVX-512 and AMX) would overwrite others'.
class InterruptGuard {
 public:
  explicit InterruptGuard(Session& session);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  std::vector<std::byte> memory_;
  stack_t previous_stack_ = {};
  struct sigaction previous_ = {};
};

}  // namespace glint
