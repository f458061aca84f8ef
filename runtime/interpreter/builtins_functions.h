// Builtin functions that natives elsewhere are made of: `(7).__divmod__(2)` is `divmod(7, 2)`.
#pragma once

#include "runtime/interpreter/native.h"

namespace glint::runtime {

Value native_divmod(NativeCall& call);
/// `pow(base, exp, mod=None)`: three arguments.
Value native_pow(NativeCall& call);

/// Has the methods and properties of a class of numbers see plain numbers only.
void take_plain_numbers(const ClassObject& cls);

}  // namespace glint::runtime
