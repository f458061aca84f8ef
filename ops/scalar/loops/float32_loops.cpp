// The eager loops of float32 (elementwise_loops.h), compiled once for each instruction set.
#include "ops/scalar/elementwise_loops.h"

namespace glint::scalar::GLINT_INSTRUCTION_SET {

constinit const DTypeLoops kFloat32Loops = make_floating<Float32Memory>();

}  // namespace glint::scalar::GLINT_INSTRUCTION_SET
