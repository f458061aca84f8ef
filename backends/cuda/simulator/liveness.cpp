// How many registers a thread needs: at each instruction, the registers whose values are still read
// later; the most of them at one place, in units of 32 bits.
//
//     add.f64 %fd3, %fd1, %fd2;  st.global.f64 [%rd1], %fd3      before the sum: 6, after it: 4
//
// The driver's assembler allocates a few more or fewer: this is what the text itself asks for.
#include <algorithm>
#include <bit>

#include "backends/cuda/simulator/linker.h"

namespace glint::simulator {
namespace {

class Liveness {
 public:
  explicit Liveness(const Program& program)
      : program_(program), words_((program.registers.size() + 63) / 64) {
    live_.assign(program.code.size() * words_, 0);
  }

  uint32_t most() {
    while (pass()) {
    }
    uint32_t most = 0;
    for (size_t at = 0; at < program_.code.size(); ++at) most = std::max(most, weight(at));
    return most;
  }

 private:
  uint64_t* row(size_t at) { return live_.data() + at * words_; }

  /// Goes over the code once, from its end; whether something changed.
  bool pass() {
    bool changed = false;
    std::vector<uint64_t> now(words_);
    for (size_t at = program_.code.size(); at-- > 0;) {
      std::fill(now.begin(), now.end(), 0);
      for (const uint32_t next : successors(program_, static_cast<uint32_t>(at))) {
        for (size_t word = 0; word < words_; ++word) now[word] |= row(next)[word];
      }
      const InstructionInfo& info = program_.info[at];
      if (!info.guarded) {
        for (const uint32_t reg : info.writes) now[reg / 64] &= ~(1ull << (reg % 64));
      }
      for (const uint32_t reg : info.reads) now[reg / 64] |= 1ull << (reg % 64);
      changed |= !std::equal(now.begin(), now.end(), row(at));
      std::copy(now.begin(), now.end(), row(at));
    }
    return changed;
  }

  uint32_t weight(size_t at) {
    uint32_t sum = 0;
    for (size_t word = 0; word < words_; ++word) {
      for (uint64_t rest = row(at)[word]; rest != 0; rest &= rest - 1) {
        const Register& reg =
            program_.registers[word * 64 + static_cast<size_t>(std::countr_zero(rest))];
        // Predicates have registers of their own.
        if (reg.type != Type::kPred) sum += size_of(reg.type) == 8 ? 2 : 1;
      }
    }
    return sum;
  }

  const Program& program_;
  size_t words_;
  std::vector<uint64_t> live_;
};

}  // namespace

uint32_t count_live_registers(const Program& program) {
  return Liveness(program).most();
}

}  // namespace glint::simulator
