// What is wrong with an access of shared memory.
#pragma once

#include <cstdint>
#include <string>

#include "backends/cuda/simulator/instruction.h"

namespace glint::simulator {

struct SharedFinding {
  bool race = false;  ///< else an uninitialised read
  std::string message;
  uint32_t byte = 0;
  uint32_t thread = 0;                       ///< that is at fault
  const Instruction* instruction = nullptr;  ///< and where
};

}  // namespace glint::simulator
