// Writes to objects from outside in a trace: they happen, and the journal says how a later hit does
// them again. Attributes and variables are here, with what holds for all writes; lists, dicts and
// sets are in trace_container_writes.cpp.
//
//     self.calls += 1        the place `calls` of `self` is written: from here on it is the
//                            region's own, and a reading of it is not guarded
//     other.calls            read: `other` must not be `self` at a later hit either
//     Shared.calls += 1      of a class: likewise
//
// A value that no recipe describes (an open generator, a set of script objects) ends the region
// before it is written.

#include <fmt/format.h>

#include <algorithm>

#include "runtime/capture/callee.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/class_rules.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

// ---- The journal -------------------------------------------------------------------------------

namespace {

/// What a `RecipeWriter` asks, without making anything an output of the graph.
struct DryRun final : RecipeWriter::Trace {
  explicit DryRun(capture::Trace& of, bool (*pending)(capture::Trace&, const Tensor&))
      : trace(of), is_pending(pending) {}
  std::optional<uint32_t> output_of(const Tensor& tensor) override {
    return is_pending(trace, tensor) ? std::optional<uint32_t>(0) : std::nullopt;
  }
  std::optional<SourceId> source_of(const Value& object) override {
    return trace.source_of(object);
  }
  bool made_inside(const FunctionObject& function) override { return trace.made_inside(function); }
  bool made_inside(const CellObject& cell) override { return trace.made_inside(cell); }

  capture::Trace& trace;
  bool (*is_pending)(capture::Trace&, const Tensor&);
};

}  // namespace

bool ObjectWrites::can_carry(const Value& value) {
  DryRun dry(trace_,
             [](Trace& trace, const Tensor& tensor) { return trace.traced(tensor) != nullptr; });
  return RecipeWriter(dry).write(value).has_value();
}

Tracer::Step ObjectWrites::refuse_write(const Value& object) {
  std::string name = trace_.is_outside(object) ? trace_.sources_.text(trace_.outside_source(object))
                                               : type_name(object);
  return trace_.stop(DiagnosticId::kBreakMutation, fmt::format("`{}` is changed", name));
}

Tracer::Step ObjectWrites::journal_write(const Value& holder, Write write) {
  for (const Value& value : write.values) {
    if (!can_carry(value))
      return trace_.stop(
          DiagnosticId::kBreakMutation,
          fmt::format("a {} is written to an object from outside", type_name(value)));
  }
  if (write.key.is_object() && !can_carry(write.key)) return refuse_write(holder);
  // An attribute would be written, by a way that its readers do not see.
  bool insides = trace_.is_outside(holder) &&
                 trace_.sources_[trace_.outside_source(holder)].kind == SourceKind::kOwnDict;
  if (insides) return refuse_write(holder);
  journal_.touch(holder);
  write.object = holder;
  write.span = trace_.span_;
  journal_.record(holder, std::move(write));
  return Step::kRun;
}

std::string ObjectWrites::instance_text(const InstanceObject& instance) const {
  constexpr size_t kMostAttributes = 8;
  std::string text;
  size_t count = 0;
  for (const auto& [name, value] : instance.attributes()) {
    if (++count > kMostAttributes) {
      text += ", ...";
      break;
    }
    // One may lead back here.
    bool holds_others = value.is<InstanceObject>() || items_of(value);
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name->view(),
                        holds_others ? actual(value) : value_text(value));
  }
  return fmt::format("{}({})", instance.cls->name->view(), text);
}

/// Whether so many steps are all that the text of one consists of, each as often as it is read.
static bool is_told_by(const std::vector<FloatStep>& steps, uint32_t step, size_t& left) {
  if (left == 0) return false;
  --left;
  for (uint8_t k = 0; k < steps[step].operand_count; ++k)
    if (!is_told_by(steps, steps[step].operands[k], left)) return false;
  return true;
}

std::string ObjectWrites::value_text(const Value& value) const {
  constexpr size_t kMostItems = 8;
  if (auto* symbolic = value.try_as<SymIntObject>()) return symbolic->value.text();
  if (auto* symbolic = value.try_as<SymFloatObject>()) {
    const FloatProgram& program = trace_.floats_.program;
    size_t left = 12;
    return is_told_by(program.steps(), symbolic->step, left)
               ? program.text(symbolic->step, trace_.sources_)
               : "a float";
  }
  if (value.is(kTensorKind)) {
    if (TracedTensor* record = trace_.traced(tensor_of(value)))
      return trace_.made_.graph.text(record->value);
  }
  if (trace_.is_outside(value)) {
    std::string name = trace_.sources_.text(trace_.outside_source(value));
    const OutsideWrite* write =
        value.is(kTensorKind) ? trace_.tensor_writes_.written(tensor_of(value)) : nullptr;
    return write ? fmt::format("{} (its memory now holds {})", name,
                               trace_.made_.graph.text(write->value))
                 : name;
  }
  if (auto* instance = value.try_as<InstanceObject>()) return instance_text(*instance);
  const std::vector<Value>* items = items_of(value);
  if (!items) return actual(value);
  std::string text;
  for (size_t i = 0; i < std::min(items->size(), kMostItems); ++i)
    text += (i ? ", " : "") + value_text((*items)[i]);
  if (items->size() > kMostItems) text += ", ...";
  return value.is<ListObject>() ? "[" + text + "]" : "(" + text + ")";
}

