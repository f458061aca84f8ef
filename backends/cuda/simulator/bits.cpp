// Bits: logic, shifts, fields, counts, permutations of bytes, and the same logic on predicates.
//
//     lop3.b32 %r4, %r1, %r2, %r3, 0x96      any function of three bits by its truth table: here
//     xor
#include <algorithm>

#include "backends/cuda/simulator/lane_loops.h"

namespace glint::simulator {
namespace {

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return T(a & b);
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return T(a | b);
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return T(a ^ b);
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return T(~a);
  }
};
struct LogicalNot {
  template <class T>
  T operator()(T a) const {
    return a == 0 ? 1 : 0;
  }
};

struct ShiftLeft {
  template <class T>
  T operator()(T a, uint32_t n) const {
    return n >= 8 * sizeof(T) ? T(0) : T(Wrapping<T>(a) << n);
  }
};
/// Of a signed type the sign moves in.
struct ShiftRight {
  template <class T>
  T operator()(T a, uint32_t n) const {
    constexpr uint32_t kBits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) return T(a >> (n < kBits ? n : kBits - 1));
    return n >= kBits ? T(0) : T(a >> (n & (kBits - 1)));
  }
};
template <bool clamp>
struct BitMask {
  uint32_t operator()(uint32_t from, uint32_t count) const {
    const auto bound = [](uint32_t n) { return clamp ? std::min(n, 32u) : n & 31; };
    const uint64_t bits = (uint64_t{1} << bound(count)) - 1;
    return static_cast<uint32_t>(bits << bound(from));
  }
};
template <bool left, bool clamp>
struct FunnelShift {
  uint32_t operator()(uint32_t low, uint32_t high, uint32_t n) const {
    const uint32_t by = clamp ? std::min(n, 32u) : n & 31u;
    const uint64_t both = uint64_t{high} << 32 | low;
    return static_cast<uint32_t>(left ? (both << by) >> 32 : both >> by);
  }
};

struct LookUp3 {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c, uint32_t table) const {
    uint32_t result = 0;
    if ((table & 0x01) != 0) result |= ~a & ~b & ~c;
    if ((table & 0x02) != 0) result |= ~a & ~b & c;
    if ((table & 0x04) != 0) result |= ~a & b & ~c;
    if ((table & 0x08) != 0) result |= ~a & b & c;
    if ((table & 0x10) != 0) result |= a & ~b & ~c;
    if ((table & 0x20) != 0) result |= a & ~b & c;
    if ((table & 0x40) != 0) result |= a & b & ~c;
    if ((table & 0x80) != 0) result |= a & b & c;
    return result;
  }
};

struct PopulationCount {
  template <class T>
  uint32_t operator()(T a) const {
    return static_cast<uint32_t>(std::popcount(a));
  }
};
struct LeadingZeros {
  template <class T>
  uint32_t operator()(T a) const {
    return static_cast<uint32_t>(std::countl_zero(a));
  }
};
/// The highest bit that differs from the sign, counted from the lowest, or from the highest as what
/// shifts it there; all ones where there is none.
template <bool shifts>
struct FindHighest {
  template <class T>
  uint32_t operator()(T a) const {
    using U = std::make_unsigned_t<T>;
    const U bits = std::is_signed_v<T> && a < 0 ? U(~U(a)) : U(a);
    if (bits == 0) return ~0u;
    const auto shift = static_cast<uint32_t>(std::countl_zero(bits));
    return shifts ? shift : static_cast<uint32_t>(8 * sizeof(T) - 1 - shift);
  }
};
struct Reverse {
  template <class T>
  T operator()(T a) const {
    if constexpr (sizeof(T) == 8) {
      return __builtin_bitreverse64(a);
    } else {
      return __builtin_bitreverse32(a);
    }
  }
};

/// `length` bits of a from `position` on; of a signed type the field's sign fills the rest.
struct ExtractField {
  template <class T>
  T operator()(T a, uint32_t position, uint32_t length) const {
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t kBits = 8 * sizeof(T);
    position &= 255;
    length &= 255;
    const uint32_t inside = position < kBits ? std::min(length, kBits - position) : 0;
    const uint32_t top = std::min(position + length - 1, kBits - 1);
    const bool sign = std::is_signed_v<T> && length > 0 && (U(a) >> top & 1) != 0;
    const U mask = inside == kBits ? U(~U(0)) : U((U(1) << inside) - 1);
    const U field = inside == 0 ? U(0) : U(U(a) >> position & mask);
    return T(sign ? field | U(~mask) : field);
  }
};
struct InsertField {
  template <class T>
  T operator()(T a, T b, uint32_t position, uint32_t length) const {
    constexpr uint32_t kBits = 8 * sizeof(T);
    position &= 255;
    length &= 255;
    if (position >= kBits || length == 0) return b;
    const T ones = length >= kBits ? T(~T(0)) : T((T(1) << length) - 1);
    const T mask = T(ones << position);
    return T((T(a << position) & mask) | (b & ~mask));
  }
};

