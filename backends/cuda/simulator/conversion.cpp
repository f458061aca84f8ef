// cvt: between any two numbers, by way of a wide one.
//
//     cvt.rzi.s32.f32    float -> double -> rounded towards zero -> clamped -> int
//     cvt.rn.f16x2.f32   two floats, each -> double -> half
//
// Integers go through 64 bits, floats through double, which holds every narrower one exactly. A
// register may be wider than the type that is read from it or written to it.
#include <algorithm>
#include <cmath>

#include "backends/cuda/simulator/lane_loops.h"

namespace glint::simulator {
namespace {

enum class ToInteger : uint8_t { kNone, kNearest, kZero, kDown, kUp };

/// The lanes of a register of `width` bytes a lane, each read as T.
template <class T, class Wide>
void read_as(Warp& warp, const Instruction& instruction, size_t slot, Wide* to) {
  const uint32_t width = instruction.width[slot];
  const std::byte* from = warp.registers + instruction.operand[slot];
  if (width == sizeof(T)) {
    const T* values = warp.lanes<T>(instruction.operand[slot]);
    for (uint32_t lane = 0; lane < kLanes; ++lane) to[lane] = Wide(values[lane]);
    return;
  }
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    T value;
    std::memcpy(&value, from + size_t{lane} * width, sizeof(T));
    to[lane] = Wide(value);
  }
}

/// Writes T into a register that may be wider: an integer is extended as its sign asks.
template <class T, class Value>
void write_as(Warp& warp, const Instruction& instruction, const Value* values, uint32_t mask) {
  const uint32_t width = instruction.width[0];
  if (width == sizeof(T)) {
    T result[kLanes];
    for (uint32_t lane = 0; lane < kLanes; ++lane) result[lane] = T(values[lane]);
    warp.write(instruction.operand[0], result, mask);
    return;
  }
  std::byte* to = warp.registers + instruction.operand[0];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const auto wide = static_cast<int64_t>(T(values[lane]));
    std::memcpy(to + size_t{lane} * width, &wide, width);
  }
}

void read_integers(Warp& warp, const Instruction& instruction, int64_t* to) {
  switch (instruction.source_type) {
    case Type::kU8:
      return read_as<uint8_t>(warp, instruction, 1, to);
    case Type::kS8:
      return read_as<int8_t>(warp, instruction, 1, to);
    case Type::kU16:
      return read_as<uint16_t>(warp, instruction, 1, to);
    case Type::kS16:
      return read_as<int16_t>(warp, instruction, 1, to);
    case Type::kU32:
      return read_as<uint32_t>(warp, instruction, 1, to);
    case Type::kS32:
      return read_as<int32_t>(warp, instruction, 1, to);
    default:
      return read_as<int64_t>(warp, instruction, 1, to);
  }
}

void read_floats(Warp& warp, const Instruction& instruction, size_t slot, double* to) {
  switch (instruction.source_type) {
    case Type::kF16:
      return read_as<Half>(warp, instruction, slot, to);
    case Type::kBF16:
      return read_as<BFloat16>(warp, instruction, slot, to);
    case Type::kF32:
      return read_as<float>(warp, instruction, slot, to);
    default:
      return read_as<double>(warp, instruction, slot, to);
  }
}

void write_integers(Warp& warp, const Instruction& instruction, const int64_t* values,
                    uint32_t mask) {
  switch (instruction.type) {
    case Type::kU8:
      return write_as<uint8_t>(warp, instruction, values, mask);
    case Type::kS8:
      return write_as<int8_t>(warp, instruction, values, mask);
    case Type::kU16:
      return write_as<uint16_t>(warp, instruction, values, mask);
    case Type::kS16:
      return write_as<int16_t>(warp, instruction, values, mask);
    case Type::kU32:
      return write_as<uint32_t>(warp, instruction, values, mask);
    case Type::kS32:
      return write_as<int32_t>(warp, instruction, values, mask);
    default:
      return write_as<int64_t>(warp, instruction, values, mask);
  }
}

/// What an integer type holds.
struct Range {
  int64_t least;
  uint64_t most;
};
Range range_of(Type type) {
  const uint32_t bits = 8u * size_of(type);
  if (info(type).kind != TypeClass::kSigned) return {0, ~0ull >> (64 - bits)};
  return {-(int64_t{1} << (bits - 2)) * 2, ~0ull >> (65 - bits)};
}

