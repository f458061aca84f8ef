// Making a region: trace from an entry, describe what is alive where the trace stopped, compile the
// graph, run it for this first call, and say in the stage log what came of it.
//
//     f(x) at pc 0  ->  Trace  ->  graph, guards, recipes  ->  Executable  ->  Region, kept
//
// 1. The interpreter runs under the trace until it returns or something stops it.
// 2. What lives across the end is written down as recipes; symbolic ints become numbers.
// 3. The graph is compiled, by the backend that was asked for, and run: the tensors that were
//    pending get their values, and the script goes on from where the trace stopped.
// 4. A stage that fails costs speed and one warning: the graph then runs node by node.

#include <fmt/format.h>

#include <chrono>

#include "core/support/check.h"
#include "core/support/fail_stage.h"
#include "core/support/milliseconds.h"
#include "core/support/profile.h"
#include "core/tensor/copy.h"
#include "core/tensor/grad_mode.h"
#include "core/tensor/show_memory.h"
#include "ir/liveness.h"
#include "ops/op.h"
#include "passes/listings.h"
#include "runtime/autograd/node.h"
#include "runtime/capture/executable.h"
#include "runtime/capture/runner.h"
#include "runtime/capture/script_repro.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_modules.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// The memory that pending tensors were waiting for, written as often as they were: a tape that
/// goes on from here compares that with what it saved.
void materialise(std::span<const Tensor> pending, std::span<const Tensor> computed) {
  for (size_t i = 0; i < pending.size(); ++i) {
    if (!pending[i].defined()) continue;
    uint32_t version = autograd::version_of(pending[i]);
    bool inference = pending[i]->inference, apart = is_counted_apart(record_of(pending[i].impl()));
    show_memory(pending[i].impl(), computed[i].impl());
    if (apart) pending[i]->writes = make_ref<WriteCounter>();
    pending[i]->inference = inference;
    pending[i]->traced = nullptr;
    if (version != pending[i].version()) set_version(pending[i], version);
  }
  // A base that nothing else holds was never made.
  for (const Tensor& each : pending)
    if (each.defined() && each->base && !each->base->storage) each->base = nullptr;
}

/// The tensors and numbers of the call that is captured.
std::vector<RunInput> first_inputs(const Region& region, const Trace& trace) {
  std::vector<RunInput> inputs;
  for (const Tensor& input : trace.made().inputs) inputs.push_back({&input.impl(), nullptr});
  for (const double& number : region.floats.numbers) inputs.push_back({nullptr, &number});
  return inputs;
}

/// The trace has counted the writes.
void write_traced(const Trace& trace, const InputUpdate& update,
                  const std::vector<Tensor>& outputs) {
  const Tensor& target = trace.made().inputs[update.input];
  uint32_t version = target.version();
  write_update(target, outputs[update.output]);
  set_version(target, version);
}

/// Whether the region is dropped, and the next call captured as if this one had not been: it
/// raises, which others need not. So often, and a function that always raises is not captured
/// without end.
bool is_forgotten(EntryPoint& point, const Region& region, const std::string& obstacle) {
  constexpr uint32_t kMostRaisingCalls = 64;
  const bool is_kept = obstacle.empty() && region.executable;
  if (!region.raises() || is_kept || point.raising_calls == kMostRaisingCalls) return false;
  ++point.raising_calls;
  return true;
}

}  // namespace

