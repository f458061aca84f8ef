// Makes several loops of one whose index is divided into places.
//
//     parallel i in 0..294912 {                parallel i in 0..288 {
//       a = index i                              parallel j in 0..1024 {
//       b = floor_divide a, 1024         ->        c = load %x[j, i]
//       ...                                        store %out[1024*i + j] = c
//       c = load %x[..., b]
//       store %out[i] = c
//
// A tensor that lies otherwise than it is counted (a reshape of a permuted one, windows as columns)
// leaves lowering as one loop over all elements, with divisions that find each one's place. No
// processor divides fast. Where the divisors divide one another, a loop for each of them counts the
// same elements in the same order, and every place is a sum of loops' indices times steps.
//
// Needs     collapsed axes. A device does without: its threads find their places by divisions in
//           any case.
// Leaves    no division of the loop's index, or the loop as it was.
#pragma once

#include "ir/kernel.h"

namespace glint::passes {

/// Whether any loop was split.
bool split_axes(Kernel& kernel);

}  // namespace glint::passes
