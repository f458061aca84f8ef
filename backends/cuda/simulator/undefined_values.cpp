#include "backends/cuda/simulator/undefined_values.h"

#include <algorithm>

#include "backends/cuda/simulator/program.h"
#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {

const UndefinedValues::Held* UndefinedValues::find(uint32_t reg) const {
  const auto found = std::ranges::find(held_, reg, &Held::reg);
  return found == held_.end() ? nullptr : &*found;
}

uint32_t UndefinedValues::lanes(uint32_t reg) const {
  const Held* held = find(reg);
  return held ? held->lanes : 0;
}

/// Of the lanes of `mask` those of `lanes` are undefined now.
void UndefinedValues::set(const Held& value, uint32_t mask) {
  const auto held = std::ranges::find(held_, value.reg, &Held::reg);
  const uint32_t lanes = value.lanes & mask;
  const uint32_t others = held == held_.end() ? 0 : held->lanes & ~mask;
  if (lanes == 0 && others == 0) {
    if (held != held_.end()) held_.erase(held);
  } else if (held == held_.end()) {
    held_.push_back({value.reg, lanes, value.finding, value.is_part});
  } else {
    held->lanes = others | lanes;
    if (others == 0) held->finding = value.finding;
    held->is_part = value.is_part && (others == 0 || held->is_part);
  }
}

void UndefinedValues::note(uint32_t reg, uint32_t lane, const SharedFinding& finding,
                           bool is_part) {
  const bool known = !findings_.empty() && findings_.back().instruction == finding.instruction &&
                     findings_.back().thread == finding.thread &&
                     findings_.back().byte == finding.byte;
  if (!known) findings_.push_back(finding);
  set({reg, 1u << lane, static_cast<uint32_t>(findings_.size() - 1), is_part}, 1u << lane);
}

void UndefinedValues::tell(Warp& warp, uint32_t reg, uint32_t lanes) const {
  const Held* held = find(reg);
  const SharedFinding& finding = findings_[held->finding];
  if (!finding.race && !warp.block->fault) warp.block->unwritten = finding.byte;
  // Of several lanes the one whose read is known; a value that was made of others has its own.
  const uint32_t reader = finding.thread % kLanes;
  const uint32_t lane = (lanes >> reader & 1) != 0 ? reader : first_lane(lanes);
  warp.fail(finding.race ? FaultKind::kRace : FaultKind::kUninitialised, *finding.instruction, lane,
            finding.message);
}

bool UndefinedValues::pass_on(Warp& warp, const Instruction& instruction) {
  const InstructionInfo& info = warp.block->program->info[warp.number_of(instruction)];
  const auto offset_of = [&](uint32_t number) {
    return warp.block->program->registers[number].offset;
  };
  const uint32_t guard = lanes(instruction.guard) & warp.active;
  if (guard != 0) {
    tell(warp, instruction.guard, guard);
    return false;
  }
  const uint32_t mask = warp.active & (warp.predicate(instruction.guard) ^ instruction.guard_flip);
  const auto undefined = [&](size_t slot) { return lanes(instruction.operand[slot]) & mask; };
  const bool uses_address = info.use == Use::kLoad || info.use == Use::kStore;
  if (uses_address && undefined(kAddressSlot) != 0) {
    tell(warp, instruction.operand[kAddressSlot], undefined(kAddressSlot));
    return false;
  }
  Held result;
  bool is_copy = info.use == Use::kCopy || info.use == Use::kChoose;
  for (const uint32_t number : info.reads) {
    const Held* held = find(offset_of(number));
    if (!held || (held->lanes & mask) == 0) continue;
    if (info.use == Use::kEffect) {
      tell(warp, held->reg, held->lanes & mask);
      return false;
    }
    result.lanes |= held->lanes;
    result.finding = held->finding;
    is_copy &= held->is_part;
  }
  result.is_part = is_copy;
  if (info.use == Use::kLoad || info.use == Use::kStore) result.lanes = 0;
  if (info.use == Use::kChoose) {
    const uint32_t chosen = warp.predicate(instruction.operand[3]) ^ instruction.flip;
    result.lanes = (undefined(1) & chosen) | (undefined(2) & ~chosen) | undefined(3);
  }
  if (info.use == Use::kAnd || info.use == Use::kOr) {
    const uint32_t decides = info.use == Use::kOr ? ~0u : 0;
    const uint32_t a = warp.predicate(instruction.operand[1]) ^ decides;
    const uint32_t b = warp.predicate(instruction.operand[2]) ^ decides;
    result.lanes = (undefined(1) & (undefined(2) | b)) | (undefined(2) & (undefined(1) | a));
  }
  for (const uint32_t number : info.writes) {
    result.reg = offset_of(number);
    set(result, mask);
  }
  return true;
}

}  // namespace glint::simulator
