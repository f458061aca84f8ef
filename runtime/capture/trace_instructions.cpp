// What each instruction of Program IR means to a trace: which outside values it reads, and whether
// it can run inside a region at all.
//
//     total = table["scale"] + x.sum()    item       table is from outside: its entry is guarded
//                                         attribute  of a tensor: nothing to guard
//                                         call       trace_calls.cpp
//                                         add        a tensor operator: `call_operator`
//     print(total)                        call       demands the value: the region ends
//
// A row of `InstructionRules` names the rule of an instruction, a row of `kBoundaries` an
// instruction that ends every region. Most instructions are in neither: they only compute on values
// that are noted already (scalars are guarded when they are loaded, tensors go through
// `call_operator`), and simply run.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "runtime/capture/trace.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/tensor_attributes.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// An instruction that ends every region, and how the break is explained.
struct Boundary {
  Opcode opcode;
  DiagnosticId id;
  std::string_view detail;
};

constexpr std::string_view kDefinesClass = "a class is defined";
constexpr std::string_view kImports = "a module is imported";
constexpr std::string_view kRaises = "an exception is raised";

constexpr Boundary kBoundaries[] = {
    {Opcode::kDeleteCell, DiagnosticId::kBreakUnsupportedValue, "a captured variable is deleted"},
    {Opcode::kName, DiagnosticId::kBreakUnsupportedValue, kDefinesClass},
    {Opcode::kSetName, DiagnosticId::kBreakUnsupportedValue, kDefinesClass},
    {Opcode::kDeleteName, DiagnosticId::kBreakUnsupportedValue, kDefinesClass},
    {Opcode::kClass, DiagnosticId::kBreakUnsupportedValue, kDefinesClass},
    {Opcode::kImport, DiagnosticId::kBreakImpureCall, kImports},
    {Opcode::kImportFrom, DiagnosticId::kBreakImpureCall, kImports},
    {Opcode::kImportStar, DiagnosticId::kBreakImpureCall, kImports},
    {Opcode::kRaise, DiagnosticId::kBreakException, kRaises},
    {Opcode::kReraise, DiagnosticId::kBreakException, kRaises},
};

const Boundary* boundary_of(Opcode opcode) {
  const auto* found = std::ranges::find(kBoundaries, opcode, &Boundary::opcode);
  return found == std::end(kBoundaries) ? nullptr : found;
}

}  // namespace

/// The rule of each instruction that has one.
struct Trace::InstructionRules {
  using Rule = Step (Trace::*)(Frame& frame, uint32_t pc, const program::Instruction& at);
  struct Row {
    Opcode opcode;
    Rule rule;
  };

