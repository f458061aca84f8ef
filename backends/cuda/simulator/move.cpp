// mov, which also packs and unpacks vectors, and the conversions between generic addresses and
// those of a state space.
//
//     mov.b64 {%r1, %r2}, %rd1           the lower half into %r1
//     cvta.to.shared.u64 %rd2, %rd1      minus the window of shared memory
#include "backends/cuda/simulator/lane_loops.h"

namespace glint::simulator {
namespace {

template <class T>
void copy(Warp& warp, const Instruction& instruction, uint32_t mask) {
  warp.write(instruction.operand[0], warp.lanes<T>(instruction.operand[1]), mask);
}
void copy_predicate(Warp& warp, const Instruction& instruction, uint32_t mask) {
  warp.set_predicate(instruction.operand[0],
                     warp.predicate(instruction.operand[1]) ^ instruction.flip, mask);
}

bool prepare_move(const Opcode& opcode, Instruction& instruction) {
  switch (size_of(opcode.type())) {
    case 2:
      instruction.run = copy<uint16_t>;
      break;
    case 4:
      instruction.run = copy<uint32_t>;
      break;
    default:
      instruction.run = copy<uint64_t>;
      break;
  }
  return true;
}
bool prepare_move_predicate(const Opcode&, Instruction& instruction) {
  instruction.run = copy_predicate;
  return true;
}

/// The whole is in slot 4, the elements are in slots 0 on.
template <bool pack>
void split_or_join(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t whole = instruction.width[kAddressSlot];
  const uint32_t part = whole / instruction.count;
  std::byte* whole_at = warp.registers + instruction.operand[kAddressSlot];
  for (uint32_t k = 0; k < instruction.count; ++k) {
    std::byte* part_at = warp.registers + instruction.operand[k];
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      std::byte* in_whole = whole_at + size_t{lane} * whole + size_t{k} * part;
      std::byte* in_part = part_at + size_t{lane} * part;
      std::memcpy(pack ? in_whole : in_part, pack ? in_part : in_whole, part);
    }
  }
}
bool prepare_pack(const Opcode&, Instruction& instruction) {
  instruction.run = split_or_join<true>;
  return true;
}
bool prepare_unpack(const Opcode&, Instruction& instruction) {
  instruction.run = split_or_join<false>;
  return true;
}

/// Time is what the warp has executed: it moves on with every instruction, and not while others
/// run.
template <class T>
void read_clock(Warp& warp, const Instruction& instruction, uint32_t mask) {
  T result[kLanes];
  const uint64_t now = instruction.mode != 0 ? warp.executed >> 32 : warp.executed;
  for (T& lane : result) lane = static_cast<T>(now);
  warp.write(instruction.operand[0], result, mask);
}
bool prepare_clock(const Opcode& opcode, Instruction& instruction) {
  instruction.run = opcode.type() == Type::kU32 ? read_clock<uint32_t> : read_clock<uint64_t>;
  return true;
}

uint64_t window(Space space) {
  if (space == Space::kShared) return kSharedWindow;
  if (space == Space::kLocal) return kLocalWindow;
  if (space == Space::kParameter) return kParameterWindow;
  return 0;
}
void add_window(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint64_t* from = warp.lanes<uint64_t>(instruction.operand[1]);
  uint64_t result[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    result[lane] = from[lane] + static_cast<uint64_t>(instruction.offset);
  }
  warp.write(instruction.operand[0], result, mask);
}
bool prepare_address(const Opcode& opcode, Instruction& instruction) {
  const auto space = space_named(opcode.first_of({"global", "shared", "local", "const", "param"}));
  if (!space) return false;
  const auto offset = static_cast<int64_t>(window(*space));
  instruction.offset = opcode.has("to") ? -offset : offset;
  instruction.run = add_window;
  return true;
}

void test_space(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint64_t* from = warp.lanes<uint64_t>(instruction.operand[1]);
  const uint64_t begin = window(instruction.space);
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const bool inside =
        begin == 0 ? from[lane] >> kRegionBits != 0 : from[lane] >> 32 == begin >> 32;
    bits |= uint32_t{inside} << lane;
  }
  warp.set_predicate(instruction.operand[0], bits, mask);
}
bool prepare_test_space(const Opcode& opcode, Instruction& instruction) {
  const auto space = space_named(opcode.first_of({"global", "shared", "local", "param"}));
  if (!space) return false;
  instruction.space = *space;
  instruction.run = test_space;
  return true;
}

constexpr TypeSet kMoved = kBitTypes | kIntegerTypes | kWideFloatTypes;
constexpr InstructionRow kRows[] = {
    {"mov", "d, a", "", kMoved, "d = a: a register, a number or a variable's address",
     prepare_move},
    {"mov.pred", "p, q", "", 0, "d = a", prepare_move_predicate},
    {"createpolicy.fractional", "d, a?", "cache", types({Type::kB64}),
     "d = what a cache is told of accesses: there is none", prepare_move},
    {"mov.clock", "d, k", "", types({Type::kU32, Type::kU64}),
     "`mov` of a clock: how many instructions the warp has executed", prepare_clock},
    {"mov.pack", "h, w", "", kBitTypes,
     "`mov` of a vector: its elements side by side, the first lowest", prepare_pack},
    {"mov.unpack", "v, g", "", kBitTypes, "`mov` to a vector: the parts of a, the lowest first",
     prepare_unpack},
    {"cvta", "d, a", "to global shared local const param", types({Type::kU64}),
     "an address of a space to a generic one; `to`: back", prepare_address},
    {"isspacep", "p, x", "global shared local param", 0, "is this generic address in the space",
     prepare_test_space},
};

}  // namespace

std::span<const InstructionRow> move_rows() {
  return kRows;
}

}  // namespace glint::simulator
