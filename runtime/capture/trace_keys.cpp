// Keys in a trace: which entry of a dict or set is meant, and which objects are told apart.
//
//     state[param]          the value under a tensor: found again under the tensor that is there
//     then if name in seen       `seen` is from outside: that it has `name`, or has not, is guarded
//     table[0]              under a number: the number is part of the source
//     if b in {a}           a and b are compared: a later hit has two objects there, or one, as now
//
// An object without an `__eq__` of its own is a key by being that object. Which objects are the
// same is a property of the call: what `note_key` has seen is guarded to be as many objects as now.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/capture/trace.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// A key that is the same at each call: it needs no way from the entry.
bool is_constant_key(const Value& key) {
  if (!key.is_object()) return key.defined();
  if (auto* tuple = key.try_as<TupleObject>())
    return is_plain_key(key) && std::ranges::all_of(tuple->items, is_constant_key);
  return (key.is(kStrKind) || key.is(kBytesKind) || key.is(kBigIntKind)) && is_plain_key(key);
}

}  // namespace

bool Trace::has_hook(const Value& object, Special which) const {
  ClassObject* cls = class_of(object);
  return !cls->native && cls->special(which).is<FunctionObject>();
}

// ---- Which objects are told apart --------------------------------------------------------------

void Trace::note_same(const Value& value, SourceId source) {
  SourceId first = outside_source(value);
  // Of these, the guard on the value itself says which one it is.
  bool fixed = value.is(kStrKind) || value.is(kBytesKind) || value.is(kBigIntKind) ||
               value.is(kComplexKind) || value.is(kRangeKind) || value.is(kModuleKind) ||
               value.is(kClassKind) || value.is(kNativeFunctionKind);
  auto* function = value.try_as<FunctionObject>();
  fixed |= function && !is_made_anew(*function, first) && !is_made_anew(*function, source);
  if (fixed || first == source) return;
  add_guard({.kind = GuardKind::kSame,
             .source = source,
             .flag = true,
             .other = first,
             .name = sources_.text(first)});
}

void Trace::note_identity(const Value& left, const Value& right) {
  if (!is_outside(left) || !is_outside(right) || left.identical(right)) return;
  SourceId other = outside_source(right);
  add_guard({.kind = GuardKind::kSame,
             .source = outside_source(left),
             .other = other,
             .name = sources_.text(other)});
}

void Trace::note_key(const Value& key) {
  if (auto* tuple = key.try_as<TupleObject>())
    for (const Value& item : tuple->items) note_key(item);
  bool by_contents = key.is(kStrKind) || key.is(kBytesKind) || key.is(kBigIntKind) ||
                     key.is(kComplexKind) || key.is(kRangeKind) || key.is(kTupleKind) ||
                     key.is(kNativeFunctionKind) || key.is(kModuleKind);
  if (by_contents || !is_outside(key)) return;
  if (compared_objects_.insert(key.object()).second) compared_.push_back(key);
}

void Trace::note_keys(const Value& container) {
  if (!container.is_object() || container.is(kTensorKind)) return;
  if (auto* view = container.try_as<DictViewObject>()) {
    for (const auto& entry : view->dict->table.entries()) {
      if (entry.key.defined()) note_key(entry.key);
      if (entry.key.defined()) note_key(entry.value);
    }
  } else if (HashTable* table = table_of(container)) {
    std::pair seen(table->keys_version(), outside_.size());
    if (std::exchange(noted_tables_[table], seen) == seen) return;
    for (const auto& entry : table->entries())
      if (entry.key.defined()) note_key(entry.key);
  } else if (const std::vector<Value>* items = items_of(container)) {
    for (const Value& item : *items) note_key(item);
  }
}

void Trace::note_compared(bool searches, const Value* arguments, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    bool table = arguments[i].is_object() && !is_outside(arguments[i]) && table_of(arguments[i]);
    if (table || searches) note_keys(arguments[i]);
  }
  bool looks_up = count > 1 && arguments[0].is_object() && (searches || table_of(arguments[0]));
  if (looks_up) note_key(arguments[1]);
}

void Trace::guard_compared_objects() {
  for (size_t first = 0; first < compared_.size(); ++first) {
    // Guards on kinds and classes tell objects of others apart, but not kinds of tensors.
    auto type_of = [](const Value& each) {
      return std::pair<ObjectKind, const ClassObject*>(
          each.kind(), each.is(kTensorKind) ? nullptr : class_of(each));
    };
    auto alike = [&](const Value& each) { return type_of(each) == type_of(compared_[first]); };
    if (std::any_of(compared_.begin(), compared_.begin() + ptrdiff_t(first), alike)) continue;
    Guard guard{.kind = GuardKind::kDistinct, .source = outside_source(compared_[first])};
    for (const Value& each : compared_) {
      if (!alike(each)) continue;
      guard.others.push_back(outside_source(each));
      guard.name += fmt::format("{}`{}`", guard.name.empty() ? "" : ", ",
                                sources_.text(outside_source(each)));
    }
    if (guard.others.size() > 1) guards_.push_back(std::move(guard));
  }
}

// ---- Entries of dicts and sets from outside ----------------------------------------------------

