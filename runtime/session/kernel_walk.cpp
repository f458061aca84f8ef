// A kernel, statement by statement, as the reference interpreter runs it: `:step --kernels f`.
//
//     3  a = load %x[i, j]     0.5     i = 0, j = 2
//     4  acc += a              1.25    i = 0, j = 2
//
// The region runs again as a whole on the inputs of its last run; only what its kernels do at one
// index of the outermost loop is written down.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "backends/cuda/listing/warp_walk.h"
#include "backends/interp/interp_backend.h"
#include "core/support/check.h"
#include "core/support/temporarily.h"
#include "core/tensor/allocator.h"
#include "ir/kernel_text.h"
#include "runtime/session/kept_inputs.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

constexpr size_t kMostSteps = 500;

/// A kernel's statements as its text has them, with how they stand in loops.
struct KernelText {
  std::vector<std::string> lines;                    ///< by statement, without where it is from
  size_t width = 0;                                  ///< of the longest line
  std::vector<std::pair<uint32_t, uint32_t>> loops;  ///< by statement: begin and end
  std::vector<std::string> indices;                  ///< the names of those loops' indices
};

KernelText text_of(const Kernel& kernel) {
  KernelText text;
  text.lines = statement_lines(kernel);
  for (const std::string& line : text.lines) text.width = std::max(text.width, line.size());
  for (uint32_t i = 0; i < kernel.statements.size(); ++i) {
    const auto* loop = kernel.statements[i].get_if<Loop>();
    if (!loop) continue;
    text.loops.emplace_back(i, static_cast<uint32_t>(index(loop->end)));
    text.indices.push_back(kernel.statements[i].name);
  }
  return text;
}

/// Writes down what the kernels do: of each the first launch, at one index of its outermost loop.
class Recorder final : public StatementWatch {
 public:
  Recorder(std::string_view kernel, int64_t at) : wanted_(kernel), at_(at) {}

  /// A region is run next: its kernels may stand where those of the one before stood.
  void begin_region() { seen_.clear(); }

  void before(const Kernel& kernel, const KernelInterpreter& run) override {
    const bool wanted = wanted_.empty() || kernel.name.starts_with(wanted_);
    if (wanted && run.steps() == 0 && seen_.try_emplace(&kernel, &run).second) begin(kernel);
    recording_ = walk_ && wanted && seen_[&kernel] == &run && is_at(kernel, run);
    if (recording_) place_ = place(run);
  }

  void after(const Kernel& kernel, const KernelInterpreter& run, uint32_t statement) override {
    if (recording_) note(kernel, run, statement);
    if (run.done() && seen_.contains(&kernel)) seen_[&kernel] = nullptr;
  }

  std::vector<Walk> walks;

 private:
  void begin(const Kernel& kernel) {
    text_ = text_of(kernel);
    walks.push_back({.title = fmt::format("kernel {}", kernel.name)});
    walk_ = &walks.back();
    if (kernel.whole_loop())
      walk_->title += fmt::format(", {} = {}", text_.indices.front(), at_);
    else if (at_ != 0)
      walk_->end =
          "all of it: no loop is around the whole kernel, of which one index could be shown";
  }

  /// Statements outside of a loop that is the whole kernel belong to every index.
  bool is_at(const Kernel& kernel, const KernelInterpreter& run) const {
    if (!kernel.whole_loop() || run.statement() == 0) return true;
    return run.loop_index(0) == at_;
  }