void integer_to_integer(Warp& warp, const Instruction& instruction, uint32_t mask) {
  int64_t values[kLanes];
  read_integers(warp, instruction, values);
  if (instruction.saturate) {
    const Range range = range_of(instruction.type);
    const bool from_unsigned = instruction.source_type == Type::kU64;
    for (int64_t& value : values) {
      const bool negative = value < 0 && !from_unsigned;
      if (negative) {
        value = std::max(value, range.least);
      } else {
        value = static_cast<int64_t>(std::min(static_cast<uint64_t>(value), range.most));
      }
    }
  }
  write_integers(warp, instruction, values, mask);
}

template <class T>
void integer_to(Warp& warp, const Instruction& instruction, uint32_t mask) {
  int64_t values[kLanes];
  read_integers(warp, instruction, values);
  T result[kLanes];
  const bool from_unsigned = instruction.source_type == Type::kU64;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    using Through = std::conditional_t<kSmallFloat<T>, double, T>;
    const Through value =
        from_unsigned ? Through(static_cast<uint64_t>(values[lane])) : Through(values[lane]);
    if constexpr (kSmallFloat<T>) {
      result[lane] = narrow<T>(value);
    } else {
      result[lane] = value;
    }
  }
  warp.write(instruction.operand[0], result, mask);
}

double to_integer(ToInteger how, double value) {
  switch (how) {
    case ToInteger::kNone:
      return value;
    case ToInteger::kNearest:
      return std::nearbyint(value);
    case ToInteger::kZero:
      return std::trunc(value);
    case ToInteger::kDown:
      return std::floor(value);
    case ToInteger::kUp:
      return std::ceil(value);
  }
  return value;
}

/// What a NaN becomes: zero, but the least number where a side has 64 bits.
int64_t from_not_a_number(const Instruction& instruction) {
  const bool wide = instruction.source_type == Type::kF64 || size_of(instruction.type) == 8;
  if (!wide) return 0;
  return static_cast<int64_t>(1ull << (8u * size_of(instruction.type) - 1));
}

void float_to_integer(Warp& warp, const Instruction& instruction, uint32_t mask) {
  double values[kLanes];
  read_floats(warp, instruction, 1, values);
  const Range range = range_of(instruction.type);
  const auto least = static_cast<double>(range.least);
  const auto most = static_cast<double>(range.most);
  const int64_t otherwise = from_not_a_number(instruction);
  int64_t result[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const double value = to_integer(static_cast<ToInteger>(instruction.mode), values[lane]);
    if (value != value) {
      result[lane] = otherwise;
    } else if (value >= most) {
      result[lane] = static_cast<int64_t>(range.most);
    } else if (value <= least) {
      result[lane] = range.least;
    } else if (value >= 0x1p63) {
      result[lane] = static_cast<int64_t>(static_cast<uint64_t>(value));
    } else {
      result[lane] = static_cast<int64_t>(value);
    }
  }
  write_integers(warp, instruction, result, mask);
}

template <class T>
T to_float(double value) {
  if constexpr (kSmallFloat<T>) {
    return narrow<T>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return value;
  } else {
    return rounded_to<float>(static_cast<float>(value));
  }
}

template <class T>
void float_to(Warp& warp, const Instruction& instruction, uint32_t mask) {
  double values[kLanes];
  read_floats(warp, instruction, 1, values);
  if (static_cast<ToInteger>(instruction.mode) != ToInteger::kNone) {
    for (double& value : values)
      value = to_integer(static_cast<ToInteger>(instruction.mode), value);
  }
  T result[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) result[lane] = to_float<T>(values[lane]);
  warp.write(instruction.operand[0], result, mask);
}

/// The first source is the upper half.
template <class T>
void floats_to_pair(Warp& warp, const Instruction& instruction, uint32_t mask) {
  double high[kLanes], low[kLanes];
  read_floats(warp, instruction, 1, high);
  read_floats(warp, instruction, 2, low);
  Pair<T> result[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    result[lane] = {to_float<T>(low[lane]), to_float<T>(high[lane])};
  }
  warp.write(instruction.operand[0], result, mask);
}

enum class Direction : uint8_t { kZero, kDown, kUp };

/// Rounded as said: what a float has behind the upper half is dropped, and where that moves a
/// number the wrong way, its neighbour taken. A narrower step before, to odd, drops no bit unseen.
template <Direction direction>
BFloat16 directed(double value) {
  const float single = narrow_to_odd(value);
  const auto bits = std::bit_cast<uint32_t>(single);
  BFloat16 result;
  result.bits = static_cast<uint16_t>(value != value ? 0x7fffu : bits >> 16);
  const bool exact = (bits & 0xffffu) == 0 || value != value;
  const bool away = direction == (value < 0 ? Direction::kDown : Direction::kUp);
  if (!exact && away) ++result.bits;
  return result;
}

