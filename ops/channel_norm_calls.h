// Eager calls of normalisation by channel: by the loops where a call's tensors suit them, else
// operator by operator.
#pragma once

#include "ops/op.h"

namespace glint::ops {

Outputs eager_batch_norm(const OpEntry& entry, Arguments arguments);
Outputs eager_batch_norm_known(const OpEntry& entry, Arguments arguments);
Outputs eager_batch_norm_backward(const OpEntry& entry, Arguments arguments);
Outputs eager_group_norm(const OpEntry& entry, Arguments arguments);
Outputs eager_group_norm_backward(const OpEntry& entry, Arguments arguments);

}  // namespace glint::ops