bool Runner::may_capture(const CompileRecord& record, const EntryPoint& point,
                         const std::string& function) {
  int64_t limit = configured("recompile_limit", kMostEntries);
  if (point.captures - point.raising_calls >= limit) {
    // Without a tensor operator there was nothing to compile, and nothing is lost.
    auto compiled = [](const auto& region) { return region->executable != nullptr; };
    if (std::ranges::none_of(point.regions, compiled)) return false;
    if (record.options.fullgraph) {
      raise_compile_error("FailOnRecompileLimitHit", "Hard failure due to fullgraph=True");
      return false;
    }
    report_limit(record, *point.regions.back(), function, limit);
    return false;
  }
  if (context_.fail_stage == fail_stage::kCapture) {
    if (record.options.fullgraph) {
      raise_compile_error("InternalTorchDynamoError", fail_stage::message(fail_stage::kCapture));
      return false;
    }
    std::string repro = context_.sources && interpreter_.top_frame()
                            ? "; " + script_repro(*context_.sources, interpreter_.top_frame())
                            : "";
    warn_once(DiagnosticId::kFallbackPass,
              fmt::format("`{}` runs eagerly: {}{}", function,
                          fail_stage::message(fail_stage::kCapture), repro));
    return false;
  }
  return true;
}

Runner::Outcome Runner::capture(CompileRecord& record, EntryPoint& point, Frame*& base,
                                Frame* entry, Value& result) {
  if (!may_capture(record, point, entry->program().qualified_name)) {
    if (interpreter_.raised()) {
      interpreter_.drop_frames(base);
      return Outcome::kRaised;
    }
    point.eager = true;
    return Outcome::kContinues;
  }
  ++point.captures;
  record.calls = 0;
  profile::Scope scope;
  if (profile::recording())
    scope.begin("compile", "compile " + entry->program().qualified_name, {entry->program().span});
  auto start = std::chrono::steady_clock::now();
  const auto loaded_before = interpreter_.loading_time();
  const Generator generator = default_generator();
  const Beginning before = beginning_at(*entry);
  RunEnd end = RunEnd::kStopped;
  std::optional<Trace> attempt;
  auto run_trace = [&](std::optional<Trace::End> latest) {
    profile::Scope tracing_scope;
    if (profile::recording()) tracing_scope.begin("compile", "capture");
    attempt.emplace(interpreter_, *entry, record.options, point.varying, context_.sources,
                    std::move(latest));
    TracerScope tracing(interpreter_, &*attempt);
    end = interpreter_.run_frames(base, result);
    if (end == RunEnd::kStopped) attempt->explain_stop(*interpreter_.top_frame());
  };
  run_trace({});
  if (end == RunEnd::kStopped && !attempt->left()) {
    if (auto latest = attempt->half_done(*interpreter_.top_frame())) {
      go_back(*attempt, *entry, before, generator);
      run_trace(std::move(latest));
    }
  }
  Trace& trace = *attempt;
  // Modules that were used here first: a cost of the process, and not of capture.
  const double imports = (interpreter_.loading_time() - loaded_before).count();
  const double trace_time = milliseconds_since(start) - imports;
  bool settled = (end != RunEnd::kRaised && !trace.left()) || settle(trace);
  if (end == RunEnd::kRaised) {
    Frame* anew = settled || entry != base ? nullptr : begin_again(before, generator);
    if (anew) base = anew;
    return anew ? Outcome::kGoesOnEagerly : Outcome::kRaised;
  }
  if (end == RunEnd::kReturned) return Outcome::kReturned;
  // An exception went through the region's frame to a handler further out, and the script goes on
  // there.
  if (trace.left()) return Outcome::kContinues;
  std::string obstacle;
  bool check_failed = false;
  std::unique_ptr<Region> region =
      make_region(record, point, trace, entry, before.frame.pc, obstacle, check_failed);
  region->trail.times.insert(region->trail.times.begin(), {"capture", trace_time});
  if (imports > 0) region->trail.times.insert(region->trail.times.begin(), {"imports", imports});
  if (context_.log && region->executable) {
    add_artifact(*region, Stage::kTime, time_lines(*region, milliseconds_since(start)));
  }
  if (keeps_inputs_ && region->graph && !interpreter_.raised()) {
    last_run_of(*region).begin = before;
    last_run_of(*region).begin.gradients = trace.tensor_writes().gradients_before();
    for (const Value& object : trace.writes().journal().touched())
      last_run_of(*region).begin.objects.push_back(
          trace.writes().journal().written(object.object())->before);
    keep_run(*region, first_inputs(*region, trace), trace.shapes().hints(), generator);
  }
  if (summary_) summarise(*region);
  auto give_up = [&] {
    trace.undo_writes();
    default_generator() = generator;
    set_grad_state(before.grad_state);
    --point.captures;
    interpreter_.drop_frames(base);
  };
  if (record.options.fullgraph && region->stopped) {
    give_up();
    raise_compile_error("Unsupported", unsupported_text(*region->stopped, region->stopped_in));
    return Outcome::kRaised;
  }
  if (interpreter_.raised()) {
    give_up();
    return Outcome::kRaised;
  }
  if (check_failed) go_back(trace, *entry, before, generator);
  bool long_python = trace.only_python() && region->stopped &&
                     region->stopped->id == DiagnosticId::kBreakRegionTooLong;
  point.ended_by.reset();
  if (region->stopped) point.ended_by = region->stopped->id;
  if (!obstacle.empty()) point.ended_by = DiagnosticId::kBreakUnsupportedValue;
  if (is_forgotten(point, *region, obstacle)) return Outcome::kContinues;
  if (!obstacle.empty() || long_python) {
    point.eager = true;
    return Outcome::kContinues;
  }
  return keep_region(point, std::move(region), check_failed);
}

