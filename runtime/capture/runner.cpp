#include "runtime/capture/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/support/environment.h"
#include "ir/liveness.h"
#include "ops/op.h"
#include "runtime/capture/executable.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// Runs one instruction, and all that it calls, without capture.
class SingleStep final : public Tracer {
 public:
  SingleStep(Interpreter& interpreter, uint32_t depth) : interpreter_(interpreter), depth_(depth) {}
  Step step(Frame& frame, uint32_t pc) override {
    if (frame.depth > depth_) return Step::kRun;
    if (!ran_) {
      ran_ = true;
      return Step::kRun;
    }
    return Step::kStop;
  }
  void pushed(Frame& frame) override {
    // What the instruction calls runs at full speed.
    uint32_t pc = frame.position();
    frame.traced = false;
    interpreter_.jump_to(frame, pc);
  }
  bool call_operator(const ops::OpEntry&, std::span<const Value>, std::vector<Value>&) override {
    return false;
  }
  bool demand_value(const Tensor&) override { return false; }

 private:
  Interpreter& interpreter_;
  uint32_t depth_;
  bool ran_ = false;
};

/// Sets a tracer for a scope.
class Tracing {
 public:
  Tracing(Interpreter& interpreter, Tracer& tracer)
      : interpreter_(interpreter), before_(interpreter.tracer()) {
    interpreter.set_tracer(&tracer);
  }
  ~Tracing() { interpreter_.set_tracer(before_); }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

 private:
  Interpreter& interpreter_;
  Tracer* before_;
};

