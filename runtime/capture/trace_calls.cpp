// What a call means to a trace: which callees the region takes in, and which end it.
//
//     torch.tensor([1.0, 2.0])    a constant of the graph, whose numbers are guarded
//     helper(x)                   a script's function: its frame is part of the region
//     map(print, items)           ends the region: it may stop half way
//
// What natives and operators do once they are entered is in trace_operators.cpp.

#include <fmt/format.h>

#include <algorithm>

#include "core/tensor/accelerator.h"
#include "runtime/capture/callee.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// Whether a tensor is the value, or an item of the lists and tuples that it is, or an object whose
/// items its class says (a `deque`, an array of NumPy): no guard sees what is read there. Lists
/// that nest deeper than a tensor has dimensions, or without an end, count as if they held one.
bool holds_more_than_numbers(const Value& value, int depth = 0) {
  constexpr int kDeepest = 128;
  if (value.is(kTensorKind) || value.is(kInstanceKind) || depth > kDeepest) return true;
  const std::vector<Value>* items = items_of(value);
  return items && std::any_of(items->begin(), items->end(), [depth](const Value& item) {
           return holds_more_than_numbers(item, depth + 1);
         });
}

bool names_attribute(const Effects& effects) {
  return effects.query == AttributeQuery::kValue || effects.query == AttributeQuery::kPresence;
}

}  // namespace

std::optional<Tracer::Step> Trace::literal_tensor(Frame& frame, uint32_t pc,
                                                  const program::Instruction& at) {
  auto* native = operand(frame, at.a).try_as<NativeFunctionObject>();
  if (!native || !native->effects.makes_tensor || at.opcode != Opcode::kCall) return std::nullopt;
  std::vector<Value> positional;
  std::vector<std::pair<StrObject*, Value>> keywords;
  auto operands = frame.program().tail(at);
  for (size_t i = 0; i < operands.size(); ++i) {
    const Value& value = operand(frame, operands[i]);
    if (holds_more_than_numbers(value)) return std::nullopt;
    if (!containers_.note_contents(value)) return Step::kStop;
    size_t first_keyword = operands.size() - at.keyword_count;
    if (i < first_keyword) {
      positional.push_back(value);
      continue;
    }
    const auto& names = operand(frame, at.keywords).as<TupleObject>()->items;
    keywords.emplace_back(names[i - first_keyword].as<StrObject>(), value);
  }
  if (positional.size() == 1 && keywords.empty() && holds_symbolic(positional[0])) {
    Tensor stacked = tensor_from_value(interpreter_, positional[0], std::nullopt);
    return stacked.defined() ? put(frame, pc, at, value_of(stacked)) : Step::kRaise;
  }
  Value callee(Ref<NativeFunctionObject>{native});
  Value made;
  {
    TracerScope untraced(interpreter_, nullptr);
    made = interpreter_.call_with_keywords(callee, positional, keywords);
  }
  if (made.is_undefined()) return Step::kRaise;
  Tensor tensor = tensor_of(made);
  if (tensor.requires_grad())
    return stop(DiagnosticId::kBreakGradient, "a tensor that requires gradients is made");
  return put(frame, pc, at, value_of(literal(tensor)));
}

Tensor Trace::literal(const Tensor& made) {
  if (!is_at(made.device())) {
    interpreter_.stop_trace();
    return Tensor();
  }
  TensorType type = TensorType::tensor(made.dtype(), {}, made.device());
  for (int64_t size : made.sizes()) type.sizes.push_back(size);
  const Tensor near = on_processor(made);
  const std::byte* data = near.raw_data();
  size_t bytes = static_cast<size_t>(near.numel()) * dtype_size(near.dtype());
  return tensor_of(made_.pending_tensor(
      made_.add_constant(std::move(type), {data, data + bytes}, places_.spans)));
}

