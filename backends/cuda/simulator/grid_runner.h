// The blocks of a launch: where each runs, and what is known of all together.
//
// Blocks that cannot see each other run on all cores. Those that may, by atomics on global memory,
// volatile reads of it or fences, run in order, so that results are the same each time. One that
// waits for another is put aside until those behind it have run, as it would find them beside it on
// a GPU:
//
//     block 0     while (*flag == 0);       it polls, and nothing changes in a turn: put aside
//     block 1     *flag = 1;                runs to its end
//     block 0                               goes on, and ends
//
// One that looks at memory for long is put aside too, whatever it writes as it does so. As many are
// put aside as a GPU has room for at once. Where each of these has come back to what it was, and
// nothing has changed, none ever goes on: the lowest is at fault, at the line where it waits. So it
// is where all have looked for long, and none of their warps computes meanwhile.
//
// A block that runs beside others and repeats itself may wait for one of those by plain reads: it
// is put aside too, and what has not begun by then runs in order.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/simulator/block_runner.h"

namespace glint::simulator {

class GridRunner {
 public:
  GridRunner(const Program& program, const Memory& memory, const Launch& launch,
             const LaunchOptions& options, const std::vector<std::byte>& parameters);

  /// Runs all blocks, up to one that is at fault.
  void run();

  /// Every runner's counts, summed.
  std::vector<Counts> counts() const;
  /// Of several blocks at fault the lowest counts, whoever ran first: a block is left out only
  /// where a lower one is at fault already.
  const std::optional<Fault>& fault() const { return fault_; }
  /// What the blocks printed that ran before any fault, and the one at fault.
  std::string printed() const;

 private:
  /// A block that waits for another.
  struct Waiting {
    uint64_t number;
    std::unique_ptr<BlockRunner> runner;
  };

  /// Blocks that have not begun.
  struct Range {
    uint64_t begin, end;
  };
  /// What the blocks that wait have done since one of them has last ended or changed something.
  struct Quiet {
    uint64_t turns = 0;
    uint64_t instructions = 0;  ///< of all their warps
  };

  void run_part(uint64_t begin, uint64_t end);
  void run_in_order();
  void begin_next();
  /// A turn of each block that was put aside; false where they wait for ever.
  bool give_turns();
  void fail_waiting();
  /// Whether they have looked at memory for so long that they count as waiting for ever.
  bool quiet_for_ever() const;
  uint64_t room() const;

  std::unique_ptr<BlockRunner> take();
  void give_back(std::unique_ptr<BlockRunner> runner);
  void note_end(uint64_t number, const Block& block);
  void note_printed(uint64_t number, const std::string& text);

  const Program& program_;
  const Launch& launch_;
  const LaunchOptions options_;
  std::function<std::unique_ptr<BlockRunner>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockRunner>> free_;
  std::atomic<uint64_t> faulted_ = ~0ull;
  std::optional<Fault> fault_;
  std::map<uint64_t, std::string> printed_;  ///< by the block's number
  size_t printed_bytes_ = 0;
  std::deque<Waiting> waiting_;
  std::deque<Range> ahead_;             ///< blocks that run in order
  std::atomic<bool> in_order_ = false;  ///< what has not begun yet
  Quiet quiet_;
};

}  // namespace glint::simulator
