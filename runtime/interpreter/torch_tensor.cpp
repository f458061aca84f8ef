// The class `torch.Tensor`: properties, conversions, and the methods that are no operators.
#include "core/tensor/accelerator.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/layout.h"
#include "runtime/autograd/node.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/numpy_values.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/recorded_calls.h"
#include "runtime/interpreter/tensor_operators.h"
#include "runtime/interpreter/torch_autograd.h"
#include "runtime/interpreter/torch_forwarded.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/torch_operators.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

TensorImpl& impl_of(NativeCall& call) {
  return *call[0].as<TensorImpl>();
}
Tensor self_of(NativeCall& call) {
  return tensor_of(call[0]);
}

/// Calls an operator of the table by its name in graphs.
Value call_op(NativeCall& call, std::string_view name, std::initializer_list<Value> arguments) {
  const ops::OpEntry* entry = ops::find_op(name);
  if (!entry)
    return call.raise("NotImplementedError", fmt::format("the operator '{}' is missing", name));
  return call.interpreter.call_operator(*entry, {arguments.begin(), arguments.size()});
}

// ---- Shape and place ---------------------------------------------------------------------------

Value tensor_shape(NativeCall& call) {
  return Value(make_size(impl_of(call).sizes));
}

bool dim_argument(NativeCall& call, size_t index, size_t& dim) {
  int64_t number = 0;
  if (!int_argument(call, index, number)) return false;
  auto rank = static_cast<int64_t>(impl_of(call).sizes.size());
  int64_t bound = rank == 0 ? 1 : rank;
  if (number < -bound || number >= bound || rank == 0) {
    call.raise("IndexError",
               rank == 0
                   ? fmt::format("Dimension specified as {} but tensor has no dimensions", number)
                   : fmt::format("Dimension out of range (expected to be in range of [{}, "
                                 "{}], but got {})",
                                 -bound, bound - 1, number));
    return false;
  }
  dim = static_cast<size_t>(number < 0 ? number + rank : number);
  return true;
}

Value tensor_size(NativeCall& call) {
  if (!given_not_none(call[1])) return tensor_shape(call);
  size_t dim = 0;
  return dim_argument(call, 1, dim) ? int_value(impl_of(call).sizes[dim]) : Value();
}
Value tensor_stride(NativeCall& call) {
  size_t dim = 0;
  if (given_not_none(call[1]))
    return dim_argument(call, 1, dim) ? int_value(impl_of(call).strides[dim]) : Value();
  std::vector<Value> strides;
  for (int64_t stride : impl_of(call).strides) strides.push_back(int_value(stride));
  return Value(make_tuple(std::move(strides)));
}
Value tensor_dim(NativeCall& call) {
  return int_value(static_cast<int64_t>(impl_of(call).sizes.size()));
}
Value tensor_numel(NativeCall& call) {
  return int_value(impl_of(call).numel);
}
Value tensor_dtype(NativeCall& call) {
  return dtype_value(impl_of(call).dtype);
}
Value tensor_device(NativeCall& call) {
  return device_value(impl_of(call).device);
}
Value tensor_is_cuda(NativeCall& call) {
  return Value(!impl_of(call).device.is_cpu());
}
Value tensor_is_cpu(NativeCall& call) {
  return Value(impl_of(call).device.is_cpu());
}
Value tensor_element_size(NativeCall& call) {
  return int_value(static_cast<int64_t>(dtype_size(impl_of(call).dtype)));
}
Value tensor_nbytes(NativeCall& call) {
  return int_value(impl_of(call).numel * static_cast<int64_t>(dtype_size(impl_of(call).dtype)));
}
Value tensor_is_contiguous(NativeCall& call) {
  return Value(impl_of(call).contiguous);
}
Value tensor_storage_offset(NativeCall& call) {
  Tensor tensor = self_of(call);
  if (!call.interpreter.demand_value(tensor)) return Value();
  return int_value(tensor->offset);
}
Value tensor_data_ptr(NativeCall& call) {
  Tensor tensor = self_of(call);
  if (!call.interpreter.demand_value(tensor)) return Value();
  return int_value(reinterpret_cast<intptr_t>(tensor.raw_data()));
}
Value tensor_version(NativeCall& call) {
  if (impl_of(call).inference)
    return call.raise("RuntimeError", "Inference tensors do not track version counter.");
  return int_value(impl_of(call).storage ? Tensor(Ref<TensorImpl>(&impl_of(call))).version() : 0);
}
Value tensor_is_floating(NativeCall& call) {
  return Value(is_floating(impl_of(call).dtype));
}
Value tensor_is_signed(NativeCall& call) {
  DType dtype = impl_of(call).dtype;
  return Value(dtype != DType::kBool && dtype != DType::kUInt8);
}
Value always_false(NativeCall& call) {
  return Value(false);
}
Value tensor_itself(NativeCall& call) {
  return call[0];
}

