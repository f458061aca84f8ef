#include "runtime/capture/keys.h"

#include <algorithm>

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

Value* find_key(const Value& container, const Value& key) {
  bool table = container.is<DictObject>() || as_any_set(container);
  if (!table || !is_plain_key(key)) return nullptr;
  Value* found = nullptr;
  auto outcome = (container.is<DictObject>() ? container.as<DictObject>()->table
                                             : as_any_set(container)->table)
                     .find(key, found);
  return outcome == HashTable::Outcome::kFound ? found : nullptr;
}

bool is_plain_key(const Value& key) {
  if (!key.is_object()) return key.defined();
  switch (key.kind()) {
    case kStrKind:
    case kBytesKind:
    case kFunctionKind:
    case kClassKind:
    case kDTypeKind:
    case kTensorKind:
      return key.kind() == kTensorKind || !key.as<Object>()->flag(Object::kSubclassed);
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

}  // namespace glint::capture
