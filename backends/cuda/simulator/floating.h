// The floating operations of the instructions that integers have too (add, min, ...):
// arithmetic.cpp holds their rows, floating.cpp what they do to floats.
//
//     prepare_float(FloatOperation::kAdd, opcode of `add.rz.ftz.f32`, instruction)
#pragma once

#include "backends/cuda/simulator/instruction_table.h"

namespace glint::simulator {

enum class FloatOperation : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMinimum,
  kMaximum,
  kAbsolute,
  kNegative,
};

/// Fills in what runs; false where the type is no floating one, or the variant is outside the set.
bool prepare_float(FloatOperation operation, const Opcode& opcode, Instruction& instruction);

}  // namespace glint::simulator