Value tensor_imag(NativeCall& call) {
  return call.raise("TypeError", "imag is not implemented for tensors with non-complex dtypes.");
}

Value tensor_t(NativeCall& call) {
  auto rank = static_cast<int64_t>(impl_of(call).sizes.size());
  std::vector<Value> order;
  for (int64_t i = rank - 1; i >= 0; --i) order.push_back(int_value(i));
  return call_op(call, "permute", {call[0], Value(make_list(std::move(order)))});
}
Value tensor_mt(NativeCall& call) {
  if (impl_of(call).sizes.size() < 2)
    return call.raise("RuntimeError",
                      fmt::format("tensor.mT is only supported on matrices or batches of matrices. "
                                  "Got {}-D tensor.",
                                  impl_of(call).sizes.size()));
  return call_op(call, "transpose", {call[0], int_value(-2), int_value(-1)});
}

// ---- Values ------------------------------------------------------------------------------------

Value tensor_item(NativeCall& call) {
  return item_of(call.interpreter, self_of(call));
}
Value tensor_tolist(NativeCall& call) {
  return tensor_to_list(call.interpreter, self_of(call));
}

/// The only element, for `int(x)` and `float(x)`.
Value only_element(NativeCall& call) {
  if (impl_of(call).numel != 1)
    return call.raise("ValueError", "only one element tensors can be converted to Python scalars");
  return item_of(call.interpreter, self_of(call));
}
/// A number has no history: said once, where somebody might want it.
bool warn_of_lost_history(NativeCall& call) {
  static bool is_said = false;
  if (is_said || !grad_mode() || !self_of(call).requires_grad()) return true;
  is_said = true;
  return warn_script(call.interpreter,
                     "Converting a tensor with requires_grad=True to a scalar may lead to "
                     "unexpected behavior.\nConsider using tensor.detach() first.");
}
Value tensor_float(NativeCall& call) {
  if (!warn_of_lost_history(call)) return Value();
  Value item = only_element(call);
  return item.defined() ? Value(item.to_double()) : Value();
}
Value tensor_int(NativeCall& call) {
  Value item = only_element(call);
  if (item.is_undefined() || item.is_int()) return item;
  if (item.is_bool()) return int_value(item.as_int());
  return call.interpreter.call(Value(call.interpreter.classes().integer), {item});
}
Value tensor_index(NativeCall& call) {
  int64_t index = 0;
  return runtime::tensor_index(call.interpreter, call[0], index) ? int_value(index) : Value();
}
Value tensor_bool(NativeCall& call) {
  return bool_value(tensor_truth(call.interpreter, call[0]));
}
Value tensor_len(NativeCall& call) {
  int64_t length = tensor_length(call.interpreter, call[0]);
  return length < 0 ? Value() : int_value(length);
}
Value tensor_iter(NativeCall& call) {
  return iterator_of(call.interpreter, call[0]);
}
Value tensor_repr(NativeCall& call) {
  std::string text;
  return torch_repr(call.interpreter, call[0], text) ? str_value(std::move(text)) : Value();
}
Value tensor_format(NativeCall& call) {
  std::string_view spec;
  std::string text;
  if (!text_argument(call, 1, spec) || !torch_format(call.interpreter, call[0], spec, text))
    return Value();
  return str_value(std::move(text));
}
Value tensor_getitem(NativeCall& call) {
  return get_item(call.interpreter, call[0], call[1]);
}
Value tensor_setitem(NativeCall& call) {
  return set_item(call.interpreter, call[0], call[1], call[2]) ? Value::none() : Value();
}
Value tensor_hash(NativeCall& call) {
  return int_value(reinterpret_cast<intptr_t>(call[0].object()) >> 4);
}
Value tensor_contains(NativeCall& call) {
  if (!number_in(call[1]).is_number() && !is_tensor(call[1]))
    return bool_value(contains(call.interpreter, call[0], call[1]));
  Value same = runtime::compare(call.interpreter, program::Opcode::kEqual, call[0], call[1]);
  if (same.is_undefined()) return Value();
  Value any = call_op(call, "any", {same});
  return any.is_undefined() ? Value() : bool_value(tensor_truth(call.interpreter, any));
}

