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
  const std::string where =
      source_line == 0 ? std::string() : fmt::format("{}:{}: ", source_file, source_line);
  return fmt::format("{}{}\n  thread ({}, {}, {}) of block ({}, {}, {}), {}, line {} of the PTX",
                     where, message, thread[0], thread[1], thread[2], block[0], block[1], block[2],
                     opcode, place.line);
}

}  // namespace glint::simulator
