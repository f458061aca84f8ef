// What lanes of registers hold that nobody has written, or that a race has brought: it is followed
// until it is used.
//
//     ld.shared.v4.u8 {%rs1, ...}, [%rd1+12]   the padding of a struct: lanes of %rs1 are undefined
//     st.shared.v4.u8 [%rd2+12], {%rs1, ...}   a copy of it: no fault; the bytes stay unwritten
//
//     ld.shared.f32 %f1, [carry]               the compiler reads ahead of a choice
//     selp.f32 %f2, 0f00000000, %f1, %p1       lanes that choose 0: nothing is wrong with %f2
//
//     shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffff     lanes 8 to 15 get what lanes bring that take
//                                                    no part, and a sum of halves drops it
//
// What is computed from an undefined value is undefined. A use is what the kernel does by it: a
// branch, an address, a store to memory that outlives the block, an atomic, a vote. Then the read
// is told, where it was. The rules are those of Valgrind's memcheck (Seward, Nethercote: "Using
// Valgrind to detect undefined value errors with bit-precision", 2005), a bit a lane.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "backends/cuda/simulator/shared_finding.h"

namespace glint::simulator {

struct Warp;

/// What an instruction does with undefined operands.
enum class Use : uint8_t {
  kValue,    ///< computes: the result is undefined
  kCopy,     ///< `mov`: so is it, and part of a word remains one
  kChoose,   ///< `selp`
  kAnd,      ///< of predicates: what is false decides
  kOr,       ///< of predicates: what is true decides
  kLoad,     ///< uses its address
  kStore,    ///< the same; what becomes of the values the memory says
  kShuffle,  ///< brings lanes those of others
  kEffect,   ///< uses them
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
  void note(uint32_t reg, uint32_t lane, SharedFinding finding, bool is_part);
  /// The lanes of a register that are undefined.
  uint32_t lanes(uint32_t reg) const;
  /// What has brought it, of a lane that is undefined.
  const SharedFinding& finding(uint32_t reg, uint32_t lane) const;
  /// Of a register that has such lanes, whether a copy of it to memory is no use: a struct's member
  /// and the padding beside it may be moved as one word.
  bool is_part(uint32_t reg) const { return find(reg)->is_part; }
  /// The registers that the instruction at the warp's `pc` writes hold what it makes of those that
  /// it reads; false where it uses one, which is told.
  bool pass_on(Warp& warp, const Instruction& instruction);
  /// A shuffle's result: lane i holds what lane `sources[i]` held.
  void shuffle(const Instruction& instruction, uint32_t mask,
               const std::array<uint32_t, kLanes>& sources);
  /// Tells of the first of these lanes of a register, whose value is used; the warp faults.
  void tell(Warp& warp, uint32_t reg, uint32_t lanes) const;

 private:
  /// Beyond so many it is asked which are still of use; where most are, beyond more.
  static constexpr size_t kMostFindings = 4096;
  struct Held {
    uint32_t reg = 0;
    uint32_t lanes = 0;
    bool is_part = false;
    std::array<uint32_t, kLanes> findings = {};  ///< by lane, which of `findings_` has brought it
  };
  const Held* find(uint32_t reg) const;
  const Held* used(const Warp& warp, const Instruction& instruction, uint32_t mask) const;
  Held computed(Warp& warp, const Instruction& instruction) const;
  void set(const Held& value, uint32_t mask);

  void forget_findings();

  std::unordered_map<uint32_t, Held> held_;  ///< by register
  std::vector<SharedFinding> findings_;
  size_t most_findings_ = kMostFindings;
};

}  // namespace glint::simulator
