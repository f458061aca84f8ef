// Matrix products by oneDNN, with a cache of its primitives.
//
// A primitive is code made for one shape; making it takes 0.1 to 0.3 ms, running it 1 microsecond
// more than the product itself. The cache keeps the 512 used last.
#pragma once

#include "core/platform/gemm.h"

namespace glint {

/// Whether the library is here.
bool has_onednn();
/// Runs the product through oneDNN. False where the library is missing or refuses the problem.
bool gemm_onednn(const GemmProblem& problem);
/// A float32 product of matrices stored by rows or columns, on this thread and with no primitive.
void gemm_onednn_step(const GemmProblem& problem, bool accumulate);

/// Primitives in the cache, and made so far.
int64_t cached_products();
int64_t created_products();

}  // namespace glint
