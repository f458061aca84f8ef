// Conversions between dtypes and devices: `x.to(...)`, `x.float()`, `x.type_as(y)`.
//
// `to` with a dtype is the primitive; the rest are written with it. A tensor that already has the
// dtype is given back itself.
#include "ops/families.h"

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

std::vector<TensorType> infer_to(const OpEntry& entry, InferArguments arguments) {
  DType dtype = *arguments[1].get_if<DType>();
  if (arguments[0].tensor().dtype == dtype) return {arguments[0].tensor()};
  return {like_type(arguments[0].tensor(), dtype)};
}

Outputs eager_to(const OpEntry& entry, Arguments arguments) {
  return convert(arguments[0].tensor(), *arguments[1].get_if<DType>());
}

void check_device(const OpArgument& argument) {
  std::optional<Device> device;
  if (const Device* given = argument.get_if<Device>()) device = *given;
  if (const std::string* text = argument.get_if<std::string>()) {
    device = parse_device(*text);
    if (!device)
      throw OpError{
          "RuntimeError",
          fmt::format("Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, "
                      "ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone "
                      "device type at start of device string: {}",
                      *text)};
  }
  if (device && !device->is_cpu())
    throw OpError{"AssertionError", "Torch not compiled with CUDA enabled"};
}

/// to(dtype), to(device), to(device, dtype), to(other), with copy.
std::vector<OpValue> to_any(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  DType dtype = b.dtype(x);
  for (const OpArgument* argument : {&arguments[1], &arguments[2], &arguments[5], &arguments[6]}) {
    check_device(*argument);
    if (const DType* given = argument->get_if<DType>()) dtype = *given;
    if (argument->is_value()) dtype = b.dtype(argument->tensor());
  }
  bool copies = as_bool(arguments[4]);
  if (dtype != b.dtype(x)) return {b.to(x, dtype)};
  return {copies ? b.call("clone", {x}) : x};
}

std::vector<OpValue> type_as(OpBuilder& b, OpArguments arguments) {
  return {b.to(arguments[0].tensor(), b.dtype(arguments[1].tensor()))};
}

std::vector<OpValue> to_cpu(OpBuilder& b, OpArguments arguments) {
  return {arguments[0].tensor()};
}

template <DType kTo>
std::vector<OpValue> convert_to(OpBuilder& b, OpArguments arguments) {
  return {b.to(arguments[0].tensor(), kTo)};
}

template <DType kTo>
Outputs eager_convert_to(const OpEntry& entry, Arguments arguments) {
  return convert(arguments[0].tensor(), kTo);
}

/// `x.float()` and its like: one row each.
template <DType kTo>
constexpr OpEntry conversion(const char* name, const char* method, const char* text,
                             const char* doc) {
  return {
      .name = name,
      .signature = text,
      .method = method,
      .doc = doc,
      .eager = eager_convert_to<kTo>,
      .decomposition = convert_to<kTo>,
      .samples = unary_samples,
  };
}

constexpr OpEntry kEntries[] = {
    {
        .name = "to",
        .signature = "to(input: Tensor, dtype: dtype) -> Tensor",
        .doc = "The elements converted to a dtype: towards zero to integers, nonzero to true.",
        .infer = infer_to,
        .eager = eager_to,
        .lowering = Convert{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name = "ToCopyBackward0",
        .samples = conversion_samples,
    },
    {
        .name = "to_any",
        .signature = "to(input: Tensor, dtype: dtype | device | str | Tensor | None = None, "
                     "other: dtype | bool | None = None, non_blocking: bool = False, "
                     "copy: bool = False, *, device: device | str | None = None, "
                     "second_dtype: dtype | None = None) -> Tensor",
        .method = "to",
        .doc = "The tensor with another dtype or device, or that of another tensor.",
        .decomposition = to_any,
        .samples = conversion_samples,
    },
    {
        .name = "type_as",
        .signature = "type_as(input: Tensor, other: Tensor) -> Tensor",
        .method = "type_as",
        .doc = "The tensor with the dtype of another.",
        .decomposition = type_as,
        .samples = same_shape_samples,
    },
    {
        .name = "cpu",
        .signature = "cpu(input: Tensor) -> Tensor",
        .method = "cpu",
        .doc = "The tensor in the processor's memory.",
        .decomposition = to_cpu,
        .samples = unary_samples,
    },
    conversion<DType::kFloat32>("to_float32", "float", "float(input: Tensor) -> Tensor",
                                "To float32."),
    conversion<DType::kFloat64>("to_float64", "double", "double(input: Tensor) -> Tensor",
                                "To float64."),
    conversion<DType::kFloat16>("to_float16", "half", "half(input: Tensor) -> Tensor",
                                "To float16."),
    conversion<DType::kBFloat16>("to_bfloat16", "bfloat16", "bfloat16(input: Tensor) -> Tensor",
                                 "To bfloat16."),
    conversion<DType::kInt64>("to_int64", "long", "long(input: Tensor) -> Tensor", "To int64."),
    conversion<DType::kInt32>("to_int32", "int", "int(input: Tensor) -> Tensor", "To int32."),
    conversion<DType::kInt16>("to_int16", "short", "short(input: Tensor) -> Tensor", "To int16."),
    conversion<DType::kInt8>("to_int8", "char", "char(input: Tensor) -> Tensor", "To int8."),
    conversion<DType::kUInt8>("to_uint8", "byte", "byte(input: Tensor) -> Tensor", "To uint8."),
    conversion<DType::kBool>("to_bool", "bool", "bool(input: Tensor) -> Tensor",
                             "To bool: true where nonzero."),
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> conversion_entries() {
  return kEntries;
}

}  // namespace glint::ops
