// Where a warp goes on: branches, ends, traps, barriers and fences.
//
//     @%p1 bra $L_2      lanes with %p1 go there, the others wait or go on; see warp.h
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/simulator/lane_loops.h"
#include "backends/cuda/simulator/program.h"
#include "backends/cuda/simulator/shared_checks.h"

namespace glint::simulator {
namespace {

/// Parts the active lanes: `taken` go to `target` now, the others wait behind the branch.
void part(Warp& warp, const Instruction& instruction, uint32_t taken, uint32_t target) {
  const uint32_t others = warp.active & ~taken;
  if (instruction.reconverge != kNowhere) {
    warp.stack.push_back({instruction.reconverge, warp.active, warp.until});
    warp.until = instruction.reconverge;
  }
  warp.stack.push_back({warp.pc, others, warp.until});
  warp.active = taken;
  warp.pc = target;
}

void branch(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (mask == warp.active) {
    warp.pc = instruction.target;
    return;
  }
  ++warp.counts(instruction).divergent;
  part(warp, instruction, mask, instruction.target);
}

/// The lanes of one index go to its label, the others do the branch again.
void branch_table(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const std::vector<uint32_t>& table = warp.block->program->branch_tables[instruction.target];
  const uint32_t* index = warp.lanes<uint32_t>(instruction.operand[0]);
  const uint32_t lane = first_lane(mask);
  if (index[lane] >= table.size()) {
    warp.fail(FaultKind::kOutOfBounds, instruction, lane,
              fmt::format("out of bounds: branch {} of a table of {}", index[lane], table.size()));
    return;
  }
  uint32_t taken = 0;
  for (uint32_t other = 0; other < kLanes; ++other) {
    taken |= uint32_t{index[other] == index[lane]} << other;
  }
  taken &= mask;
  const uint32_t target = table[index[lane]];
  if (taken == warp.active) {
    warp.pc = target;
    return;
  }
  ++warp.counts(instruction).divergent;
  if (taken != mask) warp.pc = warp.number_of(instruction);
  part(warp, instruction, taken, target);
}

void leave(Warp& warp, const Instruction&, uint32_t mask) {
  warp.alive &= ~mask;
  warp.active &= ~mask;
}

void trap(Warp& warp, const Instruction& instruction, uint32_t mask) {
  warp.fail(FaultKind::kTrap, instruction, first_lane(mask), "trap: the kernel stopped itself");
}

/// Whether all lanes of the warp are at the barrier; it faults where they are not.
bool is_whole(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t expected = warp.block->ended_threads_miss ? warp.born : warp.alive;
  if (mask == expected) return true;
  const uint32_t missing = first_lane(expected & ~mask);
  const bool ended = (warp.alive >> missing & 1) == 0;
  warp.fail(FaultKind::kBarrier, instruction, first_lane(mask),
            fmt::format("barrier: {} of the warp's {} lanes are here; lane {} {}", lane_count(mask),
                        lane_count(warp.born), missing,
                        ended ? "has ended without reaching it" : "is on another path"));
  return false;
}

uint32_t operand_of_first(Warp& warp, const Instruction& instruction, size_t slot, uint32_t mask) {
  return warp.lanes<uint32_t>(instruction.operand[slot])[first_lane(mask)];
}

void wait_at(Warp& warp, uint32_t barrier, uint32_t count) {
  warp.barrier = barrier;
  warp.barrier_count = count;
  warp.state = WarpState::kAtBarrier;
  if (warp.block->has_part_barriers) come_to_barrier(warp, barrier, count);
}

void barrier(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!is_whole(warp, instruction, mask)) return;
  warp.vote = Vote::kNone;
  wait_at(warp, operand_of_first(warp, instruction, 0, mask),
          operand_of_first(warp, instruction, 1, mask));
}

/// Each lane brings a predicate; what comes of all of them each gets when the barrier lets go.
template <Vote how>
void barrier_vote(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!is_whole(warp, instruction, mask)) return;
  warp.vote = how;
  warp.votes = (warp.predicate(instruction.operand[2]) ^ instruction.flip) & mask;
  warp.voters = mask;
  wait_at(warp, operand_of_first(warp, instruction, 1, mask), 0);
}

void arrive(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!is_whole(warp, instruction, mask)) return;
  come_to_barrier(warp, operand_of_first(warp, instruction, 0, mask),
                  operand_of_first(warp, instruction, 1, mask));
}

bool prepare_branch(const Opcode&, Instruction& instruction) {
  instruction.run = branch;
  return true;
}
bool prepare_branch_table(const Opcode&, Instruction& instruction) {
  instruction.run = branch_table;
  return true;
}
bool prepare_leave(const Opcode&, Instruction& instruction) {
  instruction.run = leave;
  return true;
}
bool prepare_trap(const Opcode&, Instruction& instruction) {
  instruction.run = trap;
  return true;
}
bool prepare_barrier(const Opcode&, Instruction& instruction) {
  instruction.run = barrier;
  return true;
}

