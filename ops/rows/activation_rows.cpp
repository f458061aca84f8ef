// Activation functions in one pass: the arithmetic of their decompositions, operator by operator
// and in the same order, but from register to register. float32 and float64; narrower dtypes round
// after every operator and keep to their decompositions.
#include <cstring>
#include <limits>
#include <numbers>

#include "ops/rows/row_kernels.h"
#include "ops/scalar/apply.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

struct Tag {};

template <Activation kActivation, class B>
[[gnu::always_inline]] inline typename B::Float apply(const B& b, typename B::Float x,
                                                      typename B::Float p, typename B::Float q) {
  using Float = typename B::Float;
  const Float one = b.real(1.0), half = b.real(0.5), zero = b.real(0.0);
  // x + 3 between 0 and 6, and NaN where x is.
  const auto raised = [&] {
    return scalar::minimum(b, scalar::maximum(b, x + b.real(3.0), zero), b.real(6.0));
  };
  if constexpr (kActivation == Activation::kGelu) {
    return (x * half) * (scalar::erf(b, x * b.real(std::numbers::sqrt2 / 2)) + one);
  } else if constexpr (kActivation == Activation::kGeluTanh) {
    const Float slope = (x * x) * b.real(kGeluTanhCube) + b.real(kGeluTanhSlope);
    return x * scalar::sigmoid(b, x * slope);
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
  } else if constexpr (kActivation == Activation::kMish) {
    const Float soft = scalar::log1p(b, scalar::exp(b, x));
    return x * scalar::tanh(b, b.select(b.less(b.real(20.0), x), x, soft));
  } else if constexpr (kActivation == Activation::kHardSigmoid) {
    return raised() / b.real(6.0);
  } else if constexpr (kActivation == Activation::kHardSwish) {
    return x * raised() / b.real(6.0);
  } else if constexpr (kActivation == Activation::kHardTanh) {
    return scalar::minimum(b, scalar::maximum(b, x, p), q);
  } else if constexpr (kActivation == Activation::kHardShrink) {
    return b.select(b.less_equal(b.abs(x), p), zero, x);
  } else if constexpr (kActivation == Activation::kSoftShrink) {
    return b.select(b.less(p, x), x - p,
                    b.select(b.less(x, -p), x + p, b.select(b.unordered(x), x, zero)));
  } else if constexpr (kActivation == Activation::kNanToNum) {
    const Float infinity = b.real(std::numeric_limits<double>::infinity());
    const Float finite = b.select(b.equal(b.abs(x), infinity), b.select(b.less(x, zero), -q, q), x);
    return b.select(b.unordered(x), p, finite);
  } else {
    return scalar::minimum(b, x, zero) - scalar::log1p(b, scalar::exp(b, -b.abs(x)));
  }
}

/// The loop over whole vectors of B; returns where it ended.
template <class B, Activation kActivation>
[[gnu::always_inline]] inline int64_t activate_vectors(const typename B::Real* in,
                                                       typename B::Real* out, int64_t i, int64_t n,
                                                       double p, double q) {
  const B b;
  const auto first = b.real(p), second = b.real(q);
  for (; i + B::kLanes <= n; i += B::kLanes)
    b.store(out + i, apply<kActivation>(b, b.load(in + i), first, second));
  return i;
}

template <class Real, Activation kActivation>
void activate(const void* source, void* target, int64_t n, double p, double q) {
  constexpr int kRegister = 64 / sizeof(Real);
  using One = scalar::Lanes<Real, kRegister, Tag>;
  using Four = scalar::Lanes<Real, 4 * kRegister, Tag>;
  const Real* in = static_cast<const Real*>(source);
  Real* out = static_cast<Real*>(target);
  int64_t i = activate_vectors<Four, kActivation>(in, out, 0, n, p, q);
  i = activate_vectors<One, kActivation>(in, out, i, n, p, q);
  if (i == n) return;
  Real rest[kRegister] = {};
  std::memcpy(rest, in + i, size_t(n - i) * sizeof(Real));
  activate_vectors<One, kActivation>(rest, rest, 0, kRegister, p, q);
  std::memcpy(out + i, rest, size_t(n - i) * sizeof(Real));
}

template <class Real, size_t... kIndex>
void fill(ActivationLoop* loops, std::index_sequence<kIndex...>) {
  ((loops[kIndex] = activate<Real, Activation(kIndex)>), ...);
}

}  // namespace

void fill_activations(RowTables& tables) {
  constexpr auto kAll = std::make_index_sequence<kActivationCount>();
  fill<float>(tables.activation[0], kAll);
  fill<double>(tables.activation[1], kAll);
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
