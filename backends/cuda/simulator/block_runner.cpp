#include "backends/cuda/simulator/block_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "backends/cuda/simulator/race_faults.h"
#include "backends/cuda/simulator/shared_checks.h"
#include "core/support/interruption.h"

namespace glint::simulator {
namespace {

constexpr size_t kRegisterAlignment = 64;
/// Instructions of a warp until it is the next one's turn, so that one that waits for another ends.
constexpr uint32_t kSlice = 10000;
/// Instructions of a block that looks at memory meanwhile until it is the next one's turn: it may
/// wait, though it writes.
constexpr uint64_t kLongTurn = 1u << 16;
/// Instructions that are run behind an uninitialised read, to see who writes there.
constexpr uint32_t kSearched = 100000;
/// Instructions without any change of memory until it is looked whether the block's loops can end.
constexpr uint64_t kLongQuiet = 1u << 20;
/// The same where blocks of the grid wait already.
constexpr uint64_t kShortQuiet = kSlice;
/// What shared memory holds before it is written: floats that are no numbers.
constexpr auto kUnwritten = std::byte{0xff};

}  // namespace

BlockRunner::BlockRunner(const Program& program, const Memory& memory, const Launch& launch,
                         const LaunchOptions& options, const std::vector<std::byte>& parameters)
    : options_(options), dynamic_shared_(launch.dynamic_shared) {
  block_.program = &program;
  block_.memory = &memory;
  block_.parameters = parameters.data();
  block_.size = launch.block;
  block_.grid = launch.grid;
  block_.warps.resize((block_.threads() + kLanes - 1) / kLanes);
  block_.shared.resize(program.shared_bytes + launch.dynamic_shared);
  block_.local.resize(size_t{program.local_bytes} * block_.warps.size() * kLanes);
  block_.counts.resize(program.code.size());
  block_.ended_threads_miss = options.ended_threads_miss;
  block_.reached = options.reached;
  block_.has_part_barriers = has_part_barriers(program);
  checked_ = {.barriers = {block_.has_part_barriers, has_lane_barriers(program)},
              .updates = program.updates_shared,
              .polls = program.polls_shared,
              .races = options.check_races};
  if (options.check_shared) block_.checks = std::make_unique<SharedChecks>();
  make_registers();
}

BlockRunner::~BlockRunner() = default;

void BlockRunner::make_registers() {
  const size_t each = block_.program->register_bytes;
  registers_.resize(each * block_.warps.size() + kRegisterAlignment);
  void* begin = registers_.data();
  size_t space = registers_.size();
  std::align(kRegisterAlignment, each * block_.warps.size(), begin, space);
  for (uint32_t i = 0; i < block_.warps.size(); ++i) {
    block_.warps[i].block = &block_;
    block_.warps[i].index = i;
    block_.warps[i].registers = static_cast<std::byte*>(begin) + i * each;
  }
  for (const Register& reg : block_.program->registers) fill(reg);
}

/// Constants and special registers keep their values, `%ctaid` for the time of a block.
void BlockRunner::fill(const Register& reg) {
  if (reg.role == Register::Role::kWritten) return;
  const size_t width = size_of(reg.type);
  for (Warp& warp : block_.warps) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      uint64_t value = reg.bits;
      if (reg.role == Register::Role::kSpecial) value = special_value(reg, warp, lane);
      std::memcpy(warp.registers + reg.offset + lane * width, &value, width);
    }
  }
}

uint32_t BlockRunner::special_value(const Register& reg, const Warp& warp, uint32_t lane) const {
  const uint32_t bit = 1u << lane;
  switch (reg.special) {
    case Special::kTid:
      return block_.thread(warp.index * kLanes + lane)[reg.axis];
    case Special::kNtid:
      return block_.size[reg.axis];
    case Special::kCtaid:
      return block_.index[reg.axis];
    case Special::kNctaid:
      return block_.grid[reg.axis];
    case Special::kLaneId:
      return lane;
    case Special::kWarpId:
      return warp.index;
    case Special::kWarpCount:
      return static_cast<uint32_t>(block_.warps.size());
    case Special::kLaneMaskEq:
      return bit;
    case Special::kLaneMaskLt:
      return bit - 1;
    case Special::kLaneMaskLe:
      return bit | (bit - 1);
    case Special::kLaneMaskGt:
      return ~(bit | (bit - 1));
    case Special::kLaneMaskGe:
      return ~(bit - 1);
    case Special::kMultiprocessor:
      return 0;
    case Special::kSharedSize:
      return static_cast<uint32_t>(block_.shared.size());
    case Special::kDynamicSharedSize:
      return dynamic_shared_;
  }
  return 0;
}