bool ObjectWrites::write_journal(RecipeWriter& writer, std::vector<JournalEntry>& entries) {
  for (const Write& write : journal_.writes()) {
    if (write.dropped) continue;
    bool whole = write.kind == WriteKind::kSetItems || write.kind == WriteKind::kSetEntries;
    const std::vector<Value> values = whole ? contents_of(write.object) : write.values;
    JournalEntry entry{.kind = write.kind, .span = write.span};
    std::string key = write.key.is<StrObject>() && write.kind <= WriteKind::kDeleteVariable
                          ? std::string(write.key.as<StrObject>()->view())
                          : value_text(write.key);
    std::string list;
    for (const Value& value : values) list += (list.empty() ? "" : ", ") + value_text(value);
    entry.text = fmt::format(fmt::runtime(info(write.kind).text),
                             trace_.sources_.text(write.target), key, list);
    if (write.kind == WriteKind::kSetCell) {
      entry.cell = write.target;
      entry.cell_index = trace_.sources_[write.target].position;
      entry.of_callee = trace_.sources_[write.target].kind != SourceKind::kCell;
    } else {
      entry.target = writer.write_source(write.target);
    }
    if (write.key.is_object() && !write.key.is<StrObject>()) {
      entry.key = writer.write(write.key);
      if (!entry.key) return false;
    } else {
      entry.name = write.key;
    }
    for (const Value& value : values) {
      std::optional<uint32_t> recipe = writer.write(value);
      if (!recipe) return false;
      entry.values.push_back(*recipe);
    }
    entries.push_back(std::move(entry));
  }
  return true;
}

// ---- Variables ---------------------------------------------------------------------------------

Tracer::Step Trace::set_global(Frame& frame, uint32_t, const program::Instruction& at) {
  Ref<StrObject> name = intern(frame.program().names[at.immediate]);
  Value globals(Ref<DictObject>(frame.globals));
  SourceId target = globals_source(globals);
  if (at.opcode == Opcode::kSetGlobal)
    return writes_.journal_write(globals, {.kind = WriteKind::kSetVariable,
                                           .target = target,
                                           .key = Value(name),
                                           .values = {operand(frame, at.a)}});
  if (!frame.globals->find(name.get())) return Step::kRun;  // a NameError
  bool own = writes_.journal().wrote(globals.object(), Value(name));
  if (!own && global(frame, 0, at) == Step::kStop) return Step::kStop;
  return writes_.journal_write(
      globals, {.kind = WriteKind::kDeleteVariable, .target = target, .key = Value(name)});
}

Tracer::Step Trace::set_cell(Frame& frame, uint32_t, const program::Instruction& at) {
  CellObject* cell = frame.cells[at.immediate].get();
  if (inside_cells_.contains(cell)) return Step::kRun;
  std::optional<SourceId> source = cell_source(frame, at.immediate);
  if (!source)
    return stop(DiagnosticId::kBreakMutation,
                fmt::format("the variable `{}` of an outer function is written",
                            frame.program().cells[at.immediate].name));
  writes_.meet_cell(cell, *source);
  return writes_.journal_write(
      Value(Ref<CellObject>(cell)),
      {.kind = WriteKind::kSetCell, .target = *source, .values = {operand(frame, at.a)}});
}

// ---- Attributes --------------------------------------------------------------------------------

Tracer::Step Trace::set_attribute(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const Value& object = operand(frame, at.a);
  bool deletes = at.opcode == Opcode::kDeleteAttribute;
  if (object.is(kTensorKind)) {
    const std::string& written = frame.program().names[at.immediate];
    if (written == "data" && !deletes)
      return gradients_.set_data(frame, pc, tensor_of(object), operand(frame, at.b));
    if (written == "grad" && !deletes)
      return gradients_.set_gradient(frame, pc, tensor_of(object), operand(frame, at.b));
    return stop(DiagnosticId::kBreakMutation, "an attribute of a tensor is written");
  }
  Ref<StrObject> name = intern(frame.program().names[at.immediate]);
  Step step = writes_.write_attribute(object, name, deletes ? Value() : operand(frame, at.b));
  if (step == Step::kDone) interpreter_.jump_to(frame, pc + 1);
  return step;
}

