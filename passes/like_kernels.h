// Whether two kernels are the same code.
//
//     kernel exp(%a: f32[64], %b: f32[64])      kernel exp_k2(%c: f32[64], %d: f32[64])
//
// are equal but for names. Flat kernels are alike for any length too: the code of the longer runs
// the shorter, as far as that goes.
#pragma once

#include "ir/kernel.h"

namespace glint::passes {

enum class Likeness : uint8_t {
  kEqual,      ///< but for names
  kAnyLength,  ///< and, of flat kernels, for the length of the loop
};

bool alike(const Kernel& a, const Kernel& b, Likeness likeness);

/// The same for kernels that are alike; cheap, and different for most others.
uint64_t fingerprint(const Kernel& kernel, Likeness likeness);

}  // namespace glint::passes
