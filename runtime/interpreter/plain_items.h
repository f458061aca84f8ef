// What builtin containers do themselves, whatever a script's subclass of them says.
//
//     class Odd(tuple):
//         def __len__(self): return 1        length_of(odd) is 1; plain_length(odd) counts the
//         items,
//                                            and so does `super().__len__()`
#pragma once

#include <cstdint>

#include "runtime/interpreter/value.h"

namespace glint::runtime {

class Interpreter;

/// -1 if it raised.
int64_t plain_length(Interpreter& in, const Value& value);
Value plain_item(Interpreter& in, const Value& object, const Value& key);
/// 1, 0, -1.
int plain_contains(Interpreter& in, const Value& container, const Value& item);
Value plain_iterator(Interpreter& in, const Value& value);

/// Installs those as `__len__`, `__getitem__`, `__contains__` and `__iter__`.
void install_container(Interpreter& in);

}  // namespace glint::runtime
