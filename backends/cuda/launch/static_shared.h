// Shared memory that a kernel declares, held against what a kernel can: an assembler would refuse
// it in words of its own and without a line, and says the bytes in hexadecimal.
//
//     glint.cu:3: error: `f` declares 49156 bytes of shared memory, of which a kernel can declare
//     49152; `extern __shared__` and `shared_mem` give it up to 166912
//         extern "C" __global__ void f(int* out) {
#pragma once

#include <optional>
#include <string>

#include "backends/cuda/compile/compiler_log.h"

namespace glint::cuda {

/// What is wrong with an entry of a text that was compiled to that PTX; nothing where it fits.
/// `block_bytes`: what the device gives a block at most.
std::optional<Diagnostic> static_shared_problem(const std::string& source, const std::string& entry,
                                                const std::string& ptx, uint32_t block_bytes);

/// The same of what an assembler said; another diagnostic as it is.
Diagnostic with_static_shared(Diagnostic diagnostic, const std::string& source,
                              uint32_t block_bytes);

}  // namespace glint::cuda
