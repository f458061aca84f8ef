#include "runtime/capture/runner.h"

#include <array>

#include "ops/op.h"
#include "runtime/autograd/engine.h"
#include "runtime/capture/callee.h"
#include "runtime/capture/eager_tracer.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// Runs the instruction where a region ended, and all that it calls, without capture; then on, to
/// the next place where a region may begin. Stretches without a tensor operator and returns are run
/// through: there is nothing to compile in them.
class EagerSteps final : public EagerTracer {
 public:
  EagerSteps(Interpreter& interpreter, CompileRecord& record, const Frame& base)
      : EagerTracer(interpreter),
        record_(record),
        base_depth_(base.depth),
        depth_(interpreter.top_frame()->depth) {}

  Step step(Frame& frame, uint32_t pc) override {
    if (frame.depth > depth_) return Step::kRun;
    if (frame.depth < depth_) {
      depth_ = frame.depth;
      until_.reset();
    } else if (until_ && ++stretch_ < kLongestStretch) {
      if (pc == *until_) until_.reset();
      return Step::kRun;
    }
    bool first = !began_;
    began_ = true;
    stretch_ = 0;
    stretch_begin_ = {&frame.program(), pc};
    until_ = record_.stretch_end(frame.program(), pc);
    bool runs_on = first || until_;
    if (until_ == pc) until_.reset();
    bool returns = frame.program().instructions[pc].opcode == Opcode::kReturn;
    return runs_on || (returns && depth_ > base_depth_) ? Step::kRun : Step::kStop;
  }
  /// An operator in a stretch that held none: this call takes another way.
  bool call_operator(const ops::OpEntry&, std::span<const Value>, std::vector<Value>&) override {
    if (!until_) return false;
    EntryPoint& point = record_.entry_points[stretch_begin_];
    point.stretch_end.reset();
    point.forks = true;
    until_.reset();
    return false;
  }
  bool lets_regions_run() const override { return true; }

 private:
  static constexpr uint32_t kLongestStretch = 256;  ///< instructions, should it take another way

  CompileRecord& record_;
  EntryPoints::key_type stretch_begin_ = {};
  uint32_t base_depth_;
  uint32_t depth_;
  std::optional<uint32_t> until_;  ///< the instruction that ends the stretch
  uint32_t stretch_ = 0;
  bool began_ = false;
};

}  // namespace

Ref<CompileRecord> Runner::add_record() {
  auto record = make_ref<CompileRecord>();
  records_.push_back(record);
  return record;
}

uint32_t Runner::begin_compile(const CompileRecord& record) {
  const uint32_t number = context_.log->begin_compile(&record);
  compiled_for_[number] = &record;
  return number;
}

Value Runner::compile(Value callable, CompileOptions options, bool beside) {
  // Compiling a compiled function compiles what it wraps.
  while (auto* compiled = callable.try_as<CompiledFunctionObject>()) {
    Value inner = compiled->function;
    callable = inner;
  }
  Ref<CompileRecord> record = add_record();
  record->options = std::move(options);
  record->callable = std::move(callable);
  record->wrapped = true;
  record->beside = beside;
  return compiled_by(record);
}

Value Runner::compiled_by(const Ref<CompileRecord>& record) const {
  const Value& callable = record->callable;
  // As functools.wraps does: the function's own attributes, and what was wrapped.
  Ref<DictObject> attributes = make_dict();
  if (auto* function = callable.try_as<FunctionObject>(); function && function->attributes) {
    for (const auto& entry : function->attributes->table.entries()) {
      if (entry.key.defined()) attributes->table.set(entry.key, entry.value);
    }
  }
  attributes->set("_torchdynamo_orig_callable", callable);
  auto made = make_ref<CompiledFunctionObject>(callable, Ref<RefCounted>(record));
  made->attributes = std::move(attributes);
  made->eager_up_to = &record->eager_up_to;
  return Value(made);
}

