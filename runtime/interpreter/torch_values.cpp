#include "runtime/interpreter/torch_values.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/tensor/accelerator.h"
#include "core/tensor/print.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/numpy_values.h"
#include "runtime/interpreter/torch_autograd.h"

namespace glint::runtime {

bool torch_repr(Interpreter& in, const Value& value, std::string& out) {
  if (value.is(kDTypeKind)) {
    out += fmt::format("torch.{}", dtype_name(value.as<DTypeObject>()->dtype));
    return true;
  }
  if (auto* device = value.try_as<DeviceObject>()) {
    out += device->index < 0
               ? fmt::format("device(type='{}')", device->type)
               : fmt::format("device(type='{}', index={})", device->type, device->index);
    return true;
  }
  Tensor tensor = tensor_of(value);
  if (!in.demand_value(tensor)) return false;
  out += repr(tensor, gradient_suffix(tensor));
  return true;
}

bool torch_str(Interpreter& in, const Value& value, std::string& out) {
  if (auto* device = value.try_as<DeviceObject>()) {
    out += device->type;
    if (device->index >= 0) out += fmt::format(":{}", device->index);
    return true;
  }
  return torch_repr(in, value, out);
}

bool torch_format(Interpreter& in, const Value& value, std::string_view spec, std::string& out) {
  Tensor tensor = tensor_of(value);
  if (tensor.rank() == 0 && !tensor->is_parameter) {
    Value item = item_of(in, tensor);
    return item.defined() && builtin_format(in, item, spec, out);
  }
  if (spec.empty()) return torch_repr(in, value, out);
  in.raise("TypeError",
           fmt::format("unsupported format string passed to {}.__format__", type_name(value)));
  return false;
}

static Value scalar_value(const Scalar& scalar) {
  if (scalar.is_bool()) return Value(scalar.as_bool());
  return scalar.is_int() ? Value(scalar.as_int()) : Value(scalar.as_double());
}

Value item_of(Interpreter& in, const Tensor& tensor) {
  if (tensor.numel() != 1)
    return in.raise("RuntimeError", fmt::format("a Tensor with {} elements cannot be converted to "
                                                "Scalar",
                                                tensor.numel()));
  if (!in.demand_value(tensor)) return Value();
  return scalar_value(tensor.item());
}

Value dtype_value(DType dtype) {
  static const auto* objects = [] {
    auto* list = new std::array<Ref<DTypeObject>, kDTypeCount>();
    for (size_t i = 0; i < kDTypeCount; ++i)
      (*list)[i] = make_ref<DTypeObject>(static_cast<DType>(i));
    return list;
  }();
  return Value((*objects)[static_cast<size_t>(dtype)]);
}

Value device_value(Device device) {
  return Value(make_ref<DeviceObject>(device.is_cpu() ? "cpu" : "cuda", device.index));
}

std::optional<DType> dtype_of(const Value& value) {
  if (auto* dtype = value.try_as<DTypeObject>()) return dtype->dtype;
  auto* cls = value.try_as<ClassObject>();
  if (!cls) return std::nullopt;
  const BuiltinClasses& classes = Interpreter::current().classes();
  if (cls == classes.floating.get()) return DType::kFloat64;
  if (cls == classes.integer.get()) return DType::kInt64;
  if (cls == classes.boolean.get()) return DType::kBool;
  return std::nullopt;
}

bool device_of(Interpreter& in, const Value& given, Device& out) {
  const Value& value = number_in(given);
  out = Device::cpu();
  if (value.is_undefined() || value.is_none()) return true;
  std::string text;
  if (auto* device = value.try_as<DeviceObject>()) {
    text = device->index < 0 ? device->type : fmt::format("{}:{}", device->type, device->index);
  } else if (is_str(value)) {
    text = view_of(value);
  } else if (value.is_int()) {
    if (value.as_int() < 0) {
      in.raise("RuntimeError", "Device index must not be negative");
      return false;
    }
    text = fmt::format("cuda:{}", value.as_int());  // PyTorch's accelerator of that number
  } else {
    in.raise("TypeError",
             fmt::format("device must be a str or torch.device, not {}", type_name(value)));
    return false;
  }
  try {
    out = ops::device_from_text(text);
  } catch (const ops::OpError& error) {
    raise_op_error(in, error);
    return false;
  }
  accelerator_named |= !out.is_cpu();
  return true;
}

bool to_argument(const Value& value, ops::Argument& out, int levels) {
  switch (value.tag()) {
    case Tag::kNone:
      out.value.emplace<std::monostate>();
      return true;
    case Tag::kBool:
      out.value.emplace<bool>(value.as_bool());
      return true;
    case Tag::kInt:
      out.value.emplace<SymInt>(value.as_int());
      return true;
    case Tag::kFloat:
      out.value.emplace<double>(value.as_float());
      return true;
    case Tag::kObject:
      break;
    default:
      return false;
  }
  switch (value.kind()) {
    case kTensorKind:
      out.value.emplace<Tensor>(tensor_of(value));
      return true;
    case kStrKind:
      accelerator_named |= view_of(value).starts_with("cuda");
      out = ops::Argument(std::string(view_of(value)));
      return true;
    case kDTypeKind:
      out = ops::Argument(value.as<DTypeObject>()->dtype);
      return true;
    case kDeviceKind: {
      auto* device = value.as<DeviceObject>();
      accelerator_named |= device->type == "cuda";
      out = ops::Argument(device->type == "cuda" ? Device::cuda(static_cast<int8_t>(device->index))
                                                 : Device::cpu());
      return true;
    }
    case kClassKind:
      if (std::optional<DType> dtype = dtype_of(value)) return out = ops::Argument(*dtype), true;
      return false;
    case kListKind:
    case kTupleKind: {
      if (levels == 0) return false;
      const auto& items =
          value.is<ListObject>() ? value.as<ListObject>()->items : value.as<TupleObject>()->items;
      ops::Argument::List list(items.size());
      for (size_t i = 0; i < items.size(); ++i)
        if (!to_argument(items[i], list[i], levels - 1)) return false;
      out = ops::Argument(std::move(list));
      return true;
    }
    default:
      return false;
  }
}

Value from_argument(const ops::Argument& argument) {
  return std::visit(
      [](const auto& value) -> Value {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return Value::none();
        } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>) {
          return Value(value);
        } else if constexpr (std::is_same_v<T, SymInt>) {
          return Value(value.is_constant() ? value.constant() : value.hint());
        } else if constexpr (std::is_same_v<T, std::string>) {
          return Value(intern(value));
        } else if constexpr (std::is_same_v<T, DType>) {
          return dtype_value(value);
        } else if constexpr (std::is_same_v<T, Device>) {
          return device_value(value);
        } else if constexpr (std::is_same_v<T, Tensor>) {
          return value_of(value);
        } else {
          std::vector<Value> items;
          for (const auto& item : value) items.push_back(from_argument(item));
          return Value(make_tuple(std::move(items)));
        }
      },
      argument.value);
}

