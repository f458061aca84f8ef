// Operators of the language on tensors: each finds its entry in the operator table and goes through
// `Interpreter::call_operator`, where an active tracer may take over.
//
//     x + 1      entry of `__add__`, arguments {x, 1}
//     2 - x      entry of `__rsub__`, arguments {x, 2}
//     x[0, 1:]   a chain of the view operators `select` and `slice`
#pragma once

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// One operand is a tensor. NotImplemented if the other is nothing that operators know.
Value tensor_binary(Interpreter& in, program::Opcode which, const Value& a, const Value& b);
Value tensor_unary(Interpreter& in, program::Opcode which, const Value& a);
/// `bool(tensor)`: 1, 0, -1.
int tensor_truth(Interpreter& in, const Value& tensor);
/// `operator.index(tensor)`.
bool tensor_index(Interpreter& in, const Value& tensor, int64_t& out);
Value tensor_item(Interpreter& in, const Value& tensor, const Value& key);
bool tensor_set_item(Interpreter& in, const Value& tensor, const Value& key, const Value& value);
int64_t tensor_length(Interpreter& in, const Value& tensor);

}  // namespace glint::runtime
