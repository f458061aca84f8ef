// Normal and exponential numbers by the ziggurat of 256 layers (Marsaglia and Tsang), draw for draw
// as NumPy's `Generator`.
//
// The area under the density is cut into 256 layers of one size v: rectangles, and the lowest with
// the tail behind r. A draw chooses a layer and a place in it; inside the layer above it is
// accepted at once, which it is 99 times of 100. The tables follow from r and v, from the lowest
// layer up:
//
//     height(i) = density(x(i + 1)) + v / x(i + 1),     x(i) the place where the density is that
#pragma once

#include "core/random/bit_source.h"

namespace glint::random {

double ziggurat_normal(BitSource& source);
double ziggurat_exponential(BitSource& source);
/// In float32, from one word of 32 bits.
float ziggurat_normal_float(BitSource& source);
float ziggurat_exponential_float(BitSource& source);

}  // namespace glint::random