/// Four bytes chosen out of the eight of a and b; a selector's top bit copies the byte's sign.
struct PermuteBytes {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t selectors) const {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t selector = selectors >> (4 * i) & 0xf;
      auto byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7)) & 0xff);
      if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};
/// A sum of products: of the parts of one word, by their type, with bytes of another from `first`
/// on.
template <class A, class B, uint32_t first = 0>
struct DotBytes {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    constexpr uint32_t kBits = 8 * sizeof(A);
    for (uint32_t i = 0; i < 32 / kBits; ++i) {
      c += static_cast<uint32_t>(int32_t{static_cast<A>(a >> (kBits * i))} *
                                 int32_t{static_cast<B>(b >> (8 * (first + i)))});
    }
    return c;
  }
};

template <class F, int arity>
void combine_predicates(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t a = warp.predicate(instruction.operand[1]);
  uint32_t value = 0;
  if constexpr (arity == 1) value = F()(a);
  if constexpr (arity == 2) value = F()(a, warp.predicate(instruction.operand[2]));
  warp.set_predicate(instruction.operand[0], value, mask);
}

template <class F, int arity>
bool prepare_logic(const Opcode& opcode, Instruction& instruction) {
  instruction.run = opcode.type() == Type::kPred
                        ? combine_predicates<F, arity>
                        : choose<F, arity, uint16_t, uint32_t, uint64_t>(opcode.type());
  return instruction.run != nullptr;
}

/// The handler of `R F(T, Others...)` for the T that stands for the type.
template <class F, class R, class... Others>
struct WithOthers {
  template <class... Ts>
  static bool prepare(const Opcode& opcode, Instruction& instruction) {
    const auto consider = [&]<class T>(T) {
      using Result = std::conditional_t<std::is_void_v<R>, T, R>;
      if (stands_for<T>(opcode.type())) instruction.run = map<F, Result, T, Others...>;
    };
    (consider(Ts()), ...);
    return instruction.run != nullptr;
  }
};
bool prepare_shift_left(const Opcode& opcode, Instruction& instruction) {
  return WithOthers<ShiftLeft, void, uint32_t>::prepare<uint16_t, uint32_t, uint64_t>(opcode,
                                                                                      instruction);
}
bool prepare_shift_right(const Opcode& opcode, Instruction& instruction) {
  return WithOthers<ShiftRight, void, uint32_t>::prepare<uint16_t, uint32_t, uint64_t, int16_t,
                                                         int32_t, int64_t>(opcode, instruction);
}
template <class F>
bool prepare_count(const Opcode& opcode, Instruction& instruction) {
  return WithOthers<F, uint32_t>::template prepare<uint32_t, uint64_t>(opcode, instruction);
}
template <bool shifts>
bool prepare_find_as(const Opcode& opcode, Instruction& instruction) {
  return WithOthers<FindHighest<shifts>, uint32_t>::template prepare<uint32_t, uint64_t, int32_t,
                                                                     int64_t>(opcode, instruction);
}
bool prepare_find(const Opcode& opcode, Instruction& instruction) {
  return opcode.has("shiftamt") ? prepare_find_as<true>(opcode, instruction)
                                : prepare_find_as<false>(opcode, instruction);
}
bool prepare_extract(const Opcode& opcode, Instruction& instruction) {
  return WithOthers<ExtractField, void, uint32_t, uint32_t>::prepare<uint32_t, uint64_t, int32_t,
                                                                     int64_t>(opcode, instruction);
}
template <class T>
bool prepare_insert_as(const Opcode& opcode, Instruction& instruction) {
  if (stands_for<T>(opcode.type())) instruction.run = map<InsertField, T, T, T, uint32_t, uint32_t>;
  return instruction.run != nullptr;
}
bool prepare_insert(const Opcode& opcode, Instruction& instruction) {
  return prepare_insert_as<uint32_t>(opcode, instruction) ||
         prepare_insert_as<uint64_t>(opcode, instruction);
}
bool prepare_mask(const Opcode& opcode, Instruction& instruction) {
  const bool clamp = opcode.has("clamp");
  instruction.run = clamp ? map<BitMask<true>, uint32_t, uint32_t, uint32_t>
                          : map<BitMask<false>, uint32_t, uint32_t, uint32_t>;
  return clamp || opcode.has("wrap");
}
template <bool left>
bool prepare_funnel(const Opcode& opcode, Instruction& instruction) {
  const bool clamp = opcode.has("clamp");
  instruction.run = clamp ? map<FunnelShift<left, true>, uint32_t, uint32_t, uint32_t, uint32_t>
                          : map<FunnelShift<left, false>, uint32_t, uint32_t, uint32_t, uint32_t>;
  return clamp || opcode.has("wrap");
}
bool prepare_look_up(const Opcode&, Instruction& instruction) {
  instruction.run = map<LookUp3, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  return true;
}
bool prepare_permute(const Opcode&, Instruction& instruction) {
  instruction.run = map<PermuteBytes, uint32_t, uint32_t, uint32_t, uint32_t>;
  return true;
}
/// Signed and unsigned parts, of either word.
template <class Signed, class Unsigned, uint32_t first = 0>
bool prepare_dot(const Opcode& opcode, Instruction& instruction) {
  if (opcode.types.size() != 2) return false;
  const auto run = [&]<class A, class B>() {
    return map<DotBytes<A, B, first>, uint32_t, uint32_t, uint32_t, uint32_t>;
  };
  const bool is_signed = opcode.types[0] == Type::kS32;
  if (opcode.types[1] == Type::kS32)
    instruction.run = is_signed ? run.template operator()<Signed, int8_t>()
                                : run.template operator()<Unsigned, int8_t>();
  else
    instruction.run = is_signed ? run.template operator()<Signed, uint8_t>()
                                : run.template operator()<Unsigned, uint8_t>();
  return true;
}

