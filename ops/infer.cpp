// Type inference for whole classes of operators; see infer.h.
#include "ops/infer.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/support/check.h"
#include "ops/builders.h"
#include "ops/layout.h"

namespace glint::ops {

namespace {

class TypeBuilder final : public OpBuilder {
 public:
  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override {
    const OpEntry* entry = find_op(target);
    check(entry != nullptr, "a decomposition calls an operator that exists");
    std::vector<InferArgument> arguments;
    for (const OpArgument& argument : complete_arguments(*entry, std::move(positional), named))
      arguments.push_back(map_argument<TensorType>(argument, value_type));
    std::vector<OpValue> values;
    for (const TensorType& type : infer(*entry, arguments)) values.push_back(type_value(type));
    return values;
  }
  TensorType type(const OpValue& value) override { return value_type(value); }
};

PromotionOperand promotion_operand(const InferArgument& argument) {
  using Kind = PromotionOperand::Kind;
  if (const TensorType* type = argument.get_if<TensorType>()) {
    if (type->scalar) return {Kind::kScalar, type->dtype};
    return {type->sizes.empty() ? Kind::kZeroDim : Kind::kTensor, type->dtype};
  }
  if (argument.get_if<bool>()) return {Kind::kScalar, DType::kBool};
  if (argument.get_if<double>()) return {Kind::kScalar, DType::kFloat64};
  return {Kind::kScalar, DType::kInt64};
}

bool is_bool_operand(const InferArgument& operand) {
  const TensorType* type = operand.get_if<TensorType>();
  return type ? is_bool(type->dtype) : operand.get_if<bool>() != nullptr;
}

void check_subtraction(InferArguments operands) {
  if (!std::ranges::any_of(operands, is_bool_operand)) return;
  if (std::ranges::all_of(operands, is_bool_operand))
    check_domain(ScalarFunction::kSubtract, DType::kBool);
  throw OpError{
      "NotImplementedError",
      "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying "
      "to invert a mask, use the `~` or `logical_not()` operator instead."};
}

DType float_of(DType dtype) {
  return is_floating(dtype) ? dtype : default_dtype();
}

bool is_zero(const InferArgument& divisor) {
  if (auto* flag = divisor.get_if<bool>()) return !*flag;
  auto* number = divisor.get_if<SymInt>();
  return number && number->is(0);
}

std::vector<TensorType> infer_pointwise(const OpEntry& entry, InferArguments arguments) {
  InferArguments operands = arguments.first(std::min(operand_count(entry), arguments.size()));
  DType dtype = computation_dtype(entry, arguments);
  ScalarFunction function = entry.lowers_to<Pointwise>()->function;
  bool gives_bool = info(function).result == ScalarResult::kBool;
  check_domain(function, dtype);
  TensorType type = broadcast_type(operands, gives_bool ? DType::kBool : dtype);
  if (divides_integers(function, dtype) && is_zero(operands[1]) && !type.numel().is(0))
    throw OpError{"RuntimeError", "ZeroDivisionError"};
  return {type};
}

std::vector<TensorType> infer_reduce(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  auto dims = reduced_dims(argument(entry, arguments, "dim"), input.rank());
  bool keepdim = as_bool(argument(entry, arguments, "keepdim"));
  Combiner combiner = entry.lowers_to<Reduce>()->combiner;
  if (entry.dtype_rule == DTypeRule::kIndex && is_bool(input.dtype))
    throw OpError{"NotImplementedError",
                  fmt::format("{}(): does not support bool input", signature(entry).name)};
  check_reducible(entry, combiner, input.sizes, dims, argument(entry, arguments, "dim").is_none());
  DType dtype = reduction_dtype(entry, arguments);
  bool index = combiner == Combiner::kArgmax || combiner == Combiner::kArgmin;
  bool truth = combiner == Combiner::kAny || combiner == Combiner::kAll;
  if (index) dtype = DType::kInt64;
  // A byte may be a bool of old: it stays one.
  if (truth) dtype = input.dtype == DType::kUInt8 ? DType::kUInt8 : DType::kBool;
  return {TensorType::tensor(dtype, reduced_sizes(input.sizes, dims, keepdim), input.device)};
}

std::vector<TensorType> infer_scan(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  wrap_dim(as_int(argument(entry, arguments, "dim")).constant(), input.rank());
  return {TensorType::tensor(reduction_dtype(entry, arguments), input.sizes, input.device)};
}

std::vector<TensorType> infer_view(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  const View& view = *entry.lowers_to<View>();
  ViewMap map = view.rule(entry, arguments);
  if (view.copies) return {like_type(base, base.dtype)};
  if (auto applied = apply(map, base)) return {applied->type};
  if (!view.may_copy) throw_not_viewable();
  return {TensorType::tensor(base.dtype, map.sizes, base.device)};
}

std::vector<TensorType> infer_decomposition(const OpEntry& entry, InferArguments arguments) {
  std::vector<OpArgument> converted;
  for (const InferArgument& argument : arguments)
    converted.push_back(map_argument<OpValue>(argument, type_value));
  auto complete = complete_arguments(entry, std::move(converted), {});
  std::vector<TensorType> types;
  for (const OpValue& value : entry.decomposition(type_builder(), complete))
    types.push_back(value_type(value));
  return types;
}

}  // namespace

bool divides_integers(ScalarFunction function, DType dtype) {
  if (is_floating(dtype)) return false;
  return function == ScalarFunction::kFloorDivide || function == ScalarFunction::kRemainder ||
         function == ScalarFunction::kFmod;
}

OpBuilder& type_builder() {
  static TypeBuilder builder;
  return builder;
}
OpValue type_value(const TensorType& type) {
  return {make_ref<TypeHolder>(type), {}};
}
const TensorType& value_type(const OpValue& value) {
  return static_cast<TypeHolder*>(value.object.get())->type;
}

std::vector<TensorType> infer(const OpEntry& entry, InferArguments arguments) {
  check_call(entry, arguments);
  if (entry.infer) return entry.infer(entry, arguments);
  if (entry.decomposition) {
    auto types = infer_decomposition(entry, arguments);
    if (!types.empty() || entry.lowers_to<std::monostate>()) return types;
  }
  if (entry.lowers_to<Pointwise>()) return infer_pointwise(entry, arguments);
  if (entry.lowers_to<Reduce>()) return infer_reduce(entry, arguments);
  if (entry.lowers_to<Scan>()) return infer_scan(entry, arguments);
  if (entry.lowers_to<View>()) return infer_view(entry, arguments);
  fail(fmt::format("operator {} has no inference rule", entry.name));
}

TensorType type_of(const Tensor& tensor) {
  TensorType type = TensorType::tensor(tensor.dtype(), {}, tensor.device());
  type.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
  if (!has_row_major_strides(tensor))
    type.strides.assign(tensor.strides().begin(), tensor.strides().end());
  return type;
}

InferArgument infer_argument(const Argument& argument) {
  return map_argument<TensorType>(argument, type_of);
}

std::vector<InferArgument> infer_arguments(Arguments arguments) {
  std::vector<InferArgument> types;
  for (const Argument& argument : arguments) types.push_back(infer_argument(argument));
  return types;
}

void depends_on_values(const OpEntry& entry) {
  fail(fmt::format("the sizes of {}'s result depend on values", entry.name));
}

void throw_not_viewable() {
  throw OpError{"RuntimeError",
                "view size is not compatible with input tensor's size and stride (at least one "
                "dimension spans across two contiguous subspaces). Use .reshape(...) instead."};
}

std::vector<SymInt> broadcast(std::span<const SymInt> a, std::span<const SymInt> b) {
  size_t rank = std::max(a.size(), b.size());
  std::vector<SymInt> sizes(rank);
  for (size_t i = 0; i < rank; ++i) {
    // i counts from the last dimension.
    SymInt from_a = i < a.size() ? a[a.size() - 1 - i] : SymInt(1);
    SymInt from_b = i < b.size() ? b[b.size() - 1 - i] : SymInt(1);
    SymInt& size = sizes[rank - 1 - i];
    if (from_a == from_b || from_b.is(1))
      size = from_a;
    else if (from_a.is(1))
      size = from_b;
    else if (decide_equal(from_a, from_b))
      size = from_a.is_constant() ? from_a : from_b;
    else
      throw OpError{"RuntimeError",
                    fmt::format("The size of tensor a ({}) must match the size of tensor b ({}) at "
                                "non-singleton dimension {}",
                                from_a.hint(), from_b.hint(), rank - 1 - i)};
  }
  return sizes;
}

DType promoted_dtype(InferArguments operands) {
  PromotionOperand converted[8];
  check(operands.size() <= 8, "at most 8 operands promote");
  std::ranges::transform(operands, converted, promotion_operand);
  return result_type({converted, operands.size()});
}

size_t operand_count(const OpEntry& entry) {
  const Pointwise* pointwise = entry.lowers_to<Pointwise>();
  return pointwise ? info(pointwise->function).arity : 0;
}

DType computation_dtype(const OpEntry& entry, InferArguments arguments) {
  InferArguments operands = arguments.first(std::min(operand_count(entry), arguments.size()));
  ScalarFunction function = entry.lowers_to<Pointwise>()->function;
  // A condition takes no part in promotion.
  if (function == ScalarFunction::kWhere) {
    const TensorType* condition = operands[0].get_if<TensorType>();
    if (condition && !is_bool(condition->dtype))
      throw OpError{"RuntimeError",
                    fmt::format("where expected condition to be a boolean tensor, but got a tensor "
                                "with dtype {}",
                                scalar_type_name(condition->dtype))};
    operands = operands.subspan(1);
  }
  if (function == ScalarFunction::kSubtract) check_subtraction(operands);
  DType dtype = promoted_dtype(operands);
  return entry.dtype_rule == DTypeRule::kFloat ? float_of(dtype) : dtype;
}

bool keeps_digits_of_number(ScalarFunction function, DType computation, size_t place) {
  if (!is_narrow_float(computation)) return false;
  // A number times a tensor is the tensor times the number.
  if (function == ScalarFunction::kMultiply) return true;
  return place == 1 &&
         (function == ScalarFunction::kDivide || function == ScalarFunction::kFloorDivide);
}

bool is_one_element(const TensorType& type) {
  return std::ranges::all_of(type.sizes, [](SymInt size) { return size.is(1); });
}

DType reduction_dtype(const OpEntry& entry, InferArguments arguments) {
  DType dtype = arguments[0].tensor().dtype;
  if (signature(entry).find("dtype")) {
    InferArgument wanted = argument(entry, arguments, "dtype");
    if (const DType* given = wanted.get_if<DType>()) return *given;
  }
  if (entry.dtype_rule == DTypeRule::kIntegerToInt64 && !is_floating(dtype)) return DType::kInt64;
  if (entry.dtype_rule == DTypeRule::kBool) return DType::kBool;
  return dtype;
}

int64_t wrap_dim(int64_t dim, size_t rank) {
  int64_t count = std::max<int64_t>(int64_t(rank), 1);
  if (dim < -count || dim >= count)
    throw OpError{"IndexError", fmt::format("Dimension out of range (expected to be in range of "
                                            "[{}, {}], but got {})",
                                            -count, count - 1, dim)};
  return dim < 0 ? dim + count : dim;
}

std::vector<int64_t> reduced_dims(const InferArgument& dim, size_t rank) {
  std::vector<int64_t> dims;
  for (SymInt one : dim.is_none() ? std::vector<SymInt>() : as_ints(dim))
    dims.push_back(wrap_dim(one.constant(), rank));
  std::ranges::sort(dims);
  if (auto twice = std::ranges::adjacent_find(dims); twice != dims.end())
    throw OpError{"RuntimeError",
                  fmt::format("dim {} appears multiple times in the list of dims", *twice)};
  if (rank == 0) return {};
  if (dims.empty()) {
    dims.resize(rank);
    std::iota(dims.begin(), dims.end(), 0);
  }
  return dims;
}

std::vector<SymInt> reduced_sizes(std::span<const SymInt> sizes, std::span<const int64_t> dims,
                                  bool keepdim) {
  std::vector<SymInt> result;
  for (size_t i = 0; i < sizes.size(); ++i) {
    bool reduced = std::ranges::find(dims, int64_t(i)) != dims.end();
    if (!reduced)
      result.push_back(sizes[i]);
    else if (keepdim)
      result.push_back(1);
  }
  return result;
}

}  // namespace glint::ops
