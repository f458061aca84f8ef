#include "ops/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/infer.h"

namespace glint::ops {

namespace {

/// An operand's strides along the result's dimensions; 0 where it repeats.
std::vector<SymInt> spread_strides(const TensorType& type, std::span<const SymInt> sizes) {
  std::vector<SymInt> strides(sizes.size(), SymInt(0));
  auto own = type.full_strides();
  size_t missing = sizes.size() - type.rank();
  for (size_t i = 0; i < type.rank(); ++i)
    if (!type.sizes[i].is(1) || sizes[missing + i].is(1)) strides[missing + i] = own[i];
  return strides;
}

/// -1, 0 or 1 as dimension `a` should lie inside, anywhere, or outside of `b`: the first operand
/// that steps through both decides.
int compare_dims(std::span<const std::vector<SymInt>> operands, std::span<const SymInt> sizes,
                 size_t a, size_t b) {
  for (const auto& strides : operands) {
    if (strides[a].is(0) || strides[b].is(0)) continue;
    if (strides[a] == strides[b]) {
      if (sizes[a] != sizes[b] && decide_less(sizes[b], sizes[a])) return 1;
      continue;
    }
    return decide_less(strides[a], strides[b]) ? -1 : 1;
  }
  return 0;
}

/// Whether the elements fill a stretch of memory, each place once, in some order of dimensions.
bool is_dense(const TensorType& type) {
  if (type.contiguous()) return true;
  std::vector<size_t> order;
  for (size_t i = 0; i < type.rank(); ++i)
    if (!decide_equal(type.sizes[i], 1)) order.push_back(i);
  std::ranges::stable_sort(
      order, [&](size_t a, size_t b) { return decide_less(type.strides[a], type.strides[b]); });
  SymInt step = 1;
  for (size_t dim : order) {
    if (type.strides[dim] != step) return false;
    step *= type.sizes[dim];
  }
  return true;
}

/// The strides of tensors that are all laid out alike, which is then the result's layout too:
/// row-major, or strides that they share. Nothing where their dimensions have to be ordered.
std::optional<std::vector<SymInt>> common_layout(InferArguments operands,
                                                 std::span<const SymInt> sizes) {
  const TensorType* first = nullptr;
  bool in_order = true, alike = true;
  for (const InferArgument& operand : operands) {
    const TensorType* type = operand.get_if<TensorType>();
    // A number counts as a tensor of another shape.
    if (!type || type->scalar || !std::ranges::equal(type->sizes, sizes)) return std::nullopt;
    if (!first) first = type;
    in_order &= type->contiguous();
    alike &= type->strides == first->strides;
  }
  if (in_order) return std::vector<SymInt>();
  if (alike && is_dense(*first)) return first->strides;
  return std::nullopt;
}

/// What PyTorch calls the kernel in its messages.
std::string kernel_name(ScalarFunction function) {
  using enum ScalarFunction;
  if (function == kPower) return "pow";
  if (function == kFloorDivide) return "div_floor_cpu";
  bool rounds = function == kFloor || function == kCeil || function == kTrunc || function == kRound;
  return fmt::format("{}{}_cpu", name(function), rounds ? "_vml" : "");
}

}  // namespace

std::vector<SymInt> elementwise_layout(std::span<const SymInt> sizes,
                                       std::span<const std::vector<SymInt>> operands) {
  // Innermost first; dimensions that nothing orders keep their places.
  std::vector<size_t> order(sizes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  for (size_t i = 1; i < order.size(); ++i) {
    size_t at = i;
    for (size_t k = i; k-- > 0;) {
      int compared = compare_dims(operands, sizes, order[k], order[at]);
      if (compared > 0) {
        std::swap(order[k], order[at]);
        at = k;
      } else if (compared < 0) {
        break;
      }
    }
  }
  std::vector<SymInt> dense(sizes.size());
  SymInt step = 1;
  for (size_t dim : order) {
    dense[dim] = step;
    step *= sizes[dim].is(0) ? SymInt(1) : sizes[dim];
  }
  return dense;
}

TensorType broadcast_type(InferArguments operands, DType dtype) {
  TensorType result = TensorType::tensor(dtype, {});
  bool row_major = true;
  for (const InferArgument& operand : operands) {
    const TensorType* type = operand.get_if<TensorType>();
    if (!type || type->scalar) continue;
    result.sizes = broadcast(result.sizes, type->sizes);
    result.device = type->device;
    row_major &= type->strides.empty();
  }
  if (row_major) return result;
  if (auto common = common_layout(operands, result.sizes)) {
    result.strides = std::move(*common);
    return result;
  }
  std::vector<std::vector<SymInt>> strides;
  for (const InferArgument& operand : operands)
    if (const TensorType* type = operand.get_if<TensorType>(); type && !type->scalar)
      strides.push_back(spread_strides(*type, result.sizes));
  result.strides = elementwise_layout(result.sizes, strides);
  result.normalise();
  return result;
}

TensorType like_type(const TensorType& input, DType dtype) {
  TensorType result = TensorType::tensor(dtype, input.sizes, input.device);
  if (input.strides.empty()) return result;
  if (is_dense(input)) {
    result.strides = input.strides;
    return result;
  }
  const std::vector<SymInt> strides[] = {input.strides};
  result.strides = elementwise_layout(result.sizes, strides);
  result.normalise();
  return result;
}

std::string_view scalar_type_name(DType dtype) {
  constexpr std::string_view kNames[] = {"Bool", "Byte", "Char",     "Short", "Int",
                                         "Long", "Half", "BFloat16", "Float", "Double"};
  return kNames[size_t(dtype)];
}

std::string tensor_type_name(DType dtype) {
  if (is_bool(dtype)) return "CPUBoolType";
  return fmt::format("torch.{}Tensor", scalar_type_name(dtype));
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

Tensor row_major(const Tensor& tensor) {
  Tensor dense = contiguous(tensor);
  if (has_row_major_strides(dense)) return dense;
  return Tensor::view_of(dense, dense.sizes(), contiguous_strides(dense.sizes()), dense.offset());
}

Tensor empty_of(const TensorType& type) {
  Dims sizes = constant_dims(type.sizes);
  if (type.strides.empty()) return Tensor::empty(sizes, type.dtype);
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
                  fmt::format("\"{}\" not implemented for 'Bool'", kernel_name(function))};
  }
  const bool shifts =
      function == ScalarFunction::kShiftLeft || function == ScalarFunction::kShiftRight;
  if (takes(function, dtype) && !(shifts && is_bool(dtype))) return;
  if (domain != ScalarDomain::kIntegral)
    throw OpError{"NotImplementedError",
                  fmt::format("\"{}\" not implemented for '{}'", kernel_name(function),
                              scalar_type_name(dtype))};
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
  const bool empty =
      std::ranges::any_of(dims, [&](int64_t dim) { return decide_equal(sizes[size_t(dim)], 0); });
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
