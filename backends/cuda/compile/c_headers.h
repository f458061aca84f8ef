// The C library's headers, which neither NVRTC nor CUDA's toolkit has, as far as kernels use them:
// the integers of <stdint.h>, the limits of <limits.h> and <float.h>, the constants of <math.h>,
// and the names in `std` of <cmath>. What else the others declare (`printf`, `assert`, `memcpy`,
// `expf`) NVRTC knows by itself, so that they are empty.
#pragma once

#include <span>

namespace glint::cuda {

struct Header {
  const char* name;
  const char* text;
};

std::span<const Header> c_headers();

}  // namespace glint::cuda
