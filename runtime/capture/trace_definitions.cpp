// Classes and functions in a trace, and what belongs to them, where no instruction loads it.
//
//     def scale(x, table=CONF): ...
//     scale(x)                    CONF is read: scale.__defaults__[0] is a source
//     type(self).rate             the class was there before the region: `rate` is guarded
//     super().forward(x)          the class behind, and its `forward`
//     vars(o)["v"]                an entry of o.__dict__
//
// A class or function from outside that is reached by a computation (`type(x)`) is the same one
// whenever the guards on what it was computed from hold. So the region keeps it alive and reads its
// attributes from there; `Definition` (guard.h) watches what is looked up without a reading.

#include <fmt/format.h>

#include <algorithm>

#include "runtime/capture/trace.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// Whether nothing in the object can change: the function's version says which one it is.
bool never_changes(const Value& value) {
  return !value.is_object() || value.is(kStrKind) || value.is(kBytesKind) ||
         value.is(kBigIntKind) || value.is(kComplexKind) || value.is(kRangeKind) ||
         value.is(kDTypeKind) || value.is(kDeviceKind) || value.is(kNativeFunctionKind);
}

}  // namespace

// ---- Defaults ----------------------------------------------------------------------------------

bool DefinitionReads::note_defaults(Frame& frame) {
  FunctionObject* function = frame.function;
  bool any = function && (!function->defaults.empty() || function->keyword_defaults);
  if (!any || trace_.made_inside(*function)) return true;
  return note_defaults_of(frame, adopt(Value(Ref<FunctionObject>(function))));
}

bool DefinitionReads::note_defaults_of(Frame& frame, SourceId source) {
  // Which arguments were left out is not known any more: what looks like a default is guarded.
  const FunctionObject& function = *frame.function;
  const FunctionCode& code = *frame.code;
  size_t count = std::min<size_t>(code.positional, function.defaults.size());
  for (size_t i = 0; i < count; ++i) {
    const Value& value = function.defaults[i];
    const Value& argument = frame.registers[code.positional - count + i];
    auto place = static_cast<uint32_t>(code.positional - count + i);
    if (value.is_int() && trace_.is_made_anew(function, source)) {
      if (!note_default_int(frame, static_cast<uint32_t>(i), place, source)) return false;
      continue;
    }
    if (never_changes(value) || !argument.identical(value)) continue;
    SourceId part = trace_.sources_.child(source, SourceKind::kDefault, static_cast<uint32_t>(i));
    if (!trace_.note(value, part)) return false;
  }
  if (!function.keyword_defaults) return true;
  for (size_t i = code.positional; i < code.parameter_names.size(); ++i) {
    const Ref<StrObject>& name = code.parameter_names[i];
    Value* value = function.keyword_defaults->find(name.get());
    if (!value || !frame.registers[i].identical(*value)) continue;
    SourceId part = trace_.sources_.child(source, SourceKind::kKeywordDefault, name->view());
    if (!trace_.containers_.note_plain(*value, part)) return false;
  }
  return true;
}

bool DefinitionReads::note_default_int(Frame& frame, uint32_t number, uint32_t place,
                                       SourceId source) {
  const Value& value = frame.function->defaults[number];
  SourceId part = trace_.sources_.child(source, SourceKind::kDefault, number);
  bool known = called_.function == frame.function;
  if (!known) return trace_.containers_.note_plain(value, part);
  const Ref<StrObject>& name = frame.code->parameter_names[place];
  const std::vector<Value>* names = items_of(called_.keywords);
  auto is_it = [&](const Value& each) { return each.as<StrObject>()->view() == name->view(); };
  bool given = place < called_.positional || (names && std::ranges::any_of(*names, is_it));
  if (given) return true;
  if (!trace_.note_loaded(value, part)) return false;
  frame.registers[place] = trace_.value_from(value, part);
  return true;
}

