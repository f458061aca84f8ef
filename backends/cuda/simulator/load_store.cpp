// ld, st and their like: from and to every space, one element a lane or a vector of 2 or 4.
//
//     ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16]
//
// A register may be wider than what is loaded: integers are extended, as their type asks.
#include "backends/cuda/simulator/lane_loops.h"
#include "backends/cuda/simulator/memory_access.h"

namespace glint::simulator {
namespace {

/// Extends a loaded element to the register's width.
template <class T>
void widen(std::byte* to, T value, uint32_t width) {
  using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  const auto wide = static_cast<Wide>(value);
  std::memcpy(to, &wide, width);
}

template <class T>
void load(Warp& warp, const Instruction& instruction, uint32_t mask) {
  LanePointers at;
  const uint32_t count = instruction.count;
  const auto size = static_cast<uint32_t>(sizeof(T) * count);
  if (!reach(warp, instruction, mask, {size, AccessKind::kLoad, instruction.mode2 != 0}, at))
    return;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t width = instruction.width[k];
    std::byte* to = warp.registers + instruction.operand[k];
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      T value;
      std::memcpy(&value, at[lane] + k * sizeof(T), sizeof(T));
      if (width == sizeof(T)) {
        std::memcpy(to + lane * sizeof(T), &value, sizeof(T));
      } else {
        widen(to + size_t{lane} * width, value, width);
      }
    }
  }
}

template <class T>
void poll(Warp& warp, const Instruction& instruction, uint32_t mask) {
  warp.poll(instruction, mask);
  load<T>(warp, instruction, mask);
}

template <class T>
void store(Warp& warp, const Instruction& instruction, uint32_t mask) {
  LanePointers at;
  const uint32_t count = instruction.count;
  const auto size = static_cast<uint32_t>(sizeof(T) * count);
  if (!reach(warp, instruction, mask, {size, AccessKind::kStore, instruction.mode != 0}, at))
    return;
  bool changes = false;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t width = instruction.width[k];
    const std::byte* from = warp.registers + instruction.operand[k];
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      std::byte* to = at[lane] + k * sizeof(T);
      changes |= std::memcmp(to, from + size_t{lane} * width, sizeof(T)) != 0;
      std::memcpy(to, from + size_t{lane} * width, sizeof(T));
    }
  }
  warp.block->changes += changes;
}

template <class T>
Handler load_as(bool polled) {
  return polled ? poll<T> : load<T>;
}
Handler load_handler(Type type, bool polled) {
  switch (type) {
    case Type::kS8:
      return load_as<int8_t>(polled);
    case Type::kS16:
      return load_as<int16_t>(polled);
    case Type::kS32:
      return load_as<int32_t>(polled);
    default:
      break;
  }
  switch (size_of(type)) {
    case 1:
      return load_as<uint8_t>(polled);
    case 2:
      return load_as<uint16_t>(polled);
    case 4:
      return load_as<uint32_t>(polled);
    default:
      return load_as<uint64_t>(polled);
  }
}
Handler store_handler(Type type) {
  switch (size_of(type)) {
    case 1:
      return store<uint8_t>;
    case 2:
      return store<uint16_t>;
    case 4:
      return store<uint32_t>;
    default:
      return store<uint64_t>;
  }
}

void prepare_space(const Opcode& opcode, Instruction& instruction) {
  instruction.space = Space::kGeneric;
  for (const std::string_view modifier : opcode.modifiers) {
    const std::string_view name = modifier.substr(0, modifier.find(':'));
    if (const auto space = space_named(name)) instruction.space = *space;
  }
  if (opcode.has("v2")) instruction.count = 2;
  if (opcode.has("v4")) instruction.count = 4;
}
bool prepare_load(const Opcode& opcode, Instruction& instruction) {
  prepare_space(opcode, instruction);
  instruction.mode = is_volatile(opcode) ? 1 : 0;
  instruction.run = load_handler(opcode.type(), is_polled(opcode));
  return true;
}
bool prepare_store(const Opcode& opcode, Instruction& instruction) {
  prepare_space(opcode, instruction);
  instruction.mode = is_volatile(opcode) ? 1 : 0;
  instruction.run = store_handler(opcode.type());
  return true;
}

void do_nothing(Warp&, const Instruction&, uint32_t) {}
bool prepare_nothing(const Opcode&, Instruction& instruction) {
  instruction.run = do_nothing;
  return true;
}

constexpr TypeSet kStored =
    kBitTypes | kIntegerTypes | kWideFloatTypes |
    types({Type::kB8, Type::kU8, Type::kS8, Type::kF16, Type::kBF16, Type::kF16x2, Type::kBF16x2});

constexpr InstructionRow kRows[] = {
    {"ld", "v, m, i?",
     "global shared shared::cta local const param nc v2 v4 volatile weak relaxed acquire "
     "cta gpu sys ca cg cs lu cv cache",
     kStored, "d = the memory at an address", prepare_load},
    {"ldu", "v, m", "global v2 v4", kStored, "`ld` of what is the same for all lanes",
     prepare_load},
    {"st", "m, w, i?",
     "global shared shared::cta local param v2 v4 volatile weak relaxed release "
     "cta gpu sys wb cg cs wt cache",
     kStored, "the memory at an address = a", prepare_store},
    {"prefetch", "m", "global local L1 L2", 0, "nothing: there is no cache", prepare_nothing},
};

}  // namespace

std::span<const InstructionRow> memory_rows() {
  return kRows;
}

}  // namespace glint::simulator
