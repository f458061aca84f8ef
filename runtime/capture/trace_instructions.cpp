// What each instruction of Program IR means to a trace: which outside values it reads, and whether
// it can run inside a region at all.
//
// Most instructions only compute on values that are noted already (scalars are guarded when they
// are loaded, tensors go through `call_operator`), and simply run. The others are here.

#include <fmt/format.h>

#include <algorithm>

#include "runtime/capture/trace.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// Whether a tensor is the value, or an item of the lists and tuples that it is. Lists that nest
/// deeper than a tensor has dimensions, or without an end, count as if they held one.
bool holds_tensor(const Value& value, int depth = 0) {
  constexpr int kDeepest = 128;
  if (value.is(kTensorKind) || depth > kDeepest) return true;
  const std::vector<Value>* items = value.is<ListObject>()    ? &value.as<ListObject>()->items
                                    : value.is<TupleObject>() ? &value.as<TupleObject>()->items
                                                              : nullptr;
  return items && std::any_of(items->begin(), items->end(),
                              [depth](const Value& item) { return holds_tensor(item, depth + 1); });
}

}  // namespace

Tracer::Step Trace::instruction(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const program::Code& code = frame.program();
  auto a = [&]() -> const Value& { return operand(frame, at.a); };
  auto b = [&]() -> const Value& { return operand(frame, at.b); };
  auto contents = [&](const Value& value) {
    return note_contents(value) ? Step::kRun : Step::kStop;
  };
  if (shapes_.symbol_count() > 0) {
    if (std::optional<Step> done = size_instruction(frame, pc, at)) return *done;
  }
  switch (at.opcode) {
    case Opcode::kGlobal:
      return global(frame, pc, code, at);
    case Opcode::kCell:
      return cell(frame, pc, at);
    case Opcode::kMakeCell:
      return make_cell(frame, pc, at);
    case Opcode::kSetCell:
      if (inside_cells_.contains(frame.cells[at.immediate].get())) return Step::kRun;
      return stop(DiagnosticId::kBreakMutation,
                  fmt::format("the variable `{}` of an outer function is written",
                              code.cells[at.immediate].name));
    case Opcode::kSetGlobal:
    case Opcode::kDeleteGlobal:
      return stop(DiagnosticId::kBreakMutation,
                  fmt::format("the global `{}` is written", code.names[at.immediate]));
    case Opcode::kDeleteCell:
    case Opcode::kName:
    case Opcode::kSetName:
    case Opcode::kDeleteName:
    case Opcode::kClass:
      return stop(DiagnosticId::kBreakUnsupportedValue, "a class is defined");
    case Opcode::kImport:
    case Opcode::kImportFrom:
    case Opcode::kImportStar:
      return stop(DiagnosticId::kBreakImpureCall, "a module is imported");
    case Opcode::kDisplay:
      return stop(DiagnosticId::kBreakTensorPrint, "a value is echoed");
    case Opcode::kRaise:
    case Opcode::kReraise:
      return stop(DiagnosticId::kBreakException, "an exception is raised");
    case Opcode::kEnterContext:
      // `__enter__` and `__exit__` of a script's class are calls like others.
      // A manager from outside may write to itself, which cannot be half done.
      if (auto* manager = a().try_as<InstanceObject>();
          manager && !manager->cls->native && !is_outside(a()))
        return Step::kRun;
      return stop(DiagnosticId::kBreakImpureCall, "a `with` block begins");
    case Opcode::kExitContext:
      if (auto* leave = a().try_as<BoundMethodObject>();
          leave && !b().is_object() && !is_outside(leave->self))
        return Step::kRun;
      return stop(DiagnosticId::kBreakImpureCall, "a `with` block ends");
    case Opcode::kYield:
    case Opcode::kYieldFrom:
      if (&frame != entry_) return Step::kRun;
      return stop(DiagnosticId::kBreakGenerator, "the function is a generator");
    case Opcode::kAttribute:
    case Opcode::kMethod:
      return attribute(frame, pc, code, at);
    case Opcode::kSetAttribute:
    case Opcode::kDeleteAttribute:
      return set_attribute(frame, at);
    case Opcode::kItem:
      return item(frame, pc, at);
    case Opcode::kSetItem:
    case Opcode::kDeleteItem:
      if (a().is(kTensorKind))
        return stop(DiagnosticId::kBreakMutation, "a part of a tensor is written");
      if (is_outside(a()))
        return stop(DiagnosticId::kBreakMutation,
                    fmt::format("`{}` is changed", sources_.text(outside_source(a()))));
      return Step::kRun;
    case Opcode::kListAppend:
    case Opcode::kListExtend:
    case Opcode::kSetAdd:
    case Opcode::kSetUpdate:
    case Opcode::kDictInsert:
    case Opcode::kDictUpdate:
    case Opcode::kDictMerge:
      if (is_outside(a()))
        return stop(DiagnosticId::kBreakMutation,
                    "a display or comprehension that began before the region goes on");
      return contents(b());
    case Opcode::kAddInPlace:
    case Opcode::kMultiplyInPlace:
    case Opcode::kBitOrInPlace:
    case Opcode::kBitAndInPlace:
    case Opcode::kBitXorInPlace:
    case Opcode::kSubtractInPlace: {
      bool container = a().is(kListKind) || a().is(kDictKind) || a().is(kSetKind);
      if (container && is_outside(a())) {
        return stop(DiagnosticId::kBreakMutation,
                    fmt::format("`{}` is changed", sources_.text(outside_source(a()))));
      }
      return contents(b());
    }
    case Opcode::kIterator:
    case Opcode::kUnpack:
    case Opcode::kUnpackStar:
      return contents(a());
    case Opcode::kIs:
    case Opcode::kIsNot:
      note_identity(a(), b());
      return Step::kRun;
    case Opcode::kNext:
      if (!is_outside(a())) return Step::kRun;
      return stop(DiagnosticId::kBreakGenerator,
                  "an iterator that began outside the region is advanced");
    case Opcode::kIn:
    case Opcode::kNotIn:
      if (b().is<DictObject>() && is_outside(b()) && a().is<StrObject>()) return key_test(a(), b());
      if (a().is(kTensorKind) || b().is(kTensorKind)) return Step::kRun;
      if (!note_contents(a()) || !note_contents(b())) return Step::kStop;
      return Step::kRun;
    case Opcode::kAdd:
    case Opcode::kMultiply:
    case Opcode::kModulo:
    case Opcode::kLess:
    case Opcode::kLessEqual:
    case Opcode::kEqual:
    case Opcode::kNotEqual:
    case Opcode::kGreater:
    case Opcode::kGreaterEqual:
      if (a().is(kTensorKind) || b().is(kTensorKind)) return Step::kRun;
      if (!note_contents(a()) || !note_contents(b())) return Step::kStop;
      return Step::kRun;
    case Opcode::kNot:
    case Opcode::kJumpIfTrue:
    case Opcode::kJumpIfFalse:
      return note_length(a()) ? Step::kRun : Step::kStop;
    case Opcode::kFormat:
      if (a().is(kTensorKind))
        return stop(DiagnosticId::kBreakTensorPrint, "a tensor is formatted");
      return contents(a());
    case Opcode::kFunction:
      made_code_.insert(code.functions[at.immediate].get());
      return Step::kRun;
    case Opcode::kCall:
      return call(frame, pc, at);
    case Opcode::kCallUnpacked:
      if (!note_contents(b()) || !note_contents(operand(frame, at.c))) return Step::kStop;
      return call(frame, pc, at);
    default:
      return Step::kRun;
  }
}

