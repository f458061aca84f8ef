// Reductions of rows and columns, for every dtype. Each keeps 64 partial results, so that whole
// vectors work without waiting for each other, and folds them by halves at the end.
#include <cstring>
#include <limits>
#include <type_traits>

#include "ops/rows/partial_vectors.h"
#include "ops/rows/row_kernels.h"
#include "ops/scalar/integer.h"
#include "ops/scalar/reduction_order.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

constexpr int64_t kPartials = scalar::kPartialSums;

/// Narrow floats compute in float32.
template <class T>
using Wide =
    std::conditional_t<std::is_same_v<T, BFloat16> || std::is_same_v<T, Float16>, float, T>;

template <class W>
constexpr W lowest() {
  if constexpr (std::is_floating_point_v<W>) return -std::numeric_limits<W>::infinity();
  return std::numeric_limits<W>::lowest();
}
template <class W>
constexpr W highest() {
  if constexpr (std::is_floating_point_v<W>) return std::numeric_limits<W>::infinity();
  return std::numeric_limits<W>::max();
}

struct Sum {
  template <class W>
  static constexpr W identity() {
    return W(0);
  }
  template <class W>
  static W combine(W a, W x) {
    return scalar::wrapping_add(a, x);
  }
};
struct Product {
  template <class W>
  static constexpr W identity() {
    return W(1);
  }
  template <class W>
  static W combine(W a, W x) {
    return scalar::wrapping_multiply(a, x);
  }
};
/// NaN wins.
struct Maximum {
  template <class W>
  static constexpr W identity() {
    return lowest<W>();
  }
  template <class W>
  static W combine(W a, W x) {
    return ((x > a) | (x != x)) ? x : a;
  }
};
struct Minimum {
  template <class W>
  static constexpr W identity() {
    return highest<W>();
  }
  template <class W>
  static W combine(W a, W x) {
    return ((x < a) | (x != x)) ? x : a;
  }
};
struct Any {
  template <class W>
  static constexpr W identity() {
    return W(0);
  }
  template <class W>
  static W combine(W a, W x) {
    return W(a | x);
  }
};
struct All {
  template <class W>
  static constexpr W identity() {
    return W(1);
  }
  template <class W>
  static W combine(W a, W x) {
    return W(a & x);
  }
};

template <class W, int64_t kLanes>
struct VectorOf {
  typedef W Type __attribute__((ext_vector_type(kLanes)));
};

/// Folds a vector of floats by halves.
template <class W, class Op, int64_t kLanes>
[[gnu::always_inline]] inline W fold_vector(typename VectorOf<W, kLanes>::Type partial) {
  if constexpr (kLanes == 1) {
    return partial[0];
  } else {
    const typename VectorOf<W, kLanes / 2>::Type a = partial.lo, x = partial.hi;
    if constexpr (std::is_same_v<Op, Sum>) {
      return fold_vector<W, Op, kLanes / 2>(a + x);
    } else if constexpr (std::is_same_v<Op, Product>) {
      return fold_vector<W, Op, kLanes / 2>(a * x);
    } else {
      const auto better = std::is_same_v<Op, Maximum> ? x > a : x < a;
      return fold_vector<W, Op, kLanes / 2>((better | (x != x)) ? x : a);
    }
  }
}

template <class W, class Op>
[[gnu::always_inline]] inline W fold(W* partial) {
  if constexpr (std::is_floating_point_v<W>) {
    typename VectorOf<W, kPartials>::Type whole;
    std::memcpy(&whole, partial, sizeof whole);
    return fold_vector<W, Op, kPartials>(whole);
  }
  for (int64_t half = kPartials / 2; half > 0; half /= 2)
    for (int64_t k = 0; k < half; ++k) partial[k] = Op::combine(partial[k], partial[k + half]);
  return partial[0];
}

/// Asks for what a row's partial results will take 3 KiB further on: a reduction waits for nothing
/// but memory, and the processor's own prefetching keeps less ahead.
template <class T>
[[gnu::always_inline]] inline void prefetch_soon(const T* at) {
  constexpr int64_t kLine = 64, kSoon = 3072;
  const char* soon = reinterpret_cast<const char*>(at) + kSoon;
  for (int64_t k = 0; k < kPartials * int64_t(sizeof(T)); k += kLine) __builtin_prefetch(soon + k);
}

