// A region runs: its guards have passed; its code computes the outputs; then all that eager
// execution would have left is put there: versions, histories, attributes (the journal), the
// registers of the frames where the region ends.
//
//     y = x * 2                      code of the region      outputs[0]
//     self.calls += 1                journal                 self.calls = values[1]
//     print(y)                       the frame goes on at this instruction, `y` in its register
#include <optional>
#include <vector>

#include "core/support/profile.h"
#include "core/tensor/grad_mode.h"
#include "runtime/autograd/node.h"
#include "runtime/capture/executable.h"
#include "runtime/capture/runner.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// What a region has written over, until nothing more is needed of the region: the values above
/// those that were there, as a value that dies may run another region.
struct Dying {
  explicit Dying(std::vector<Value>& all) : values(all), begin(all.size()) {}
  ~Dying() {
    if (values.size() == begin) [[likely]]
      return;
    for (size_t i = begin, end = values.size(); i < end; ++i) Value last(std::move(values[i]));
    values.resize(begin);
  }
  Dying(const Dying&) = delete;
  Dying& operator=(const Dying&) = delete;

  std::vector<Value>& values;
  size_t begin;
};

/// What eager operators leave on tensors beside their elements: writes into inputs and their count,
/// bases of views, the mode that results were made in, and the history of what is differentiated.
void finish_outputs(Region& region, const std::optional<Generator>& drawn_from) {
  for (const InputUpdate& update : region.updates) {
    Tensor input(Ref<TensorImpl>(region.run_inputs[update.input].tensor));
    uint32_t version = input.version() + update.writes;
    write_update(input, region.outputs[update.output]);
    set_version(input, version);
  }
  for (uint32_t output : region.of_other_mode)
    region.outputs[output]->inference = !grad_state().inference;
  for (auto [output, version] : region.written_outputs)
    set_version(region.outputs[output], version);
  for (auto [output, version] : region.counted_apart) {
    region.outputs[output]->writes = make_ref<WriteCounter>();
    set_version(region.outputs[output], version);
  }
  for (const OutputBase& base : region.bases) set_base(base, region.run_inputs, region.outputs);
  for (const RegionGradients& taped : region.taped)
    attach_history(taped, {region.run_inputs, region.symbols, drawn_from}, region.outputs);
}

/// Puts what the region computed for `tensor.grad` there.
void assign_gradients(Region& region, std::vector<Value>& dying) {
  for (auto [source, recipe] : region.gradients) {
    Tensor tensor = tensor_of(*region.guards->slot(source));
    const Value& value = region.values[recipe];
    Tensor& gradient = autograd::make_meta(tensor).gradient;
    // Its history may hold hooks, and they objects that run script code when they die.
    if (gradient.defined()) dying.emplace_back(std::move(gradient).take());
    gradient = value.is_none() ? Tensor() : tensor_of(value);
  }
}

/// The frames above the entry frame, as they stand where the region ended.
std::vector<FrameSnapshot> frames_above(const Region& region, const std::vector<Value>& values) {
  std::vector<FrameSnapshot> frames;
  for (size_t i = 1; i < region.frames.size(); ++i) {
    const FrameExit& exit = region.frames[i];
    FrameSnapshot frame;
    frame.function = Ref<FunctionObject>(values[*exit.function].as<FunctionObject>());
    frame.pc = exit.pc;
    frame.registers.resize(frame.function->code->register_count);
    for (auto [index, recipe] : exit.registers) frame.registers[index] = values[recipe];
    // Its own cells; those of the closure come with the function.
    frame.cells.resize(frame.function->code->cells.size() - frame.function->closure.size());
    for (auto [index, recipe] : exit.cells)
      frame.cells[index] = Ref<CellObject>(values[recipe].as<CellObject>());
    frame.result_register = exit.result_register;
    frames.push_back(std::move(frame));
  }
  return frames;
}

}  // namespace

Region* Runner::find(EntryPoint& point, const EntryState& state) {
  for (auto& region : point.regions) {
    if (region->guards->check(state, region->symbols) == GuardProgram::kPassed) return region.get();
  }
  return nullptr;
}

