#include "runtime/capture/script_stretch.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/interruption.h"
#include "core/tensor/copy.h"
#include "core/tensor/grad_mode.h"
#include "runtime/autograd/node.h"
#include "runtime/capture/callee.h"
#include "runtime/capture/eager_tracer.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// While it lives, the cells of the entry's frame, the objects that the region writes and the grad
/// mode are as the region found them.
class AsAtEntry {
 public:
  explicit AsAtEntry(const Beginning& begin)
      : begin_(begin), present_(begin.cell_values), grad_state_(grad_state()) {
    exchange();
    for (const SavedState& object : begin.objects) {
      present_objects_.push_back(save_state(object.object));
      restore_state(object);
    }
    for (const auto& [tensor, gradient] : begin.gradients) gradients_.push_back(gradient);
    exchange_gradients();
    set_grad_state(begin.grad_state);
  }
  ~AsAtEntry() {
    exchange_gradients();
    for (const SavedState& object : present_objects_) restore_state(object);
    exchange();
    set_grad_state(grad_state_);
  }
  AsAtEntry(const AsAtEntry&) = delete;
  AsAtEntry& operator=(const AsAtEntry&) = delete;

 private:
  void exchange() {
    for (size_t i = 0; i < present_.size(); ++i)
      if (begin_.frame.cells[i]) std::swap(begin_.frame.cells[i]->value, present_[i]);
  }

  void exchange_gradients() {
    for (size_t i = 0; i < gradients_.size(); ++i)
      std::swap(autograd::make_meta(begin_.gradients[i].first).gradient, gradients_[i]);
  }

  const Beginning& begin_;
  std::vector<Tensor> gradients_;  ///< until `exchange_gradients`: those of the entry
  std::vector<Value> present_;     ///< until `exchange`: those of the entry
  std::vector<SavedState> present_objects_;
  GradState grad_state_;
};

/// Runs everything eagerly up to the stretch's end, in callees too.
class UntilExit final : public EagerTracer {
 public:
  UntilExit(Interpreter& interpreter, const ScriptStretch& stretch, std::vector<Tensor>& outputs)
      : EagerTracer(interpreter), stretch_(stretch), outputs_(outputs) {}

  /// Callees are part of the stretch; but an attribute of a module from outside is set in one step,
  /// as in the trace, which does not look into `Module.__setattr__`.
  void pushed(Frame& frame) override {
    bool in_one_step = opcode_ == Opcode::kSetAttribute && frame.function &&
                       is_module_hook(*frame.function) &&
                       std::ranges::any_of(stretch_.targets, [&](const Value& target) {
                         return target.identical(frame.registers[0]);
                       });
    if (in_one_step) EagerTracer::pushed(frame);
  }

  Step step(Frame& frame, uint32_t pc) override {
    at_ = {at_.step + 1, 0};
    if (at_.step == stretch_.end_step) return Step::kStop;
    const program::Instruction& at = frame.program().instructions[pc];
    opcode_ = at.opcode;
    bool calls = at.opcode == Opcode::kCall || at.opcode == Opcode::kCallUnpacked;
    bool compiled =
        calls && at.a.is_register() && frame.registers[at.a.index()].is<CompiledFunctionObject>();
    if (compiled) unwrap_callee(frame, at);
    return Step::kRun;
  }

  void caught(Frame& frame, uint32_t exception) override { caught_ = frame.registers[exception]; }

  /// The last exception that the script handled itself; null: none.
  ExceptionObject* handled() const { return caught_.try_as<ExceptionObject>(); }

  bool call_operator(const ops::OpEntry& entry, std::span<const Value> arguments,
                     std::vector<Value>& results) override {
    OperatorCall call = {at_.step, at_.index++};
    auto effect = std::ranges::find(stretch_.effects, call, &EffectOutput::call);
    if (effect == stretch_.effects.end()) return false;
    TracerScope untraced(interpreter(), nullptr);
    Value result = interpreter().call_operator(entry, arguments);
    if (result.is_undefined()) return false;  // it raised
    results = result.is(kTensorKind) ? std::vector<Value>{result} : parts_of(result);
    // A copy: the script may write it later.
    outputs_[effect->output] = clone(tensor_of(results.back()));
    return true;
  }

