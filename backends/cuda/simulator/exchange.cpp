// What the lanes of a warp do together: shuffles, votes, matches, reductions, and the warp's
// barrier.
//
//     shfl.sync.down.b32 %r2|%p1, %r1, 16, 31, -1      lane i reads lane i + 16; %p1: there is one
//
// The last operand names the lanes that take part. One that has not ended but is on another path is
// a fault: on a GPU the result would be undefined. To a shuffle, which reads what others hold, one
// that has ended is missing too, and one that a block of too few threads does not have, unless the
// launch lets threads end early (`ended_threads_miss`).
#include <fmt/format.h>

#include "backends/cuda/simulator/lane_loops.h"

namespace glint::simulator {
namespace {

std::string why_missing(const Warp& warp, uint32_t lane) {
  if ((warp.born >> lane & 1) == 0)
    return fmt::format("is not there: the warp has {} threads", lane_count(warp.born));
  return (warp.alive >> lane & 1) == 0 ? "has ended" : "is on another path";
}

/// Whether those of the expected lanes that `slot` names are here; the warp faults where one is
/// not.
bool all_here(Warp& warp, const Instruction& instruction, uint32_t mask, size_t slot,
              uint32_t expected) {
  const uint32_t* members = warp.lanes<uint32_t>(instruction.operand[slot]);
  const uint32_t named = members[first_lane(mask)];
  const uint32_t missing = named & expected & ~mask;
  if (missing == 0) return true;
  const uint32_t lane = first_lane(missing);
  warp.fail(FaultKind::kBarrier, instruction, first_lane(mask),
            fmt::format("barrier: the lanes {:#010x} are to take part, and lane {} {}", named, lane,
                        why_missing(warp, lane)));
  return false;
}
bool all_here(Warp& warp, const Instruction& instruction, uint32_t mask, size_t slot) {
  return all_here(warp, instruction, mask, slot, warp.alive);
}

enum class Shuffle : uint8_t { kUp, kDown, kButterfly, kIndex };

struct Source {
  uint32_t lane;
  bool inside;
};
Source shuffle_source(Shuffle how, uint32_t lane, uint32_t b, uint32_t c) {
  const uint32_t segment = c >> 8 & 31;
  const uint32_t least = lane & segment;
  const uint32_t limit = least | (c & 31 & ~segment);
  b &= 31;
  uint32_t from = lane;
  bool inside = true;
  switch (how) {
    case Shuffle::kUp:
      from = lane - b;
      inside = static_cast<int32_t>(from) >= static_cast<int32_t>(limit);
      break;
    case Shuffle::kDown:
      inside = (from = lane + b) <= limit;
      break;
    case Shuffle::kButterfly:
      inside = (from = lane ^ b) <= limit;
      break;
    case Shuffle::kIndex:
      inside = (from = least | (b & ~segment)) <= limit;
      break;
  }
  return {inside ? from : lane, inside};
}

void shuffle(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t expected = warp.block->ended_threads_miss ? kAllLanes : warp.alive;
  if (!all_here(warp, instruction, mask, 4, expected)) return;
  const uint32_t* a = warp.lanes<uint32_t>(instruction.operand[1]);
  const uint32_t* b = warp.lanes<uint32_t>(instruction.operand[2]);
  const uint32_t* c = warp.lanes<uint32_t>(instruction.operand[3]);
  uint32_t result[kLanes];
  uint32_t inside = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const Source source =
        shuffle_source(static_cast<Shuffle>(instruction.mode), lane, b[lane], c[lane]);
    result[lane] = a[source.lane & 31];
    inside |= uint32_t{source.inside} << lane;
  }
  warp.write(instruction.operand[0], result, mask);
  if (instruction.mode2 != 0) {
    warp.set_predicate(instruction.operand[kSecondSlot], inside, mask);
  }
}
bool prepare_shuffle(const Opcode& opcode, Instruction& instruction) {
  Shuffle how = Shuffle::kIndex;
  if (opcode.has("up")) how = Shuffle::kUp;
  if (opcode.has("down")) how = Shuffle::kDown;
  if (opcode.has("bfly")) how = Shuffle::kButterfly;
  instruction.mode = static_cast<uint8_t>(how);
  instruction.run = shuffle;
  return !opcode.first_of({"up", "down", "bfly", "idx"}).empty();
}

enum class Vote : uint8_t { kAll, kAny, kUniform };

void vote(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!all_here(warp, instruction, mask, 2)) return;
  const uint32_t yes = (warp.predicate(instruction.operand[1]) ^ instruction.flip) & mask;
  bool result = yes == mask;
  if (static_cast<Vote>(instruction.mode) == Vote::kAny) result = yes != 0;
  if (static_cast<Vote>(instruction.mode) == Vote::kUniform) result = yes == 0 || yes == mask;
  warp.set_predicate(instruction.operand[0], result ? ~0u : 0u, mask);
}
template <Vote how>
bool prepare_vote(const Opcode&, Instruction& instruction) {
  instruction.mode = static_cast<uint8_t>(how);
  instruction.run = vote;
  return true;
}