/// The memory that a pending tensor was waiting for.
void materialise(const Tensor& pending, const Tensor& computed) {
  TensorImpl& target = pending.impl();
  const TensorImpl& from = computed.impl();
  target.storage = from.storage;
  target.data = from.data;
  target.offset = from.offset;
  target.numel = from.numel;
  target.sizes = from.sizes;
  target.strides = from.strides;
  target.contiguous = from.contiguous;
  target.traced = nullptr;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

Value Runner::compile(Value callable, CompileOptions options) {
  // Compiling a compiled function compiles what it wraps.
  while (auto* compiled = callable.try_as<CompiledFunctionObject>()) {
    Value inner = compiled->function;
    callable = inner;
  }
  auto record = make_ref<CompileRecord>();
  record->options = std::move(options);
  record->callable = callable;
  records_.push_back(record);
  return Value(make_ref<CompiledFunctionObject>(std::move(callable), Ref<RefCounted>(record)));
}

void Runner::reset() {
  last_region_ = nullptr;
  for (const Ref<CompileRecord>& record : records_) {
    record->direct_entry = nullptr;
    for (auto& [at, point] : record->entry_points) {
      if (script_runs_ > 0) std::ranges::move(point.regions, std::back_inserter(retired_));
    }
    record->entry_points.clear();
  }
}

/// The function and first argument of a call: what a bound method or an instance's `__call__` adds.
static Value unwrap_callable(Interpreter& interpreter, Value callable,
                             std::vector<Value>& arguments) {
  if (callable.is<InstanceObject>()) callable = get_attribute(interpreter, callable, "__call__");
  if (auto* bound = callable.try_as<BoundMethodObject>()) {
    arguments.push_back(bound->self);
    return bound->function;
  }
  return callable;
}

Value Runner::enter(Interpreter& interpreter, CompiledFunctionObject& compiled,
                    std::span<const Value> positional,
                    std::span<const std::pair<StrObject*, Value>> keywords) {
  auto& record = static_cast<CompileRecord&>(*compiled.record);
  if (record.direct_entry && compiled.function.object() == record.direct_function &&
      keywords.empty() && positional.size() == record.direct_function->code->parameters.size() &&
      !interpreter.tracer()) [[likely]] {
    // Arguments by position are the first registers as they lie.
    EntryState state{positional, record.direct_function, nullptr};
    Value result = run_whole(*record.direct_entry, state);
    if (result.defined() || interpreter.raised()) return result;
  }
  Ref<CompileRecord> keep(&record);
  if (keeps_calls_ && record.sample.empty() && keywords.empty())
    record.sample.assign(positional.begin(), positional.end());
  std::vector<Value> arguments;
  Value callable = unwrap_callable(interpreter, compiled.function, arguments);
  if (callable.is_undefined()) return Value();
  arguments.insert(arguments.end(), positional.begin(), positional.end());
  auto* function = callable.try_as<FunctionObject>();
  bool plain =
      record.options.disable || !function || function->code->is_generator || interpreter.tracer();
  if (plain) return interpreter.call_with_keywords(callable, arguments, keywords);
  Ref<FunctionObject> kept(function);
  std::vector<Value> registers;
  if (!interpreter.bind_arguments(*function, arguments, keywords, registers)) return Value();
  Value result = run_function(record, *function, registers);
  bool direct = function == compiled.function.object() &&
                std::ranges::all_of(function->code->parameters, [](const auto& parameter) {
                  return parameter.kind == program::ParameterKind::kPositional ||
                         parameter.kind == program::ParameterKind::kPositionalOnly;
                });
  if (direct) {
    record.direct_function = function;
    record.direct_entry = &record.entry_points[{function->code.get(), 0}];
  }
  return result;
}

Value Runner::run_whole(EntryPoint& point, const EntryState& state) {
  if (point.eager) return Value();
  Region* region = find(point, state);
  if (!region || !region->returned || !run_region(*region)) return Value();
  if (region->returned_output) {
    Value result(std::move(region->outputs[*region->returned_output]).take());
    region->outputs.clear();
    return result;
  }
  Value result = std::move(region->values[*region->returned]);
  region->values.clear();
  return result;
}

Value Runner::run_function(CompileRecord& record, FunctionObject& function,
                           std::vector<Value>& registers) {
  EntryPoint& point = record.entry_points[{function.code.get(), 0}];
  Value result = run_whole(point, {registers, &function, nullptr});
  if (result.defined() || interpreter_.raised()) return result;
  Frame* base = interpreter_.push_frame(function, registers);
  if (!base) return Value();
  if (point.eager) return run_eagerly(base);
  return run_frames(record, base);
}

Value Runner::run_frames(CompileRecord& record, Frame* base) {
  Value result;
  for (;;) {
    Frame* top = interpreter_.top_frame();
    const program::Code& code = top->program();
    uint32_t pc = top->position();
    Outcome outcome = Outcome::kContinues;
    bool capturable =
        top->function && code.instructions[pc].opcode != Opcode::kReturn && !top->generator;
    if (capturable) {
      EntryPoint& point = record.entry_points[{&code, pc}];
      if (point.eager) return run_eagerly(base);
      EntryState state{{top->registers, top->register_count()}, top->function, top->cells};
      Region* region = find(point, state);
      if (region) {
        Frame* entry = top;
        bool whole = top == base;
        outcome = execute(*region, entry, result);
        if (whole) base = entry;
      } else {
        explain_miss(point, state);
        outcome = capture(record, point, base, top, result);
      }
      if (outcome == Outcome::kRaised) return Value();
      if (outcome == Outcome::kReturned && top == base) return result;
      if (point.eager) return run_eagerly(base);
    }
    outcome = step_eagerly(base, result);
    if (outcome == Outcome::kRaised) return Value();
    if (outcome == Outcome::kReturned) return result;
  }
}

Runner::Outcome Runner::step_eagerly(Frame* base, Value& result) {
  SingleStep tracer(interpreter_, interpreter_.top_frame()->depth);
  RunEnd end = RunEnd::kReturned;
  {
    Tracing tracing(interpreter_, tracer);
    end = interpreter_.run_frames(base, result);
  }
  if (end == RunEnd::kRaised) return Outcome::kRaised;
  return end == RunEnd::kReturned ? Outcome::kReturned : Outcome::kContinues;
}

Value Runner::run_eagerly(Frame* base) {
  Value result;
  return interpreter_.run_frames(base, result) == RunEnd::kReturned ? result : Value();
}

Region* Runner::find(EntryPoint& point, const EntryState& state) {
  for (auto& region : point.regions) {
    if (region->guards->check(state, region->symbols) == GuardProgram::kPassed) return region.get();
  }
  return nullptr;
}

void Runner::explain_miss(EntryPoint& point, const EntryState& state) {
  if (point.regions.empty()) return;
  Region& newest = *point.regions.back();
  explain_failure(point, newest, newest.guards->check(state, newest.symbols), state);
}

void Runner::explain_failure(EntryPoint& point, Region& region, size_t guard_number,
                             const EntryState& state) {
  if (guard_number == GuardProgram::kPassed) return;
  const Guard& guard = region.guards->guards()[guard_number];
  const std::string& name = region.guard_sources[guard_number];
  const Value* value =
      guard.kind == GuardKind::kRelation ? nullptr : region.guards->slot(guard.source);
  last_recompile_ =
      fmt::format("entry {} of {} failed: g{} {} was {}, is {}", region.number, region.function,
                  guard_number, name, expectation(guard),
                  guard.kind == GuardKind::kRelation ? "false" : actual(value ? *value : Value()));
  // A size or an int that differs from what the last entry expected varies from now on.
  for (size_t i = 0; i < region.guards->guards().size(); ++i) {
    const Guard& each = region.guards->guards()[i];
    if (each.kind == GuardKind::kEquals && each.expected.is_int()) {
      const Value* number = region.guards->slot(each.source);
      bool changed = number && number->is_int() && !number->identical(each.expected);
      if (changed) point.varying.insert({region.guard_sources[i], kWholeValue});
    }
    if (each.kind != GuardKind::kTensor) continue;
    const Value* tensor = region.guards->slot(each.source);
    if (!tensor || !tensor->is(kTensorKind)) continue;
    const TensorImpl& impl = *tensor->as<TensorImpl>();
    for (size_t dim = 0; dim < each.sizes.size() && dim < impl.sizes.size(); ++dim) {
      if (each.sizes[dim].constant && *each.sizes[dim].constant != impl.sizes[dim]) {
        point.varying.insert({region.guard_sources[i], dim});
      }
    }
  }
}

bool Runner::run_region(Region& region) {
  RunStatus fault;
  std::vector<Value> held;
  if (region.executable) {
    for (size_t i = 0; i < region.inputs.size(); ++i)
      region.run_inputs[i].tensor = region.guards->slot(region.inputs[i])->as<TensorImpl>();
    if (!region.executable->runs_script()) [[likely]] {
      fault = region.executable->run(region.run_inputs, region.symbols, region.outputs);
    } else {
      held = region.guards->hold();
      ++script_runs_;
      fault = region.executable->run(region.run_inputs, region.symbols, region.outputs);
      --script_runs_;
      region.guards->point_at(held);
    }
    if (fault || interpreter_.raised()) [[unlikely]]
      return false;
  }
  ++region.hits;
  last_region_ = &region;
  if (region.returned_output) return true;
  rebuild(region.recipes, *region.guards, region.outputs, region.symbols, region.values);
  region.outputs.clear();
  return true;
}

Runner::Outcome Runner::execute(Region& region, Frame*& base, Value& result) {
  if (!run_region(region)) {
    if (interpreter_.raised()) {
      interpreter_.drop_frames(base);
      return Outcome::kRaised;
    }
    // A check on values failed: eager execution raises it.
    return Outcome::kContinues;
  }
  if (region.returned_output && base->then == Continuation::kExit) {
    result = Value(std::move(region.outputs[*region.returned_output]).take());
    region.outputs.clear();
    interpreter_.drop_frames(base);
    return Outcome::kReturned;
  }
  if (region.returned_output) {
    rebuild(region.recipes, *region.guards, region.outputs, region.symbols, region.values);
    region.outputs.clear();
  }
  // Taken for the time of the assignments: a value that dies may run code that comes here again.
  std::vector<Value> values = std::move(region.values);
  if (region.returned && base->then == Continuation::kExit) {
    result = values[*region.returned];
    interpreter_.drop_frames(base);
    return Outcome::kReturned;
  }
  // The entry frame stays; frames above it are built anew.
  const FrameExit& first = region.frames[0];
  for (auto [index, recipe] : first.registers) base->registers[index] = values[recipe];
  for (auto [index, recipe] : first.cells)
    base->cells[index] = Ref<CellObject>(values[recipe].as<CellObject>());
  interpreter_.jump_to(*base, first.pc);
  if (region.frames.size() == 1) {
    values.clear();
    region.values = std::move(values);  // its memory is used again
    return Outcome::kContinues;
  }
  std::vector<FrameSnapshot> frames;
  for (size_t i = 1; i < region.frames.size(); ++i) {
    const FrameExit& exit = region.frames[i];
    FrameSnapshot frame;
    frame.function = Ref<FunctionObject>(values[*exit.function].as<FunctionObject>());
    frame.pc = exit.pc;
    frame.registers.resize(frame.function->code->register_count);
    for (auto [index, recipe] : exit.registers) frame.registers[index] = values[recipe];
    frame.cells.resize(frame.function->code->cells.size());
    for (auto [index, recipe] : exit.cells)
      frame.cells[index] = Ref<CellObject>(values[recipe].as<CellObject>());
    frame.result_register = exit.result_register;
    frames.push_back(std::move(frame));
  }
  Frame* inner = interpreter_.restore(frames);
  if (!inner) return Outcome::kRaised;
  inner->then = Continuation::kStore;
  return Outcome::kContinues;
}

Runner::Outcome Runner::capture(CompileRecord& record, EntryPoint& point, Frame* base, Frame* entry,
                                Value& result) {
  if (point.captures >= kMostEntries) {
    point.eager = true;
    point.why_eager = last_recompile_;
    std::string name = entry->program().qualified_name;
    warn_once(DiagnosticId::kFallbackRecompileLimit,
              fmt::format("`{}` was compiled {} times and runs eagerly from now on; {}", name,
                          kMostEntries, last_recompile_));
    return Outcome::kContinues;
  }
  if (context_.fail_stage == "capture") {
    point.eager = true;
    warn_once(DiagnosticId::kFallbackPass,
              fmt::format("`{}` runs eagerly: stage capture: made to fail by GLINT_FAIL",
                          entry->program().qualified_name));
    return Outcome::kContinues;
  }
  ++point.captures;
  auto start = std::chrono::steady_clock::now();
  Trace trace(interpreter_, *entry, record.options, point.varying);
  RunEnd end = RunEnd::kStopped;
  {
    Tracing tracing(interpreter_, trace);
    end = interpreter_.run_frames(base, result);
  }
  if (end == RunEnd::kRaised) return Outcome::kRaised;
  if (end == RunEnd::kReturned) return Outcome::kReturned;
  // An exception went through the region's frame to a handler further out, and the script goes on
  // there.
  if (trace.left()) return Outcome::kContinues;
  std::string obstacle;
  std::unique_ptr<Region> region = make_region(record, point, trace, entry, obstacle);
  region->compile_milliseconds = milliseconds_since(start);
  if (summary_) {
    if (region->stopped) summary_->breaks.push_back(*region->stopped);
    for (size_t i = 0; i < region->guards->guards().size(); ++i) {
      summary_->guards.push_back(fmt::format(
          "{} {} {}",
          guard_kind_table()[static_cast<size_t>(region->guards->guards()[i].kind)].name,
          region->guard_sources[i], expectation(region->guards->guards()[i])));
    }
  }
  if (record.options.fullgraph && region->stopped) {
    interpreter_.drop_frames(base);
    const DiagnosticInfo& about = info(region->stopped->id);
    interpreter_.raise("RuntimeError",
                       fmt::format("fullgraph=True, but the graph breaks: {} {}; {}\n  {}",
                                   about.code, about.title, region->stopped->detail, about.advice));
    return Outcome::kRaised;
  }
  if (interpreter_.raised()) {
    interpreter_.drop_frames(base);
    return Outcome::kRaised;
  }
  bool long_python = trace.only_python() && region->stopped &&
                     region->stopped->id == DiagnosticId::kBreakRegionTooLong;
  if (!obstacle.empty() || long_python) {
    point.eager = true;
    point.why_eager = obstacle.empty() ? "no tensor operator in it" : obstacle;
    return Outcome::kContinues;
  }
  last_region_ = region.get();
  point.regions.push_back(std::move(region));
  return Outcome::kContinues;
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
    const program::Code& code = frame->program();
    program::Liveness liveness(code);
    for (uint32_t index : liveness.live_registers(exit.pc)) {
      const Value& value = frame->registers[index];
      if (value.is_undefined()) continue;
      std::optional<uint32_t> recipe = writer.write(value);
      if (!recipe) return false;
      exit.registers.emplace_back(index, *recipe);
    }
    for (uint32_t index = 0; index < frame->code->own_cells; ++index) {
      if (!frame->cells[index]) continue;
      std::optional<uint32_t> recipe = writer.write(Value(frame->cells[index]));
      if (!recipe) return false;
      exit.cells.emplace_back(index, *recipe);
    }
    region.frames.push_back(std::move(exit));
  }
  return true;
}

