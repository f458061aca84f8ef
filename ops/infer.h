// Types without values: the dtype, sizes and strides of an operator's results.
//
//     infer(add, {f32[s0, 8], i64[8], 1})   gives   {f32[s0, 8]}
//
// The rules for whole classes of operators are here (pointwise, reductions, views, composites);
// an entry with a rule of its own names it in `infer`. Beside them stand the small questions that
// rules and lowerings ask: broadcasting, promotion, wrapping of negative dimensions. Messages are
// PyTorch's.
#pragma once

#include <span>
#include <vector>

#include "core/support/check.h"
#include "ops/builders.h"
#include "ops/op.h"

namespace glint::ops {

/// The types of an operator's results for bound arguments (trailing defaults may be left off).
/// Throws OpError for what eager execution would refuse by shape or dtype.
std::vector<TensorType> infer(const OpEntry& entry, InferArguments arguments);

/// Tensors become their types.
TensorType type_of(const Tensor& tensor);
InferArgument infer_argument(const Argument& argument);
std::vector<InferArgument> infer_arguments(Arguments arguments);

/// For a result whose sizes no rule can tell: what runs it must not ask.
[[noreturn]] void depends_on_values(const OpEntry& entry);

/// What `view` says where strides cannot describe the wanted sizes.
[[noreturn]] void throw_not_viewable();

/// PyTorch's broadcasting of sizes, aligned at the last dimension.
std::vector<SymInt> broadcast(std::span<const SymInt> a, std::span<const SymInt> b);

/// PyTorch's result_type over tensors, 0-dim tensors and Python numbers.
DType promoted_dtype(InferArguments operands);
/// The dtype in which a pointwise operator computes, and to which its operands are cast first.
DType computation_dtype(const OpEntry& entry, InferArguments arguments);
/// Products and quotients of 16-bit floats take a number, or a second operand of one element, in
/// float32, as PyTorch's do: only the result is rounded to 16 bits. All other functions round it
/// to 16 bits first.
bool keeps_digits_of_number(ScalarFunction function, DType computation, size_t place);
inline bool is_one_element(const Tensor& tensor) {
  return tensor.numel() == 1;
}
bool is_one_element(const TensorType& type);
/// Which operand of a call that is, if any; an input of a graph that is a number is one too.
template <class V>
std::optional<size_t> float32_operand(ScalarFunction function, DType computation,
                                      std::span<const BasicArgument<V>> operands) {
  if (!keeps_digits_of_number(function, computation, 1)) return std::nullopt;
  bool begins_with_number = !operands[0].is_value();
  if constexpr (std::is_same_v<V, TensorType>)
    begins_with_number = begins_with_number || operands[0].tensor().scalar;
  if (begins_with_number && keeps_digits_of_number(function, computation, 0)) return 0;
  if (!operands[1].is_value() || is_one_element(operands[1].tensor())) return 1;
  return std::nullopt;
}
/// The dtype to which a reduction's or scan's input is cast.
DType reduction_dtype(const OpEntry& entry, InferArguments arguments);
/// Whether the function, computed in this dtype, fails where its second operand is 0.
bool divides_integers(ScalarFunction function, DType dtype);

/// Throws where a number that elements of this dtype become is beyond what they hold; PyTorch does
/// not look at the narrow floating ones where there is one element. Other arguments pass.
void check_holds(DType dtype, const InferArgument& number, bool is_single = false);
void check_holds(DType dtype, const OpArgument& number);
/// Throws what PyTorch's kernel says of a dtype that it does not take (`entry.floats_kernel`), and
/// of numbers that are beyond what it holds (`entry.numbers.held`).
void check_arguments(const OpEntry& entry, Arguments arguments);
void check_arguments(const OpEntry& entry, InferArguments arguments);
template <class V>
void check_call(const OpEntry& entry, std::span<const BasicArgument<V>> arguments) {
  if (entry.floats_kernel || *entry.numbers.held != '\0') check_arguments(entry, arguments);
}
/// A number as operators take it that do not promote: with integers, a float is cut to one; with
/// truth values it is one of them.
OpArgument without_fraction(DType dtype, const OpArgument& number);

/// How many of the leading arguments of a pointwise operator are operands.
size_t operand_count(const OpEntry& entry);

/// A dimension in 0..rank-1 from one in -rank..rank-1; IndexError otherwise. Rank 0 counts as 1.
int64_t wrap_dim(int64_t dim, size_t rank);
/// The reduced dimensions, ascending; all for None or an empty list.
std::vector<int64_t> reduced_dims(const InferArgument& dim, size_t rank);
/// The sizes left by a reduction.
std::vector<SymInt> reduced_sizes(std::span<const SymInt> sizes, std::span<const int64_t> dims,
                                  bool keepdim);

/// The argument of a parameter by name; its default where it was left off.
template <class V>
BasicArgument<V> argument(const OpEntry& entry, std::span<const BasicArgument<V>> arguments,
                          std::string_view parameter) {
  const Signature& parsed = signature(entry);
  auto place = parsed.find(parameter);
  if (!place) return {};
  if (*place < arguments.size()) return arguments[*place];
  return map_argument<V>(parsed.parameters[*place].default_value,
                         [](const Tensor&) -> V { fail("a default is no tensor"); });
}

/// Values of arguments, as rules need them. Ints are accepted for floats, and bools for ints.
template <class V>
SymInt as_int(const BasicArgument<V>& argument) {
  if (const SymInt* value = argument.template get_if<SymInt>()) return *value;
  const bool* truth = argument.template get_if<bool>();
  check(truth != nullptr, "an int was bound");
  return int64_t(*truth);
}
/// What it decides about a size holds for calls with that size alone.
template <class V>
int64_t as_constant(const BasicArgument<V>& argument) {
  SymInt value = as_int(argument);
  if (value.is_constant()) return value.constant();
  const int64_t hint = value.hint();
  check(decide_equal(value, hint), "a size is what it is now");
  return hint;
}
template <class V>
bool as_bool(const BasicArgument<V>& argument) {
  if (const bool* value = argument.template get_if<bool>()) return *value;
  return !argument.is_none() && !as_int(argument).is(0);
}
template <class V>
double as_float(const BasicArgument<V>& argument) {
  if (const double* value = argument.template get_if<double>()) return *value;
  return double(as_int(argument).constant());
}
/// An int or a list of ints.
template <class V>
std::vector<SymInt> as_ints(const BasicArgument<V>& argument) {
  if (!argument.is_list()) return {as_int(argument)};
  std::vector<SymInt> ints;
  for (const auto& item : argument.list()) ints.push_back(as_int(item));
  return ints;
}
template <class V>
std::vector<V> as_values(const BasicArgument<V>& argument) {
  std::vector<V> values;
  for (const auto& item : argument.list()) values.push_back(item.tensor());
  return values;
}
/// A Python number.
template <class V>
Scalar as_scalar(const BasicArgument<V>& argument) {
  if (const bool* value = argument.template get_if<bool>()) return *value;
  if (const double* value = argument.template get_if<double>()) return *value;
  return as_int(argument).constant();
}
template <class V>
bool is_number(const BasicArgument<V>& argument) {
  return argument.value.index() >= 1 && argument.value.index() <= 3;
}
/// The dtype that a Python number becomes.
template <class V>
DType number_dtype(const BasicArgument<V>& number) {
  if (number.template get_if<bool>()) return DType::kBool;
  if (number.template get_if<SymInt>()) return DType::kInt64;
  return default_dtype();
}

}  // namespace glint::ops
