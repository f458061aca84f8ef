// The formulas of `BlockwiseBuilder`: operators that were put off, and the pass that runs them.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "core/support/ref_counted.h"
#include "core/tensor/tensor.h"
#include "ops/element.h"
#include "ops/op.h"

namespace glint::ops {

struct PutOff;

/// What a step reads: another step, a tensor that lies as the formula's do, or one element for all
/// places.
struct StepOperand {
  Ref<PutOff> inner;
  Tensor tensor;                  ///< with `repeats`, of no dimension
  std::optional<Element> number;  ///< a Python number
  bool repeats = false;
};

/// An operator that was put off.
struct PutOff final : RefCounted {
  using RefCounted::RefCounted;

  ScalarFunction function = ScalarFunction::kAdd;
  bool casts = false;  ///< a conversion from `computation` to `dtype` instead
  DType computation = DType::kFloat32, dtype = DType::kFloat32;
  Dims sizes, strides;  ///< dense
  std::array<StepOperand, 3> operands;
  size_t arity = 0;
  Tensor made;     ///< once it ran
  int place = -1;  ///< among the steps of the pass that is being made

  std::span<StepOperand> read() { return {operands.data(), arity}; }
};

/// Runs steps and all that they read, and keeps their tensors; of the steps between also those that
/// somebody else still refers to. All lie alike.
void run_steps(std::span<PutOff* const> wanted);

/// The sum of all elements of a floating step: neither it nor what it reads gets memory. Undefined
/// where it lies in memory already.
Tensor sum_of_step(PutOff& step);

}  // namespace glint::ops
