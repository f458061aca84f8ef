#include "core/platform/gemm_direct.h"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <vector>

#include "core/platform/vector_bits.h"
#include "core/support/check.h"
#include "core/support/thread_pool.h"
#include "core/tensor/scalar.h"

namespace glint {

namespace {

constexpr int64_t kRows = 8;

/// The type of sums: float32 for the 16-bit floats, else the elements' own.
template <class T>
using Sum = std::conditional_t<std::same_as<T, Float16> || std::same_as<T, BFloat16>, float, T>;

/// Where a kernel reads its operands: A by strides, B dense along columns.
template <class W>
struct Panel {
  const W* a;
  int64_t a_row, a_column;
  const W* b;
  int64_t b_row;
  int64_t k;
};

/// Adds up one tile of `Height` rows and two vectors of columns into `tile`.
template <class V, class W, int Height>
[[gnu::always_inline]] inline void sum_tile(const Panel<W>& panel, W* tile) {
  constexpr int64_t kLanes = sizeof(V) / sizeof(W);
  V sums[Height][2] = {};
  const W* b = panel.b;
  const W* a = panel.a;
  for (int64_t l = 0; l < panel.k; ++l) {
    V left, right;
    __builtin_memcpy(&left, b, sizeof(V));
    __builtin_memcpy(&right, b + kLanes, sizeof(V));
    for (int row = 0; row < Height; ++row) {
      const V factor = (V)(a[row * panel.a_row]);  // in all lanes
      if constexpr (std::floating_point<W>) {
        sums[row][0] = __builtin_elementwise_fma(factor, left, sums[row][0]);
        sums[row][1] = __builtin_elementwise_fma(factor, right, sums[row][1]);
      } else {
        sums[row][0] += factor * left;
        sums[row][1] += factor * right;
      }
    }
    b += panel.b_row;
    a += panel.a_column;
  }
  for (int row = 0; row < Height; ++row)
    __builtin_memcpy(tile + row * 2 * kLanes, sums[row], sizeof(sums[row]));
}

template <class V, class W>
[[gnu::always_inline]] inline void sum_rows(const Panel<W>& panel, int64_t rows, W* tile) {
  switch (rows) {
    case 1:
      return sum_tile<V, W, 1>(panel, tile);
    case 2:
      return sum_tile<V, W, 2>(panel, tile);
    case 3:
      return sum_tile<V, W, 3>(panel, tile);
    case 4:
      return sum_tile<V, W, 4>(panel, tile);
    case 5:
      return sum_tile<V, W, 5>(panel, tile);
    case 6:
      return sum_tile<V, W, 6>(panel, tile);
    case 7:
      return sum_tile<V, W, 7>(panel, tile);
    default:
      return sum_tile<V, W, 8>(panel, tile);
  }
}

template <class W>
using TileFunction = void (*)(const Panel<W>&, int64_t, W*);

/// A tile kernel and how many columns it covers.
template <class W>
struct TileKernel {
  TileFunction<W> function;
  int64_t columns;
};

template <class W, int Bytes>
struct VectorOf {
  typedef W Type __attribute__((ext_vector_type(Bytes / sizeof(W))));
};

template <class W>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))) void tile_512(
    const Panel<W>& panel, int64_t rows, W* tile) {
  sum_rows<typename VectorOf<W, 64>::Type, W>(panel, rows, tile);
}

template <class W>
__attribute__((target("avx2,fma"))) void tile_256(const Panel<W>& panel, int64_t rows, W* tile) {
  sum_rows<typename VectorOf<W, 32>::Type, W>(panel, rows, tile);
}

template <class W>
__attribute__((target("avx2,fma"))) void tile_128_fma(const Panel<W>& panel, int64_t rows,
                                                      W* tile) {
  sum_rows<typename VectorOf<W, 16>::Type, W>(panel, rows, tile);
}

template <class W>
void tile_128(const Panel<W>& panel, int64_t rows, W* tile) {
  sum_rows<typename VectorOf<W, 16>::Type, W>(panel, rows, tile);
}

