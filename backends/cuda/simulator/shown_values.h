// Registers as somebody reads them: as what type, and as text of it.
//
//     ld.global.b32 %r1, [%rd4];       %r1 is `1.5`: an instruction behind it adds it as f32
//     add.f32 %r2, %r1, 0f3F800000;    %r2 is `2.5`
//     xor.b32 %r3, %r2, %r2;           %r3 is `0x0`: nobody says more than that it is bits
//
// An instruction that computes says what it writes. One that moves (`ld.u32`, `mov.b32`, `shl.b32`)
// says only how many bits: what they are is said by the next instruction in the text, the end being
// followed by the beginning, that takes them as something. What is used as an address, and bits of
// which nobody says anything, are hexadecimal. So are sets of lanes.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "backends/cuda/simulator/program.h"

namespace glint::simulator {

class ShownTypes {
 public:
  explicit ShownTypes(const Program& program) : program_(program) {}

  /// As what register number `info[at].writes[which]` is shown behind instruction `at`.
  Type of(uint32_t at, size_t which);

 private:
  Type find(uint32_t at, size_t which) const;
  Type read_as(uint32_t at, uint32_t reg, int most_moves) const;
  Type read_by(uint32_t at, size_t which, int most_moves) const;
  Type written_as(uint32_t at, int most_moves) const;

  const Program& program_;
  std::unordered_map<uint64_t, Type> known_;
};

/// `1.5`, `-3`, `true`, `0xff`, `(1, 2.5)` of a pair: the bits as a value of the type.
std::string value_text(uint64_t bits, Type type);

}  // namespace glint::simulator
