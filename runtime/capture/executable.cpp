#include "runtime/capture/executable.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "backends/cpu/cpu_backend.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/device/eager_launches.h"
#include "backends/cuda/kernels/convolution_kernel.h"
#include "backends/cuda/listing/listing.h"
#include "backends/interp/interp_backend.h"
#include "backends/schedule_runner.h"
#include "core/support/check.h"
#include "core/support/fail_stage.h"
#include "core/support/interruption.h"
#include "core/support/milliseconds.h"
#include "core/support/profile.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/convolution_call.h"
#include "ops/device_calls.h"
#include "passes/listings.h"
#include "passes/operators.h"
#include "passes/pipeline.h"
#include "passes/render.h"
#include "runtime/capture/listings.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {
namespace {

/// What a run of a graph has so far.
struct Known {
  const std::vector<std::vector<Tensor>>& values;  ///< by node
  const std::vector<double>& numbers;              ///< by parameter; of those that are numbers
  std::span<const int64_t> symbols;
};

Tensor constant_of(const Node& node) {
  std::vector<int64_t> sizes;
  for (SymInt size : node.outputs[0].sizes) sizes.push_back(size.constant());
  Tensor tensor = Tensor::empty(IntSpan(sizes.data(), sizes.size()), node.outputs[0].dtype);
  std::copy(node.data.begin(), node.data.end(), tensor.raw_data());
  return tensor;
}

ops::Argument argument_of(const Argument& given, const Known& known) {
  if (const Value* value = given.get_if<Value>()) {
    const std::vector<Tensor>& outputs = known.values[index(value->node)];
    if (outputs.empty()) return known.numbers[index(value->node)];
    return outputs[value->output];
  }
  if (const SymInt* size = given.get_if<SymInt>()) return SymInt(size->evaluate(known.symbols));
  if (given.is_list()) {
    BasicArgumentList<Tensor> list;
    for (const Argument& item : given.list()) list.push_back(argument_of(item, known));
    return list;
  }
  ops::Argument out;
  std::visit(
      [&](const auto& each) {
        using T = std::decay_t<decltype(each)>;
        if constexpr (!std::is_same_v<T, Value> && !std::is_same_v<T, BasicArgumentList<Value>>) {
          out.value = each;
        }
      },
      given.value);
  return out;
}

/// Runs a graph node by node.
class EagerExecutable final : public Executable {
 public:
  EagerExecutable(std::shared_ptr<const Graph> graph, Device device)
      : graph_(std::move(graph)), device_(device) {}

  RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                std::vector<Tensor>& outputs) override {
    outputs = run_nodes(*graph_, device_, inputs, symbols,
                        [](const Node&, const ops::OpEntry& entry, ops::Arguments arguments) {
                          return ops::call_eager(entry, arguments).to_vector();
                        });
    return std::nullopt;
  }

 private:
  std::shared_ptr<const Graph> graph_;
  Device device_;
};

/// Runs a compiled schedule.
class ScheduleExecutable final : public Executable {
 public:
  explicit ScheduleExecutable(std::shared_ptr<CompiledSchedule> schedule)
      : schedule_(std::move(schedule)) {}

  RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                std::vector<Tensor>& outputs) override {
    const cuda::RegionLaunches of_region;
    return schedule_->run(inputs, symbols, outputs);
  }
  std::vector<StageLine> lines(Stage stage) const override { return schedule_->lines(stage); }

 private:
  std::shared_ptr<CompiledSchedule> schedule_;
};

/// Adds artifacts of one compile.
class Logger {
 public:
  Logger(const CaptureContext& context, Artifact about)
      : context_(context), about_(std::move(about)) {}

  void add(Stage stage, std::function<std::vector<StageLine>()> lines,
           double milliseconds = 0.0) const {
    if (!context_.log) return;
    Artifact artifact = about_;
    artifact.stage = stage;
    artifact.lines = std::move(lines);
    artifact.milliseconds = milliseconds;
    context_.log->add(std::move(artifact));
  }

 private:
  const CaptureContext& context_;
  Artifact about_;
};

}  // namespace

Device device_of(std::span<const RunInput> inputs) {
  for (const RunInput& input : inputs)
    if (input.tensor && !input.tensor->device.is_cpu()) return input.tensor->device;
  return Device::cpu();
}

std::vector<Tensor> run_nodes(const Graph& graph, Device device, std::span<const RunInput> inputs,
                              std::span<const int64_t> symbols, const RunOperator& run) {
  std::vector<std::vector<Tensor>> values(graph.nodes.size());
  std::vector<double> numbers(inputs.size());
  const DefaultDeviceScope scope(device);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.kind == NodeKind::kParameter && node.outputs[0].scalar) {
      numbers[i] = *static_cast<const double*>(inputs[i].number);
    } else if (node.kind == NodeKind::kParameter) {
      values[i] = {Tensor(Ref<TensorImpl>(inputs[i].tensor))};
    } else if (node.kind == NodeKind::kConstant) {
      values[i] = {to_device(constant_of(node), device)};
    } else {
      const ops::OpEntry* entry = ops::find_op(node.target.text());
      check(entry != nullptr, "a graph calls an operator that is not in the table");
      ops::BoundArguments bound;
      for (const Argument& given : passes::bound_arguments(node))
        bound.push_back(argument_of(given, {values, numbers, symbols}));
      values[i] = run(node, *entry, bound);
    }
  }
  std::vector<Tensor> outputs;
  for (const Value& output : graph.outputs)
    outputs.push_back(values[index(output.node)][output.output]);
  return outputs;
}

