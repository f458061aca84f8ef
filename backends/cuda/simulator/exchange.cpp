// What the lanes of a warp do together: shuffles, votes, matches, reductions, and the warp's
// barrier.
//
//     shfl.sync.down.b32 %r2|%p1, %r1, 16, 31, -1      lane i reads lane i + 16; %p1: there is one
//
// The last operand names the lanes that take part, and may differ from lane to lane: those that
// name the same are a group, which exchanges among itself (`__match_any_sync` makes such masks, and
// so do tiles of a warp).
//
//     lanes 0-15 name 0x0000ffff, lanes 16-31 0xffff0000:    two ballots, sums, ... at once
//
// A lane has to be among those that it names, and they all have to be here and name the same: on a
// GPU the result would be undefined. One that has not ended and is on another path is a fault; to a
// shuffle, which reads what others hold, one that has ended is missing too, and one that a block of
// too few threads does not have, unless the launch lets threads end early (`ended_threads_miss`).
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/simulator/lane_loops.h"
#include "backends/cuda/simulator/program.h"
#include "backends/cuda/simulator/race_faults.h"
#include "backends/cuda/simulator/shared_checks.h"

namespace glint::simulator {
namespace {

/// What an exchange's lanes name; `slot` is the operand of the masks.
struct Members {
  Warp& warp;
  const Instruction& instruction;
  const uint32_t* named;

  Members(Warp& warp, const Instruction& instruction, size_t slot)
      : warp(warp),
        instruction(instruction),
        named(warp.lanes<uint32_t>(instruction.operand[slot])) {}

  /// Of these lanes those that name what the first of them does.
  uint32_t group_of(uint32_t lanes) const {
    const uint32_t wanted = named[first_lane(lanes)];
    uint32_t same = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane) same |= uint32_t{named[lane] == wanted} << lane;
    return same & lanes;
  }

  std::string why_missing(uint32_t lane, uint32_t here) const {
    const uint32_t bit = 1u << lane;
    if ((warp.born & bit) == 0)
      return fmt::format("is not there: the warp has {} threads", lane_count(warp.born));
    if ((warp.alive & bit) == 0) return "has ended";
    return (here & bit) == 0 ? "is on another path"
                             : fmt::format("names the lanes {:#010x}", named[lane]);
  }

  /// Whether those of the expected lanes that the group names are it; the warp faults where they
  /// are not. `here` are the lanes of all groups.
  bool complete(uint32_t group, uint32_t here, uint32_t expected) const {
    const uint32_t wanted = named[first_lane(group)];
    const uint32_t strangers = group & ~wanted;
    const uint32_t missing = wanted & expected & ~group;
    if ((strangers | missing) == 0) return true;
    const uint32_t lane = first_lane(strangers != 0 ? strangers : missing);
    warp.fail(
        FaultKind::kBarrier, instruction, strangers != 0 ? lane : first_lane(group),
        fmt::format("barrier: the lanes {:#010x} are to take part, and lane {}{}", wanted, lane,
                    strangers != 0 ? ", which names them, is not one of them"
                                   : " " + why_missing(lane, here)));
    return false;
  }
};

/// Does something for each group of the lanes of `mask`; false where one is not complete.
template <class Exchange>
bool each_group(Warp& warp, const Instruction& instruction, uint32_t mask, size_t slot,
                uint32_t expected, Exchange exchange) {
  const Members members(warp, instruction, slot);
  for (uint32_t rest = mask; rest != 0;) {
    const uint32_t group = members.group_of(rest);
    if (!members.complete(group, mask, expected)) return false;
    exchange(group);
    rest &= ~group;
  }
  return true;
}
template <class Exchange>
void each_group(Warp& warp, const Instruction& instruction, uint32_t mask, size_t slot,
                Exchange exchange) {
  each_group(warp, instruction, mask, slot, warp.alive, exchange);
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

/// What these lanes get, of lanes that take no part, is undefined.
void note_strangers(Warp& warp, const Instruction& instruction, uint32_t lanes,
                    const std::array<uint32_t, kLanes>& from) {
  if (!warp.block->ended_threads_miss) return;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t lane = first_lane(rest);
    warp.undefined.note(
        instruction.operand[0], lane,
        {.kind = FaultKind::kBarrier,
         .message = fmt::format("barrier: lane {} gets what lane {} holds, which takes no part in "
                                "the shuffle",
                                lane, from[lane]),
         .thread = warp.index * kLanes + lane,
         .instruction = &instruction},
        false);
  }
}

void shuffle(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t expected = warp.block->ended_threads_miss ? kAllLanes : warp.alive;
  // What a lane reads is the same whatever its group: they all read before any writes.
  if (!each_group(warp, instruction, mask, 4, expected, [](uint32_t) {})) return;
  const uint32_t* a = warp.lanes<uint32_t>(instruction.operand[1]);
  const uint32_t* b = warp.lanes<uint32_t>(instruction.operand[2]);
  const uint32_t* c = warp.lanes<uint32_t>(instruction.operand[3]);
  const uint32_t* named = warp.lanes<uint32_t>(instruction.operand[4]);
  uint32_t result[kLanes];
  std::array<uint32_t, kLanes> from;
  uint32_t inside = 0, outside = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const Source source =
        shuffle_source(static_cast<Shuffle>(instruction.mode), lane, b[lane], c[lane]);
    from[lane] = source.lane & 31;
    result[lane] = a[from[lane]];
    inside |= uint32_t{source.inside} << lane;
    outside |= (~named[lane] >> from[lane] & 1) << lane;
  }
  if (warp.undefined.any()) warp.undefined.shuffle(instruction, mask, from);
  if ((outside & mask) != 0) note_strangers(warp, instruction, outside & mask, from);
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

enum class Ballot : uint8_t { kAll, kAny, kUniform };

void vote(Warp& warp, const Instruction& instruction, uint32_t mask) {
  each_group(warp, instruction, mask, 2, [&](uint32_t group) {
    const uint32_t yes = (warp.predicate(instruction.operand[1]) ^ instruction.flip) & group;
    bool result = yes == group;
    if (static_cast<Ballot>(instruction.mode) == Ballot::kAny) result = yes != 0;
    if (static_cast<Ballot>(instruction.mode) == Ballot::kUniform)
      result = yes == 0 || yes == group;
    warp.set_predicate(instruction.operand[0], result ? ~0u : 0u, group);
  });
}
template <Ballot how>
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
  each_group(warp, instruction, mask, 2, [&](uint32_t group) {
    const uint32_t yes = (warp.predicate(instruction.operand[1]) ^ instruction.flip) & group;
    write_same(warp, instruction, yes, group);
  });
}
void active_mask(Warp& warp, const Instruction& instruction, uint32_t mask) {
  write_same(warp, instruction, mask, mask);
}
void elect(Warp& warp, const Instruction& instruction, uint32_t mask) {
  each_group(warp, instruction, mask, 1, [&](uint32_t group) {
    write_same(warp, instruction, first_lane(group), group);
    warp.set_predicate(instruction.operand[kSecondSlot], 1u << first_lane(group), group);
  });
}
/// Orders what the lanes do that meet, and nothing else. One that has ended has met them too.
void synchronise(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t* named = warp.lanes<uint32_t>(instruction.operand[0]);
  SharedChecks* checks = warp.block->checks.get();
  each_group(warp, instruction, mask, 0, [&](uint32_t group) {
    if (fail_at_barrier(warp, group)) return;
    ++warp.epoch;
    if (checks) checks->meet(warp.index, named[first_lane(group)] & warp.born, warp.epoch);
  });
}

