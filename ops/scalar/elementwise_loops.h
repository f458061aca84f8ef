// The loops behind elementwise_kernels.h, as templates over function, memory and instruction set.
//
// Floating loops take whole vectors, then the rest through a buffer of one vector, so that the last
// elements get the very same arithmetic. Integer loops are plain and left to the compiler's
// vectoriser: integers are exact in any order. Every source that includes this file is compiled
// twice (see cmake/ops.cmake), inside a namespace named for the instruction set.
#pragma once

#include <cstring>
#include <utility>

#include "ops/scalar/apply.h"
#include "ops/scalar/element_access.h"
#include "ops/scalar/elementwise_kernels.h"
#include "ops/scalar/integer.h"

namespace glint::scalar::GLINT_INSTRUCTION_SET {

struct Tag {};

#ifdef __AVX512F__
inline constexpr const char* kInstructionSetName = "x86-64-v4";
#else
inline constexpr const char* kInstructionSetName = "x86-64-v3";
#endif

enum class Sides { kBoth, kRightScalar, kLeftScalar };

constexpr bool gives_bool(ScalarFunction function) {
  return info(function).result == ScalarResult::kBool;
}

/// One vector of results: numbers, or a mask where the function gives bool.
template <ScalarFunction kFunction, class A>
[[gnu::always_inline]] inline auto compute(typename A::Float x, typename A::Float y) {
  const typename A::B b;
  if constexpr (!gives_bool(kFunction)) {
    return apply_floating(b, kFunction, x, y, x);
  } else if constexpr (kFunction == ScalarFunction::kLogicalNot) {
    return b.negated(truth(b, x));
  } else if constexpr (kFunction == ScalarFunction::kLogicalAnd) {
    return b.both(truth(b, x), truth(b, y));
  } else if constexpr (kFunction == ScalarFunction::kLogicalOr) {
    return b.either(truth(b, x), truth(b, y));
  } else if constexpr (kFunction == ScalarFunction::kLogicalXor) {
    return truth(b, x) ^ truth(b, y);
  } else {
    return compare_floating(b, kFunction, x, y);
  }
}

template <ScalarFunction kFunction, class Memory>
using OutputOf =
    std::conditional_t<gives_bool(kFunction), bool, typename Access<Memory, Tag>::Element>;

template <ScalarFunction kFunction, class Memory>
void floating_unary(const void* in, void* out, int64_t n) {
  using A = Access<Memory, Tag>;
  const auto* from = static_cast<const typename A::Element*>(in);
  auto* to = static_cast<OutputOf<kFunction, Memory>*>(out);
  int64_t i = 0;
  for (; i + A::kLanes <= n; i += A::kLanes) {
    const auto x = A::load(from + i);
    A::store(to + i, compute<kFunction, A>(x, x));
  }
  if (i == n) return;
  alignas(64) typename A::Element rest[A::kLanes] = {};
  alignas(64) OutputOf<kFunction, Memory> results[A::kLanes];
  std::memcpy(rest, from + i, size_t(n - i) * sizeof rest[0]);
  const auto x = A::load(rest);
  A::store(results, compute<kFunction, A>(x, x));
  std::memcpy(to + i, results, size_t(n - i) * sizeof results[0]);
}

template <ScalarFunction kFunction, class Memory, Sides kSides>
void floating_binary(const void* left, const void* right, void* out, int64_t n) {
  using A = Access<Memory, Tag>;
  using Element = typename A::Element;
  const auto* a = static_cast<const Element*>(left);
  const auto* b = static_cast<const Element*>(right);
  auto* to = static_cast<OutputOf<kFunction, Memory>*>(out);
  if (n == 0) return;
  typename A::Float x = {}, y = {};
  if constexpr (kSides == Sides::kLeftScalar) x = A::splat(left);
  if constexpr (kSides == Sides::kRightScalar) y = A::splat(right);
  int64_t i = 0;
  for (; i + A::kLanes <= n; i += A::kLanes) {
    if constexpr (kSides != Sides::kLeftScalar) x = A::load(a + i);
    if constexpr (kSides != Sides::kRightScalar) y = A::load(b + i);
    A::store(to + i, compute<kFunction, A>(x, y));
  }
  if (i == n) return;
  alignas(64) Element rest[2][A::kLanes];
  alignas(64) OutputOf<kFunction, Memory> results[A::kLanes];
  const auto count = size_t(n - i);
  // The unused lanes compute 1 op 1: never a slow path of theirs.
  A::store(rest[0], typename A::B{}.real(1.0));
  A::store(rest[1], typename A::B{}.real(1.0));
  if constexpr (kSides != Sides::kLeftScalar) {
    std::memcpy(rest[0], a + i, count * sizeof(Element));
    x = A::load(rest[0]);
  }
  if constexpr (kSides != Sides::kRightScalar) {
    std::memcpy(rest[1], b + i, count * sizeof(Element));
    y = A::load(rest[1]);
  }
  A::store(results, compute<kFunction, A>(x, y));
  std::memcpy(to + i, results, count * sizeof results[0]);
}

/// x * y + z, where y may be one number.
template <class Memory, bool kNumber>
void floating_fma(const void* first, const void* second, const void* third, void* out, int64_t n) {
  using A = Access<Memory, Tag>;
  using Element = typename A::Element;
  const auto* x = static_cast<const Element*>(first);
  const auto* y = static_cast<const Element*>(second);
  const auto* z = static_cast<const Element*>(third);
  auto* to = static_cast<Element*>(out);
  const typename A::B b;
  typename A::Float factor = {};
  if constexpr (kNumber) factor = A::splat(second);
  int64_t i = 0;
  for (; i + A::kLanes <= n; i += A::kLanes) {
    if constexpr (!kNumber) factor = A::load(y + i);
    A::store(to + i, b.fma(A::load(x + i), factor, A::load(z + i)));
  }
  if (i == n) return;
  alignas(64) Element rest[3][A::kLanes] = {};
  const auto count = size_t(n - i) * sizeof(Element);
  std::memcpy(rest[0], x + i, count);
  std::memcpy(rest[2], z + i, count);
  if constexpr (!kNumber) {
    std::memcpy(rest[1], y + i, count);
    factor = A::load(rest[1]);
  }
  A::store(rest[0], b.fma(A::load(rest[0]), factor, A::load(rest[2])));
  std::memcpy(to + i, rest[0], count);
}

/// One vector of a blend; see `Blend`.
template <Blend kBlend, class A>
[[gnu::always_inline]] inline auto blend(typename A::Float x, typename A::Float y,
                                         typename A::Float z, typename A::Float number) {
  const typename A::B b;
  if constexpr (kBlend == Blend::kLerp) return b.fma(y - x, number, z);
  if constexpr (kBlend == Blend::kAddcmul) return b.fma(y * number, z, x);
  if constexpr (kBlend == Blend::kAddcdiv) return x + y * number / z;
}

template <Blend kBlend, class Memory>
void floating_blend(const void* first, const void* second, const void* third, const void* number,
                    void* out, int64_t n) {
  using A = Access<Memory, Tag>;
  using Element = typename A::Element;
  const Element* in[3] = {static_cast<const Element*>(first), static_cast<const Element*>(second),
                          static_cast<const Element*>(third)};
  auto* to = static_cast<Element*>(out);
  const typename A::Float factor = A::splat(number);
  int64_t i = 0;
  for (; i + A::kLanes <= n; i += A::kLanes)
    A::store(to + i,
             blend<kBlend, A>(A::load(in[0] + i), A::load(in[1] + i), A::load(in[2] + i), factor));
  if (i == n) return;
  alignas(64) Element rest[3][A::kLanes];
  const auto count = size_t(n - i) * sizeof(Element);
  for (int k = 0; k < 3; ++k) {
    // The unused lanes compute with 1: never a slow path of theirs.
    A::store(rest[k], typename A::B{}.real(1.0));
    std::memcpy(rest[k], in[k] + i, count);
  }
  A::store(rest[0], blend<kBlend, A>(A::load(rest[0]), A::load(rest[1]), A::load(rest[2]), factor));
  std::memcpy(to + i, rest[0], count);
}

template <ScalarFunction kFunction, class T, bool kIsBool>
[[gnu::always_inline]] inline auto compute_integer(T x, T y) {
  if constexpr (gives_bool(kFunction)) {
    return compare_integer<kFunction, T>(x, y);
  } else {
    return apply_integer<kFunction, T, kIsBool>(x, y, x);
  }
}

template <ScalarFunction kFunction, class T, bool kIsBool>
void integer_unary(const void* in, void* out, int64_t n) {
  const auto* from = static_cast<const T*>(in);
  auto* to = static_cast<decltype(compute_integer<kFunction, T, kIsBool>(T(), T()))*>(out);
  for (int64_t i = 0; i < n; ++i) to[i] = compute_integer<kFunction, T, kIsBool>(from[i], from[i]);
}

template <ScalarFunction kFunction, class T, bool kIsBool, Sides kSides>
void integer_binary(const void* left, const void* right, void* out, int64_t n) {
  const auto* a = static_cast<const T*>(left);
  const auto* b = static_cast<const T*>(right);
  auto* to = static_cast<decltype(compute_integer<kFunction, T, kIsBool>(T(), T()))*>(out);
  if (n == 0) return;
  const T x = *a;
  const T y = *b;
  for (int64_t i = 0; i < n; ++i) {
    to[i] = compute_integer<kFunction, T, kIsBool>(kSides == Sides::kLeftScalar ? x : a[i],
                                                   kSides == Sides::kRightScalar ? y : b[i]);
  }
}

using FunctionTable = ElementwiseLoops[kScalarFunctionCount];

template <ScalarFunction kFunction, class Memory>
constexpr ElementwiseLoops floating_loops() {
  constexpr ScalarDomain kDomain = info(kFunction).domain;
  constexpr bool kTakes = kDomain == ScalarDomain::kWide ? Access<Memory, Tag>::kDirect
                                                         : kDomain != ScalarDomain::kIntegral;
  if constexpr (!kTakes || kFunction >= ScalarFunction::kWhere ||
                kFunction == ScalarFunction::kFma) {
    return {};
  } else if constexpr (info(kFunction).arity == 1) {
    return {.unary = floating_unary<kFunction, Memory>};
  } else {
    return {.binary = floating_binary<kFunction, Memory, Sides::kBoth>,
            .right_scalar = floating_binary<kFunction, Memory, Sides::kRightScalar>,
            .left_scalar = floating_binary<kFunction, Memory, Sides::kLeftScalar>};
  }
}

template <ScalarFunction kFunction, class T, bool kIsBool>
constexpr ElementwiseLoops integer_loops() {
  if constexpr (!takes(kFunction, DType::kInt64) || kFunction >= ScalarFunction::kWhere ||
                kFunction == ScalarFunction::kFma) {
    return {};
  } else if constexpr (info(kFunction).arity == 1) {
    return {.unary = integer_unary<kFunction, T, kIsBool>};
  } else {
    return {.binary = integer_binary<kFunction, T, kIsBool, Sides::kBoth>,
            .right_scalar = integer_binary<kFunction, T, kIsBool, Sides::kRightScalar>,
            .left_scalar = integer_binary<kFunction, T, kIsBool, Sides::kLeftScalar>};
  }
}

template <class Memory, size_t... kIndex>
constexpr void fill_floating(FunctionTable& table, std::index_sequence<kIndex...>) {
  ((table[kIndex] = floating_loops<ScalarFunction(kIndex), Memory>()), ...);
}

template <class T, bool kIsBool, size_t... kIndex>
constexpr void fill_integer(FunctionTable& table, std::index_sequence<kIndex...>) {
  ((table[kIndex] = integer_loops<ScalarFunction(kIndex), T, kIsBool>()), ...);
}

/// A dtype's loops by function.
struct DTypeLoops {
  FunctionTable functions;
  FmaLoop fma = nullptr;
  FmaLoop fma_number = nullptr;  ///< the second operand is one number
  BlendLoop blends[3] = {};
};

template <class Memory>
constexpr DTypeLoops make_floating() {
  DTypeLoops loops = {};
  fill_floating<Memory>(loops.functions, std::make_index_sequence<kScalarFunctionCount>());
  loops.fma = floating_fma<Memory, false>;
  loops.fma_number = floating_fma<Memory, true>;
  loops.blends[size_t(Blend::kLerp)] = floating_blend<Blend::kLerp, Memory>;
  loops.blends[size_t(Blend::kAddcmul)] = floating_blend<Blend::kAddcmul, Memory>;
  loops.blends[size_t(Blend::kAddcdiv)] = floating_blend<Blend::kAddcdiv, Memory>;
  return loops;
}

template <class T, bool kIsBool = false>
constexpr DTypeLoops make_integer() {
  DTypeLoops loops = {};
  fill_integer<T, kIsBool>(loops.functions, std::make_index_sequence<kScalarFunctionCount>());
  return loops;
}

extern const DTypeLoops kFloat32Loops;
extern const DTypeLoops kFloat64Loops;
extern const DTypeLoops kBFloat16Loops;
extern const DTypeLoops kFloat16Loops;
extern const DTypeLoops kIntegerLoops[6];  ///< bool, uint8, int8, int16, int32, int64
extern const WhereLoop kWhereLoops[4];     ///< by log2 of the element's size
UnaryLoop cast_entry(DType from, DType to);

}  // namespace glint::scalar::GLINT_INSTRUCTION_SET
