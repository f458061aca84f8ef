#include "runtime/interpreter/torch_modules.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <list>
#include <numbers>

#include "core/support/thread_pool.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/generator.h"
#include "core/tensor/grad_mode.h"
#include "core/tensor/print.h"
#include "core/tensor/views.h"
#include "runtime/interpreter/autocast.h"
#include "runtime/interpreter/complex_tensors.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/numpy_values.h"
#include "runtime/interpreter/recorded_calls.h"
#include "runtime/interpreter/torch_autograd.h"
#include "runtime/interpreter/torch_forwarded.h"
#include "runtime/interpreter/torch_generator.h"
#include "runtime/interpreter/torch_operators.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

struct RegisteredModule {
  std::string name;
  NativeModule module;
};
std::list<RegisteredModule>& registered_modules() {
  static std::list<RegisteredModule> list;
  return list;
}

// ---- Making tensors ----------------------------------------------------------------------------

/// The dtype argument: nothing for None; false if it raised.
bool dtype_argument(NativeCall& call, size_t index, std::optional<DType>& out) {
  if (!given_not_none(call[index])) return true;
  out = dtype_of(call[index]);
  if (out) return true;
  call.raise("TypeError", fmt::format("{}(): argument 'dtype' must be torch.dtype, not {}",
                                      call.function->signature.name, type_name(call[index])));
  return false;
}

Tensor converted(Interpreter& in, const Tensor& tensor, std::optional<DType> dtype, bool copy) {
  if (!tensor.defined()) return tensor;
  const ops::OpEntry* entry = ops::find_op(dtype && *dtype != tensor.dtype() ? "to" : "clone");
  if (!dtype && !copy) return tensor;
  if (dtype && *dtype == tensor.dtype() && !copy) return tensor;
  Value arguments[] = {value_of(tensor), dtype ? dtype_value(*dtype) : Value::none()};
  size_t count = std::string_view(entry->name) == "to" ? 2 : 1;
  Value result = in.call_operator(*entry, {arguments, count});
  return result.is_undefined() ? Tensor() : tensor_of(result);
}

/// A copy of a tensor has the values alone.
Tensor without_history(Interpreter& in, const Value& tensor) {
  if (!tensor_of(tensor).requires_grad()) return tensor_of(tensor);
  const Value detached = in.call_operator(*ops::find_op("detach"), {&tensor, 1});
  return detached.is_undefined() ? Tensor() : tensor_of(detached);
}

Value make_tensor(NativeCall& call, bool copy) {
  Interpreter& in = call.interpreter;
  std::optional<DType> dtype;
  Device device;
  if (!dtype_argument(call, 1, dtype) || !device_of(in, call[2], device)) return Value();
  int requires_grad = copy && given(call[3]) ? truth(in, call[3]) : 0;
  if (requires_grad < 0) return Value();
  if (!given_not_none(call[2])) device = default_device();
  // A trace makes what it takes from the text where it is wanted.
  const DefaultDeviceScope scope(device);
  Tensor tensor;
  Value data = call[0];
  if (is_numpy_array(data) && !arrays_to_tensors(in, data)) return Value();
  const bool copies = copy && is_tensor(call[0]);
  if (copies && !warn_of_copy(in, "torch.tensor(sourceTensor)")) return Value();
  if (is_tensor(data))
    tensor = converted(in, copy ? without_history(in, data) : tensor_of(data), dtype, copy);
  else
    tensor = tensor_from_value(in, data, dtype);
  if (!tensor.defined()) return Value();
  const bool stays = is_tensor(call[0]) && !given_not_none(call[2]);
  if (!stays && device.type != tensor.device().type) {
    const Value arguments[] = {value_of(tensor), device_value(device), Value(false)};
    const Value moved = in.call_operator(*ops::find_op("to_device"), arguments);
    if (moved.is_undefined()) return Value();
    tensor = tensor_of(moved);
    tensor.storage()->reset_version();
  }
  if (requires_grad) {
    if (!is_floating(tensor.dtype()))
      return call.raise("RuntimeError",
                        "Only Tensors of floating point and complex dtype can "
                        "require gradients");
    tensor->requires_grad = true;
    tensor->meta = TensorMetaId::kUnknown;
  }
  return value_of(tensor);
}
Value torch_tensor(NativeCall& call) {
  return make_tensor(call, true);
}
Value torch_as_tensor(NativeCall& call) {
  return make_tensor(call, false);
}