std::unique_ptr<Region> Runner::make_region(CompileRecord& record, EntryPoint& point, Trace& trace,
                                            Frame* entry, std::string& obstacle) {
  auto region = std::make_unique<Region>();
  region->function = entry->program().qualified_name;
  region->number = point.captures;
  region->stopped = trace.stopped();
  RecipeWriter writer(trace);
  bool complete = write_exit(trace, writer, entry, *region);
  if (!complete) {
    obstacle = writer.obstacle().empty() ? "a native call in progress" : writer.obstacle();
    // What could be described is not all: whatever is pending and alive has to be computed, as the
    // script goes on from here.
    trace.keep_all_alive();
  }
  for (Frame* frame = interpreter_.top_frame(); frame; frame = frame->caller) {
    make_frame_plain(*frame);
    if (frame == entry) break;
  }
  trace.finish_guards();
  region->recipes = writer.take();
  if (region->returned && region->recipes.size() == 1 &&
      region->recipes[0].kind == RecipeKind::kOutput)
    region->returned_output = region->recipes[0].output;
  region->inputs = trace.parameters();
  region->run_inputs.resize(region->inputs.size());
  region->symbols.resize(trace.shapes().symbol_count());
  for (const Guard& guard : trace.guards()) {
    region->guard_sources.push_back(guard.kind == GuardKind::kRelation
                                        ? guard.relation->text()
                                        : trace.sources().text(guard.source));
  }
  region->guards = std::make_unique<GuardProgram>(trace.sources(), std::move(trace.guards()),
                                                  std::move(trace.objects()));
  std::vector<Tensor> pending = trace.outputs();
  if (!pending.empty()) {
    auto graph = std::make_shared<const Graph>(trace.finish_graph());
    region->graph = graph;
    ShapeEnvironment::Scope scope(trace.shapes());
    compile_region(record, *region, trace, graph);
    if (interpreter_.raised()) return region;
    std::vector<Tensor> outputs;
    std::vector<RunInput> inputs;
    for (const Tensor& input : trace.inputs()) inputs.push_back({&input.impl(), nullptr});
    RunStatus fault = region->executable->run(inputs, trace.shapes().hints(), outputs);
    if (fault || interpreter_.raised()) {
      if (!interpreter_.raised()) {
        std::vector<Tensor> ignored;
        try {
          eager_executable(graph)->run(inputs, trace.shapes().hints(), ignored);
        } catch (const ops::OpError& error) {
          interpreter_.raise(error.exception, error.message);
        }
      }
      if (!interpreter_.raised())
        interpreter_.raise("RuntimeError", std::string(fault.value_or("a check failed")));
      return region;
    }
    for (size_t i = 0; i < pending.size(); ++i) materialise(pending[i], outputs[i]);
  }
  if (obstacle.empty()) log_region(*region, point, context_.log ? context_.log->compiles() : 0);
  return region;
}

