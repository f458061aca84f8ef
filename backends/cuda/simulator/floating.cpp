// Floating arithmetic, rounded as IEEE 754 says: the host's own operations, in the rounding mode
// and with the flushing of subnormals that the instruction asks for.
//
//     fma.rm.ftz.f32   MXCSR := round down, flush; run fma.f32; MXCSR := as before
//
// The 16-bit types compute in float, which rounds twice without harm for one operation; their fused
// multiply-add computes in double.
#include "backends/cuda/simulator/floating.h"

#include <immintrin.h>

#include <cmath>

#include "backends/cuda/simulator/lane_loops.h"

namespace glint::simulator {
namespace {

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return rounded_to<T>(Compute<T>(a) + Compute<T>(b));
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return rounded_to<T>(Compute<T>(a) - Compute<T>(b));
  }
};
struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    return rounded_to<T>(Compute<T>(a) * Compute<T>(b));
  }
};
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    return rounded_to<T>(Compute<T>(a) / Compute<T>(b));
  }
};

/// -0 is less than +0; a NaN gives way to a number.
template <class C>
bool less(C a, C b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    const Compute<T> x(a), y(b);
    return rounded_to<T>(x != x ? y : y != y ? x : less(y, x) ? y : x);
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    const Compute<T> x(a), y(b);
    return rounded_to<T>(x != x ? y : y != y ? x : less(x, y) ? y : x);
  }
};
template <class F>
struct OrNan {
  template <class T>
  T operator()(T a, T b) const {
    const Compute<T> x(a), y(b);
    return x != x || y != y ? rounded_to<T>(not_a_number<Compute<T>>()) : F()(a, b);
  }
};

/// The bits of a float but its sign.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 2, uint16_t,
                                  std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
template <class T>
constexpr BitsOf<T> kSign = BitsOf<T>(BitsOf<T>(1) << (8 * sizeof(T) - 1));

struct Absolute {
  template <class T>
  T operator()(T a) const {
    return std::bit_cast<T>(BitsOf<T>(std::bit_cast<BitsOf<T>>(a) & ~kSign<T>));
  }
};
struct Negative {
  template <class T>
  T operator()(T a) const {
    return std::bit_cast<T>(BitsOf<T>(std::bit_cast<BitsOf<T>>(a) ^ kSign<T>));
  }
};
/// What passes a subnormal on without computing: `.ftz` makes it zero here.
template <class F>
struct Flushed {
  template <class... Arguments>
  float operator()(Arguments... arguments) const {
    const float result = F()(arguments...);
    const bool subnormal = std::fabs(result) < std::numeric_limits<float>::min();
    return subnormal ? std::copysign(0.0f, result) : result;
  }
};
struct CopySign {
  template <class T>
  T operator()(T a, T b) const {
    return std::bit_cast<T>(BitsOf<T>((std::bit_cast<BitsOf<T>>(a) & kSign<T>) |
                                      (std::bit_cast<BitsOf<T>>(b) & ~kSign<T>)));
  }
};

/// a * b + c of 16-bit floats: exact in double but for the last step, which is rounded to odd.
template <class T>
T fused_small(T a, T b, T c) {
  const double product = double(float(a)) * double(float(b));
  const auto addend = double(float(c));
  const double sum = product + addend;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (addend - back);
  auto bits = std::bit_cast<uint64_t>(sum);
  if (error != 0 && (bits & 1) == 0 && std::isfinite(sum)) {
    bits += (error > 0) == (sum > 0) ? 1 : uint64_t(-1);
  }
  return narrow<T>(std::bit_cast<double>(bits));
}
struct FusedMultiplyAdd {
  template <class T>
  T operator()(T a, T b, T c) const {
    if constexpr (kSmallFloat<T>) {
      return fused_small(a, b, c);
    } else {
      return rounded_to<T>(std::fma(a, b, c));
    }
  }
};
struct FusedRelu {
  template <class T>
  T operator()(T a, T b, T c) const {
    const T value = FusedMultiplyAdd()(a, b, c);
    return float(value) < 0 ? T(0.0f) : value;
  }
};
struct SquareRoot {
  template <class T>
  T operator()(T a) const {
    return rounded_to<T>(std::sqrt(a));
  }
};
struct Reciprocal {
  template <class T>
  T operator()(T a) const {
    return rounded_to<T>(T(1) / a);
  }
};

struct Saturate {
  template <class T>
  T operator()(T a) const {
    const Compute<T> value(a);
    return value > 0 ? (value < 1 ? a : T(1.0f)) : T(0.0f);
  }
};
/// In place: the destination is both source and result.
template <class T>
void saturate_lanes(Warp& warp, const Instruction& instruction, uint32_t mask) {
  T result[kLanes];
  const T* values = warp.lanes<T>(instruction.operand[0]);
  using F = std::conditional_t<kPair<T>, Halves<Saturate>, Saturate>;
  for (uint32_t lane = 0; lane < kLanes; ++lane) result[lane] = F()(values[lane]);
  warp.write(instruction.operand[0], result, mask);
}
Handler saturation(Type type) {
  switch (type) {
    case Type::kF32:
      return saturate_lanes<float>;
    case Type::kF64:
      return saturate_lanes<double>;
    case Type::kF16:
      return saturate_lanes<Half>;
    case Type::kBF16:
      return saturate_lanes<BFloat16>;
    case Type::kF16x2:
      return saturate_lanes<Pair<Half>>;
    case Type::kBF16x2:
      return saturate_lanes<Pair<BFloat16>>;
    default:
      return nullptr;
  }
}