Runner::Outcome Runner::keep_region(EntryPoint& point, std::unique_ptr<Region> region,
                                    bool check_failed) {
  const bool is_stretch = !region->executable && region->stopped && region->frames.size() == 1;
  if (is_stretch && !point.forks) {
    point.stretch_end = region->frames[0].pc;
    return Outcome::kContinues;
  }
  last_region_ = region.get();
  point.returns |= region->returned.has_value();
  point.regions.push_back(std::move(region));
  return check_failed ? Outcome::kGoesOnEagerly : Outcome::kContinues;
}

bool Runner::settle(Trace& trace) {
  if (!trace.has_written() && !trace.effects().checks_values()) return true;
  make_places_plain(trace.writes().journal().places());
  std::vector<InputUpdate> updates = trace.tensor_writes().finish();
  if (trace.has_written()) {
    trace.made().keep_all_alive();
    trace.gradients().keep_tape();
  }
  trace.effects().keep();
  if (trace.made().outputs.empty()) return true;
  std::vector<Tensor> pending = trace.made().outputs, outputs;
  auto executable = eager_executable(std::make_shared<const Graph>(trace.made().finish()),
                                     trace.made().device.value_or(Device::cpu()));
  Region settled;
  settled.floats.inputs = trace.made().numbers;
  settled.floats.program = trace.floats();
  settled.floats.start();
  RunStatus fault =
      run_executable(*executable, first_inputs(settled, trace), trace.shapes().hints(), outputs);
  // It would have failed before; nothing that is pending may stay where others find it.
  if (fault) trace.undo_writes();
  if (fault) return false;
  materialise(pending, outputs);
  for (const InputUpdate& update : updates) write_traced(trace, update, outputs);
  return true;
}

Frame* Runner::begin_again(const Beginning& before, const Generator& generator) {
  // What its handlers were handling is gone with the frame.
  if (before.frame.pc > 0 && interpreter_.handled_exception().defined()) return nullptr;
  Value later = interpreter_.take_pending();
  Frame* frame = interpreter_.restore({&before.frame, 1});
  default_generator() = generator;
  set_grad_state(before.grad_state);
  return frame;
}

void Runner::go_back(Trace& trace, Frame& entry, const Beginning& before,
                     const Generator& generator) {
  trace.undo_writes();
  default_generator() = generator;
  set_grad_state(before.grad_state);
  Frame* above = interpreter_.top_frame();
  while (above != &entry && above->caller != &entry) above = above->caller;
  if (above != &entry) interpreter_.drop_frames(above);
  std::ranges::copy(before.frame.registers, entry.registers);
  std::ranges::copy(before.frame.cells, entry.cells);
  interpreter_.jump_to(entry, before.frame.pc);
}

