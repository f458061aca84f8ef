// What lies across the rows of a kernel is copied to lie along them, before it, on a device.
//
//     kernel add_sum(%x: f32[s0, s1], %y: f32[s1, s0], %sum: f32[s0])
//       parallel i in 0..s0 {
//         acc = reduction sum : f32
//         reduce j in 0..s1 {
//           a = load %x[i, j]                      along the row
//           b = load %y[j, i]                      across: each lane has a line of memory to itself
//           ...
//
//     kernel add_sum_copy_y(%y: f32[s1, s0], %y_turned: f32[s0, s1])
//       parallel i in 0..s0 {
//         parallel j in 0..s1 {                    a transposition alone, which goes by tiles
//           a = load %y[j, i]
//           store %y_turned[i, j] = a
//         ...
//     kernel add_sum(%x: f32[s0, s1], %y: f32[s1, s0]{1, s1}, %sum: f32[s0])
//       ...                                        as it was, and reads %y_turned
//
// The copy costs one line of memory read and written for one read eight times and more. Kernels
// whose results lie across too, and sums of what lies across alone, stay as they are: a device goes
// over columns as well as over rows. What lies along the columns of such a kernel is copied in the
// same way.
//
// Needs     one launch a kernel, a slot of its own for each tensor; loops as lowering leaves them.
#pragma once

#include "ir/kernel.h"

namespace glint::passes {

void copy_turned(Schedule& schedule);

}  // namespace glint::passes
