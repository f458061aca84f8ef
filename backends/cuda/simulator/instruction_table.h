// The instructions that the simulator executes: one row each, from which parsing, execution, the
// refusal of all others and the manual follow.
//
//     {"shl", "d, a, n", "", kBits16To64, "d = a << n; 0 where n passes the width", prepare_shl}
//
// `operands` says what stands behind the opcode, a letter each:
//
//     d      destination of the instruction's (last) type      D      destination of twice its size
//     a b c  sources of the type                               A      source of twice its size
//     r      destination of 32 bits                            n      source of 32 bits
//     X      destination of any size                           x      source of any size
//     p      destination predicate, `p|q` too                  q      source predicate, `!q` too
//     v w    destination, source: a register or a vector       m      address
//     h g    destination, source beside a vector: the whole
//     l      label                                             t      table of labels
//     k      a clock: %clock, %clock_hi, %clock64
//
// and `?` behind one says that it may be missing. Where the modifiers hold `|`, the destination may
// have a second one beside it (`%r1|%p1`).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/simulator/instruction.h"
#include "core/support/result.h"

namespace glint::simulator {

using TypeSet = uint32_t;
constexpr TypeSet types(std::initializer_list<Type> list) {
  TypeSet set = 0;
  for (const Type type : list) set |= 1u << static_cast<uint32_t>(type);
  return set;
}
constexpr bool holds(TypeSet set, Type type) {
  return (set >> static_cast<uint32_t>(type) & 1u) != 0;
}

struct Opcode;

struct InstructionRow {
  std::string_view name;       ///< `add`, `mul.wide`, `shfl.sync`
  std::string_view operands;   ///< `d, a, b`
  std::string_view modifiers;  ///< those it may have: `rn rz ftz`
  TypeSet types;               ///< 0: it has none
  std::string_view meaning;
  /// Fills in what runs; false where this variant is outside the set.
  bool (*prepare)(const Opcode& opcode, Instruction& instruction);
};

/// An opcode of the text, taken apart: `cvt.rzi.s32.f32` is row `cvt`, modifier `rzi`, types s32,
/// f32.
struct Opcode {
  const InstructionRow* row = nullptr;
  std::vector<std::string_view> modifiers;
  std::vector<Type> types;

  bool has(std::string_view modifier) const;
  /// The last type is the one that the row's set speaks of.
  Type type() const { return types.empty() ? Type::kNone : types.back(); }
  /// The first modifier that is among these, or "".
  std::string_view first_of(std::initializer_list<std::string_view> names) const;
};

/// Whether a load looks at memory that others write each time, as what waits for a write has to:
/// `cg` leaves out the cache that a multiprocessor has for itself.
inline bool is_polled(const Opcode& opcode) {
  return !opcode.first_of({"volatile", "relaxed", "acquire", "cv", "cg"}).empty();
}

/// Whether a load or store of one word counts as an atomic one in PTX's memory model.
inline bool is_volatile(const Opcode& opcode) {
  return !opcode.first_of({"volatile", "relaxed", "acquire", "release"}).empty();
}

/// Whether blocks may see each other by an instruction that accesses that space.
inline bool may_meet_blocks(const Opcode& opcode, Space space) {
  const std::string_view name = opcode.row->name;
  if (name == "membar" || name == "fence") return true;
  const bool meets = name == "atom" || name == "red" || (name == "ld" && is_polled(opcode));
  return meets && space != Space::kShared;
}

/// The rows, family by family.
std::vector<InstructionRow> instruction_table();

/// Takes an opcode apart, which must outlive the result; the error names what is outside the set.
Result<Opcode> find_opcode(std::string_view text);

/// Splits "a b c" at a separator, without blanks and empty parts.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The families, a file each.
std::span<const InstructionRow> arithmetic_rows();
std::span<const InstructionRow> carry_rows();
std::span<const InstructionRow> bit_rows();
std::span<const InstructionRow> floating_rows();
std::span<const InstructionRow> approximate_rows();
std::span<const InstructionRow> comparison_rows();
std::span<const InstructionRow> conversion_rows();
std::span<const InstructionRow> move_rows();
std::span<const InstructionRow> memory_rows();
std::span<const InstructionRow> atomic_rows();
std::span<const InstructionRow> control_rows();
std::span<const InstructionRow> exchange_rows();

/// The table as a page of the manual.
std::string instruction_manual();

}  // namespace glint::simulator