void Runner::compile_region(CompileRecord& record, Region& region, Trace& trace,
                            std::shared_ptr<const Graph> graph) {
  ++compiles_;
  uint32_t compile = context_.log ? context_.log->begin_compile() : 0;
  if (summary_) {
    ++summary_->graphs;
    summary_->operators += static_cast<uint32_t>(graph->call_count());
    summary_->operators_of_graph.emplace_back();
    for (const Node& node : graph->nodes) {
      if (node.kind == NodeKind::kCall)
        summary_->operators_of_graph.back().push_back(node.target.text());
    }
  }
  if (record.options.custom_backend.defined() && !record.options.custom_backend.is_none()) {
    region.executable = custom_executable(record, *graph, trace);
    if (!region.executable && !interpreter_.raised()) region.executable = eager_executable(graph);
    return;
  }
  std::string backend = resolve_backend(record.options.backend, context_).value_or("cpu");
  auto compiled = compile_graph(graph, backend, context_, region.function, compile, region.number);
  if (compiled) {
    region.executable = std::move(*compiled);
    return;
  }
  bool in_pass = compiled.error().message.starts_with("passes: ");
  fall_back(region, in_pass ? DiagnosticId::kFallbackPass : DiagnosticId::kFallbackBackend,
            compiled.error().message, *graph);
  region.executable = eager_executable(graph);
}