Tracer::Step Trace::load(Frame& frame, uint32_t pc, const program::Instruction& at,
                         const Value& value, SourceId source) {
  if (!note(value, source)) return Step::kStop;
  bool varies = symbol_of_source_.contains(source);
  return varies ? put(frame, pc, at, value_from(value, source)) : Step::kRun;
}

Tracer::Step Trace::global(Frame& frame, uint32_t pc, const program::Code& code,
                           const program::Instruction& at) {
  const std::string& name = code.names[at.immediate];
  Value* found = frame.globals->find(std::string_view(name));
  SourceId source = SourceId::kNone;
  bool own = frame.globals == entry_->globals;
  if (!own && !frame.function)
    return stop(DiagnosticId::kBreakUnsupportedValue, "code without a function");
  if (own) {
    source = sources_.global(name);
  } else {
    source = sources_.child(object_source(Value(Ref<FunctionObject>(frame.function))),
                            SourceKind::kGlobalOf, name);
  }
  if (!found) {
    // Found among the builtins, as long as no global of that name hides it.
    Value globals(Ref<DictObject>(frame.globals));
    if (hidden_builtins_.emplace(globals.object(), name).second) {
      add_guard({.kind = GuardKind::kAbsent, .source = globals_source(globals), .name = name});
    }
    return Step::kRun;
  }
  return load(frame, pc, at, *found, source);
}

