// What one build of the eager loops hands out: pointers to its tables.
#pragma once

#include "ops/scalar/elementwise_kernels.h"

namespace glint::scalar {

struct LoopTables {
  const char* instruction_set;
  const ElementwiseLoops* functions[kDTypeCount];  ///< each indexed by ScalarFunction
  FmaLoop fma[kDTypeCount];
  FmaLoop fma_number[kDTypeCount];
  const BlendLoop* blends[kDTypeCount];  ///< each indexed by Blend
  const WhereLoop* where;                ///< by log2 of the element's size
  UnaryLoop (*casts)(DType from, DType to);
};

namespace v3 {
LoopTables loop_tables();
}
namespace v4 {
LoopTables loop_tables();
}

}  // namespace glint::scalar