constexpr TypeSet kLogic = kBitTypes | types({Type::kPred});
constexpr TypeSet kWideBits = types({Type::kB32, Type::kB64});
constexpr TypeSet kWideIntegers = types({Type::kU32, Type::kU64, Type::kS32, Type::kS64});
constexpr TypeSet kWords = types({Type::kU32, Type::kS32});
constexpr TypeSet kB32Only = types({Type::kB32});

constexpr InstructionRow kRows[] = {
    {"and", "d, a, b", "", kLogic, "bitwise and", prepare_logic<And, 2>},
    {"or", "d, a, b", "", kLogic, "bitwise or", prepare_logic<Or, 2>},
    {"xor", "d, a, b", "", kLogic, "bitwise exclusive or", prepare_logic<Xor, 2>},
    {"not", "d, a", "", kLogic, "bitwise complement", prepare_logic<Not, 1>},
    {"cnot", "d, a", "", kBitTypes, "d = a == 0",
     prepare_same<LogicalNot, 1, uint16_t, uint32_t, uint64_t>},
    {"lop3", "d, a, b, c, n", "", kB32Only, "the function of three bits whose truth table is n",
     prepare_look_up},
    {"shl", "d, a, n", "", kBitTypes, "a << n; 0 where n passes the width", prepare_shift_left},
    {"shr", "d, a, n", "", kBitTypes | kIntegerTypes, "a >> n; of a signed type the sign moves in",
     prepare_shift_right},
    {"shf.l", "d, a, b, n", "wrap clamp", kB32Only, "the upper half of (b:a) << n",
     prepare_funnel<true>},
    {"shf.r", "d, a, b, n", "wrap clamp", kB32Only, "the lower half of (b:a) >> n",
     prepare_funnel<false>},
    {"popc", "r, a", "", kWideBits, "how many bits are set", prepare_count<PopulationCount>},
    {"clz", "r, a", "", kWideBits, "how many leading bits are 0", prepare_count<LeadingZeros>},
    {"bfind", "r, a", "shiftamt", kWideIntegers,
     "the highest bit that is no sign, or how far it is from the top; ~0: none", prepare_find},
    {"brev", "d, a", "", kWideBits, "the bits in reverse",
     prepare_same<Reverse, 1, uint32_t, uint64_t>},
    {"bfe", "d, a, n, n", "", kWideIntegers, "the field of a at a position, of a length",
     prepare_extract},
    {"bfi", "d, a, b, n, n", "", kWideBits, "b with a put into the field", prepare_insert},
    {"bmsk", "d, a, b", "wrap clamp", kB32Only, "b set bits from bit a on", prepare_mask},
    {"prmt", "d, a, b, n", "", kB32Only, "four of the eight bytes of a and b", prepare_permute},
    {"dp4a", "r, n, n, n", "", kWords, "d = c + four products of bytes",
     prepare_dot<int8_t, uint8_t>},
    {"dp2a.lo", "r, n, n, n", "", kWords, "d = c + a's halves by the lower two bytes of b",
     prepare_dot<int16_t, uint16_t>},
    {"dp2a.hi", "r, n, n, n", "", kWords, "d = c + a's halves by the upper two bytes of b",
     prepare_dot<int16_t, uint16_t, 2>},
};

}  // namespace

std::span<const InstructionRow> bit_rows() {
  return kRows;
}

}  // namespace glint::simulator
