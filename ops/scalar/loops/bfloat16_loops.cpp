// The eager loops of bfloat16 (elementwise_loops.h), compiled once for each instruction set.
#include "ops/scalar/elementwise_loops.h"

namespace glint::scalar::GLINT_INSTRUCTION_SET {

constinit const DTypeLoops kBFloat16Loops = make_floating<BFloat16Memory>();

}  // namespace glint::scalar::GLINT_INSTRUCTION_SET