  static constexpr Row kRows[] = {
      // Variables.
      {Opcode::kGlobal, &Trace::global},
      {Opcode::kSetGlobal, &Trace::set_global},
      {Opcode::kDeleteGlobal, &Trace::set_global},
      {Opcode::kMakeCell, &Trace::make_cell},
      {Opcode::kCell, &Trace::cell},
      {Opcode::kSetCell, &Trace::set_cell},
      // Operators.
      {Opcode::kNot, &Trace::truth},
      {Opcode::kAdd, &Trace::operands},
      {Opcode::kSubtract, &Trace::operands},
      {Opcode::kMultiply, &Trace::operands},
      {Opcode::kModulo, &Trace::operands},
      {Opcode::kBitAnd, &Trace::operands},
      {Opcode::kBitOr, &Trace::operands},
      {Opcode::kBitXor, &Trace::operands},
      {Opcode::kLess, &Trace::operands},
      {Opcode::kLessEqual, &Trace::operands},
      {Opcode::kEqual, &Trace::operands},
      {Opcode::kNotEqual, &Trace::operands},
      {Opcode::kGreater, &Trace::operands},
      {Opcode::kGreaterEqual, &Trace::operands},
      {Opcode::kAddInPlace, &Trace::operate_in_place},
      {Opcode::kSubtractInPlace, &Trace::operate_in_place},
      {Opcode::kMultiplyInPlace, &Trace::operate_in_place},
      {Opcode::kModuloInPlace, &Trace::operate_in_place},
      {Opcode::kBitAndInPlace, &Trace::operate_in_place},
      {Opcode::kBitOrInPlace, &Trace::operate_in_place},
      {Opcode::kBitXorInPlace, &Trace::operate_in_place},
      {Opcode::kIs, &Trace::identity},
      {Opcode::kIsNot, &Trace::identity},
      {Opcode::kIn, &Trace::membership},
      {Opcode::kNotIn, &Trace::membership},
      // Parts of objects.
      {Opcode::kAttribute, &Trace::attribute},
      {Opcode::kMethod, &Trace::attribute},
      {Opcode::kSetAttribute, &Trace::set_attribute},
      {Opcode::kDeleteAttribute, &Trace::set_attribute},
      {Opcode::kItem, &Trace::item},
      {Opcode::kSetItem, &Trace::set_item},
      {Opcode::kDeleteItem, &Trace::set_item},
      {Opcode::kUnpack, &Trace::iterate},
      {Opcode::kUnpackStar, &Trace::iterate},
      {Opcode::kMatchSequence, &Trace::match_sequence},
      {Opcode::kMatchKey, &Trace::match_key},
      {Opcode::kMatchClass, &Trace::match_class},
      // Displays.
      {Opcode::kSet, &Trace::display},
      {Opcode::kDict, &Trace::display},
      {Opcode::kListAppend, &Trace::fill_display},
      {Opcode::kListToTuple, &Trace::iterate},
      {Opcode::kListExtend, &Trace::fill_display},
      {Opcode::kSetAdd, &Trace::fill_display},
      {Opcode::kSetUpdate, &Trace::fill_display},
      {Opcode::kDictInsert, &Trace::fill_display},
      {Opcode::kDictUpdate, &Trace::fill_display},
      {Opcode::kDictMerge, &Trace::fill_display},
      {Opcode::kFormat, &Trace::format},
      // Control.
      {Opcode::kJumpIfTrue, &Trace::truth},
      {Opcode::kJumpIfFalse, &Trace::truth},
      {Opcode::kIterator, &Trace::iterate},
      {Opcode::kNext, &Trace::next},
      {Opcode::kYield, &Trace::suspend},
      {Opcode::kYieldFrom, &Trace::suspend},
      {Opcode::kMatchException, &Trace::operands},
      {Opcode::kEnterContext, &Trace::enter_context},
      {Opcode::kExitContext, &Trace::exit_context},
      {Opcode::kDisplay, &Trace::echo},
      // Calls and definitions.
      {Opcode::kCall, &Trace::call},
      {Opcode::kCallUnpacked, &Trace::call_unpacked},
      {Opcode::kFunction, &Trace::function},
  };

  static Rule of(Opcode opcode) {
    static constexpr auto kRules = [] {
      std::array<Rule, std::numeric_limits<uint8_t>::max() + 1> rules{};
      for (const Row& row : kRows) rules[static_cast<size_t>(row.opcode)] = row.rule;
      return rules;
    }();
    return kRules[static_cast<size_t>(opcode)];
  }
};

Tracer::Step Trace::instruction(Frame& frame, uint32_t pc, const program::Instruction& at) {
  std::optional<Step> on_floats;
  if (at.opcode == Opcode::kUnpack) on_floats = unpack_floats(frame, pc, at);
  if (at.opcode == Opcode::kCall) on_floats = call_on_floats(frame, pc, at);
  if (on_floats) return *on_floats;
  if (any_symbolic()) {
    if (std::optional<Step> done = size_instruction(frame, pc, at)) return *done;
  }
  if (auto rule = InstructionRules::of(at.opcode)) return (this->*rule)(frame, pc, at);
  if (const Boundary* boundary = boundary_of(at.opcode))
    return stop(boundary->id, std::string(boundary->detail));
  return Step::kRun;
}

Tracer::Step Trace::contents(const Value& value, Contents read) {
  return containers_.note_contents(value, read) ? Step::kRun : Step::kStop;
}

