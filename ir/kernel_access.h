// Where the statements of a kernel read and write memory.
//
//     %x: f32[32, 16]
//     a = load %x[i, j]      place 16*i + j: a step of 16 along i, side by side along j
#pragma once

#include <optional>
#include <vector>

#include "ir/kernel.h"

namespace glint {

/// The memory that a statement reads or writes; nothing of others.
struct Access {
  BufferId buffer;
  const std::vector<IndexExpression>* indices;
  bool stores;
  bool masked;
};
std::optional<Access> access_of(const Statement& statement);

/// The place of an access in memory, in elements from the buffer's first.
IndexExpression memory_place(const Kernel& kernel, BufferId buffer,
                             const std::vector<IndexExpression>& indices);
/// How far apart in memory (in elements) the accesses of neighbouring iterations of `variable` are.
SymInt memory_stride(const Kernel& kernel, BufferId buffer,
                     const std::vector<IndexExpression>& indices, StatementId variable);

/// How many accesses lie side by side along each of two loops.
struct SideBySide {
  int outer = 0;
  int inner = 0;
};
/// Counts those of the statements [first, last), which both loops hold, that both walk through
/// memory. What one of the two stays at (the weight of a channel, for all its elements) is read
/// once whichever runs in lanes, and decides nothing.
SideBySide side_by_side(const Kernel& kernel, size_t first, size_t last, StatementId outer,
                        StatementId inner);

}  // namespace glint
