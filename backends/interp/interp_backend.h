// The backend that runs Kernel IR itself: slow, exact, steppable (kernel_interpreter.h).
#pragma once

#include "backends/backend.h"
#include "backends/interp/kernel_interpreter.h"

namespace glint {

const Backend& interp_backend();

/// Hears of each statement that is run, on both sides of it.
class StatementWatch {
 public:
  virtual ~StatementWatch() = default;
  /// `run.statement()` is next; the loop indices are those that it sees.
  virtual void before(const Kernel& kernel, const KernelInterpreter& run) = 0;
  virtual void after(const Kernel& kernel, const KernelInterpreter& run, uint32_t statement) = 0;
};
/// The same backend, watched: each launch runs as a whole, on one thread. The watch outlives what
/// it gives.
std::unique_ptr<CompiledSchedule> watched_interp(const Schedule& schedule, StatementWatch& watch);

}  // namespace glint
