#include "runtime/interpreter/numpy_values.h"

#include <algorithm>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/complex_tensors.h"
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {
namespace {

const ClassObject* plain_type_of(const Value& value) {
  auto* instance = value.try_as<InstanceObject>();
  return instance ? plain_type_of(*instance->cls) : nullptr;
}

/// Whether it is a scalar, or has one within lists and tuples, so deep: a list may hold itself.
bool holds_scalar(const Value& value, int levels) {
  if (!value.is_object()) return false;
  if (is_number_object(value) || is_numpy_scalar(value)) return true;
  const std::vector<Value>* items = levels > 0 ? items_of(value) : nullptr;
  return items && std::ranges::any_of(
                      *items, [&](const Value& item) { return holds_scalar(item, levels - 1); });
}

}  // namespace

const ClassObject* plain_type_of(const ClassObject& cls) {
  static const Ref<StrObject> name = intern("__plain_type__");
  if (cls.native || cls.instance_kind != kInstanceKind) return nullptr;
  const Value* found = cls.lookup(name.get());
  return found ? found->try_as<ClassObject>() : nullptr;
}

bool passes_for(const ClassObject& cls, const ClassObject& builtin) {
  return counts_as(cls, builtin) || (&builtin == Interpreter::current().classes().floating.get() &&
                                     plain_type_of(cls) == &builtin);
}

bool is_numpy_array(const Value& value) {
  const ClassObject* plain = plain_type_of(value);
  return plain == Interpreter::current().classes().tensor.get() && plain != nullptr;
}

bool is_numpy_scalar(const Value& value) {
  const ClassObject* plain = plain_type_of(value);
  return plain && plain != Interpreter::current().classes().tensor.get();
}

DType scalar_dtype(const Value& scalar) {
  const Value* dtype = scalar.as<InstanceObject>()->cls->lookup("_torch_dtype");
  return dtype ? dtype_of(*dtype).value_or(DType::kFloat64) : DType::kFloat64;
}

Value plain_value(Interpreter& in, const Value& numpy_value) {
  if (in.tracer() && !in.tracer()->opens_numpy_value()) {
    in.stop_trace();
    return Value();
  }
  const std::string_view name = is_numpy_array(numpy_value) ? "_tensor" : "_number";
  const Value* found = numpy_value.as<InstanceObject>()->find(name);
  return found ? *found : in.raise("ValueError", "a NumPy value without content");
}

bool scalars_to_numbers(Interpreter& in, Value& value, int levels) {
  if (is_number_object(value)) return value = Value(number_in(value)), true;
  if (is_numpy_scalar(value)) {
    value = plain_value(in, value);
    return value.defined();
  }
  if (!holds_scalar(value, levels)) return true;
  std::vector<Value> numbers = *items_of(value);
  for (Value& number : numbers)
    if (!scalars_to_numbers(in, number, levels - 1)) return false;
  value = value.is<ListObject>() ? Value(make_list(std::move(numbers)))
                                 : Value(make_tuple(std::move(numbers)));
  return true;
}

bool arrays_to_tensors(Interpreter& in, Value& value) {
  if (!is_numpy_array(value)) return scalars_to_numbers(in, value);
  value = plain_value(in, value);
  return value.defined();
}

}  // namespace glint::runtime
