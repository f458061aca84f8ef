// What losses have in common: a mean or a sum behind them, as `reduction` says, and the way back
// through it.
#pragma once

#include "ops/gradient.h"
#include "ops/op.h"

namespace glint::ops {

/// Raises if it is neither "none", "mean" nor "sum".
void check_reduction(const OpArgument& reduction);
/// The losses of all elements as the call wants them.
OpValue reduced(OpBuilder& b, OpValue loss, const OpArgument& reduction);
/// What each element's loss has of the gradient: all of it, or its part of the mean.
OpValue loss_share(GradientCall& g);

}  // namespace glint::ops
