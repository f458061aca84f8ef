// Activation functions in one pass: the arithmetic of their decompositions, operator by operator
// and in the same order, but from register to register. float32 and float64; narrower dtypes round
// after every operator and keep to their decompositions.
#include <cstring>
#include <numbers>

#include "ops/rows/row_kernels.h"
#include "ops/scalar/apply.h"
#include "ops/scalar/element_access.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

struct Tag {};

template <Activation kActivation, class B>
[[gnu::always_inline]] inline typename B::Float apply(const B& b, typename B::Float x,
                                                      typename B::Float p, typename B::Float q) {
  using Float = typename B::Float;
  const Float one = b.real(1.0), half = b.real(0.5), zero = b.real(0.0);
  if constexpr (kActivation == Activation::kGelu) {
    return (x * half) * (scalar::erf(b, x * b.real(std::numbers::sqrt2 / 2)) + one);
  } else if constexpr (kActivation == Activation::kGeluTanh) {
    const Float cube = (x * x) * x;
    const Float inner =
        (x + cube * b.real(0.044715)) * b.real(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
    return (x * half) * (scalar::tanh(b, inner) + one);
  } else if constexpr (kActivation == Activation::kSilu) {
    return x / (scalar::exp(b, -x) + one);
  } else if constexpr (kActivation == Activation::kSoftplus) {
    const Float scaled = x * p;
    const Float soft = scalar::log1p(b, scalar::exp(b, scaled)) / p;
    return b.select(b.less(q, scaled), x, soft);
  } else if constexpr (kActivation == Activation::kLeakyRelu) {
    return b.select(b.less(zero, x), x, x * p);
  } else if constexpr (kActivation == Activation::kElu) {
    return b.select(b.less(zero, x), x, scalar::expm1(b, x) * p);
  } else {
    return scalar::minimum(b, x, zero) - scalar::log1p(b, scalar::exp(b, -b.abs(x)));
  }
}

template <class Memory, Activation kActivation>
void activate(const void* source, void* target, int64_t n, double p, double q) {
  using A = scalar::Access<Memory, Tag>;
  using Element = typename A::Element;
  const typename A::B b;
  const Element* in = static_cast<const Element*>(source);
  Element* out = static_cast<Element*>(target);
  const auto first = b.real(p), second = b.real(q);
  int64_t i = 0;
  for (; i + A::kLanes <= n; i += A::kLanes)
    A::store(out + i, apply<kActivation>(b, A::load(in + i), first, second));
  if (i == n) return;
  Element rest[A::kLanes] = {};
  std::memcpy(rest, in + i, size_t(n - i) * sizeof(Element));
  A::store(rest, apply<kActivation>(b, A::load(rest), first, second));
  std::memcpy(out + i, rest, size_t(n - i) * sizeof(Element));
}

template <class Memory, size_t... kIndex>
void fill(ActivationLoop* loops, std::index_sequence<kIndex...>) {
  ((loops[kIndex] = activate<Memory, Activation(kIndex)>), ...);
}

}  // namespace

void fill_activations(RowTables& tables) {
  constexpr auto kAll = std::make_index_sequence<kActivationCount>();
  fill<scalar::Float32Memory>(tables.activation[0], kAll);
  fill<scalar::Float64Memory>(tables.activation[1], kAll);
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