bool Runner::write_exit(Trace& trace, RecipeWriter& writer, Frame* entry, Region& region) {
  std::vector<Frame*> frames;
  for (Frame* frame = interpreter_.top_frame(); frame; frame = frame->caller) {
    frames.insert(frames.begin(), frame);
    if (frame == entry) break;
  }
  Frame* top = frames.back();
  const program::Instruction& next = top->program().instructions[top->position()];
  if (top == entry && next.opcode == Opcode::kReturn) {
    Value value = next.a.is_constant() ? top->code->constants[next.a.index()]
                                       : top->registers[next.a.index()];
    region.returned = writer.write(value);
    if (!region.returned) return false;
  }
  for (Frame* frame : frames) {
    if (!frame->code || frame->generator ||
        (frame != entry && (!frame->function || frame->then != Continuation::kStore)))
      return false;
    FrameExit exit;
    exit.pc = frame->position();
    exit.result_register = frame->result_register;
    if (frame != entry) {
      exit.function = writer.write(Value(Ref<FunctionObject>(frame->function)));
      if (!exit.function) return false;
    }
    program::Liveness liveness(frame->program());
    for (uint32_t index :
         frame == top ? liveness.live_registers(exit.pc) : liveness.live_while_waiting(exit.pc)) {
      const Value& value = frame->registers[index];
      // What the region neither read nor wrote stays where it is.
      if (value.is_undefined() || (frame == entry && !trace.touched(index))) continue;
      std::optional<uint32_t> recipe = writer.write(value);
      if (!recipe) return false;
      exit.registers.emplace_back(index, *recipe);
    }
    for (uint32_t index = 0; index < frame->code->own_cells; ++index) {
      // The entry's own cells stay where they are.
      bool stays =
          frame == entry && frame->cells[index] && !trace.made_inside(*frame->cells[index]);
      if (!frame->cells[index] || stays) continue;
      std::optional<uint32_t> recipe = writer.write(Value(frame->cells[index]));
      if (!recipe) return false;
      exit.cells.emplace_back(index, *recipe);
    }
    region.frames.push_back(std::move(exit));
  }
  return true;
}

bool Runner::write_gradients(Trace& trace, RecipeWriter& writer, Region& region) {
  for (const Tensor& tensor : trace.tensor_writes().set_gradients()) {
    std::optional<SourceId> source = trace.source_of(Value(tensor.ref()));
    check(source.has_value(), "a gradient is set where the tensor can be found again");
    std::optional<uint32_t> recipe = writer.write(value_of(autograd::meta_of(tensor)->gradient));
    if (!recipe) return false;
    region.gradients.emplace_back(*source, *recipe);
  }
  return true;
}