Value torch_is_tensor(NativeCall& call) {
  return Value(is_tensor(call[0]));
}

Value construct_parameter(NativeCall& call) {
  if (!is_tensor(call[0]))
    return call.raise("TypeError",
                      fmt::format("Parameter data must be a Tensor, not {}", type_name(call[0])));
  int requires_grad = truth(call.interpreter, call[1]);
  if (requires_grad < 0) return Value();
  Tensor data = tensor_of(call[0]);
  if (data.is_pending() && !call.interpreter.demand_value(data)) return Value();
  if (requires_grad == 1 && !is_floating(data.dtype()))
    return call.raise("RuntimeError",
                      "Only Tensors of floating point and complex dtype can require gradients");
  if (requires_grad == 1 && !may_require_grad(call, data)) return Value();
  Tensor parameter = alias(data);
  parameter->requires_grad = requires_grad == 1;
  parameter->is_parameter = true;
  parameter->meta = TensorMetaId::kUnknown;
  return value_of(parameter);
}

// ---- Random numbers, threads, printing, defaults -----------------------------------------------

/// `torch.default_generator`.
Value generator_value(Interpreter& in) {
  Value* found = in.modules().find("torch");
  Value* made = found && found->is<ModuleObject>()
                    ? found->as<ModuleObject>()->dict->find("default_generator")
                    : nullptr;
  return made ? *made : Value::none();
}

/// The processor's numbers and a GPU's.
void seed_all(uint64_t seed) {
  default_generator().seed(seed);
  default_generator().on_device = {seed};
}

Value torch_manual_seed(NativeCall& call) {
  Value seed = call.interpreter.call(Value(call.interpreter.classes().integer), {call[0]});
  if (seed.is_undefined()) return Value();
  const std::optional<uint64_t> bits = seed_bits(call.interpreter, seed);
  if (!bits) return Value();
  seed_all(*bits);
  return generator_value(call.interpreter);
}
Value torch_initial_seed(NativeCall& call) {
  return seed_value(default_generator().initial_seed());
}
Value torch_seed(NativeCall& call) {
  seed_all(static_cast<uint64_t>(std::time(nullptr)));
  return torch_initial_seed(call);
}

Value torch_get_num_threads(NativeCall& call) {
  return int_value(num_threads());
}
Value torch_set_num_threads(NativeCall& call) {
  int64_t count = 0;
  if (!int_argument(call, 0, count)) return Value();
  if (count <= 0) return call.raise("RuntimeError", "set_num_threads expects a positive integer");
  set_num_threads(static_cast<int>(count));
  return Value::none();
}

Value torch_set_printoptions(NativeCall& call) {
  PrintOptions& options = print_options();
  if (is_str(call[4])) {
    if (view_of(call[4]) == "default") options = PrintOptions();
    if (view_of(call[4]) == "short") options = {.precision = 2, .threshold = 1000, .edge_items = 2};
    if (view_of(call[4]) == "full") {
      options = PrintOptions();
      options.threshold = INT64_MAX;
    }
  }
  int64_t number = 0;
  if (!call[0].is_none()) {
    if (!int_argument(call, 0, number)) return Value();
    options.precision = static_cast<int>(number);
  }
  if (!call[1].is_none()) {
    double threshold = 0;
    if (!float_argument(call, 1, threshold)) return Value();
    options.threshold = std::isinf(threshold) ? INT64_MAX : static_cast<int64_t>(threshold);
  }
  if (!call[2].is_none() && !int_argument(call, 2, options.edge_items)) return Value();
  if (!call[3].is_none()) {
    if (!int_argument(call, 3, number)) return Value();
    options.line_width = static_cast<int>(number);
  }
  if (call[5].is_bool())
    options.scientific =
        call[5].as_bool() ? PrintOptions::Scientific::kAlways : PrintOptions::Scientific::kNever;
  else
    options.scientific = PrintOptions::Scientific::kAuto;
  return Value::none();
}

Value torch_get_default_dtype(NativeCall& call) {
  return dtype_value(default_dtype());
}
Value torch_set_default_dtype(NativeCall& call) {
  std::optional<DType> dtype = dtype_of(call[0]);
  if (!dtype || !is_floating(*dtype))
    return call.raise("TypeError", "only floating-point types are supported as the default type");
  set_default_dtype(*dtype);
  return Value::none();
}