 private:
  const ScriptStretch& stretch_;
  std::vector<Tensor>& outputs_;
  OperatorCall at_;
  Opcode opcode_ = Opcode::kMove;  ///< of the instruction at work
  Value caught_;
};

/// Reads the outputs from the frames where the stretch ends.
class Reader {
 public:
  Reader(const ScriptStretch& stretch, std::vector<Tensor>& outputs)
      : stretch_(stretch), outputs_(outputs), seen_(stretch.recipes.size(), false) {}

  void read(const FrameExit& exit, const Frame& frame) {
    if (exit.function) read(*exit.function, Value(Ref<FunctionObject>(frame.function)));
    for (auto [index, recipe] : exit.registers) read(recipe, frame.registers[index]);
    for (auto [index, recipe] : exit.cells)
      if (frame.cells[index]) read(recipe, Value(frame.cells[index]));
  }

  /// What lies where the region writes.
  void read_written() {
    for (size_t i = 0; i < stretch_.journal.size(); ++i) {
      const JournalEntry& entry = stretch_.journal[i];
      if (entry.kind == WriteKind::kSetCell) {
        read(entry.values[0], stretch_.begin.frame.cells[entry.cell_index]->value);
        continue;
      }
      std::vector<Value> values = values_of(entry, stretch_.targets[i]);
      for (size_t k = 0; k < std::min(values.size(), entry.values.size()); ++k)
        read(entry.values[k], values[k]);
    }
    for (const auto& [tensor, output] : stretch_.updates) outputs_[output] = tensor;
    for (const auto& [tensor, recipe] : stretch_.gradients)
      read(recipe, value_of(autograd::make_meta(tensor).gradient));
  }

 private:
  /// Puts the tensors of a value where the recipe says that they are outputs.
  void read(uint32_t number, const Value& value) {
    if (seen_[number]) return;
    seen_[number] = true;
    const Recipe& recipe = stretch_.recipes[number];
    if (recipe.kind == RecipeKind::kOutput && value.is(kTensorKind))
      outputs_[recipe.output] = tensor_of(value);
    std::vector<Value> parts = recipe.parts.empty() ? std::vector<Value>() : parts_of(value);
    for (size_t i = 0; i < std::min(parts.size(), recipe.parts.size()); ++i)
      read(recipe.parts[i], parts[i]);
  }

  const ScriptStretch& stretch_;
  std::vector<Tensor>& outputs_;
  std::vector<bool> seen_;
};

/// The frames from `base` to the top; empty where they do not stand as the region leaves them.
std::vector<Frame*> frames_at_exit(Interpreter& interpreter, Frame* base,
                                   const ScriptStretch& stretch) {
  std::vector<Frame*> frames;
  for (Frame* frame = interpreter.top_frame(); frame; frame = frame->caller) {
    frames.insert(frames.begin(), frame);
    if (frame == base) break;
  }
  bool same =
      std::ranges::equal(frames, stretch.frames, [](const Frame* frame, const FrameExit& exit) {
        return frame->code && frame->position() == exit.pc;
      });
  return same ? frames : std::vector<Frame*>();
}

/// The name of what an input of the region is found by.
std::string name_of(const Region& region, SourceId source, const char* otherwise) {
  const std::vector<Guard>& guards = region.guards->guards();
  auto guard = std::ranges::find(guards, source, &Guard::source);
  if (guard == guards.end()) return otherwise;
  return "`" + region.guard_sources[static_cast<size_t>(guard - guards.begin())] + "`";
}

/// The name of the first int or float that is another number now; empty: there is none.
std::string changed_number(const Region& region, const std::vector<int64_t>& now) {
  const std::vector<Guard>& guards = region.guards->guards();
  const std::vector<int64_t>& before = region.last_run->symbols;
  const auto has_changed = [&](const SizeGuard& size) {
    return size.binds && now[size.symbol] != before[size.symbol];
  };
  for (size_t i = 0; i < guards.size(); ++i)
    if (std::ranges::any_of(guards[i].sizes, has_changed) ||
        std::ranges::any_of(guards[i].strides, has_changed))
      return "`" + region.guard_sources[i] + "`";
  const std::vector<FloatStep>& steps = region.floats.program.steps();
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind != FloatStep::Kind::kSource) continue;
    bool same = region.guards->slot(steps[i].source)->identical(region.last_run->floats[i]);
    if (!same) return name_of(region, steps[i].source, "a float");
  }
  return "";
}

