// What lanes of registers hold that nobody has written, or that a race has brought: it is followed
// until it is used.
//
//     ld.shared.v4.u8 {%rs1, ...}, [%rd1+12]   the padding of a struct: lanes of %rs1 are undefined
//     st.shared.v4.u8 [%rd2+12], {%rs1, ...}   a copy of it: no fault; the bytes stay unwritten
//
//     ld.shared.f32 %f1, [carry]               the compiler reads ahead of a choice
//     selp.f32 %f2, 0f00000000, %f1, %p1       lanes that choose 0: nothing is wrong with %f2
//
// What is computed from an undefined value is undefined. A use is what the kernel does by it: a
// branch, an address, a store to memory that outlives the block, an atomic, an exchange between
// lanes. Then the read is told, where it was. The rules are those of Valgrind's memcheck (Seward,
// Nethercote: "Using Valgrind to detect undefined value errors with bit-precision", 2005), a bit a
// lane.
#pragma once

#include <cstdint>
#include <vector>

#include "backends/cuda/simulator/shared_finding.h"

namespace glint::simulator {

struct Warp;

/// What an instruction does with undefined operands.
enum class Use : uint8_t {
  kValue,   ///< computes: the result is undefined
  kCopy,    ///< `mov`: so is it, and part of a word remains one
  kChoose,  ///< `selp`
  kAnd,     ///< of predicates: what is false decides
  kOr,      ///< of predicates: what is true decides
  kLoad,    ///< uses its address
  kStore,   ///< the same; what becomes of the values the memory says
  kEffect,  ///< uses them
};

class UndefinedValues {
 public:
  bool any() const { return !held_.empty(); }
  void clear() {
    held_.clear();
    findings_.clear();
  }
  /// A lane of the register at this offset holds what the finding tells of; `is_part`: beside bytes
  /// that were written.
  void note(uint32_t reg, uint32_t lane, const SharedFinding& finding, bool is_part);
  /// The lanes of a register that are undefined.
  uint32_t lanes(uint32_t reg) const;
  /// Whether it was brought by a race, of a register of which a lane is undefined.
  bool is_of_race(uint32_t reg) const { return findings_[find(reg)->finding].race; }
  /// The same, whether a copy of it to memory is no use: a struct's member and the padding beside
  /// it may be moved as one word.
  bool is_part(uint32_t reg) const { return find(reg)->is_part; }
  /// The registers that the instruction at the warp's `pc` writes hold what it makes of those that
  /// it reads; false where it uses one, which is told.
  bool pass_on(Warp& warp, const Instruction& instruction);
  /// Tells of the first of these lanes of a register, whose value is used; the warp faults.
  void tell(Warp& warp, uint32_t reg, uint32_t lanes) const;

 private:
  struct Held {
    uint32_t reg = 0;
    uint32_t lanes = 0;
    uint32_t finding = 0;  ///< of the first read that brought some
    bool is_part = false;
  };
  const Held* find(uint32_t reg) const;
  void set(const Held& value, uint32_t mask);

  std::vector<Held> held_;
  std::vector<SharedFinding> findings_;
};

}  // namespace glint::simulator