Tracer::Step Trace::contents(const Value& left, const Value& right, Contents read) {
  return containers_.note_contents(left, read) && containers_.note_contents(right, read)
             ? Step::kRun
             : Step::kStop;
}

// ---- Variables ---------------------------------------------------------------------------------

Tracer::Step Trace::load(Frame& frame, uint32_t pc, const program::Instruction& at,
                         const Value& value, SourceId source) {
  if (reads_plainly_) return containers_.note_plain(value, source) ? Step::kRun : Step::kStop;
  if (!note_loaded(value, source)) return Step::kStop;
  return is_symbolic(source) ? put(frame, pc, at, value_from(value, source)) : Step::kRun;
}

Tracer::Step Trace::global(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const std::string& name = frame.program().names[at.immediate];
  Value* found = frame.globals->find(std::string_view(name));
  if (writes_.journal().wrote(frame.globals, Value(intern(name)))) return Step::kRun;
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
  if (value.is_undefined() || writes_.journal().written(cell_object)) return Step::kRun;
  const std::string& name = frame.program().cells[at.immediate].name;
  std::optional<SourceId> source = cell_source(frame, at.immediate);
  if (!source)
    return stop(DiagnosticId::kBreakUnsupportedValue, fmt::format("the variable `{}`", name));
  writes_.meet_cell(cell_object, *source);
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

// ---- Operators ---------------------------------------------------------------------------------

Tracer::Step Trace::truth(Frame& frame, uint32_t, const program::Instruction& at) {
  return containers_.note_size(operand(frame, at.a)) ? Step::kRun : Step::kStop;
}

Tracer::Step Trace::operands(Frame& frame, uint32_t, const program::Instruction& at) {
  const Value& left = operand(frame, at.a);
  const Value& right = operand(frame, at.b);
  if (left.is(kTensorKind) || right.is(kTensorKind)) return Step::kRun;
  if (at.opcode == Opcode::kEqual || at.opcode == Opcode::kNotEqual) {
    for (const Value* each : {&left, &right}) {
      note_key(*each);
      note_keys(*each);
    }
  }
  bool joins = at.opcode == Opcode::kAdd || at.opcode == Opcode::kMultiply ||
               (at.opcode == Opcode::kBitOr && left.is<DictObject>());
  return contents(left, right, joins ? Contents::kItems : Contents::kAll);
}

Tracer::Step Trace::operate_in_place(Frame& frame, uint32_t, const program::Instruction& at) {
  const Value& target = operand(frame, at.a);
  bool container = target.is(kListKind) || target.is(kDictKind) || target.is(kSetKind);
  if (container && is_outside(target))
    return writes_.operate_on_container(target, at.opcode, operand(frame, at.b));
  if (target.is(kTensorKind)) return contents(operand(frame, at.b));
  bool joins = target.is(kListKind) || target.is(kTupleKind) || target.is(kDictKind);
  return contents(target, operand(frame, at.b), joins ? Contents::kItems : Contents::kAll);
}

Tracer::Step Trace::identity(Frame& frame, uint32_t, const program::Instruction& at) {
  note_identity(operand(frame, at.a), operand(frame, at.b));
  return Step::kRun;
}

// ---- Parts of objects --------------------------------------------------------------------------

Tracer::Step Trace::attribute(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const Value& object = operand(frame, at.a);
  const std::string& name = frame.program().names[at.immediate];
  if (object.is(kTensorKind)) {
    if (name == "grad") return gradients_.gradient(tensor_of(object));
    if (name == "data") return gradients_.data(frame, pc, at, object);
    if (name == "grad_fn")
      return stop(DiagnosticId::kBreakGradient, "`.grad_fn` of a tensor is read");
    return read_attribute(frame, pc, at, object, name);
  }
  return read_attribute(frame, pc, at, object, name);
}

Tracer::Step Trace::read_attribute(Frame& frame, uint32_t pc, const program::Instruction& at,
                                   const Value& object, const std::string& name) {
  if (object.is(kTensorKind)) {
    if (name == "__dict__")
      return stop(DiagnosticId::kBreakUnsupportedValue, "the `__dict__` of a tensor is read");
    // What the class has comes from there, and a tensor of the region's own has no more than that.
    bool of_class = name.starts_with("__") || class_of(object)->lookup(std::string_view(name));
    if (of_class || !is_outside(object)) return Step::kRun;
    return read_function_attribute(frame, pc, at, object,
                                   Ref<DictObject>(own_attributes(object, false)), name);
  }
  if (std::optional<Step> step = definition_reads_.read_insides(object, name)) return *step;
  if (!is_outside(object) && !definition_reads_.is_definition(object))
    return definition_reads_.read_inside_attribute(frame, pc, at, object, name);
  if (auto* module = object.try_as<ModuleObject>())
    return read_module_attribute(frame, pc, at, *module, name);
  if (auto* instance = object.try_as<InstanceObject>())
    return read_instance_attribute(frame, pc, at, *instance, name);
  if (auto* cls = object.try_as<ClassObject>())
    return read_class_attribute(frame, pc, at, *cls, name);
  if (auto* function = object.try_as<FunctionObject>())
    return read_function_attribute(frame, pc, at, object, function->attributes, name);
  if (auto* compiled = object.try_as<CompiledFunctionObject>())
    return read_function_attribute(frame, pc, at, object, compiled->attributes, name);
  return read_extra_attribute(frame, pc, at, object, name).value_or(Step::kRun);
}

Tracer::Step Trace::read_module_attribute(Frame& frame, uint32_t pc, const program::Instruction& at,
                                          const ModuleObject& module, const std::string& name) {
  Value object(Ref<ModuleObject>(const_cast<ModuleObject*>(&module)));
  SourceId parent = definition_reads_.adopt(object);
  Ref<StrObject> key = intern(name);
  Value* found = module.dict->find(key.get());
  if (writes_.journal().wrote(module.dict.get(), Value(key))) return Step::kRun;
  if (!found) {
    // Its loader makes it, which is no part of the region, and it is the same from then on.
    TracerScope untraced(interpreter_, nullptr);
    if (get_attribute(interpreter_, object, key->view()).is_undefined()) {
      if (interpreter_.pending_is("AttributeError"))
        add_guard({.kind = GuardKind::kAbsent, .source = parent, .name = name});
      return Step::kRaise;
    }
    found = module.dict->find(key.get());
    if (!found) return Step::kRun;
  }
  SourceId source = sources_.child(parent, SourceKind::kAttribute, name);
  // `math.pi` never changes.
  bool constant =
      found->is_float() && (module.name->view() == "math" || module.name->view() == "torch");
  if (constant) return note(*found, source) ? Step::kRun : Step::kStop;
  return load(frame, pc, at, *found, source);
}

Tracer::Step Trace::read_instance_attribute(Frame& frame, uint32_t pc,
                                            const program::Instruction& at,
                                            InstanceObject& instance, const std::string& name) {
  Value object{Ref<InstanceObject>(&instance)};
  SourceId parent = definition_reads_.adopt(object);
  Ref<StrObject> key = intern(name);
  if (has_hook(object, Special::kGetAttribute)) return Step::kRun;  // a call of it
  bool written = writes_.journal().wrote(&instance, Value(key));
  Value* in_class = instance.cls->lookup(key.get());
  bool claimed = in_class && is_read_first(*in_class);
  if (Value* own = instance.find(key.get()); own && !claimed) {
    definition_reads_.note_left_to_objects(*instance.cls, key);
    if (written) return Step::kRun;
    return load(frame, pc, at, *own, sources_.child(parent, SourceKind::kAttribute, name));
  }
  if (!written && !claimed) add_guard({.kind = GuardKind::kAbsent, .source = parent, .name = name});
  if (writes_.note_written_member(*instance.cls, key)) return Step::kRun;
  if (in_class) return load(frame, pc, at, *in_class, member_source(instance, name));
  // `__getattr__`, or an AttributeError.
  if (!name.starts_with("__")) definition_reads_.note_missing(*instance.cls, key);
  return Step::kRun;
}

Tracer::Step Trace::read_class_attribute(Frame& frame, uint32_t pc, const program::Instruction& at,
                                         const ClassObject& cls, const std::string& name) {
  Value object(Ref<ClassObject>(const_cast<ClassObject*>(&cls)));
  SourceId parent = definition_reads_.adopt(object);
  Ref<StrObject> key = intern(name);
  if (writes_.note_written_member(cls, key)) return Step::kRun;
  if (Value* found = cls.lookup(key.get()))
    return load(frame, pc, at, *found, sources_.child(parent, SourceKind::kAttribute, name));
  bool defined = name.starts_with("__");  // the class's definition says it
  if (!defined) add_guard({.kind = GuardKind::kAbsent, .source = parent, .name = name});
  return Step::kRun;
}

Tracer::Step Trace::read_function_attribute(Frame& frame, uint32_t pc,
                                            const program::Instruction& at, const Value& function,
                                            const Ref<DictObject>& attributes,
                                            const std::string& name) {
  SourceId parent = definition_reads_.adopt(function);
  Ref<StrObject> key = intern(name);
  if (writes_.journal().wrote(function.object(), Value(key))) return Step::kRun;
  Value* found = attributes ? attributes->find(key.get()) : nullptr;
  if (found)
    return load(frame, pc, at, *found, sources_.child(parent, SourceKind::kAttribute, name));
  add_guard({.kind = GuardKind::kAbsent, .source = parent, .name = name});
  return Step::kRun;
}

Tracer::Step Trace::item(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const Value& container = operand(frame, at.a);
  const Value& key = operand(frame, at.b);
  if (!containers_.note_contents(key)) return Step::kStop;
  if (container.is(kTensorKind)) return Step::kRun;
  if (!is_outside(container)) {
    if (!container.is<DictObject>()) return Step::kRun;
    note_key(key);
    note_keys(container);
    return Step::kRun;
  }
  const std::vector<Value>* items = items_of(container);
  if (items && key.is_integral()) {
    containers_.note_length(container);
    int64_t position = key.as_int();
    if (position < 0) position += static_cast<int64_t>(items->size());
    if (position < 0 || position >= static_cast<int64_t>(items->size())) return Step::kRun;
    return item_at(frame, pc, at, container, static_cast<size_t>(position));
  }
  if (container.is<DictObject>()) return read_entry(frame, pc, at, container, key);
  return containers_.note_contents(container) ? Step::kRun : Step::kStop;
}

Tracer::Step Trace::item_at(Frame& frame, uint32_t pc, const program::Instruction& at,
                            const Value& container, size_t position) {
  auto origin = static_cast<int64_t>(position);
  if (const Journal::Written* written = writes_.journal().written(container.object()))
    origin = written->known ? Journal::kOwn : written->origins[position];
  if (origin == Journal::kOwn) return Step::kRun;
  SourceId source =
      sources_.child(outside_source(container), SourceKind::kItem, static_cast<uint32_t>(origin));
  return load(frame, pc, at, (*items_of(container))[position], source);
}

Tracer::Step Trace::set_item(Frame& frame, uint32_t, const program::Instruction& at) {
  const Value& container = operand(frame, at.a);
  if (container.is(kTensorKind)) {
    if (at.opcode == Opcode::kSetItem)
      return containers_.note_contents(operand(frame, at.b)) &&
                     containers_.note_contents(operand(frame, at.c))
                 ? Step::kRun
                 : Step::kStop;
    return stop(DiagnosticId::kBreakMutation, "a part of a tensor is written");
  }
  if (!containers_.note_contents(operand(frame, at.b))) return Step::kStop;
  bool deletes = at.opcode == Opcode::kDeleteItem;
  bool fills = !deletes && operand(frame, at.b).is(kSliceKind);
  if (!is_outside(container))
    return fills ? contents(operand(frame, at.c), Contents::kItems) : Step::kRun;
  if (has_hook(container, deletes ? Special::kDelItem : Special::kSetItem)) return Step::kRun;
  return writes_.write_item(container, operand(frame, at.b),
                            deletes ? Value() : operand(frame, at.c));
}

// ---- Displays ----------------------------------------------------------------------------------

Tracer::Step Trace::display(Frame& frame, uint32_t, const program::Instruction& at) {
  // Elements and keys are hashed; a dict's values alternate with its keys.
  size_t stride = at.opcode == Opcode::kDict ? 2 : 1;
  auto operands = frame.program().tail(at);
  for (size_t i = 0; i < operands.size(); i += stride)
    if (!containers_.note_contents(operand(frame, operands[i]))) return Step::kStop;
  return Step::kRun;
}

Tracer::Step Trace::fill_display(Frame& frame, uint32_t, const program::Instruction& at) {
  if (is_outside(operand(frame, at.a)))
    return stop(DiagnosticId::kBreakMutation,
                "a display or comprehension that began before the region goes on");
  const Value& given = operand(frame, at.b);
  switch (at.opcode) {
    case Opcode::kListAppend:
      return Step::kRun;
    case Opcode::kListExtend:
    case Opcode::kDictUpdate:
    case Opcode::kDictMerge:
      return contents(given, Contents::kItems);
    default:
      return contents(given);  // hashed
  }
}

Tracer::Step Trace::format(Frame& frame, uint32_t, const program::Instruction& at) {
  const Value& value = operand(frame, at.a);
  if (value.is(kTensorKind)) return stop(DiagnosticId::kBreakTensorPrint, "a tensor is formatted");
  return contents(value);
}

// ---- Control -----------------------------------------------------------------------------------

Tracer::Step Trace::iterate(Frame& frame, uint32_t, const program::Instruction& at) {
  const Value& container = operand(frame, at.a);
  if (!items_of(container)) note_keys(container);
  bool walks = at.opcode == Opcode::kIterator && items_of(container) &&
               !container.as<Object>()->flag(Object::kSubclassed);
  return contents(container, walks ? Contents::kWalked : Contents::kKeys);
}

Tracer::Step Trace::next(Frame& frame, uint32_t pc, const program::Instruction& at) {
  if (!is_outside(operand(frame, at.a))) return next_float(frame, pc, at).value_or(Step::kRun);
  return stop(DiagnosticId::kBreakGenerator,
              begins_behind_break_ ? "an iterator that began before a break is advanced behind it"
                                   : "an iterator that began outside the function is advanced");
}

Tracer::Step Trace::suspend(Frame& frame, uint32_t, const program::Instruction& at) {
  if (&frame != entry_) {
    bool delegates = at.opcode == Opcode::kYieldFrom;
    return contents(delegates ? walked(operand(frame, at.a)) : Value(), Contents::kKeys);
  }
  return stop(DiagnosticId::kBreakGenerator, "the function is a generator");
}

// `__enter__` and `__exit__` of a script's class are calls like others. A manager from outside may
// write to itself, which cannot be half done.

Tracer::Step Trace::enter_context(Frame& frame, uint32_t, const program::Instruction& at) {
  const Value& manager = operand(frame, at.a);
  auto* instance = manager.try_as<InstanceObject>();
  if (instance && !instance->cls->native && !is_outside(manager)) return Step::kRun;
  return stop(DiagnosticId::kBreakImpureCall, "a `with` block begins");
}

Tracer::Step Trace::exit_context(Frame& frame, uint32_t, const program::Instruction& at) {
  auto* leave = operand(frame, at.a).try_as<BoundMethodObject>();
  bool by_exception = operand(frame, at.b).is_object();
  if (leave && !by_exception && !is_outside(leave->self)) return Step::kRun;
  return stop(DiagnosticId::kBreakImpureCall, "a `with` block ends");
}

Tracer::Step Trace::echo(Frame& frame, uint32_t, const program::Instruction& at) {
  const Value& value = operand(frame, at.a);
  if (value.is_none()) return Step::kRun;  // nothing is shown
  if (is_tensor(value)) return stop(DiagnosticId::kBreakTensorPrint, "a tensor is echoed");
  return stop(DiagnosticId::kBreakImpureCall, "a value is echoed");
}

Tracer::Step Trace::function(Frame& frame, uint32_t, const program::Instruction& at) {
  made_code_.insert(frame.program().functions[at.immediate].get());
  return Step::kRun;
}

}  // namespace glint::capture
