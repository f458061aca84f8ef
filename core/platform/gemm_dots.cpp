#include "core/platform/gemm_dots.h"

#include <algorithm>
#include <utility>

#include "core/platform/vector_bits.h"
#include "core/support/thread_pool.h"

namespace glint {

namespace {

/// Packing pays from so many rows on.
constexpr int64_t kMostRows = 16;
/// Shorter ones spend their time on adding up the lanes.
constexpr int64_t kLeastLength = 32;
/// With more, the library's blocks reuse what they have loaded.
constexpr int64_t kMostWork = 64 * 64 * 64;

/// Rows of A and of the transposed B, elements next to each other.
template <class W>
struct Runs {
  const W* a;
  int64_t a_step;
  const W* b;
  int64_t b_step;
  int64_t length;
};

template <class V>
[[gnu::always_inline]] inline auto lanes_sum(const V& vector) {
  if constexpr (sizeof(V) == 2 * sizeof(vector[0])) {
    return vector[0] + vector[1];
  } else {
    return lanes_sum(vector.lo + vector.hi);
  }
}

/// `Rows` times `Columns` dot products, their sums in registers.
template <class V, class W, int Rows, int Columns>
[[gnu::always_inline]] inline void dots(const Runs<W>& runs, W (*out)[Columns]) {
  constexpr int64_t kLanes = sizeof(V) / sizeof(W);
  V sums[Rows][Columns] = {};
  int64_t l = 0;
  for (; l + kLanes <= runs.length; l += kLanes) {
    V a[Rows];
    for (int row = 0; row < Rows; ++row)
      __builtin_memcpy(&a[row], runs.a + row * runs.a_step + l, sizeof(V));
    for (int column = 0; column < Columns; ++column) {
      V b;
      __builtin_memcpy(&b, runs.b + column * runs.b_step + l, sizeof(V));
      for (int row = 0; row < Rows; ++row)
        sums[row][column] = __builtin_elementwise_fma(a[row], b, sums[row][column]);
    }
  }
  for (int row = 0; row < Rows; ++row)
    for (int column = 0; column < Columns; ++column) {
      W sum = lanes_sum(sums[row][column]);
      for (int64_t rest = l; rest < runs.length; ++rest)
        sum += runs.a[row * runs.a_step + rest] * runs.b[column * runs.b_step + rest];
      out[row][column] = sum;
    }
}

/// Where results go: element (i, j) at `data[i * row + j * column]`.
template <class W>
struct Results {
  W* data;
  int64_t row, column;
};

template <class V, class W, int Rows, int Columns>
[[gnu::always_inline]] inline void store_dots(Runs<W> runs, int64_t first, int64_t last,
                                              const Results<W>& results) {
  W block[Rows][Columns];
  for (; first < last; first += Columns) {
    Runs<W> here = runs;
    here.b += first * runs.b_step;
    const int64_t count = std::min<int64_t>(Columns, last - first);
    if (count == Columns) {
      dots<V, W, Rows, Columns>(here, block);
    } else {
      W narrow[Rows][1];
      for (int64_t j = 0; j < count; ++j, here.b += runs.b_step) {
        dots<V, W, Rows, 1>(here, narrow);
        for (int i = 0; i < Rows; ++i)
          results.data[i * results.row + (first + j) * results.column] = narrow[i][0];
      }
      return;
    }
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j)
        results.data[i * results.row + (first + j) * results.column] = block[i][j];
  }
}

/// `rows` rows of A, one or two, with the columns [first, last).
template <class V, class W>
[[gnu::always_inline]] inline void multiply_rows(const Runs<W>& runs, int64_t rows, int64_t first,
                                                 int64_t last, const Results<W>& results) {
  if (rows == 1) return store_dots<V, W, 1, 8>(runs, first, last, results);
  store_dots<V, W, 2, 4>(runs, first, last, results);
}

template <class W, int Bytes>
struct DotVector {
  typedef W Type __attribute__((ext_vector_type(Bytes / sizeof(W))));
};

template <class W>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))) void multiply_512(
    const Runs<W>& runs, int64_t rows, int64_t first, int64_t last, const Results<W>& results) {
  multiply_rows<typename DotVector<W, 64>::Type, W>(runs, rows, first, last, results);
}
template <class W>
__attribute__((target("avx2,fma"))) void multiply_256(const Runs<W>& runs, int64_t rows,
                                                      int64_t first, int64_t last,
                                                      const Results<W>& results) {
  multiply_rows<typename DotVector<W, 32>::Type, W>(runs, rows, first, last, results);
}
template <class W>
void multiply_128(const Runs<W>& runs, int64_t rows, int64_t first, int64_t last,
                  const Results<W>& results) {
  multiply_rows<typename DotVector<W, 16>::Type, W>(runs, rows, first, last, results);
}

