// An eager builder that puts elementwise operators off until somebody wants their elements, and
// then runs a whole formula a block of elements at a time: what lies between its operators stays in
// the nearest cache, and has no memory of its own.
//
//     (x * 0.7071).erf() + 1) * x * 0.5      five loops over 512 elements, then over the next 512
//
// It calls the loops that the operators would call one by one, and gives the same to the last bit.
// So does the sum of all elements of a formula (a loss), which are never all there. Operands of one
// dtype that lie alike, numbers and truth values are put off; with any other the operators before
// it run, and then it runs as it would at once. Decompositions and gradient rules that nothing
// records are run with it.
#pragma once

#include <span>
#include <vector>

#include "ops/call.h"

namespace glint::ops {

class BlockwiseBuilder final : public OpBuilder {
 public:
  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override;
  TensorType type(const OpValue& value) override;

  /// The tensors of values, which run what they were put off for in one pass.
  std::vector<Tensor> tensors(std::span<const OpValue> values);
  Tensor tensor(const OpValue& value) { return std::move(tensors({&value, 1}).front()); }
};

}  // namespace glint::ops
