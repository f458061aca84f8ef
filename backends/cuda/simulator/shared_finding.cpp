#include "backends/cuda/simulator/shared_finding.h"

#include <fmt/format.h>

namespace glint::simulator {

std::string SharedFinding::text() const {
  if (kind != FaultKind::kUninitialised) return message;
  return fmt::format("uninitialised: byte {} of shared memory is read, and nobody has written it",
                     byte);
}

}  // namespace glint::simulator
