// Many copies in few launches: a kernel written by hand.
//
//     copy_parts({{slice(out, 0, 0, 3), x}, {slice(out, 0, 3, 4), y}})      what cat([x, y]) is
//
// A launch takes up to 32 parts as arguments, so that one program does for any number of them, and
// nothing is uploaded. Blocks are dealt out to the parts evenly.
#pragma once

#include <span>

#include "core/tensor/tensor.h"

namespace glint::cuda {

/// One copy, converted: two tensors of the same sizes, of any strides.
struct PartCopy {
  Tensor target;
  Tensor source;
};
/// All targets have one dtype; none overlaps another, or a source. A launch for each 32 parts of
/// one dtype and as many dimensions (neighbours that all step through evenly are one).
void copy_parts(std::span<const PartCopy> parts);

}  // namespace glint::cuda
