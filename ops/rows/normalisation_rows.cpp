// softmax, log_softmax and layer norm of one row: the row is read from memory once and stays in the
// nearest cache for the passes over it. Sums have the order of a plain row sum, so that the results
// are those of the decomposition.
#include <cmath>
#include <cstring>
#include <type_traits>

#include "ops/rows/partial_vectors.h"
#include "ops/rows/row_kernels.h"
#include "ops/scalar/apply.h"
#include "ops/scalar/element_access.h"
#include "ops/scalar/reduction_order.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

struct Tag {};

/// A short last vector: the elements that are there, then `filler`.
template <class A>
[[gnu::always_inline]] inline typename A::Float load_some(const typename A::Element* in, int count,
                                                          typename A::Element filler) {
  if constexpr (A::kDirect) return load_first<typename A::Float>(in, count, filler);
  typename A::Element rest[A::kLanes];
  for (auto& element : rest) element = filler;
  std::memcpy(rest, in, size_t(count) * sizeof(typename A::Element));
  return A::load(rest);
}

/// Visits a row in vectors: `visit(vector, place, count)`.
template <class A, class F>
[[gnu::always_inline]] inline void for_vectors(const typename A::Element* in, int64_t n,
                                               typename A::Element filler, F&& visit) {
  int64_t i = 0;
  for (; i + A::kLanes <= n; i += A::kLanes) visit(A::load(in + i), i, A::kLanes);
  if (i < n) visit(load_some<A>(in + i, int(n - i), filler), i, int(n - i));
}

/// The sum of `part(vector, place, count)` over a row, in the order of reduction_order.h: 64
/// partial sums a block of kSumBlock elements, folded by halves, the blocks added in float64. Lanes
/// from `count` on must be 0.
template <class A, class F>
[[gnu::always_inline]] inline typename A::B::Real sum_row(const typename A::Element* in, int64_t n,
                                                          typename A::Element filler, F&& part) {
  using Float = typename A::Float;
  using Real = typename A::B::Real;
  constexpr int kVectors = int(scalar::kPartialSums) / A::kLanes;
  double total = 0.0;
  for (int64_t start = 0; start < n; start += scalar::kSumBlock) {
    int64_t end = n - start < scalar::kSumBlock ? n : start + scalar::kSumBlock;
    Float partial[kVectors] = {};
    int64_t i = start;
    for (; i + kVectors * A::kLanes <= end; i += kVectors * A::kLanes) {
#pragma clang loop unroll(full)
      for (int v = 0; v < kVectors; ++v) {
        int64_t at = i + v * A::kLanes;
        partial[v] += part(A::load(in + at), at, A::kLanes);
      }
    }
    for (int v = 0; i < end; i += A::kLanes, ++v) {
      int count = end - i < A::kLanes ? int(end - i) : A::kLanes;
      partial[v] += part(load_some<A>(in + i, count, filler), i, count);
    }
    Real lanes[scalar::kPartialSums];
    std::memcpy(lanes, partial, sizeof lanes);
    for (unsigned half = scalar::kPartialSums / 2; half > 0; half /= 2)
      for (unsigned k = 0; k < half; ++k) lanes[k] += lanes[k + half];
    total += double(lanes[0]);
  }
  return static_cast<Real>(total);
}

template <class A>
[[gnu::always_inline]] inline void store_some(typename A::Element* to, typename A::Float x,
                                              int count) {
  if (count == A::kLanes) return A::store(to, x);
  if constexpr (A::kDirect) return store_first(to, x, count);
  typename A::Element all[A::kLanes];
  A::store(all, x);
  std::memcpy(to, all, size_t(count) * sizeof(typename A::Element));
}

/// Clears the lanes from `count` on.
template <class A>
[[gnu::always_inline]] inline typename A::Float first_lanes(typename A::Float x, int count) {
  using Float = typename A::Float;
  if (count == A::kLanes) return x;
  Float place;
  for (int k = 0; k < A::kLanes; ++k) place[k] = typename A::B::Real(k);
  return place < Float(typename A::B::Real(count)) ? x : Float(0);
}