std::optional<Tracer::Step> Trace::attribute_call(Frame& frame, uint32_t pc,
                                                  const program::Instruction& at) {
  auto* native = operand(frame, at.a).try_as<NativeFunctionObject>();
  auto operands = frame.program().tail(at);
  if (!native || !names_attribute(native->effects) || at.opcode != Opcode::kCall ||
      operands.size() < 2)
    return std::nullopt;
  const Value& object = operand(frame, operands[0]);
  auto* name = operand(frame, operands[1]).try_as<StrObject>();
  bool unknown = !is_outside(object) && !definition_reads_.is_definition(object) &&
                 !object.is(kInstanceKind) && !object.is(kSuperKind);
  if (!name || unknown) return std::nullopt;
  // What varies is a symbolic int here; that it is there is all that `hasattr` asks.
  bool asks = native->effects.query == AttributeQuery::kPresence;
  Step step = read_attribute(frame, pc, at, object, std::string(name->view()));
  if (step == Step::kRaise && interpreter_.pending_is("AttributeError")) {
    if (!asks && operands.size() < 3) return step;
    interpreter_.take_pending();
    return put(frame, pc, at, asks ? Value(false) : operand(frame, operands[2]));
  }
  if (step != Step::kDone || !asks) {
    if (step == Step::kRun) return std::nullopt;
    return step;
  }
  return put(frame, pc, at, Value(true));
}

Tracer::Step Trace::note_attribute(const Value& object, const std::string& name) {
  reads_plainly_ = true;
  Frame& frame = *interpreter_.top_frame();
  Step step = read_attribute(frame, 0, frame.program().instructions[0], object, name);
  reads_plainly_ = false;
  return step;
}

bool Trace::note_named_attribute(const NativeFunctionObject& native, const Value* arguments,
                                 size_t count) {
  bool known =
      count > 1 && (is_outside(arguments[0]) || definition_reads_.is_definition(arguments[0]) ||
                    arguments[0].is(kInstanceKind));
  if (!names_attribute(native.effects) || !known) return true;
  auto* attribute = arguments[1].try_as<StrObject>();
  if (!attribute) return true;
  Step step = note_attribute(arguments[0], std::string(attribute->view()));
  // It is the native that raises, or says that there is none.
  if (step == Step::kRaise) interpreter_.take_pending();
  return step != Step::kStop;
}

std::optional<Tracer::Step> Trace::entry_call(Frame& frame, uint32_t pc,
                                              const program::Instruction& at) {
  auto* bound = operand(frame, at.a).try_as<BoundNativeObject>();
  auto operands = frame.program().tail(at);
  bool gets = bound && bound->function->signature.name == "get" && bound->self.is<DictObject>() &&
              at.opcode == Opcode::kCall && at.keyword_count == 0 && !operands.empty() &&
              operands.size() <= 2;
  if (!gets || !can_test(operand(frame, operands[0]), bound->self)) return std::nullopt;
  const Value dict = bound->self;
  const Value& key = operand(frame, operands[0]);
  Value* found = find_key(dict, key);
  Value otherwise = operands.size() == 2 ? operand(frame, operands[1]) : Value::none();
  if (found && writes_.journal().wrote(dict.object(), key)) return put(frame, pc, at, *found);
  if (!found) {
    if (key_test(key, dict) == Step::kStop) return Step::kStop;
    return put(frame, pc, at, otherwise);
  }
  if (writes_.journal().written(dict.object())) note_key(key);
  SourceId entry = *entry_source(dict, key);
  if (!note_loaded(*found, entry)) return Step::kStop;
  return put(frame, pc, at, value_from(*found, entry));
}

bool Trace::may_construct(Frame& frame, const program::Instruction& at, std::string_view name) {
  auto arguments = frame.program().tail(at);
  if (arguments.empty()) return true;
  if (name == "range") {
    for (program::Operand each : arguments) {
      if (!operand(frame, each).is(kTensorKind)) continue;
      stop(DiagnosticId::kBreakTensorIteration, "`range` needs a tensor's value");
      return false;
    }
  }
  const Value& function = operand(frame, arguments[0]);
  bool maps = name == "map" || name == "filter";
  if (maps && (function.is<NativeFunctionObject>() || function.is<ClassObject>())) {
    // It may need a value when an item is taken already, and could not be run again.
    stop(DiagnosticId::kBreakImpureCall, fmt::format("`{}` calls a native for each item", name));
    return false;
  }
  return true;
}