/// An integer as a double, rounded to odd: 64 bits are more than it holds.
double integer_to_odd(int64_t value, bool is_unsigned) {
  constexpr uint64_t kDropped = 0x7ff;
  const bool negative = value < 0 && !is_unsigned;
  auto magnitude = static_cast<uint64_t>(value);
  if (negative) magnitude = 0 - magnitude;
  if (magnitude >> 53 != 0 && (magnitude & kDropped) != 0)
    magnitude = (magnitude & ~kDropped) | (kDropped + 1);
  return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

template <Direction direction>
void to_bfloat16(Warp& warp, const Instruction& instruction, uint32_t mask) {
  BFloat16 result[kLanes];
  double values[kLanes];
  if (info(instruction.source_type).kind == TypeClass::kFloat) {
    read_floats(warp, instruction, 1, values);
  } else {
    int64_t integers[kLanes];
    read_integers(warp, instruction, integers);
    const bool from_unsigned = instruction.source_type == Type::kU64;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      values[lane] = integer_to_odd(integers[lane], from_unsigned);
    }
  }
  for (uint32_t lane = 0; lane < kLanes; ++lane) result[lane] = directed<direction>(values[lane]);
  warp.write(instruction.operand[0], result, mask);
}

Handler to_bfloat16_handler(std::string_view rounding) {
  if (rounding == "rz") return to_bfloat16<Direction::kZero>;
  return rounding == "rm" ? to_bfloat16<Direction::kDown> : to_bfloat16<Direction::kUp>;
}

ToInteger integer_rounding(const Opcode& opcode) {
  if (opcode.has("rni")) return ToInteger::kNearest;
  if (opcode.has("rzi")) return ToInteger::kZero;
  if (opcode.has("rmi")) return ToInteger::kDown;
  if (opcode.has("rpi")) return ToInteger::kUp;
  return ToInteger::kNone;
}

Handler to_float_handler(Type type, bool from_integer) {
  switch (type) {
    case Type::kF16:
      return from_integer ? integer_to<Half> : float_to<Half>;
    case Type::kBF16:
      return from_integer ? integer_to<BFloat16> : float_to<BFloat16>;
    case Type::kF32:
      return from_integer ? integer_to<float> : float_to<float>;
    default:
      return from_integer ? integer_to<double> : float_to<double>;
  }
}

bool is_integer(Type type) {
  return info(type).kind == TypeClass::kUnsigned || info(type).kind == TypeClass::kSigned;
}

bool prepare_convert(const Opcode& opcode, Instruction& instruction) {
  if (opcode.types.size() != 2) return false;
  instruction.type = opcode.types[0];
  instruction.source_type = opcode.types[1];
  instruction.mode = static_cast<uint8_t>(integer_rounding(opcode));
  instruction.saturate = opcode.has("sat");
  const bool from_integer = is_integer(instruction.source_type);
  const std::string_view rounding = opcode.first_of({"rz", "rm", "rp"});
  if (is_integer(instruction.type)) {
    instruction.run = from_integer ? integer_to_integer : float_to_integer;
    // A float's subnormals are flushed when it is read.
    if (opcode.has("ftz")) prepare_rounding({opcode.row, {"ftz"}, {}}, instruction);
    return true;
  }
  if (info(instruction.type).kind != TypeClass::kFloat) return false;
  Opcode result = opcode;
  result.types = {instruction.type};
  if (!rounding.empty() && instruction.type == Type::kBF16) {
    instruction.run = to_bfloat16_handler(rounding);
    std::erase(result.modifiers, rounding);
  } else {
    instruction.run = to_float_handler(instruction.type, from_integer);
  }
  return prepare_rounding(result, instruction);
}

template <class T>
bool prepare_pair(const Opcode& opcode, Instruction& instruction) {
  if (opcode.type() != Type::kF32) return false;
  instruction.source_type = Type::kF32;
  instruction.run = floats_to_pair<T>;
  return true;
}

constexpr TypeSet kNumbers =
    kIntegerTypes | kWideFloatTypes | types({Type::kU8, Type::kS8, Type::kF16, Type::kBF16});

constexpr InstructionRow kRows[] = {
    {"cvt", "X, x", "rn rz rm rp rni rzi rmi rpi ftz sat", kNumbers,
     "d = a as a number of the first type", prepare_convert},
    {"cvt.rn.f16x2", "r, n, n", "", types({Type::kF32}), "the halves a and b, a above",
     prepare_pair<Half>},
    {"cvt.rn.bf16x2", "r, n, n", "", types({Type::kF32}), "the bfloat16s a and b, a above",
     prepare_pair<BFloat16>},
};

}  // namespace

std::span<const InstructionRow> conversion_rows() {
  return kRows;
}

}  // namespace glint::simulator
