// Makes one loop of two that run over memory as one.
//
//     parallel i in 0..s0 {                        parallel i in 0..8*s0 {
//       parallel j in 0..8 {                 ->      a = load %x[i]
//         a = load %x[i, j]                          ...
//         ...                                      }
//
// Two loops, the second the only statement of the first, both parallel or both reduce, become one
// where every access uses both indices side by side in dimensions that lie contiguously, or
// neither. Where several such pairs go over one buffer (a kernel that reads its rows again), all of
// them do, or none. The buffers' types lose a dimension with it. Longer loops make better vectors,
// and fewer index computations.
#pragma once

#include "ir/kernel.h"

namespace glint::passes {

void collapse_axes(Kernel& kernel);

}  // namespace glint::passes
