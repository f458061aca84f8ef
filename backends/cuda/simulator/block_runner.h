// One core's copy of everything that a block needs while it runs, used for one block after another.
//
//     BlockRunner runner(program, memory, launch, options, parameters);
//     runner.start(17);                  // block 17 of the grid
//     if (runner.advance() && runner.block().fault) ...
#pragma once

#include "backends/cuda/simulator/launch.h"
#include "backends/cuda/simulator/shared_checks.h"
#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {

class BlockRunner {
 public:
  BlockRunner(const Program& program, const Memory& memory, const Launch& launch,
              const LaunchOptions& options, const std::vector<std::byte>& parameters);
  ~BlockRunner();

  /// Runs the block that was started, until it has ended or is at fault; false where it waits for
  /// another block first: it repeats itself and changes nothing, though it reads global memory. If
  /// blocks may meet, also where it polls and changes nothing, or polls for long whatever it
  /// changes.
  bool advance();
  /// Whether a warp computed all through a turn of the last advance, without a look at memory: the
  /// block may be quiet, but it does not wait.
  bool computes() const { return computes_; }
  /// Whether the block comes back to what it is and changes nothing on the way: every warp that
  /// runs is in a loop of its own, or all of them in one that barriers hold together.
  bool repeats();
  /// It is in a loop for ever that changes nothing: `what` says what it does there.
  void fail_endless_at_poll(std::string_view what);
  /// It waits for ever: `why` says for what.
  void fail_waiting(std::string_view why);
  /// Makes block number `number`, counted along the first axis first, ready to run or to step.
  /// Where others of the grid wait it is looked early whether this one repeats itself.
  void start(uint64_t number, bool others_wait = false);
  /// Executes one instruction of a warp, and what it waits for; false when it has ended or faults.
  bool step(uint32_t number);
  const Block& block() const { return block_; }

 private:
  void make_registers();
  uint32_t special_value(const Register& reg, const Warp& warp, uint32_t lane) const;
  void fill(const Register& reg);
  /// Lets every warp but that one run once; whether one of them is still running.
  bool turn(const Warp* held = nullptr);
  /// Lets go the warps if all wait at one barrier for the whole block; else the block faults.
  void release();
  void fail_barrier();
  std::string why_incomplete(const Warp& waiting) const;
  void fail_endless();
  void note_change();
  bool repeats(Warp& warp);
  bool comes_back();
  std::vector<std::byte> state() const;
  /// What the warps have done so far that says what a loop is for.
  struct Done {
    uint64_t requests = 0;  ///< reads and writes of global memory
    uint64_t calls = 0;     ///< of what the system does: `printf`
  };
  Done done() const;
  void explain_unwritten();
  /// ` at line 5`, of the source where the text names it.
  std::string line_of(uint32_t number) const;

  /// How it was when memory changed last, or the turn began.
  struct Quiet {
    uint64_t changes = 0;
    uint64_t polls = 0;
    uint64_t budget = 0;
    uint64_t look_again = 0;  ///< instructions until it is looked whether loops repeat
  };
  /// Whether so many have been executed since, and looks at memory among them.
  bool polls_for(uint64_t instructions, const Quiet& since) const;

  Block block_;
  Quiet quiet_;
  uint64_t long_quiet_ = 0;  ///< instructions without a change until it is looked at loops
  bool computes_ = false;
  bool released_ = false;  ///< by the last advance: warps at a barrier
  LaunchOptions options_;
  uint32_t dynamic_shared_ = 0;
  SharedChecks::Kernel checked_;
  std::vector<std::byte> registers_;
};

}  // namespace glint::simulator
