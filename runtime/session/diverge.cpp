#include "runtime/session/diverge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "backends/cpu/cpu_backend.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/interp/interp_backend.h"
#include "core/support/check.h"
#include "core/support/interruption.h"
#include "core/support/temporarily.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/allocator.h"
#include "core/tensor/copy.h"
#include "core/tensor/print.h"
#include "ops/op.h"
#include "runtime/capture/executable.h"
#include "runtime/session/kept_inputs.h"

namespace glint {
namespace {

using capture::KeptRun;
using Kind = StageVerdict::Kind;

Result<std::vector<Tensor>> run_graph(const KeptRun& run, std::shared_ptr<const Graph> graph) {
  std::vector<Tensor> outputs;
  KeptInputs given(run.on);
  RunStatus fault = capture::eager_executable(std::move(graph), run.device)
                        ->run(given.inputs, run.on.symbols, outputs);
  if (fault) return Error{std::string(*fault)};
  given.write(outputs);
  return outputs;
}

Result<std::vector<Tensor>> run_schedule(const KeptRun& run, const Schedule& schedule,
                                         const Backend& backend, KeptInputs::Place place) {
  auto compiled = backend.compile(schedule, {});
  if (!compiled) return compiled.error();
  std::vector<Tensor> outputs;
  KeptInputs given(run.on, place);
  RunStatus fault = (*compiled)->run(given.inputs, run.on.symbols, outputs);
  if (fault) return Error{std::string(*fault)};
  given.write(outputs);
  return outputs;
}

/// What the script's own backend made of the region.
Result<std::vector<Tensor>> run_own_backend(const KeptRun& run, runtime::Interpreter& interpreter) {
  std::vector<Tensor> outputs;
  KeptInputs given(run.on);
  RunStatus fault =
      capture::run_executable(*run.own_backend, given.inputs, run.on.symbols, outputs);
  if (interpreter.raised()) {
    if (interpreter.pending_is("KeyboardInterrupt")) interruption::request();
    auto raised = interpreter.take_pending();
    return Error{interpreter.format_exception(*raised)};
  }
  if (fault) return Error{std::string(*fault)};
  given.write(outputs);
  return outputs;
}

/// What of a tensor lies in memory: without the repetitions of `expand`.
Tensor stored_part(const Tensor& tensor) {
  std::vector<int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (tensor.strides()[dim] == 0) sizes[dim] = std::min<int64_t>(sizes[dim], 1);
  return Tensor::view_of(tensor, sizes, tensor.strides(), tensor->offset);
}

/// The script's own code. What it writes into the region's inputs is taken back, so that the other
/// stages find them as they were.
Result<std::vector<Tensor>> run_script(const KeptRun& run, runtime::Interpreter& interpreter) {
  std::vector<Tensor> before;
  std::vector<uint32_t> versions;
  for (const Tensor& input : run.on.inputs) {
    before.push_back(clone(stored_part(input)));
    versions.push_back(input.version());
  }
  for (const auto& each : run.on.written) copy(run.on.inputs[each.input], each.before);
  auto outputs = capture::run_stretch(interpreter, *run.script);
  if (outputs)
    for (Tensor& output : *outputs)
      if (output.defined()) output = clone(output);
  for (size_t i = 0; i < before.size(); ++i)
    if (run.on.inputs[i].version() != versions[i]) copy(stored_part(run.on.inputs[i]), before[i]);
  for (const auto& each : run.on.written)
    copy(stored_part(run.on.inputs[each.input]), before[each.input]);
  return outputs;
}

std::string place_of(int64_t element, IntSpan sizes) {
  std::string text;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    text = fmt::format("{}{}{}", element % sizes[dim], text.empty() ? "" : ", ", text);
    element /= sizes[dim];
  }
  return "[" + text + "]";
}

std::string shape_of(const Tensor& tensor) {
  std::string text;
  for (int64_t size : tensor.sizes()) text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
  return fmt::format("{}[{}]", dtype_name(tensor.dtype()), text);
}

/// Compares one output; updates the verdict where it differs more than what was seen before. Both
/// are the processor's.
void compare_output(size_t number, const Tensor& expected, const Tensor& found,
                    const ops::Tolerance& tolerance, StageVerdict& verdict) {
  if (expected.dtype() != found.dtype() || !std::ranges::equal(expected.sizes(), found.sizes())) {
    verdict.kind = Kind::kDiffers;
    verdict.largest = INFINITY;
    verdict.detail =
        fmt::format("output {} is {}, was {}", number, shape_of(found), shape_of(expected));
    return;
  }
  Tensor wanted = contiguous(convert(expected, DType::kFloat64));
  Tensor given = contiguous(convert(found, DType::kFloat64));
  for (int64_t i = 0; i < wanted.numel(); ++i) {
    double a = wanted.data<double>()[i], b = given.data<double>()[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    double difference = std::abs(a - b);
    if (std::isnan(difference)) difference = INFINITY;
    bool differs = !(difference <= tolerance.absolute + tolerance.relative * std::abs(a));
    bool first = differs && verdict.kind != Kind::kDiffers;
    if (difference <= verdict.largest && !first) continue;
    verdict.largest = std::max(verdict.largest, difference);
    if (!differs) continue;
    verdict.kind = Kind::kDiffers;
    verdict.detail =
        fmt::format("output {} {} is {}, was {}", number, place_of(i, expected.sizes()), b, a);
  }
}

/// The widest rounding of a dtype that is narrower than float32.
double coarseness(const std::vector<Tensor>& outputs) {
  double widest = 0.0;
  for (const Tensor& output : outputs) {
    if (!output.defined()) continue;
    if (output.dtype() == DType::kBFloat16) widest = std::max(widest, 1.6e-2);
    if (output.dtype() == DType::kFloat16) widest = std::max(widest, 1e-3);
  }
  return widest;
}

/// Holds a stage's outputs against the first ones that were seen of each.
void compare_outputs(const std::vector<Tensor>& outputs, const ops::Tolerance& tolerance,
                     std::vector<Tensor>& expected, StageVerdict& verdict) {
  ops::Tolerance allowed = tolerance;
  allowed.relative = std::max(allowed.relative, coarseness(outputs));
  bool reference = false, compared = false;
  expected.resize(std::max(expected.size(), outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].defined()) continue;
    const Tensor output = on_processor(outputs[i]);
    if (expected[i].defined()) {
      compared = true;
      compare_output(i, expected[i], output, allowed, verdict);
    } else {
      expected[i] = clone(output);
      reference = true;
    }
  }
  if (reference && !compared) verdict.kind = Kind::kReference;
}

/// Runs a stage and gives its verdict, or why it failed.
std::optional<Error> run_stage(const DivergeStage& stage, const ops::Tolerance& tolerance,
                               std::vector<Tensor>& expected, StageVerdict& verdict) {
  try {
    Result<std::vector<Tensor>> outputs = stage.run();
    if (!outputs) return outputs.error();
    if (std::ranges::none_of(*outputs, &Tensor::defined)) {
      verdict.detail =
          outputs->empty() ? "the script goes another way" : "the script holds none of its outputs";
      return std::nullopt;
    }
    verdict.kind = Kind::kAgrees;
    compare_outputs(*outputs, tolerance, expected, verdict);
    return std::nullopt;
  } catch (const InternalError& error) {
    return Error{error.what()};
  } catch (const ops::OpError& error) {
    return Error{error.message};
  } catch (const TensorMemoryError& error) {
    return Error{error.what()};
  }
}

std::string_view word_of(Kind kind) {
  switch (kind) {
    case Kind::kReference:
      return "reference";
    case Kind::kAgrees:
      return "agrees";
    case Kind::kDiffers:
      return "differs";
    case Kind::kFailed:
      return "failed";
    case Kind::kNotRun:
      return "not run";
  }
  return "";
}

/// Why the processor cannot run what was made for a GPU: other numbers would be drawn, or a tensor
/// made there. Empty where it can.
std::string obstacle_of(const Schedule& schedule) {
  for (const Step& step : schedule.steps) {
    const auto* call = std::get_if<LibraryCall>(&step.kind);
    if (call == nullptr) continue;
    if (ops::find_op(call->target.text())->effects.random)
      return fmt::format("`{}` draws on the GPU", call->target.text());
    for (const ScheduleNamedArgument& each : call->arguments)
      if (each.value.get_if<Device>() != nullptr)
        return fmt::format("`{}` makes a tensor on the GPU", call->target.text());
  }
  return "";
}

/// The schedule by the reference backend, which is the processor's.
DivergeStage reference_stage(const KeptRun& run, std::string_view name,
                             std::shared_ptr<const Schedule> schedule) {
  std::string obstacle = run.device.is_cpu() ? "" : obstacle_of(*schedule);
  return {std::string(name),
          [&run, schedule = std::move(schedule)] {
            return run_schedule(run, *schedule, interp_backend(), KeptInputs::Place::kProcessor);
          },
          std::move(obstacle)};
}

/// What each pass that changed something left, and the schedule by the backends.
void add_pass_stages(const KeptRun& run, std::vector<DivergeStage>& stages) {
  std::shared_ptr<const Schedule> last;
  for (const passes::PassRecord& pass : run.passes->passes) {
    if (pass.schedule) last = pass.schedule;
    if (!pass.changed || (!pass.graph && !pass.schedule)) continue;
    if (pass.graph)
      stages.push_back(
          {std::string(pass.name), [&run, &pass] { return run_graph(run, pass.graph); }});
    else
      stages.push_back(reference_stage(run, pass.name, pass.schedule));
  }
  if (!last) return;
  stages.push_back(reference_stage(run, interp_backend().name(), last));
  const Backend& own = run.device.is_cpu() ? cpu_backend() : cuda_backend();
  stages.push_back({std::string(own.name()), [&run, &own, last = std::move(last)] {
                      return run_schedule(run, *last, own, KeptInputs::Place::kWhereItRan);
                    }});
}

}  // namespace