Value Runner::run_whole(EntryPoint& point, const EntryState& state) {
  if (point.eager) return Value();
  Region* region = find(point, state);
  if (!region || !region->returned) return Value();
  if (keeps_inputs_) [[unlikely]]
    keep_beginning(*region, state);
  Dying dying(dying_);
  if (!run_region(*region, dying.values)) return Value();
  if (region->returned_output) {
    Value result(std::move(region->outputs[*region->returned_output]).take());
    region->outputs.clear();
    if (keeps_inputs_) [[unlikely]]
      let_go();
    return result;
  }
  Value result = std::move(region->values[*region->returned]);
  region->values.clear();
  if (keeps_inputs_) [[unlikely]]
    let_go();
  return result;
}

RunStatus Runner::run_script_backend(Region& region, GuardProgram::Held& held) {
  held = region.guards->hold();
  const std::vector<Value> floats = region.floats.values;
  UnderWay at_work(at_work_);
  RunStatus fault =
      run_executable(*region.executable, region.run_inputs, region.symbols, region.outputs);
  region.guards->point_at(held);
  region.floats.values = floats;
  return fault;
}

bool Runner::launch(Region& region, GuardProgram::Held& held,
                    std::optional<Generator>& drawn_from) {
  for (size_t i = 0; i < region.inputs.size(); ++i)
    region.run_inputs[i].tensor = region.guards->slot(region.inputs[i])->as<TensorImpl>();
  if (keeps_inputs_) [[unlikely]] {
    keep_written(region, region.run_inputs);
    keep_run(region, region.run_inputs, region.symbols, default_generator());
  }
  if (region.draws) [[unlikely]]
    drawn_from = default_generator();
  RunStatus fault;
  if (!region.executable->runs_script()) [[likely]] {
    fault = run_executable(*region.executable, region.run_inputs, region.symbols, region.outputs);
  } else {
    fault = run_script_backend(region, held);
  }
  if (!fault && !interpreter_.raised()) [[likely]]
    return true;
  if (drawn_from) default_generator() = *drawn_from;
  return false;
}

bool Runner::run_region(Region& region, std::vector<Value>& dying) {
  profile::Scope scope;
  if (profile::recording()) [[unlikely]]
    scope.begin("region", region_title(region.function, region.begin, region.number),
                {region.begin.known() ? region.begin : region.definition});
  GuardProgram::Held held;
  std::optional<Generator> drawn_from;
  bool has_floats = !region.floats.program.empty();
  if (has_floats && !region.floats.fill(interpreter_, *region.guards, region.symbols)) [[unlikely]]
    return false;
  if (region.executable && !launch(region, held, drawn_from)) [[unlikely]]
    return false;
  finish_outputs(region, drawn_from);
  ++*region.hits;
  last_region_ = &region;
  if (region.grad_state) [[unlikely]]
    set_grad_state(*region.grad_state);
  if (region.returned_output) {
    region.guards->release();
    return true;
  }
  rebuild(region.recipes, *region.guards, region.outputs, region.symbols, region.floats.values,
          region.values);
  if (keeps_inputs_) [[unlikely]]
    keep_gradients(region);
  assign_gradients(region, dying);
  region.outputs.clear();
  if (!region.journal.empty()) {
    if (keeps_inputs_) [[unlikely]]
      keep_objects(region);
    write_again(region.journal, region.values, *region.guards, dying);
  }
  region.guards->release();
  return true;
}

Runner::Outcome Runner::execute(Region& region, Frame*& base, Value& result) {
  Dying dying(dying_);
  if (!run_region(region, dying.values)) {
    if (interpreter_.raised()) {
      interpreter_.drop_frames(base);
      return Outcome::kRaised;
    }
    // Eager execution raises it, where the script can catch it.
    return Outcome::kGoesOnEagerly;
  }
  if (region.returned_output && base->then == Continuation::kExit) {
    result = Value(std::move(region.outputs[*region.returned_output]).take());
    region.outputs.clear();
    interpreter_.drop_frames(base);
    return Outcome::kReturned;
  }
  if (region.returned_output) {
    rebuild(region.recipes, *region.guards, region.outputs, region.symbols, region.floats.values,
            region.values);
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
  Frame* inner = interpreter_.restore(frames_above(region, values));
  if (!inner) return Outcome::kRaised;
  inner->then = Continuation::kStore;
  return Outcome::kContinues;
}

}  // namespace glint::capture
