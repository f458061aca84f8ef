#include "backends/cuda/simulator/shown_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "backends/cuda/simulator/numbers.h"

namespace glint::simulator {
namespace {

/// Through so many instructions that move it a value is followed.
constexpr int kMostMoves = 3;

bool is_one_of(std::string_view opcode, std::initializer_list<std::string_view> names) {
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  return std::ranges::find(names, name) != names.end();
}

/// The result is an operand as it was, or one of them.
bool moves(std::string_view opcode) {
  return is_one_of(opcode, {"mov", "selp", "shfl"});
}
/// Whether what stands there is moved: of a shuffle the first operand, of others all values.
bool is_moved(const InstructionInfo& info, size_t which) {
  if (!moves(info.opcode) || info.read_types[which] == Type::kPred) return false;
  return !info.opcode.starts_with("shfl") || which == (info.guarded ? 1 : 0);
}
/// Its type says how many bits there are and no more: compilers write u32 for whatever they load.
bool has_type_of_bits(std::string_view opcode) {
  return moves(opcode) || is_one_of(opcode, {"ld", "ldu", "st"});
}
bool writes_lanes(std::string_view opcode) {
  return is_one_of(opcode, {"vote", "match", "activemask"});
}

bool is_bits(Type type) {
  return info(type).kind == TypeClass::kBits;
}
/// Whether an operand of that type says what its register holds.
bool says(std::string_view opcode, Type type) {
  if (is_bits(type)) return false;
  return info(type).kind != TypeClass::kUnsigned || !has_type_of_bits(opcode);
}

Type bits_of(Type type) {
  return size_of(type) == 8 ? Type::kB64 : size_of(type) == 2 ? Type::kB16 : Type::kB32;
}
bool is_integer(Type type) {
  return info(type).kind == TypeClass::kSigned || info(type).kind == TypeClass::kUnsigned;
}

}  // namespace

Type ShownTypes::of(uint32_t at, size_t which) {
  const uint64_t key = (uint64_t{at} << 3) | which;
  const auto known = known_.find(key);
  return known != known_.end() ? known->second : known_[key] = find(at, which);
}

Type ShownTypes::find(uint32_t at, size_t which) const {
  const InstructionInfo& info = program_.info[at];
  const uint32_t reg = info.writes[which];
  const Type type = info.write_types[which];
  const Type declared = program_.registers[reg].type;
  if (type == Type::kNone) return bits_of(declared);
  if (type == Type::kPred || writes_lanes(info.opcode)) return type;
  const bool decided = says(info.opcode, type);
  if (decided && !is_integer(type)) return type;
  const Type read = read_as(at, reg, kMostMoves);
  if (read == Type::kNone) return bits_of(declared);
  if (decided) return type;
  if (is_bits(type) && !is_bits(declared)) return declared;
  if (!is_bits(read) && size_of(read) == size_of(type)) return read;
  if (!is_bits(type) || !(moves(info.opcode) || info.opcode.starts_with("shl"))) return type;
  const Type written = written_as(at, kMostMoves);
  return size_of(written) == size_of(type) ? written : type;
}

/// As what the instructions behind `at` take a register: as an address if one does, else as the
/// first of them that says something takes it; bits where none does.
Type ShownTypes::read_as(uint32_t at, uint32_t reg, int most_moves) const {
  const auto count = static_cast<uint32_t>(program_.info.size());
  Type found = bits_of(program_.registers[reg].type);
  for (uint32_t i = 1; i <= count; ++i) {
    const uint32_t other = (at + i) % count;
    const InstructionInfo& info = program_.info[other];
    for (size_t k = 0; k < info.reads.size(); ++k) {
      if (info.reads[k] != reg) continue;
      const Type type = read_by(other, k, most_moves);
      if (type == Type::kNone) return type;
      if (is_bits(found)) found = type;
    }
  }
  return found;
}

/// As what an instruction takes one of its operands, or, where it moves it, those behind it.
Type ShownTypes::read_by(uint32_t at, size_t which, int most_moves) const {
  const InstructionInfo& info = program_.info[at];
  const Type type = info.read_types[which];
  if (type == Type::kNone || says(info.opcode, type)) return type;
  const bool follows = is_moved(info, which) && most_moves > 0 && !info.writes.empty() &&
                       size_of(info.write_types.front()) == size_of(type);
  return follows ? read_as(at, info.writes.front(), most_moves - 1) : bits_of(type);
}

/// As what the operands of an instruction that moves them were written; bits where none says it.
Type ShownTypes::written_as(uint32_t at, int most_moves) const {
  const InstructionInfo& info = program_.info[at];
  for (size_t k = 0; k < info.reads.size(); ++k) {
    if (!is_moved(info, k) && !info.opcode.starts_with("shl")) continue;
    for (uint32_t other = at; other-- > 0;) {
      const InstructionInfo& writer = program_.info[other];
      const auto found = std::ranges::find(writer.writes, info.reads[k]);
      if (found == writer.writes.end()) continue;
      const Type type = writer.write_types[static_cast<size_t>(found - writer.writes.begin())];
      if (type != Type::kNone && !is_bits(type)) return type;
      if (!moves(writer.opcode) || most_moves == 0) break;
      return written_as(other, most_moves - 1);
    }
  }
  return Type::kB32;
}

std::string value_text(uint64_t bits, Type type) {
  const auto word = static_cast<uint32_t>(bits);
  const auto half = static_cast<uint16_t>(bits);
  const auto upper = static_cast<uint16_t>(bits >> 16);
  const auto pair = [](float low, float high) { return fmt::format("({}, {})", low, high); };
  const auto f16 = [](uint16_t each) { return float(std::bit_cast<Half>(each)); };
  const auto bf16 = [](uint16_t each) { return float(std::bit_cast<BFloat16>(each)); };
  const unsigned unused = 64 - 8 * size_of(type);
  switch (type) {
    case Type::kPred:
      return bits != 0 ? "true" : "false";
    case Type::kF16:
      return fmt::format("{}", f16(half));
    case Type::kBF16:
      return fmt::format("{}", bf16(half));
    case Type::kF32:
      return fmt::format("{}", std::bit_cast<float>(word));
    case Type::kF64:
      return fmt::format("{}", std::bit_cast<double>(bits));
    case Type::kF16x2:
      return pair(f16(half), f16(upper));
    case Type::kBF16x2:
      return pair(bf16(half), bf16(upper));
    default:
      break;
  }
  switch (info(type).kind) {
    case TypeClass::kSigned:
      return std::to_string(static_cast<int64_t>(bits << unused) >> unused);
    case TypeClass::kUnsigned:
      return std::to_string(bits << unused >> unused);
    default:
      return fmt::format("{:#x}", bits);
  }
}

}  // namespace glint::simulator
