// Integer arithmetic, and the rows of the instructions that integers and floats share: add, sub,
// mul, mad, div, min, max, abs, neg.
//
//     mul.hi.u32 %r3, %r1, %r2      the upper half of the 64-bit product
//
// Integers wrap. Division by zero gives all ones, the remainder then the dividend, as the hardware.
#include <algorithm>

#include "backends/cuda/simulator/floating.h"
#include "backends/cuda/simulator/lane_loops.h"

namespace glint::simulator {
namespace {

struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    return T(Wrapping<T>(a) * Wrapping<T>(b));
  }
};
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return T(Wrapping<T>(a) + Wrapping<T>(b));
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return T(Wrapping<T>(a) - Wrapping<T>(b));
  }
};
struct AddSaturated {
  int32_t operator()(int32_t a, int32_t b) const {
    return static_cast<int32_t>(std::clamp<int64_t>(
        int64_t{a} + b, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
  }
};
struct SubtractSaturated {
  int32_t operator()(int32_t a, int32_t b) const {
    return static_cast<int32_t>(std::clamp<int64_t>(
        int64_t{a} - b, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
  }
};

/// A type twice as wide.
template <class T>
struct Twice;
template <>
struct Twice<uint16_t> {
  using type = uint32_t;
};
template <>
struct Twice<int16_t> {
  using type = int32_t;
};
template <>
struct Twice<uint32_t> {
  using type = uint64_t;
};
template <>
struct Twice<int32_t> {
  using type = int64_t;
};
template <>
struct Twice<uint64_t> {
  using type = unsigned __int128;
};
template <>
struct Twice<int64_t> {
  using type = __int128;
};

struct MultiplyHigh {
  template <class T>
  T operator()(T a, T b) const {
    using Wide = typename Twice<T>::type;
    return T(Wide(a) * Wide(b) >> (8 * sizeof(T)));
  }
};
struct MultiplyWide {
  template <class T>
  typename Twice<T>::type operator()(T a, T b) const {
    using Wide = typename Twice<T>::type;
    return Wide(a) * Wide(b);
  }
};
struct MultiplyAdd {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()(Multiply()(a, b), c);
  }
};
struct MultiplyAddHigh {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()(MultiplyHigh()(a, b), c);
  }
};
struct MultiplyAddWide {
  template <class T>
  typename Twice<T>::type operator()(T a, T b, typename Twice<T>::type c) const {
    return Add()(MultiplyWide()(a, b), c);
  }
};
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return T(~T(0));
    if (b == T(-1) && std::is_signed_v<T>) return Subtract()(T(0), a);
    return T(a / b);
  }
};
struct Remainder {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return a;
    if (b == T(-1) && std::is_signed_v<T>) return 0;
    return T(a % b);
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct Absolute {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? Subtract()(T(0), a) : a;
  }
};
struct Negative {
  template <class T>
  T operator()(T a) const {
    return Subtract()(T(0), a);
  }
};
struct SumOfDifferences {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()(c, a > b ? Subtract()(a, b) : Subtract()(b, a));
  }
};

template <class F, int arity>
Handler choose_integer(Type type) {
  return choose<F, arity, uint16_t, uint32_t, uint64_t, int16_t, int32_t, int64_t>(type);
}

/// Integers by `F`; floats by the family of floats.
template <class F, int arity, FloatOperation operation>
bool prepare_either(const Opcode& opcode, Instruction& instruction) {
  instruction.run = choose_integer<F, arity>(opcode.type());
  if (instruction.run) return opcode.modifiers.empty();
  return prepare_float(operation, opcode, instruction);
}

template <class F, class Saturated, FloatOperation operation>
bool prepare_sum(const Opcode& opcode, Instruction& instruction) {
  if (opcode.type() == Type::kS32 && opcode.has("sat")) {
    instruction.run = map<Saturated, int32_t, int32_t, int32_t>;
    return true;
  }
  return prepare_either<F, 2, operation>(opcode, instruction);
}

