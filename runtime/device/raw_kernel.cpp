#include "runtime/device/raw_kernel.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <deque>
#include <limits>

#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/launch/text_kernel.h"
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

[[noreturn]] void fail_to_fit(const std::string& message) {
  throw ops::OpError{"OverflowError", message};
}

/// A size of a launch, of 32 bits; `what` is the grid, the block.
uint32_t size_of(int64_t value, std::string_view what) {
  if (value > std::numeric_limits<uint32_t>::max())
    fail_to_fit(fmt::format("{} of {} does not fit in 32 bits", what, value));
  return static_cast<uint32_t>(value);
}

/// A grid or a block: up to three sizes.
std::array<uint32_t, 3> extent(const Value& value, std::string_view what) {
  std::array<uint32_t, 3> sizes = {1, 1, 1};
  std::vector<Value> given = {value};
  if (const std::vector<Value>* items = runtime::items_of(value)) given = *items;
  if (given.empty() || given.size() > 3) refuse(fmt::format("the {} has one to three sizes", what));
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i].is_int()) refuse(fmt::format("the {} has positive ints", what));
    if (given[i].as_int() < 1)
      throw ops::OpError{"ValueError", fmt::format("each size of the {} must be positive, not {}",
                                                   what, given[i].as_int())};
    sizes[i] = size_of(given[i].as_int(), fmt::format("a {}", what));
  }
  return sizes;
}

uint32_t shared_bytes(const Value& value) {
  if (!value.is_int()) refuse("shared_mem is a number of bytes");
  if (value.as_int() < 0)
    throw ops::OpError{"ValueError",
                       fmt::format("shared_mem must not be negative, not {}", value.as_int())};
  return size_of(value.as_int(), "shared_mem");
}

/// `argument 1`, in a text that stays.
std::string_view argument_name(size_t place) {
  static auto& names = *new std::deque<std::string>;
  while (names.size() <= place) names.push_back(fmt::format("argument {}", names.size() + 1));
  return names[place];
}

/// An argument of a kernel, held against the parameter that it is for. On a GPU nothing else does:
/// the driver reads as many bytes as the parameter has, wherever they are.
class RawArgument {
 public:
  RawArgument(const Value& value, const cuda::TextParameter& parameter, size_t place)
      : value_(value), parameter_(parameter), place_(place) {}

  cuda::GpuArgument made() const {
    if (parameter_.is_struct) refuse_kind(fmt::format("a struct of {} bytes", parameter_.bytes));
    if (value_.is(kTensorKind)) return address();
    return is_real() ? real() : integer();
  }

 private:
  bool is_real() const { return parameter_.type == "f32" || parameter_.type == "f64"; }
  [[noreturn]] void refuse_kind(std::string_view wanted) const {
    refuse(fmt::format("argument {} of the kernel takes {}, not {}", place_ + 1, wanted,
                       runtime::type_name(value_)));
  }

  cuda::GpuArgument address() const {
    const Tensor tensor = runtime::tensor_of(value_);
    if (is_real() || parameter_.bytes != sizeof(uint64_t))
      refuse_kind(is_real() ? "a number" : fmt::format("an int of {} bits", 8 * parameter_.bytes));
    if (tensor.device().is_cpu())
      throw ops::OpError{"RuntimeError",
                         fmt::format("argument {} of the kernel is a tensor on cpu: move it by "
                                     "`.cuda()`",
                                     place_ + 1)};
    return cuda::address(tensor, argument_name(place_));
  }

  cuda::GpuArgument real() const {
    if (!value_.is_number()) refuse_kind("a number");
    const double given = value_.to_double();
    if (parameter_.bytes == sizeof(double)) return cuda::gpu_argument(given);
    const auto rounded = static_cast<float>(given);
    if (std::isinf(rounded) && !std::isinf(given))
      fail_to_fit(fmt::format("argument {} of the kernel is a float of 32 bits: {} does not fit",
                              place_ + 1, given));
    return cuda::gpu_argument(rounded);
  }

  /// PTX does not tell `int` from `unsigned`: what fits in either does.
  cuda::GpuArgument integer() const {
    const uint32_t bits = 8 * parameter_.bytes;
    if (!value_.is_integral())
      refuse_kind(bits == 64 ? "a tensor on the GPU, or an int where it is no pointer" : "an int");
    const int64_t given = value_.as_int();
    if (bits < 64 && (given < -(int64_t{1} << (bits - 1)) || given >= int64_t{1} << bits))
      fail_to_fit(fmt::format("argument {} of the kernel is an int of {} bits: {} does not fit",
                              place_ + 1, bits, given));
    cuda::GpuArgument made = cuda::gpu_argument(given);
    made.size = parameter_.bytes;
    return made;
  }

  const Value& value_;
  const cuda::TextParameter& parameter_;
  size_t place_;
};

struct RawText {
  std::string source;
  std::string name;
};
RawText text_of(NativeCall& call) {
  if (!runtime::is_str(call[0]) || !runtime::is_str(call[1]))
    refuse("RawKernel() takes the source and the kernel's name, as str");
  return {std::string(runtime::view_of(call[0])), std::string(runtime::view_of(call[1]))};
}

cuda::GpuLaunch launch_of(NativeCall& call, const cuda::TextKernel& kernel) {
  cuda::GpuLaunch launch;
  launch.grid = extent(call[2], "grid");
  launch.block = extent(call[3], "block");
  launch.dynamic_shared = shared_bytes(call[5]);
  const std::vector<Value>* arguments = runtime::items_of(call[4]);
  const std::vector<cuda::TextParameter>& parameters = kernel.parameters();
  if (arguments == nullptr) refuse("the kernel's arguments are a tuple");
  if (arguments->size() != parameters.size())
    refuse(fmt::format("the kernel takes {} arguments, {} were given", parameters.size(),
                       arguments->size()));
  for (size_t i = 0; i < parameters.size(); ++i)
    launch.arguments.push_back(RawArgument((*arguments)[i], parameters[i], i).made());
  return launch;
}

/// What the kernel printed goes where `print` writes.
void write_printed(NativeCall& call) {
  const Result<cuda::Gpu*>& gpu = cuda::open_gpu();
  if (!gpu) return;
  const std::string text = (*gpu)->take_printed();
  if (!text.empty()) call.interpreter.output().write_out(text);
}

}  // namespace

Value raw_compile(NativeCall& call) {
  try {
    const RawText text = text_of(call);
    cuda::write_kernel(text.source, text.name);
  } catch (const ops::OpError& error) {
    return runtime::raise_op_error(call.interpreter, error);
  }
  auto warnings = make_ref<runtime::ListObject>();
  for (const std::string& each : cuda::take_warnings())
    warnings->items.push_back(runtime::str_value(each));
  return Value(std::move(warnings));
}

Value raw_launch(NativeCall& call) {
  try {
    const RawText text = text_of(call);
    const cuda::TextKernel& kernel =
        cuda::text_kernel(text.source, text.name, cuda::TextAuthor::kUser);
    cuda::launch_entry(kernel.entry(), launch_of(call, kernel));
  } catch (const ops::OpError& error) {
    write_printed(call);
    return runtime::raise_op_error(call.interpreter, error);
  }
  write_printed(call);
  return Value::none();
}

}  // namespace glint::device