template <class W>
auto* multiply_function() {
  const int bits = vector_bits();
  return bits == 512 ? multiply_512<W> : bits == 256 ? multiply_256<W> : multiply_128<W>;
}

bool has_epilogue(const GemmProblem& p) {
  return p.bias || p.relu || p.activation;
}

/// What follows a product, for results that lie next to each other.
template <class W>
void finish(const GemmProblem& p, int64_t first, W* row, int64_t n) {
  const W* bias = static_cast<const W*>(p.bias);
  for (int64_t j = 0; bias && j < n; ++j) row[j] += bias[first + j];
  for (int64_t j = 0; p.relu && j < n; ++j) row[j] = row[j] < W(0) ? W(0) : row[j];
  if (p.activation) p.activation(row, n);
}

template <class W>
W* element(const GemmMatrix& matrix, int64_t batch, int64_t row, int64_t column) {
  return static_cast<W*>(matrix.data) + batch * matrix.batch + row * matrix.row +
         column * matrix.column;
}

template <class W>
void run(const GemmProblem& p) {
  constexpr int64_t kParallelWork = 1 << 18;
  const auto multiply = multiply_function<W>();
  const int64_t work = std::max<int64_t>(1, p.m * p.k);
  parallel_for(0, p.batches * p.n, std::max<int64_t>(8, kParallelWork / work),
               [&](int64_t begin, int64_t end) {
                 while (begin < end) {
                   const int64_t batch = begin / p.n, first = begin % p.n;
                   const int64_t last = std::min(p.n, first + end - begin);
                   for (int64_t i = 0; i < p.m; i += 2) {
                     const int64_t rows = std::min<int64_t>(2, p.m - i);
                     multiply({element<W>(p.a, batch, i, 0), p.a.row, element<W>(p.b, batch, 0, 0),
                               p.b.column, p.k},
                              rows, first, last,
                              {element<W>(p.c, batch, i, 0), p.c.row, p.c.column});
                     if (!has_epilogue(p)) continue;
                     for (int64_t row = i; row < i + rows; ++row)
                       finish(p, first, element<W>(p.c, batch, row, first), last - first);
                   }
                   begin += last - first;
                 }
               });
}

/// A times one column is the column, as a row, times A stored by columns.
void turn(GemmProblem& p) {
  std::swap(p.a, p.b);
  std::swap(p.m, p.n);
  for (GemmMatrix* matrix : {&p.a, &p.b, &p.c}) std::swap(matrix->row, matrix->column);
}

bool are_dots(const GemmProblem& p) {
  if (p.k < kLeastLength || p.a.column != 1 || p.b.row != 1) return false;
  if (p.c.column != 1 && has_epilogue(p)) return false;
  return p.m <= 2 || (p.m <= kMostRows && p.m * p.n * p.k * p.batches <= kMostWork);
}

}  // namespace

bool gemm_dots(const GemmProblem& problem) {
  if (problem.dtype != DType::kFloat32 && problem.dtype != DType::kFloat64) return false;
  GemmProblem p = problem;
  if (!are_dots(p)) {
    if (p.n != 1 || has_epilogue(p)) return false;  // a bias is one of columns
    turn(p);
    if (!are_dots(p)) return false;
  }
  if (p.dtype == DType::kFloat32)
    run<float>(p);
  else
    run<double>(p);
  return true;
}

}  // namespace glint
