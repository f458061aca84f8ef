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
// nothing has changed, none ever goes on: the lowest is at fault, at the line where it waits.
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

  void run_part(uint64_t begin, uint64_t end);
  void run_in_order();
  /// A turn of each block that was put aside; false where they wait for ever.
  bool give_turns();
  void fail_waiting();
  uint64_t room() const;

  std::unique_ptr<BlockRunner> take();
  void give_back(std::unique_ptr<BlockRunner> runner);
  void note_end(uint64_t number, const Block& block);
  void note_printed(uint64_t number, const std::string& text);

  const Program& program_;
  const Launch& launch_;
  std::function<std::unique_ptr<BlockRunner>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockRunner>> free_;
  std::atomic<uint64_t> faulted_ = ~0ull;
  std::optional<Fault> fault_;
  std::map<uint64_t, std::string> printed_;  ///< by the block's number
  size_t printed_bytes_ = 0;
  std::deque<Waiting> waiting_;
  uint64_t begun_ = 0;  ///< blocks, of those that run in order
  uint64_t quiet_ = 0;  ///< turns since a block that waits has last ended or changed something
};

}  // namespace glint::simulator