SourceId Trace::globals_source(const Value& globals) {
  auto [found, added] =
      object_index_.try_emplace(globals.object(), static_cast<uint32_t>(objects_.size()));
  if (added) objects_.push_back(globals);
  return sources_.object(found->second, "globals()");
}

Tracer::Step Trace::cell(Frame& frame, uint32_t pc, const program::Instruction& at) {
  CellObject* cell_object = frame.cells[at.immediate].get();
  if (!cell_object || inside_cells_.contains(cell_object)) return Step::kRun;
  const Value& value = cell_object->value;
  if (value.is_undefined()) return Step::kRun;
  const std::string& name = frame.program().cells[at.immediate].name;
  std::optional<SourceId> source = cell_source(frame, at.immediate);
  if (!source)
    return stop(DiagnosticId::kBreakUnsupportedValue, fmt::format("the variable `{}`", name));
  return load(frame, pc, at, value, *source);
}

std::optional<SourceId> Trace::cell_source(const Frame& frame, uint32_t index) {
  const CellObject* wanted = frame.cells[index].get();
  // A function that the region made closes over cells of the frames around it.
  for (const Frame* each = &frame; each; each = each->caller) {
    for (uint32_t i = 0; each->code && i < each->code->cell_count; ++i) {
      if (each->cells[i].get() != wanted) continue;
      const std::string& name = each->program().cells[i].name;
      if (each == entry_) return sources_.cell(i, name);
      bool closed = i >= each->code->own_cells && each->function;
      if (!closed || made_code_.contains(each->function->code.get())) continue;
      return sources_.child(function_source(each->function), SourceKind::kCellOf,
                            static_cast<uint32_t>(i - each->code->own_cells), name);
    }
    if (each == entry_) break;
  }
  return std::nullopt;
}

Tracer::Step Trace::make_cell(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const Value& content = operand(frame, at.a);
  auto made = at.a.none() ? make_ref<CellObject>() : make_ref<CellObject>(content);
  inside_cells_.insert(made.get());
  kept_.push_back(Value(made));
  frame.cells[at.immediate] = std::move(made);
  interpreter_.jump_to(frame, pc + 1);
  return Step::kDone;
}

