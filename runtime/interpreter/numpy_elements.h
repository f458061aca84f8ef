// One element of an array of the library's `numpy`, read and written at ints.
//
//     a[3], m[1, -2]           an instance of the class of the array's scalars
//     a[3] = 0.5, m[1, 2] = 7
//
// The methods of the library do the same (`library/numpy/_indexing.py`) and much more; a loop over
// elements would spend its time in calling them. Only `ndarray` itself comes here, not what is
// derived from it, and nothing while a trace is active. Whatever is not plain is left to the
// methods: other indices, what lies outside, numbers that have to be checked or warned about.
#pragma once

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// The scalar at one or more ints; undefined where the method has to say.
Value numpy_element(Interpreter& in, const Value& array, const Value& key);
/// Writes a number at one or more ints; false where the method has to.
bool set_numpy_element(Interpreter& in, const Value& array, const Value& key, const Value& value);

}  // namespace glint::runtime
