// What is wrong with an access of shared memory, or with what a shuffle brings.
#pragma once

#include <cstdint>
#include <string>

#include "backends/cuda/simulator/fault.h"
#include "backends/cuda/simulator/instruction.h"

namespace glint::simulator {

struct SharedFinding {
  FaultKind kind = FaultKind::kUninitialised;
  std::string message;  ///< none of an uninitialised read: there may be many that nobody uses
  uint32_t byte = 0;
  uint32_t thread = 0;                       ///< that is at fault
  const Instruction* instruction = nullptr;  ///< and where

  std::string text() const;
};

}  // namespace glint::simulator