void write_update(const Tensor& target, const Tensor& value) {
  if (value.is_same(target))
    target.bump_version();
  else
    copy(target, value);
}

std::unique_ptr<Executable> eager_executable(std::shared_ptr<const Graph> graph, Device device) {
  return std::make_unique<EagerExecutable>(std::move(graph), device);
}

RunStatus run_executable(Executable& executable, std::span<const RunInput> inputs,
                         std::span<const int64_t> symbols, std::vector<Tensor>& outputs) {
  try {
    return executable.run(inputs, symbols, outputs);
  } catch (const std::bad_alloc&) {
    outputs.clear();
    return "not enough memory";
  } catch (const ops::OpError& error) {
    outputs.clear();
    // A device that failed is no matter of arguments: what runs again may find it well.
    const bool device_failed =
        std::string_view(error.exception) == "AcceleratorError" && !ops::failed_device_check(error);
    if (device_failed) {
      runtime::raise_op_error(runtime::Interpreter::current(), error);
      return "the device failed";
    }
    return "an operator refused its arguments";  // so will eager execution, with a traceback
  } catch (const InternalError&) {
    outputs.clear();
    return "an operator failed";
  } catch (const KernelCrash& crash) {
    outputs.clear();
    runtime::Interpreter::current().raise("RuntimeError", crash.what());
    return "a kernel crashed";
  } catch (const interruption::Interrupted& interrupted) {
    outputs.clear();
    runtime::Interpreter::current().raise_interrupt();
    return "interrupted";
  }
}

std::span<const BackendInfo> backend_table() {
  static constexpr BackendInfo kTable[] = {
      {"cpu", "machine code, by LLVM", cpu_backend, true},
      {"interp", "Kernel IR, one statement at a time", interp_backend},
      {"cuda", "CUDA C++, on the GPU or the simulated one: for tensors that are there",
       cuda_backend},
      {"aot_eager", "the decomposed graph, node by node"},
      {"eager", "the captured graph, node by node"},
  };
  return kTable;
}

