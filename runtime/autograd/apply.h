// What a single node does: from the gradients of its results to those of its inputs.
#pragma once

#include <vector>

#include "runtime/autograd/record.h"

namespace glint::autograd {

/// One gradient an edge, undefined where none flows. `gradients` has one a result, undefined where
/// none arrived. Throws OpError, also where a saved tensor has been overwritten or freed.
std::vector<Tensor> apply(OperatorRunner& runner, Node& node, std::vector<Tensor> gradients);

}  // namespace glint::autograd
