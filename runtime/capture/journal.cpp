#include "runtime/capture/journal.h"

#include <algorithm>

#include "core/support/check.h"
#include "runtime/capture/keys.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

// ---- One function for each kind ----------------------------------------------------------------

/// A value that is overwritten lives until the journal is done: its end may run script code.
void put(Value& place, const Value& value, std::vector<Value>& dying) {
  if (place.is_object()) dying.push_back(place);
  place = value;
}

std::vector<Value>& items(const WriteOperands& with) {
  auto* list = with.target.as<ListObject>();
  ++list->version;
  return list->items;
}

auto at_key(const WriteOperands& with) {
  return items(with).begin() + with.key.as_int();
}

void set_in(HashTable& table, const Value& key, const Value& value, std::vector<Value>& dying) {
  Value* found = nullptr;
  auto* name = key.try_as<StrObject>();
  if (name)
    found = table.find(name);
  else
    table.find(key, found);
  if (found) {
    put(*found, value, dying);
    table.written();
  } else if (name) {
    table.set(name, value);
  } else {
    table.set(key, value);
  }
}

void delete_from(HashTable& table, const Value& key, std::vector<Value>& dying) {
  Value removed;
  table.erase(key, &removed);
  dying.push_back(std::move(removed));
}

void set_attribute(const WriteOperands& with) {
  Ref<StrObject> name(with.key.as<StrObject>());
  if (auto* instance = with.target.try_as<InstanceObject>()) {
    Value* own = instance->find(name.get());
    if (!own) return instance->set(name, with.values[0]);
    ++instance->version;
    put(*own, with.values[0], with.dying);
    if (instance->dict) instance->dict->table.written();
  } else if (auto* module = with.target.try_as<ModuleObject>()) {
    set_in(module->dict->table, with.key, with.values[0], with.dying);
  } else if (auto* cls = with.target.try_as<ClassObject>()) {
    set_in(cls->dict->table, with.key, with.values[0], with.dying);
    cls->changed();
  } else {
    auto* function = with.target.as<FunctionObject>();
    if (!function->attributes) function->attributes = make_dict();
    set_in(function->attributes->table, with.key, with.values[0], with.dying);
  }
}

void delete_attribute(const WriteOperands& with) {
  auto* name = with.key.as<StrObject>();
  if (auto* instance = with.target.try_as<InstanceObject>()) {
    if (Value* own = instance->find(name)) with.dying.push_back(*own);
    instance->erase(name);
  } else if (auto* module = with.target.try_as<ModuleObject>()) {
    delete_from(module->dict->table, with.key, with.dying);
  } else if (auto* function = with.target.as<FunctionObject>(); function->attributes) {
    delete_from(function->attributes->table, with.key, with.dying);
  }
}

void set_entry(const WriteOperands& with) {
  set_in(with.target.as<DictObject>()->table, with.key, with.values[0], with.dying);
}

void delete_entry(const WriteOperands& with) {
  delete_from(*table_of(with.target), with.key, with.dying);
}

void set_cell(const WriteOperands& with) {
  put(*with.cell, with.values[0], with.dying);
}

void set_item(const WriteOperands& with) {
  put(*at_key(with), with.values[0], with.dying);
}

void insert(const WriteOperands& with) {
  items(with).insert(at_key(with), with.values[0]);
}

void remove_item(const WriteOperands& with) {
  auto place = at_key(with);
  with.dying.push_back(std::move(*place));
  with.target.as<ListObject>()->items.erase(place);
}

void extend(const WriteOperands& with) {
  auto& list = items(with);
  list.insert(list.end(), with.values.begin(), with.values.end());
}

void set_items(const WriteOperands& with) {
  auto& list = items(with);
  with.dying.insert(with.dying.end(), list.begin(), list.end());
  list.assign(with.values.begin(), with.values.end());
}

void clear(const WriteOperands& with) {
  if (with.target.is<ListObject>()) {
    set_items({with.target, nullptr, with.key, {}, with.dying});
    return;
  }
  HashTable& table = *table_of(with.target);
  for (const auto& entry : table.entries()) {
    if (entry.key.is_undefined()) continue;
    with.dying.push_back(entry.key);
    with.dying.push_back(entry.value);
  }
  table.clear();
}

void set_entries(const WriteOperands& with) {
  clear(with);
  HashTable& table = *table_of(with.target);
  for (size_t i = 0; i + 1 < with.values.size(); i += 2)
    table.set(with.values[i], with.values[i + 1]);
}