Tracer::Step Trace::call_unpacked(Frame& frame, uint32_t pc, const program::Instruction& at) {
  if (contents(operand(frame, at.b), operand(frame, at.c), Contents::kItems) == Step::kStop)
    return Step::kStop;
  return call(frame, pc, at);
}

bool Trace::has_own_regions(const Value& callee) const {
  if (!options_.has_own_regions) return false;
  Value called = callee;
  if (auto* bound = callee.try_as<BoundMethodObject>()) called = bound->function;
  if (auto* instance = callee.try_as<InstanceObject>()) {
    Value* method = instance->cls->lookup("__call__");
    auto* script = method ? method->try_as<FunctionObject>() : nullptr;
    return script && (is_module_call(*script) || options_.has_own_regions(*script->code));
  }
  auto* script = called.try_as<FunctionObject>();
  return called.is<CompiledFunctionObject>() || (script && options_.has_own_regions(*script->code));
}

Tracer::Step Trace::call(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const Value& callee = operand(frame, at.a);
  CallAtWork call_at_work;
  if (auto* function = callee.try_as<FunctionObject>(); function && at.opcode == Opcode::kCall) {
    auto given = static_cast<uint32_t>(frame.program().tail(at).size());
    call_at_work = {function, given - at.keyword_count,
                    at.keyword_count ? operand(frame, at.keywords) : Value()};
  }
  definition_reads_.calls(std::move(call_at_work));
  if (has_own_regions(callee))
    return stop(DiagnosticId::kBreakInCallee, "a function is called that has regions of its own");
  if (std::optional<Step> step = literal_tensor(frame, pc, at)) return *step;
  if (std::optional<Step> step = attribute_call(frame, pc, at)) return *step;
  if (std::optional<Step> step = entry_call(frame, pc, at)) return *step;
  if (std::optional<Step> step = definition_reads_.insides_call(frame, at)) return *step;
  std::string_view builtin;
  if (auto* cls = callee.try_as<ClassObject>(); cls && cls->native) builtin = cls->name->view();
  if (auto* native = callee.try_as<NativeFunctionObject>()) builtin = native->signature.name;
  if (auto* cls = callee.try_as<ClassObject>(); cls && cls->lookup("__del__"))
    return stop(DiagnosticId::kBreakImpureCall,
                fmt::format("a `{}` is made, which has a `__del__`", cls->name->view()));
  if (!builtin.empty() && !may_construct(frame, at, builtin)) return Step::kStop;
  if (callee.is<CompiledFunctionObject>()) {
    kept_.push_back(callee);
    return unwrap_callee(frame, at)
               ? Step::kRun
               : stop(DiagnosticId::kBreakInCallee, "another compiled function is called");
  }
  const Value* function = &callee;
  if (auto* bound = callee.try_as<BoundMethodObject>()) function = &bound->function;
  if (auto* bound = callee.try_as<BoundNativeObject>()) method_call_ = bound->self.is(kTensorKind);
  if (auto* script = function->try_as<FunctionObject>(); script && is_disabled(*script))
    return stop(DiagnosticId::kBreakDisabled, fmt::format("`{}` is called{}", script->name->view(),
                                                          reason_of_disabling(*script)));
  if (auto* instance = callee.try_as<InstanceObject>(); instance && is_outside(callee)) {
    if (Value* method = instance->cls->lookup("__call__")) {
      return note(*method, member_source(*instance, "__call__")) ? Step::kRun : Step::kStop;
    }
  }
  return Step::kRun;
}

}  // namespace glint::capture
