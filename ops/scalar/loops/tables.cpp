// Gathers one instruction set's loops by dtype.
#include "ops/scalar/elementwise_loops.h"
#include "ops/scalar/loop_tables.h"

namespace glint::scalar::GLINT_INSTRUCTION_SET {

LoopTables loop_tables() {
  LoopTables tables = {};
  tables.instruction_set = kInstructionSetName;
  for (size_t i = 0; i < 6; ++i) tables.functions[i] = kIntegerLoops[i].functions;
  const DTypeLoops* floating[] = {&kFloat16Loops, &kBFloat16Loops, &kFloat32Loops, &kFloat64Loops};
  for (size_t i = 0; i < 4; ++i) {
    tables.functions[size_t(DType::kFloat16) + i] = floating[i]->functions;
    tables.fma[size_t(DType::kFloat16) + i] = floating[i]->fma;
    tables.fma_number[size_t(DType::kFloat16) + i] = floating[i]->fma_number;
    tables.blends[size_t(DType::kFloat16) + i] = floating[i]->blends;
  }
  tables.where = kWhereLoops;
  tables.casts = cast_entry;
  return tables;
}

}  // namespace glint::scalar::GLINT_INSTRUCTION_SET