const Value* DefinitionReads::symbolic_slice(SourceId source) const {
  auto found = slice_of_source_.find(source);
  return found == slice_of_source_.end() ? nullptr : &found->second;
}

bool DefinitionReads::note_slice_plain(const Value& slice, SourceId source) {
  if (!trace_.note(slice, source)) return false;
  auto* object = slice.as<SliceObject>();
  const Value* bounds[] = {&object->start, &object->stop, &object->step};
  for (uint32_t i = 0; i < 3; ++i)
    if (!trace_.containers_.note_plain(*bounds[i],
                                       trace_.sources_.child(source, SourceKind::kBound, i)))
      return false;
  return true;
}

bool DefinitionReads::note_slice(const Value& slice, SourceId source) {
  auto* object = slice.as<SliceObject>();
  // Its second source: `note_same` says that it is the same one.
  if (auto first = slice_of_source_.find(trace_.outside_source(slice));
      first != slice_of_source_.end()) {
    slice_of_source_.emplace(source, first->second);
    return true;
  }
  trace_.add_guard({.kind = GuardKind::kType,
                    .source = source,
                    .expected = Value(Ref<ClassObject>(class_of(slice))),
                    .object_kind = kSliceKind});
  const Value* bounds[] = {&object->start, &object->stop, &object->step};
  bool varies = false;
  Value parts[3];
  for (uint32_t i = 0; i < 3; ++i) {
    SourceId part = trace_.sources_.child(source, SourceKind::kBound, i);
    if (!trace_.note(*bounds[i], part)) return false;
    varies = varies || trace_.sizes_.of_source.contains(part);
    parts[i] = trace_.value_from(*bounds[i], part);
  }
  if (!varies) return true;
  // The region sees one with symbolic bounds, which stands for the other: it is from outside too.
  Value symbolic(make_ref<SliceObject>(parts[0], parts[1], parts[2]));
  trace_.outside_.emplace(symbolic.object(), source);
  slice_of_source_.emplace(source, std::move(symbolic));
  return true;
}

// ---- Classes and functions ---------------------------------------------------------------------

bool DefinitionReads::is_definition(const Value& object) const {
  if (auto* function = object.try_as<FunctionObject>())
    return !trace_.made_code_.contains(function->code.get());
  if (auto* cls = object.try_as<ClassObject>()) return !cls->native;
  return object.is(kModuleKind) || object.is(kCompiledFunctionKind);
}

SourceId DefinitionReads::adopt(const Value& definition) {
  if (trace_.is_outside(definition)) return trace_.outside_source(definition);
  SourceId source = trace_.object_source(definition);
  trace_.note(definition, source);  // its identity alone: nothing that could not be traced
  return source;
}

Definition* DefinitionReads::guarded(const ClassObject& cls) {
  if (cls.native) return nullptr;
  if (!trace_.definitions_.contains(&cls))
    adopt(Value(Ref<ClassObject>(const_cast<ClassObject*>(&cls))));
  auto found = trace_.definitions_.find(&cls);
  return found == trace_.definitions_.end() ? nullptr : found->second.get();
}

void DefinitionReads::note_missing(const ClassObject& cls, const Ref<StrObject>& name,
                                   const ClassObject* before) {
  Definition* definition = &cls == before ? nullptr : guarded(cls);
  if (!definition) return;
  auto same = [&](const Definition::Missing& each) {
    return each.name == name && each.before == before;
  };
  if (std::ranges::none_of(definition->missing, same))
    definition->missing.push_back({name, before});
}

void DefinitionReads::note_left_to_objects(const ClassObject& cls, const Ref<StrObject>& name) {
  // The special methods of a class are guarded one by one.
  Definition* definition = name->view().starts_with("__") ? nullptr : guarded(cls);
  if (!definition) return;
  // An object without a `__set__` may get one: its class is guarded.
  Value* found = cls.lookup(name.get());
  if (found && found->is<InstanceObject>()) {
    SourceId source = adopt(definition->of);
    trace_.note(*found, trace_.sources_.child(source, SourceKind::kAttribute, name->view()));
  }
  if (std::ranges::find(definition->left_to_objects, name) == definition->left_to_objects.end())
    definition->left_to_objects.push_back(name);
}

