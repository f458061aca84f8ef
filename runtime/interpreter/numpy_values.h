// Scalars and arrays of the library's `numpy` where a native takes a number or a tensor.
//
// To the interpreter they are instances of classes of the language. Such a class says in its
// attribute `__plain_type__` what natives take its instances for:
//
//     class float64:  __plain_type__ = float           the number is in the attribute `_number`
//     class ndarray:  __plain_type__ = torch.Tensor    the tensor is in the attribute `_tensor`
//
// While a trace is active its guards cannot see what is read here: then the trace ends before the
// instruction at work, which runs eagerly.
#pragma once

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {

/// What natives take an instance of the class for, a class; null: it is what it is.
const ClassObject* plain_type_of(const ClassObject& cls);
/// Whether instances of a class count as such of a builtin class: of numbers, or of tensors.
bool passes_for(const ClassObject& cls, const ClassObject& builtin);

bool is_numpy_scalar(const Value& value);
bool is_numpy_array(const Value& value);
/// The dtype of a scalar's number.
DType scalar_dtype(const Value& scalar);
/// A scalar's number, an array's tensor. Undefined if a trace had to end.
Value plain_value(Interpreter& in, const Value& numpy_value);
/// Scalars, and numbers of scripts' classes, become plain numbers, within lists and tuples too, as
/// deep as arguments may be; false if a trace had to end.
bool scalars_to_numbers(Interpreter& in, Value& value, int levels = kArgumentLevels);
/// Arrays become tensors as well, at the top.
bool arrays_to_tensors(Interpreter& in, Value& value);

}  // namespace glint::runtime
