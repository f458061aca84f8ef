#include "runtime/capture/keys.h"

#include <algorithm>

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

HashTable* table_of(const Value& container) {
  if (auto* dict = container.try_as<DictObject>()) return &dict->table;
  SetObject* set = as_any_set(container);
  return set ? &set->table : nullptr;
}

Value* find_key(const Value& container, const Value& key) {
  HashTable* table = table_of(container);
  if (!table || !is_plain_key(key)) return nullptr;
  Value* found = nullptr;
  return table->find(key, found) == HashTable::Outcome::kFound ? found : nullptr;
}

bool is_plain_key(const Value& key) {
  if (!key.is_object()) return key.defined();
  switch (key.kind()) {
    case kStrKind:
    case kBytesKind:
    case kBigIntKind:
    case kFunctionKind:
    case kClassKind:
    case kDTypeKind:
    case kTensorKind:
      return key.kind() == kTensorKind || !key.as<Object>()->flag(Object::kSubclassed);
    case kNumberKind: {
      ClassObject* cls = class_of(key);
      return cls->special(Special::kHash).is<NativeFunctionObject>() &&
             cls->special(Special::kEq).is<NativeFunctionObject>();
    }
    case kTupleKind:
      return !key.as<Object>()->flag(Object::kSubclassed) &&
             std::ranges::all_of(key.as<TupleObject>()->items, is_plain_key);
    case kInstanceKind: {
      ClassObject* cls = key.as<InstanceObject>()->cls.get();
      return cls->special(Special::kHash).is<NativeFunctionObject>() &&
             cls->special(Special::kEq).is<NativeFunctionObject>();
    }
    default:
      return false;
  }
}

std::set<std::string, std::less<>> attribute_names(const InstanceObject& instance) {
  std::set<std::string, std::less<>> names;
  for (const ClassObject* cls : instance.cls->order)
    for (const auto& entry : cls->dict->table.entries())
      if (auto* name = entry.key.try_as<StrObject>()) names.emplace(name->view());
  for (const auto& [name, attribute] : instance.attributes()) names.emplace(name->view());
  return names;
}

}  // namespace glint::capture
