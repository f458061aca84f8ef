#include "runtime/interpreter/numpy_elements.h"

#include <cmath>
#include <span>

#include "runtime/interpreter/numpy_values.h"

namespace glint::runtime {
namespace {

/// By the dtypes, the classes of its scalars: an attribute of the class `ndarray` alone.
DictObject* element_types(const InstanceObject& array) {
  static const Ref<StrObject> name = intern("__element_types__");
  const Value* found = array.cls->dict->table.find(name.get());
  return found ? found->try_as<DictObject>() : nullptr;
}

/// The tensor of an array whose memory may be looked into; an undefined handle for all else.
Tensor memory_of(InstanceObject& array) {
  static const Ref<StrObject> name = intern("_tensor");
  const Value* found = array.find(name.get());
  if (!found || !found->is(kTensorKind)) return Tensor();
  Tensor tensor{Ref<TensorImpl>(found->as<TensorImpl>())};
  const bool plain = !tensor.is_pending() && tensor.device().is_cpu() && !tensor.requires_grad() &&
                     !tensor->attributes && !tensor->traced;
  return plain ? tensor : Tensor();
}

/// Where the element at so many ints as there are dimensions lies; null for any other index.
std::byte* place_of(const Tensor& tensor, const Value& key) {
  std::span<const Value> parts(&key, 1);
  if (const auto* tuple = key.try_as<TupleObject>()) parts = tuple->items;
  if (parts.empty() || parts.size() != static_cast<size_t>(tensor.rank())) return nullptr;
  int64_t steps = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is_int()) return nullptr;
    const int64_t size = tensor.sizes()[i], given = parts[i].as_int();
    const int64_t index = given < 0 ? given + size : given;
    if (index < 0 || index >= size) return nullptr;
    steps += index * tensor.strides()[i];
  }
  return tensor.raw_data() + steps * static_cast<int64_t>(tensor.element_size());
}

template <class T>
T& as(std::byte* place) {
  return *reinterpret_cast<T*>(place);
}

/// The element as the number that a scalar holds; undefined for a dtype that is rarely met.
Value number_at(DType dtype, std::byte* place) {
  switch (dtype) {
    case DType::kFloat64:
      return Value(as<double>(place));
    case DType::kFloat32:
      return Value(static_cast<double>(as<float>(place)));
    case DType::kInt64:
      return Value(as<int64_t>(place));
    case DType::kInt32:
      return Value(int64_t{as<int32_t>(place)});
    default:
      return Value();
  }
}

/// The number that is written: one of Python's, or that of a scalar of the array's own dtype.
Value number_of(const Value& value, DType dtype) {
  if (value.is_float() || value.is_int()) return value;
  if (!is_numpy_scalar(value) || scalar_dtype(value) != dtype) return Value();
  static const Ref<StrObject> name = intern("_number");
  const Value* found = value.as<InstanceObject>()->find(name.get());
  return found ? *found : Value();
}

bool write_float(DType dtype, std::byte* place, double number) {
  // What is no infinity and becomes one is warned about.
  constexpr double kLarge = 1e38;
  if (dtype == DType::kFloat64)
    as<double>(place) = number;
  else if (std::abs(number) < kLarge)
    as<float>(place) = static_cast<float>(number);
  else
    return false;
  return true;
}

bool write_number(DType dtype, std::byte* place, const Value& number) {
  constexpr int64_t kWhole = int64_t{1} << 53;  // ints below it are floats too
  if (dtype == DType::kFloat64 || dtype == DType::kFloat32) {
    if (number.is_float()) return write_float(dtype, place, number.as_float());
    if (!number.is_int() || number.as_int() >= kWhole || number.as_int() <= -kWhole) return false;
    return write_float(dtype, place, static_cast<double>(number.as_int()));
  }
  if (dtype != DType::kInt64 || !number.is_int()) return false;
  as<int64_t>(place) = number.as_int();
  return true;
}

}  // namespace

Value numpy_element(Interpreter& in, const Value& array, const Value& key) {
  auto* instance = array.try_as<InstanceObject>();
  DictObject* types = instance && !in.tracer() ? element_types(*instance) : nullptr;
  if (!types) return Value();
  const Tensor tensor = memory_of(*instance);
  std::byte* place = tensor.defined() ? place_of(tensor, key) : nullptr;
  if (!place) return Value();
  Value number = number_at(tensor.dtype(), place);
  Value* cls = nullptr;
  if (number.is_undefined() ||
      types->table.find(dtype_value(tensor.dtype()), cls) != HashTable::Outcome::kFound)
    return Value();
  static const Ref<StrObject> name = intern("_number");
  Ref<InstanceObject> made = InstanceObject::make(cls->as<ClassObject>());
  made->set(name, std::move(number));
  return Value(std::move(made));
}

bool set_numpy_element(Interpreter& in, const Value& array, const Value& key, const Value& value) {
  auto* instance = array.try_as<InstanceObject>();
  if (!instance || in.tracer() || !element_types(*instance)) return false;
  static const Ref<StrObject> name = intern("_locked");
  const Value* locked = instance->find(name.get());
  const Tensor tensor = memory_of(*instance);
  if (!tensor.defined() || !locked || !locked->is_bool() || locked->as_int() != 0) return false;
  std::byte* place = place_of(tensor, key);
  const Value number = place ? number_of(value, tensor.dtype()) : Value();
  if (number.is_undefined() || !write_number(tensor.dtype(), place, number)) return false;
  tensor.bump_version();
  return true;
}

}  // namespace glint::runtime
