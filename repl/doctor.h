// `glint doctor`: what was found on this machine, what is missing, and how to get it.
//
//     processor   2 cores; kernels use AVX-512
//     onednn      none: matrix products run by Glint's own kernels; `apt install libdnnl2` brings
//                 it
//     gpu         NVIDIA H200, 139.8 GiB, compute capability 9.0
//
// Nothing here is needed but the processor; a line that begins with `none` costs what it says.
#pragma once

#include <string>

namespace glint {

std::string doctor_text();

}  // namespace glint