void Runner::reset() {
  last_region_ = nullptr;
  last_recompile_.clear();
  older_misses_.clear();
  auto backwards = std::exchange(kept_backwards_, {});
  // They die behind all else: what they hold may run script code then, and that may reset as well.
  std::vector<EntryPoints> unused;
  if (at_work_ == 0) unused.swap(retired_);
  std::vector<EntryPoints>& dropped = at_work_ > 0 ? retired_ : unused;
  for (const Ref<CompileRecord>& record : records_) {
    record->direct_entry = nullptr;
    record->calls = 0;
    record->eager_up_to = 0;
    if (!record->entry_points.empty()) dropped.push_back(std::exchange(record->entry_points, {}));
  }
}

Value Runner::enter(Interpreter&, CompiledFunctionObject& compiled,
                    std::span<const Value> positional,
                    std::span<const std::pair<StrObject*, Value>> keywords) {
  return call(static_cast<CompileRecord&>(*compiled.record), compiled.function, positional,
              keywords);
}

bool Runner::is_library(const program::Code& code) const {
  return context_.sources && context_.sources->is_library(code.span.source) &&
         !code.qualified_name.ends_with(".forward");
}

Value Runner::call_uncompiled(FunctionObject& function, std::span<const Value> positional,
                              std::span<const std::pair<StrObject*, Value>> keywords) {
  std::vector<Value> registers;
  if (!interpreter_.bind_arguments(function, positional, keywords, registers)) return Value();
  Frame* base = interpreter_.push_frame(function, registers);
  return base ? run_eagerly(base) : Value();
}

Value Runner::enter(Interpreter&, FunctionObject& function, std::span<const Value> positional,
                    std::span<const std::pair<StrObject*, Value>> keywords) {
  if (marked_calls_ > 0 || is_disabled(function)) {
    UnderWay marked(marked_calls_);
    return call_uncompiled(function, positional, keywords);
  }
  FunctionCode& code = *function.prepared;
  if (is_library(*function.code)) {
    code.set_compiles_calls(false);
    return interpreter_.call_with_keywords(Value(&function), positional, keywords);
  }
  if (!code.record) {
    Ref<CompileRecord> record = add_record();
    if (keeps_calls_) record->callable = Value(&function);
    code.record = record;
  }
  auto& record = static_cast<CompileRecord&>(*code.record);
  Value result = call(record, Value(&function), positional, keywords);
  if (autograd::anomaly_mode().enabled || stance_ != Stance::kDefault) return result;
  // Where there is nothing to compile, calls go the short way again.
  auto compiled = [](const auto& region) { return region->executable != nullptr; };
  auto has_code = [&](const auto& entry) {
    return std::ranges::any_of(entry.second.regions, compiled);
  };
  auto start = record.entry_points.find({function.code.get(), 0});
  bool eager = start != record.entry_points.end() && start->second.eager;
  if (eager || std::ranges::none_of(record.entry_points, has_code)) code.set_compiles_calls(false);
  return result;
}

Value Runner::run_statements(std::shared_ptr<const program::Code> code, ModuleObject& module) {
  // A function without parameters whose variables are the module's, called once.
  auto function = make_ref<FunctionObject>();
  function->name = intern(code->name);
  function->qualified_name = intern(code->qualified_name);
  function->code = std::move(code);
  function->globals = module.dict;
  function->module_name = Value(module.name);
  function->doc = Value::none();
  Ref<CompileRecord> record = add_record();
  record->options.has_own_regions = [this](const program::Code& called) {
    return called.kind != program::CodeKind::kComprehension && !is_library(called);
  };
  Frame* base = interpreter_.push_frame(*function, {});
  if (!base) return Value();
  base->owned = Value(module.dict);
  return run_frames(*record, base);
}

/// By then all that a function does most of the time has been seen.
static constexpr uint32_t kCallsToWeigh = 32;

/// As many arguments as a module's call puts its module in front of without a vector.
static constexpr size_t kMostDirectArguments = 7;

std::optional<Value> Runner::call_direct(CompileRecord& record, const Value& compiled,
                                         std::span<const Value> positional) {
  if (compiled.object() == record.direct_function) [[likely]]
    return call_with_registers(record, positional);
  auto* module = compiled.try_as<InstanceObject>();
  bool same_class = module && record.direct_class_version != 0 &&
                    module->cls->version == record.direct_class_version;
  if (!same_class || has_own_call(*module) || positional.size() > kMostDirectArguments)
    return std::nullopt;
  std::array<Value, kMostDirectArguments + 1> behind_module;
  behind_module[0] = compiled;
  std::ranges::copy(positional, behind_module.begin() + 1);
  return call_with_registers(record, {behind_module.data(), positional.size() + 1});
}

