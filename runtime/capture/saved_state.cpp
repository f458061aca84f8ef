#include "runtime/capture/saved_state.h"

#include "core/support/check.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// The table that holds what the object has, by name or key; null: it has none now.
HashTable* saved_table_of(const Value& object) {
  switch (object.kind()) {
    case kDictKind:
      return &object.as<DictObject>()->table;
    case kSetKind:
      return &object.as<SetObject>()->table;
    case kInstanceKind: {
      auto* instance = object.as<InstanceObject>();
      return instance->dict ? &instance->dict->table : nullptr;
    }
    case kClassKind:
      return &object.as<ClassObject>()->dict->table;
    case kFunctionKind: {
      auto* function = object.as<FunctionObject>();
      return function->attributes ? &function->attributes->table : nullptr;
    }
    default:
      fail("an object that a region cannot write is saved");
  }
}

/// Back to the shape that it had: since then attributes were overwritten and added.
void restore_slots(InstanceObject& instance, const SavedState& saved) {
  ++instance.version;
  if (!instance.shape) {  // one was deleted meanwhile: they lie in a dict now
    instance.dict->table.clear();
    for (size_t i = 0; i < saved.values.size(); ++i)
      instance.dict->set(saved.shape->names[i], saved.values[i]);
    return;
  }
  uint32_t count = instance.shape->count;
  instance.shape = saved.shape;
  for (size_t i = 0; i < saved.values.size(); ++i) instance.slots[i] = saved.values[i];
  for (size_t i = saved.values.size(); i < count; ++i) instance.slots[i].~Value();
}

}  // namespace

SavedState save_state(const Value& object) {
  SavedState saved{.object = object};
  auto* instance = object.try_as<InstanceObject>();
  if (auto* list = object.try_as<ListObject>()) {
    saved.values = list->items;
  } else if (auto* cell = object.try_as<CellObject>()) {
    saved.values = {cell->value};
  } else if (instance && instance->shape) {
    saved.shape = instance->shape;
    saved.shape_owner = Ref<ClassObject>(instance->shape->owner);
    saved.values.assign(instance->slots, instance->slots + instance->shape->count);
  } else if (HashTable* table = saved_table_of(object)) {
    saved.table = *table;
    saved.has_table = true;
  }
  return saved;
}

void restore_state(const SavedState& saved) {
  const Value& object = saved.object;
  if (auto* list = object.try_as<ListObject>()) {
    list->items = saved.values;
    ++list->version;
  } else if (auto* cell = object.try_as<CellObject>()) {
    cell->value = saved.values[0];
  } else if (saved.shape) {
    restore_slots(*object.as<InstanceObject>(), saved);
  } else if (saved.has_table) {
    HashTable& table = *saved_table_of(object);
    HashTable before = saved.table;
    std::swap(table, before);  // what the object had dies when it is whole again
    table.written();
    if (auto* instance = object.try_as<InstanceObject>()) ++instance->version;
    if (auto* cls = object.try_as<ClassObject>()) cls->changed();
  } else if (auto* function = object.try_as<FunctionObject>()) {
    function->attributes = nullptr;
  }
}

}  // namespace glint::capture
