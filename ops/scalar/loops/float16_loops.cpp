// The eager loops of float16 (elementwise_loops.h), compiled once for each instruction set.
#include "ops/scalar/elementwise_loops.h"

namespace glint::scalar::GLINT_INSTRUCTION_SET {

constinit const DTypeLoops kFloat16Loops = make_floating<Float16Memory>();

}  // namespace glint::scalar::GLINT_INSTRUCTION_SET