/// The greatest lane; NaN if there is one.
template <class Real, class Vector>
[[gnu::always_inline]] inline Real greatest_lane(const Vector& x) {
  constexpr int kHalf = sizeof(Vector) / sizeof(Real) / 2;
  if constexpr (kHalf == 1) {
    return x[0] > x[1] || x[0] != x[0] ? x[0] : x[1];
  } else {
    typedef Real Half __attribute__((ext_vector_type(kHalf)));
    const Half low = x.lo, high = x.hi;
    return greatest_lane<Real, Half>(((low > high) | (low != low)) ? low : high);
  }
}

/// The greatest element of a row; NaN if there is one.
template <class A>
[[gnu::always_inline]] inline typename A::B::Real greatest_of(const typename A::Element* in,
                                                              int64_t n) {
  using Float = typename A::Float;
  constexpr int kVectors = 8;
  const typename A::B b;
  Float greatest[kVectors];
  for (Float& vector : greatest) vector = b.real(-INFINITY);
  int64_t i = 0;
  for (; i + kVectors * A::kLanes <= n; i += kVectors * A::kLanes) {
#pragma clang loop unroll(full)
    for (int v = 0; v < kVectors; ++v)
      greatest[v] = scalar::maximum(b, greatest[v], A::load(in + i + v * A::kLanes));
  }
  for (; i < n; i += A::kLanes) {
    int count = n - i < A::kLanes ? int(n - i) : A::kLanes;
    greatest[0] = scalar::maximum(b, greatest[0], load_some<A>(in + i, count, in[0]));
  }
  for (int v = 1; v < kVectors; ++v) greatest[0] = scalar::maximum(b, greatest[0], greatest[v]);
  return greatest_lane<typename A::B::Real>(greatest[0]);
}

template <class Memory>
void softmax(const void* source, void* target, int64_t n, bool logarithm) {
  using A = scalar::Access<Memory, Tag>;
  using Element = typename A::Element;
  using Float = typename A::Float;
  using Real = typename Memory::Real;
  const typename A::B b;
  const Element* in = static_cast<const Element*>(source);
  Element* out = static_cast<Element*>(target);
  Real most = greatest_of<A>(in, n);
  const Float shift = Float(most);
  if (!logarithm) {
    Real total = sum_row<A>(in, n, in[0], [&](Float x, int64_t at, int count) {
      Float e = first_lanes<A>(scalar::exp(b, x - shift), count);
      store_some<A>(out + at, e, count);
      return e;
    });
    const Float scale = Float(Real(1) / total);
    if constexpr (!A::kDirect) {
      // What was stored is rounded: once more from the input, so that the result rounds once.
      for_vectors<A>(in, n, in[0], [&](Float x, int64_t at, int count) {
        store_some<A>(out + at, scalar::exp(b, x - shift) * scale, count);
      });
      return;
    }
    for_vectors<A>(out, n, out[0], [&](Float e, int64_t at, int count) {
      store_some<A>(out + at, e * scale, count);
    });
    return;
  }
  Real total = sum_row<A>(in, n, in[0], [&](Float x, int64_t, int count) {
    return first_lanes<A>(scalar::exp(b, x - shift), count);
  });
  const Float logarithm_of_total = scalar::log(b, Float(total));
  for_vectors<A>(in, n, in[0], [&](Float x, int64_t at, int count) {
    store_some<A>(out + at, (x - shift) - logarithm_of_total, count);
  });
}

/// What a row is normalised by.
template <class A>
struct Normal {
  typename A::Float mean, scale;
};
template <class A>
[[gnu::always_inline]] inline Normal<A> normal_of(const typename A::Element* in, int64_t n,
                                                  double epsilon) {
  using Element = typename A::Element;
  using Float = typename A::Float;
  using Real = typename A::B::Real;
  const Real sum = sum_row<A>(in, n, Element(0), [](Float x, int64_t, int) { return x; });
  const Float mean = Float(sum / static_cast<Real>(n));
  const Real squares = sum_row<A>(in, n, Element(0), [&](Float x, int64_t, int count) {
    Float deviation = first_lanes<A>(x - mean, count);
    return deviation * deviation;
  });
  const Real variance = squares / static_cast<Real>(n);
  return {mean, Float(Real(1) / std::sqrt(variance + static_cast<Real>(epsilon)))};
}

/// A part of a row or of a parameter.
template <class A>
[[gnu::always_inline]] inline typename A::Float part_of(const typename A::Element* from, int64_t at,
                                                        int count) {
  return count == A::kLanes ? A::load(from + at)
                            : load_some<A>(from + at, count, typename A::Element(0));
}

