// A long reduction to one value goes in blocks, so that threads share it.
//
//     kernel sum(%x, %sum)                     kernel sum_blocks(%x, %sum_block)
//       acc = reduction sum : f32                parallel i in 0..62 {
//       reduce i in 0..1000000 {                   acc = reduction sum : f32
//         a = load %x[i]                           reduce j in 0..min(16384, 1000000 - 16384*i) {
//         acc += a                                   a = load %x[16384*i + j]
//       }                                            acc += a
//       store %sum[] = acc                ->       }
//                                                  store %sum_block[i] = acc
//                                                }
//                                              kernel sum(%sum_block, %sum)
//                                                acc = reduction sum : f32
//                                                scan i in 0..62 {
//                                                  block = load %sum_block[i]
//                                                  acc += block
//                                                }
//                                                store %sum[] = acc
//
// The blocks are those that the order of sums has anyway (reduction_order.h), and the second kernel
// adds them in order: no result changes, and none depends on the number of threads. What the loop
// stores on its way, it stores in the first kernel; what is made of the result, in the second.
//
// Of kernels on the processor that are one reduce loop, with scalars around it, and take long
// enough to wake a second thread: with the sizes of the captured call, where they are symbols. A
// loop of loops is cut along the outer one. (For a GPU the pass is left out: one kernel adds up
// what all its blocks found, backends/cuda/codegen/bind_axes.h.) Means with deviations, and places
// of maxima, stay whole, as eager's.
//
// Needs     one launch a kernel (before batch_launches), a slot of its own for each tensor.
#pragma once

#include "ir/kernel.h"

namespace glint::passes {

void split_reductions(Schedule& schedule);
/// Whether that would change anything.
bool has_long_reductions(Schedule& schedule);

}  // namespace glint::passes