std::unique_ptr<Region> Runner::make_region(CompileRecord& record, EntryPoint& point, Trace& trace,
                                            Frame* entry, uint32_t entry_pc, std::string& obstacle,
                                            bool& check_failed) {
  auto region = std::make_unique<Region>();
  const program::Code& code = entry->program();
  region->function = code.qualified_name;
  region->definition = code.span;
  region->entry_pc = entry_pc;
  if (entry_pc > 0) region->begin = code.instructions[entry_pc].span;
  region->number = point.captures;
  region->stopped = trace.stopped();
  region->stopped_in = trace.stopped_in();
  if (region->stopped) trace.effects().drop(trace.steps());
  trace.note_default_dtype();
  RecipeWriter writer(trace);
  bool complete = write_exit(trace, writer, entry, *region) &&
                  write_gradients(trace, writer, *region) &&
                  trace.writes().write_journal(writer, region->journal);
  if (!complete) {
    obstacle = writer.obstacle().empty() ? "a native call in progress" : writer.obstacle();
  }
  for (Frame* frame = interpreter_.top_frame(); frame; frame = frame->caller) {
    make_frame_plain(*frame);
    if (frame == entry) break;
  }
  make_places_plain(trace.writes().journal().places());
  // What an update of an input is computed from is alive.
  region->updates = trace.tensor_writes().finish();
  trace.effects().keep();
  region->effects = trace.effects().outputs();
  region->end_step = trace.steps();
  region->draws = trace.effects().draws();
  region->grad_state = trace.new_grad_state();
  std::optional<Graph> forward;
  if (obstacle.empty()) forward = cut_backward(record, *region, trace, obstacle);
  if (!obstacle.empty()) {
    // What could be described is not all: whatever is pending and alive has to be computed, as the
    // script goes on from here.
    trace.made().keep_all_alive();
    trace.gradients().keep_tape();
  }
  // Before the guards: what the passes decide about sizes is guarded too.
  if (!trace.made().outputs.empty()) {
    region->graph =
        std::make_shared<const Graph>(forward ? std::move(*forward) : trace.made().finish());
    ShapeEnvironment::Scope scope(trace.shapes());
    compile_region(record, *region, trace, region->graph, obstacle.empty());
  }
  trace.finish_guards();
  region->recipes = writer.take();
  if (region->returned && region->journal.empty() && region->gradients.empty() &&
      region->recipes.size() == 1 && region->recipes[0].kind == RecipeKind::kOutput)
    region->returned_output = region->recipes[0].output;
  region->bases = trace.made().output_bases();
  region->of_other_mode = trace.outputs_of_other_mode();
  region->written_outputs = trace.written_outputs();
  for (uint32_t i = 0; i < trace.made().outputs.size(); ++i)
    if (const Tensor& output = trace.made().outputs[i];
        output.defined() && is_counted_apart(record_of(output.impl())))
      region->counted_apart.emplace_back(i, autograd::version_of(output));
  region->inputs = trace.made().parameters;
  region->run_inputs.resize(region->inputs.size());
  region->floats.inputs = trace.made().numbers;
  region->floats.program = trace.floats();
  region->floats.start();
  for (const double& number : region->floats.numbers)
    region->run_inputs.push_back({nullptr, &number});
  region->symbols = trace.shapes().hints();
  region->symbols.resize(trace.shapes().symbol_count());
  region->first_symbols = region->symbols;
  for (const Guard& guard : trace.guards()) {
    region->guard_sources.push_back(
        guard.kind == GuardKind::kRelation       ? guard.relation->text()
        : guard.kind == GuardKind::kFits         ? guard.size.text()
        : guard.kind == GuardKind::kGradMode     ? std::string("grad mode")
        : guard.kind == GuardKind::kAutocast     ? std::string("autocast")
        : guard.kind == GuardKind::kDefaultDtype ? std::string("torch.get_default_dtype()")
        : guard.kind == GuardKind::kOutcome      ? guard.name
                                                 : trace.sources().text(guard.source));
  }
  region->guards =
      std::make_unique<GuardProgram>(trace.sources(), std::move(trace.guards()),
                                     std::move(trace.objects()), trace.float_comparisons());
  if (interpreter_.raised()) return region;
  // Then nothing of the region happens: it raises.
  bool refused = record.options.fullgraph && region->stopped;
  if (region->graph && !refused) {
    if (keeps_inputs_) keep_written(*region, first_inputs(*region, trace));
    check_failed = !run_first(*region, trace);
    if (interpreter_.raised()) return region;
  }
  if (context_.log && !region->graph) region->compile = begin_compile(record);
  if (!complete && !region->stopped) region->stopped = break_by(*region, obstacle);
  if (context_.log) log_region(*region, obstacle);
  return region;
}

bool Runner::run_first(Region& region, Trace& trace) {
  std::vector<Tensor> pending = trace.made().outputs, outputs;
  profile::Scope scope;
  if (profile::recording()) scope.begin("region", "first run of " + region.function);
  auto start = std::chrono::steady_clock::now();
  const std::vector<RunInput> inputs = first_inputs(region, trace);
  std::optional<Generator> drawn_from;
  if (region.draws) drawn_from = default_generator();
  RunStatus fault = run_executable(*region.executable, inputs, trace.shapes().hints(), outputs);
  region.trail.times.push_back({"first run", milliseconds_since(start)});
  if (interpreter_.raised()) return true;
  if (fault) return false;
  materialise(pending, outputs);
  for (const InputUpdate& update : region.updates) write_traced(trace, update, outputs);
  for (size_t i = 0; i < pending.size(); ++i)
    if (pending[i].defined()) outputs[i] = pending[i];
  for (const RegionGradients& taped : region.taped)
    attach_history(taped, {inputs, trace.shapes().hints(), drawn_from}, outputs);
  return true;
}

