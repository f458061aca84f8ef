#include "ops/forms.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

namespace {

/// PyTorch's words where the written tensor may not have its dtype.
void check_output_dtype(const OutputDType& rule, DType result, DType out) {
  const bool taken = rule.exact ? result == out : dtype_category(result) <= dtype_category(out);
  if (taken) return;
  throw OpError{rule.exception,
                fmt::format(fmt::runtime(rule.words), scalar_type_name(result),
                            scalar_type_name(out), message_dtype(result), message_dtype(out))};
}

/// In place any target is taken that the result can be cast to.
void check_castable(DType result, DType target) {
  check_output_dtype(OutputDType(), result, target);
}

/// What a call asks of its `out`: one that names a dtype asks for that.
OutputDType output_rule(const OpEntry& functional, InferArguments inputs) {
  const bool names_one = signature(functional).find("dtype").has_value() &&
                         !argument(functional, inputs, "dtype").is_none();
  if (names_one) return kExpectedDType;
  const OutputDType& rule = functional.output_dtype;
  return rule.concerns == nullptr || rule.concerns(inputs) ? rule : OutputDType();
}

/// Sums and products that name no dtype are made in that of `out`: their arguments, with that one.
/// Empty for other calls.
template <class V>
std::vector<BasicArgument<V>> in_dtype_of_output(const OpEntry& functional,
                                                 std::span<const BasicArgument<V>> inputs,
                                                 DType out) {
  if (functional.dtype_rule != DTypeRule::kIntegerToInt64) return {};
  const std::optional<size_t> dtype = signature(functional).find("dtype");
  if (!dtype || !inputs[*dtype].is_none()) return {};
  std::vector<BasicArgument<V>> given(inputs.begin(), inputs.end());
  given[*dtype] = out;
  return given;
}

void check_output_sizes(std::span<const SymInt> target, std::span<const SymInt> result) {
  bool equal = target.size() == result.size();
  for (size_t i = 0; equal && i < target.size(); ++i) equal = decide_equal(target[i], result[i]);
  if (equal) return;
  throw OpError{"RuntimeError",
                fmt::format("output with shape {} doesn't match the broadcast shape {}",
                            ints_text(target), ints_text(result))};
}

/// Copies the elements that are not the same already, in row-major order.
void copy_changes(const Tensor& target, const Tensor& result) {
  Tensor before = row_major(target), after = row_major(result);
  size_t size = target.element_size();
  for (int64_t i = 0; i < target.numel(); ++i) {
    const std::byte* changed = after.raw_data() + i * int64_t(size);
    if (std::memcmp(before.raw_data() + i * int64_t(size), changed, size) == 0) continue;
    int64_t place = 0, rest = i;
    for (int64_t dim = target.rank(); dim-- > 0; rest /= target.size(dim))
      place += rest % target.size(dim) * target.stride(dim);
    std::memcpy(target.raw_data() + place * int64_t(size), changed, size);
  }
  target.bump_version();
}

/// Throws where the result would depend on the order in which elements are written.
void check_overlaps(const OpEntry& functional, const Tensor& target, Arguments inputs) {
  const Overlaps& tolerates = functional.overlaps;
  if (!tolerates.repeated_target && repeats_elements(target)) throw_repeated_target();
  size_t checked = std::min(inputs.size(), tolerates.checked_inputs);
  for (const Argument& input : inputs.first(checked)) {
    const Tensor* tensor = input.get_if<Tensor>();
    if (tensor && overlap_of(target, *tensor) == Overlap::kPartial) throw_partial_overlap();
  }
}

/// Writes a pointwise result straight into `out`, where its arguments have plain forms.
bool write_pointwise(const OpEntry& functional, Arguments arguments, const Tensor& out) {
  check_call(functional, arguments);
  if (functional.write_blocks) return functional.write_blocks(functional, arguments, out);
  const Pointwise* pointwise = functional.lowers_to<Pointwise>();
  if (!pointwise || functional.eager) return false;
  // Some powers have forms of their own (`x ** 0.5`).
  if (pointwise->function == ScalarFunction::kPower) return false;
  size_t arity = operand_count(functional);
  const Signature& parsed = signature(functional);
  for (size_t i = arity; i < arguments.size(); ++i)
    if (!same_plain(arguments[i], parsed.parameters[i].default_value)) return false;
  auto types = infer_arguments(arguments.first(arity));
  DType computation = computation_dtype(functional, types);
  bool gives_bool = info(pointwise->function).result == ScalarResult::kBool;
  DType result = gives_bool ? DType::kBool : computation;
  if (result != out.dtype()) return false;
  pointwise_into(pointwise->function, out, arguments.first(arity), computation);
  return true;
}

/// `write_pointwise`, where `out` has the result's sizes already.
bool write_whole(const OpEntry& functional, Arguments inputs, const Tensor& out) {
  if (functional.lowers_to<Pointwise>()) {
    const std::vector<InferArgument> types = infer_arguments(inputs);
    TensorType result = infer(functional, types)[0];
    check_output_dtype(output_rule(functional, types), result.dtype, out.dtype());
    if (!std::ranges::equal(type_of(out).sizes, result.sizes)) return false;
  }
  return write_pointwise(functional, inputs, out);
}

/// The commonest in-place call: `x += y` for contiguous tensors of one type, or a Python number.
bool write_fast(const OpEntry& functional, Arguments arguments) {
  const Pointwise* pointwise = functional.lowers_to<Pointwise>();
  if (!pointwise || functional.dtype_rule != DTypeRule::kPromote ||
      operand_count(functional) != 2 || arguments.size() != 2 ||
      pointwise->function == ScalarFunction::kPower)
    return false;
  const Tensor& x = arguments[0].tensor();
  const Tensor* y = arguments[1].get_if<Tensor>();
  if (!y || !is_floating(x.dtype()) || y->dtype() != x.dtype() || !x.is_contiguous() ||
      !y->is_contiguous() || x.impl().sizes != y->impl().sizes || x.numel() > 16384)
    return false;
  if (x.raw_data() != y->raw_data() && x.storage() == y->storage()) return false;
  const auto* loops = scalar::elementwise_loops(pointwise->function, x.dtype());
  if (!loops) return false;
  loops->binary(x.raw_data(), y->raw_data(), x.raw_data(), x.numel());
  return true;
}

bool concerns_accelerator(Arguments arguments) {
  bool found = false;
  for (const Argument& argument : arguments)
    for_each_value(argument, [&](const Tensor& tensor) {
      found = found || (tensor.defined() && !tensor.device().is_cpu());
    });
  return found;
}

/// The same on an accelerator: one launch where the result may lie over the target, else two.
void update_on_device(const OpEntry& functional, const Tensor& target, Arguments arguments) {
  check_overlaps(functional, target, arguments.subspan(1));
  if (target.device().is_cpu() && !functional.any_device) throw_several_devices(arguments);
  if (write_on_device(functional, arguments, target)) return target.bump_version();
  const Tensor result = call_eager_one(functional, arguments);
  check_output_sizes(type_of(target).sizes, type_of(result).sizes);
  check_castable(result.dtype(), target.dtype());
  copy(target, result);
}

/// An output of another size is resized, as in PyTorch: the same object, new memory. It lies as the
/// result does where that is made element by element, else in row-major order.
void resize_output(const OpEntry& functional, const Tensor& out, const Dims& sizes,
                   const Dims& strides) {
  if (same_dims(out.sizes(), sizes)) return;
  const bool keeps_order = functional.lowers_to<Pointwise>() != nullptr;
  Tensor fresh = keeps_order ? Tensor::empty_strided(sizes, strides, out.dtype(), out.device())
                             : Tensor::empty(sizes, out.dtype(), out.device());
  TensorImpl& impl = out.impl();
  impl.storage = fresh.impl().storage;
  impl.data = fresh.impl().data;
  impl.offset = 0;
  impl.numel = fresh.numel();
  impl.contiguous = fresh.impl().contiguous;
  impl.sizes = fresh.impl().sizes;
  impl.strides = fresh.impl().strides;
  impl.meta = TensorMetaId::kUnknown;
}

bool is_among(const Tensor& tensor, Arguments arguments) {
  bool found = false;
  for (const Argument& argument : arguments)
    for_each_value(argument, [&](const Tensor& each) { found = found || each.is_same(tensor); });
  return found;
}

/// `write_whole` on an accelerator: where the sizes do not depend on values, and resizing `out`
/// changes none of the inputs.
bool write_whole_on_device(const OpEntry& functional, Arguments inputs, const Tensor& out) {
  if (out.device().is_cpu() || functional.effects.data_dependent) return false;
  const std::vector<InferArgument> types = infer_arguments(inputs);
  if (functional.sizes_from_values && functional.sizes_from_values(types)) return false;
  const TensorType result = infer(functional, types)[0];
  check_output_dtype(output_rule(functional, types), result.dtype, out.dtype());
  const Dims sizes = constant_dims(result.sizes);
  if (!same_dims(out.sizes(), sizes) && is_among(out, inputs)) return false;
  resize_output(functional, out, sizes, constant_dims(result.full_strides()));
  if (!write_on_device(functional, inputs, out)) return false;
  out.bump_version();
  return true;
}

}  // namespace

