// Eager execution of one call. Which way an entry runs:
//
//   1. its own eager kernel, where it has one;
//   2. the kernel of its class: pointwise, reduction, scan, view;
//   3. its decomposition, executed operator by operator.
#include "ops/call.h"

#include <fmt/format.h>

#include <limits>
#include <type_traits>

#include "core/support/check.h"
#include "core/tensor/grad_mode.h"
#include "ops/blockwise.h"
#include "ops/builders.h"
#include "ops/device_calls.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"

namespace glint::ops {

namespace {

class EagerBuilder final : public OpBuilder {
 public:
  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override {
    const OpEntry* entry = find_op(target);
    check(entry != nullptr, "a decomposition calls an operator that exists");
    if (named.empty() && entry->lowers_to<Pointwise>() && !entry->eager && !accelerator_named &&
        positional.size() == operand_count(*entry))
      return call_pointwise(*entry, positional);
    auto complete = complete_arguments(*entry, std::move(positional), named);
    std::vector<Argument> arguments;
    arguments.reserve(complete.size());
    for (const OpArgument& argument : complete)
      arguments.push_back(map_argument<Tensor>(argument, eager_tensor));
    Outputs outputs = call_eager(*entry, arguments);
    std::vector<OpValue> values;
    for (size_t i = 0; i < outputs.size(); ++i) values.push_back(eager_value(outputs[i]));
    return values;
  }
  TensorType type(const OpValue& value) override { return type_of(eager_tensor(value)); }

