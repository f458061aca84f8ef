// What a single node does: from the gradients of its results to those of its inputs.
#pragma once

#include <vector>

#include "runtime/autograd/record.h"

namespace glint::autograd {

/// One gradient an edge, undefined where none flows. `gradients` has one a result, undefined where
/// none arrived; `reached` says of a region's results which of them the backward leads to. Throws
/// OpError, also where a saved tensor has been overwritten or freed.
std::vector<Tensor> apply(OperatorRunner& runner, Node& node, std::vector<Tensor> gradients,
                          const std::vector<bool>& reached);

/// Throws OpError where a saved tensor has been written since. Who computed what it holds now is
/// said by `maker`, or by the tensor itself.
void check_version(const Tensor& tensor, uint32_t saved, Ref<Maker> maker = {});

/// The same for all that the region, run once more, would still read.
void check_inputs(const CompiledCall& call);

}  // namespace glint::autograd