std::optional<SourceId> Trace::key_source(const Value& key) {
  if (is_outside(key) && is_plain_key(key)) return outside_source(key);
  if (!is_constant_key(key)) return std::nullopt;
  auto same = [&](const Value& each) { return each.identical(key); };
  auto found = std::ranges::find_if(objects_, same);
  auto number = static_cast<uint32_t>(found - objects_.begin());
  if (found == objects_.end()) objects_.push_back(key);
  return sources_.object(number, actual(key));
}

std::optional<SourceId> Trace::entry_source(const Value& dict, const Value& key) {
  SourceId parent = outside_source(dict);
  if (auto* name = key.try_as<StrObject>())
    return sources_.child(parent, SourceKind::kEntry, name->view());
  std::optional<SourceId> source = key_source(key);
  if (!source) return std::nullopt;
  return sources_.child(parent, SourceKind::kKeyed, static_cast<uint32_t>(*source));
}

bool Trace::can_test(const Value& key, const Value& container) {
  bool table = container.is<DictObject>() || as_any_set(container);
  return table && is_outside(container) && (key.is<StrObject>() || key_source(key));
}

Tracer::Step Trace::key_test(const Value& key, const Value& container) {
  SourceId parent = outside_source(container);
  if (is_plain_key(key) && writes_.journal().wrote(container.object(), key)) return Step::kRun;
  if (writes_.journal().written(container.object())) note_key(key);
  auto* name = key.try_as<StrObject>();
  Value* found = find_key(container, key);
  if (name && container.is<DictObject>()) {
    SourceId entry = sources_.child(parent, SourceKind::kEntry, name->view());
    if (found) return note_loaded(*found, entry) ? Step::kRun : Step::kStop;
    add_guard({.kind = GuardKind::kAbsent, .source = parent, .name = std::string(name->view())});
    return Step::kRun;
  }
  SourceId other = *key_source(key);
  add_guard({.kind = GuardKind::kKey,
             .source = parent,
             .flag = found != nullptr,
             .other = other,
             .name = sources_.text(other)});
  return Step::kRun;
}

Tracer::Step Trace::read_entry(Frame& frame, uint32_t pc, const program::Instruction& at,
                               const Value& dict, const Value& key) {
  if (has_hook(dict, Special::kGetItem)) return Step::kRun;
  if (is_plain_key(key) && writes_.journal().wrote(dict.object(), key)) return Step::kRun;
  std::optional<SourceId> entry = entry_source(dict, key);
  if (!entry) return containers_.note_contents(dict) ? Step::kRun : Step::kStop;
  if (writes_.journal().written(dict.object())) note_key(key);
  Value* found = find_key(dict, key);
  return found ? load(frame, pc, at, *found, *entry) : key_test(key, dict);
}

Tracer::Step Trace::membership(Frame& frame, uint32_t pc, const program::Instruction& at) {
  const Value& item = operand(frame, at.a);
  const Value& container = operand(frame, at.b);
  if (container.is_object() && has_hook(container, Special::kContains)) return Step::kRun;
  if (can_test(item, container)) return key_test(item, container);
  if (container.is(kTensorKind)) return Step::kRun;
  note_key(item);
  note_keys(container);
  // What is looked up in a table of the region's own is hashed.
  bool table = container.is_object() && table_of(container) && !is_outside(container);
  return table ? contents(item) : operands(frame, pc, at);
}

// ---- Attributes of an object of a subclass of a builtin type -----------------------------------

std::optional<Tracer::Step> Trace::read_extra_attribute(Frame& frame, uint32_t pc,
                                                        const program::Instruction& at,
                                                        const Value& object,
                                                        const std::string& name) {
  bool builtin = object.is(kDictKind) || object.is(kListKind) || object.is(kTupleKind) ||
                 object.is(kSetKind) || object.is(kFrozenSetKind) || object.is(kStrKind) ||
                 object.is(kNumberKind);
  if (!builtin || !object.as<Object>()->flag(Object::kSubclassed) || name.starts_with("__"))
    return std::nullopt;
  SourceId parent = outside_source(object);
  Value own(Ref<DictObject>(extra_attributes(object.as<Object>(), true)));
  SourceId attributes = sources_.child(parent, SourceKind::kOwnDict, 0);
  if (!note(own, attributes)) return Step::kStop;
  Ref<StrObject> key = intern(name);
  ClassObject& cls = *class_of(object);
  Value* in_class = cls.lookup(key.get());
  bool claimed = in_class && is_read_first(*in_class);
  Value* found = own.as<DictObject>()->find(key.get());
  if (found && !claimed) {
    definition_reads_.note_left_to_objects(cls, key);
    return load(frame, pc, at, *found, sources_.child(attributes, SourceKind::kEntry, name));
  }
  if (!claimed) add_guard({.kind = GuardKind::kAbsent, .source = attributes, .name = name});
  if (!in_class || writes_.note_written_member(cls, key)) return Step::kRun;
  SourceId source = object_source(Value(Ref<ClassObject>(&cls)));
  return load(frame, pc, at, *in_class, sources_.child(source, SourceKind::kAttribute, name));
}

}  // namespace glint::capture
