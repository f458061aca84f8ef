// A tensor where Python wants something else of it: a truth, an index, a length.
#include "core/tensor/tensor.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/tensor_operators.h"

namespace glint::runtime {

int tensor_truth(Interpreter& in, const Value& value) {
  Tensor tensor = tensor_of(value);
  if (tensor.numel() != 1) {
    if (tensor.numel() == 0) {
      in.raise("RuntimeError", "Boolean value of Tensor with no values is ambiguous");
    } else {
      in.raise("RuntimeError", "Boolean value of Tensor with more than one value is ambiguous");
    }
    return -1;
  }
  if (!in.demand_value(tensor)) return -1;
  return tensor.item().as_bool();
}

bool tensor_index(Interpreter& in, const Value& value, int64_t& out) {
  Tensor tensor = tensor_of(value);
  if (tensor.numel() != 1 || is_floating(tensor.dtype())) {
    in.raise("TypeError", "only integer tensors of a single element can be converted to an index");
    return false;
  }
  if (!in.demand_value(tensor)) return false;
  out = tensor.item().as_int();
  return true;
}

int64_t tensor_length(Interpreter& in, const Value& value) {
  auto* tensor = value.as<TensorImpl>();
  if (!tensor->sizes.empty()) return tensor->sizes[0];
  in.raise("TypeError", "len() of a 0-d tensor");
  return -1;
}

}  // namespace glint::runtime
