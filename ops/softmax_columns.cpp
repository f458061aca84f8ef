#include "ops/softmax_columns.h"

#include <algorithm>

#include "core/support/thread_pool.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

namespace {

/// Columns that are done at once, so that they stay in the nearest caches.
constexpr int64_t kColumns = 256;

/// Of NaN and a number NaN is the greater.
template <class T>
__attribute__((target("avx2"))) void keep_greatest(const T* row, T* __restrict greatest,
                                                   int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const bool takes = row[i] > greatest[i] || row[i] != row[i];
    greatest[i] = takes ? row[i] : greatest[i];
  }
}

/// `out` may be `row`.
template <class T>
__attribute__((target("avx2"))) void subtract(const T* row, const T* each, T* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = row[i] - each[i];
}

template <class T>
__attribute__((target("avx2"))) void accumulate(const T* row, T* __restrict sums, int64_t count) {
  for (int64_t i = 0; i < count; ++i) sums[i] += row[i];
}

template <class T>
__attribute__((target("avx2"))) void scale(T* __restrict row, const T* factors, int64_t count) {
  for (int64_t i = 0; i < count; ++i) row[i] *= factors[i];
}

struct Loops {
  scalar::UnaryLoop exp, log, reciprocal;
};

/// `length` rows of `count` columns, of which the rows are `inner` elements apart.
template <class T>
void softmax_block(const T* in, T* out, int64_t length, int64_t inner, int64_t count,
                   bool logarithm, const Loops& loops) {
  T greatest[kColumns], sums[kColumns], powers[kColumns];
  std::copy_n(in, count, greatest);
  for (int64_t k = 1; k < length; ++k) keep_greatest(in + k * inner, greatest, count);
  std::fill_n(sums, count, T(0));
  for (int64_t k = 0; k < length; ++k) {
    T* row = out + k * inner;
    subtract(in + k * inner, greatest, row, count);
    T* power = logarithm ? powers : row;
    loops.exp(row, power, count);
    accumulate(static_cast<const T*>(power), sums, count);
  }
  (logarithm ? loops.log : loops.reciprocal)(sums, sums, count);
  for (int64_t k = 0; k < length; ++k) {
    T* row = out + k * inner;
    if (logarithm)
      subtract(static_cast<const T*>(row), sums, row, count);
    else
      scale(row, sums, count);
  }
}

}  // namespace

void softmax_columns(const Tensor& in, int64_t dim, const Tensor& out, bool logarithm) {
  if (in.numel() == 0) return;
  const int64_t length = in.size(dim);
  int64_t inner = 1;
  for (int64_t k = dim + 1; k < in.rank(); ++k) inner *= in.size(k);
  const int64_t blocks = (inner + kColumns - 1) / kColumns, outer = in.numel() / (length * inner);
  const auto loop = [&](ScalarFunction function) {
    return scalar::elementwise_loops(function, in.dtype())->unary;
  };
  const Loops loops = {loop(ScalarFunction::kExp), loop(ScalarFunction::kLog),
                       loop(ScalarFunction::kReciprocal)};
  const auto run = [&]<class T>() {
    parallel_for(0, outer * blocks, std::max<int64_t>(1, 8192 / (length * kColumns)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) {
                     const int64_t first = i % blocks * kColumns;
                     const int64_t start = i / blocks * length * inner + first;
                     softmax_block(in.data<T>() + start, out.data<T>() + start, length, inner,
                                   std::min(kColumns, inner - first), logarithm, loops);
                   }
                 });
  };
  if (in.dtype() == DType::kFloat64)
    run.template operator()<double>();
  else
    run.template operator()<float>();
}

}  // namespace glint::ops
