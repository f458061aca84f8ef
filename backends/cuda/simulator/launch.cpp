// A launch: its sizes and arguments are checked, the arguments laid out as parameters, and the
// blocks given to the cores. Of several blocks at fault the lowest counts, whoever ran first: a
// block is left out only where a lower one is at fault already.
#include "backends/cuda/simulator/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>

#include "backends/cuda/simulator/block_runner.h"
#include "backends/cuda/simulator/launch_limits.h"
#include "backends/cuda/simulator/shared_checks.h"
#include "backends/cuda/simulator/system_calls.h"
#include "core/support/interruption.h"
#include "core/support/thread_pool.h"

namespace glint::simulator {
namespace {

Result<std::vector<std::byte>> parameter_bytes(const Program& program, const Launch& launch) {
  if (launch.arguments.size() != program.parameters.size()) {
    return Error{fmt::format("`{}` takes {} arguments, not {}", program.name,
                             program.parameters.size(), launch.arguments.size())};
  }
  std::vector<std::byte> bytes(program.parameter_bytes + 1);
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (launch.arguments[i].size() != parameter.size) {
      return Error{fmt::format("argument {} of `{}` has {} bytes, not {}", i + 1, program.name,
                               parameter.size, launch.arguments[i].size())};
    }
    std::copy(launch.arguments[i].begin(), launch.arguments[i].end(),
              bytes.begin() + parameter.offset);
  }
  return bytes;
}

/// The runners that are free, the lowest fault, and how blocks reach them.
class GridRunner {
 public:
  GridRunner(const Program& program, const Memory& memory, const Launch& launch,
             const LaunchOptions& options, const std::vector<std::byte>& parameters)
      : make_([=, &program, &memory, &launch, &options, &parameters] {
          return std::make_unique<BlockRunner>(program, memory, launch, options, parameters);
        }) {}

  void run(uint64_t begin, uint64_t end) {
    std::unique_ptr<BlockRunner> runner = take();
    for (uint64_t number = begin; number < end && number < faulted_.load(); ++number) {
      runner->run(number);
      if (runner->block().fault) note(number, *runner->block().fault);
      if (!runner->block().printed.empty()) note_printed(number, runner->block().printed);
    }
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(runner));
  }

  /// Every runner's counts, summed.
  std::vector<Counts> counts(size_t instructions) const {
    std::vector<Counts> sum(instructions);
    for (const auto& runner : free_) {
      for (size_t i = 0; i < instructions; ++i) sum[i] += runner->block().counts[i];
    }
    return sum;
  }
  const std::optional<Fault>& fault() const { return fault_; }
  /// What the blocks printed that ran before any fault, and the one at fault.
  std::string printed() const {
    std::string all;
    for (const auto& [number, text] : printed_) {
      if (number > faulted_.load()) break;
      all += text;
      keep_printed_end(all);
    }
    return all;
  }

 private:
  std::unique_ptr<BlockRunner> take() {
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
  void note(uint64_t number, const Fault& fault) {
    const std::lock_guard lock(mutex_);
    if (number >= faulted_.load()) return;
    faulted_ = number;
    fault_ = fault;
  }

  void note_printed(uint64_t number, const std::string& text) {
    const std::lock_guard lock(mutex_);
    printed_[number] = text;
    printed_bytes_ += text.size();
    // Of the text in front of the end that is kept nothing is.
    while (printed_bytes_ - printed_.begin()->second.size() >= kKeptText) {
      printed_bytes_ -= printed_.begin()->second.size();
      printed_.erase(printed_.begin());
    }
  }

  std::function<std::unique_ptr<BlockRunner>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockRunner>> free_;
  std::atomic<uint64_t> faulted_ = ~0ull;
  std::optional<Fault> fault_;
  std::map<uint64_t, std::string> printed_;  ///< by the block's number
  size_t printed_bytes_ = 0;
};

/// What each count says of the instruction's kind, and the sum of all.
void finish_report(const Program& program, const Launch& launch, LaunchReport& report) {
  for (size_t i = 0; i < program.code.size(); ++i) {
    const InstructionInfo& info = program.info[i];
    const bool branches = info.flow == Flow::kBranch || info.flow == Flow::kTable;
    if (branches && info.guarded) report.counts[i].branches = report.counts[i].executed;
    report.total += report.counts[i];
  }
  BlockNeeds needs;
  needs.threads = launch.block.total();
  needs.registers = program.live_registers;
  needs.shared_bytes = program.shared_bytes + launch.dynamic_shared;
  report.occupancy = occupancy(find_architecture(program.target), needs);
}

}  // namespace

Result<std::vector<std::byte>> check_launch(const Program& program, const Launch& launch) {
  if (const auto error = check_launch_sizes(program, launch)) return *error;
  return parameter_bytes(program, launch);
}

Result<LaunchResult> run(const Program& program, const Memory& memory, const Launch& launch,
                         const LaunchOptions& options) {
  const Result<std::vector<std::byte>> parameters = check_launch(program, launch);
  if (!parameters) return parameters.error();
  const uint64_t blocks = block_count(launch);
  GridRunner grid(program, memory, launch, options, *parameters);
  if (program.global_atomics) {
    grid.run(0, blocks);
  } else {
    parallel_for(0, static_cast<int64_t>(blocks), 1, [&](int64_t begin, int64_t end) {
      grid.run(static_cast<uint64_t>(begin), static_cast<uint64_t>(end));
    });
  }
  interruption::check();
  LaunchResult result;
  result.report.counts = grid.counts(program.code.size());
  result.fault = grid.fault();
  result.printed = grid.printed();
  finish_report(program, launch, result.report);
  return result;
}

}  // namespace glint::simulator