template <class F, int arity>
bool prepare_integer(const Opcode& opcode, Instruction& instruction) {
  instruction.run = choose_integer<F, arity>(opcode.type());
  return instruction.run != nullptr;
}

template <class F, class... Ts>
Handler choose_wide(Type type, bool add) {
  Handler found = nullptr;
  const auto consider = [&]<class T>(T) {
    using Wide = typename Twice<T>::type;
    if (!stands_for<T>(type)) return;
    found = add ? map<MultiplyAddWide, Wide, T, T, Wide> : map<MultiplyWide, Wide, T, T>;
  };
  (consider(Ts()), ...);
  return found;
}
template <bool add>
bool prepare_wide(const Opcode& opcode, Instruction& instruction) {
  instruction.run =
      choose_wide<MultiplyWide, uint16_t, uint32_t, int16_t, int32_t>(opcode.type(), add);
  return instruction.run != nullptr;
}

constexpr TypeSet kAll = kIntegerTypes | kFloatTypes;
constexpr TypeSet kWidening = types({Type::kU16, Type::kU32, Type::kS16, Type::kS32});
constexpr std::string_view kRounding = "rn rz rm rp ftz sat";

constexpr InstructionRow kRows[] = {
    {"add", "d, a, b", kRounding, kAll, "d = a + b",
     prepare_sum<Add, AddSaturated, FloatOperation::kAdd>},
    {"sub", "d, a, b", kRounding, kAll, "d = a - b",
     prepare_sum<Subtract, SubtractSaturated, FloatOperation::kSubtract>},
    {"mul", "d, a, b", kRounding, kFloatTypes, "d = a * b",
     prepare_either<Multiply, 2, FloatOperation::kMultiply>},
    {"mul.lo", "d, a, b", "", kIntegerTypes, "the lower half of a * b",
     prepare_integer<Multiply, 2>},
    {"mul.hi", "d, a, b", "", kIntegerTypes, "the upper half of a * b",
     prepare_integer<MultiplyHigh, 2>},
    {"mul.wide", "D, a, b", "", kWidening, "d = a * b, of twice the width", prepare_wide<false>},
    {"mad.lo", "d, a, b, c", "", kIntegerTypes, "the lower half of a * b, plus c",
     prepare_integer<MultiplyAdd, 3>},
    {"mad.hi", "d, a, b, c", "", kIntegerTypes, "the upper half of a * b, plus c",
     prepare_integer<MultiplyAddHigh, 3>},
    {"mad.wide", "D, a, b, A", "", kWidening, "d = a * b + c, of twice the width",
     prepare_wide<true>},
    {"sad", "d, a, b, c", "", kIntegerTypes, "d = c + |a - b|",
     prepare_integer<SumOfDifferences, 3>},
    {"div", "d, a, b", "rn rz rm rp ftz approx full", kIntegerTypes | kWideFloatTypes,
     "d = a / b; integers towards zero", prepare_either<Divide, 2, FloatOperation::kDivide>},
    {"rem", "d, a, b", "", kIntegerTypes, "d = a - b * (a / b)", prepare_integer<Remainder, 2>},
    {"min", "d, a, b", "ftz NaN", kAll, "the lesser; of a NaN and a number, the number",
     prepare_either<Minimum, 2, FloatOperation::kMinimum>},
    {"max", "d, a, b", "ftz NaN", kAll, "the greater; of a NaN and a number, the number",
     prepare_either<Maximum, 2, FloatOperation::kMaximum>},
    {"abs", "d, a", "ftz", kSignedTypes | kFloatTypes, "d = |a|",
     prepare_either<Absolute, 1, FloatOperation::kAbsolute>},
    {"neg", "d, a", "ftz", kSignedTypes | kFloatTypes, "d = -a",
     prepare_either<Negative, 1, FloatOperation::kNegative>},
};

}  // namespace

std::span<const InstructionRow> arithmetic_rows() {
  return kRows;
}

}  // namespace glint::simulator
