// What the draws of the processor and of a GPU have in common.
#pragma once

#include <optional>

#include "core/tensor/generator.h"
#include "ops/op.h"

namespace glint::ops {

/// The integers that `random_` draws: `range` of them, from `low` on.
struct RandomIntegers {
  int64_t low;
  uint64_t range;
  bool is_bounded;  ///< else by the dtype alone
};
RandomIntegers random_integers(const OpEntry& entry, Arguments arguments, DType dtype);

/// Where the generator draws that the call at hand was given by name (`generator=`).
extern std::optional<Device> given_generator;

/// The default generator, for a draw on a device. Throws PyTorch's error where the call at hand was
/// given one of another device.
Generator& generator_for(Device device);

}  // namespace glint::ops