/// What the processor made, where it is wanted.
Value moved_to(NativeCall& call, const Value& tensor, Device device) {
  if (tensor.is_undefined() || tensor.as<TensorImpl>()->device.type == device.type) return tensor;
  return call_op(call, "to_device", {tensor, device_value(device), Value(false)});
}

constexpr char kNotCountable[] = "bincount only supports 1-d non-negative integral inputs.";

/// A sum for each int, of what stands beside it; where the tensors are.
Tensor sums_by_int(const Tensor& ints, const Tensor& parts, int64_t size) {
  const DefaultDeviceScope scope(ints.device());
  const Tensor places = ops::call_eager("to", {ints, DType::kInt64});
  return ops::call_eager(
      "index_add", {Tensor::zeros(Dims{size}, parts.dtype(), ints.device()), 0, places, parts});
}

/// How often each int occurs, or the sum of its weights, as float64, or float32 where they are: the
/// sizes depend on the values, so a region ends before it.
Value tensor_bincount(NativeCall& call) {
  const Tensor self = self_of(call);
  int64_t size = 0;
  if (self.rank() != 1) return call.raise("RuntimeError", kNotCountable);
  if (is_floating(self.dtype()) || is_bool(self.dtype()))
    return call.raise("NotImplementedError",
                      fmt::format("\"bincount_cpu\" not implemented for '{}'",
                                  ops::scalar_type_name(self.dtype())));
  if (!call.interpreter.demand_value(self) || !int_argument(call, 2, size)) return Value();
  if (size < 0) return call.raise("RuntimeError", "minlength should be >= 0");
  if (self.numel() > 0) {
    const Tensor ints = ops::call_eager("to", {self, DType::kInt64});
    if (ops::call_eager("amin", {ints}).item().as_int() < 0)
      return call.raise("RuntimeError", kNotCountable);
    size = std::max(size, ops::call_eager("amax", {ints}).item().as_int() + 1);
  }
  Tensor parts;
  if (is_tensor(call[1])) {
    parts = tensor_of(call[1]);
    if (!call.interpreter.demand_value(parts)) return Value();
    if (!same_dims(parts.sizes(), self.sizes()))
      return call.raise("RuntimeError", "weights should be 1-d and have the same length as input");
    if (parts.dtype() != DType::kFloat32) parts = ops::call_eager("to", {parts, DType::kFloat64});
  } else {
    parts = expand(Tensor::full({}, int64_t{1}, DType::kInt64, self.device()), self.sizes());
  }
  try {
    return value_of(sums_by_int(self, parts, size));
  } catch (const ops::OpError& error) {
    return call.raise(error.exception, error.message);
  }
}

// ---- Making ------------------------------------------------------------------------------------