void Runner::warn_once(DiagnosticId id, const std::string& text) {
  if (!warned_.insert(std::string(info(id).code)).second || !context_.warn) return;
  context_.warn(fmt::format("glint: {} {}", info(id).code, text));
}

void Runner::fall_back(const Region& region, DiagnosticId id, const std::string& message,
                       const Graph& graph) {
  std::error_code ignored;
  std::string folder = environment::cache_folder();
  std::filesystem::create_directories(folder, ignored);
  std::string path = fmt::format("{}/repro_{}_{}.glint", folder, graph.name, compiles_);
  std::ofstream(path) << print(graph);
  warn_once(id, fmt::format("`{}` runs eagerly: {}; repro: glint ir --run {}", region.function,
                            message, path));
}

void Runner::log_region(const Region& region, const EntryPoint& point, uint32_t compile) {
  if (!context_.log) return;
  auto add = [&](Stage stage, std::vector<StageLine> lines) {
    Artifact artifact;
    artifact.stage = stage;
    artifact.function = region.function;
    artifact.compile = compile;
    artifact.region = region.number;
    artifact.lines = [lines = std::move(lines)] { return lines; };
    artifact.milliseconds = region.compile_milliseconds;
    context_.log->add(std::move(artifact));
  };
  std::vector<StageLine> guards;
  guards.push_back({fmt::format("region {}, entry {}", region.function, region.number), {}});
  for (size_t i = 0; i < region.guards->guards().size(); ++i) {
    const Guard& guard = region.guards->guards()[i];
    guards.push_back({fmt::format("  g{:<3}{:<10}{:<12}{}", i,
                                  guard_kind_table()[static_cast<size_t>(guard.kind)].name,
                                  region.guard_sources[i],
                                  guard.kind == GuardKind::kRelation ? "" : expectation(guard)),
                      {guard.span}});
  }
  std::string end = region.stopped
                        ? fmt::format("  ends early: {} {}; {}", info(region.stopped->id).code,
                                      info(region.stopped->id).title, region.stopped->detail)
                        : "  ends at the return, no break";
  guards.push_back({end, {}});
  if (!last_recompile_.empty() && region.number > 1) guards.push_back({last_recompile_, {}});
  add(Stage::kGuards, std::move(guards));
  if (!region.stopped) return;
  const DiagnosticInfo& about = info(region.stopped->id);
  add(Stage::kBreaks, {{fmt::format("{} {}", about.code, about.title), {region.stopped->span}},
                       {fmt::format("  {}", region.stopped->detail), {}},
                       {fmt::format("  {}", about.advice), {}}});
}

}  // namespace glint::capture
