// Products of a few rows with a matrix that is stored by columns, as linear layers store theirs:
// each result is the dot product of two runs of memory, which nothing has to be packed for.
//
//     one row x 512 columns of 128       512 dot products of 128 elements, eight at a time
//
// float32 and float64. A matrix times one column is such a product too, the other way round.
#pragma once

#include "core/platform/gemm.h"

namespace glint {

/// False, and nothing done, where the product is of another kind.
bool gemm_dots(const GemmProblem& problem);

}  // namespace glint
