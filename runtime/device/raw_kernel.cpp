#include "runtime/device/raw_kernel.h"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <optional>

#include "backends/cuda/launch_kernel.h"
#include "backends/cuda/text_kernel.h"
#include "core/tensor/tensor.h"
#include "ops/op.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/tensor_operators.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::device {
namespace {

using runtime::NativeCall;
using runtime::Value;

[[noreturn]] void refuse(const std::string& message) {
  throw ops::OpError{"TypeError", message};
}

/// A grid or a block: up to three sizes.
std::array<uint32_t, 3> extent(const Value& value, std::string_view what) {
  std::array<uint32_t, 3> sizes = {1, 1, 1};
  std::vector<Value> given = {value};
  if (const std::vector<Value>* items = runtime::items_of(value)) given = *items;
  if (given.empty() || given.size() > 3) refuse(fmt::format("the {} has one to three sizes", what));
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i].is_int() || given[i].as_int() < 1)
      refuse(fmt::format("the {} has positive ints", what));
    sizes[i] = static_cast<uint32_t>(given[i].as_int());
  }
  return sizes;
}

double real_of(const Value& value) {
  return value.is_float() ? value.as_float() : static_cast<double>(value.as_int());
}

/// A number as a parameter of that PTX type, `f32`, `u64`.
cuda::GpuArgument number_argument(const Value& value, const std::string& type, size_t place) {
  const bool real = type == "f32" || type == "f64";
  if (!value.is_number() || (!real && value.is_float()))
    refuse(fmt::format("argument {} of the kernel takes {}, not {}", place + 1,
                       real ? "a number" : "an int", runtime::type_name(value)));
  if (type == "f32") return cuda::gpu_argument(static_cast<float>(real_of(value)));
  if (type == "f64") return cuda::gpu_argument(real_of(value));
  const int64_t integer = value.is_bool() ? int64_t{value.as_bool()} : value.as_int();
  if (type.ends_with("64")) return cuda::gpu_argument(integer);
  if (type.ends_with("32")) return cuda::gpu_argument(static_cast<int32_t>(integer));
  if (type.ends_with("16")) return cuda::gpu_argument(static_cast<int16_t>(integer));
  return cuda::gpu_argument(static_cast<int8_t>(integer));
}

/// `argument 1`, in a text that stays.
std::string_view argument_name(size_t place) {
  static auto& names = *new std::deque<std::string>;
  while (names.size() <= place) names.push_back(fmt::format("argument {}", names.size() + 1));
  return names[place];
}

cuda::GpuArgument argument_of(const Value& value, const std::string& type, size_t place) {
  if (!value.is(kTensorKind)) return number_argument(value, type, place);
  const Tensor tensor = runtime::tensor_of(value);
  if (tensor.device().is_cpu())
    throw ops::OpError{"RuntimeError",
                       fmt::format("argument {} of the kernel is a tensor on cpu: move it by "
                                   "`.cuda()`",
                                   place + 1)};
  return cuda::address(tensor, argument_name(place));
}

const cuda::TextKernel& kernel_of(NativeCall& call) {
  if (!runtime::is_str(call[0]) || !runtime::is_str(call[1]))
    refuse("RawKernel() takes the source and the kernel's name, as str");
  return cuda::text_kernel(std::string(runtime::view_of(call[0])),
                           std::string(runtime::view_of(call[1])), cuda::TextAuthor::kUser);
}

cuda::GpuLaunch launch_of(NativeCall& call, const cuda::TextKernel& kernel) {
  cuda::GpuLaunch launch;
  launch.grid = extent(call[2], "grid");
  launch.block = extent(call[3], "block");
  if (!call[5].is_int() || call[5].as_int() < 0) refuse("shared_mem is a number of bytes");
  launch.dynamic_shared = static_cast<uint32_t>(call[5].as_int());
  const std::vector<Value>* arguments = runtime::items_of(call[4]);
  const std::vector<std::string>& types = kernel.parameter_types();
  if (arguments == nullptr) refuse("the kernel's arguments are a tuple");
  if (arguments->size() != types.size())
    refuse(fmt::format("the kernel takes {} arguments, {} were given", types.size(),
                       arguments->size()));
  for (size_t i = 0; i < types.size(); ++i)
    launch.arguments.push_back(argument_of((*arguments)[i], types[i], i));
  return launch;
}

}  // namespace

Value raw_compile(NativeCall& call) {
  try {
    kernel_of(call);
  } catch (const ops::OpError& error) {
    return runtime::raise_op_error(call.interpreter, error);
  }
  return Value::none();
}

Value raw_launch(NativeCall& call) {
  try {
    const cuda::TextKernel& kernel = kernel_of(call);
    cuda::launch_entry(kernel.entry(), launch_of(call, kernel));
  } catch (const ops::OpError& error) {
    return runtime::raise_op_error(call.interpreter, error);
  }
  return Value::none();
}

}  // namespace glint::device