Value torch_promote_types(NativeCall& call) {
  std::optional<DType> a = dtype_of(call[0]), b = dtype_of(call[1]);
  if (!a || !b) return call.raise("TypeError", "promote_types() takes two dtypes");
  return dtype_value(promote_types(*a, *b));
}

Value torch_result_type(NativeCall& call) {
  std::vector<PromotionOperand> operands;
  for (size_t i : {size_t{0}, size_t{1}}) {
    const Value& value = number_in(call[i]);
    using Kind = PromotionOperand::Kind;
    if (is_tensor(value)) {
      Tensor tensor = tensor_of(value);
      operands.push_back({tensor.rank() == 0 ? Kind::kZeroDim : Kind::kTensor, tensor.dtype()});
    } else if (value.is_number()) {
      operands.push_back({Kind::kScalar, value.is_bool()  ? DType::kBool
                                         : value.is_int() ? DType::kInt64
                                                          : DType::kFloat64});
    } else {
      return call.raise("TypeError", "result_type() takes tensors and numbers");
    }
  }
  return dtype_value(result_type(operands));
}

Value torch_is_grad_enabled(NativeCall& call) {
  return Value(grad_state().enabled);
}
Value torch_is_inference_enabled(NativeCall& call) {
  return Value(grad_state().inference);
}
Value native_grad_modes(NativeCall& call) {
  GradState state = grad_state();
  return Value(make_tuple({Value(state.enabled), Value(state.inference)}));
}
Value native_set_grad_modes(NativeCall& call) {
  GradState state = grad_state();
  state.enabled = truth(call.interpreter, call[0]) == 1;
  if (!call[1].is_none()) state.inference = truth(call.interpreter, call[1]) == 1;
  set_grad_state(state);
  return Value::none();
}
/// Names that a module of the library has, and whose files are read when they are asked for. A name
/// that nobody has is the module's mistake as any other: nothing of the library is in its
/// traceback.
Value native_set_late_names(NativeCall& call) {
  auto* module = call[0].try_as<ModuleObject>();
  if (!module) return call.raise("TypeError", "a module was expected");
  module->missing = [find = call[1]](Interpreter& in, ModuleObject& of, std::string_view name) {
    if (name.starts_with("__")) return Value();
    Value found = in.call(find, {str_value(std::string(name))});
    if (found.is_undefined() || found.is_none()) return Value();
    of.dict->set(name, found);
    return found;
  };
  return Value::none();
}
Value dtype_itemsize(NativeCall& call) {
  return int_value(static_cast<int64_t>(dtype_size(call[0].as<DTypeObject>()->dtype)));
}
Value dtype_is_floating(NativeCall& call) {
  return Value(is_floating(call[0].as<DTypeObject>()->dtype));
}
Value dtype_is_complex(NativeCall& call) {
  return Value(false);
}
Value dtype_is_signed(NativeCall& call) {
  DType dtype = call[0].as<DTypeObject>()->dtype;
  return Value(dtype != DType::kBool && dtype != DType::kUInt8);
}

Value construct_device(NativeCall& call) {
  Device device;
  if (is_str(call[0]) && given_not_none(call[1])) {
    int64_t index = 0;
    if (!int_argument(call, 1, index)) return Value();
    const std::string type(view_of(call[0]));
    if (type.find(':') != std::string::npos)
      return call.interpreter.raise(
          "RuntimeError",
          "type (string) must not include an index because index was passed explicitly: " + type);
    if (index < 0)
      return call.interpreter.raise("RuntimeError", "Device index must not be negative");
    if (!device_of(call.interpreter, call[0], device)) return Value();
    device.index = static_cast<int>(index);
    return device_value(device);
  }
  if (!device_of(call.interpreter, call[0], device)) return Value();
  return device_value(device);
}
Value device_type(NativeCall& call) {
  return str_value(call[0].as<DeviceObject>()->type);
}
Value device_index(NativeCall& call) {
  int index = call[0].as<DeviceObject>()->index;
  return index < 0 ? Value::none() : int_value(index);
}
/// `with torch.device("cuda"):`, what is made goes there; behind it, where it went before.
std::vector<Device>& devices_before() {
  static auto& all = *new std::vector<Device>;
  return all;
}
Value device_enter(NativeCall& call) {
  Device device;
  if (!device_of(call.interpreter, call[0], device)) return Value();
  if (!device.is_cpu() && device.index < 0) device.index = 0;
  devices_before().push_back(default_device());
  set_default_device(device);
  return call[0];
}
Value device_exit(NativeCall& call) {
  if (devices_before().empty()) return Value(false);
  set_default_device(devices_before().back());
  devices_before().pop_back();
  return Value(false);
}

