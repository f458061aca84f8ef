// Values of tensor types as text, and between Python values and tensors.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/tensor/tensor.h"
#include "ops/op.h"
#include "runtime/interpreter/builtins.h"

namespace glint::runtime {

/// How deep lists may nest in an argument of an operator.
inline constexpr int kArgumentLevels = 8;

/// `repr` of a tensor, dtype or device.
bool torch_repr(Interpreter& in, const Value& value, std::string& out);
/// `str`, which differs for a device.
bool torch_str(Interpreter& in, const Value& value, std::string& out);
/// `format(tensor, spec)`: of a 0-dim tensor that of its number.
bool torch_format(Interpreter& in, const Value& value, std::string_view spec, std::string& out);

/// A tensor's one element as a Python number; undefined if it raised.
Value item_of(Interpreter& in, const Tensor& tensor);
/// The one object of a dtype: `torch.float32`.
Value dtype_value(DType dtype);
Value device_value(Device device);
std::optional<DType> dtype_of(const Value& value);
/// From a `torch.device`, a str or None (the CPU); false if it raised.
bool device_of(Interpreter& in, const Value& value, Device& out);
/// A Python value as an operator's argument; false (nothing raised) if it is no such thing.
/// Lists may nest a few levels deep; deeper ones, or without an end, are no arguments.
bool to_argument(const Value& value, ops::Argument& out, int levels = kArgumentLevels);
Value from_argument(const ops::Argument& argument);
/// A native's argument as a tensor of floats in the processor's memory; undefined handle if it
/// raised or has to wait.
Tensor floats_argument(NativeCall& call, size_t place);
/// Raises what an operator threw.
Value raise_op_error(Interpreter& in, const ops::OpError& error);
/// The tensor of nested lists and numbers; undefined handle if it raised.
Tensor tensor_from_value(Interpreter& in, const Value& data, std::optional<DType> dtype);
/// A tensor of nested lists in the narrowest of bool, int64 and float64 that holds them, and a list
/// of the dtypes of what is in them; undefined if it raised, or a trace had to end.
Value numbers_and_dtypes(Interpreter& in, const Value& data);
/// Nested lists of a tensor's elements; undefined if it raised.
Value tensor_to_list(Interpreter& in, const Tensor& tensor);

}  // namespace glint::runtime
