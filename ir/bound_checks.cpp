#include "ir/bound_checks.h"

#include <deque>

#include "ir/liveness.h"

namespace glint::program {
namespace {

/// Which locals are bound, as bits.
using Bound = std::vector<uint64_t>;

class BoundChecks {
 public:
  explicit BoundChecks(Code& code)
      : code_(code),
        words_((code.local_names.size() + 63) / 64),
        before_(code.instructions.size(), Bound(words_, ~uint64_t{0})) {}

  void run() {
    solve();
    std::vector<bool> removed(code_.instructions.size(), false);
    for (uint32_t pc = 0; pc < code_.instructions.size(); ++pc) {
      const Instruction& instruction = code_.instructions[pc];
      removed[pc] =
          instruction.opcode == Opcode::kCheckBound && is_bound(before_[pc], instruction.a.index());
    }
    compact(removed);
  }

 private:
  static bool is_bound(const Bound& bound, uint32_t index) {
    return (bound[index / 64] >> (index % 64)) & 1;
  }

  /// Meets `incoming` into the state before `pc`; true if that changed it.
  bool meet(uint32_t pc, const Bound& incoming) {
    bool changed = !reached_[pc];
    reached_[pc] = true;
    for (size_t w = 0; w < words_; ++w) {
      uint64_t met = before_[pc][w] & incoming[w];
      changed = changed || met != before_[pc][w];
      before_[pc][w] = met;
    }
    return changed;
  }

  void solve() {
    reached_.assign(code_.instructions.size(), false);
    std::vector<std::vector<uint32_t>> targets(code_.instructions.size());
    for (const Handler& handler : code_.handlers) {
      for (uint32_t pc = handler.begin; pc < handler.end; ++pc)
        targets[pc].push_back(handler.target);
    }
    Bound entry(words_, 0);
    for (size_t i = 0; i < code_.parameters.size(); ++i) entry[i / 64] |= uint64_t{1} << (i % 64);
    std::deque<uint32_t> work = {0};
    meet(0, entry);
    while (!work.empty()) {
      uint32_t pc = work.front();
      work.pop_front();
      Bound state = before_[pc];
      for (uint32_t target : targets[pc]) {
        if (meet(target, state)) work.push_back(target);
      }
      const Instruction& instruction = code_.instructions[pc];
      Bound unchanged = state;
      transfer(instruction, state);
      for (uint32_t next : successors(code_, pc)) {
        // `next` writes nothing when it jumps.
        bool jumps = info(instruction.opcode).immediate == Immediate::kTarget &&
                     next == instruction.immediate;
        if (meet(next, jumps ? unchanged : state)) work.push_back(next);
      }
    }
  }

  void transfer(const Instruction& instruction, Bound& state) const {
    auto bind = [&](uint32_t index) {
      if (index < code_.local_names.size()) state[index / 64] |= uint64_t{1} << (index % 64);
    };
    if (instruction.opcode == Opcode::kDeleteLocal) {
      uint32_t index = instruction.a.index();
      state[index / 64] &= ~(uint64_t{1} << (index % 64));
      return;
    }
    if (instruction.opcode == Opcode::kCheckBound) return bind(instruction.a.index());
    for_each_write(code_, instruction, bind);
  }

  void compact(const std::vector<bool>& removed) {
    std::vector<uint32_t> position(removed.size() + 1, 0);
    std::vector<Instruction> kept;
    for (size_t pc = 0; pc < removed.size(); ++pc) {
      position[pc] = static_cast<uint32_t>(kept.size());
      if (!removed[pc]) kept.push_back(code_.instructions[pc]);
    }
    position[removed.size()] = static_cast<uint32_t>(kept.size());
    for (Instruction& instruction : kept) {
      if (info(instruction.opcode).immediate == Immediate::kTarget) {
        instruction.immediate = position[instruction.immediate];
      }
    }
    std::vector<Handler> handlers;
    for (Handler handler : code_.handlers) {
      handler.begin = position[handler.begin];
      handler.end = position[handler.end];
      handler.target = position[handler.target];
      if (handler.begin < handler.end) handlers.push_back(handler);
    }
    code_.instructions = std::move(kept);
    code_.handlers = std::move(handlers);
  }

  Code& code_;
  size_t words_;
  std::vector<Bound> before_;
  std::vector<bool> reached_;
};

}  // namespace

void remove_bound_checks(Code& code) {
  BoundChecks(code).run();
}

}  // namespace glint::program
