// One instruction, decoded: what runs, and where its operands lie in a warp's registers.
//
// A register is 32 lanes side by side, and an operand is the byte offset of its register. Constants
// and special registers (`%tid.x`) are registers that nobody writes, so that every operand is read
// in the same way.
//
//     @!%p1 fma.rn.f32 %f4, %f1, %f2, 0f3F800000;
//     run = fused multiply-add of floats   operand = {%f4, %f1, %f2, the constant 1.0}
//     guard = %p1, guard_flip = ~0
//
// Operand k of the text is in slot k, but for three rules: the elements of a vector are slots 0 to
// 3, an address is slot 4, and a second destination (`%r1|%p1`) is slot 5.
#pragma once

#include <array>
#include <cstdint>

#include "backends/cuda/simulator/type.h"

namespace glint::simulator {

inline constexpr uint32_t kLanes = 32;
inline constexpr uint32_t kAllLanes = ~0u;
/// An instruction number that is none: the reconvergence of a branch whose paths never join.
inline constexpr uint32_t kNowhere = ~0u;
inline constexpr size_t kAddressSlot = 4;
inline constexpr size_t kSecondSlot = 5;

struct Warp;
struct Instruction;

/// Runs an instruction for the lanes of `mask`, which has one at least.
using Handler = void (*)(Warp& warp, const Instruction& instruction, uint32_t mask);

struct Instruction {
  Handler run = nullptr;
  Handler inner = nullptr;  ///< what `run` wraps, where rounding or saturation is asked for
  Handler after = nullptr;  ///< saturation
  std::array<uint32_t, 6> operand = {};
  std::array<uint8_t, 6> width = {};  ///< the bytes a lane of each operand's register
  uint32_t guard = 0;                 ///< the register of the predicate
  uint32_t guard_flip = 0;            ///< ~0 where the predicate is negated
  uint32_t flip = 0;                  ///< the same of a predicate operand
  uint32_t result_flip = 0;           ///< the same of a predicate result
  uint32_t target = kNowhere;         ///< of a branch; of a branch through a table: its number
  uint32_t reconverge = kNowhere;     ///< where the lanes that a branch parts meet again
  uint32_t rounding = 0;              ///< bits of the processor's control register
  int64_t offset = 0;                 ///< of an address
  Type type = Type::kNone;
  Type source_type = Type::kNone;  ///< of a conversion or comparison
  Space space = Space::kGeneric;
  uint8_t count = 1;      ///< elements of a vector
  uint8_t mode = 0;       ///< an enumerator of the instruction's family
  uint8_t mode2 = 0;      ///< a further one
  bool saturate = false;  ///< of a conversion
};

}  // namespace glint::simulator
