// From the meaning of an instruction, one small function of scalars, to a handler: a loop over the
// 32 lanes that the compiler turns into vector code.
//
//     struct Add { template <class T> T operator()(T a, T b) const { return a + b; } };
//     map<Add, uint32_t, uint32_t, uint32_t>       // a Handler
//     choose<Add, uint32_t, float>(Type::kF32)     // the handler for this type, or null
//
// A predicate is `bool` among the arguments.
#pragma once

#include <array>
#include <utility>

#include "backends/cuda/simulator/instruction_table.h"
#include "backends/cuda/simulator/numbers.h"
#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {

template <class T>
struct LaneSource {
  const T* values;
  LaneSource(Warp& warp, uint32_t offset, uint32_t) : values(warp.lanes<T>(offset)) {}
  T operator[](uint32_t lane) const { return values[lane]; }
};
template <>
struct LaneSource<bool> {
  uint32_t bits;
  LaneSource(Warp& warp, uint32_t offset, uint32_t flip) : bits(warp.predicate(offset) ^ flip) {}
  bool operator[](uint32_t lane) const { return (bits >> lane & 1) != 0; }
};

template <class F, class R, class... Sources>
void map_sources(Warp& warp, const Instruction& instruction, uint32_t mask, Sources... sources) {
  R result[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) result[lane] = F()(sources[lane]...);
  warp.write(instruction.operand[0], result, mask);
}

template <class F, class R, class... Arguments, size_t... I>
void map_slots(Warp& warp, const Instruction& instruction, uint32_t mask,
               std::index_sequence<I...>) {
  map_sources<F, R>(warp, instruction, mask,
                    LaneSource<Arguments>(warp, instruction.operand[I + 1], instruction.flip)...);
}

/// The handler that computes `R F(Arguments...)` in every lane, the arguments from slot 1 on.
template <class F, class R, class... Arguments>
void map(Warp& warp, const Instruction& instruction, uint32_t mask) {
  map_slots<F, R, Arguments...>(warp, instruction, mask, std::index_sequence_for<Arguments...>());
}

/// `F` on both halves of packed operands.
template <class F>
struct Halves {
  template <class T, class... Others>
  Pair<T> operator()(Pair<T> a, Others... others) const {
    return {F()(a.low, others.low...), F()(a.high, others.high...)};
  }
};

template <class T>
constexpr bool kPair = std::is_same_v<T, Pair<Half>> || std::is_same_v<T, Pair<BFloat16>>;

/// The handler of `T F(T, ...)` with `arity` arguments.
template <class F, class T, int arity>
constexpr Handler map_same() {
  using G = std::conditional_t<kPair<T>, Halves<F>, F>;
  if constexpr (arity == 1) return map<G, T, T>;
  if constexpr (arity == 2) return map<G, T, T, T>;
  if constexpr (arity == 3) return map<G, T, T, T, T>;
}

/// The handler for `type` among the C++ types; null where none stands for it.
template <class F, int arity, class... Ts>
Handler choose(Type type) {
  Handler found = nullptr;
  (void)((stands_for<Ts>(type) ? (found = map_same<F, Ts, arity>(), true) : false) || ...);
  return found;
}

/// A row's `prepare` for an instruction whose handler depends on its type only.
template <class F, int arity, class... Ts>
bool prepare_same(const Opcode& opcode, Instruction& instruction) {
  instruction.run = choose<F, arity, Ts...>(opcode.type());
  return instruction.run != nullptr;
}

/// Wraps `run` for `.rz`, `.rm`, `.rp`, `.ftz` and `.sat` of a floating instruction; gives true, so
/// that a `prepare` can end with it.
bool prepare_rounding(const Opcode& opcode, Instruction& instruction);

/// As prepare_same, with the modifiers of floating instructions.
template <class F, int arity, class... Ts>
bool prepare_floating(const Opcode& opcode, Instruction& instruction) {
  return prepare_same<F, arity, Ts...>(opcode, instruction) &&
         prepare_rounding(opcode, instruction);
}

inline constexpr TypeSet kUnsignedTypes = types({Type::kU16, Type::kU32, Type::kU64});
inline constexpr TypeSet kSignedTypes = types({Type::kS16, Type::kS32, Type::kS64});
inline constexpr TypeSet kIntegerTypes = kUnsignedTypes | kSignedTypes;
inline constexpr TypeSet kBitTypes = types({Type::kB16, Type::kB32, Type::kB64});
inline constexpr TypeSet kSmallFloatTypes =
    types({Type::kF16, Type::kBF16, Type::kF16x2, Type::kBF16x2});
inline constexpr TypeSet kWideFloatTypes = types({Type::kF32, Type::kF64});
inline constexpr TypeSet kFloatTypes = kSmallFloatTypes | kWideFloatTypes;

}  // namespace glint::simulator