constexpr Effects kReads{.pure = true, .reads_value = true};
constexpr Effects kReadsKind{.pure = true, .reads_value = true, .spares_sizes = true};
constexpr Effects kGradMode{.pure = true, .reads_value = true, .reads_grad_mode = true};
constexpr Effects kMakesTensor{.impure = true, .makes_tensor = true};

constexpr NativeDefinition kTorch[] = {
    {"tensor(data, *, dtype=None, device=None, requires_grad=False)", torch_tensor, kMakesTensor,
     "a tensor of the numbers in nested lists"},
    {"as_tensor(data, dtype=None, device=None)", torch_as_tensor, kImpure,
     "a tensor as it is, or one of nested lists"},
    {"is_tensor(obj, /)", torch_is_tensor, kReadsKind, "whether an object is a tensor"},
    {"manual_seed(seed)", torch_manual_seed, kImpure, "starts the random numbers of tensors"},
    {"initial_seed()", torch_initial_seed, kImpure, "the seed in use"},
    {"seed()", torch_seed, kImpure, "starts the random numbers anew"},
    {"get_num_threads()", torch_get_num_threads, kImpure, "how many threads operators use"},
    {"set_num_threads(int, /)", torch_set_num_threads, kImpure, "sets how many threads to use"},
    {"set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, "
     "profile=None, sci_mode=None)",
     torch_set_printoptions, kImpure, "how tensors print"},
    {"get_default_dtype()", torch_get_default_dtype, kReads, "the dtype of float literals"},
    {"set_default_dtype(d, /)", torch_set_default_dtype, kImpure, "sets the dtype of floats"},
    {"promote_types(type1, type2)", torch_promote_types, kReads, "the common dtype of two"},
    {"result_type(tensor1, tensor2)", torch_result_type, kReads, "the dtype of an operation"},
    {"is_grad_enabled()", torch_is_grad_enabled, kGradMode, "whether gradients are recorded"},
    {"is_inference_mode_enabled()", torch_is_inference_enabled, kGradMode,
     "whether tensors are made for inference alone"},
};

Value native_return_type(NativeCall& call) {
  std::string_view name;
  if (!text_argument(call, 0, name)) return Value();
  ClassObject* cls = return_type(call.interpreter, name);
  return cls ? Value(Ref<ClassObject>(cls)) : Value::none();
}

constexpr NativeDefinition kNative[] = {
    {"return_type(name, /)", native_return_type, kImpure,
     "the class of an operator's named tuples, or None"},
    {"grad_modes()", native_grad_modes, kGradMode,
     "whether gradients are recorded, and whether inference mode is on"},
    {"set_grad_modes(enabled, inference=None, /)", native_set_grad_modes, kGradMode,
     "sets that; None leaves the inference mode"},
    {"set_late_names(module, find, /)", native_set_late_names, kImpure,
     "has `find(name)` give what the module lacks; None: there is no such name"},
};

void add_dtypes(ModuleObject& module) {
  for (const DTypeInfo& info : kDTypeTable) {
    module.dict->set(info.name, dtype_value(info.dtype));
    if (!info.alias.empty()) module.dict->set(info.alias, dtype_value(info.dtype));
  }
}

/// A name that the module `file` defines; undefined if it does not.
Value name_in(Interpreter& in, std::string_view file, std::string_view name) {
  Value module = in.import_module(file);
  if (module.is_undefined()) return Value();
  auto* library = module.try_as<ModuleObject>();
  Value* found = library ? library->dict->find(name) : nullptr;
  return found ? *found : Value();
}

