// Transposes a square of elements that lies in registers, a row in each.
//
// Blocks off the diagonal change places, of 1 x 1, 2 x 2, 4 x 4 elements and so on:
//
//     a b    the block of b and that of c       a c
//     c d    change places                      b d
//
// Inlined into functions that are compiled for an instruction set.
#pragma once

#include <utility>

namespace glint {

template <int kSide, int kBlock, class V, size_t... kLane>
[[gnu::always_inline]] inline void exchange(V& first, V& second, std::index_sequence<kLane...>) {
  const V upper = __builtin_shufflevector(
      first, second, ((kLane & kBlock) != 0 ? kSide + int(kLane) - kBlock : int(kLane))...);
  second = __builtin_shufflevector(
      first, second, ((kLane & kBlock) != 0 ? kSide + int(kLane) : int(kLane) + kBlock)...);
  first = upper;
}

template <int kBlock, class V, int kSide>
[[gnu::always_inline]] inline void exchange_blocks(V (&rows)[kSide]) {
#pragma clang loop unroll(full)
  for (int row = 0; row < kSide; ++row) {
    if ((row & kBlock) == 0)
      exchange<kSide, kBlock>(rows[row], rows[row + kBlock], std::make_index_sequence<kSide>());
  }
}

/// A side is 2, 4, 8 or 16.
template <class V, int kSide>
[[gnu::always_inline]] inline void transpose_registers(V (&rows)[kSide]) {
  exchange_blocks<1>(rows);
  if constexpr (kSide > 2) exchange_blocks<2>(rows);
  if constexpr (kSide > 4) exchange_blocks<4>(rows);
  if constexpr (kSide > 8) exchange_blocks<8>(rows);
}

}  // namespace glint