/// The columns that a tile of two vectors covers.
template <class W>
int64_t tile_columns(int bits) {
  return int64_t(2 * size_t(bits) / 8 / sizeof(W));
}

/// A product of few columns takes narrower vectors than the processor has: the rest would be zeros.
template <class W>
TileKernel<W> tile_kernel(int64_t columns) {
  const int widest = vector_bits();
  int bits = widest;
  while (bits > 128 && columns <= tile_columns<W>(bits / 2)) bits /= 2;
  TileFunction<W> narrow = widest > 128 ? tile_128_fma<W> : tile_128<W>;
  TileFunction<W> function = bits == 512 ? tile_512<W> : bits == 256 ? tile_256<W> : narrow;
  return {function, tile_columns<W>(bits)};
}

/// Memory for packed panels, one a thread and type, that only grows.
template <class W>
W* scratch(int which, int64_t count) {
  thread_local std::vector<W> buffers[2];
  std::vector<W>& buffer = buffers[which];
  if (int64_t(buffer.size()) < count) buffer.resize(size_t(count));
  return buffer.data();
}

template <class T>
Sum<T> widen(T value) {
  return static_cast<Sum<T>>(value);
}

template <class T>
class DirectProduct {
  using W = Sum<T>;

 public:
  DirectProduct(const GemmProblem& problem, bool accumulate)
      : problem_(problem), kernel_(tile_kernel<W>(problem.n)), accumulate_(accumulate) {}

  void run() {
    int64_t panels = (problem_.n + kernel_.columns - 1) / kernel_.columns;
    int64_t strips = (problem_.m + kStrip - 1) / kStrip;
    int64_t work = kStrip * kernel_.columns * std::max<int64_t>(problem_.k, 1);
    int64_t grain = std::max<int64_t>(1, kParallelWork / work);
    // One piece of work: a strip of rows of one batch against one panel of B. Rows go fastest, so
    // that a packed panel serves all of its strips.
    parallel_for(0, problem_.batches * panels * strips, grain, [&](int64_t begin, int64_t end) {
      const W* packed = nullptr;
      for (int64_t piece = begin; piece < end; ++piece) {
        int64_t strip = piece % strips, panel = piece / strips % panels;
        int64_t batch = piece / strips / panels;
        if (piece == begin || strip == 0) packed = panel_of_b(batch, panel * kernel_.columns);
        multiply_strip(batch, strip * kStrip, panel * kernel_.columns, packed);
      }
    });
  }

 private:
  static constexpr int64_t kStrip = 64;
  /// Rows from which on a panel of B is worth packing: its own rows may lie a power of two apart,
  /// and then share a few lines of the cache.
  static constexpr int64_t kPackedRows = 32;
  static constexpr int64_t kParallelWork = 1 << 18;

  const T* element(const GemmMatrix& matrix, int64_t batch, int64_t row, int64_t column) const {
    return static_cast<const T*>(matrix.data) + batch * matrix.batch + row * matrix.row +
           column * matrix.column;
  }

  /// The columns [column, column + kernel columns) of B with dense rows, padded with zeros.
  const W* panel_of_b(int64_t batch, int64_t column) {
    const GemmMatrix& b = problem_.b;
    int64_t width = std::min(kernel_.columns, problem_.n - column);
    if constexpr (std::same_as<T, W>) {
      if (b.column == 1 && width == kernel_.columns && problem_.m < kPackedRows) {
        return element(b, batch, 0, column);
      }
    }
    W* packed = scratch<W>(0, problem_.k * kernel_.columns);
    for (int64_t l = 0; l < problem_.k; ++l) {
      const T* from = element(b, batch, l, column);
      W* to = packed + l * kernel_.columns;
      for (int64_t j = 0; j < width; ++j) to[j] = widen(from[j * b.column]);
      std::fill(to + width, to + kernel_.columns, W(0));
    }
    return packed;
  }
  int64_t panel_stride(const W* panel, int64_t batch, int64_t column) const {
    if constexpr (std::same_as<T, W>)
      if (panel == element(problem_.b, batch, 0, column)) return problem_.b.row;
    return kernel_.columns;
  }

