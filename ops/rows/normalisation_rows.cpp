// softmax, log_softmax and layer norm of one row: the row is read from memory once and stays in the
// nearest cache for the passes over it. Sums have the order of a plain row sum, so that the results
// are those of the decomposition.
#include <cmath>
#include <cstring>
#include <type_traits>

#include "ops/rows/row_kernels.h"
#include "ops/scalar/apply.h"
#include "ops/scalar/element_access.h"
#include "ops/scalar/reduction_order.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

struct Tag {};

/// 64 partial sums in vectors, folded and added to a float64 total after every kSumBlock elements.
template <class A>
class RowSum {
 public:
  using B = typename A::B;
  using Real = typename B::Real;
  static constexpr int kVectors = int(scalar::kPartialSums) / A::kLanes;

  [[gnu::always_inline]] void add(typename A::Float x) {
    partial_[at_] += x;
    if (++at_ == kVectors) at_ = 0;
    seen_ += A::kLanes;
    if (seen_ == scalar::kSumBlock) close();
  }
  Real total() {
    if (seen_ > 0) close();
    return static_cast<Real>(total_);
  }

 private:
  void close() {
    Real lanes[scalar::kPartialSums];
    std::memcpy(lanes, partial_, sizeof lanes);
    for (unsigned half = scalar::kPartialSums / 2; half > 0; half /= 2)
      for (unsigned k = 0; k < half; ++k) lanes[k] += lanes[k + half];
    total_ += double(lanes[0]);
    for (auto& vector : partial_) vector = typename A::Float(Real(0));
    seen_ = 0;
    at_ = 0;
  }

  typename A::Float partial_[kVectors] = {};
  double total_ = 0.0;
  int64_t seen_ = 0;
  int at_ = 0;
};

/// Visits a row in vectors: `visit(pointer, count)`; a short last vector goes through a buffer that
/// is filled up with `filler`.
template <class A, class F>
[[gnu::always_inline]] inline void for_vectors(const typename A::Element* in, int64_t n,
                                               typename A::Element filler, F&& visit) {
  int64_t i = 0;
  for (; i + A::kLanes <= n; i += A::kLanes) visit(A::load(in + i), i, A::kLanes);
  if (i == n) return;
  typename A::Element rest[A::kLanes];
  for (auto& element : rest) element = filler;
  std::memcpy(rest, in + i, size_t(n - i) * sizeof(typename A::Element));
  visit(A::load(rest), i, int(n - i));
}

template <class A>
[[gnu::always_inline]] inline void store_some(typename A::Element* to, typename A::Float x, int count) {
  if (count == A::kLanes) return A::store(to, x);
  typename A::Element all[A::kLanes];
  A::store(all, x);
  std::memcpy(to, all, size_t(count) * sizeof(typename A::Element));
}

/// Clears the lanes from `count` on.
template <class A>
[[gnu::always_inline]] inline typename A::Float first_lanes(typename A::Float x, int count) {
  if (count == A::kLanes) return x;
  for (int k = count; k < A::kLanes; ++k) x[k] = 0;
  return x;
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
  Float greatest = b.real(-INFINITY);
  for_vectors<A>(in, n, in[0], [&](Float x, int64_t, int) { greatest = scalar::maximum(b, greatest, x); });
  Real most = greatest[0];
  for (int k = 1; k < A::kLanes; ++k)
    most = greatest[k] > most || greatest[k] != greatest[k] ? greatest[k] : most;
  const Float shift = Float(most);
  RowSum<A> sum;
  if (!logarithm) {
    // Narrow dtypes keep the exponentials in the output, rounded, as float32 would not fit there.
    for_vectors<A>(in, n, in[0], [&](Float x, int64_t at, int count) {
      Float e = scalar::exp(b, x - shift);
      store_some<A>(out + at, e, count);
      sum.add(first_lanes<A>(e, count));
    });
    const Float total = Float(sum.total());
    for_vectors<A>(out, n, out[0], [&](Float e, int64_t at, int count) {
      store_some<A>(out + at, e / total, count);
    });
    return;
  }
  for_vectors<A>(in, n, in[0], [&](Float x, int64_t, int count) {
    sum.add(first_lanes<A>(scalar::exp(b, x - shift), count));
  });
  const Float total = scalar::log(b, Float(sum.total()));
  for_vectors<A>(in, n, in[0], [&](Float x, int64_t at, int count) {
    store_some<A>(out + at, (x - shift) - total, count);
  });
}

template <class Memory>
void layer_norm(const void* source, const void* weight, const void* bias, double epsilon,
                void* target, int64_t n) {
  using A = scalar::Access<Memory, Tag>;
  using Element = typename A::Element;
  using Float = typename A::Float;
  using Real = typename Memory::Real;
  const Element* in = static_cast<const Element*>(source);
  Element* out = static_cast<Element*>(target);
  RowSum<A> sum;
  for_vectors<A>(in, n, Element(0), [&](Float x, int64_t, int count) { sum.add(first_lanes<A>(x, count)); });
  const Float mean = Float(sum.total() / static_cast<Real>(n));
  RowSum<A> squares;
  for_vectors<A>(in, n, Element(0), [&](Float x, int64_t, int count) {
    Float deviation = first_lanes<A>(x - mean, count);
    squares.add(deviation * deviation);
  });
  Real variance = squares.total() / static_cast<Real>(n);
  const Float scale = Float(Real(1) / std::sqrt(variance + static_cast<Real>(epsilon)));
  const Element* factor = static_cast<const Element*>(weight);
  const Element* offset = static_cast<const Element*>(bias);
  for_vectors<A>(in, n, Element(0), [&](Float x, int64_t at, int count) {
    Float y = (x - mean) * scale;
    auto part = [&](const Element* from) {
      if (count == A::kLanes) return A::load(from + at);
      Element some[A::kLanes] = {};
      std::memcpy(some, from + at, size_t(count) * sizeof(Element));
      return A::load(some);
    };
    if (factor) y = y * part(factor);
    if (offset) y = y + part(offset);
    store_some<A>(out + at, y, count);
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
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
