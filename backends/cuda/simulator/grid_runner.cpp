#include "backends/cuda/simulator/grid_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/cuda/simulator/shared_checks.h"
#include "backends/cuda/simulator/system_calls.h"
#include "core/support/thread_pool.h"

namespace glint::simulator {
namespace {

/// Turns that blocks have at least until they count as ones that wait for ever, each of some ten
/// thousand instructions of every warp that runs.
constexpr uint64_t kFewestTurns = 64;

}  // namespace

GridRunner::GridRunner(const Program& program, const Memory& memory, const Launch& launch,
                       const LaunchOptions& options, const std::vector<std::byte>& parameters)
    : program_(program),
      launch_(launch),
      options_(options),
      make_([=, &program, &memory, &launch, &parameters] {
        return std::make_unique<BlockRunner>(program, memory, launch, options, parameters);
      }) {}

void GridRunner::run() {
  in_order_ = program_.blocks_meet;
  if (in_order_) {
    ahead_.push_back({0, block_count(launch_)});
  } else {
    parallel_for(0, static_cast<int64_t>(block_count(launch_)), 1, [&](int64_t begin, int64_t end) {
      run_part(static_cast<uint64_t>(begin), static_cast<uint64_t>(end));
    });
  }
  run_in_order();
}

void GridRunner::run_part(uint64_t begin, uint64_t end) {
  std::unique_ptr<BlockRunner> runner = take();
  for (uint64_t number = begin; number < end && number < faulted_.load(); ++number) {
    if (in_order_) {
      const std::lock_guard lock(mutex_);
      ahead_.push_back({number, end});
      break;
    }
    runner->start(number);
    if (runner->advance()) {
      note_end(number, runner->block());
      continue;
    }
    in_order_ = true;
    std::unique_ptr<BlockRunner> waits = std::exchange(runner, take());
    const std::lock_guard lock(mutex_);
    waiting_.push_back({number, std::move(waits)});
  }
  give_back(std::move(runner));
}

void GridRunner::run_in_order() {
  std::ranges::sort(ahead_, {}, &Range::begin);
  // One at fault leaves out those behind it alone.
  const auto may_begin = [&] {
    return !ahead_.empty() && ahead_.front().begin < faulted_.load() && waiting_.size() < room();
  };
  while (true) {
    if (may_begin()) {
      begin_next();
    } else if (fault_ || waiting_.empty()) {
      return;
    } else if (!give_turns() && !fault_) {
      fail_waiting();
    }
  }
}

void GridRunner::begin_next() {
  Range& range = ahead_.front();
  const uint64_t number = range.begin++;
  if (range.begin == range.end) ahead_.pop_front();
  std::unique_ptr<BlockRunner> runner = take();
  runner->start(number, !waiting_.empty());
  quiet_ = {};
  // Most blocks wait for none: this one is there for no longer than its first turn.
  if (runner->advance()) {
    note_end(number, runner->block());
    give_back(std::move(runner));
  } else {
    waiting_.push_back({number, std::move(runner)});
  }
}

/// A block that repeats itself has no use for a turn; where each does, they do so for ever. One
/// that counts as it waits never repeats itself.
bool GridRunner::give_turns() {
  bool moves = false, repeat = true, computes = false;
  uint64_t executed = 0;
  for (size_t left = waiting_.size(); left > 0 && !fault_; --left) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    const Block& block = next.runner->block();
    const uint64_t changes = block.changes, budget = block.budget;
    bool ended = false;
    if (!next.runner->repeats()) {
      repeat = false;
      ended = next.runner->advance();
      computes |= next.runner->computes();
      executed += budget - block.budget;
    }
    moves |= ended || block.changes != changes;
    if (ended) {
      note_end(next.number, block);
      give_back(std::move(next.runner));
    } else {
      waiting_.push_back(std::move(next));
    }
  }
  if (moves) {
    quiet_ = {};
  } else if (!computes) {
    ++quiet_.turns;
    quiet_.instructions += executed;
  }
  return !repeat && !quiet_for_ever();
}

bool GridRunner::quiet_for_ever() const {
  return quiet_.turns >= kFewestTurns && quiet_.instructions >= options_.quiet_budget;
}

void GridRunner::fail_waiting() {
  Waiting& lowest = *std::ranges::min_element(waiting_, {}, &Waiting::number);
  std::string why = "another block or thread would write, and none does any more";
  if (!ahead_.empty())
    why = fmt::format(
        "another block would write, which has not begun: a GPU has room for {} of "
        "them at once, and all these wait",
        waiting_.size());
  else if (quiet_for_ever())
    why = fmt::format("another block or thread would write, and none has in {} instructions",
                      quiet_.instructions);
  lowest.runner->fail_waiting(why);
  note_end(lowest.number, lowest.runner->block());
}

uint64_t GridRunner::room() const {
  const uint64_t each = occupancy_of(program_, launch_).blocks;
  return std::max<uint64_t>(each, 1) * kMultiprocessors;
}

std::vector<Counts> GridRunner::counts() const {
  std::vector<Counts> sum(program_.code.size());
  const auto add = [&](const BlockRunner& runner) {
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += runner.block().counts[i];
  };
  for (const auto& runner : free_) add(*runner);
  for (const Waiting& each : waiting_) add(*each.runner);
  return sum;
}

std::string GridRunner::printed() const {
  std::string all;
  for (const auto& [number, text] : printed_) {
    if (number > faulted_.load()) break;
    all += text;
    keep_printed_end(all);
  }
  return all;
}

std::unique_ptr<BlockRunner> GridRunner::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::unique_ptr<BlockRunner> runner = std::move(free_.back());
      free_.pop_back();
      return runner;
    }
  }
  return make_();
}

void GridRunner::give_back(std::unique_ptr<BlockRunner> runner) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(runner));
}

void GridRunner::note_end(uint64_t number, const Block& block) {
  if (!block.fault && block.printed.empty()) return;
  const std::lock_guard lock(mutex_);
  if (!block.printed.empty()) note_printed(number, block.printed);
  if (!block.fault || number >= faulted_.load()) return;
  faulted_ = number;
  fault_ = block.fault;
}

void GridRunner::note_printed(uint64_t number, const std::string& text) {
  printed_[number] = text;
  printed_bytes_ += text.size();
  // Of the text in front of the end that is kept nothing is.
  while (printed_bytes_ - printed_.begin()->second.size() >= kKeptText) {
    printed_bytes_ -= printed_.begin()->second.size();
    printed_.erase(printed_.begin());
  }
}

}  // namespace glint::simulator