/// Runs the wrapped handler under another rounding mode, and saturates what it leaves.
void run_rounded(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t before = _mm_getcsr();
  _mm_setcsr((before & ~0xe040u) | instruction.rounding);
  instruction.inner(warp, instruction, mask);
  _mm_setcsr(before);
  if (instruction.after) instruction.after(warp, instruction, mask);
}

template <class F, int arity>
bool prepare_any(const Opcode& opcode, Instruction& instruction) {
  return prepare_floating<F, arity, Half, BFloat16, Pair<Half>, Pair<BFloat16>, float, double>(
      opcode, instruction);
}
template <class F, int arity>
bool prepare_wide(const Opcode& opcode, Instruction& instruction) {
  return prepare_floating<F, arity, float, double>(opcode, instruction);
}

/// Of min, max, abs and neg, which choose or change bits.
template <class F, int arity>
bool prepare_choice(const Opcode& opcode, Instruction& instruction) {
  if (!opcode.has("ftz")) return prepare_any<F, arity>(opcode, instruction);
  return prepare_same<Flushed<F>, arity, float>(opcode, instruction);
}

bool prepare_fused(const Opcode& opcode, Instruction& instruction) {
  if (!opcode.has("relu")) return prepare_any<FusedMultiplyAdd, 3>(opcode, instruction);
  return prepare_floating<FusedRelu, 3, Half, BFloat16, Pair<Half>, Pair<BFloat16>>(opcode,
                                                                                    instruction);
}

constexpr InstructionRow kRows[] = {
    {"fma", "d, a, b, c", "rn rz rm rp ftz sat relu", kFloatTypes, "d = a * b + c, rounded once",
     prepare_fused},
    {"mad", "d, a, b, c", "rn rz rm rp ftz sat", kWideFloatTypes, "d = a * b + c, rounded once",
     prepare_wide<FusedMultiplyAdd, 3>},
    {"sqrt", "d, a", "rn rz rm rp ftz approx", kWideFloatTypes, "the square root",
     prepare_wide<SquareRoot, 1>},
    {"rcp", "d, a", "rn rz rm rp ftz", kWideFloatTypes, "d = 1 / a", prepare_wide<Reciprocal, 1>},
    {"copysign", "d, a, b", "", kWideFloatTypes, "b with the sign of a", prepare_wide<CopySign, 2>},
};

}  // namespace

bool prepare_rounding(const Opcode& opcode, Instruction& instruction) {
  uint32_t mode = 0;
  if (opcode.has("rm")) mode |= _MM_ROUND_DOWN;
  if (opcode.has("rp")) mode |= _MM_ROUND_UP;
  if (opcode.has("rz")) mode |= _MM_ROUND_TOWARD_ZERO;
  // Of the 16-bit types only results could be flushed, and the processor's switch speaks of floats.
  if (opcode.has("ftz")) mode |= _MM_FLUSH_ZERO_ON | 0x0040u;
  const bool saturate = opcode.has("sat");
  if (mode == 0 && !saturate) return true;
  instruction.rounding = mode;
  instruction.inner = instruction.run;
  instruction.after = saturate ? saturation(opcode.type()) : nullptr;
  instruction.run = run_rounded;
  return true;
}

bool prepare_float(FloatOperation operation, const Opcode& opcode, Instruction& instruction) {
  switch (operation) {
    case FloatOperation::kAdd:
      return prepare_any<Add, 2>(opcode, instruction);
    case FloatOperation::kSubtract:
      return prepare_any<Subtract, 2>(opcode, instruction);
    case FloatOperation::kMultiply:
      return prepare_any<Multiply, 2>(opcode, instruction);
    case FloatOperation::kDivide:
      return prepare_wide<Divide, 2>(opcode, instruction);
    case FloatOperation::kMinimum:
      return opcode.has("NaN") ? prepare_choice<OrNan<Minimum>, 2>(opcode, instruction)
                               : prepare_choice<Minimum, 2>(opcode, instruction);
    case FloatOperation::kMaximum:
      return opcode.has("NaN") ? prepare_choice<OrNan<Maximum>, 2>(opcode, instruction)
                               : prepare_choice<Maximum, 2>(opcode, instruction);
    case FloatOperation::kAbsolute:
      return prepare_choice<Absolute, 1>(opcode, instruction);
    case FloatOperation::kNegative:
      return prepare_choice<Negative, 1>(opcode, instruction);
  }
  return false;
}

std::span<const InstructionRow> floating_rows() {
  return kRows;
}

}  // namespace glint::simulator