Tensor floats_argument(NativeCall& call, size_t place) {
  if (!is_tensor(call[place]) || !is_floating(call[place].as<TensorImpl>()->dtype)) {
    call.raise("TypeError", "a tensor of floats is needed");
    return {};
  }
  Tensor tensor = tensor_of(call[place]);
  if (!tensor.device().is_cpu()) {
    call.raise("TypeError", "a tensor in the processor's memory is needed");
    return {};
  }
  return call.interpreter.demand_value(tensor) ? tensor : Tensor();
}

Value raise_op_error(Interpreter& in, const ops::OpError& error) {
  return in.raise(error.exception, error.message);
}

namespace {

/// Nested lists taken apart: the shape from the first items, then all numbers in order.
class NestedNumbers {
 public:
  NestedNumbers(Interpreter& in, DType of_floats) : in_(in), of_floats_(of_floats) {}

  bool read(const Value& data) {
    for (Value level = data;;) {
      const std::vector<Value>* items = level_of(level);
      if (!items) break;
      if (sizes.size() == kMostDimensions)
        return in_.raise("ValueError", fmt::format("too many dimensions '{}'", type_name(level))),
               false;
      sizes.push_back(static_cast<int64_t>(items->size()));
      if (items->empty()) break;
      level = (*items)[0];
    }
    // A list of tensors: their own dimensions follow.
    return add(data, 0);
  }

  /// All numbers, where some are the tracer's own (`is_traced_number`); else empty.
  std::vector<Value> with_traced() const {
    std::vector<Value> numbers;
    for (const auto& [place, number] : traced_) {
      while (numbers.size() < place) numbers.push_back(scalar_value(values[numbers.size()]));
      numbers.push_back(number);
    }
    while (!numbers.empty() && numbers.size() < values.size())
      numbers.push_back(scalar_value(values[numbers.size()]));
    return numbers;
  }

  /// Where scalars or arrays of NumPy are among them, the dtype that all have in common.
  std::optional<DType> common_dtype() const {
    if (!any_numpy_) return std::nullopt;
    DType common = DType::kBool;
    for (DType dtype : dtypes()) common = promote_types(common, dtype);
    return common;
  }
  /// Of all that was read.
  std::vector<DType> dtypes() const {
    std::vector<DType> found;
    for (size_t i = 0; i < kDTypeCount; ++i)
      if (seen_ >> i & 1) found.push_back(static_cast<DType>(i));
    return found;
  }