void add(const WriteOperands& with) {
  HashTable& table = *table_of(with.target);
  Value* found = nullptr;
  if (table.find(with.key, found) == HashTable::Outcome::kAbsent)
    table.set(with.key, Value::none());
}

/// Where an object has what a name or key stands for; null: nowhere.
Value* place_of(const Value& object, const Value& key) {
  Value* place = nullptr;
  if (auto* instance = object.try_as<InstanceObject>()) {
    place = instance->find(key.as<StrObject>());
  } else if (auto* function = object.try_as<FunctionObject>()) {
    if (function->attributes) function->attributes->table.find(key, place);
  } else if (auto* cls = object.try_as<ClassObject>()) {
    cls->dict->table.find(key, place);
  } else {
    table_of(object)->find(key, place);
  }
  return place;
}

constexpr WriteKindInfo kKinds[] = {
    {WriteKind::kSetAttribute, "set attribute", set_attribute, "{0}.{1} = {2}"},
    {WriteKind::kDeleteAttribute, "delete attribute", delete_attribute, "del {0}.{1}"},
    {WriteKind::kSetVariable, "set variable", set_entry, "{1} = {2}"},
    {WriteKind::kDeleteVariable, "delete variable", delete_entry, "del {1}"},
    {WriteKind::kSetCell, "set cell", set_cell, "{0} = {2}"},
    {WriteKind::kSetItem, "set item", set_item, "{0}[{1}] = {2}"},
    {WriteKind::kInsert, "insert", insert, "{0}.insert({1}, {2})"},
    {WriteKind::kRemoveItem, "remove item", remove_item, "del {0}[{1}]"},
    {WriteKind::kExtend, "extend", extend, "{0} += [{2}]"},
    {WriteKind::kSetItems, "set items", set_items, "{0}[:] = [{2}]"},
    {WriteKind::kSetEntry, "set entry", set_entry, "{0}[{1}] = {2}"},
    {WriteKind::kDeleteEntry, "delete entry", delete_entry, "del {0}[{1}]"},
    {WriteKind::kSetEntries, "set entries", set_entries, "{0} = dict of {2}"},
    {WriteKind::kAdd, "add", add, "{0}.add({1})"},
    {WriteKind::kDiscard, "discard", delete_entry, "{0}.discard({1})"},
    {WriteKind::kClear, "clear", clear, "{0}.clear()"},
};

