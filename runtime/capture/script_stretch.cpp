#include "runtime/capture/script_stretch.h"

#include <algorithm>

#include "core/tensor/grad_mode.h"
#include "runtime/capture/eager_tracer.h"
#include "runtime/interpreter/torch_modules.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// Whether the frame stands as the region leaves it. An instruction in a loop may be passed several
/// times: then the numbers that the region knew tell which of them it is.
bool is_exit(const Frame& frame, const ScriptStretch& stretch) {
  return std::ranges::all_of(stretch.exit.registers, [&](const auto& live) {
    const Recipe& recipe = stretch.recipes[live.second];
    return recipe.kind != RecipeKind::kConstant || !recipe.constant.is_int() ||
           recipe.constant.identical(frame.registers[live.first]);
  });
}

/// Runs everything eagerly up to the stretch's end.
class UntilExit final : public EagerTracer {
 public:
  UntilExit(Interpreter& interpreter, const ScriptStretch& stretch)
      : EagerTracer(interpreter), stretch_(stretch) {}

  Step step(Frame& frame, uint32_t pc) override {
    bool first = !began_;
    began_ = true;
    return !first && pc == stretch_.exit.pc && is_exit(frame, stretch_) ? Step::kStop : Step::kRun;
  }

 private:
  const ScriptStretch& stretch_;
  bool began_ = false;
};

/// Puts the tensors of a value where the recipe says that they are outputs.
void collect(const ScriptStretch& stretch, uint32_t number, const Value& value,
             std::vector<Tensor>& outputs) {
  const Recipe& recipe = stretch.recipes[number];
  if (recipe.kind == RecipeKind::kOutput && value.is(kTensorKind))
    outputs[recipe.output] = Tensor(Ref<TensorImpl>(value.as<TensorImpl>()));
  const std::vector<Value>* items = nullptr;
  if (auto* tuple = value.try_as<TupleObject>(); tuple && recipe.kind == RecipeKind::kTuple)
    items = &tuple->items;
  if (auto* list = value.try_as<ListObject>(); list && recipe.kind == RecipeKind::kList)
    items = &list->items;
  if (!items || items->size() != recipe.parts.size()) return;
  for (size_t i = 0; i < items->size(); ++i)
    collect(stretch, recipe.parts[i], (*items)[i], outputs);
}

bool has_own_cells(const program::Code& code) {
  return !std::ranges::all_of(code.cells, &program::CellInfo::is_free);
}

std::string obstacle_of(const Region& region) {
  const FrameSnapshot& entry = region.last_run->entry;
  if (!entry.function) return "it belongs to no function";
  if (region.frames.empty()) return "where it ends cannot be written down";
  if (region.frames.size() > 1) return "it ends inside a function that it calls";
  if (entry.pc > 0 && has_own_cells(*entry.function->code))
    return "inner functions share its variables";
  bool iterates = std::ranges::any_of(entry.registers, [](const Value& value) {
    return value.is(kIteratorKind) || value.is(kGeneratorKind);
  });
  return iterates ? "it begins inside a loop that has gone on" : "";
}

}  // namespace

ScriptStretch stretch_of(const Region& region) {
  ScriptStretch stretch;
  stretch.entry = region.last_run->entry;
  stretch.obstacle = obstacle_of(region);
  if (!region.frames.empty()) stretch.exit = region.frames[0];
  stretch.recipes = region.recipes;
  stretch.output_count = region.graph->outputs.size();
  return stretch;
}

Result<std::vector<Tensor>> run_stretch(Interpreter& interpreter, const ScriptStretch& stretch) {
  UntilExit tracer(interpreter, stretch);
  TracerScope tracing(interpreter, &tracer);
  bool grad = grad_mode();
  Frame* base = interpreter.restore({&stretch.entry, 1});
  Value result;
  RunEnd end = base ? interpreter.run_frames(base, result) : RunEnd::kRaised;
  std::vector<Tensor> outputs;
  if (end == RunEnd::kStopped) {
    outputs.resize(stretch.output_count);
    for (auto [index, recipe] : stretch.exit.registers)
      collect(stretch, recipe, base->registers[index], outputs);
    interpreter.drop_frames(base);
  }
  set_grad_mode(grad);
  if (end != RunEnd::kRaised) return outputs;
  auto raised = interpreter.take_pending();
  return Error{interpreter.format_exception(*raised)};
}

}  // namespace glint::capture