  std::vector<int64_t> sizes;
  std::vector<Scalar> values;

 private:
  static constexpr size_t kMostDimensions = 128;

  /// What is read as a list; null for a number.
  /// An instance of a script's class that is indexed and has a length: a `deque`.
  static bool is_script_sequence(const Value& value) {
    return value.is(kInstanceKind) && script_special(value, Special::kGetItem) &&
           script_special(value, Special::kLen);
  }

  const std::vector<Value>* level_of(const Value& value) {
    if (const std::vector<Value>* items = items_of(value)) return items;
    if (is_numpy_array(value)) return items_of_array(value);
    const bool iterates = value.is<RangeObject>() || is_script_sequence(value);
    if (iterates || (is_tensor(value) && tensor_of(value).rank() > 0)) {
      // What is no list is read as one, which is kept for the time of the call.
      Value items = iterates ? Value() : tensor_to_list(in_, tensor_of(value));
      if (iterates) {
        std::vector<Value> numbers;
        if (!collect(in_, value, numbers)) return nullptr;
        items = Value(make_list(std::move(numbers)));
      }
      if (items.is_undefined()) return nullptr;
      kept_.push_back(items);
      return &items.as<ListObject>()->items;
    }
    return nullptr;
  }

  /// Null for an array without dimensions too, which is a number.
  const std::vector<Value>* items_of_array(const Value& array) {
    const Value tensor = plain_value(in_, array);
    if (tensor.is_undefined()) return nullptr;
    any_numpy_ = true;
    note(tensor.as<TensorImpl>()->dtype);
    return level_of(tensor);
  }

  bool add(const Value& value, size_t depth) {
    const bool outside = !std::exchange(within_array_, within_array_ || is_numpy_array(value));
    const bool added = add_level(value, depth);
    if (outside) within_array_ = false;
    return added;
  }

  bool add_level(const Value& value, size_t depth) {
    if (const std::vector<Value>* items = level_of(value)) {
      if (depth >= sizes.size()) return wrong_type(value);
      if (static_cast<int64_t>(items->size()) != sizes[depth]) {
        in_.raise("ValueError", fmt::format("expected sequence of length {} at dim {} (got {})",
                                            sizes[depth], depth, items->size()));
        return false;
      }
      for (const Value& item : *items)
        if (!add(item, depth + 1)) return false;
      return true;
    }
    if (in_.raised()) return false;
    if (depth < sizes.size()) {
      in_.raise("TypeError", value.is_number()
                                 ? fmt::format("'{}' object cannot be interpreted as a sequence",
                                               type_name(value))
                                 : fmt::format("not a sequence"));
      return false;
    }
    return add_number(value);
  }

  bool add_number(const Value& value) {
    if (value.is_bool())
      add_plain(value.as_bool(), DType::kBool);
    else if (value.is_int())
      add_plain(value.as_int(), DType::kInt64);
    else if (value.is_float())
      add_plain(value.as_float(), of_floats_);
    else if (is_number_object(value))
      return add_number(number_in(value));
    else if (is_numpy_scalar(value) || is_numpy_array(value))
      return add_numpy(value);
    else if (is_tensor(value))
      return add_number_of(tensor_of(value));
    else if (is_traced_number(value) && in_.tracer())
      return add_traced(value);
    else
      return wrong_type(value);
    return true;
  }
  void note(DType dtype) { seen_ |= 1u << static_cast<unsigned>(dtype); }
  template <class T>
  void add_plain(T number, DType dtype) {
    values.emplace_back(number);
    if (!within_array_) note(dtype);
  }
  /// Their dtype counts, not that of the number which they become.
  bool add_numpy(const Value& value) {
    Value plain = plain_value(in_, value);
    if (plain.is_undefined()) return false;
    any_numpy_ = true;
    note(is_tensor(plain) ? plain.as<TensorImpl>()->dtype : scalar_dtype(value));
    within_array_ = true;
    const bool added = add_number(plain);
    within_array_ = false;
    return added;
  }
  bool add_traced(const Value& value) {
    traced_.emplace_back(values.size(), value);
    values.emplace_back(int64_t{0});  // its place
    return true;
  }
  bool add_number_of(const Tensor& tensor) {
    Value item = item_of(in_, tensor);
    return item.defined() && add_number(item);
  }

