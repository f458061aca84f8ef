// The eager loops of the integers and bool (elementwise_loops.h), once for each instruction set.
#include "ops/scalar/elementwise_loops.h"

namespace glint::scalar::GLINT_INSTRUCTION_SET {

constinit const DTypeLoops kIntegerLoops[6] = {
    make_integer<uint8_t, true>(), make_integer<uint8_t>(), make_integer<int8_t>(),
    make_integer<int16_t>(),       make_integer<int32_t>(), make_integer<int64_t>()};

}  // namespace glint::scalar::GLINT_INSTRUCTION_SET
