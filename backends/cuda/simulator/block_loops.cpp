// Whether a block comes back to what it is, with nothing changed on the way: a loop that nobody
// ends.
//
//     L: ld.global.u32 %r1, [%rd0];  setp.eq.u32 %p1, %r1, 0;  @%p1 bra L;
//
// The block runs on meanwhile, so that nothing has to be taken back.
#include <algorithm>
#include <array>
#include <cstring>

#include "backends/cuda/simulator/block_runner.h"

namespace glint::simulator {
namespace {

/// Instructions of a loop, at most.
constexpr uint32_t kLongestLoop = 4096;

}  // namespace

bool BlockRunner::repeats() {
  const bool meets = released_;
  bool any = false;
  for (Warp& warp : block_.warps) {
    if (warp.state != WarpState::kRunning) continue;
    if (!repeats(warp)) return meets && comes_back();
    any = true;
  }
  return any || (meets && comes_back());
}

/// Whether it comes to where it is with all its registers as they are, and nothing changed on the
/// way: then it does so for ever, unless somebody changes memory.
bool BlockRunner::repeats(Warp& warp) {
  if (!settle(warp)) return false;
  const uint32_t at = warp.pc, lanes = warp.active;
  const uint64_t polls = block_.polled.count;
  const size_t depth = warp.stack.size();
  const std::vector<std::byte> registers(warp.registers,
                                         warp.registers + block_.program->register_bytes);
  for (uint32_t left = kLongestLoop; left > 0; --left) {
    run_warp(warp, 1);
    if (warp.state != WarpState::kRunning || block_.changes != quiet_.changes || !settle(warp))
      return false;
    if (warp.pc != at || warp.active != lanes || warp.stack.size() != depth) continue;
    if (std::memcmp(warp.registers, registers.data(), registers.size()) != 0) continue;
    if (block_.polled.count == polls) warp.poll(block_.program->code[at], warp.active);
    return true;
  }
  return false;
}

/// Whether a barrier lets the warps go as another one did before, with all their registers as they
/// were, and nothing changed between the two.
bool BlockRunner::comes_back() {
  const uint64_t changes = block_.changes, polls = block_.polled.count;
  uint64_t left = uint64_t{kLongestLoop} * block_.warps.size();
  std::vector<std::byte> first;
  while (left > 0 && !block_.fault && block_.changes == changes) {
    for (Warp& warp : block_.warps) {
      if (warp.state != WarpState::kRunning) continue;
      const uint64_t executed = warp.executed;
      run_warp(warp, kLongestLoop);
      left -= std::min(left, warp.executed - executed);
    }
    const auto is_in = [&](WarpState state) {
      return std::ranges::any_of(block_.warps,
                                 [=](const Warp& warp) { return warp.state == state; });
    };
    if (block_.fault || is_in(WarpState::kRunning)) continue;
    if (!is_in(WarpState::kAtBarrier)) return false;
    release();
    std::vector<std::byte> now = state();
    if (first.empty()) {
      first = std::move(now);
    } else if (now == first && block_.changes == changes && !block_.fault) {
      Warp& warp = *std::ranges::find(block_.warps, WarpState::kRunning, &Warp::state);
      if (block_.polled.count == polls) warp.poll(block_.program->code[warp.pc - 1], warp.active);
      return true;
    }
  }
  return false;
}

/// All that says what the warps do next, but for memory.
std::vector<std::byte> BlockRunner::state() const {
  std::vector<std::byte> bytes;
  const auto add = [&](const void* from, size_t size) {
    const auto* begin = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  };
  for (const Warp& warp : block_.warps) {
    const std::array<uint32_t, 7> where = {static_cast<uint32_t>(warp.state),
                                           warp.pc,
                                           warp.active,
                                           warp.alive,
                                           warp.until,
                                           warp.carry,
                                           static_cast<uint32_t>(warp.stack.size())};
    add(where.data(), sizeof(where));
    add(warp.stack.data(), warp.stack.size() * sizeof(Waiting));
    add(warp.registers, block_.program->register_bytes);
  }
  return bytes;
}

}  // namespace glint::simulator
