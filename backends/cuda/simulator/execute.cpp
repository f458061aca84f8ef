// The loop that runs a warp: fetch, mask, count, call.
//
//     mask = active lanes whose guard holds;  an instruction without lanes is only counted
#include "backends/cuda/simulator/program.h"
#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {
namespace {

/// Takes back what waits on the stack: the next lanes that have not ended; false: there are none.
bool take_back(Warp& warp) {
  while (!warp.stack.empty()) {
    const Waiting next = warp.stack.back();
    warp.stack.pop_back();
    warp.active = next.lanes & warp.alive;
    warp.pc = next.pc;
    warp.until = next.until;
    if (warp.active != 0) return true;
  }
  warp.state = WarpState::kDone;
  return false;
}

}  // namespace

bool settle(Warp& warp) {
  while (warp.pc == warp.until || warp.active == 0) {
    if (!take_back(warp)) return false;
  }
  return true;
}

void run_warp(Warp& warp, uint32_t slice) {
  const Program& program = *warp.block->program;
  const Instruction* code = program.code.data();
  Counts* counts = warp.block->counts.data();
  for (; slice > 0; --slice) {
    if (!settle(warp)) return;
    const Instruction& instruction = code[warp.pc];
    Counts& count = counts[warp.pc];
    if (warp.undefined.any() && !warp.undefined.pass_on(warp, instruction)) [[unlikely]]
      return;
    const uint32_t guard = warp.predicate(instruction.guard) ^ instruction.guard_flip;
    const uint32_t mask = warp.active & guard;
    ++warp.pc;
    ++warp.executed;
    ++count.executed;
    if (mask == 0) continue;
    count.lanes += lane_count(mask);
    instruction.run(warp, instruction, mask);
    if (warp.state != WarpState::kRunning) return;
  }
}

void Warp::poll(const Instruction& instruction, uint32_t mask) {
  ++polls;
  block->polled = {block->polled.count + 1, &instruction, this, first_lane(mask)};
}

uint32_t Warp::number_of(const Instruction& instruction) const {
  return static_cast<uint32_t>(&instruction - block->program->code.data());
}

Counts& Warp::counts(const Instruction& instruction) {
  return block->counts[number_of(instruction)];
}

void Warp::fail(FaultKind kind, const Instruction& instruction, uint32_t lane,
                std::string message) {
  state = WarpState::kFaulted;
  if (block->fault) return;
  const Program& program = *block->program;
  const uint32_t number = number_of(instruction);
  const InstructionInfo& info = program.info[number];
  Fault fault;
  fault.kind = kind;
  fault.message = std::move(message);
  fault.block = block->index;
  fault.thread = block->thread(index * kLanes + lane);
  fault.kernel = program.name;
  fault.opcode = info.opcode;
  fault.place = info.place;
  fault.at = trail_of(program, number);
  block->fault = std::move(fault);
}

}  // namespace glint::simulator