template <Vote how>
bool prepare_barrier_vote(const Opcode&, Instruction& instruction) {
  instruction.run = barrier_vote<how>;
  return true;
}

bool prepare_arrive(const Opcode&, Instruction& instruction) {
  instruction.run = arrive;
  return true;
}

/// Memory is in order here: a fence has nothing to do. Who waits may read behind one.
void fence(Warp& warp, const Instruction& instruction, uint32_t mask) {
  warp.poll(instruction, mask);
}
bool prepare_fence(const Opcode&, Instruction& instruction) {
  instruction.run = fence;
  return true;
}

constexpr InstructionRow kRows[] = {
    {"bra", "l", "uni", 0, "goes on at the label", prepare_branch},
    {"brx.idx", "n, t", "uni", 0, "goes on at label number n of the table", prepare_branch_table},
    {"ret", "", "uni", 0, "ends the lanes; of a function that is called: goes on behind the call",
     prepare_leave},
    {"exit", "", "", 0, "ends the lanes", prepare_leave},
    {"trap", "", "", 0, "stops the launch with a fault", prepare_trap},
    {"bar.sync", "n, n?", "", 0, "waits for all threads of the block, or for as many as b says",
     prepare_barrier},
    {"barrier.sync", "n, n?", "aligned", 0, "the same", prepare_barrier},
    {"bar.cta.sync", "n, n?", "", 0, "the same", prepare_barrier},
    {"barrier.cta.sync", "n, n?", "aligned", 0, "the same", prepare_barrier},
    {"bar.red.popc", "r, n, q", "", types({Type::kU32}),
     "the same, of all threads; d = of how many of them b is true",
     prepare_barrier_vote<Vote::kCount>},
    {"bar.red.and", "p, n, q", "", types({Type::kPred}), "the same; d = is b true of all of them",
     prepare_barrier_vote<Vote::kAll>},
    {"bar.red.or", "p, n, q", "", types({Type::kPred}), "the same; d = is b true of any of them",
     prepare_barrier_vote<Vote::kAny>},
    {"barrier.red.popc", "r, n, q", "aligned", types({Type::kU32}), "as `bar.red.popc`",
     prepare_barrier_vote<Vote::kCount>},
    {"barrier.red.and", "p, n, q", "aligned", types({Type::kPred}), "as `bar.red.and`",
     prepare_barrier_vote<Vote::kAll>},
    {"barrier.red.or", "p, n, q", "aligned", types({Type::kPred}), "as `bar.red.or`",
     prepare_barrier_vote<Vote::kAny>},
    {"barrier.cta.red.popc", "r, n, q", "aligned", types({Type::kU32}), "as `bar.red.popc`",
     prepare_barrier_vote<Vote::kCount>},
    {"barrier.cta.red.and", "p, n, q", "aligned", types({Type::kPred}), "as `bar.red.and`",
     prepare_barrier_vote<Vote::kAll>},
    {"barrier.cta.red.or", "p, n, q", "aligned", types({Type::kPred}), "as `bar.red.or`",
     prepare_barrier_vote<Vote::kAny>},
    {"bar.arrive", "n, n", "", 0, "one of b threads that the barrier waits for; goes on at once",
     prepare_arrive},
    {"barrier.arrive", "n, n", "aligned", 0, "the same", prepare_arrive},
    {"bar.cta.arrive", "n, n", "", 0, "the same", prepare_arrive},
    {"barrier.cta.arrive", "n, n", "aligned", 0, "the same", prepare_arrive},
    {"membar", "", "cta gl sys", 0, "nothing: memory is in order", prepare_fence},
    {"fence", "", "acq_rel sc cta gpu sys", 0, "nothing: memory is in order", prepare_fence},
    {"nanosleep", "n", "", types({Type::kU32}), "nothing", prepare_fence},
};

}  // namespace

void tell_votes(Block& block, std::span<Warp* const> warps) {
  uint32_t yes = 0, voters = 0;
  for (const Warp* warp : warps) {
    yes += lane_count(warp->votes);
    voters += lane_count(warp->voters);
  }
  for (Warp* warp : warps) {
    const uint32_t to = block.program->code[warp->pc - 1].operand[0];
    const uint32_t holds = warp->vote == Vote::kAll ? yes == voters : yes > 0;
    if (warp->vote == Vote::kCount) {
      std::array<uint32_t, kLanes> counts;
      counts.fill(yes);
      warp->write(to, counts.data(), warp->voters);
    } else if (warp->vote != Vote::kNone) {
      warp->set_predicate(to, holds != 0 ? ~0u : 0u, warp->voters);
    }
  }
}

bool has_part_barriers(const Program& program) {
  // An operand that the text leaves out has no width.
  return std::any_of(program.code.begin(), program.code.end(), [](const Instruction& one) {
    return one.run == arrive || (one.run == barrier && one.width[1] != 0);
  });
}

std::span<const InstructionRow> control_rows() {
  return kRows;
}

}  // namespace glint::simulator
