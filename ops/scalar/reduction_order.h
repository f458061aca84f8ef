// The order in which sums are added up, so that eager and compiled sums agree and no result depends
// on the width of vectors or the number of threads.
//
// Along contiguous memory (a row):
//   1. the row is cut into blocks of `kSumBlock` elements;
//   2. within a block, element i goes to partial sum i mod `kPartialSums`, in float32 (float64 for
//      float64): 4 vectors of AVX-512 at once;
//   3. the partial sums are folded by halves: p[k] += p[k + 32], then 16, 8, 4, 2, 1;
//   4. the blocks' sums are added in order, in float64, and rounded at the end.
// Across memory (a column): blocks of `kColumnBlock` rows are added in order, then the blocks'
// sums.
//
// A tensor with gaps or in another order (`x[:, :10]`, `x.t()`) is summed as the loops over it run.
// Those of a fused kernel are not always those of the operator alone, so the last digits may
// differ.
//
// The error of a sum of n numbers is at most about (n_block / 64 + 6) / 2 units of the last place
// of the sum of magnitudes, with n_block at most 16384.
#pragma once

#include <cstdint>

namespace glint::scalar {

inline constexpr unsigned kPartialSums = 64;
inline constexpr int64_t kSumBlock = 16384;
inline constexpr int64_t kColumnBlock = 32;

}  // namespace glint::scalar