template <Handler handler>
bool prepare_fixed(const Opcode&, Instruction& instruction) {
  instruction.run = handler;
  return true;
}

/// `any`: the lanes with the same value; `all`: those, or none unless all have it.
template <class T>
void match_group(Warp& warp, const Instruction& instruction, uint32_t group) {
  const T* values = warp.lanes<T>(instruction.operand[1]);
  uint32_t result[kLanes] = {};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    for (uint32_t other = 0; other < kLanes; ++other) {
      result[lane] |= uint32_t{values[lane] == values[other]} << other;
    }
    result[lane] &= group;
  }
  if (instruction.mode != 0) {
    const bool same = result[first_lane(group)] == group;
    for (uint32_t& lane : result) lane = same ? group : 0;
    if (instruction.mode2 != 0) {
      warp.set_predicate(instruction.operand[kSecondSlot], same ? ~0u : 0u, group);
    }
  }
  warp.write(instruction.operand[0], result, group);
}
template <class T>
void match(Warp& warp, const Instruction& instruction, uint32_t mask) {
  each_group(warp, instruction, mask, 2,
             [&](uint32_t group) { match_group<T>(warp, instruction, group); });
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
  const T* values = warp.lanes<T>(instruction.operand[1]);
  each_group(warp, instruction, mask, 2, [&](uint32_t group) {
    T result = values[first_lane(group)];
    for (uint32_t rest = group & (group - 1); rest != 0; rest &= rest - 1) {
      result = combine(kReductions[instruction.mode], result, values[first_lane(rest)]);
    }
    write_same(warp, instruction, static_cast<uint32_t>(result), group);
  });
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
    {"vote.sync.all", "p, q, n", "", kPredicate, "is q true of all", prepare_vote<Ballot::kAll>},
    {"vote.sync.any", "p, q, n", "", kPredicate, "is q true of any", prepare_vote<Ballot::kAny>},
    {"vote.sync.uni", "p, q, n", "", kPredicate, "is q the same of all",
     prepare_vote<Ballot::kUniform>},
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

bool has_lane_barriers(const Program& program) {
  const auto is_all = [](const Register& reg) {
    return reg.role == Register::Role::kConstant && reg.bits == kAllLanes;
  };
  return std::ranges::any_of(program.code, [&](const Instruction& one) {
    if (one.run != synchronise) return false;
    const auto mask = std::ranges::find(program.registers, one.operand[0], &Register::offset);
    return mask == program.registers.end() || !is_all(*mask);
  });
}

std::span<const InstructionRow> exchange_rows() {
  return kRows;
}

}  // namespace glint::simulator
