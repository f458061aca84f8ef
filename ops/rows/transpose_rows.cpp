// Transposes 16 x 16 elements in registers.
#include <cstring>

#include "core/support/transpose_registers.h"
#include "ops/rows/row_kernels.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

constexpr int kSide = kTileSide;

template <class T>
struct Row {
  typedef T Type __attribute__((ext_vector_type(kSide)));
};

template <class T>
void transpose(const void* corner, int64_t step, void* out) {
  typename Row<T>::Type rows[kSide];
  for (int row = 0; row < kSide; ++row)
    std::memcpy(&rows[row], static_cast<const T*>(corner) + row * step, sizeof rows[row]);
  transpose_registers(rows);
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
