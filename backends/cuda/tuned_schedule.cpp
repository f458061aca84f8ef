#include "backends/cuda/tuned_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/kernels/tune_products.h"
#include "backends/cuda/launch/runnable_kernel.h"
#include "backends/cuda/tuning/tune_run.h"
#include "backends/schedule_runner.h"

namespace glint::cuda {
namespace {

/// Runs that find nothing, until the usual ways are taken.
constexpr int kMostAttempts = 3;
/// Sizes for which a schedule keeps what it runs.
constexpr size_t kMostChoices = 8;

void add_symbols(std::set<uint32_t>& symbols, SymInt size) {
  for (const uint32_t symbol : size.symbols()) symbols.insert(symbol);
}

/// The symbols that say how much a kernel does; not those that it computes with.
std::set<uint32_t> size_symbols(const Kernel& kernel) {
  std::set<uint32_t> symbols;
  for (const Statement& statement : kernel.statements)
    if (const auto* loop = statement.get_if<Loop>()) add_symbols(symbols, loop->extent);
  return symbols;
}

std::string sizes_text(const std::set<uint32_t>& which, std::span<const int64_t> symbols) {
  std::string text;
  for (const uint32_t symbol : which)
    text +=
        fmt::format("{}s{} to {}", text.empty() ? "" : ", ", symbol, rounded_size(symbols[symbol]));
  return text;
}

/// A kernel's text without the places that it came from: it stays when a script's lines move.
std::string text_of(const Kernel& kernel) {
  std::string text;
  const WrittenProgram program = write_program({&kernel}, {});
  for (const TextLine& line : program.kernels[0].lines) text += line.text + "\n";
  return text;
}

/// Candidates of kernels that nothing is known of, and how they fare in one run.
class Trials {
 public:
  struct Candidates {
    size_t kernel;
    std::vector<LaunchShape> shapes;
  };

  /// All kernels of the schedule, those in `unknown` with all their candidates.
  static Result<std::unique_ptr<Trials>> make(const Schedule& schedule,
                                              std::vector<Candidates> all) {
    std::vector<const Kernel*> kernels;
    std::vector<LaunchShape> shapes;
    for (const Candidates& each : all) {
      for (const LaunchShape& shape : each.shapes) {
        kernels.push_back(&schedule.kernels[each.kernel]);
        shapes.push_back(shape);
      }
    }
    auto compiled = compile_cuda(kernels, {.for_launch = true, .shapes = shapes});
    if (!compiled) return compiled.error();
    auto trials = std::unique_ptr<Trials>(new Trials(std::move(all)));
    size_t at = 0;
    for (const Candidates& each : trials->all_) {
      std::vector<std::shared_ptr<const LaunchableKernel>> loaded;
      size_t symbols = 0;
      for (size_t k = 0; k < each.shapes.size(); ++k, ++at) {
        auto one = LaunchableKernel::load((*compiled)[at]);
        if (!one) return one.error();
        loaded.push_back(std::move(*one));
        symbols = std::max(symbols, symbol_count((*compiled)[at]));
      }
      trials->add(schedule.kernels[each.kernel], std::move(loaded), symbols);
    }
    return trials;
  }

  std::vector<RunnableKernel> runnable(const Schedule& schedule) const {
    std::vector<RunnableKernel> kernels;
    for (size_t i = 0; i < prepared_.size(); ++i)
      kernels.push_back(runner_kernel(*prepared_[i], schedule.kernels[i]));
    return kernels;
  }

  /// What was found of the k-th kernel; nothing if it did not run, or a trial failed.
  std::optional<Tuning> found(size_t k) const {
    const KernelTrial& trial = *trials_[k];
    if (all_[k].shapes.size() > 1 && !trial.has_result()) return std::nullopt;
    Tuning tuning{.what = trial.kernel().name, .is_estimate = need_gpu().properties().is_simulated};
    for (size_t i = 0; i < all_[k].shapes.size(); ++i)
      tuning.rows.push_back({print(all_[k].shapes[i]), trial.costs()[i]});
    return tuning;
  }

 private:
  explicit Trials(std::vector<Candidates> all) : all_(std::move(all)) {}

  void add(const Kernel& kernel, std::vector<std::shared_ptr<const LaunchableKernel>> loaded,
           size_t symbols) {
    trials_.push_back(std::make_unique<KernelTrial>(kernel, std::move(loaded)));
    KernelTrial* trial = trials_.back().get();
    // Of one candidate there is nothing to try.
    auto launch = [trial](auto parameters, auto values, int64_t length) {
      if (trial->candidates().size() > 1)
        trial->launch(parameters, values, length);
      else
        trial->candidates().front()->launch(parameters, values, length);
    };
    prepared_.push_back(std::make_unique<PreparedKernel>(PreparedKernel{launch, symbols}));
  }

  std::vector<Candidates> all_;
  std::vector<std::unique_ptr<KernelTrial>> trials_;
  std::vector<std::unique_ptr<PreparedKernel>> prepared_;
};

class TunedSchedule final : public CompiledSchedule {
 public:
  TunedSchedule(const Schedule& schedule, std::shared_ptr<ScheduleTuning> tuning, MakeSchedule make)
      : schedule_(schedule), tuning_(std::move(tuning)), make_(std::move(make)) {
    tuning_->device = need_gpu().properties().name;
    for (const Kernel& kernel : schedule_.kernels) {
      sizes_.push_back(size_symbols(kernel));
      all_sizes_.insert(sizes_.back().begin(), sizes_.back().end());
      texts_.push_back(text_of(kernel));
    }
  }

  RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                std::vector<Tensor>& outputs) override {
    const ProductTrials::Scope products(tuning_->products);
    std::vector<int64_t> sizes = rounded(symbols);
    if (last_ == nullptr || last_->sizes != sizes) last_ = choice_for(std::move(sizes), symbols);
    if (last_ != nullptr) return last_->code->run(inputs, symbols, outputs);
    return try_all(inputs, symbols, outputs);
  }
  const Schedule& schedule() const override { return schedule_; }
  CompileTimes times() const override { return times_; }
  void set_times(CompileTimes times) { times_ = times; }

 private:
  /// What runs for some sizes.
  struct Choice {
    std::vector<int64_t> sizes = {};
    std::unique_ptr<CompiledSchedule> code = {};
    std::vector<LaunchShape> shapes = {};
    std::vector<Tuning> kernels = {};
  };

  std::vector<int64_t> rounded(std::span<const int64_t> symbols) const {
    std::vector<int64_t> sizes;
    for (const uint32_t symbol : all_sizes_) sizes.push_back(rounded_size(symbols[symbol]));
    return sizes;
  }

  std::string key_of(size_t kernel, std::span<const int64_t> symbols) const {
    return fmt::format("{}\n{}\n{}", tuned_device(), sizes_text(sizes_[kernel], symbols),
                       texts_[kernel]);
  }

  /// The choice for such sizes, if all of it is known; else nothing.
  Choice* choice_for(std::vector<int64_t> sizes, std::span<const int64_t> symbols) {
    for (const auto& each : choices_)
      if (each->sizes == sizes) return take(each.get());
    auto choice = std::make_unique<Choice>();
    choice->sizes = std::move(sizes);
    for (size_t i = 0; i < schedule_.kernels.size(); ++i) {
      auto found = find_tuning(key_of(i, symbols));
      if (!found && attempts_ < kMostAttempts) return nullptr;
      if (!found)
        found = Tuning{.what = schedule_.kernels[i].name, .rows = {{print(LaunchShape())}}};
      choice->shapes.push_back(parse_shape(found->rows[found->best()].way).value_or(LaunchShape()));
      choice->kernels.push_back(std::move(*found));
    }
    auto code = make_(choice->shapes);
    if (!code) fail_on_device(code.error());
    choice->code = std::move(*code);
    if (choices_.size() == kMostChoices) choices_.erase(choices_.begin());
    choices_.push_back(std::move(choice));
    return take(choices_.back().get());
  }

  Choice* take(Choice* choice) {
    tuning_->shapes = choice->shapes;
    tuning_->kernels = choice->kernels;
    return choice;
  }

  RunStatus try_all(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                    std::vector<Tensor>& outputs) {
    std::vector<Trials::Candidates> all;
    for (size_t i = 0; i < schedule_.kernels.size(); ++i) {
      const bool is_known = find_tuning(key_of(i, symbols)).has_value();
      all.push_back(
          {i, is_known ? std::vector<LaunchShape>(1) : candidate_shapes(schedule_.kernels[i])});
    }
    ++attempts_;
    auto made = Trials::make(schedule_, std::move(all));
    if (!made) fail_on_device(made.error());
    const Trials& trials = **made;
    ScheduleRunner runner(schedule_, trials.runnable(schedule_), nullptr, Device::cuda());
    const RunStatus failed = runner.run(inputs, symbols, outputs);
    if (failed) return failed;
    for (size_t i = 0; i < schedule_.kernels.size(); ++i) keep(trials, i, symbols);
    // What a trial could not do for one size may work for another.
    if (choice_for(rounded(symbols), symbols) != nullptr) attempts_ = 0;
    return std::nullopt;
  }

  void keep(const Trials& trials, size_t kernel, std::span<const int64_t> symbols) {
    const std::string key = key_of(kernel, symbols);
    if (find_tuning(key)) return;
    auto tuning = trials.found(kernel);
    if (!tuning) return;
    tuning->sizes = sizes_text(sizes_[kernel], symbols);
    keep_tuning(key, *tuning);
  }

  Schedule schedule_;
  std::shared_ptr<ScheduleTuning> tuning_;
  MakeSchedule make_;
  std::vector<std::set<uint32_t>> sizes_;  ///< by kernel: the symbols of its size
  std::set<uint32_t> all_sizes_;
  std::vector<std::string> texts_;  ///< by kernel
  std::vector<std::unique_ptr<Choice>> choices_;
  Choice* last_ = nullptr;
  int attempts_ = 0;
  CompileTimes times_;
};

}  // namespace

std::unique_ptr<CompiledSchedule> tuned_schedule(const Schedule& schedule,
                                                 std::shared_ptr<ScheduleTuning> tuning,
                                                 MakeSchedule make) {
  return std::make_unique<TunedSchedule>(schedule, std::move(tuning), std::move(make));
}

}  // namespace glint::cuda