 private:
  /// The common case, without completing arguments.
  static std::vector<OpValue> call_pointwise(const OpEntry& entry,
                                             std::span<const OpArgument> positional) {
    Argument arguments[3];
    for (size_t i = 0; i < positional.size(); ++i)
      arguments[i] = map_argument<Tensor>(positional[i], eager_tensor);
    return {eager_value(eager_pointwise(entry, {arguments, positional.size()}).take_first())};
  }
};

Outputs to_outputs(std::span<const OpValue> values) {
  if (values.size() == 1) return eager_tensor(values[0]);
  std::vector<Tensor> tensors;
  for (const OpValue& value : values) tensors.push_back(eager_tensor(value));
  return Outputs(std::move(tensors));
}

std::vector<OpArgument> to_op_arguments(const OpEntry& entry, Arguments arguments) {
  std::vector<OpArgument> converted;
  for (const Argument& argument : arguments)
    converted.push_back(map_argument<OpValue>(argument, eager_value));
  return complete_arguments(entry, std::move(converted), {});
}

/// On the processor what lies between elementwise operators has no memory of its own.
Outputs decomposed(const OpEntry& entry, Arguments arguments) {
  if (accelerator_named)
    return to_outputs(entry.decomposition(eager_builder(), to_op_arguments(entry, arguments)));
  BlockwiseBuilder builder;
  const std::vector<OpValue> values =
      entry.decomposition(builder, to_op_arguments(entry, arguments));
  if (values.size() == 1) return builder.tensor(values[0]);
  return Outputs(builder.tensors(values));
}

bool has_further_arguments(const OpEntry& entry, Arguments arguments) {
  // A number as second operand may have a form of its own (`x ** 2`).
  if (entry.lowers_to<Pointwise>()->function == ScalarFunction::kPower)
    return is_number(arguments[1]);
  const Signature& parsed = signature(entry);
  for (size_t i = operand_count(entry); i < arguments.size(); ++i)
    if (!same_plain(arguments[i], parsed.parameters[i].default_value)) return true;
  return false;
}

Outputs call_class_kernel(const OpEntry& entry, Arguments arguments) {
  if (entry.lowers_to<Pointwise>()) return eager_pointwise(entry, arguments);
  if (entry.lowers_to<View>()) return eager_view(entry, arguments);
  if (entry.lowers_to<Reduce>()) return eager_reduce(entry, arguments);
  if (entry.lowers_to<Scan>()) return eager_scan(entry, arguments);
  fail("an entry has an eager kernel, or one follows from its lowering");
}

Outputs call_kernel(const OpEntry& entry, Arguments arguments) {
  check_call(entry, arguments);
  if (entry.eager) return entry.eager(entry, arguments);
  // A pointwise entry's decomposition speaks for further arguments (alpha) that are not defaults.
  if (entry.decomposition &&
      (!entry.lowers_to<Pointwise>() || has_further_arguments(entry, arguments))) {
    Outputs outputs = run_decomposition(entry, arguments);
    if (outputs.size() > 0 || entry.lowers_to<std::monostate>()) return outputs;
  }
  return call_class_kernel(entry, arguments);
}

/// What was made in inference mode is written there alone. As in PyTorch it has been written when
/// that is noticed.
void check_written(const OpEntry& entry, Arguments arguments) {
  bool is_out = std::string_view(entry.name).ends_with(".out");
  const Tensor& written = (is_out ? arguments.back() : arguments.front()).tensor();
  if (!written->inference || grad_state().inference) return;
  throw OpError{
      "RuntimeError",
      "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a "
      "clone to get a normal tensor before doing inplace update.See "
      "https://github.com/pytorch/rfcs/pull/17 for more details."};
}

}  // namespace

Outputs::Outputs(std::vector<Tensor> tensors) {
  if (tensors.empty()) return;
  first_ = std::move(tensors.front());
  rest_.assign(std::make_move_iterator(tensors.begin() + 1),
               std::make_move_iterator(tensors.end()));
}

std::vector<Tensor> Outputs::to_vector() const {
  std::vector<Tensor> result;
  for (size_t i = 0; i < size(); ++i) result.push_back((*this)[i]);
  return result;
}

OpValue eager_value(const Tensor& tensor) {
  return {Ref<RefCounted>(tensor.ref()), {}};
}

Tensor eager_tensor(const OpValue& value) {
  return Tensor(Ref<TensorImpl>(static_cast<TensorImpl*>(value.object.get())));
}

OpBuilder& eager_builder() {
  static EagerBuilder builder;
  return builder;
}

void forget_inner_base(Arguments arguments, const Tensor& result) {
  if (!result.defined() || !result->base || result.is_pending()) return;
  bool of_argument = false;
  for (const Argument& argument : arguments)
    for_each_value(argument, [&](const Tensor& given) {
      of_argument |= given.defined() && given->storage == result->storage;
    });
  if (of_argument) return;
  result->base = nullptr;
  result->view_origin = ViewOrigin::kRecorded;
}

Outputs run_decomposition(const OpEntry& entry, Arguments arguments) {
  Outputs outputs = decomposed(entry, arguments);
  for (size_t i = 0; i < outputs.size(); ++i) forget_inner_base(arguments, outputs[i]);
  return outputs;
}

/// On tensors of the processor.
static Outputs call_near(const OpEntry& entry, Arguments arguments) {
  Outputs outputs = call_kernel(entry, arguments);
  if (entry.effects.mutates) [[unlikely]]
    check_written(entry, arguments);
  return outputs;
}

/// Where an accelerator was named: what the call makes of nothing is where the call is.
static Outputs call_where_it_is(const OpEntry& entry, Arguments arguments) {
  const Device device = device_of(entry, arguments);
  if (!device.is_cpu()) {
    Outputs outputs = call_on_device(entry, arguments, device);
    if (entry.effects.mutates) check_written(entry, arguments);
    return outputs;
  }
  const DefaultDeviceScope scope(device);
  return call_near(entry, arguments);
}

Outputs call_eager(const OpEntry& entry, Arguments arguments) {
  if (accelerator_named) [[unlikely]]
    return call_where_it_is(entry, arguments);
  return call_near(entry, arguments);
}

Tensor call_eager_one(const OpEntry& entry, Arguments arguments) {
  return call_eager(entry, arguments).take_first();
}

Tensor call_eager(std::string_view name, std::initializer_list<Argument> arguments) {
  const OpEntry* entry = find_op(name);
  check(entry != nullptr, "an operator of that name exists");
  return call_eager_one(*entry, complete_arguments<Tensor>(*entry, arguments, {}));
}

/// Whether an integer type takes a Python number: a negative one passes for an unsigned type as far
/// as its absolute value does.
template <class T>
static bool fits(const Scalar& value) {
  using Limits = std::numeric_limits<T>;
  if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>) return true;
  constexpr bool kUnsigned = std::is_unsigned_v<T>;
  if (value.is_float()) {
    double least =
        kUnsigned ? -static_cast<double>(Limits::max()) : static_cast<double>(Limits::min());
    return value.as_double() >= least && value.as_double() <= static_cast<double>(Limits::max());
  }
  auto most = static_cast<int64_t>(Limits::max());
  int64_t least = kUnsigned ? -most : static_cast<int64_t>(Limits::min());
  return value.as_int() >= least && value.as_int() <= most;
}

Tensor tensor_from_values(std::span<const Scalar> values, IntSpan sizes,
                          std::optional<DType> dtype) {
  if (!dtype) {
    dtype = values.empty() ? default_dtype() : DType::kBool;
    for (const Scalar& value : values) {
      if (value.is_float()) dtype = default_dtype();
      if (value.is_int() && dtype == DType::kBool) dtype = DType::kInt64;
    }
  }
  Tensor result = Tensor::empty(sizes, *dtype);
  check(int64_t(values.size()) == result.numel(), "as many values as elements");
  visit_dtype(*dtype, [&]<class T>() {
    for (size_t i = 0; i < values.size(); ++i) {
      if (!fits<T>(values[i]))
        throw OpError{"RuntimeError",
                      fmt::format("value cannot be converted to type {} without overflow",
                                  dtype_name(*dtype))};
      result.data<T>()[i] = values[i].to<T>();
    }
  });
  return result;
}

}  // namespace glint::ops