/// An operator of numbers computes in what they promote to: that has to go into the target, before
/// it is asked whether the operator takes it.
static void check_promoted(const OpEntry& functional, InferArguments arguments, DType target) {
  const Pointwise* pointwise = functional.lowers_to<Pointwise>();
  if (!pointwise || info(pointwise->function).result == ScalarResult::kBool) return;
  check_castable(computation_dtype(functional, arguments), target);
}

void throw_repeated_target() {
  throw OpError{
      "RuntimeError",
      "unsupported operation: more than one element of the written-to tensor refers to a "
      "single memory location. Please clone() the tensor before performing the operation."};
}

void throw_partial_overlap() {
  throw OpError{
      "RuntimeError",
      "unsupported operation: some elements of the input tensor and the written-to tensor "
      "refer to a single memory location. Please clone() the tensor before performing the "
      "operation."};
}

std::vector<TensorType> infer_in_place(const OpEntry& entry, InferArguments arguments) {
  const TensorType& target = arguments[0].tensor();
  check_promoted(*entry.functional_form, arguments, target.dtype);
  TensorType result = infer(*entry.functional_form, arguments)[0];
  check_output_sizes(target.sizes, result.sizes);
  check_castable(result.dtype, target.dtype);
  return {target};
}

std::vector<TensorType> infer_out(const OpEntry& entry, InferArguments arguments) {
  const OpEntry& functional = *entry.functional_form;
  InferArguments inputs = arguments.first(arguments.size() - 1);
  TensorType out = arguments.back().tensor();
  const auto converted = in_dtype_of_output(functional, inputs, out.dtype);
  if (!converted.empty()) inputs = converted;
  TensorType result = infer(functional, inputs)[0];
  check_output_dtype(output_rule(functional, inputs), result.dtype, out.dtype);
  out.sizes = result.sizes;
  out.strides.clear();
  return {out};
}

