#include "runtime/interpreter/autocast.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/tensor/accelerator.h"
#include "core/tensor/grad_mode.h"
#include "ops/autocast.h"
#include "runtime/autograd/node.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/containers.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/recorded_calls.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {

namespace {

// ---- Conversions -------------------------------------------------------------------------------

/// Parameters that were converted, until autocast ends: all uses of one share its conversion, and
/// so their gradients are summed in the lower precision, as in PyTorch.
using Converted = std::unordered_map<TensorImpl*, std::pair<Tensor, Tensor>>;
Converted& converted() {
  static auto& all = *new Converted;
  return all;
}

bool is_kept(Interpreter& in, const Tensor& tensor, DType dtype) {
  return grad_state().autocast.caches && grad_mode() && !in.tracer() &&
         tensor.dtype() == DType::kFloat32 && dtype != DType::kFloat32 && tensor->requires_grad &&
         !tensor->base && autograd::is_leaf(tensor);
}

Value convert(Interpreter& in, const Value& value, DType dtype) {
  static const ops::OpEntry& to = *ops::find_op("to");
  const Tensor tensor = tensor_of(value);
  const bool keeps = is_kept(in, tensor, dtype);
  if (keeps)
    if (auto found = converted().find(&tensor.impl());
        found != converted().end() && found->second.second.dtype() == dtype)
      return value_of(found->second.second);
  const Value arguments[] = {value, dtype_value(dtype)};
  Value made = in.call_operator(to, arguments);
  if (keeps && made.defined())
    converted().insert_or_assign(&tensor.impl(), std::pair(tensor, tensor_of(made)));
  return made;
}

void find_tensors(const Value& value, std::vector<Tensor>& tensors) {
  if (value.is(kTensorKind)) tensors.push_back(tensor_of(value));
  if (const std::vector<Value>* items = items_of(value))
    for (const Value& item : *items)
      if (item.is(kTensorKind)) tensors.push_back(tensor_of(item));
}

/// Whether the call says itself in which dtype it computes.
bool names_dtype(const ops::OpEntry& entry, std::span<const Value> arguments) {
  std::optional<size_t> place = ops::signature(entry).find("dtype");
  return place && *place < arguments.size() && arguments[*place].is_object() &&
         dtype_of(arguments[*place]);
}

/// The value, or its items, in that dtype; undefined if it raised.
Value converted_argument(Interpreter& in, const Value& value, DType dtype, DeviceType type) {
  if (value.is(kTensorKind)) {
    const Tensor tensor = tensor_of(value);
    bool stays = !ops::is_converted(tensor, type) || tensor.dtype() == dtype;
    return stays ? value : convert(in, value, dtype);
  }
  const std::vector<Value>* items = items_of(value);
  auto is_tensor = [](const Value& item) { return item.is(kTensorKind); };
  if (!items || std::ranges::none_of(*items, is_tensor)) return value;
  std::vector<Value> made;
  for (const Value& item : *items) {
    made.push_back(converted_argument(in, item, dtype, type));
    if (made.back().is_undefined()) return Value();
  }
  return Value(make_list(std::move(made)));
}

/// The call's arguments as autocast wants them, where one of them is to change; nothing: they stay.
/// What raised, or ended the trace, leaves them empty.
std::optional<std::vector<Value>> autocast_arguments(Interpreter& in, const ops::OpEntry& entry,
                                                     std::span<const Value> arguments) {
  std::vector<Tensor> tensors;
  for (const Value& value : arguments) find_tensors(value, tensors);
  auto is_near = [](const Tensor& tensor) { return tensor.device().is_cpu(); };
  const bool near = std::ranges::all_of(tensors, is_near);
  const AutocastState state = grad_state().autocast;
  const DeviceType type = near ? DeviceType::kCpu : DeviceType::kCuda;
  if (!(near ? state.cpu : state.cuda) || names_dtype(entry, arguments)) return std::nullopt;
  std::vector<Value> made;
  try {
    std::optional<DType> dtype = ops::autocast_dtype(entry, state, type, tensors);
    if (!dtype) return std::nullopt;
    for (const Value& value : arguments) {
      made.push_back(value.defined() ? converted_argument(in, value, *dtype, type) : value);
      if (made.back().is_undefined() && value.defined()) return std::vector<Value>();
    }
  } catch (const ops::OpError& error) {
    raise_op_error(in, error);
    return std::vector<Value>();
  }
  return made;
}

// ---- The switches ------------------------------------------------------------------------------

bool on_gpu(const Value& device) {
  return device.is<StrObject>() && view_of(device) == "cuda";
}

Value native_autocast_state(NativeCall& call) {
  const AutocastState state = grad_state().autocast;
  const bool gpu = on_gpu(call[0]);
  return Value(
      make_tuple({Value(gpu ? state.cuda : state.cpu),
                  dtype_value(gpu ? state.cuda_dtype : state.cpu_dtype), Value(state.caches)}));
}

Value native_set_autocast_state(NativeCall& call) {
  GradState state = grad_state();
  const bool gpu = on_gpu(call[0]);
  std::optional<DType> dtype = dtype_of(call[2]);
  if (!dtype) return call.raise("TypeError", "dtype must be a torch.dtype");
  (gpu ? state.autocast.cuda : state.autocast.cpu) = truth(call.interpreter, call[1]) == 1;
  (gpu ? state.autocast.cuda_dtype : state.autocast.cpu_dtype) = *dtype;
  state.autocast.caches = truth(call.interpreter, call[3]) == 1;
  set_grad_state(state);
  if (!state.autocast.any()) converted().clear();
  return Value::none();
}

Value native_clear_autocast_cache(NativeCall& call) {
  converted().clear();
  return Value::none();
}

Value native_has_gpu(NativeCall& call) {
  return Value(has_accelerator());
}

constexpr Effects kAutocast{.pure = true, .reads_value = true, .reads_autocast = true};

constexpr NativeDefinition kFunctions[] = {
    {"autocast_state(device_type, /)", native_autocast_state, kAutocast,
     "whether it is on for a kind of device, its dtype there, and whether parameters are kept"},
    {"set_autocast_state(device_type, enabled, dtype, caches, /)", native_set_autocast_state,
     kAutocast, "sets that"},
    {"clear_autocast_cache()", native_clear_autocast_cache, kImpure,
     "forgets the parameters that were converted"},
    {"has_gpu()", native_has_gpu, kPure, "whether there is a GPU, be it a simulated one"},
};

}  // namespace

Value call_in_autocast(Interpreter& in, const ops::OpEntry& entry,
                       std::span<const Value> arguments) {
  if (in.tracer()) in.tracer()->note_autocast();
  if (!grad_state().autocast.any()) return call_as_given(in, entry, arguments);
  std::optional<std::vector<Value>> given = autocast_arguments(in, entry, arguments);
  if (!given) return call_as_given(in, entry, arguments);
  return given->empty() ? Value() : call_as_given(in, entry, *given);
}

void fill_native_autocast(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kFunctions);
}

}  // namespace glint::runtime
