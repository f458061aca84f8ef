// Matrix products by our own kernel: small ones, where a library call costs more than the product,
// and the dtypes that the library does not know (float64, float16, integers).
//
// The kernel computes tiles of 8 rows by two vectors of columns, all sums in registers:
//
//   1. a panel of B (k rows, two vectors wide) is used in place if its rows are dense and few rows
//      of A need it, else packed;
//   2. for each 8 rows of A: sums[row][column] += A[row, l] * B[l, column] for all l;
//   3. bias and activation, then the tile is stored.
//
// 16-bit floats are widened to float32 first and rounded once at the end. It runs in vectors of 512
// or 256 bits as the processor allows, on all threads when the product is large.
#pragma once

#include "core/platform/gemm.h"

namespace glint {

/// `accumulate` adds the product to C.
void gemm_direct(const GemmProblem& problem, bool accumulate = false);

}  // namespace glint
