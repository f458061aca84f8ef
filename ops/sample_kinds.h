// What kinds of tensors an operator's samples hold, and samples of the kinds that they lack.
//
//     every_sample(scatter)    its own samples, then one of them again with tensors that have gaps,
//                              one whose input repeats its elements, one with NaN, inf and -0.0
//
// Layout and values say nothing about an operator, so any sample can be had in every layout and
// with every value; cut to one element or none along a dimension it often can. What an operator
// refuses is left out: tests/unit/ops/table_test.cpp says which kinds that leaves without a sample,
// and why.
#pragma once

#include <span>
#include <vector>

#include "ops/op.h"

namespace glint::ops {

/// The kinds of tensors that kernels have met trouble with.
struct SampleKinds {
  bool zero_dim = false, empty = false, size_one = false, broadcast = false, strided = false;
  bool overlapping = false, nan = false, infinite = false, negative_zero = false;
  bool floating = false;  ///< a tensor of floats is among them at all
  bool tensors = false;   ///< any tensor is

  void see(const Tensor& tensor);
  bool has_special_values() const { return nan && infinite && negative_zero; }
};

/// Of all tensors in the samples, those in lists too.
SampleKinds kinds_of(std::span<const Sample> samples);

/// An entry's samples, and of layouts and values that they lack one more each, where the operator
/// takes it.
std::vector<Sample> every_sample(const OpEntry& entry);

}  // namespace glint::ops