Tracer::Step Trace::attribute(Frame& frame, uint32_t pc, const program::Code& code,
                              const program::Instruction& at) {
  const Value& object = operand(frame, at.a);
  const std::string& name = code.names[at.immediate];
  if (object.is(kTensorKind)) {
    if (name == "grad" || name == "data" || name == "grad_fn") {
      return stop(DiagnosticId::kBreakGradient, fmt::format("`.{}` of a tensor is read", name));
    }
    return Step::kRun;
  }
  if (!is_outside(object)) return Step::kRun;
  SourceId parent = outside_source(object);
  Ref<StrObject> key = intern(name);
  if (auto* module = object.try_as<ModuleObject>()) {
    Value* found = module->dict->find(key.get());
    if (!found) {
      // Its loader makes it, which is no part of the region, and it is the same from then on.
      interpreter_.set_tracer(nullptr);
      Value made = get_attribute(interpreter_, object, key->view());
      interpreter_.set_tracer(this);
      if (made.is_undefined()) return Step::kRaise;
      found = module->dict->find(key.get());
      if (!found) return Step::kRun;
    }
    return load(frame, pc, at, *found, sources_.child(parent, SourceKind::kAttribute, name));
  }
  if (auto* instance = object.try_as<InstanceObject>()) {
    if (Value* own = instance->find(key.get())) {
      return load(frame, pc, at, *own, sources_.child(parent, SourceKind::kAttribute, name));
    }
    add_guard({.kind = GuardKind::kAbsent, .source = parent, .name = name});
    if (Value* found = instance->cls->lookup(key.get())) {
      return load(frame, pc, at, *found, sources_.child(parent, SourceKind::kMember, name));
    }
    return Step::kRun;  // `__getattr__`, or an AttributeError
  }
  if (auto* cls = object.try_as<ClassObject>()) {
    Value* found = cls->lookup(key.get());
    if (!found) return Step::kRun;
    return load(frame, pc, at, *found, sources_.child(parent, SourceKind::kAttribute, name));
  }
  return Step::kRun;
}

Tracer::Step Trace::set_attribute(Frame& frame, const program::Instruction& at) {
  const Value& object = operand(frame, at.a);
  if (object.is(kTensorKind))
    return stop(DiagnosticId::kBreakMutation, "an attribute of a tensor is written");
  bool inside = object.is(kInstanceKind) && !is_outside(object);
  if (inside) return Step::kRun;
  std::string name = is_outside(object) ? sources_.text(outside_source(object)) : type_name(object);
  return stop(DiagnosticId::kBreakMutation, fmt::format("an attribute of `{}` is written", name));
}

Tracer::Step Trace::item(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const Value& container = operand(frame, at.a);
  const Value& key = operand(frame, at.b);
  if (!is_outside(container) || container.is(kTensorKind)) return Step::kRun;
  SourceId parent = outside_source(container);
  const std::vector<Value>* items = container.is<ListObject>() ? &container.as<ListObject>()->items
                                    : container.is<TupleObject>()
                                        ? &container.as<TupleObject>()->items
                                        : nullptr;
  if (items && key.is_integral()) {
    note_length(container);
    int64_t position = key.as_int();
    if (position < 0) position += static_cast<int64_t>(items->size());
    if (position < 0 || position >= static_cast<int64_t>(items->size())) return Step::kRun;
    SourceId source = sources_.child(parent, SourceKind::kItem, static_cast<uint32_t>(position));
    return load(frame, pc, at, (*items)[static_cast<size_t>(position)], source);
  }
  auto* name = key.try_as<StrObject>();
  if (auto* dict = container.try_as<DictObject>(); dict && name) {
    Value* found = dict->find(name);
    if (!found) {
      add_guard({.kind = GuardKind::kAbsent, .source = parent, .name = std::string(name->view())});
      return Step::kRun;
    }
    return load(frame, pc, at, *found, sources_.child(parent, SourceKind::kEntry, name->view()));
  }
  return note_contents(container) ? Step::kRun : Step::kStop;
}

