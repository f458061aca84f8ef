#include "core/platform/gemm.h"

#include <algorithm>
#include <utility>

#include "core/platform/gemm_direct.h"
#include "core/platform/gemm_dots.h"
#include "core/platform/gemm_onednn.h"
#include "core/support/check.h"
#include "core/support/thread_pool.h"

namespace glint {

namespace {

/// Multiplications up to which our own kernel wins, the price of a primitive counted in.
constexpr int64_t kDirectLimit = 64 * 64 * 64;

GemmStatistics g_statistics;

/// A stride along a size of 1 says nothing: the one of a dense matrix takes its place, so that
/// equal problems have equal descriptions.
void settle_strides(GemmMatrix& matrix, int64_t rows, int64_t columns, int64_t batches) {
  if (rows == 1 && columns == 1) {
    matrix.row = matrix.column = 1;
  } else if (rows == 1) {
    matrix.row = std::max(columns, columns * matrix.column);
  } else if (columns == 1) {
    matrix.column = matrix.row == 1 ? rows : 1;
  }
  if (batches == 1) matrix.batch = 0;
}

/// Whether a matrix is stored as rows or as columns without overlap.
bool is_plain(const GemmMatrix& matrix, int64_t rows, int64_t columns) {
  return (matrix.column == 1 && matrix.row >= columns) ||
         (matrix.row == 1 && matrix.column >= rows);
}

/// Batches that only repeat B are one product of more rows.
void fold_batches(GemmProblem& p) {
  if (p.batches == 1 || p.b.batch != 0) return;
  if (p.a.batch != p.m * p.a.row || p.c.batch != p.m * p.c.row) return;
  p.m *= p.batches;
  p.batches = 1;
  p.a.batch = p.c.batch = 0;
}

/// A result stored by columns is the row-stored result of the transposed product.
void flip_to_rows(GemmProblem& p) {
  if (p.c.column == 1 || p.c.row != 1 || p.bias) return;
  std::swap(p.a, p.b);
  std::swap(p.m, p.n);
  for (GemmMatrix* matrix : {&p.a, &p.b, &p.c}) std::swap(matrix->row, matrix->column);
}

bool suits_library(const GemmProblem& p) {
  if (p.dtype != DType::kFloat32 && p.dtype != DType::kBFloat16) return false;
  if (p.k == 0 || in_parallel_loop()) return false;
  double work = double(p.m) * double(p.n) * double(p.k) * double(p.batches);
  if (work <= double(kDirectLimit)) return false;
  return p.c.column == 1 && p.c.row >= p.n && is_plain(p.a, p.m, p.k) && is_plain(p.b, p.k, p.n) &&
         (p.batches == 1 || p.c.batch >= p.m * p.c.row);
}

/// Batches of bfloat16 whose rows do not fill the tiles of a matrix unit: on processors that have
/// one, the library's code for some of them ends in an illegal instruction.
bool goes_one_by_one(const GemmProblem& p) {
  constexpr int64_t kTile = 64;
  return p.dtype == DType::kBFloat16 && p.batches > 1 && (p.k % kTile != 0 || p.n % kTile != 0);
}

void multiply_one_by_one(const GemmProblem& problem) {
  GemmProblem one = problem;
  one.batches = 1;
  for (int64_t i = 0; i < problem.batches; ++i) {
    gemm(one);
    for (GemmMatrix* matrix : {&one.a, &one.b, &one.c})
      matrix->data = static_cast<BFloat16*>(matrix->data) + matrix->batch;
  }
}

}  // namespace

void gemm(const GemmProblem& problem) {
  GemmProblem p = problem;
  if (p.m == 0 || p.n == 0 || p.batches == 0) return;
  settle_strides(p.a, p.m, p.k, p.batches);
  settle_strides(p.b, p.k, p.n, p.batches);
  settle_strides(p.c, p.m, p.n, p.batches);
  flip_to_rows(p);
  fold_batches(p);
  if (gemm_dots(p)) {
    ++g_statistics.direct_calls;
    return;
  }
  const bool suits = suits_library(p);
  if (suits && goes_one_by_one(p)) return multiply_one_by_one(p);
  if (suits && gemm_onednn(p)) {
    ++g_statistics.library_calls;
    return;
  }
  ++g_statistics.direct_calls;
  gemm_direct(p);
}

void gemm_step(const GemmProblem& problem, bool accumulate) {
  check(problem.dtype == DType::kFloat32 && problem.batches == 1 && !problem.bias &&
            !problem.relu && !problem.activation,
        "a step is a plain product of float32");
  GemmProblem p = problem;
  if (p.m == 0 || p.n == 0) return;
  settle_strides(p.a, p.m, p.k, 1);
  settle_strides(p.b, p.k, p.n, 1);
  settle_strides(p.c, p.m, p.n, 1);
  constexpr double kLeast = 16.0 * 16.0 * 16.0;
  const double work = double(p.m) * double(p.n) * double(p.k);
  if (work >= kLeast && p.c.column == 1 && has_onednn()) return gemm_onednn_step(p, accumulate);
  gemm_direct(p, accumulate);
}

GemmStatistics gemm_statistics() {
  GemmStatistics result = g_statistics;
  result.cached = cached_products();
  result.created = created_products();
  return result;
}

}  // namespace glint