/// A row of floats: the partial results stay in registers. A maximum or a minimum only notes on the
/// way that it has met a nan.
template <class T, class Op>
[[gnu::always_inline]] inline T fold_floats(const T* row, int64_t n) {
  constexpr int64_t kLanes = 64 / sizeof(T), kVectors = kPartials / kLanes;
  constexpr bool kExtreme = std::is_same_v<Op, Maximum> || std::is_same_v<Op, Minimum>;
  typedef T Vector __attribute__((ext_vector_type(kLanes)));
  Vector part[kVectors];
  for (Vector& one : part) one = Vector(Op::template identity<T>());
  decltype(part[0] != part[0]) nan = {};
  const auto take = [&](int64_t k, const Vector& x) {
    if constexpr (kExtreme) {
      nan |= x != x;
      part[k] = (std::is_same_v<Op, Maximum> ? x > part[k] : x < part[k]) ? x : part[k];
    } else {
      part[k] = std::is_same_v<Op, Sum> ? part[k] + x : part[k] * x;
    }
  };
  int64_t i = 0;
  for (; i + kPartials <= n; i += kPartials) {
    prefetch_soon(row + i);
#pragma clang loop unroll(full)
    for (int64_t k = 0; k < kVectors; ++k) {
      Vector x;
      std::memcpy(&x, row + i + k * kLanes, sizeof x);
      take(k, x);
    }
  }
#pragma clang loop unroll(full)
  for (int64_t k = 0; k < kVectors; ++k) {
    const int64_t left = n - i - k * kLanes;
    if (left <= 0) break;
    Vector x;
    if (left >= kLanes)
      std::memcpy(&x, row + i + k * kLanes, sizeof x);
    else
      x = load_first<Vector>(row + i + k * kLanes, left, Op::template identity<T>());
    take(k, x);
  }
  if (kExtreme && __builtin_reduce_or(nan) != 0) return std::numeric_limits<T>::quiet_NaN();
  typename VectorOf<T, kPartials>::Type whole;
  std::memcpy(&whole, part, sizeof whole);
  return fold_vector<T, Op, kPartials>(whole);
}

/// The partial sums of what came before, and `n` elements more.
template <class T>
void add_piece(const void* piece, int64_t n, void* partials) {
  using Vector = typename VectorOf<T, kPartials>::Type;
  const T* in = static_cast<const T*>(piece);
  Vector part, x;
  std::memcpy(&part, partials, sizeof part);
  int64_t i = 0;
  for (; i + kPartials <= n; i += kPartials) {
    std::memcpy(&x, in + i, sizeof x);
    part += x;
  }
  T* ends = static_cast<T*>(partials);
  std::memcpy(ends, &part, sizeof part);
  for (int64_t k = 0; i + k < n; ++k) ends[k] += in[i + k];
}

template <class T, class Op>
Wide<T> fold_block(const T* row, int64_t n) {
  using W = Wide<T>;
  if constexpr (std::is_floating_point_v<T>) {
    return fold_floats<T, Op>(row, n);
  } else {
    W partial[kPartials];
    for (W& value : partial) value = Op::template identity<W>();
    int64_t i = 0;
    for (; i + kPartials <= n; i += kPartials) {
      for (int64_t k = 0; k < kPartials; ++k)
        partial[k] = Op::combine(partial[k], static_cast<W>(row[i + k]));
    }
    for (int64_t k = 0; i + k < n; ++k)
      partial[k] = Op::combine(partial[k], static_cast<W>(row[i + k]));
    return fold<W, Op>(partial);
  }
}

template <class T>
double sum_block(const void* row, int64_t n) {
  return double(fold_block<T, Sum>(static_cast<const T*>(row), n));
}

template <class T, class Op>
void reduce_row(const void* row, int64_t n, void* out) {
  const T* in = static_cast<const T*>(row);
  if constexpr (std::is_same_v<Op, Sum> && std::is_floating_point_v<Wide<T>>) {
    double total = 0.0;
    for (int64_t at = 0; at < n; at += scalar::kSumBlock)
      total += sum_block<T>(in + at, n - at < scalar::kSumBlock ? n - at : scalar::kSumBlock);
    *static_cast<T*>(out) = static_cast<T>(static_cast<Wide<T>>(total));
  } else {
    *static_cast<T*>(out) = static_cast<T>(fold_block<T, Op>(in, n));
  }
}

template <class T, class Op>
void reduce_columns(const void* source, int64_t rows, int64_t row_stride, int64_t columns,
                    void* out) {
  using W = Wide<T>;
  constexpr int64_t kStrip = 512;
  constexpr int64_t kBlock = scalar::kColumnBlock;
  const T* in = static_cast<const T*>(source);
  for (int64_t first = 0; first < columns; first += kStrip) {
    int64_t width = columns - first < kStrip ? columns - first : kStrip;
    W total[kStrip], block[kStrip];
    for (W& value : total) value = Op::template identity<W>();
    for (int64_t start = 0; start < rows; start += kBlock) {
      for (W& value : block) value = Op::template identity<W>();
      int64_t end = rows - start < kBlock ? rows : start + kBlock;
      for (int64_t r = start; r < end; ++r) {
        const T* row = in + r * row_stride + first;
        for (int64_t c = 0; c < width; ++c)
          block[c] = Op::combine(block[c], static_cast<W>(row[c]));
      }
      for (int64_t c = 0; c < width; ++c) total[c] = Op::combine(total[c], block[c]);
    }
    T* to = static_cast<T*>(out) + first;
    for (int64_t c = 0; c < width; ++c) to[c] = static_cast<T>(total[c]);
  }
}