Outputs eager_in_place(const OpEntry& entry, Arguments arguments) {
  const OpEntry& functional = *entry.functional_form;
  Tensor target = arguments[0].tensor();
  if (accelerator_named && concerns_accelerator(arguments)) {
    update_on_device(functional, target, arguments);
    return target;
  }
  if (!write_fast(functional, arguments)) {
    check_overlaps(functional, target, arguments.subspan(1));
    if (functional.lowers_to<Pointwise>()) {
      const std::vector<InferArgument> types = infer_arguments(arguments);
      check_promoted(functional, types, target.dtype());
      TensorType result = infer(functional, types)[0];
      check_output_sizes(type_of(target).sizes, result.sizes);
      check_castable(result.dtype, target.dtype());
    }
    if (!write_pointwise(functional, arguments, target)) {
      Tensor result = call_eager_one(functional, arguments);
      check_output_sizes(type_of(target).sizes, type_of(result).sizes);
      check_castable(result.dtype(), target.dtype());
      bool changes = repeats_elements(target) && functional.overlaps.writes_changes;
      if (changes && result.dtype() == target.dtype())
        copy_changes(target, result);
      else
        copy(target, result);
      return target;
    }
  }
  target.bump_version();
  return target;
}

Outputs eager_out(const OpEntry& entry, Arguments arguments) {
  const OpEntry& functional = *entry.functional_form;
  Tensor out = arguments.back().tensor();
  Arguments inputs = arguments.first(arguments.size() - 1);
  const auto converted = in_dtype_of_output(functional, inputs, out.dtype());
  if (!converted.empty()) inputs = converted;
  if (functional.lowers_to<Pointwise>() || functional.write_blocks)
    check_overlaps(functional, out, inputs);
  if (accelerator_named && concerns_accelerator(arguments)) {
    if (write_whole_on_device(functional, inputs, out)) return out;
  } else if (write_whole(functional, inputs, out)) {
    out.bump_version();
    return out;
  }
  Tensor result = call_eager_one(functional, inputs);
  check_output_dtype(output_rule(functional, infer_arguments(inputs)), result.dtype(), out.dtype());
  resize_output(functional, out, Dims(result.sizes()), Dims(result.strides()));
  copy(out, result);
  return out;
}

std::vector<Sample> no_samples(const OpEntry& entry) {
  return {};
}

}  // namespace glint::ops