Tracer::Step DefinitionReads::read_inside_attribute(Frame& frame, uint32_t pc,
                                                    const program::Instruction& at,
                                                    const Value& object, const std::string& name) {
  if (auto* super = object.try_as<SuperObject>())
    return read_super_attribute(frame, pc, at, *super, name);
  auto* instance = object.try_as<InstanceObject>();
  Ref<StrObject> key = intern(name);
  if (!instance || instance->cls->native) return Step::kRun;
  Value* found = instance->cls->lookup(key.get());
  SourceId cls = adopt(Value(Ref<ClassObject>(instance->cls)));
  // The class's definition says it.
  if (name.starts_with("__") || trace_.has_hook(object, Special::kGetAttribute)) return Step::kRun;
  if (instance->find(key.get()) && !(found && is_read_first(*found))) {
    note_left_to_objects(*instance->cls, key);
    return Step::kRun;
  }
  if (trace_.writes_.note_written_member(*instance->cls, key)) return Step::kRun;
  if (found)
    return trace_.load(frame, pc, at, *found,
                       trace_.sources_.child(cls, SourceKind::kAttribute, name));
  trace_.add_guard({.kind = GuardKind::kAbsent, .source = cls, .name = name});
  return Step::kRun;
}

Tracer::Step DefinitionReads::read_super_attribute(Frame& frame, uint32_t pc,
                                                   const program::Instruction& at,
                                                   const SuperObject& object,
                                                   const std::string& name) {
  auto* receiver = object.self.try_as<ClassObject>();
  // In a method of a metaclass, `self` is a class as well.
  const bool of_class = receiver && receiver->is_subclass_of(object.cls.get());
  const std::vector<ClassObject*>& order = (of_class ? receiver : class_of(object.self))->order;
  auto from = std::ranges::find(order, object.cls.get());
  if (from == order.end()) return Step::kRun;
  Ref<StrObject> key = intern(name);
  auto has = [&](const ClassObject* each) {
    return trace_.writes_.journal().wrote(each, Value(key)) || each->dict->find(key.get());
  };
  auto found = std::find_if(from + 1, order.end(), has);
  ClassObject* owner = found == order.end() ? nullptr : *found;
  if (from + 1 != order.end()) note_missing(**(from + 1), key, owner);
  if (!owner || owner->native || trace_.writes_.journal().wrote(owner, Value(key)))
    return Step::kRun;
  SourceId cls = adopt(Value(Ref<ClassObject>(owner)));
  return trace_.load(frame, pc, at, *owner->dict->find(key.get()),
                     trace_.sources_.child(cls, SourceKind::kAttribute, name));
}

// ---- What is inside of an object ---------------------------------------------------------------

std::optional<Tracer::Step> DefinitionReads::read_insides(const Value& object,
                                                          const std::string& name) {
  static constexpr std::string_view kOfFunctions[] = {
      "__defaults__", "__kwdefaults__", "__closure__", "__globals__", "__annotations__"};
  bool known = trace_.is_outside(object) || is_definition(object);
  if (object.is(kExceptionKind) && trace_.is_outside(object))
    return trace_.stop(DiagnosticId::kBreakUnsupportedValue, "an exception from outside is read");
  if (object.is(kCellKind))
    return trace_.stop(DiagnosticId::kBreakUnsupportedValue, "what a cell holds is read");
  if (!known || !name.starts_with("__")) return std::nullopt;
  bool callable =
      object.is(kFunctionKind) || object.is(kBoundMethodKind) || object.is(kCompiledFunctionKind);
  if (object.is(kFunctionKind) && name == "__defaults__") return read_defaults(object);
  if (callable && std::ranges::find(kOfFunctions, name) != std::end(kOfFunctions))
    return trace_.stop(DiagnosticId::kBreakUnsupportedValue,
                       fmt::format("the `{}` of a function is read", name));
  if (name == "__dict__") return read_own_dict(object);
  return std::nullopt;
}