/// First the extreme value, then the first place where it is: both vectorise.
template <class T, class Op>
void index_row(const void* row, int64_t n, void* out) {
  using W = Wide<T>;
  const T* in = static_cast<const T*>(row);
  W best = fold_block<T, Op>(in, n);
  constexpr int64_t kChunk = 64;
  for (int64_t at = 0; at < n; at += kChunk) {
    int64_t end = n - at < kChunk ? n : at + kChunk;
    bool found = false;
    for (int64_t i = at; i < end; ++i) {
      W x = static_cast<W>(in[i]);
      found |= (x == best) | ((x != x) & (best != best));
    }
    if (!found) continue;
    for (int64_t i = at; i < end; ++i) {
      W x = static_cast<W>(in[i]);
      if (x == best || (x != x && best != best)) {
        *static_cast<int64_t*>(out) = i;
        return;
      }
    }
  }
  *static_cast<int64_t*>(out) = 0;
}

template <class T, class Op>
void index_columns(const void* source, int64_t rows, int64_t row_stride, int64_t columns,
                   void* out) {
  using W = Wide<T>;
  constexpr int64_t kStrip = 512;
  const T* in = static_cast<const T*>(source);
  for (int64_t first = 0; first < columns; first += kStrip) {
    int64_t width = columns - first < kStrip ? columns - first : kStrip;
    W best[kStrip];
    int64_t index[kStrip] = {};
    for (int64_t c = 0; c < width; ++c) best[c] = static_cast<W>(in[first + c]);
    for (int64_t r = 1; r < rows; ++r) {
      const T* row = in + r * row_stride + first;
      for (int64_t c = 0; c < width; ++c) {
        W x = static_cast<W>(row[c]);
        bool better = (std::is_same_v<Op, Maximum> ? x > best[c] : x < best[c]) |
                      ((x != x) & (best[c] == best[c]));
        best[c] = better ? x : best[c];
        index[c] = better ? r : index[c];
      }
    }
    std::memcpy(static_cast<int64_t*>(out) + first, index, size_t(width) * sizeof(int64_t));
  }
}

template <class T>
void fill_dtype(RowTables& tables) {
  constexpr size_t at = size_t(kDTypeOf<T>);
  auto set = [&](Combiner combiner, ReduceRow row, ReduceColumns columns) {
    tables.reduce[size_t(combiner)][at] = {row, columns, nullptr, nullptr};
  };
  if constexpr (!std::is_same_v<T, bool>) {
    set(Combiner::kSum, reduce_row<T, Sum>, reduce_columns<T, Sum>);
    set(Combiner::kProduct, reduce_row<T, Product>, reduce_columns<T, Product>);
  }
  if constexpr (!std::is_integral_v<T>)
    tables.reduce[size_t(Combiner::kSum)][at].block = sum_block<T>;
  if constexpr (std::is_floating_point_v<T>)
    tables.reduce[size_t(Combiner::kSum)][at].piece = add_piece<T>;
  set(Combiner::kMaximum, reduce_row<T, Maximum>, reduce_columns<T, Maximum>);
  set(Combiner::kMinimum, reduce_row<T, Minimum>, reduce_columns<T, Minimum>);
  set(Combiner::kArgmax, index_row<T, Maximum>, index_columns<T, Maximum>);
  set(Combiner::kArgmin, index_row<T, Minimum>, index_columns<T, Minimum>);
  if constexpr (std::is_same_v<T, bool>) {
    set(Combiner::kAny, reduce_row<uint8_t, Any>, reduce_columns<uint8_t, Any>);
    set(Combiner::kAll, reduce_row<uint8_t, All>, reduce_columns<uint8_t, All>);
  }
}

}  // namespace

void fill_reductions(RowTables& tables) {
  fill_dtype<bool>(tables);
  fill_dtype<uint8_t>(tables);
  fill_dtype<int8_t>(tables);
  fill_dtype<int16_t>(tables);
  fill_dtype<int32_t>(tables);
  fill_dtype<int64_t>(tables);
  fill_dtype<Float16>(tables);
  fill_dtype<BFloat16>(tables);
  fill_dtype<float>(tables);
  fill_dtype<double>(tables);
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
