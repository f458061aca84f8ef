// Kernels of a family of operators are built as one program.
//
//     torch.exp(x)       one kernel, 20 ms of NVRTC
//     torch.sin(x)       for tensors like those: exp's whole family, 40 kernels in 70 ms
//     torch.tanh(x)      ready
//
// Reductions over the same dimensions (`x.sum(1)`, then `x.mean(1)`) are a family too.
//
// A script that calls one operator pays for one; with the second of a family, for the same dtypes,
// ranks and layouts, it gets all the others. Their PTX is one file in the cache.
#pragma once

#include "runtime/device/abstract_call.h"

namespace glint::device {

/// Called before a kernel of that operator is compiled: compiles those of its family, if it is the
/// second one. What they are for is found by `compile_cuda` when each is asked for.
void build_family(const ops::OpEntry& entry, ops::Arguments arguments, const AbstractCall& call);

}  // namespace glint::device
