// Library steps into memory that is ready: what a compiled schedule calls, so that a product
// allocates nothing and copies nothing.
//
//     run_into(mm, {x, y}, {{&out, 1}})      // true: out holds the product
#pragma once

#include <span>

#include "ops/op.h"

namespace glint::ops {

/// Computes a library call into contiguous outputs of the right type; false if this operator has no
/// such form, and the caller copies what `call_eager` gives. Outputs overlap no argument.
bool run_into(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs);

}  // namespace glint::ops
