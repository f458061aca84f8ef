// The operands of one instruction: each letter of its row says what may stand there, and in which
// slot of the decoded instruction it goes (see instruction.h).
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/simulator/linker.h"

namespace glint::simulator {
namespace {

bool is_destination(char letter) {
  return std::string_view("dDrXpvh").find(letter) != std::string_view::npos;
}

/// The type that a number among the operands is written in.
Type operand_type(char letter, const Opcode& opcode) {
  if (letter == 'n' || letter == 'r') return opcode.type() == Type::kF32 ? Type::kF32 : Type::kU32;
  return opcode.type();
}

uint32_t operand_width(char letter, const Opcode& opcode) {
  switch (letter) {
    case 'n':
    case 'r':
      return 4;
    case 'D':
    case 'A':
      return 2u * size_of(opcode.type());
    case 'X':
      return size_of(opcode.types.front());
    case 'x':
      return opcode.types.empty() ? 8 : size_of(opcode.type());
    default:
      return size_of(opcode.type());
  }
}

Type of_twice_the_size(Type type) {
  switch (type) {
    case Type::kU16:
      return Type::kU32;
    case Type::kS16:
      return Type::kS32;
    case Type::kU32:
      return Type::kU64;
    default:
      return Type::kS64;
  }
}

Type bits_of_size(size_t bytes) {
  return bytes == 8 ? Type::kB64 : bytes == 4 ? Type::kB32 : bytes == 2 ? Type::kB16 : Type::kB8;
}

/// What stands for a 32-bit result: halves side by side, lanes, or a number.
Type result_of_32_bits(const Opcode& opcode) {
  const std::string_view name = opcode.row->name;
  if (name.ends_with(".bf16x2")) return Type::kBF16x2;
  if (name.ends_with(".f16x2")) return Type::kF16x2;
  if (name.starts_with("match.")) return Type::kB32;
  return opcode.type() == Type::kS32 ? Type::kS32 : Type::kU32;
}

/// As what an instruction takes a register that stands where its row has a letter.
Type meant_type(char letter, const Opcode& opcode, const Instruction& instruction) {
  switch (letter) {
    case 'm':
      return Type::kNone;
    case 'i':
      return Type::kB64;
    case 'D':
    case 'A':
      return of_twice_the_size(opcode.type());
    case 'X':
      return opcode.types.front();
    case 'n':
      return opcode.type() == Type::kF32 ? Type::kF32 : Type::kB32;
    case 'r':
      return result_of_32_bits(opcode);
    case 'v':
    case 'w':
      if (opcode.row->name.starts_with("mov.") && instruction.count > 0)
        return bits_of_size(size_of(opcode.type()) / instruction.count);
      [[fallthrough]];
    default:
      return opcode.row->name == "cvta" ? Type::kNone : opcode.type();
  }
}

/// A number's bits as a value of the type.
uint64_t bits_as(const Operand& operand, Type type) {
  const bool integer = operand.kind == Operand::Kind::kInteger;
  if (info(type).kind != TypeClass::kFloat || size_of(type) < 4) return operand.bits;
  if (integer) return operand.bits;
  if (operand.float_size == size_of(type)) return operand.bits;
  if (type == Type::kF64) {
    const auto single = std::bit_cast<float>(static_cast<uint32_t>(operand.bits));
    return std::bit_cast<uint64_t>(static_cast<double>(single));
  }
  return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
}

struct SpecialName {
  std::string_view name;
  Special special;
  bool axes;
};
constexpr SpecialName kSpecials[] = {
    {"%tid", Special::kTid, true},
    {"%ntid", Special::kNtid, true},
    {"%ctaid", Special::kCtaid, true},
    {"%nctaid", Special::kNctaid, true},
    {"%laneid", Special::kLaneId, false},
    {"%warpid", Special::kWarpId, false},
    {"%nwarpid", Special::kWarpCount, false},
    {"%lanemask_eq", Special::kLaneMaskEq, false},
    {"%lanemask_lt", Special::kLaneMaskLt, false},
    {"%lanemask_le", Special::kLaneMaskLe, false},
    {"%lanemask_gt", Special::kLaneMaskGt, false},
    {"%lanemask_ge", Special::kLaneMaskGe, false},
    {"%smid", Special::kMultiprocessor, false},
    {"%total_smem_size", Special::kSharedSize, false},
    {"%dynamic_smem_size", Special::kDynamicSharedSize, false},
};

}  // namespace

void Linker::operands(const InstructionText& text, const Opcode& opcode, Instruction& instruction,
                      InstructionInfo& info) {
  const std::vector<std::string_view> pattern = split(opcode.row->operands, ',');
  const bool has_policy = opcode.has("L2::cache_hint");
  for (size_t i = 0; i < pattern.size() && ok(); ++i) {
    const bool is_policy = pattern[i][0] == 'i';
    const bool optional = pattern[i].ends_with('?') && !(is_policy && has_policy);
    const bool stands = i < text.operands.size();
    if (stands && (!is_policy || has_policy)) {
      operand(pattern[i][0], i, text.operands[i], opcode, instruction, info);
      note_types(meant_type(pattern[i][0], opcode, instruction), info);
    } else if (optional && !stands) {
      missing_operand(pattern[i][0], i, instruction);
    } else {
      fail(text.place,
           fmt::format("`{}` takes the operands {}", text.opcode, opcode.row->operands));
    }
  }
  if (text.operands.size() > pattern.size()) {
    fail(text.operands[pattern.size()].place,
         fmt::format("`{}` takes the operands {}", text.opcode,
                     pattern.empty() ? "none" : opcode.row->operands));
  }
}

void Linker::operand(char letter, size_t slot, const Operand& operand, const Opcode& opcode,
                     Instruction& instruction, InstructionInfo& info) {
  const Type type = operand_type(letter, opcode);
  const bool predicate = letter == 'p' || letter == 'q' || (type == Type::kPred && letter != 'n');
  const uint32_t width = predicate ? 4 : operand_width(letter, opcode);
  const bool exact = std::string_view("Xx").find(letter) == std::string_view::npos;
  if (letter == 'l' || letter == 't') {
    frames_.back().fixups.push_back(
        {static_cast<uint32_t>(program_.code.size()), operand.name, letter == 't', operand.place});
  } else if (letter == 'k') {
    clock(operand, instruction);
  } else if (letter == 'm') {
    address(operand, instruction, info);
  } else if (letter == 'v' || letter == 'w') {
    vector(operand, opcode, letter == 'v', instruction, info);
  } else if (letter == 'i') {
    value(operand, Type::kB64, 8, true, kSecondSlot, instruction, info);
  } else if (letter == 'h') {
    destination(operand.name, operand.place, width, true, false, kAddressSlot, instruction, info);
  } else if (letter == 'g') {
    value(operand, type, width, true, kAddressSlot, instruction, info);
  } else if (is_destination(letter)) {
    destination(operand.name, operand.place, width, exact, predicate, slot, instruction, info);
    if (operand.second.empty()) return;
    instruction.mode2 = 1;
    destination(operand.second, operand.place, 4, true, true, kSecondSlot, instruction, info);
  } else if (predicate) {
    predicate_value(operand, slot, instruction, info);
  } else {
    value(operand, type, width, exact, slot, instruction, info);
  }
}

void Linker::note_types(Type type, InstructionInfo& info) const {
  const auto note = [&](const std::vector<uint32_t>& registers, std::vector<Type>& types) {
    while (types.size() < registers.size()) {
      const bool predicate = program_.registers[registers[types.size()]].type == Type::kPred;
      types.push_back(predicate ? Type::kPred : type);
    }
  };
  note(info.reads, info.read_types);
  note(info.writes, info.write_types);
}

/// Not a register: it has another value each time that it is read.
void Linker::clock(const Operand& operand, Instruction& instruction) {
  const bool high = operand.name == "%clock_hi";
  if (!high && operand.name != "%clock" && operand.name != "%clock64")
    fail(operand.place, fmt::format("no register `{}`", operand.name));
  instruction.mode = high ? 1 : 0;
}

void Linker::missing_operand(char letter, size_t slot, Instruction& instruction) {
  if (letter == 'i') return;
  instruction.operand[slot] = letter == 'q' ? always() : constant(0, 8);
}

/// A vector's elements, or a lone register, in slots 0 on.
void Linker::vector(const Operand& operand, const Opcode& opcode, bool write,
                    Instruction& instruction, InstructionInfo& info) {
  const bool list = operand.kind == Operand::Kind::kVector;
  const size_t count = list ? operand.elements.size() : 1;
  const bool packs = opcode.row->name.starts_with("mov.");
  if (packs) instruction.count = static_cast<uint8_t>(count);
  if (count != instruction.count || count == 0 || count > 4) {
    fail(operand.place, fmt::format("expected {} element{}", instruction.count,
                                    instruction.count == 1 ? "" : "s"));
    return;
  }
  const auto width = static_cast<uint32_t>(size_of(opcode.type()) / (packs ? count : 1));
  if (width == 0 || (packs && width * count != size_of(opcode.type()))) {
    fail(operand.place,
         fmt::format("{} bits cannot be {} elements", 8 * size_of(opcode.type()), count));
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const Operand& element = list ? operand.elements[i] : operand;
    if (write) {
      destination(element.name, element.place, width, packs, false, i, instruction, info);
    } else {
      value(element, packs ? Type::kB64 : opcode.type(), width, packs, i, instruction, info);
    }
  }
}

/// `[%rd1+16]`, `[variable+4]`, `[64]`: a register and an offset.
void Linker::address(const Operand& operand, Instruction& instruction, InstructionInfo& info) {
  if (operand.kind != Operand::Kind::kAddress) {
    fail(operand.place, "expected an address");
    return;
  }
  instruction.offset = operand.offset;
  instruction.width[kAddressSlot] = 8;
  Symbol* symbol = operand.name.empty() ? nullptr : find(operand.name);
  if (operand.name.empty()) {
    instruction.operand[kAddressSlot] = constant(0, 8);
  } else if (symbol && symbol->kind == Symbol::Kind::kVariable) {
    const uint64_t at = variable_address(*symbol, operand.place);
    instruction.operand[kAddressSlot] = constant(at, 8, symbol->dynamic);
    // A parameter of a call is the caller's local memory.
    if (instruction.space == Space::kParameter) instruction.space = symbol->space;
  } else if (const Register* reg = register_named(operand.name, operand.place, &info)) {
    const uint32_t width = size_of(reg->type);
    if (width < 4 || reg->type == Type::kPred) {
      fail(operand.place, fmt::format("`{}` cannot hold an address", operand.name));
    }
    instruction.operand[kAddressSlot] = reg->offset;
    instruction.width[kAddressSlot] = static_cast<uint8_t>(width);
  }
}

void Linker::value(const Operand& operand, Type type, uint32_t width, bool exact, size_t slot,
                   Instruction& instruction, InstructionInfo& info) {
  instruction.width[slot] = static_cast<uint8_t>(width);
  if (operand.kind == Operand::Kind::kInteger || operand.kind == Operand::Kind::kFloat) {
    instruction.operand[slot] = constant(bits_as(operand, type), width);
    return;
  }
  if (operand.kind != Operand::Kind::kName || operand.negated) {
    fail(operand.place, "expected a register or a number");
    return;
  }
  if (operand.name == "WARP_SZ") {
    instruction.operand[slot] = constant(kLanes, width);
    return;
  }
  Symbol* symbol = find(operand.name);
  if (symbol && symbol->kind == Symbol::Kind::kVariable) {
    const uint64_t at = variable_address(*symbol, operand.place);
    instruction.operand[slot] =
        constant(at + static_cast<uint64_t>(operand.offset), width, symbol->dynamic);
    return;
  }
  const Register* reg = register_named(operand.name, operand.place, &info);
  if (!reg) return;
  const uint32_t has = size_of(reg->type);
  if (reg->type == Type::kPred || (exact ? has != width : has < width)) {
    fail(operand.place, fmt::format("`{}` has type .{} where {} bits are expected", operand.name,
                                    simulator::info(reg->type).name, 8 * width));
  }
  instruction.operand[slot] = reg->offset;
  instruction.width[slot] = static_cast<uint8_t>(has);
}

void Linker::destination(const std::string& name, Place place, uint32_t width, bool exact,
                         bool predicate, size_t slot, Instruction& instruction,
                         InstructionInfo& info) {
  if (name == "_") {
    Register nobody;
    nobody.name = "_";
    nobody.type = predicate    ? Type::kPred
                  : width == 2 ? Type::kB16
                  : width == 8 ? Type::kB64
                               : Type::kB32;
    const uint32_t number = add_register(std::move(nobody), std::max(width, 2u));
    instruction.operand[slot] = program_.registers[number].offset;
    instruction.width[slot] = static_cast<uint8_t>(std::max(width, 2u));
    return;
  }
  const Register* reg = register_named(name, place, nullptr);
  if (!reg) return;
  const uint32_t has = size_of(reg->type);
  const bool fits =
      (reg->type == Type::kPred) == predicate && (exact ? has == width : has >= width);
  if (!fits || reg->role != Register::Role::kWritten) {
    fail(place,
         fmt::format("`{}` has type .{} where {} is to be written", name,
                     simulator::info(reg->type).name,
                     predicate ? std::string("a predicate") : fmt::format("{} bits", 8 * width)));
  }
  instruction.operand[slot] = reg->offset;
  instruction.width[slot] = static_cast<uint8_t>(has);
  info.writes.push_back(static_cast<uint32_t>(reg - program_.registers.data()));
}

void Linker::predicate_value(const Operand& operand, size_t slot, Instruction& instruction,
                             InstructionInfo& info) {
  if (operand.kind == Operand::Kind::kInteger) {
    instruction.operand[slot] = constant(operand.bits != 0 ? ~0u : 0u, 4);
    return;
  }
  const Register* reg = register_named(operand.name, operand.place, &info);
  if (!reg) return;
  if (reg->type != Type::kPred) {
    fail(operand.place, fmt::format("`{}` is no predicate", operand.name));
  }
  if (operand.negated) instruction.flip = ~0u;
  instruction.operand[slot] = reg->offset;
}

void Linker::guard(const InstructionText& text, Instruction& instruction, InstructionInfo& info) {
  instruction.guard = always();
  if (text.guard.empty()) return;
  const Register* reg = register_named(text.guard, text.place, &info);
  if (!reg) return;
  if (reg->type != Type::kPred) fail(text.place, fmt::format("`{}` is no predicate", text.guard));
  instruction.guard = reg->offset;
  instruction.guard_flip = text.guard_negated ? ~0u : 0u;
  note_types(Type::kPred, info);
}

Symbol* Linker::find(const std::string& name) {
  for (size_t i = scopes_.size(); i-- > 0;) {
    if (const auto found = scopes_[i].find(name); found != scopes_[i].end()) return &found->second;
  }
  return nullptr;
}

const Register* Linker::register_named(const std::string& name, Place place,
                                       InstructionInfo* reads) {
  const Symbol* symbol = find(name);
  if (symbol && symbol->kind == Symbol::Kind::kRegister) {
    if (reads) reads->reads.push_back(symbol->reg);
    return &program_.registers[symbol->reg];
  }
  if (const Register* special = special_register(name)) return special;
  fail(
      place,
      module_.find(name)
          ? fmt::format("the address of the function `{}` is outside what the simulator "
                        "knows: functions are called by name",
                        name)
      : name.starts_with("%envreg")
          ? "a barrier of the whole grid (`this_grid().sync()`) is outside what the simulator knows"
          : fmt::format("no register `{}`", name));
  return nullptr;
}

const Register* Linker::special_register(std::string_view name) {
  if (const auto found = specials_.find(std::string(name)); found != specials_.end()) {
    return &program_.registers[found->second];
  }
  const size_t dot = name.find('.');
  const std::string_view base = name.substr(0, dot);
  const std::string_view axis = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  for (const SpecialName& row : kSpecials) {
    if (row.name != base || row.axes != !axis.empty()) continue;
    const size_t number = axis.empty() ? 0 : std::string_view("xyz").find(axis);
    if (number > 2 || axis.size() > 1) continue;
    Register reg;
    reg.name = name;
    reg.type = Type::kU32;
    reg.role = Register::Role::kSpecial;
    reg.special = row.special;
    reg.axis = static_cast<uint8_t>(number);
    const uint32_t added = add_register(std::move(reg), 4);
    specials_[std::string(name)] = added;
    return &program_.registers[added];
  }
  return nullptr;
}

uint64_t Linker::variable_address(Symbol& symbol, Place place) {
  if (const std::string& name = symbol.variable->initial_address; !name.empty()) {
    fail(place, fmt::format("`{}` is initialised with the address of `{}`, which is outside "
                            "what the simulator knows",
                            symbol.variable->name, name));
    return 0;
  }
  if (symbol.address) return *symbol.address;
  if (symbol.space != Space::kShared) {
    fail(place, fmt::format("`{}` has no address", symbol.variable->name));
    return 0;
  }
  const uint32_t alignment = std::max(symbol.variable->alignment, 1u);
  shared_alignment_ = std::max(shared_alignment_, alignment);
  if (symbol.dynamic) {
    symbol.address = 0;  // its constants learn the end of the static variables when that is known
    return 0;
  }
  const uint64_t offset = (shared_bytes_ + alignment - 1) / alignment * alignment;
  symbol.address = offset;
  shared_bytes_ = offset + symbol.variable->size();
  return offset;
}

uint32_t Linker::constant(uint64_t bits, uint32_t width, bool dynamic) {
  if (width < 8) bits &= (1ull << (8 * width)) - 1;
  const auto key = std::make_pair(bits, width);
  if (const auto found = constants_.find(key); found != constants_.end() && !dynamic) {
    return program_.registers[found->second].offset;
  }
  Register reg;
  reg.name = fmt::format("{:#x}", bits);
  reg.type = bits_of_size(width);
  reg.role = Register::Role::kConstant;
  reg.bits = bits;
  const uint32_t number = add_register(std::move(reg), width);
  if (dynamic) {
    dynamic_constants_.push_back(number);
  } else {
    constants_[key] = number;
  }
  return program_.registers[number].offset;
}

/// The predicate that is always true: a constant of 32 set bits.
uint32_t Linker::always() {
  return constant(~0u, 4);
}

uint32_t Linker::register_bytes(Type type, uint32_t width) {
  constexpr uint32_t kAlignment = 64;
  const uint32_t bytes = type == Type::kPred ? 4 : width * kLanes;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

uint32_t Linker::add_register(Register reg, uint32_t width) {
  reg.offset = program_.register_bytes;
  program_.register_bytes += register_bytes(reg.type, width);
  program_.registers.push_back(std::move(reg));
  return static_cast<uint32_t>(program_.registers.size() - 1);
}

}  // namespace glint::simulator
