// Transposes 16 x 16 elements in registers.
//
// Sixteen rows are loaded whole; then blocks off the diagonal change places, of 1 x 1, 2 x 2, 4 x 4
// and 8 x 8 elements:
//
//     a b    the block of b and that of c       a c
//     c d    change places                      b d
#include <cstddef>
#include <cstring>
#include <utility>

#include "ops/rows/row_kernels.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

constexpr int kSide = kTileSide;

template <class T>
struct Row {
  typedef T Type __attribute__((ext_vector_type(kSide)));
};

template <int kBlock, class V, size_t... kLane>
[[gnu::always_inline]] inline void exchange(V& first, V& second, std::index_sequence<kLane...>) {
  const V upper = __builtin_shufflevector(
      first, second, ((kLane & kBlock) != 0 ? kSide + int(kLane) - kBlock : int(kLane))...);
  second = __builtin_shufflevector(
      first, second, ((kLane & kBlock) != 0 ? kSide + int(kLane) : int(kLane) + kBlock)...);
  first = upper;
}

template <int kBlock, class V>
[[gnu::always_inline]] inline void exchange_blocks(V (&rows)[kSide]) {
#pragma clang loop unroll(full)
  for (int row = 0; row < kSide; ++row) {
    if ((row & kBlock) == 0)
      exchange<kBlock>(rows[row], rows[row + kBlock], std::make_index_sequence<kSide>());
  }
}

template <class T>
void transpose(const void* corner, int64_t step, void* out) {
  typename Row<T>::Type rows[kSide];
  for (int row = 0; row < kSide; ++row)
    std::memcpy(&rows[row], static_cast<const T*>(corner) + row * step, sizeof rows[row]);
  exchange_blocks<1>(rows);
  exchange_blocks<2>(rows);
  exchange_blocks<4>(rows);
  exchange_blocks<8>(rows);
  std::memcpy(out, rows, sizeof rows);
}

}  // namespace

void fill_transposes(RowTables& tables) {
  tables.transpose[0] = transpose<uint8_t>;
  tables.transpose[1] = transpose<uint16_t>;
  tables.transpose[2] = transpose<uint32_t>;
  tables.transpose[3] = transpose<uint64_t>;
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
