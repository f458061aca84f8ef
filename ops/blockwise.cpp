#include "ops/blockwise.h"

#include <algorithm>

#include "core/tensor/accelerator.h"
#include "ops/blockwise_steps.h"
#include "ops/builders.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

namespace {

/// Values of steps are told from tensors by their place in a graph, which eager values do not have.
constexpr Value kPutOff = {NodeId(0), 0};

OpValue value_of(Ref<PutOff> step) {
  return {Ref<RefCounted>(std::move(step)), kPutOff};
}
PutOff* step_of(const OpValue& value) {
  return value.value == kPutOff ? static_cast<PutOff*>(value.object.get()) : nullptr;
}

/// How a formula's tensors lie: dense, all of them alike, so that each element has one place.
struct Layout {
  Dims sizes, strides;

  bool operator==(const Layout& other) const {
    return same_dims(sizes, other.sizes) && same_dims(strides, other.strides);
  }
};

/// Nothing for a tensor with gaps, or of which the strides do not tell how results lie.
std::optional<Layout> layout_of(const Tensor& tensor) {
  if (tensor.numel() == 0) return std::nullopt;
  if (has_row_major_strides(tensor))
    return Layout{Dims(tensor.sizes()), contiguous_strides(tensor.sizes())};
  const bool decides = std::ranges::all_of(tensor.sizes(), [](int64_t size) { return size > 1; });
  if (!decides || !is_dense(tensor)) return std::nullopt;
  return Layout{Dims(tensor.sizes()), Dims(tensor.strides())};
}
Layout layout_of(const PutOff& step) {
  return {step.sizes, step.strides};
}

Ref<PutOff> converted(StepOperand from, DType dtype, DType to, const Layout& layout) {
  auto made = make_ref<PutOff>();
  made->casts = true;
  made->computation = dtype;
  made->dtype = to;
  made->sizes = layout.sizes;
  made->strides = layout.strides;
  made->arity = 1;
  made->operands[0] = std::move(from);
  return made;
}

/// What a new step would read, and whether the operators can be put off that read it.
class Candidate {
 public:
  Candidate(ScalarFunction function, std::span<const OpArgument> operands)
      : function_(function), operands_(operands) {}

  /// The step; null where the operator has to run at once.
  Ref<PutOff> step(const OpEntry& entry) {
    if (!find_layout() || !find_computation(entry)) return nullptr;
    check_domain(function_, computation_);
    if (operands_.size() < 3 && !scalar::elementwise_loops(function_, computation_)) return nullptr;
    auto made = make_ref<PutOff>();
    made->function = function_;
    made->computation = computation_;
    made->dtype = info(function_).result == ScalarResult::kBool ? DType::kBool : computation_;
    made->sizes = layout_->sizes;
    made->strides = layout_->strides;
    made->arity = operands_.size();
    for (size_t i = 0; i < operands_.size(); ++i) made->operands[i] = operand(i);
    return made;
  }

 private:
  bool is_condition(size_t i) const { return function_ == ScalarFunction::kWhere && i == 0; }
  /// Of a multiply-add the second operand alone may be repeated.
  bool is_addend(size_t i) const { return function_ == ScalarFunction::kFma && i != 1; }
  static Tensor tensor_in(const OpArgument& argument) {
    return argument.is_value() && !step_of(argument.tensor()) ? eager_tensor(argument.tensor())
                                                              : Tensor();
  }
  DType dtype_in(const OpArgument& argument) const {
    const PutOff* step = step_of(argument.tensor());
    return step ? step->dtype : eager_tensor(argument.tensor()).dtype();
  }

  /// How all operands with dimensions lie.
  bool find_layout() {
    for (const OpArgument& argument : operands_) {
      if (!argument.is_value()) continue;
      const PutOff* step = step_of(argument.tensor());
      const Tensor tensor = tensor_in(argument);
      if (tensor.defined() && tensor.rank() == 0) continue;
      const std::optional<Layout> found = step ? layout_of(*step) : layout_of(tensor);
      if (!found || (layout_ && *found != *layout_)) return false;
      layout_ = found;
    }
    return layout_.has_value();
  }

  bool subtracts_truth() const {
    return function_ == ScalarFunction::kSubtract &&
           std::ranges::any_of(operands_, [&](const OpArgument& argument) {
             return argument.is_value() ? is_bool(dtype_in(argument))
                                        : argument.get_if<bool>() != nullptr;
           });
  }

  /// One floating dtype, beside which there are numbers and truth values; or truth values alone.
  bool find_computation(const OpEntry& entry) {
    if (subtracts_truth()) return false;  // it raises
    bool any = false, all_truth = true;
    size_t repeated = 0;
    for (size_t i = 0; i < operands_.size(); ++i) {
      if (!operands_[i].is_value()) {
        all_truth = false;
        ++repeated;
        if (!is_number(operands_[i]) || is_addend(i)) return false;
        continue;
      }
      const DType dtype = dtype_in(operands_[i]);
      const Tensor tensor = tensor_in(operands_[i]);
      const bool single = tensor.defined() && tensor.rank() == 0;
      repeated += single;
      if (single && is_addend(i)) return false;
      if (is_condition(i)) {
        if (!is_bool(dtype) || single) return false;
        continue;
      }
      if (is_bool(dtype) && !single) continue;
      if (!is_floating(dtype) || (any && dtype != computation_)) return false;
      all_truth = false;
      computation_ = dtype;
      any = true;
    }
    // The loops take one repeated operand, but `where`, which takes two.
    if (repeated > (function_ == ScalarFunction::kWhere ? 2U : 1U)) return false;
    if (any) return entry.dtype_rule != DTypeRule::kFloatingOnly;
    if (!all_truth || info(function_).result != ScalarResult::kBool) return false;
    computation_ = DType::kBool;
    return true;
  }

