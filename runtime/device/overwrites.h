// Writes in place that read nothing of what they write: `fill_`, `zero_`, `copy_`, and what an
// assignment to a part of a tensor comes down to. One launch, whatever the strides and dtypes.
#pragma once

#include "ops/op.h"

namespace glint::device {

bool overwrites(const ops::OpEntry& entry);
/// False where the tensor that is copied shows memory of the target, or is on another device.
bool overwrite(const ops::OpEntry& entry, ops::Arguments arguments, const Tensor& target);

}  // namespace glint::device