std::optional<Value> Runner::call_with_registers(CompileRecord& record,
                                                 std::span<const Value> registers) {
  FunctionObject& function = *record.direct_function;
  if (registers.size() != function.code->parameters.size()) return std::nullopt;
  EntryPoint& point = *record.direct_entry;
  if (point.returns) {
    Value result = run_whole(point, {registers, &function, nullptr});
    if (result.defined() || interpreter_.raised()) return result;
  }
  if (point.eager || keeps_calls_) return std::nullopt;
  Ref<CompileRecord> keep(&record);
  Frame* base = interpreter_.push_frame(function, registers);
  return base ? run_frames(record, base) : Value();
}

void Runner::note_direct(CompileRecord& record, const Value& compiled, FunctionObject& function) {
  static const auto forward = intern("forward");
  bool by_position =
      std::ranges::all_of(function.code->parameters, [](const program::Parameter& parameter) {
        return parameter.kind == program::ParameterKind::kPositional ||
               parameter.kind == program::ParameterKind::kPositionalOnly;
      });
  if (!by_position) return;
  record.direct_class_version = 0;
  if (auto* module = compiled.try_as<InstanceObject>()) {
    Value* of_class = module->cls->lookup(forward.get());
    if (!of_class || of_class->object() != &function || has_own_call(*module)) return;
    record.direct_class_version = module->cls->version;
  } else if (compiled.object() != &function) {
    return;
  }
  record.direct_function = &function;
  record.direct_entry = &record.entry_points[{function.code.get(), 0}];
}

Value Runner::call(CompileRecord& record, const Value& compiled, std::span<const Value> positional,
                   std::span<const std::pair<StrObject*, Value>> keywords) {
  bool traced = interpreter_.tracer() && !interpreter_.tracer()->lets_regions_run();
  if (++record.calls == kCallsToWeigh) [[unlikely]]
    weigh(record);
  if (record.direct_entry && keywords.empty() && !traced && disabled_calls_ == 0 &&
      !autograd::anomaly_mode().enabled) [[likely]] {
    if (std::optional<Value> result = call_direct(record, compiled, positional)) return *result;
  }
  Ref<CompileRecord> keep(&record);
  if (keeps_calls_ && keywords.empty()) keep_sample(record, positional);
  auto [callable, arguments] = callee_of(interpreter_, compiled);
  if (callable.is_undefined()) return Value();
  arguments.insert(arguments.end(), positional.begin(), positional.end());
  auto* function = callable.try_as<FunctionObject>();
  if (!function || function->code->is_generator || traced)
    return interpreter_.call_with_keywords(callable, arguments, keywords);
  Ref<FunctionObject> kept(function);
  bool watched = autograd::anomaly_mode().enabled;
  if (record.options.disable || disabled_calls_ > 0 || watched) {
    if (watched && !record.options.disable) report_anomaly_mode(record, *function->code);
    UnderWay disabled(disabled_calls_);
    return call_uncompiled(*function, arguments, keywords);
  }
  std::vector<Value> registers;
  if (!interpreter_.bind_arguments(*function, arguments, keywords, registers)) return Value();
  Value result = run_function(record, *function, registers);
  note_direct(record, compiled, *function);
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
  UnderWay at_work(at_work_);
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
      if (!point.stretch_end) outcome = run_or_capture(record, point, base, top, result);
      if (outcome == Outcome::kRaised) return Value();
      if (outcome == Outcome::kReturned && top == base) return result;
      if (point.eager || outcome == Outcome::kGoesOnEagerly) return run_eagerly(base);
    }
    // It watches each operator on its own.
    if (autograd::anomaly_mode().enabled) {
      report_anomaly_mode(record, base->program());
      return run_eagerly(base);
    }
    if (take_branch(*interpreter_.top_frame())) continue;
    outcome = step_eagerly(record, base, result);
    if (outcome == Outcome::kRaised) return Value();
    if (outcome == Outcome::kReturned) return result;
  }
}