  std::string place(const KernelInterpreter& run) const {
    std::string text;
    for (size_t i = 0; i < text_.loops.size(); ++i) {
      const auto [first, end] = text_.loops[i];
      if (first < run.statement() && run.statement() < end)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", text_.indices[i],
                            run.loop_index(first));
    }
    return text;
  }

  void note(const Kernel& kernel, const KernelInterpreter& run, uint32_t statement) {
    if (walk_->steps.size() == kMostSteps) {
      walk_->end = fmt::format("... behind {} statements", kMostSteps);
      return;
    }
    std::string line = fmt::format("{:<{}}   {:<14}   {}", text_.lines[statement], text_.width,
                                   value_of(kernel, run, statement), place_);
    line.erase(line.find_last_not_of(' ') + 1);
    walk_->steps.push_back({std::move(line)});
  }

  /// What a statement computes, stores or combines into; of a loop nothing, its index is the place.
  static std::string value_of(const Kernel& kernel, const KernelInterpreter& run,
                              uint32_t statement) {
    const Statement& at = kernel.statements[statement];
    if (at.get_if<Loop>()) return "";
    if (const auto* store = at.get_if<Store>())
      return store->value.is_literal()
                 ? fmt::format("{:.9g}", store->value.number())
                 : run.text(static_cast<uint32_t>(index(store->value.statement())));
    if (const auto* accumulate = at.get_if<Accumulate>())
      return run.text(static_cast<uint32_t>(index(accumulate->reduction)));
    return run.text(statement);
  }

  std::string wanted_;
  int64_t at_;
  std::map<const Kernel*, const KernelInterpreter*> seen_;  ///< the launch that is written down
  Walk* walk_ = nullptr;
  KernelText text_;
  std::string place_;
  bool recording_ = false;
};

std::shared_ptr<const Schedule> schedule_of(const capture::KeptRun& run) {
  if (!run.passes) return nullptr;
  std::shared_ptr<const Schedule> last;
  for (const passes::PassRecord& pass : run.passes->passes)
    if (pass.schedule) last = pass.schedule;
  return last;
}

/// Runs it under the recorder's eyes; what went wrong, if something did.
std::optional<std::string> record(const capture::KeptRun& run, Recorder& recorder) {
  std::shared_ptr<const Schedule> schedule = schedule_of(run);
  if (!schedule) return std::nullopt;
  try {
    KeptInputs given(run.on);
    std::vector<Tensor> outputs;
    auto status = watched_interp(*schedule, recorder)->run(given.inputs, run.on.symbols, outputs);
    return status ? std::optional(std::string(*status)) : std::nullopt;
  } catch (const InternalError& error) {
    return error.what();
  } catch (const ops::OpError& error) {
    return error.message;
  } catch (const TensorMemoryError& error) {
    return error.what();
  }
}

}  // namespace

Result<std::vector<Walk>> Session::kernel_walks(const Whose& whose, int64_t at) {
  // A name that no region has may be a kernel's of the function that ran last.
  auto runs = parts_->runs_of(whose);
  const std::string& name = whose.name;
  const bool of_function = runs || name.empty();
  if (!runs && !name.empty()) runs = parts_->runs_of({});
  if (!runs && (name.empty() || whose.definition.known())) return runs.error();
  Recorder recorder(of_function ? "" : name, at);
  const Temporarily same_draws(default_generator());
  std::optional<std::string> fault;
  bool all_on_cpu = true;
  for (const capture::KeptRun& run : runs ? *runs : std::vector<capture::KeptRun>()) {
    all_on_cpu = all_on_cpu && run.device.is_cpu();
    if (!run.device.is_cpu()) continue;
    default_generator() = run.on.generator;
    recorder.begin_region();
    if (!fault) fault = record(run, recorder);
  }
  if (!all_on_cpu && of_function)
    return Error{fmt::format("its tensors are on a GPU; {}", cuda::where_warps_are_walked())};
  for (Walk& walk : recorder.walks)
    if (walk.steps.size() == 1 && at != 0 && walk.end.empty())
      walk.end = fmt::format("its outermost loop does not come to {}", at);
  if (fault && !recorder.walks.empty()) recorder.walks.back().end = *fault;
  if (!recorder.walks.empty()) return std::move(recorder.walks);
  if (of_function) return Error{"no kernel: library calls do all of it, or the backend makes none"};
  return Error{fmt::format("no function and no kernel{} that ran last is called `{}`",
                           all_on_cpu ? "" : " of the processor", name)};
}

}  // namespace glint