Tracer::Step ObjectWrites::refuse_attribute(const Value& object) {
  std::string name = trace_.is_outside(object) ? trace_.sources_.text(trace_.outside_source(object))
                                               : type_name(object);
  return trace_.stop(DiagnosticId::kBreakMutation,
                     fmt::format("an attribute of `{}` is written", name));
}

Tracer::Step ObjectWrites::write_attribute(const Value& object, const Ref<StrObject>& name,
                                           const Value& value) {
  auto* instance = object.try_as<InstanceObject>();
  if (object.is<ClassObject>()) return write_class_attribute(object, name, value);
  if (!trace_.is_outside(object)) {
    // With another dict it would share its attributes with whoever else holds that.
    return instance && name->view() != "__dict__" ? Step::kRun : refuse_attribute(object);
  }
  if (!instance) return write_own_attribute(object, name, value);
  ClassObject& cls = *instance->cls;
  Special which = value.defined() ? Special::kSetAttr : Special::kDelAttr;
  const Value& hook = cls.special(which);
  Value* in_class = cls.lookup(name.get());
  if (!hook.is<FunctionObject>() && in_class && in_class->is<PropertyObject>()) {
    // Its setter is a function of the script's, which writes what is written.
    return trace_.note(*in_class, trace_.member_source(*instance, name->view())) ? Step::kRun
                                                                                 : Step::kStop;
  }
  if (!hook.is<FunctionObject>()) return write_own_attribute(object, name, value);
  if (is_module_hook(*hook.as<FunctionObject>()))
    return write_module_attribute(object, name, value);
  return trace_.note(hook, trace_.member_source(*instance, name_of(which))) ? Step::kRun
                                                                            : Step::kStop;
}

bool ObjectWrites::note_written_member(const ClassObject& cls, const Ref<StrObject>& name) {
  for (const ClassObject* each : cls.order) {
    if (journal_.wrote(each, Value(name))) {
      trace_.definition_reads_.note_missing(cls, name, each);
      return true;
    }
    if (each->dict->find(name.get())) return false;
  }
  return false;
}

Tracer::Step ObjectWrites::write_class_attribute(const Value& object, const Ref<StrObject>& name,
                                                 const Value& value) {
  auto* cls = object.as<ClassObject>();
  // What a class defines for its instances: functions, properties and the like.
  auto* instance = value.try_as<InstanceObject>();
  bool data = !value.is_object() || value.is(kTensorKind) || value.is(kStrKind) ||
              items_of(value) || value.is(kDictKind) || value.is(kSetKind) || plain_number(value) ||
              (instance && is_plain_key(value));
  bool defines =
      instance && (is_data_descriptor(value) || instance->cls->lookup("__get__") != nullptr);
  if (!data || defines || !value.defined() || cls->native || !class_of(object)->native ||
      name->view().starts_with("__"))
    return refuse_attribute(object);
  SourceId target = trace_.definition_reads_.adopt(object);
  return journal_write(
      object,
      {.kind = WriteKind::kSetAttribute, .target = target, .key = Value(name), .values = {value}});
}

Tracer::Step ObjectWrites::write_own_attribute(const Value& object, const Ref<StrObject>& name,
                                               const Value& value) {
  auto* instance = object.try_as<InstanceObject>();
  auto* module = object.try_as<ModuleObject>();
  auto* function = object.try_as<FunctionObject>();
  SourceId target = trace_.outside_source(object);
  bool special = name->view().starts_with("__");
  bool writable = instance || module || (function && !trace_.is_made_anew(*function, target));
  if (!writable || special) return refuse_attribute(object);
  if (instance) {
    // A property, or another object that wants to know; a dict that is a second way to the place,
    // as where several instances share one.
    Value* in_class = instance->cls->lookup(name.get());
    bool told = in_class && (in_class->is<PropertyObject>() || in_class->is<InstanceObject>());
    const Ref<DictObject>& dict = instance->dict;
    bool aliased = dict && (dict->ref_count() > 1 || trace_.is_outside(Value(dict)));
    if (told || aliased || !may_have(*instance->cls, name.get())) return refuse_attribute(object);
    trace_.definition_reads_.note_left_to_objects(*instance->cls, name);
  }
  Value holder = module ? Value(module->dict) : object;
  if (value.defined())
    return journal_write(holder, {.kind = WriteKind::kSetAttribute,
                                  .target = target,
                                  .key = Value(name),
                                  .values = {value}});
  Value* own = instance ? instance->find(name.get()) : nullptr;
  if (!own) return refuse_attribute(object);
  bool noted =
      journal_.wrote(instance, Value(name)) ||
      trace_.note(*own, trace_.sources_.child(target, SourceKind::kAttribute, name->view()));
  if (!noted) return Step::kStop;
  return journal_write(holder,
                       {.kind = WriteKind::kDeleteAttribute, .target = target, .key = Value(name)});
}

