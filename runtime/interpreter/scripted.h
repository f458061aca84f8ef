// Special methods that a script has given the class of a value: they come before what the builtin
// kind does.
//
//     class Odd(list):
//         def __len__(self): return 1        scripted_special(odd, Special::kLen) is that function
#pragma once

#include "runtime/interpreter/machine.h"

namespace glint::runtime {

/// A class whose special methods come first: a script's, or a native data type's.
inline ClassObject* scripted_class(const Value& value) {
  if (!value.is_object() || value.kind() == kTensorKind) return nullptr;
  ClassObject* cls = class_of(value);
  return cls->native && value.kind() != kNativeDataKind ? nullptr : cls;
}
/// Its special method, unless it is the builtin type's own.
inline Value scripted_special(const Value& value, Special which) {
  ClassObject* cls = scripted_class(value);
  if (!cls) return Value();
  Value method = cls->special(which);
  auto* native = method.try_as<NativeFunctionObject>();
  if (native && value.kind() != kNativeDataKind && value.kind() != kInstanceKind) return Value();
  return method;
}

}  // namespace glint::runtime