  void multiply_strip(int64_t batch, int64_t first_row, int64_t column, const W* b) {
    int64_t last_row = std::min(first_row + kStrip, problem_.m);
    Panel<W> panel = {
        nullptr, problem_.a.row, problem_.a.column, b, panel_stride(b, batch, column), problem_.k};
    alignas(64) W tile[kRows * 128 / sizeof(W)];
    bool finishes = problem_.bias || problem_.relu || problem_.activation;
    for (int64_t row = first_row; row < last_row; row += kRows) {
      int64_t rows = std::min(kRows, last_row - row);
      if constexpr (std::same_as<T, W>) {
        panel.a = element(problem_.a, batch, row, 0);
      } else {
        panel.a = widen_rows(batch, row, rows);
        panel.a_row = problem_.k;
        panel.a_column = 1;
      }
      kernel_.function(panel, rows, tile);
      if (finishes) finish_tile(rows, column, tile);
      store_tile(batch, row, rows, column, tile);
    }
  }

  const W* widen_rows(int64_t batch, int64_t row, int64_t rows) {
    W* wide = scratch<W>(1, rows * problem_.k);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t l = 0; l < problem_.k; ++l)
        wide[i * problem_.k + l] = widen(*element(problem_.a, batch, row + i, l));
    return wide;
  }

  /// Adds the bias to a tile of sums and applies the activation.
  void finish_tile(int64_t rows, int64_t column, W* tile) {
    int64_t width = std::min(kernel_.columns, problem_.n - column);
    const T* bias = static_cast<const T*>(problem_.bias);
    for (int64_t i = 0; i < rows; ++i) {
      W* row = tile + i * kernel_.columns;
      for (int64_t j = 0; bias && j < width; ++j) row[j] += widen(bias[column + j]);
      for (int64_t j = 0; problem_.relu && j < width; ++j) row[j] = row[j] < W(0) ? W(0) : row[j];
    }
    if (problem_.activation) problem_.activation(tile, rows * kernel_.columns);
  }

  void store_tile(int64_t batch, int64_t row, int64_t rows, int64_t column, const W* tile) {
    int64_t width = std::min(kernel_.columns, problem_.n - column);
    int64_t step = problem_.c.column;
    for (int64_t i = 0; i < rows; ++i) {
      const W* from = tile + i * kernel_.columns;
      T* to = const_cast<T*>(element(problem_.c, batch, row + i, column));
      if (accumulate_) {
        for (int64_t j = 0; j < width; ++j) to[j * step] = T(widen(to[j * step]) + from[j]);
        continue;
      }
      if (step == 1 && std::same_as<T, W>) {
        std::memcpy(static_cast<void*>(to), from, size_t(width) * sizeof(T));
        continue;
      }
      for (int64_t j = 0; j < width; ++j) to[j * step] = T(from[j]);
    }
  }

  const GemmProblem& problem_;
  TileKernel<W> kernel_;
  bool accumulate_;
};

}  // namespace

void gemm_direct(const GemmProblem& problem, bool accumulate) {
  switch (problem.dtype) {
    case DType::kFloat16:
      return DirectProduct<Float16>(problem, accumulate).run();
    case DType::kBFloat16:
      return DirectProduct<BFloat16>(problem, accumulate).run();
    case DType::kFloat32:
      return DirectProduct<float>(problem, accumulate).run();
    case DType::kFloat64:
      return DirectProduct<double>(problem, accumulate).run();
    case DType::kUInt8:
      return DirectProduct<uint8_t>(problem, accumulate).run();
    case DType::kInt8:
      return DirectProduct<int8_t>(problem, accumulate).run();
    case DType::kInt16:
      return DirectProduct<int16_t>(problem, accumulate).run();
    case DType::kInt32:
      return DirectProduct<int32_t>(problem, accumulate).run();
    case DType::kInt64:
      return DirectProduct<int64_t>(problem, accumulate).run();
    case DType::kBool:
      fail("a matrix product of numbers");
  }
}

}  // namespace glint