Tracer::Step ObjectWrites::write_module_attribute(const Value& object, const Ref<StrObject>& name,
                                                  const Value& value) {
  auto* instance = object.as<InstanceObject>();
  SourceId target = trace_.outside_source(object);
  // A parameter or module comes or goes: the module's tables change, and so does what it computes.
  auto* other = value.try_as<InstanceObject>();
  bool is_module = other && other->cls->special(Special::kSetAttr).is<FunctionObject>();
  bool is_parameter = value.is(kTensorKind) && tensor_of(value)->is_parameter;
  if (value.is_undefined() || is_module || is_parameter) return refuse_attribute(object);
  for (std::string_view group : {"_parameters", "_modules", "_buffers"}) {
    Value* found = instance->find(group);
    if (!found || !found->is<DictObject>()) return refuse_attribute(object);
    Value table = *found;
    if (!trace_.note(table, trace_.sources_.child(target, SourceKind::kAttribute, group)))
      return Step::kStop;
    bool known = journal_.wrote(table.object(), Value(name));
    if (!known && trace_.key_test(Value(name), table) == Step::kStop) return Step::kStop;
    if (!table.as<DictObject>()->find(name.get())) continue;
    bool fits = group == "_buffers" && (value.is_none() || value.is(kTensorKind));
    if (!fits) return refuse_attribute(object);
    Step step = write_entry(table, Value(name), value);
    if (step != Step::kRun) return step;
    table.as<DictObject>()->set(name, value);
  }
  Step step = write_own_attribute(object, name, value);
  if (step != Step::kRun) return step;
  instance->set(name, value);
  return Step::kDone;
}

// ---- Which objects are the same ----------------------------------------------------------------

namespace {

/// Whether a guard says no more of the object than its type.
bool may_change_place(const Value& object) {
  return object.is(kInstanceKind) || object.is(kListKind) || object.is(kDictKind) ||
         object.is(kSetKind);
}

}  // namespace

void ObjectWrites::guard_written_objects() {
  std::vector<std::pair<SourceId, Value>> met;
  for (const auto& [object, source] : trace_.outside_) {
    Value value(Ref<RefCounted>(const_cast<RefCounted*>(object)));
    if (may_change_place(value) && trace_.sources_[source].kind != SourceKind::kObject)
      met.emplace_back(source, value);
  }
  std::ranges::sort(met, {}, &std::pair<SourceId, Value>::first);
  std::set<std::pair<ObjectKind, const ClassObject*>> done;
  for (const Value& written : journal_.touched()) {
    if (!trace_.is_outside(written) || !may_change_place(written)) continue;
    auto type_of = [](const Value& each) {
      return std::pair<ObjectKind, const ClassObject*>(each.kind(), class_of(each));
    };
    if (!done.insert(type_of(written)).second) continue;
    Guard guard{.kind = GuardKind::kDistinct};
    for (const auto& [source, object] : met) {
      if (type_of(object) != type_of(written)) continue;
      if (guard.source == SourceId::kNone) guard.source = source;
      guard.others.push_back(source);
      guard.name += (guard.name.empty() ? "`" : ", `") + trace_.sources_.text(source) + "`";
    }
    if (guard.others.size() > 1) trace_.guards_.push_back(std::move(guard));
  }
}

void ObjectWrites::meet_cell(CellObject* cell, SourceId source) {
  cells_.emplace_back(cell, source);
}

void ObjectWrites::guard_written_cells() {
  auto written = [&](const CellObject* cell) { return journal_.written(cell) != nullptr; };
  std::set<std::pair<SourceId, SourceId>> done;
  for (size_t i = 0; i < cells_.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      auto [cell, source] = cells_[i];
      auto [other, other_source] = cells_[k];
      bool one_function = trace_.sources_[source].parent == trace_.sources_[other_source].parent;
      if (source == other_source || one_function || (!written(cell) && !written(other))) continue;
      if (!done.insert(std::minmax(source, other_source)).second) continue;
      trace_.guards_.push_back({.kind = GuardKind::kVariable,
                                .source = source,
                                .flag = cell == other,
                                .other = other_source,
                                .name = trace_.sources_.text(other_source)});
    }
  }
}

}  // namespace glint::capture
