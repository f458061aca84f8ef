// Library operators that a device runs as others, each of which has a kernel.
//
//     cummax(x, dim), logcumsumexp(x, dim)    kernels of their own, along any dimension
#pragma once

#include "ops/op.h"

namespace glint::device {

ops::Outputs cummax(const ops::OpEntry& entry, ops::Arguments arguments);
ops::Outputs cummin(const ops::OpEntry& entry, ops::Arguments arguments);
ops::Outputs logcumsumexp(const ops::OpEntry& entry, ops::Arguments arguments);

}  // namespace glint::device
