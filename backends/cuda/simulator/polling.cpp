// Atomic updates of shared memory, and the loads with which a thread waits for what others write
// there:
//
//     while (flag == 0);        // volatile __shared__ int flag
//     L: ld.volatile.shared.u32 %r1, [flag];  setp.eq.s32 %p1, %r1, 0;  @%p1 bra L;
//
// A volatile load is one where a path leads back to it on which its address stays as it is, and
// nothing is written to shared memory and no barrier of the block is passed. Where a warp adds up
// by volatile memory alone (`s[t] += s[t + 8]; s[t] += s[t + 4];`), in a loop or not, it writes
// between its reads: these are none.
#include <algorithm>
#include <vector>

#include "backends/cuda/simulator/linker.h"

namespace glint::simulator {
namespace {

bool may_be_shared(Space space) {
  return space == Space::kShared || space == Space::kGeneric;
}

bool starts_with(const InstructionInfo& info, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names,
                             [&](std::string_view name) { return info.opcode.starts_with(name); });
}

/// Whether a thread that passes here does not come back to wait for the same.
bool ends_waiting(const Program& program, uint32_t at, uint32_t address) {
  const InstructionInfo& info = program.info[at];
  const auto is_address = [&](uint32_t number) {
    return program.registers[number].offset == address;
  };
  if (std::ranges::any_of(info.writes, is_address)) return true;
  if (starts_with(info, {"st.", "atom.", "red."})) return may_be_shared(program.code[at].space);
  return starts_with(info, {"bar.", "barrier."}) && !starts_with(info, {"bar.warp."});
}

bool comes_back(const Program& program, uint32_t load) {
  const uint32_t address = program.code[load].operand[kAddressSlot];
  std::vector<bool> seen(program.code.size(), false);
  std::vector<uint32_t> work = {load};
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (ends_waiting(program, at, address)) continue;
    for (const uint32_t next : successors(program, at)) {
      if (next == load) return true;
      if (next >= seen.size() || seen[next]) continue;
      seen[next] = true;
      work.push_back(next);
    }
  }
  return false;
}

}  // namespace

void find_uses_of_shared(Program& program) {
  for (uint32_t at = 0; at < program.code.size(); ++at) {
    Instruction& one = program.code[at];
    if (!may_be_shared(one.space)) continue;
    program.updates_shared |= starts_with(program.info[at], {"atom.", "red."});
    const bool is_load = starts_with(program.info[at], {"ld."});
    if (!is_load || one.mode == 0 || !comes_back(program, at)) continue;
    one.mode2 = 1;
    program.polls_shared = true;
  }
}

}  // namespace glint::simulator