  bool wrong_type(const Value& value) {
    if (is_str(value) && values.empty() && !sizes.empty()) {
      // A string is a sequence, and each of its characters is one again, without an end.
      in_.raise("ValueError", "too many dimensions 'str'");
    } else if (is_str(value)) {
      in_.raise("TypeError", "new(): invalid data type 'str'");
    } else if (is_big_int(value)) {
      in_.raise("ValueError", "Overflow when unpacking long long");
    } else {
      in_.raise("RuntimeError", fmt::format("Could not infer dtype of {}", type_name(value)));
    }
    return false;
  }

  Interpreter& in_;
  DType of_floats_;
  std::vector<Value> kept_;
  unsigned seen_ = 0;  ///< one bit a dtype, of what is no part of an array
  bool any_numpy_ = false, within_array_ = false;
  std::vector<std::pair<size_t, Value>> traced_;  ///< with their places in `values`
};

/// The tensor of numbers that only the tracer knows: `full([], n)` each, stacked.
Tensor stack_numbers(Interpreter& in, const std::vector<Value>& numbers,
                     const std::vector<int64_t>& sizes, std::optional<DType> dtype) {
  auto call = [&](std::string_view name, std::initializer_list<Value> arguments) {
    for (const Value& argument : arguments)
      if (argument.is_undefined()) return Value();
    return in.call_operator(*ops::find_op(name), {arguments.begin(), arguments.size()});
  };
  bool real = std::ranges::any_of(
      numbers, [](const Value& number) { return number.is_float() || number.is(kSymFloatKind); });
  Value type = dtype_value(dtype.value_or(real ? default_dtype() : DType::kInt64));
  Value none = Value(make_list({}));
  std::vector<Value> elements;
  for (const Value& number : numbers) {
    elements.push_back(call("full", {none, number, type}));
    if (elements.back().is_undefined()) return Tensor();
  }
  std::vector<Value> shape;
  for (int64_t size : sizes) shape.emplace_back(size);
  Value row = call("stack", {Value(make_list(std::move(elements)))});
  Value made = call("reshape", {row, Value(make_list(std::move(shape)))});
  return made.defined() ? tensor_of(made) : Tensor();
}

Value list_of_elements(const Tensor& tensor, size_t dim, int64_t offset) {
  if (static_cast<int64_t>(dim) == tensor.rank())
    return scalar_value(Tensor::view_of(tensor, {}, {}, offset).item());
  std::vector<Value> items;
  int64_t size = tensor.sizes()[dim], stride = tensor.strides()[dim];
  items.reserve(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i)
    items.push_back(list_of_elements(tensor, dim + 1, offset + i * stride));
  return Value(make_list(std::move(items)));
}

}  // namespace

Tensor tensor_from_value(Interpreter& in, const Value& data, std::optional<DType> dtype) {
  NestedNumbers numbers(in, default_dtype());
  if (!numbers.read(data)) return Tensor();
  if (std::vector<Value> traced = numbers.with_traced(); !traced.empty())
    return stack_numbers(in, traced, numbers.sizes, dtype);
  if (!dtype) dtype = numbers.common_dtype();
  try {
    Tensor made = ops::tensor_from_values(numbers.values, numbers.sizes, dtype);
    return in.tracer() ? in.tracer()->literal(to_device(made, default_device())) : made;
  } catch (const ops::OpError& error) {
    raise_op_error(in, error);
    return Tensor();
  }
}

Value numbers_and_dtypes(Interpreter& in, const Value& data) {
  NestedNumbers numbers(in, DType::kFloat64);
  if (!numbers.read(data)) return Value();
  if (!numbers.with_traced().empty()) {
    in.stop_trace();
    return Value();
  }
  const std::vector<DType> dtypes = numbers.dtypes();
  std::vector<Value> names;
  DType widest = DType::kBool;
  for (DType dtype : dtypes) {
    names.push_back(dtype_value(dtype));
    widest = promote_types(widest, is_floating(dtype)      ? DType::kFloat64
                                   : dtype == DType::kBool ? DType::kBool
                                                           : DType::kInt64);
  }
  if (dtypes.empty()) widest = DType::kFloat64;
  try {
    Tensor made = ops::tensor_from_values(numbers.values, numbers.sizes, widest);
    return Value(make_tuple({value_of(made), Value(make_list(std::move(names)))}));
  } catch (const ops::OpError& error) {
    return raise_op_error(in, error);
  }
}

Value tensor_to_list(Interpreter& in, const Tensor& tensor) {
  if (!in.demand_value(tensor)) return Value();
  const Tensor near = on_processor(tensor);
  return list_of_elements(near, 0, near.offset());
}

}  // namespace glint::runtime