/// What a constructor of sizes or numbers makes, of a dtype or None.
Value made_by_library(NativeCall& call, std::vector<Value> arguments) {
  const Value module = call.interpreter.import_module("torch._typed_tensors");
  if (module.is_undefined() || !scalars_to_numbers(call.interpreter, arguments[1])) return Value();
  return call.interpreter.call(*module.as<ModuleObject>()->dict->find("made"), arguments);
}
/// `torch.Tensor(2, 3)` makes room, `torch.Tensor([1, 2])` takes numbers.
Value construct_tensor(NativeCall& call) {
  return made_by_library(call, {Value::none(), call[0], call[1]});
}
/// `x.new(2, 3)`, `x.new([1, 2])`
Value tensor_new(NativeCall& call) {
  return made_by_library(
      call, {tensor_dtype(call), call[1], call[2], device_value(impl_of(call).device)});
}
Value tensor_new_tensor(NativeCall& call) {
  if (is_tensor(call[1]) && !warn_of_copy(call.interpreter, "tensor.new_tensor(sourceTensor)"))
    return Value();
  std::optional<DType> dtype =
      given_not_none(call[2]) ? dtype_of(call[2]) : std::optional<DType>(impl_of(call).dtype);
  Device device = impl_of(call).device;
  if (given_not_none(call[3]) && !device_of(call.interpreter, call[3], device)) return Value();
  Value taken = call[1];
  if (!is_tensor(taken)) {
    const DefaultDeviceScope scope(device);
    Tensor read = tensor_from_value(call.interpreter, taken, dtype);
    if (!read.defined()) return Value();
    taken = value_of(read);
  }
  if (is_tensor(call[1]) && tensor_of(taken).requires_grad())
    taken = call_op(call, "detach", {taken});
  if (taken.is_undefined()) return Value();
  const Value given = taken;
  taken = moved_to(call, call_op(call, "to", {taken, dtype_value(*dtype)}), device);
  if (is_tensor(call[1]) && taken.identical(given)) taken = call_op(call, "clone", {taken});
  if (taken.is_undefined()) return Value();
  Tensor made = tensor_of(taken);
  if (call[4].is_bool() && call[4].as_bool()) autograd::set_requires_grad(made, true);
  return value_of(made);
}
Value tensor_get_device(NativeCall& call) {
  return int_value(impl_of(call).device.is_cpu() ? -1 : 0);
}
/// `torch.FloatTensor`, `torch.cuda.FloatTensor`
std::string type_text(DType dtype, bool on_cpu) {
  return fmt::format("torch.{}{}Tensor", on_cpu ? "" : "cuda.", ops::scalar_type_name(dtype));
}
std::string type_text(const Tensor& tensor) {
  return type_text(tensor.dtype(), tensor.device().is_cpu());
}
Value tensor_pin_memory(NativeCall& call) {
  Tensor tensor = self_of(call);
  if (!tensor.device().is_cpu())
    return call.raise("RuntimeError", fmt::format("cannot pin '{}' only dense CPU tensors can be "
                                                  "pinned",
                                                  type_text(tensor)));
  if (!call.interpreter.demand_value(tensor)) return Value();
  const Tensor made = pinned(tensor);
  return made.is_same(tensor) ? call[0] : value_of(made);
}
Value tensor_is_pinned(NativeCall& call) {
  Tensor tensor = self_of(call);
  if (!call.interpreter.demand_value(tensor)) return Value();
  return Value(is_pinned(tensor));
}
Value tensor_record_stream(NativeCall& call) {
  const Tensor tensor = self_of(call);
  if (tensor.device().is_cpu())
    return call.raise("NotImplementedError",
                      "Could not run 'aten::record_stream' with arguments from the 'CPU' backend.");
  const Value stream = get_attribute(call.interpreter, call[1], "cuda_stream");
  if (stream.is_undefined()) return Value();
  accelerator().note_use(tensor->storage->data(), static_cast<uint64_t>(stream.as_int()));
  return Value::none();
}
Value tensor_cuda(NativeCall& call) {
  Device device = Device::cuda();
  if (const Value& number = number_in(call[1]); number.is_int())
    device.index = static_cast<int8_t>(number.as_int());
  else if (given_not_none(call[1]) && !device_of(call.interpreter, call[1], device))
    return Value();
  if (device.is_cpu())
    return call.raise("ValueError",
                      fmt::format("Expected a cuda device, but got: {}", to_string(device)));
  const bool non_blocking = given(call[2]) && call[2].is_bool() && call[2].as_bool();
  return call_op(call, "to_any",
                 {call[0], device_value(device), Value::none(), Value(non_blocking)});
}
/// `x.numpy(force=True)`: an array of the library's `numpy` over the same memory.
Value tensor_numpy(NativeCall& call) {
  const Value module = call.interpreter.import_module("torch._numpy");
  if (module.is_undefined()) return Value();
  const Value make = get_attribute(call.interpreter, module, "to_array");
  return make.is_undefined() ? make : call.interpreter.call(make, {call[0], call[1]});
}
/// The tensor itself where it is of that dtype.
Value in_dtype(NativeCall& call, DType dtype) {
  return impl_of(call).dtype == dtype ? call[0]
                                      : call_op(call, "to", {call[0], dtype_value(dtype)});
}
/// `x.type("torch.cuda.FloatTensor")`: the name says where, too.
Value converted_to_type(NativeCall& call, std::string_view name) {
  if (name == "torch.Tensor") {
    const Value made = in_dtype(call, default_dtype());
    return made.is_undefined() ? made : moved_to(call, made, Device::cpu());
  }
  for (size_t i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    for (const Device device : {Device::cpu(), Device::cuda()}) {
      if (type_text(dtype, device.is_cpu()) != name) continue;
      const Value made = in_dtype(call, dtype);
      return made.is_undefined() ? made : moved_to(call, made, device);
    }
  }
  return call.raise("ValueError", fmt::format("invalid type: '{}'", name));
}
Value tensor_type(NativeCall& call) {
  if (!given_not_none(call[1])) return str_value(type_text(self_of(call)));
  if (is_str(call[1])) return converted_to_type(call, view_of(call[1]));
  if (auto* cls = call[1].try_as<ClassObject>()) return converted_to_type(call, full_name(*cls));
  std::optional<DType> dtype = dtype_of(call[1]);
  if (!dtype) return call.raise("TypeError", "dtype must be a type, str, or dtype object");
  return in_dtype(call, *dtype);
}

