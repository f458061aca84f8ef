// The binding of a kernel's axes to vectors: which loop of each nest runs in lanes.
//
//     parallel i in 0..s0 {              one at a time
//       reduce j in 0..1024 { ... }      64 lanes: 64 partial results, folded behind the loop
//       store ...
//     }
//
//   1. An innermost loop runs in lanes, unless
//   2. the parallel loop around it walks more of the memory with stride 1 (a sum of columns): then
//      that one does, and everything inside it is done for all lanes at once.
//   3. A scan runs in 8 lanes where it is a plain running sum, or a product of narrow floats; other
//      scans go one at a time.
//   4. Reductions have 64 lanes (reduction_order.h), other loops a register's worth, or several
//      where much is computed many times or one function waits for another; loops of fewer
//      iterations have fewer lanes. Where next to
//      nothing is computed, counting and jumping would cost as much: an iteration of the code then
//      does four vectors, one behind the other, as memory likes to be read and written.
//   5. A reduction of much arithmetic is heavy: its code does 32 of its lanes at a time, the
//      partial results lie in memory, and one body under a mask does the whole and the rest. That
//      is a quarter of the code to compile. The order of the sum is the same.
#pragma once

#include <vector>

#include "ir/kernel.h"

namespace glint::cpu {

/// A register's worth.
inline constexpr unsigned kPlainLanes = 16;

struct LoopPlan {
  unsigned lanes = 0;  ///< 0: one iteration at a time
  bool heavy = false;  ///< one body of code, of `width` lanes and under a mask where lanes may lack
  unsigned width = 0;  ///< lanes that the code does at a time; fewer than `lanes` if heavy
  unsigned repeats = 1;  ///< vectors an iteration of the code, one behind the other
};

/// One plan a statement; those of loops count. AVX-512 has twice the registers, of twice the lanes.
std::vector<LoopPlan> plan_loops(const Kernel& kernel, bool avx512);

/// Whether the parallel loop `i` holds nothing but another one that reads memory across the lines
/// that this one reads along: a transpose.
bool walks_across(const Kernel& kernel, size_t i);

}  // namespace glint::cpu
