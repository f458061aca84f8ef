#include "backends/cuda/simulator/undefined_values.h"

#include <algorithm>

#include "backends/cuda/simulator/program.h"
#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {
namespace {

/// Does something for each lane of a mask.
template <class F>
void for_each_lane(uint32_t lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(first_lane(lanes));
}

}  // namespace

const UndefinedValues::Held* UndefinedValues::find(uint32_t reg) const {
  const auto found = held_.find(reg);
  return found == held_.end() ? nullptr : &found->second;
}

uint32_t UndefinedValues::lanes(uint32_t reg) const {
  const Held* held = find(reg);
  return held ? held->lanes : 0;
}

const SharedFinding& UndefinedValues::finding(uint32_t reg, uint32_t lane) const {
  return findings_[find(reg)->findings[lane]];
}

/// The lanes of `mask` hold `value` now.
void UndefinedValues::set(const Held& value, uint32_t mask) {
  const uint32_t lanes = value.lanes & mask;
  if (lanes == 0 && find(value.reg) == nullptr) return;
  Held& held = held_.try_emplace(value.reg, Held{.reg = value.reg}).first->second;
  held.lanes &= ~mask;
  held.is_part = value.is_part && (held.lanes == 0 || held.is_part);
  held.lanes |= lanes;
  for_each_lane(lanes, [&](uint32_t lane) { held.findings[lane] = value.findings[lane]; });
  if (held.lanes == 0) held_.erase(value.reg);
}

void UndefinedValues::note(uint32_t reg, uint32_t lane, SharedFinding finding, bool is_part) {
  if (findings_.size() >= most_findings_) forget_findings();
  Held brought{.reg = reg, .lanes = 1u << lane, .is_part = is_part};
  brought.findings[lane] = static_cast<uint32_t>(findings_.size());
  findings_.push_back(std::move(finding));
  set(brought, brought.lanes);
}

/// Those that no register has any longer: a loop over structs with padding brings some each time.
void UndefinedValues::forget_findings() {
  std::vector<SharedFinding> kept;
  for (auto& [reg, value] : held_) {
    Held& held = value;
    for_each_lane(held.lanes, [&](uint32_t lane) {
      kept.push_back(findings_[held.findings[lane]]);
      held.findings[lane] = static_cast<uint32_t>(kept.size() - 1);
    });
  }
  findings_ = std::move(kept);
  most_findings_ = std::max(kMostFindings, 2 * findings_.size());
}

void UndefinedValues::shuffle(const Instruction& instruction, uint32_t mask,
                              const std::array<uint32_t, kLanes>& sources) {
  Held brought{.reg = instruction.operand[0]};
  if (const Held* from = find(instruction.operand[1])) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      brought.lanes |= (from->lanes >> sources[lane] & 1) << lane;
      brought.findings[lane] = from->findings[sources[lane]];
    }
  }
  set(brought, mask);
}

void UndefinedValues::tell(Warp& warp, uint32_t reg, uint32_t lanes) const {
  const SharedFinding& told = finding(reg, first_lane(lanes));
  const bool is_unwritten = told.kind == FaultKind::kUninitialised;
  if (is_unwritten && !warp.block->fault) warp.block->unwritten = told.byte;
  warp.fail(told.kind, *told.instruction, told.thread % kLanes, told.text());
}

/// The register of which the instruction uses undefined lanes, among those of the mask.
const UndefinedValues::Held* UndefinedValues::used(const Warp& warp, const Instruction& instruction,
                                                   uint32_t mask) const {
  const InstructionInfo& info = warp.block->program->info[warp.number_of(instruction)];
  for (const uint32_t number : info.reads) {
    const Held* held = find(warp.block->program->registers[number].offset);
    if (!held || (held->lanes & mask) == 0) continue;
    const bool is_address = held->reg == instruction.operand[kAddressSlot];
    const bool is_brought = held->reg == instruction.operand[1];
    switch (info.use) {
      case Use::kEffect:
        return held;
      case Use::kLoad:
      case Use::kStore:
        if (is_address) return held;
        break;
      case Use::kShuffle:
        if (!is_brought) return held;
        break;
      case Use::kValue:
      case Use::kCopy:
      case Use::kChoose:
      case Use::kAnd:
      case Use::kOr:
        break;
    }
  }
  return nullptr;
}

/// What the instruction computes from undefined operands.
UndefinedValues::Held UndefinedValues::computed(Warp& warp, const Instruction& instruction) const {
  const InstructionInfo& info = warp.block->program->info[warp.number_of(instruction)];
  Held result;
  if (info.use == Use::kLoad || info.use == Use::kStore) return result;
  result.is_part = info.use == Use::kCopy || info.use == Use::kChoose;
  for (const uint32_t number : info.reads) {
    const Held* held = find(warp.block->program->registers[number].offset);
    if (!held) continue;
    for_each_lane(held->lanes & ~result.lanes,
                  [&](uint32_t lane) { result.findings[lane] = held->findings[lane]; });
    result.lanes |= held->lanes;
    result.is_part &= held->is_part;
  }
  const uint32_t a = lanes(instruction.operand[1]), b = lanes(instruction.operand[2]);
  if (info.use == Use::kChoose) {
    const uint32_t chosen = warp.predicate(instruction.operand[3]) ^ instruction.flip;
    result.lanes = (a & chosen) | (b & ~chosen) | lanes(instruction.operand[3]);
    for_each_lane(a & chosen, [&](uint32_t lane) {
      result.findings[lane] = find(instruction.operand[1])->findings[lane];
    });
    for_each_lane(b & ~chosen, [&](uint32_t lane) {
      result.findings[lane] = find(instruction.operand[2])->findings[lane];
    });
  }
  if (info.use == Use::kAnd || info.use == Use::kOr) {
    // The operand that decides alone is false for `and`, true for `or`.
    const uint32_t flip = info.use == Use::kOr ? ~0u : 0;
    const uint32_t leaves_a = b | (warp.predicate(instruction.operand[2]) ^ flip);
    const uint32_t leaves_b = a | (warp.predicate(instruction.operand[1]) ^ flip);
    result.lanes = (a & leaves_a) | (b & leaves_b);
  }
  return result;
}

bool UndefinedValues::pass_on(Warp& warp, const Instruction& instruction) {
  const uint32_t guard = lanes(instruction.guard) & warp.active;
  if (guard != 0) {
    tell(warp, instruction.guard, guard);
    return false;
  }
  const uint32_t mask = warp.active & (warp.predicate(instruction.guard) ^ instruction.guard_flip);
  if (const Held* held = used(warp, instruction, mask)) {
    tell(warp, held->reg, held->lanes & mask);
    return false;
  }
  const InstructionInfo& info = warp.block->program->info[warp.number_of(instruction)];
  if (info.use == Use::kShuffle) return true;  // it says itself what it brings
  Held result = computed(warp, instruction);
  for (const uint32_t number : info.writes) {
    result.reg = warp.block->program->registers[number].offset;
    set(result, mask);
  }
  return true;
}

}  // namespace glint::simulator