namespace {

const BackendInfo* find_backend(std::string_view name) {
  auto found = std::ranges::find(backend_table(), name, &BackendInfo::name);
  return found == backend_table().end() ? nullptr : &*found;
}

void append(std::vector<StageLine>& lines, std::vector<StageLine> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

/// The buffers, and what is kept for the backward: behind the cut, or in the same schedule.
std::vector<StageLine> memory_listing(const Schedule& schedule, const passes::PassLog& log,
                                      const JointCut* joint) {
  std::vector<StageLine> lines = passes::memory_lines(schedule);
  if (!joint) {
    append(lines, passes::kept_lines(*log.fused_graph, schedule));
    return lines;
  }
  lines.push_back({"saved for the backward, of the joint graph (`:graph --joint`):", {}});
  for (StageLine& line : passes::partition_lines(joint->graph, joint->cut))
    lines.push_back({"  " + line.text, std::move(line.origins)});
  return lines;
}

bool is_convolution(const Node& node) {
  return ops::convolution_pass(node.target.text()).has_value();
}

/// Whether a call is a convolution that cuDNN does, or a kernel of ours: others are products.
bool is_convolved_in_one_step(const Node& node) {
  const auto pass = ops::convolution_pass(node.target.text());
  if (!pass) return false;
  const auto groups = passes::bound_arguments(node)[ops::groups_place(*pass)];
  return cuda::usable_cudnn() != nullptr ||
         cuda::prefers_kernel(node.outputs[0].dtype, groups.get_if<SymInt>()->constant());
}

/// The graph through all passes, which go to the log.
Result<std::shared_ptr<const Schedule>> make_schedule(
    const Graph& graph, const std::string& failing, const Logger& logger, CompileTrail& trail,
    GraphContext known, std::shared_ptr<cuda::ScheduleTuning> tuning) {
  auto log = std::make_shared<passes::PassLog>();
  auto start = std::chrono::steady_clock::now();
  std::shared_ptr<const Schedule> schedule;
  std::vector<passes::Update> updates;
  for (const InputUpdate& each : known.updates) updates.push_back({each.output, each.input});
  passes::PipelineOptions options = {.fail_stage = failing,
                                     .on_device = !known.device.is_cpu(),
                                     .interruptible = true,
                                     .updates = updates};
  options.stays_whole = known.device.is_cpu() ? is_convolution : is_convolved_in_one_step;
  try {
    schedule = std::make_shared<const Schedule>(passes::run_pipeline(graph, options, *log));
  } catch (const InternalError& error) {
    return Error{std::string("passes: ") + error.what()};
  } catch (const ops::OpError& error) {
    return Error{"passes: " + error.message};
  } catch (const interruption::Interrupted& error) {
    return Error{std::string("passes: ") + error.what()};
  }
  if (failing == fail_stage::kVerify)
    return Error{"the result is not sound: " + fail_stage::message(fail_stage::kVerify)};
  double passes_time = milliseconds_since(start);
  trail.passes = log;
  trail.times.push_back({"passes", passes_time});
  for (const passes::PassRecord& pass : log->passes)
    trail.times.push_back({std::string(pass.name), pass.milliseconds, true});
  logger.add(Stage::kPasses, passes::PassListing{log}, passes_time);
  logger.add(Stage::kFusion, [log] { return passes::fusion_lines(*log); });
  logger.add(Stage::kKernels, KernelListing{schedule, known.device.is_cpu(), tuning});
  logger.add(Stage::kMemory, [schedule, log, joint = std::move(known.joint)] {
    return memory_listing(*schedule, *log, joint.get());
  });
  return schedule;
}

/// The schedule's kernels by the backend; their machine code goes to the log.
Result<std::unique_ptr<Executable>> compile_schedule(const Schedule& schedule,
                                                     const BackendInfo& info,
                                                     const CaptureContext& context,
                                                     BackendOptions options, const Logger& logger,
                                                     CompileTrail& trail) {
  profile::Scope scope;
  if (profile::recording()) scope.begin("compile", std::string(info.name));
  auto start = std::chrono::steady_clock::now();
  const std::string& failing = context.fail_stage;
  if (failing == info.name) return Error{fail_stage::message(info.name)};
  options.fail_stage = failing;
  options.reuses_code = context.reuses_code;
  auto compiled = info.backend().compile(schedule, options);
  if (!compiled) return compiled.error();
  std::shared_ptr<CompiledSchedule> code = std::move(*compiled);
  CompileTimes times = code->times();
  trail.times.push_back({std::string(info.name), milliseconds_since(start)});
  if (info.makes_machine_code) {
    trail.times.push_back({"emit", times.emit, true});
    trail.times.push_back({"llvm", times.code, true});
    trail.times.push_back({"link", times.link, true});
    logger.add(
        Stage::kLlvm, [code] { return code->lines(Stage::kLlvm); }, milliseconds_since(start));
    logger.add(Stage::kAssembly, [code] { return code->lines(Stage::kAssembly); });
  }
  const auto tuning = options.tuning;
  // A GPU shares long reductions otherwise than the processor's threads do.
  const auto log = trail.passes;
  const auto on_gpu = [code, log]() -> const Schedule& {
    return log && log->on_gpu ? *log->on_gpu : code->schedule();
  };
  logger.add(Stage::kCuda, [=] { return cuda::cuda_lines(on_gpu(), tuning.get()); });
  logger.add(Stage::kPtx, [=] { return cuda::ptx_lines(on_gpu(), tuning.get()); });
  logger.add(Stage::kSass, [=] { return cuda::sass_lines(on_gpu(), tuning.get()); });
  logger.add(Stage::kGpu, [=] { return cuda::gpu_lines(on_gpu(), tuning.get()); });
  return std::unique_ptr<Executable>(std::make_unique<ScheduleExecutable>(std::move(code)));
}

}  // namespace

std::optional<std::string> resolve_backend(const std::string& name, const CaptureContext& context) {
  std::string wanted = name == "inductor" ? context.default_backend : name;
  return find_backend(wanted) ? std::optional(wanted) : std::nullopt;
}

Result<std::unique_ptr<Executable>> compile_graph(std::shared_ptr<const Graph> graph,
                                                  const std::string& backend,
                                                  const CaptureContext& context, Artifact about,
                                                  CompileTrail& trail, GraphContext known) {
  Logger logger(context, std::move(about));
  // What a composite is made of may depend on where it is (`dropout`).
  const DefaultDeviceScope scope(known.device);
  if (backend == "eager") return eager_executable(graph, known.device);
  if (backend == "aot_eager") {
    passes::PassLog log;
    std::vector<std::string> names = {"decompose"};
    auto state = passes::run_passes(*graph, names, log);
    if (!state) return state.error();
    return eager_executable(std::make_shared<Graph>(std::move(state->graph)), known.device);
  }
  // The tensors decide where a region runs.
  const bool near = known.device.is_cpu();
  const BackendInfo* info = find_backend(!near ? "cuda" : backend == "cuda" ? "cpu" : backend);
  check(info && info->backend, "a backend without kernels is none of those above");
  BackendOptions options{.records_launches = known.records_launches};
  if (known.tunes_kernels && !near) options.tuning = std::make_shared<cuda::ScheduleTuning>();
  auto schedule =
      make_schedule(*graph, context.fail_stage, logger, trail, std::move(known), options.tuning);
  if (!schedule) return schedule.error();
  return compile_schedule(**schedule, *info, context, std::move(options), logger, trail);
}

}  // namespace glint::capture