ops::Tolerance tolerance_of(const Graph& graph) {
  ops::Tolerance widest;
  for (const Node& node : graph.nodes) {
    const ops::OpEntry* entry =
        node.kind == NodeKind::kCall ? ops::find_op(node.target.text()) : nullptr;
    if (!entry) continue;
    widest.relative = std::max(widest.relative, entry->tolerance.relative);
    widest.absolute = std::max(widest.absolute, entry->tolerance.absolute);
  }
  return widest;
}

std::vector<DivergeStage> stages_of(const KeptRun& run, runtime::Interpreter& interpreter) {
  std::vector<DivergeStage> stages;
  if (run.script)
    stages.push_back({"eager", [&run, &interpreter] { return run_script(run, interpreter); },
                      run.script->obstacle});
  stages.push_back({"graph", [&run] { return run_graph(run, run.graph); }});
  if (run.own_backend)
    stages.push_back(
        {"own backend", [&run, &interpreter] { return run_own_backend(run, interpreter); }});
  if (run.passes) add_pass_stages(run, stages);
  return stages;
}

std::vector<StageVerdict> compare_stages(const std::vector<DivergeStage>& stages,
                                         const ops::Tolerance& tolerance,
                                         const Generator& generator) {
  const Temporarily same_draws(default_generator());
  std::vector<Tensor> expected;
  std::vector<StageVerdict> verdicts;
  for (const DivergeStage& stage : stages) {
    interruption::check();
    StageVerdict verdict{.name = stage.name, .kind = Kind::kNotRun, .detail = stage.obstacle};
    if (stage.obstacle.empty()) {
      default_generator() = generator;
      if (std::optional<Error> failure = run_stage(stage, tolerance, expected, verdict)) {
        verdict.kind = Kind::kFailed;
        verdict.detail = failure->message;
      }
    }
    verdicts.push_back(std::move(verdict));
  }
  interruption::check();
  return verdicts;
}