void write_same(Warp& warp, const Instruction& instruction, uint32_t value, uint32_t mask) {
  uint32_t result[kLanes];
  for (uint32_t& lane : result) lane = value;
  warp.write(instruction.operand[0], result, mask);
}

void ballot(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!all_here(warp, instruction, mask, 2)) return;
  const uint32_t yes = (warp.predicate(instruction.operand[1]) ^ instruction.flip) & mask;
  write_same(warp, instruction, yes, mask);
}
void active_mask(Warp& warp, const Instruction& instruction, uint32_t mask) {
  write_same(warp, instruction, mask, mask);
}
void elect(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!all_here(warp, instruction, mask, 1)) return;
  write_same(warp, instruction, first_lane(mask), mask);
  warp.set_predicate(instruction.operand[kSecondSlot], 1u << first_lane(mask), mask);
}
void synchronise(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (all_here(warp, instruction, mask, 0)) ++warp.epoch;
}

template <Handler handler>
bool prepare_fixed(const Opcode&, Instruction& instruction) {
  instruction.run = handler;
  return true;
}

/// `any`: the lanes with the same value; `all`: those, or none unless all have it.
template <class T>
void match(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!all_here(warp, instruction, mask, 2)) return;
  const T* values = warp.lanes<T>(instruction.operand[1]);
  uint32_t result[kLanes] = {};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    for (uint32_t other = 0; other < kLanes; ++other) {
      result[lane] |= uint32_t{values[lane] == values[other]} << other;
    }
    result[lane] &= mask;
  }
  if (instruction.mode != 0) {
    const bool same = result[first_lane(mask)] == mask;
    for (uint32_t& lane : result) lane = same ? mask : 0;
    if (instruction.mode2 != 0) {
      warp.set_predicate(instruction.operand[kSecondSlot], same ? ~0u : 0u, mask);
    }
  }
  warp.write(instruction.operand[0], result, mask);
}
template <bool all>
bool prepare_match(const Opcode& opcode, Instruction& instruction) {
  instruction.mode = all ? 1 : 0;
  instruction.run = opcode.type() == Type::kB32 ? match<uint32_t> : match<uint64_t>;
  return true;
}

template <class T>
T combine(std::string_view operation, T a, T b) {
  if (operation == "add") return T(uint32_t(a) + uint32_t(b));
  if (operation == "min") return a < b ? a : b;
  if (operation == "max") return a > b ? a : b;
  if (operation == "and") return a & b;
  if (operation == "or") return a | b;
  return a ^ b;
}
constexpr std::string_view kReductions[] = {"add", "min", "max", "and", "or", "xor"};

template <class T>
void reduce(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!all_here(warp, instruction, mask, 2)) return;
  const T* values = warp.lanes<T>(instruction.operand[1]);
  T result = values[first_lane(mask)];
  for (uint32_t rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    result = combine(kReductions[instruction.mode], result, values[first_lane(rest)]);
  }
  write_same(warp, instruction, static_cast<uint32_t>(result), mask);
}
bool prepare_reduce(const Opcode& opcode, Instruction& instruction) {
  for (size_t i = 0; i < std::size(kReductions); ++i) {
    if (opcode.has(kReductions[i])) {
      instruction.mode = static_cast<uint8_t>(i);
      instruction.run = opcode.type() == Type::kS32 ? reduce<int32_t> : reduce<uint32_t>;
    }
  }
  return instruction.run != nullptr;
}

constexpr TypeSet kPredicate = types({Type::kPred});
constexpr TypeSet kWord = types({Type::kB32});

constexpr InstructionRow kRows[] = {
    {"shfl.sync", "d, a, n, n, n", "up down bfly idx |", kWord,
     "d = a of another lane: b away, of segments c; p: there is one", prepare_shuffle},
    {"vote.sync.all", "p, q, n", "", kPredicate, "is q true of all", prepare_vote<Vote::kAll>},
    {"vote.sync.any", "p, q, n", "", kPredicate, "is q true of any", prepare_vote<Vote::kAny>},
    {"vote.sync.uni", "p, q, n", "", kPredicate, "is q the same of all",
     prepare_vote<Vote::kUniform>},
    {"vote.sync.ballot", "d, q, n", "", kWord, "the lanes of which q is true",
     prepare_fixed<ballot>},
    {"activemask", "d", "", kWord, "the lanes that are here", prepare_fixed<active_mask>},
    {"elect.sync", "r, n", "|", 0, "the first lane; p: in that lane", prepare_fixed<elect>},
    {"match.any.sync", "r, a, n", "", types({Type::kB32, Type::kB64}),
     "the lanes whose a is the same", prepare_match<false>},
    {"match.all.sync", "r, a, n", "|", types({Type::kB32, Type::kB64}),
     "all lanes if a is the same of all, else none", prepare_match<true>},
    {"redux.sync", "d, a, n", "add min max and or xor", types({Type::kB32, Type::kU32, Type::kS32}),
     "a of all lanes combined", prepare_reduce},
    {"bar.warp.sync", "n", "", 0, "waits for the lanes that a names", prepare_fixed<synchronise>},
};

}  // namespace

std::span<const InstructionRow> exchange_rows() {
  return kRows;
}

}  // namespace glint::simulator