template <class Memory>
void layer_norm(const void* source, const void* weight, const void* bias, double epsilon,
                void* target, int64_t n) {
  using A = scalar::Access<Memory, Tag>;
  using Element = typename A::Element;
  using Float = typename A::Float;
  const Element* in = static_cast<const Element*>(source);
  Element* out = static_cast<Element*>(target);
  const auto [mean, scale] = normal_of<A>(in, n, epsilon);
  const Element* factor = static_cast<const Element*>(weight);
  const Element* offset = static_cast<const Element*>(bias);
  for_vectors<A>(in, n, Element(0), [&](Float x, int64_t at, int count) {
    Float y = (x - mean) * scale;
    if (factor) y = y * part_of<A>(factor, at, count);
    if (offset) y = y + part_of<A>(offset, at, count);
    store_some<A>(out + at, y, count);
  });
}

template <class Memory>
void layer_norm_back(const LayerNormBack& row) {
  using A = scalar::Access<Memory, Tag>;
  using Element = typename A::Element;
  using Float = typename A::Float;
  using Real = typename Memory::Real;
  using Sums = scalar::Lanes<Real, A::kLanes, Tag>;
  const auto* in = reinterpret_cast<const Element*>(row.in);
  const auto* grad = reinterpret_cast<const Element*>(row.grad);
  const auto* weight = static_cast<const Element*>(row.weight);
  auto* out = reinterpret_cast<Element*>(row.out);
  const auto normal = normal_of<A>(in, row.n, row.epsilon);
  // Lanes from `count` on are 0: those of the gradient are.
  const auto weighted = [&](Float g, int64_t at, int count) {
    return weight ? g * part_of<A>(weight, at, count) : g;
  };
  const Float total = Float(sum_row<A>(grad, row.n, Element(0), weighted));
  const Float along = Float(sum_row<A>(in, row.n, Element(0), [&](Float x, int64_t at, int count) {
    const Float h = weighted(part_of<A>(grad, at, count), at, count);
    return h * ((x - normal.mean) * normal.scale);
  }));
  const Float n = Float(static_cast<Real>(row.n));
  const Float mean = total / n, slope = along / n;
  auto *of_weight = static_cast<Real*>(row.of_weight), *of_bias = static_cast<Real*>(row.of_bias);
  const Sums sums;
  for_vectors<A>(in, row.n, Element(0), [&](Float x, int64_t at, int count) {
    const Float g = part_of<A>(grad, at, count);
    const Float y = (x - normal.mean) * normal.scale;
    store_some<A>(out + at, (weighted(g, at, count) - mean - y * slope) * normal.scale, count);
    sums.store(of_weight + at, sums.load(of_weight + at) + g * y);
    sums.store(of_bias + at, sums.load(of_bias + at) + g);
  });
}

}  // namespace

void fill_normalisations(RowTables& tables) {
  tables.softmax[size_t(DType::kFloat32)] = softmax<scalar::Float32Memory>;
  tables.softmax[size_t(DType::kFloat64)] = softmax<scalar::Float64Memory>;
  tables.softmax[size_t(DType::kBFloat16)] = softmax<scalar::BFloat16Memory>;
  tables.softmax[size_t(DType::kFloat16)] = softmax<scalar::Float16Memory>;
  tables.layer_norm[size_t(DType::kFloat32)] = layer_norm<scalar::Float32Memory>;
  tables.layer_norm[size_t(DType::kFloat64)] = layer_norm<scalar::Float64Memory>;
  tables.layer_norm[size_t(DType::kBFloat16)] = layer_norm<scalar::BFloat16Memory>;
  tables.layer_norm[size_t(DType::kFloat16)] = layer_norm<scalar::Float16Memory>;
  tables.layer_norm_back[size_t(DType::kFloat32)] = layer_norm_back<scalar::Float32Memory>;
  tables.layer_norm_back[size_t(DType::kFloat64)] = layer_norm_back<scalar::Float64Memory>;
  tables.layer_norm_back[size_t(DType::kBFloat16)] = layer_norm_back<scalar::BFloat16Memory>;
  tables.layer_norm_back[size_t(DType::kFloat16)] = layer_norm_back<scalar::Float16Memory>;
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