Runner::Outcome Runner::run_or_capture(CompileRecord& record, EntryPoint& point, Frame*& base,
                                       Frame* top, Value& result) {
  EntryState state{{top->registers, top->register_count()}, top->function, top->cells};
  Region* region = find(point, state);
  if (!region) {
    explain_miss(point, state);
    if (record.wrapped && stance_ != Stance::kDefault) return go_on_uncompiled(point, base, *top);
    if (record.wrapped && !point.regions.empty() && configured("error_on_recompile", 0) != 0)
      return refuse_recompile(base, *top);
    return capture(record, point, base, top, result);
  }
  if (keeps_inputs_) [[unlikely]]
    new_beginning(*region) = beginning_at(*top);
  Frame* entry = top;
  Outcome outcome = execute(*region, entry, result);
  if (top == base) base = entry;
  if (keeps_inputs_) [[unlikely]]
    let_go();
  return outcome;
}

void Runner::set_stance(Stance stance) {
  disabled_calls_ -= stance_ == Stance::kForceEager;
  stance_ = stance;
  disabled_calls_ += stance_ == Stance::kForceEager;
}

Runner::Outcome Runner::go_on_uncompiled(const EntryPoint& point, Frame* base, const Frame& top) {
  if (stance_ != Stance::kFailOnRecompile) return Outcome::kGoesOnEagerly;
  const program::Code& code = top.program();
  interpreter_.raise("RuntimeError",
                     fmt::format("Detected recompile when torch.compile stance is "
                                 "'fail_on_recompile'. filename: '{}', function name: '{}', line "
                                 "number: {}{}",
                                 file_of(code), code.name, code.span.line,
                                 point.regions.empty() ? "" : recompile_reason()));
  interpreter_.drop_frames(base);
  return Outcome::kRaised;
}

Runner::Outcome Runner::refuse_recompile(Frame* base, const Frame& top) {
  const program::Code& code = top.program();
  raise_compile_error("RecompileError",
                      fmt::format("Recompiling function {} in {}:{}{}", code.name, file_of(code),
                                  code.span.line, recompile_reason()));
  interpreter_.drop_frames(base);
  return Outcome::kRaised;
}

std::string_view Runner::file_of(const program::Code& code) const {
  return context_.sources && code.span.known() ? context_.sources->name(code.span.source)
                                               : std::string_view();
}

std::string Runner::recompile_reason() const {
  return fmt::format("\n    triggered by the following guard failure(s):\n    - {}",
                     misses("\n    - "));
}

bool Runner::take_branch(Frame& frame) {
  uint32_t pc = frame.position();
  const program::Instruction& at = frame.program().instructions[pc];
  bool branches = at.opcode == Opcode::kJumpIfTrue || at.opcode == Opcode::kJumpIfFalse;
  if (!branches || at.a.is_constant() || attention.load(std::memory_order_relaxed)) return false;
  const Value& condition = frame.registers[at.a.index()];
  if (!condition.is(kTensorKind)) return false;
  Tensor tensor(Ref<TensorImpl>(condition.as<TensorImpl>()));
  if (tensor.is_pending() || tensor.numel() != 1) return false;
  bool yes = tensor.item().to<bool>();
  interpreter_.jump_to(frame, yes == (at.opcode == Opcode::kJumpIfTrue) ? at.immediate : pc + 1);
  return true;
}

Runner::Outcome Runner::step_eagerly(CompileRecord& record, Frame* base, Value& result) {
  EagerSteps tracer(interpreter_, record, *base);
  RunEnd end = RunEnd::kReturned;
  {
    TracerScope tracing(interpreter_, &tracer);
    end = interpreter_.run_frames(base, result);
  }
  if (end == RunEnd::kRaised) return Outcome::kRaised;
  return end == RunEnd::kReturned ? Outcome::kReturned : Outcome::kContinues;
}

Value Runner::run_eagerly(Frame* base) {
  Value result;
  return interpreter_.run_frames(base, result) == RunEnd::kReturned ? result : Value();
}

}  // namespace glint::capture