void BlockRunner::start(uint64_t number, bool others_wait) {
  long_quiet_ = others_wait ? kShortQuiet : kLongQuiet;
  const Extent3& grid = block_.grid;
  block_.index = {static_cast<uint32_t>(number % grid.x),
                  static_cast<uint32_t>(number / grid.x % grid.y),
                  static_cast<uint32_t>(number / grid.x / grid.y)};
  block_.fault.reset();
  block_.printed.clear();
  block_.unwritten.reset();
  block_.arrivals.clear();
  block_.budget = options_.block_budget;
  std::fill(block_.shared.begin(), block_.shared.end(), kUnwritten);
  if (block_.checks) block_.checks->start(block_.shared.size(), block_.warps.size(), checked_);
  for (const Register& reg : block_.program->registers) {
    if (reg.role == Register::Role::kSpecial && reg.special == Special::kCtaid) fill(reg);
  }
  uint32_t threads = block_.threads();
  for (Warp& warp : block_.warps) {
    const uint32_t lanes = std::min(threads, kLanes);
    threads -= lanes;
    warp.pc = 0;
    warp.born = lanes == kLanes ? kAllLanes : (1u << lanes) - 1;
    warp.alive = warp.born;
    warp.active = warp.born;
    warp.until = kNowhere;
    warp.state = WarpState::kRunning;
    warp.epoch = 0;
    warp.carry = 0;
    warp.executed = 0;
    warp.stack.clear();
    warp.undefined.clear();
  }
}

bool BlockRunner::advance() {
  note_change();
  const Quiet begin = quiet_;
  computes_ = false;
  released_ = false;
  while (!block_.fault) {
    if (!turn() && !block_.fault) {
      const auto is_done = [](const Warp& warp) { return warp.state == WarpState::kDone; };
      if (std::ranges::all_of(block_.warps, is_done)) {
        fail_at_barrier(block_);
        return true;
      }
      release();
    }
    if (block_.fault) break;
    if (block_.changes != quiet_.changes) note_change();
    if (block_.program->blocks_meet && (polls_for(kSlice, quiet_) || polls_for(kLongTurn, begin)))
      return false;
    if (quiet_.budget - block_.budget < quiet_.look_again) continue;
    quiet_.look_again *= 2;
    const Done before = done();
    if (!repeats()) continue;
    // A read that does not say so may look each time too, at what another block is still to write.
    if (block_.program->blocks_meet || done().requests != before.requests) return false;
    if (done().calls != before.calls) {
      fail_endless_at_poll("prints here for ever: the loop changes nothing that could end it");
      break;
    }
    fail_waiting("nobody writes: the loop changes nothing, and reads again only what is volatile");
  }
  if (block_.unwritten) explain_unwritten();
  return true;
}

void BlockRunner::note_change() {
  quiet_ = {block_.changes, block_.polled.count, block_.budget, long_quiet_};
}

bool BlockRunner::polls_for(uint64_t instructions, const Quiet& since) const {
  return since.budget - block_.budget >= instructions && block_.polled.count != since.polls;
}

BlockRunner::Done BlockRunner::done() const {
  Done sum;
  for (size_t i = 0; i < block_.counts.size(); ++i) {
    const InstructionInfo& info = block_.program->info[i];
    sum.requests += block_.counts[i].requests;
    // A call of a function that has a body is at most a branch.
    if (info.flow == Flow::kNext && info.opcode.starts_with("call"))
      sum.calls += block_.counts[i].executed;
  }
  return sum;
}

void BlockRunner::fail_waiting(std::string_view why) {
  fail_endless_at_poll(fmt::format("waits here for what {}", why));
}

void BlockRunner::fail_endless_at_poll(std::string_view what) {
  if (fail_at_barrier(block_)) return;
  const Poll& polled = block_.polled;
  polled.warp->fail(FaultKind::kEndless, *polled.instruction, polled.lane,
                    fmt::format("endless: `{}` {}", block_.program->name, what));
}

/// A barrier makes the difference between memory that nobody writes and memory that somebody is
/// still to write: one that other warps wait at and the reader has passed by, or one that is not
/// there, where a warp that goes on from here writes the byte.
void BlockRunner::explain_unwritten() {
  std::string& message = block_.fault->message;
  for (const Warp& warp : block_.warps) {
    if (warp.state != WarpState::kAtBarrier || warp.barrier_count != 0) continue;
    message += fmt::format(" yet: warp {} waits{} at a barrier, which not all threads reach",
                           warp.index, line_of(warp.pc - 1));
    return;
  }
  if (block_.checks->is_written(*block_.unwritten)) {
    message += " yet: is a __syncthreads() missing?";
    return;
  }
  uint32_t left = kSearched;
  for (Warp& warp : block_.warps) {
    while (warp.state == WarpState::kRunning && left > 0) {
      --left;
      const uint32_t at = settle(warp) ? warp.pc : kNowhere;
      run_warp(warp, 1);
      if (at == kNowhere || !block_.checks->is_written(*block_.unwritten)) continue;
      message += fmt::format(" yet: is a __syncthreads() missing? warp {} writes it{}", warp.index,
                             line_of(at));
      return;
    }
  }
  message += ": is a write or a __syncthreads() missing?";
}

