// Matrix products through the platform's tuned library, oneDNN.
//
// C[m, n] = activation(A[m, k] * B[k, n] + bias), over any number of batches. Each matrix is given
// by a pointer and strides in elements, so transposed and expanded operands need no copy. Shapes
// are looked up in a cache of ready primitives, the least recently used go; small products run a
// direct kernel, since making a primitive costs 0.3 ms. The library is loaded when the first
// large product asks for it: a program without one pays nothing. Activations are the caller's
// functions: they run on a part of the result as soon as it is done, while it is in cache.
//
//     gemm({.m = 2, .n = 3, .k = 4, .a = {a, 4, 1}, .b = {b, 3, 1}, .c = {c, 3, 1}});
//     gemm({..., .b = {b, 1, 4}, ...});                       // the same with B stored transposed
#pragma once

#include <cstdint>
#include <functional>

#include "core/tensor/dtype.h"

namespace glint {

/// A matrix in memory: element (i, j) of batch p at data[p * batch + i * row + j * column].
/// `row` or `column` is 1; `batch` 0 repeats one matrix. Strides count elements.
struct GemmMatrix {
  void* data = nullptr;
  int64_t row = 0;
  int64_t column = 1;
  int64_t batch = 0;
};

/// A function of each of n values, in place: of float32, or of float64 for products of those. The
/// results of 16-bit floats come widened. Threads call it at the same time.
using GemmActivation = std::function<void(void* values, int64_t n)>;

struct GemmProblem {
  DType dtype = DType::kFloat32;  ///< float32, float64, bfloat16, float16; sums are kept wider
  int64_t m = 0, n = 0, k = 0;
  int64_t batches = 1;
  GemmMatrix a, b, c;
  const void* bias = nullptr;  ///< n values of `dtype`, added to each row; may be null
  bool relu = false;           ///< max(value, 0) after the bias, as the library itself can
  GemmActivation activation;   ///< any other function; may be empty
};

/// Computes C. Any sizes, 0 included (k = 0 gives the bias alone). C must not overlap A or B.
void gemm(const GemmProblem& problem);

/// A product of one batch of float32, without bias or activation, as one step of a loop that the
/// threads share: on the calling thread, and with nothing made for its shape, which may be another
/// one at each step. `accumulate` adds it to C.
void gemm_step(const GemmProblem& problem, bool accumulate = false);

/// For tests and benches: primitives in the cache, and how often one had to be made.
struct GemmStatistics {
  int64_t cached = 0;
  int64_t created = 0;
  int64_t library_calls = 0;
  int64_t direct_calls = 0;
};
GemmStatistics gemm_statistics();

}  // namespace glint
