// How many registers a thread needs: at each instruction, the registers whose values are still read
// later; the most of them at one place, in units of 32 bits.
//
//     add.f64 %fd3, %fd1, %fd2;  st.global.f64 [%rd1], %fd3      before the sum: 6, after it: 4
//
// The driver's assembler allocates a few more or fewer: this is what the text itself asks for.
#include <algorithm>
#include <iterator>
#include <vector>

#include "backends/cuda/simulator/linker.h"

namespace glint::simulator {
namespace {

/// Numbers of registers, in order: few are live at one place, however many a program has.
using Registers = std::vector<uint32_t>;

class Liveness {
 public:
  explicit Liveness(const Program& program) : program_(program), live_(program.code.size()) {}

  uint32_t most() {
    while (pass()) {
    }
    uint32_t most = 0;
    for (const Registers& each : live_) most = std::max(most, weight(each));
    return most;
  }

 private:
  /// Goes over the code once, from its end; whether something changed.
  bool pass() {
    bool changed = false;
    for (size_t at = program_.code.size(); at-- > 0;) {
      Registers now = live_before(static_cast<uint32_t>(at));
      if (now == live_[at]) continue;
      live_[at] = std::move(now);
      changed = true;
    }
    return changed;
  }

  Registers live_before(uint32_t at) const {
    Registers now;
    for (const uint32_t next : successors(program_, at)) now = both(now, live_[next]);
    const InstructionInfo& info = program_.info[at];
    if (!info.guarded)
      std::erase_if(now, [&](uint32_t each) {
        return std::find(info.writes.begin(), info.writes.end(), each) != info.writes.end();
      });
    Registers reads = info.reads;
    std::sort(reads.begin(), reads.end());
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    return both(now, reads);
  }

  static Registers both(const Registers& a, const Registers& b) {
    Registers all;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    return all;
  }

  uint32_t weight(const Registers& registers) const {
    uint32_t sum = 0;
    for (const uint32_t each : registers) {
      const Register& reg = program_.registers[each];
      // Predicates have registers of their own.
      if (reg.type != Type::kPred) sum += size_of(reg.type) == 8 ? 2 : 1;
    }
    return sum;
  }

  const Program& program_;
  std::vector<Registers> live_;  ///< before each instruction
};

}  // namespace

uint32_t count_live_registers(const Program& program) {
  return Liveness(program).most();
}

}  // namespace glint::simulator