/// `x.__rsub__(2)`: the operator with its operands exchanged.
template <program::Opcode kOperator>
Value reflected(NativeCall& call) {
  return tensor_binary(call.interpreter, kOperator, call[1], call[0]);
}

constexpr Effects kMeta{.pure = true, .reads_value = true};
/// Says nothing of the sizes.
constexpr Effects kKind{.pure = true, .reads_value = true, .spares_sizes = true};
/// Needs the elements: `demand_value` tells the tracer.
constexpr Effects kData{.pure = true, .reads_elements = true};
constexpr Effects kTraced{.pure = true, .reads_value = true, .traceable = true};

/// `torch.strided`: tensors of another layout are the library's.
Value tensor_layout(NativeCall& call) {
  const Value module = call.interpreter.import_module("torch._layouts");
  return module.is_undefined() ? Value() : *module.as<ModuleObject>()->dict->find("strided");
}

constexpr NativeDefinition kProperties[] = {
    {"shape(self)", tensor_shape, kMeta, "the sizes"},
    {"dtype(self)", tensor_dtype, kKind, "the type of the elements"},
    {"device(self)", tensor_device, kKind, "where it lives"},
    {"ndim(self)", tensor_dim, kKind, "how many dimensions it has"},
    {"itemsize(self)", tensor_element_size, kKind, "bytes of one element"},
    {"nbytes(self)", tensor_nbytes, kMeta, "bytes of all elements"},
    {"T(self)", tensor_t, kTraced, "the dimensions reversed"},
    {"mT(self)", tensor_mt, kTraced, "the last two dimensions exchanged"},
    {"H(self)", tensor_mt, kTraced, "the matrix transposed"},
    {"mH(self)", tensor_mt, kTraced, "the last two dimensions exchanged"},
    {"real(self)", tensor_itself, kKind, "the tensor itself"},
    {"imag(self)", tensor_imag, kKind, "of complex tensors only"},
    {"is_cpu(self)", tensor_is_cpu, kKind, "whether it lives in the processor's memory"},
    {"is_cuda(self)", tensor_is_cuda, kKind, "whether it lives on a GPU"},
    {"layout(self)", tensor_layout, kImpure, "how the elements are kept, torch.strided"},
    {"is_sparse(self)", always_false, kKind, "False"},
    {"is_quantized(self)", always_false, kKind, "False"},
    {"is_meta(self)", always_false, kKind, "False"},
    {"_version(self)", tensor_version, kImpure, "how often the memory was written"},
};
constexpr NativeDefinition kMethods[] = {
    {"size(self, dim=None)", tensor_size, kMeta, "the sizes, or one of them"},
    {"stride(self, dim=None)", tensor_stride, kMeta, "the strides, or one of them"},
    {"dim(self)", tensor_dim, kKind, "how many dimensions it has"},
    {"ndimension(self)", tensor_dim, kKind, "how many dimensions it has"},
    {"numel(self)", tensor_numel, kMeta, "how many elements it has"},
    {"nelement(self)", tensor_numel, kMeta, "how many elements it has"},
    {"element_size(self)", tensor_element_size, kKind, "bytes of one element"},
    {"is_contiguous(self)", tensor_is_contiguous, kKind, "whether the elements lie in order"},
    {"storage_offset(self)", tensor_storage_offset, kImpure, "where in the storage it begins"},
    {"data_ptr(self)", tensor_data_ptr, kImpure, "the address of the first element"},
    {"is_floating_point(self)", tensor_is_floating, kKind, "whether the elements are floats"},
    {"is_complex(self)", always_false, kKind, "False"},
    {"is_signed(self)", tensor_is_signed, kKind, "whether there are negative values"},
    {"item(self)", tensor_item, kData, "the only element as a number"},
    {"tolist(self)", tensor_tolist, kData, "the elements as nested lists"},
    {"bincount(self, weights=None, minlength=0)", tensor_bincount, kData,
     "how often each int occurs"},
    {"new(self, *data, **options)",
     tensor_new,
     {.calls_back = true, .impure = true},
     "a tensor of sizes or of nested lists, of this one's dtype"},
    {"new_tensor(self, data, *, dtype=None, device=None, requires_grad=False)", tensor_new_tensor,
     kImpure, "a tensor of nested lists, of this one's dtype"},
    {"get_device(self)", tensor_get_device, kMeta, "the number of its GPU; -1: the processor"},
    {"numpy(self, *, force=False)",
     tensor_numpy,
     {.calls_back = true, .impure = true},
     "a NumPy array over the same memory"},
    {"type(self, dtype=None, non_blocking=False)", tensor_type, kTraced,
     "the type's name, or a conversion"},
    {"cuda(self, device=None, non_blocking=False)", tensor_cuda, kTraced,
     "the tensor in the memory of a GPU"},
    {"pin_memory(self)", tensor_pin_memory, kImpure,
     "a copy in memory that a GPU reads by itself; without one the tensor itself"},
    {"is_pinned(self, device=None)", tensor_is_pinned, kImpure, "whether it is there"},
    {"record_stream(self, stream)", tensor_record_stream, kImpure,
     "its memory waits for that stream before others get it"},
    {"share_memory_(self)", tensor_itself, kMeta, "the tensor itself"},
    {"__float__(self)", tensor_float, kData, "the only element as a float"},
    {"__int__(self)", tensor_int, kData, "the only element as an int"},
    {"__index__(self)", tensor_index, kData, "the only element as an index"},
    {"__bool__(self)", tensor_bool, kData, "whether the only element is true"},
    {"__len__(self)", tensor_len, kMeta, "the first size"},
    {"__iter__(self)", tensor_iter, {}, "an iterator over the parts along the first dimension"},
    {"__repr__(self)", tensor_repr, kData, "as text"},
    {"__str__(self)", tensor_repr, kData, "as text"},
    {"__format__(self, format_spec)", tensor_format, kData, "as a format spec says"},
    {"__rsub__(self, other)", reflected<program::Opcode::kSubtract>, kTraced, "other - self"},
    {"__rtruediv__(self, other)", reflected<program::Opcode::kDivide>, kTraced, "other / self"},
    {"__rdiv__(self, other)", reflected<program::Opcode::kDivide>, kTraced, "other / self"},
    {"__rfloordiv__(self, other)", reflected<program::Opcode::kFloorDivide>, kTraced,
     "other // self"},
    {"__rmod__(self, other)", reflected<program::Opcode::kModulo>, kTraced, "other % self"},
    {"__rpow__(self, other)", reflected<program::Opcode::kPower>, kTraced, "other ** self"},
    {"__rmatmul__(self, other)", reflected<program::Opcode::kMatrixMultiply>, kTraced,
     "other @ self"},
    {"__getitem__(self, index)", tensor_getitem, kTraced, "a part of the tensor"},
    {"__setitem__(self, index, value)", tensor_setitem, kTraced, "writes a part of the tensor"},
    {"__contains__(self, element)", tensor_contains, kTraced, "whether an element is equal"},
    {"__hash__(self)", tensor_hash, kMeta, "a number for hash tables"},
};

}  // namespace

void install_tensor_class(Interpreter& in) {
  ClassObject& cls = *in.classes().tensor;
  set_constructor(cls, {"Tensor(*data, **options)",
                        construct_tensor,
                        {.calls_back = true, .impure = true},
                        "a tensor of the default dtype"});
  add_operator_methods(cls);
  in.add_methods(cls, kMethods);
  for (const NativeDefinition& property : kProperties) in.add_property(cls, property);
  add_library_methods(in);
  install_gradients(in);
}

}  // namespace glint::runtime