std::string BlockRunner::line_of(uint32_t number) const {
  const SourceTrail trail = trail_of(*block_.program, number);
  if (trail.line != 0) return fmt::format(" at line {}", trail.line);
  return fmt::format(" at line {} of the PTX", block_.program->info[number].place.line);
}

bool BlockRunner::step(uint32_t number) {
  Warp& warp = block_.warps[number];
  if (warp.state == WarpState::kRunning) run_warp(warp, 1);
  while (warp.state == WarpState::kAtBarrier && !block_.fault) {
    if (!turn(&warp) && !block_.fault) release();
  }
  if (warp.state == WarpState::kDone) fail_at_barrier(warp, kAllLanes);
  return warp.state == WarpState::kRunning && !block_.fault && settle(warp);
}

bool BlockRunner::turn(const Warp* held) {
  for (Warp& warp : block_.warps) {
    if (warp.state != WarpState::kRunning || &warp == held) continue;
    const uint64_t executed = warp.executed, polls = warp.polls;
    run_warp(warp, kSlice);
    computes_ |= warp.executed - executed == kSlice && warp.polls == polls;
    if (warp.state == WarpState::kFaulted) return false;
    block_.budget -= std::min(block_.budget, warp.executed - executed);
    if (block_.budget == 0) {
      fail_endless();
      return false;
    }
    if (interruption::requested()) {
      block_.fault.emplace().message = "interrupted";
      return false;
    }
  }
  // Not what each was when its turn ended: a later one may have let it go.
  return std::any_of(block_.warps.begin(), block_.warps.end(),
                     [](const Warp& warp) { return warp.state == WarpState::kRunning; });
}

void BlockRunner::release() {
  if (fail_at_barrier(block_)) return;
  const auto waits = [](const Warp& warp) { return warp.state == WarpState::kAtBarrier; };
  const Warp& first = *std::find_if(block_.warps.begin(), block_.warps.end(), waits);
  const bool all = std::all_of(block_.warps.begin(), block_.warps.end(), [&](const Warp& warp) {
    if (!waits(warp)) return !block_.ended_threads_miss;
    return warp.barrier_count == 0 && warp.barrier == first.barrier && warp.vote == first.vote;
  });
  if (!all) {
    fail_barrier();
    return;
  }
  released_ = true;
  block_.arrivals.clear();
  if (block_.checks) block_.checks->barrier();
  std::vector<Warp*> waiting;
  for (Warp& warp : block_.warps) {
    if (waits(warp)) waiting.push_back(&warp);
  }
  tell_votes(block_, waiting);
  for (Warp* warp : waiting) warp->state = WarpState::kRunning;
}

void BlockRunner::fail_barrier() {
  const auto waits = [](const Warp& warp) { return warp.state == WarpState::kAtBarrier; };
  const auto waiting = std::find_if(block_.warps.begin(), block_.warps.end(), waits);
  const auto count = std::count_if(block_.warps.begin(), block_.warps.end(), waits);
  waiting->fail(FaultKind::kBarrier, block_.program->code[waiting->pc - 1],
                first_lane(waiting->active),
                fmt::format("barrier: {} of the block's {} warps wait at barriers; warp {} at "
                            "barrier {}, but {}",
                            count, block_.warps.size(), waiting->index, waiting->barrier,
                            why_incomplete(*waiting)));
}

std::string BlockRunner::why_incomplete(const Warp& waiting) const {
  if (waiting.barrier_count != 0) {
    const auto came =
        std::count_if(block_.arrivals.begin(), block_.arrivals.end(), [&](const Arrival& one) {
          return one.barrier == waiting.barrier && one.threads == waiting.barrier_count;
        });
    return fmt::format("it takes {} threads, and {} have come", waiting.barrier_count,
                       static_cast<uint32_t>(came) * kLanes);
  }
  for (const Warp& other : block_.warps) {
    if (other.state != WarpState::kAtBarrier)
      return fmt::format("warp {} has ended without reaching it", other.index);
    if (other.barrier != waiting.barrier)
      return fmt::format("warp {} waits at barrier {}", other.index, other.barrier);
    if (other.vote != waiting.vote)
      return fmt::format("warp {} waits there in another function of its kind", other.index);
  }
  return "others take it for one of fewer threads";
}

void BlockRunner::fail_endless() {
  if (fail_at_barrier(block_)) return;
  for (Warp& warp : block_.warps) {
    if (warp.state == WarpState::kDone) continue;
    const uint32_t at =
        std::min<uint32_t>(warp.pc, static_cast<uint32_t>(block_.program->code.size() - 1));
    warp.fail(FaultKind::kEndless, block_.program->code[at], first_lane(warp.alive),
              fmt::format("endless: the block has executed {} instructions and does not end",
                          options_.block_budget));
    return;
  }
}

}  // namespace glint::simulator