std::string divergence_text(const std::string& region, const std::vector<StageVerdict>& verdicts) {
  std::string text;
  const StageVerdict* culprit = nullptr;
  for (const StageVerdict& verdict : verdicts) {
    text += fmt::format("  {:<24}{:<11}", verdict.name, word_of(verdict.kind));
    bool compared = verdict.kind == Kind::kAgrees || verdict.kind == Kind::kDiffers;
    if (compared) text += fmt::format("largest difference {:<10.3g}", verdict.largest);
    text += verdict.detail.empty() ? "" : "  " + verdict.detail;
    text.erase(text.find_last_not_of(" \n") + 1);
    text += "\n";
    bool bad = verdict.kind == Kind::kDiffers || verdict.kind == Kind::kFailed;
    if (bad && !culprit) culprit = &verdict;
  }
  bool all_ran = std::ranges::none_of(
      verdicts, [](const StageVerdict& verdict) { return verdict.kind == Kind::kNotRun; });
  if (!culprit)
    return text + fmt::format("{} stages of `{}`{} agree\n", all_ran ? "all" : "the", region,
                              all_ran ? "" : " that were run");
  return text + fmt::format("`{}` is the first stage of `{}` that {}: {}\n", culprit->name, region,
                            word_of(culprit->kind), culprit->detail);
}

}  // namespace glint