/// A write that says all that the one before it said of the same place.
bool replaces(WriteKind kind) {
  switch (kind) {
    case WriteKind::kSetAttribute:
    case WriteKind::kSetVariable:
    case WriteKind::kSetCell:
    case WriteKind::kSetEntry:
    case WriteKind::kSetItem:
    case WriteKind::kAdd:
    case WriteKind::kDiscard:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::span<const WriteKindInfo> write_kind_table() {
  return kKinds;
}

const WriteKindInfo& info(WriteKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

// ---- The journal of a trace --------------------------------------------------------------------

const Journal::Written* Journal::written(const RefCounted* object) const {
  auto found = written_.find(object);
  return found == written_.end() ? nullptr : &found->second;
}

bool Journal::wrote(const RefCounted* object, const Value& key) const {
  auto found = written_.find(object);
  if (found == written_.end()) return false;
  if (found->second.known) return true;
  Value* place = nullptr;
  return const_cast<HashTable&>(found->second.keys).find(key, place) == HashTable::Outcome::kFound;
}

Journal::Written& Journal::touch(const Value& object) {
  auto [found, added] = written_.try_emplace(object.object());
  Written& written = found->second;
  if (!added) return written;
  touched_.push_back(object);
  written.before = save_state(object);
  if (auto* list = object.try_as<ListObject>()) {
    for (size_t i = 0; i < list->items.size(); ++i)
      written.origins.push_back(static_cast<int64_t>(i));
  }
  return written;
}

Write* Journal::earlier(Written& written, const Write& write) {
  bool by_key = write.kind != WriteKind::kSetItem && write.key.defined();
  if (!by_key) {
    // Nothing may lie between two writes of an item: others move the items.
    if (!written.last || !writes_[*written.last].key.identical(write.key)) return nullptr;
    return &writes_[*written.last];
  }
  Value* number = nullptr;
  if (written.keys.find(write.key, number) != HashTable::Outcome::kFound) return nullptr;
  return &writes_[static_cast<size_t>(number->as_int())];
}

void Journal::record(const Value& holder, Write write) {
  Written& written = written_.at(holder.object());
  if (written.whole) return;
  Write* before = earlier(written, write);
  if (before && before->kind == write.kind && replaces(write.kind)) {
    before->values = std::move(write.values);
    return;
  }
  bool goes_on = write.kind == WriteKind::kExtend && written.last &&
                 writes_[*written.last].kind == WriteKind::kExtend;
  if (goes_on) {
    std::vector<Value>& values = writes_[*written.last].values;
    values.insert(values.end(), write.values.begin(), write.values.end());
    return;
  }
  if (write.kind == WriteKind::kClear) {
    written.keys.clear();
    for (Write& each : writes_) each.dropped |= each.target == write.target;
  }
  written.last = writes_.size();
  bool keyed = !holder.is<ListObject>() && write.key.defined();
  if (keyed) written.keys.set(write.key, Value(static_cast<int64_t>(writes_.size())));
  writes_.push_back(std::move(write));
}

void Journal::make_whole(const Value& holder, Write write) {
  Written& written = written_.at(holder.object());
  if (written.whole) return;
  written.whole = written.known = true;
  for (Write& each : writes_) each.dropped |= each.target == write.target;
  writes_.push_back(std::move(write));
}

std::vector<Value*> Journal::places() const {
  std::vector<Value*> places;
  for (const Value& object : touched_) {
    const Written& written = written_.at(object.object());
    if (auto* list = object.try_as<ListObject>()) {
      for (Value& item : list->items) places.push_back(&item);
    } else if (auto* cell = object.try_as<CellObject>()) {
      places.push_back(&cell->value);
    } else if (auto* dict = object.try_as<DictObject>(); dict && written.known) {
      for (const auto& entry : dict->table.entries())
        if (entry.key.defined()) places.push_back(const_cast<Value*>(&entry.value));
    } else {
      for (const auto& entry : written.keys.entries()) {
        Value* place = entry.key.defined() ? place_of(object, entry.key) : nullptr;
        if (place) places.push_back(place);
      }
    }
  }
  return places;
}

void Journal::undo() {
  for (auto object = touched_.rbegin(); object != touched_.rend(); ++object)
    restore_state(written_.at(object->object()).before);
  writes_.clear();
  touched_.clear();
  written_.clear();
}

// ---- The journal of a region -------------------------------------------------------------------

void write_again(std::span<const JournalEntry> entries, const std::vector<Value>& values,
                 const GuardProgram& guards, std::vector<Value>& dying) {
  static const Value nothing;
  std::vector<Value> several;
  for (const JournalEntry& entry : entries) {
    std::span<const Value> written;
    if (entry.values.size() == 1) {
      written = {&values[entry.values[0]], 1};
    } else {
      several.clear();
      for (uint32_t value : entry.values) several.push_back(values[value]);
      written = several;
    }
    bool is_cell = entry.kind == WriteKind::kSetCell;
    info(entry.kind)
        .write({.target = is_cell ? nothing : values[*entry.target],
                .cell = is_cell ? guards.variable(entry.cell) : nullptr,
                .key = entry.key ? values[*entry.key] : entry.name,
                .values = written,
                .dying = dying});
  }
}

std::vector<Value> values_of(const JournalEntry& entry, const Value& target) {
  auto* list = target.try_as<ListObject>();
  size_t count = entry.values.size();
  switch (entry.kind) {
    case WriteKind::kSetAttribute:
    case WriteKind::kSetVariable:
    case WriteKind::kSetEntry: {
      auto* module = target.try_as<ModuleObject>();
      Value* place = entry.name.defined()
                         ? place_of(module ? Value(module->dict) : target, entry.name)
                         : nullptr;
      return place ? std::vector<Value>{*place} : std::vector<Value>();
    }
    case WriteKind::kExtend:
      if (list->items.size() < count) return {};
      return {list->items.end() - static_cast<std::ptrdiff_t>(count), list->items.end()};
    case WriteKind::kSetItems:
    case WriteKind::kSetEntries:
      return contents_of(target);
    default:
      return {};
  }
}

std::vector<Value> contents_of(const Value& container) {
  if (const std::vector<Value>* own = items_of(container)) return *own;
  std::vector<Value> contents;
  for (const auto& entry : table_of(container)->entries()) {
    if (entry.key.is_undefined()) continue;
    contents.push_back(entry.key);
    contents.push_back(entry.value);
  }
  return contents;
}

}  // namespace glint::capture
