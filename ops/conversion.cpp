// Conversions between dtypes and devices: `x.to(...)`, `x.float()`, `x.type_as(y)`.
//
// `to` with a dtype is the primitive; the rest are written with it. A tensor that already has the
// dtype is given back itself.
#include "ops/families.h"

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/device_calls.h"
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

std::vector<TensorType> infer_to_device(const OpEntry& entry, InferArguments arguments) {
  TensorType type = like_type(arguments[0].tensor(), arguments[0].tensor().dtype);
  type.device = *arguments[1].get_if<Device>();
  return {type};
}

Outputs eager_to_device(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  const Device device = *arguments[1].get_if<Device>();
  const bool waits = !as_bool(arguments[2]);
  return device.type == x.device().type ? clone(x) : glint::to_device(x, device, waits);
}

std::vector<Sample> device_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 4}), Device::cpu(), false}}};
}

/// The tensor where the argument says, if it says that: moved, or as it is.
OpValue moved(OpBuilder& b, OpValue x, const OpArgument& where, bool non_blocking = false) {
  const std::optional<Device> device = named_device(where);
  if (!device || device->type == b.type(x).device.type) return x;
  return b.call("to_device", {x, *device, non_blocking});
}

/// to(dtype), to(device), to(device, dtype), to(other), with copy. How the calls of a script come
/// to this is in runtime/interpreter/tensor_conversion.cpp.
std::vector<OpValue> to_any(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  DType dtype = b.dtype(x);
  OpValue near = x;
  for (const OpArgument* argument : {&arguments[1], &arguments[2]}) {
    if (const DType* given = argument->get_if<DType>()) dtype = *given;
    if (argument->is_value()) {
      dtype = b.dtype(argument->tensor());
      near = moved(b, near, b.type(argument->tensor()).device, as_bool(arguments[3]));
    } else {
      near = moved(b, near, *argument, as_bool(arguments[3]));
    }
  }
  const bool is_copy = !(near == x) || dtype != b.dtype(x);
  near = b.to(near, dtype);
  return {as_bool(arguments[4]) && !is_copy ? b.call("clone", {near}) : near};
}

std::vector<OpValue> type_as(OpBuilder& b, OpArguments arguments) {
  const TensorType other = b.type(arguments[1].tensor());
  return {b.to(moved(b, arguments[0].tensor(), other.device), other.dtype)};
}

std::vector<OpValue> to_cpu(OpBuilder& b, OpArguments arguments) {
  return {moved(b, arguments[0].tensor(), Device::cpu())};
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
        .signature = "to(input: Tensor, device: device | dtype | str | Tensor | None = None, "
                     "dtype: dtype | None = None, non_blocking: bool = False, "
                     "copy: bool = False) -> Tensor",
        .method = "to",
        .doc = "The tensor with another dtype or device, or that of another tensor.",
        .decomposition = to_any,
        .any_device = true,
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
        .any_device = true,
        .samples = unary_samples,
    },
    {
        .name = "to_device",
        .signature =
            "to_device(input: Tensor, device: device, non_blocking: bool = False) -> Tensor",
        .doc = "A copy of the tensor in another device's memory.",
        .infer = infer_to_device,
        .eager = eager_to_device,
        .lowering = Library{},
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return g.b.call("to_device", {g.out(), g.type("input").device, false});
                       }}},
        .grad_name = "ToCopyBackward0",
        .any_device = true,
        .samples = device_samples,
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