  StepOperand operand(size_t i) const {
    const OpArgument& argument = operands_[i];
    StepOperand made;
    if (!argument.is_value()) {
      made.number = number(as_scalar(argument), i);
      made.repeats = true;
      return made;
    }
    const DType wanted = is_condition(i) ? DType::kBool : computation_;
    if (PutOff* step = step_of(argument.tensor()))
      made.inner = Ref<PutOff>(step);
    else
      made.tensor = eager_tensor(argument.tensor());
    made.repeats = made.tensor.defined() && made.tensor.rank() == 0;
    if (made.repeats && is_narrow_float(computation_) && function_ != ScalarFunction::kWhere) {
      const float only = widened_element(made.tensor.raw_data(), computation_);
      made.number = number(only, i);
      return made;
    }
    if (dtype_in(argument) == wanted) return made;
    StepOperand cast;
    cast.inner = converted(std::move(made), dtype_in(argument), wanted, *layout_);
    return cast;
  }

  Element number(const Scalar& value, size_t place) const {
    if (function_ == ScalarFunction::kWhere) return {value, computation_};
    return loop_number(function_, value, computation_, place);
  }

  ScalarFunction function_;
  std::span<const OpArgument> operands_;
  std::optional<Layout> layout_;
  DType computation_ = DType::kFloat32;
};

/// A conversion of what is put off, or of a floating tensor in plain order; null for any other.
Ref<PutOff> conversion(const OpValue& value, DType to) {
  StepOperand from;
  std::optional<Layout> layout;
  DType dtype = to;
  if (PutOff* step = step_of(value)) {
    from.inner = Ref<PutOff>(step);
    layout = layout_of(*step);
    dtype = step->dtype;
  } else {
    from.tensor = eager_tensor(value);
    if (from.tensor.rank() > 0) layout = layout_of(from.tensor);
    dtype = from.tensor.dtype();
  }
  if (!layout || dtype == to || !is_floating(to) || is_integer(dtype)) return nullptr;
  return converted(std::move(from), dtype, to, *layout);
}

/// The sum of all elements of what is put off, if the call asks for that; else undefined.
Tensor whole_sum(std::string_view target, std::span<const OpArgument> positional,
                 std::span<const OpNamedArgument> named) {
  if (target != "sum" || positional.size() > 3) return {};
  PutOff* step = step_of(positional[0].tensor());
  if (!step || (step->dtype != DType::kFloat32 && step->dtype != DType::kFloat64)) return {};
  if (!same_dims(step->strides, contiguous_strides(step->sizes))) return {};
  if (positional.size() > 1 && !positional[1].is_none()) return {};
  if (positional.size() > 2 && as_bool(positional[2])) return {};
  const bool is_plain = std::ranges::all_of(named, [&](const OpNamedArgument& argument) {
    const DType* dtype = argument.value.get_if<DType>();
    return argument.value.is_none() || (dtype && *dtype == step->dtype);
  });
  return is_plain ? sum_of_step(*step) : Tensor();
}

/// Whether a composite is nothing but its decomposition.
bool is_its_decomposition(const OpEntry& entry) {
  return entry.decomposition && !entry.eager && !entry.write_blocks &&
         entry.lowers_to<std::monostate>() && !entry.effects.mutates;
}

}  // namespace

std::vector<OpValue> BlockwiseBuilder::call_all(std::string_view target,
                                                std::vector<OpArgument> positional,
                                                std::vector<OpNamedArgument> named) {
  const OpEntry* entry = find_op(target);
  check(entry != nullptr, "a decomposition calls an operator that exists");
  const Pointwise* pointwise = entry->lowers_to<Pointwise>();
  if (pointwise && !entry->eager && named.empty() && positional.size() == operand_count(*entry))
    if (Ref<PutOff> step = Candidate(pointwise->function, positional).step(*entry))
      return {value_of(std::move(step))};
  if (target == "to" && named.empty() && positional.size() == 2)
    if (Ref<PutOff> step = conversion(positional[0].tensor(), *positional[1].get_if<DType>()))
      return {value_of(std::move(step))};
  if (Tensor sum = whole_sum(target, positional, named); sum.defined()) return {eager_value(sum)};
  if (is_its_decomposition(*entry))
    return entry->decomposition(*this, complete_arguments(*entry, std::move(positional), named));
  const auto run = [&](const OpValue& value) { return eager_value(tensor(value)); };
  for (OpArgument& argument : positional) argument = map_argument<OpValue>(argument, run);
  for (OpNamedArgument& argument : named)
    argument.value = map_argument<OpValue>(argument.value, run);
  return eager_builder().call_all(target, std::move(positional), std::move(named));
}

TensorType BlockwiseBuilder::type(const OpValue& value) {
  const PutOff* step = step_of(value);
  if (!step) return type_of(eager_tensor(value));
  TensorType type = TensorType::tensor(step->dtype, {step->sizes.begin(), step->sizes.end()});
  type.strides.assign(step->strides.begin(), step->strides.end());
  type.normalise();
  return type;
}

std::vector<Tensor> BlockwiseBuilder::tensors(std::span<const OpValue> values) {
  std::vector<Tensor> results;
  for (const OpValue& value : values) {
    PutOff* first = step_of(value);
    if (first && !first->made.defined()) {
      // Those that lie alike run in one pass.
      std::vector<PutOff*> alike;
      for (const OpValue& other : values)
        if (PutOff* step = step_of(other); step && layout_of(*step) == layout_of(*first))
          alike.push_back(step);
      run_steps(alike);
    }
    results.push_back(first ? first->made : eager_tensor(value));
  }
  return results;
}

}  // namespace glint::ops