std::optional<Tracer::Step> Trace::literal_tensor(Frame& frame, uint32_t pc,
                                                  const program::Instruction& at) {
  auto* native = operand(frame, at.a).try_as<NativeFunctionObject>();
  bool literal =
      native && native->signature.name == "tensor" && !native->owner && at.opcode == Opcode::kCall;
  if (!literal) return std::nullopt;
  std::vector<Value> positional;
  std::vector<std::pair<StrObject*, Value>> keywords;
  auto operands = frame.program().tail(at);
  for (size_t i = 0; i < operands.size(); ++i) {
    const Value& value = operand(frame, operands[i]);
    if (holds_tensor(value)) return std::nullopt;
    if (!note_contents(value)) return Step::kStop;
    size_t first_keyword = operands.size() - at.keyword_count;
    if (i < first_keyword) {
      positional.push_back(value);
      continue;
    }
    const auto& names = operand(frame, at.keywords).as<TupleObject>()->items;
    keywords.emplace_back(names[i - first_keyword].as<StrObject>(), value);
  }
  Value callee(Ref<NativeFunctionObject>{native});
  interpreter_.set_tracer(nullptr);
  Value made = interpreter_.call_with_keywords(callee, positional, keywords);
  interpreter_.set_tracer(this);
  if (made.is_undefined()) return Step::kRaise;
  Tensor tensor = tensor_of(made);
  if (tensor.requires_grad())
    return stop(DiagnosticId::kBreakGradient, "a tensor that requires gradients is made");
  TensorType type = TensorType::tensor(tensor.dtype(), {});
  for (int64_t size : tensor.sizes()) type.sizes.push_back(size);
  const std::byte* data = tensor.raw_data();
  size_t bytes = static_cast<size_t>(tensor.numel()) * dtype_size(tensor.dtype());
  glint::Value node =
      graph_.add_constant("tensor", std::move(type), {data, data + bytes}, {at.span});
  inside_constants_.insert(static_cast<uint32_t>(index(node.node)));
  return put(frame, pc, at, pending_tensor(node));
}

Tracer::Step Trace::key_test(const Value& key, const Value& dict) {
  auto* name = key.as<StrObject>();
  SourceId parent = outside_source(dict);
  if (Value* found = dict.as<DictObject>()->find(name)) {
    SourceId entry = sources_.child(parent, SourceKind::kEntry, name->view());
    return note(*found, entry) ? Step::kRun : Step::kStop;
  }
  add_guard({.kind = GuardKind::kAbsent, .source = parent, .name = std::string(name->view())});
  return Step::kRun;
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

Tracer::Step Trace::call(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const Value& callee = operand(frame, at.a);
  if (std::optional<Step> step = literal_tensor(frame, pc, at)) return *step;
  std::string_view builtin;
  if (auto* cls = callee.try_as<ClassObject>(); cls && cls->native) builtin = cls->name->view();
  if (auto* native = callee.try_as<NativeFunctionObject>()) builtin = native->signature.name;
  if (!builtin.empty() && !may_construct(frame, at, builtin)) return Step::kStop;
  if (auto* compiled = callee.try_as<CompiledFunctionObject>()) {
    // A compiled function inside a region is part of it.
    bool temporary = at.a.is_register() && at.a.index() >= frame.program().local_names.size();
    if (!temporary)
      return stop(DiagnosticId::kBreakInCallee, "another compiled function is called");
    Value function = compiled->function;
    kept_.push_back(callee);
    frame.registers[at.a.index()] = function;
    return Step::kRun;
  }
  const Value* function = &callee;
  if (auto* bound = callee.try_as<BoundMethodObject>()) function = &bound->function;
  if (auto* bound = callee.try_as<BoundNativeObject>()) method_call_ = bound->self.is(kTensorKind);
  if (auto* script = function->try_as<FunctionObject>()) {
    Value* disabled =
        script->attributes ? script->attributes->find("_torchdynamo_disable") : nullptr;
    if (disabled)
      return stop(DiagnosticId::kBreakDisabled,
                  fmt::format("`{}` is called", script->name->view()));
  }
  if (auto* instance = callee.try_as<InstanceObject>(); instance && is_outside(callee)) {
    if (Value* method = instance->cls->lookup("__call__")) {
      return note(*method, sources_.child(outside_source(callee), SourceKind::kMember, "__call__"))
                 ? Step::kRun
                 : Step::kStop;
    }
  }
  return Step::kRun;
}

}  // namespace glint::capture
