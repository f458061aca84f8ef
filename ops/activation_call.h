// Eager calls of activation functions that have a loop of their own (ops/rows): one pass.
//
//     .eager = eager_activation<Activation::kSilu>,
#pragma once

#include "ops/call.h"
#include "ops/parallel.h"
#include "ops/rows/row_kernels.h"

namespace glint::ops {

/// One pass where there is a loop for it; else the decomposition.
Outputs activated(const OpEntry& entry, Arguments arguments, Activation activation, double p = 0.0,
                  double q = 0.0);

template <Activation kActivation>
Outputs eager_activation(const OpEntry& entry, Arguments arguments) {
  return activated(entry, arguments, kActivation);
}

}  // namespace glint::ops
