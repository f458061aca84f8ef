// Whether a dtype holds a number that elements become, and whether an operator takes the dtype.
//
//     torch.full((2,), 300, dtype=torch.uint8)    300 is beyond 255: it raises
//     torch.full((2,), -1, dtype=torch.uint8)     255: its absolute value is not
//     torch.full((2,), 1e6, dtype=torch.float16)  beyond 65504: it raises
//     torch.full((1,), 1e6, dtype=torch.float16)  inf: PyTorch fills one element without looking
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/infer.h"
#include "ops/layout.h"

namespace glint::ops {

namespace {

/// The C++ type whose range a number must not leave; none: what is too large is infinite.
const char* bounded_type(DType dtype, bool is_single) {
  switch (dtype) {
    case DType::kUInt8:
      return "uint8_t";
    case DType::kInt8:
      return "int8_t";
    case DType::kInt16:
      return "int16_t";
    case DType::kInt32:
      return "int";
    case DType::kInt64:
      return "int64_t";
    case DType::kFloat32:
      return "float";
    case DType::kFloat16:
      return is_single ? nullptr : "c10::Half";
    case DType::kBFloat16:
      return is_single ? nullptr : "c10::BFloat16";
    default:
      return nullptr;
  }
}

/// Without its fraction: for an unsigned dtype a negative integer as far as its absolute value is
/// held, for a floating one every infinity.
bool holds_number(DType dtype, const Scalar& value) {
  if (value.is_int() && dtype == DType::kInt64) return true;
  double number = value.as_double();
  if (is_floating(dtype)) {
    double most = dtype == DType::kFloat16    ? 65504.0
                  : dtype == DType::kBFloat16 ? 3.3895313892515355e38
                  : dtype == DType::kFloat32  ? double(std::numeric_limits<float>::max())
                                              : std::numeric_limits<double>::max();
    return !std::isfinite(number) || std::abs(number) <= most;
  }
  if (dtype == DType::kBool) return true;
  bool with_sign = dtype != DType::kUInt8;
  double beyond = std::exp2(double(dtype_size(dtype) * 8) - (with_sign ? 1 : 0));
  double least = with_sign ? -beyond : value.is_float() ? 0 : 1 - beyond;
  return number >= least && number < beyond;
}

/// What a number that varies may be is a guard of the region.
bool holds_varying(DType dtype, SymInt number) {
  bool small = is_integer(dtype) && dtype_size(dtype) < 8;
  if (!small) return true;
  int64_t most = (int64_t(1) << (dtype_size(dtype) * 8 - (dtype != DType::kUInt8))) - 1;
  int64_t least = dtype == DType::kUInt8 ? -most : -most - 1;
  return !decide_less(number, least) && !decide_less(most, number);
}

}  // namespace

void check_holds(DType dtype, const InferArgument& number, bool is_single) {
  if (!is_number(number)) return;
  const SymInt* varying = number.get_if<SymInt>();
  if (varying && !varying->is_constant() ? holds_varying(dtype, *varying)
                                         : holds_number(dtype, as_scalar(number)))
    return;
  if (const char* type = bounded_type(dtype, is_single))
    throw OpError{"RuntimeError",
                  fmt::format("value cannot be converted to type {} without overflow", type)};
}

void check_holds(DType dtype, const OpArgument& number) {
  if (number.is_value()) return;
  check_holds(dtype, map_argument<TensorType>(number, [](const auto&) { return TensorType(); }));
}

namespace {

/// Whether every dtype holds it, as most numbers are.
template <class V>
bool is_small(const BasicArgument<V>& argument) {
  if (const double* real = argument.template get_if<double>()) return std::abs(*real) <= 127;
  const SymInt* whole = argument.template get_if<SymInt>();
  return !whole || (whole->is_constant() && whole->constant() >= -127 && whole->constant() <= 127);
}

/// The dtype that a call computes in: what its operands promote to, or its first tensor's own.
DType dtype_of_call(const OpEntry& entry, InferArguments arguments) {
  const size_t count = operand_count(entry);
  const DType dtype =
      count > 0 ? promoted_dtype(arguments.first(count)) : arguments[0].tensor().dtype;
  return entry.numbers.held_in_float32 && is_narrow_float(dtype) ? DType::kFloat32 : dtype;
}

void need_floats(const OpEntry& entry, DType dtype) {
  if (is_floating(dtype)) return;
  throw OpError{"NotImplementedError", fmt::format("\"{}\" not implemented for '{}'",
                                                   entry.floats_kernel, scalar_type_name(dtype))};
}

void check_large(const OpEntry& entry, InferArguments arguments) {
  const auto& parameters = signature(entry).parameters;
  const std::string_view held = entry.numbers.held;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (is_number(arguments[i]) && has_word(held, parameters[i].name))
      check_holds(dtype_of_call(entry, arguments), arguments[i]);
}

}  // namespace

void check_arguments(const OpEntry& entry, Arguments arguments) {
  if (entry.floats_kernel) need_floats(entry, arguments[0].tensor().dtype());
  if (*entry.numbers.held == '\0' || std::ranges::all_of(arguments, is_small<Tensor>)) return;
  check_large(entry, infer_arguments(arguments));
}

void check_arguments(const OpEntry& entry, InferArguments arguments) {
  if (entry.floats_kernel) need_floats(entry, arguments[0].tensor().dtype);
  if (*entry.numbers.held == '\0' || std::ranges::all_of(arguments, is_small<TensorType>)) return;
  check_large(entry, arguments);
}

OpArgument without_fraction(DType dtype, const OpArgument& number) {
  if (is_bool(dtype)) return as_float(number) != 0.0;
  check_holds(dtype, number);
  const double* given = number.get_if<double>();
  if (given == nullptr || is_floating(dtype)) return number;
  return static_cast<int64_t>(*given);
}

}  // namespace glint::ops
