#include "ops/layout.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "ops/infer.h"

namespace glint::ops {

std::vector<SymInt> dense_strides_like(std::span<const SymInt> sizes,
                                       std::span<const SymInt> strides) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  // Outermost first; dimensions of stride 0 or size 1 say nothing and keep their place.
  auto before = [&](size_t a, size_t b) {
    if (strides[a].is(0) || strides[b].is(0) || sizes[a].is(1) || sizes[b].is(1)) return false;
    return !(strides[a] == strides[b]) && decide_less(strides[b], strides[a]);
  };
  // Insertion sort: the order is only partial.
  for (size_t i = 1; i < order.size(); ++i)
    for (size_t k = i; k > 0 && before(order[k], order[k - 1]); --k)
      std::swap(order[k], order[k - 1]);
  std::vector<SymInt> dense(sizes.size());
  SymInt step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    dense[order[i]] = step;
    step *= sizes[order[i]].is(0) ? SymInt(1) : sizes[order[i]];
  }
  return dense;
}

TensorType broadcast_type(InferArguments operands, DType dtype) {
  TensorType result = TensorType::tensor(dtype, {});
  for (const InferArgument& operand : operands) {
    const TensorType* type = operand.get_if<TensorType>();
    if (!type || type->scalar) continue;
    result.sizes = broadcast(result.sizes, type->sizes);
    result.device = type->device;
  }
  for (const InferArgument& operand : operands) {
    const TensorType* type = operand.get_if<TensorType>();
    if (!type || type->scalar || type->sizes != result.sizes) continue;
    if (type->contiguous()) break;
    result.strides = dense_strides_like(type->sizes, type->strides);
    result.normalise();
    break;
  }
  return result;
}

std::string_view scalar_type_name(DType dtype) {
  constexpr std::string_view kNames[] = {"Bool", "Byte", "Char",     "Short", "Int",
                                         "Long", "Half", "BFloat16", "Float", "Double"};
  return kNames[size_t(dtype)];
}

std::string_view message_dtype(DType dtype) {
  constexpr std::string_view kNames[] = {"bool",  "unsigned char", "signed char", "short int",
                                         "int",   "long int",      "c10::Half",   "c10::BFloat16",
                                         "float", "double"};
  return kNames[size_t(dtype)];
}

bool same_plain(const Argument& a, const Argument& b) {
  if (a.is_value() || b.is_value() || a.is_list() || b.is_list()) return false;
  if (a.value.index() != b.value.index()) return false;
  return std::visit(
      [&]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, Tensor> || std::is_same_v<T, Argument::List>)
          return false;
        else
          return value == std::get<T>(b.value);
      },
      a.value);
}

std::string ints_text(std::span<const SymInt> ints) {
  std::string text;
  for (SymInt value : ints) text += fmt::format("{}{}", text.empty() ? "" : ", ", value.text());
  return fmt::format("[{}]", text);
}

Dims constant_dims(std::span<const SymInt> sizes) {
  Dims dims(sizes.size(), 0);
  for (size_t i = 0; i < sizes.size(); ++i) dims[i] = sizes[i].constant();
  return dims;
}

Tensor empty_of(const TensorType& type) {
  Dims sizes = constant_dims(type.sizes);
  if (type.contiguous()) return Tensor::empty(sizes, type.dtype);
  return Tensor::empty_strided(sizes, constant_dims(type.strides), type.dtype);
}

void check_domain(ScalarFunction function, DType dtype) {
  ScalarDomain domain = info(function).domain;
  if (domain == ScalarDomain::kNumber && is_bool(dtype)) {
    if (function == ScalarFunction::kSubtract)
      throw OpError{
          "NotImplementedError",
          "Subtraction, the `-` operator, with two bool tensors is not supported. Use the "
          "`^` or `logical_xor()` operator instead."};
    if (function == ScalarFunction::kNegative)
      throw OpError{
          "NotImplementedError",
          "Negation, the `-` operator, on a bool tensor is not supported. If you are trying "
          "to invert a mask, use the `~` or `logical_not()` operator instead."};
    throw OpError{"NotImplementedError",
                  fmt::format("\"{}_cpu\" not implemented for 'Bool'", name(function))};
  }
  if (domain != ScalarDomain::kIntegral || !is_floating(dtype)) return;
  if (function == ScalarFunction::kBitwiseNot)
    throw OpError{"TypeError",
                  "~ (operator.invert) is only implemented on integer and Boolean-type tensors"};
  std::string_view shown = name(function);
  if (function == ScalarFunction::kShiftLeft) shown = "lshift";
  if (function == ScalarFunction::kShiftRight) shown = "rshift";
  throw OpError{"NotImplementedError",
                fmt::format("\"{}_cpu\" not implemented for '{}'", shown, scalar_type_name(dtype))};
}

void check_reducible(const OpEntry& entry, Combiner combiner, std::span<const SymInt> sizes,
                     std::span<const int64_t> dims, bool all) {
  bool has_identity = combiner == Combiner::kSum || combiner == Combiner::kProduct ||
                      combiner == Combiner::kAny || combiner == Combiner::kAll;
  if (has_identity) return;
  bool empty = std::ranges::any_of(dims, [&](int64_t dim) { return sizes[size_t(dim)].is(0); });
  if (!empty) return;
  std::string_view shown = signature(entry).name;
  bool index = combiner == Combiner::kArgmax || combiner == Combiner::kArgmin;
  if (!all)
    throw OpError{
        "IndexError",
        fmt::format("{}(): Expected reduction dim {} to have non-zero size.", shown, dims.front())};
  if (index)
    throw OpError{
        "IndexError",
        fmt::format("{}(): Expected reduction dim to be specified for input.numel() == 0.", shown)};
  throw OpError{"RuntimeError",
                fmt::format("{}(): Expected reduction dim to be specified for input.numel() == 0. "
                            "Specify the reduction dim with the 'dim' argument.",
                            shown)};
}

}  // namespace glint::ops