void Runner::compile_region(CompileRecord& record, Region& region, Trace& trace,
                            std::shared_ptr<const Graph> graph, bool is_kept) {
  ++compiles_;
  region.device = trace.made().device.value_or(Device::cpu());
  if (context_.log) {
    region.compile = begin_compile(record);
    log_joint(region);
    std::vector<StageLine> journal;
    for (const JournalEntry& entry : region.journal)
      journal.push_back({"journal: " + entry.text, {entry.span}});
    context_.log->add(
        artifact_of(region, Stage::kGraph, passes::GraphListing{graph, std::move(journal)}));
  }
  if (summary_) {
    ++summary_->graphs;
    summary_->operators_of_graph.emplace_back();
    summary_->graph_modules.push_back(graph_module(*graph, trace));
    // A graph that cannot be shown so is none that the call needs.
    if (summary_->graph_modules.back().is_undefined()) {
      interpreter_.take_pending();
      summary_->graph_modules.back() = Value::none();
    }
    for (const Node& node : graph->nodes) {
      // As PyTorch counts: functions and Python's own operators, not methods.
      if (node.kind != NodeKind::kCall || trace.made().method_nodes.contains(node.name)) continue;
      ++summary_->operators;
      const ops::OpEntry* entry = ops::find_op(node.target.text());
      summary_->operators_of_graph.back().push_back(ops::signature(*entry).name);
    }
  }
  if (record.options.custom_backend.defined() && !record.options.custom_backend.is_none()) {
    region.executable = custom_executable(record, *graph, trace);
    if (!region.executable) user_backend_failed(record, region, graph);
    return;
  }
  // Machine code takes long to make, for a graph that runs this once.
  if (!is_kept) {
    region.executable = eager_executable(graph, region.device);
    return;
  }
  std::optional<std::string> backend = resolve_backend(record.options.backend, context_);
  check(backend.has_value(), "a backend that `torch.compile` let pass has no name here");
  auto compiled =
      compile_graph(graph, *backend, context_, artifact_of(region, Stage::kGraph, {}), region.trail,
                    {region.joint, region.updates, region.device, record.options.records_launches(),
                     record.options.tunes_kernels()});
  if (compiled) {
    region.executable = std::move(*compiled);
    return;
  }
  if (interpreter_.raise_interrupt()) return;
  const std::string& message = compiled.error().message;
  if (record.options.fullgraph) {
    raise_compile_error("BackendCompilerFailed",
                        fmt::format("backend='{}' raised:\nRuntimeError: {}; {}",
                                    record.options.backend, message, repro_of(*graph)));
    return;
  }
  fall_back(region.function, message, *graph);
  region.executable = eager_executable(graph, region.device);
}

void Runner::user_backend_failed(const CompileRecord& record, Region& region,
                                 std::shared_ptr<const Graph> graph) {
  Value raised = interpreter_.take_pending();
  std::string text, type = "TypeError";
  if (raised.is_object()) {
    type = type_name(raised);
    str_of(interpreter_, raised, text);
  }
  std::string name = "backend";
  if (auto* function = record.options.custom_backend.try_as<FunctionObject>())
    name = function->name->text;
  std::string message = fmt::format("backend='{}' raised:\n{}: {}", name, type, text);
  if (configured("suppress_errors", 0) == 0) {
    raise_compile_error("BackendCompilerFailed", message);
    return;
  }
  std::ranges::replace(message, '\n', ' ');
  fall_back(region.function, DiagnosticId::kFallbackUserBackend, message, *graph);
  region.executable = eager_executable(graph, region.device);
}

}  // namespace glint::capture