/// What is not as it was when the region ran; empty: the script goes the same way on the same
/// inputs.
std::string changed_since(const Region& region, std::vector<Value>& targets) {
  const LastRun& run = *region.last_run;
  AsAtEntry as_it_was(run.begin);
  const FrameSnapshot& frame = run.begin.frame;
  std::vector<int64_t> symbols(region.symbols.size());
  size_t failed =
      region.guards->check({frame.registers, frame.function.get(), frame.cells.data()}, symbols);
  if (failed != GuardProgram::kPassed) return "`" + region.guard_sources[failed] + "`";
  for (size_t i = 0; i < region.inputs.size(); ++i) {
    const Value& now = *region.guards->slot(region.inputs[i]);
    if (now.object() != &run.inputs[i].impl()) return name_of(region, region.inputs[i], "a tensor");
  }
  for (const JournalEntry& entry : region.journal)
    targets.push_back(entry.target ? *region.guards->slot(region.recipes[*entry.target].source)
                                   : Value());
  return changed_number(region, symbols);
}

std::string obstacle_of(const Region& region, std::vector<Value>& targets) {
  if (!region.last_run->begin.frame.function) return "it belongs to no function";
  if (region.frames.empty()) return "where it ends cannot be written down";
  bool writes_far = std::ranges::any_of(region.journal, &JournalEntry::of_callee);
  if (writes_far) return "it writes a variable that lies outside a function it calls";
  std::string changed = changed_since(region, targets);
  return changed.empty() ? "" : changed + " has changed since it ran";
}

}  // namespace

ScriptStretch stretch_of(const Region& region) {
  std::vector<Value> targets;
  std::string obstacle = obstacle_of(region, targets);
  std::vector<std::pair<Tensor, uint32_t>> updates, gradients;
  for (const InputUpdate& update : region.updates)
    updates.emplace_back(region.last_run->inputs[update.input], update.output);
  for (size_t i = 0; i < region.gradients.size(); ++i)
    gradients.emplace_back(region.last_run->begin.gradients[i].first, region.gradients[i].second);
  return {.begin = region.last_run->begin,
          .end_step = region.end_step,
          .frames = region.frames,
          .recipes = region.recipes,
          .effects = region.effects,
          .journal = region.journal,
          .targets = std::move(targets),
          .updates = std::move(updates),
          .gradients = std::move(gradients),
          .output_count = region.graph->outputs.size(),
          .obstacle = std::move(obstacle)};
}

Result<std::vector<Tensor>> run_stretch(Interpreter& interpreter, const ScriptStretch& stretch) {
  std::vector<Tensor> outputs(stretch.output_count);
  AsAtEntry as_it_was(stretch.begin);
  UntilExit tracer(interpreter, stretch, outputs);
  TracerScope tracing(interpreter, &tracer);
  Frame* base = interpreter.restore({&stretch.begin.frame, 1});
  Value result;
  RunEnd end = base ? interpreter.run_frames(base, result) : RunEnd::kRaised;
  if (end == RunEnd::kRaised) {
    // Asked for anew, for whom the stretch is only a part.
    if (interpreter.pending_is("KeyboardInterrupt")) interruption::request();
    auto raised = interpreter.take_pending();
    return Error{interpreter.format_exception(*raised)};
  }
  std::vector<Frame*> frames;
  if (end == RunEnd::kStopped) frames = frames_at_exit(interpreter, base, stretch);
  Reader reader(stretch, outputs);
  for (size_t i = 0; i < frames.size(); ++i) reader.read(stretch.frames[i], *frames[i]);
  if (!frames.empty()) reader.read_written();
  if (end == RunEnd::kStopped) interpreter.drop_frames(base);
  if (!frames.empty()) return outputs;
  // An operator's check failed where the region has none of its handler.
  if (ExceptionObject* handled = tracer.handled())
    return Error{interpreter.format_exception(*handled)};
  return std::vector<Tensor>();
}

}  // namespace glint::capture