bool is_complex_dtype(std::string_view name) {
  constexpr std::string_view kNames[] = {"complex32", "complex64", "complex128",
                                         "chalf",     "cfloat",    "cdouble"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

/// What the library has by that name: a function with a file of its own, a submodule, or one of
/// torch._extras, which is large and is read last.
Value in_library(Interpreter& in, std::string_view name) {
  if (is_library_function(name)) return library_function(in, name);
  if (name == "autocast") return name_in(in, "torch.amp", name);  // a class, which it defines
  if (name.ends_with("Tensor")) return name_in(in, "torch._typed_tensors", name);
  if (is_complex_dtype(name)) return name_in(in, "torch._complex", name);
  if (name.ends_with("Storage")) return name_in(in, "torch.storage", name);
  Value submodule = in.import_module(fmt::format("torch.{}", name));
  if (submodule.defined()) return submodule;
  if (!in.pending_is("ModuleNotFoundError")) return Value();
  in.take_pending();
  return name_in(in, "torch._extras", name);
}

/// An attribute of `torch` that is in the library.
Value missing_attribute(Interpreter& in, ModuleObject& module, std::string_view name) {
  if (name.starts_with("__")) return Value();
  Value value = in_library(in, name);
  if (value.defined()) module.dict->set(name, value);
  return value;
}

}  // namespace

void install_torch(Interpreter& in) {
  BuiltinClasses& classes = in.classes();
  set_constructor(*classes.device,
                  {"device(type, index=None)", construct_device, kReads, "where a tensor lives"});
  static constexpr NativeDefinition kDeviceMethods[] = {
      {"__enter__(self)", device_enter, kImpure, "makes it where tensors are made"},
      {"__exit__(self, *error)", device_exit, kImpure, "ends that"},
  };
  in.add_methods(*classes.device, kDeviceMethods);
  in.add_property(*classes.device, {"type(self)", device_type, kReads});
  in.add_property(*classes.device, {"index(self)", device_index, kReads});
  in.add_property(*classes.dtype, {"itemsize(self)", dtype_itemsize, kReads});
  in.add_property(*classes.dtype, {"is_floating_point(self)", dtype_is_floating, kReads});
  in.add_property(*classes.dtype, {"is_complex(self)", dtype_is_complex, kReads});
  in.add_property(*classes.dtype, {"is_signed(self)", dtype_is_signed, kReads});
  set_constructor(*classes.parameter, {"Parameter(data, requires_grad=True)",
                                       construct_parameter,
                                       {.reads_value = true},
                                       "a tensor that a module learns"});
}

void fill_torch(Interpreter& in, ModuleObject& module) {
  // Here and not at the start: a script without tensors does not wait for the operator table.
  install_tensor_class(in);
  add_operators(module, ops::PythonPlace::kTorch);
  in.add_functions(module, kTorch);
  add_dtypes(module);
  BuiltinClasses& classes = in.classes();
  module.dict->set("Tensor", Value(classes.tensor));
  module.dict->set("Size", Value(classes.size));
  module.dict->set("dtype", Value(classes.dtype));
  module.dict->set("device", Value(classes.device));
  for (const char* name : {"OutOfMemoryError", "AcceleratorError"})
    module.dict->set(name, Value(classes.exceptions[name]));
  module.dict->set("inf", Value(HUGE_VAL));
  module.dict->set("nan", Value(std::numeric_limits<double>::quiet_NaN()));
  module.dict->set("pi", Value(std::numbers::pi));
  module.dict->set("e", Value(std::numbers::e));
  module.dict->set("__version__", str_value("2.5.0+glint"));
  fill_torch_generators(in, module);
  module.missing = missing_attribute;
}

void fill_torch_native(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kNative);
  fill_native_gradients(in, module);
  fill_native_autocast(in, module);
  fill_native_complex(in, module);
  module.dict->set("Parameter", Value(in.classes().parameter));
}

void fill_torch_functional(Interpreter& in, ModuleObject& module) {
  add_operators(module, ops::PythonPlace::kFunctional);
  // PyTorch's functional module has the elementwise activations of `torch` too.
  for (const char* name : {"tanh", "sigmoid", "relu_"})
    if (const ops::OpEntry* entry = ops::find_torch(name); entry && !module.dict->find(name))
      module.dict->set(name, Value(make_operator(name, *entry, false)));
}

void register_native_module(std::string name, NativeModule module) {
  if (find_registered_module(name)) return;
  registered_modules().push_back({std::move(name), std::move(module)});
}

const NativeModule* find_registered_module(std::string_view name) {
  for (const RegisteredModule& entry : registered_modules())
    if (entry.name == name) return &entry.module;
  return nullptr;
}

std::vector<std::string> registered_module_names() {
  std::vector<std::string> names;
  for (const RegisteredModule& entry : registered_modules()) names.push_back(entry.name);
  return names;
}

}  // namespace glint::runtime
