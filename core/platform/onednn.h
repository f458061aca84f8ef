// oneDNN, loaded when it is first needed, and its matrix product with a cache of primitives.
//
// A primitive is code made for one shape; making it takes 0.1 to 0.3 ms, running it 1 microsecond
// more than the product itself. The cache keeps the 512 used last. The library's headers stay in
// onednn.cpp, and the program does not link it: `dlopen` finds it, or the product runs by our own
// kernel.
#pragma once

#include "core/platform/gemm.h"

namespace glint {

/// Whether the library is here.
bool has_onednn();
/// Runs the product through oneDNN. False where the library is missing or refuses the problem.
bool gemm_onednn(const GemmProblem& problem);

/// Primitives in the cache, and made so far.
int64_t onednn_cached_primitives();
int64_t onednn_created_primitives();

}  // namespace glint
