#include "runtime/interpreter/numpy_random_arguments.h"

#include <algorithm>
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {

bool words_argument(NativeCall& call, size_t place, std::vector<uint32_t>& out) {
  std::vector<Value> items;
  if (!collect(call.interpreter, call[place], items)) return false;
  for (const Value& item : items) {
    int64_t word = 0;
    if (!index_of(call.interpreter, item, word)) return false;
    out.push_back(static_cast<uint32_t>(word));
  }
  return true;
}
Value words_value(std::span<const uint32_t> words) {
  std::vector<Value> items;
  for (uint32_t word : words) items.push_back(int_value(word));
  return Value(make_tuple(std::move(items)));
}

bool size_argument(NativeCall& call, size_t place, Dims& out) {
  if (call[place].is_float()) {
    std::string text;
    if (builtin_repr(call.interpreter, call[place], text))
      call.raise(
          "TypeError",
          fmt::format("expected a sequence of integers or a single integer, got '{}'", text));
    return false;
  }
  std::vector<Value> items;
  const bool is_sequence = call[place].is<TupleObject>() || call[place].is<ListObject>();
  if (!is_sequence)
    items.push_back(call[place]);
  else if (!collect(call.interpreter, call[place], items))
    return false;
  int64_t elements = 1;
  for (const Value& item : items) {
    int64_t size = 0;
    if (!index_of(call.interpreter, item, size)) return false;
    if (size < 0) return call.raise("ValueError", "negative dimensions are not allowed"), false;
    out.push_back(size);
    constexpr int64_t kMostElements = INT64_MAX / 8;
    if (__builtin_mul_overflow(elements, std::max<int64_t>(size, 1), &elements) ||
        elements > kMostElements)
      return call.raise("ValueError",
                        "array is too big; `arr.size * arr.dtype.itemsize` is larger than the "
                        "maximum possible size."),
             false;
  }
  return true;
}

Tensor tensor_argument(NativeCall& call, const Value& value, DType dtype) {
  if (!is_tensor(value)) return call.raise("TypeError", "a tensor is needed"), Tensor();
  Tensor tensor = tensor_of(value);
  if (!call.interpreter.demand_value(tensor)) return Tensor();
  if (tensor.dtype() == dtype && tensor.is_contiguous() && tensor.device().is_cpu()) return tensor;
  return call.raise("TypeError", "a tensor of another layout or dtype is needed"), Tensor();
}
bool read_number(NativeCall& call, const Value& value, double& out) {
  const Value& plain = number_in(value);
  return plain.is_float() ? (out = plain.as_float(), true) : [&] {
    int64_t whole = 0;
    if (!index_of(call.interpreter, value, whole)) return false;
    out = static_cast<double>(whole);
    return true;
  }();
}
bool read_number(NativeCall& call, const Value& value, int64_t& out) {
  return index_of(call.interpreter, value, out);
}

}  // namespace glint::runtime
