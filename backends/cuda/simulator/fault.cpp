#include "backends/cuda/simulator/fault.h"

#include <fmt/format.h>

namespace glint::simulator {

std::string_view fault_name(FaultKind kind) {
  switch (kind) {
    case FaultKind::kOutOfBounds:
      return "out of bounds";
    case FaultKind::kMisaligned:
      return "misaligned";
    case FaultKind::kRace:
      return "race";
    case FaultKind::kUninitialised:
      return "uninitialised";
    case FaultKind::kBarrier:
      return "barrier";
    case FaultKind::kTrap:
      return "trap";
    case FaultKind::kAssert:
      return "assert";
    case FaultKind::kEndless:
      return "endless";
  }
  return "";
}

std::string Fault::text() const {
  if (opcode.empty()) return message;
  return fmt::format(
      "{}\n  thread ({}, {}, {}) of block ({}, {}, {}) of `{}`, {}, line {} of the PTX",
      at.text(message), thread[0], thread[1], thread[2], block[0], block[1], block[2], kernel,
      opcode, place.line);
}

}  // namespace glint::simulator