Tracer::Step DefinitionReads::read_defaults(const Value& object) {
  SourceId source = adopt(object);
  const std::vector<Value>& defaults = object.as<FunctionObject>()->defaults;
  for (size_t i = 0; i < defaults.size(); ++i) {
    SourceId part = trace_.sources_.child(source, SourceKind::kDefault, static_cast<uint32_t>(i));
    if (!trace_.containers_.note_plain(defaults[i], part)) return Step::kStop;
  }
  return Step::kRun;
}

Tracer::Step DefinitionReads::read_names(const Value& object) {
  auto* instance = object.try_as<InstanceObject>();
  auto written = [&](const ClassObject* cls) {
    return trace_.writes_.journal().written(cls) != nullptr;
  };
  bool changed = instance && (trace_.writes_.journal().written(instance) ||
                              std::ranges::any_of(instance->cls->order, written));
  Value* hook = instance ? instance->cls->lookup("__dir__") : nullptr;
  if (!instance || changed || (hook && hook->is<FunctionObject>()))
    return trace_.stop(DiagnosticId::kBreakUnsupportedValue,
                       "the names in an object from outside are read");
  std::vector<Value> names;
  for (const std::string& name : attribute_names(*instance)) names.push_back(str_value(name));
  trace_.add_guard({.kind = GuardKind::kNames,
                    .source = adopt(object),
                    .expected = Value(make_list(std::move(names)))});
  return Step::kRun;
}

Tracer::Step DefinitionReads::read_own_dict(const Value& object) {
  if (auto* instance = object.try_as<InstanceObject>(); instance && instance->cls->slots)
    return Step::kRun;
  bool readable = object.is(kInstanceKind) || object.is(kFunctionKind) || object.is(kModuleKind);
  SourceId source = adopt(object);
  if (!readable || trace_.writes_.journal().written(object.object()))
    return trace_.stop(DiagnosticId::kBreakUnsupportedValue,
                       fmt::format("`{}.__dict__` is read", trace_.sources_.text(source)));
  Value dict = builtin_attribute(object, "__dict__");
  if (dict.is_undefined()) return Step::kRun;
  return trace_.note(dict, trace_.sources_.child(source, SourceKind::kOwnDict, 0)) ? Step::kRun
                                                                                   : Step::kStop;
}

std::optional<Tracer::Step> DefinitionReads::insides_call(Frame& frame,
                                                          const program::Instruction& at) {
  auto* native = trace_.operand(frame, at.a).try_as<NativeFunctionObject>();
  auto operands = frame.program().tail(at);
  AttributeQuery query = native ? native->effects.query : AttributeQuery::kNone;
  bool asks_dict = query == AttributeQuery::kDict;
  if (operands.size() != 1 || !(asks_dict || query == AttributeQuery::kNames)) return std::nullopt;
  const Value& object = trace_.operand(frame, operands[0]);
  if (asks_dict && object.is(kTensorKind))
    return trace_.stop(DiagnosticId::kBreakUnsupportedValue, "the `__dict__` of a tensor is read");
  if (!trace_.is_outside(object) && !is_definition(object)) return std::nullopt;
  Step step = asks_dict ? read_own_dict(object) : read_names(object);
  if (step != Step::kRun) return step;
  Value found = asks_dict
                    ? builtin_attribute(object, "__dict__")
                    : Value(make_list(trace_.guards_.back().expected.as<ListObject>()->items));
  if (found.is_undefined()) return std::nullopt;  // a TypeError
  auto pc = static_cast<uint32_t>(&at - frame.program().instructions.data());
  return trace_.put(frame, pc, at, std::move(found));
}

}  // namespace glint::capture
