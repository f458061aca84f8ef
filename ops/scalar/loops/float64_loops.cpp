// The eager loops of float64 (elementwise_loops.h), compiled once for each instruction set.
#include "ops/scalar/elementwise_loops.h"

namespace glint::scalar::GLINT_INSTRUCTION_SET {

constinit const DTypeLoops kFloat64Loops = make_floating<Float64Memory>();

}  // namespace glint::scalar::GLINT_INSTRUCTION_SET
