// Comparisons and what chooses by them: setp, set, selp, slct, testp.
//
//     setp.ltu.and.f32 %p1|%p2, %f1, %f2, %p3
//     %p1 = !(f1 >= f2) && p3        %p2 = (f1 >= f2) && p3
//
// Of floats, `lt` is false where an operand is NaN; `ltu` is true there: the complement of `ge`.
// Of packed halves each is compared by itself: `setp` has a predicate for each, `set` a half.
#include <cmath>

#include "backends/cuda/simulator/lane_loops.h"

namespace glint::simulator {
namespace {

struct Equal {
  template <class C>
  bool operator()(C a, C b) const {
    return a == b;
  }
};
struct Differ {
  template <class C>
  bool operator()(C a, C b) const {
    return a < b || a > b;
  }
};
struct Less {
  template <class C>
  bool operator()(C a, C b) const {
    return a < b;
  }
};
struct LessOrEqual {
  template <class C>
  bool operator()(C a, C b) const {
    return a <= b;
  }
};
struct Greater {
  template <class C>
  bool operator()(C a, C b) const {
    return a > b;
  }
};
struct GreaterOrEqual {
  template <class C>
  bool operator()(C a, C b) const {
    return a >= b;
  }
};
struct Numbers {
  template <class C>
  bool operator()(C a, C b) const {
    return a == a && b == b;
  }
};

enum class Relation : uint8_t {
  kEqual,
  kDiffer,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kNumbers
};
/// A relation's name, and whether it is the complement.
struct RelationName {
  std::string_view name;
  Relation relation;
  bool complement;
};
constexpr RelationName kRelations[] = {
    {"eq", Relation::kEqual, false},          {"ne", Relation::kDiffer, false},
    {"lt", Relation::kLess, false},           {"le", Relation::kLessOrEqual, false},
    {"gt", Relation::kGreater, false},        {"ge", Relation::kGreaterOrEqual, false},
    {"lo", Relation::kLess, false},           {"ls", Relation::kLessOrEqual, false},
    {"hi", Relation::kGreater, false},        {"hs", Relation::kGreaterOrEqual, false},
    {"equ", Relation::kDiffer, true},         {"neu", Relation::kEqual, true},
    {"ltu", Relation::kGreaterOrEqual, true}, {"leu", Relation::kGreater, true},
    {"gtu", Relation::kLessOrEqual, true},    {"geu", Relation::kLess, true},
    {"num", Relation::kNumbers, false},       {"nan", Relation::kNumbers, true},
};

enum class Combine : uint8_t { kNone, kAnd, kOr, kXor };

uint32_t combined(Combine combine, uint32_t value, uint32_t other) {
  switch (combine) {
    case Combine::kNone:
      return value;
    case Combine::kAnd:
      return value & other;
    case Combine::kOr:
      return value | other;
    case Combine::kXor:
      return value ^ other;
  }
  return value;
}

/// Which part of an operand is compared.
struct Whole {
  template <class T>
  T operator()(T value) const {
    return value;
  }
};
struct Low {
  template <class T>
  T operator()(Pair<T> value) const {
    return value.low;
  }
};
struct High {
  template <class T>
  T operator()(Pair<T> value) const {
    return value.high;
  }
};

/// The relation in every lane, a bit each, combined with the predicate.
template <class F, class T, class Part = Whole>
uint32_t compare_lanes(Warp& warp, const Instruction& instruction, uint32_t flip = 0) {
  using C = Compute<decltype(Part()(T()))>;
  const T* a = warp.lanes<T>(instruction.operand[1]);
  const T* b = warp.lanes<T>(instruction.operand[2]);
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    bits |= uint32_t{F()(C(Part()(a[lane])), C(Part()(b[lane])))} << lane;
  }
  const uint32_t other = warp.predicate(instruction.operand[3]) ^ instruction.flip;
  const auto combine = static_cast<Combine>(instruction.mode);
  return combined(combine, bits ^ instruction.result_flip ^ flip, other);
}

/// A second predicate is of the complement; of packed halves the first is the lower one's.
template <class F, class T>
void set_predicates(Warp& warp, const Instruction& instruction, uint32_t mask) {
  uint32_t first = 0, second = 0;
  if constexpr (kPair<T>) {
    first = compare_lanes<F, T, Low>(warp, instruction);
    second = compare_lanes<F, T, High>(warp, instruction);
  } else {
    first = compare_lanes<F, T>(warp, instruction);
    if (instruction.mode2 != 0) second = compare_lanes<F, T>(warp, instruction, ~0u);
  }
  if (instruction.mode2 != 0) {
    warp.set_predicate(instruction.operand[kSecondSlot], second, mask);
  }
  warp.set_predicate(instruction.operand[0], first, mask);
}

/// What `set` leaves for true: 1.0 of a float, else all ones.
uint32_t truth(Type type) {
  switch (type) {
    case Type::kF32:
      return 0x3f800000u;
    case Type::kF16:
    case Type::kF16x2:
      return 0x3c003c00u;
    case Type::kBF16:
    case Type::kBF16x2:
      return 0x3f803f80u;
    default:
      return ~0u;
  }
}

/// `set`: true or zero, in the upper half of a pair by what its upper halves are.
template <class F, class T, class R>
void set_values(Warp& warp, const Instruction& instruction, uint32_t mask) {
  uint32_t low = 0, high = 0;
  if constexpr (kPair<T>) {
    low = compare_lanes<F, T, Low>(warp, instruction);
    high = compare_lanes<F, T, High>(warp, instruction);
  } else {
    low = high = compare_lanes<F, T>(warp, instruction);
  }
  const uint32_t yes = truth(instruction.type);
  R result[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t halves =
        ((low >> lane & 1) != 0 ? 0xffffu : 0) | ((high >> lane & 1) != 0 ? 0xffff0000u : 0);
    result[lane] = static_cast<R>(yes & halves);
  }
  warp.write(instruction.operand[0], result, mask);
}

/// What a comparison leaves: predicates, or values of 16 or 32 bits.
enum class Outcome : uint8_t { kPredicates, kHalf, kWord };

template <class F, class... Ts>
Handler choose_compare(Type type, Outcome result) {
  Handler found = nullptr;
  const auto consider = [&]<class T>(T) {
    if (!stands_for<T>(type)) return;
    found = set_predicates<F, T>;
    if (result == Outcome::kHalf) found = set_values<F, T, uint16_t>;
    if (result == Outcome::kWord) found = set_values<F, T, uint32_t>;
  };
  (consider(Ts()), ...);
  return found;
}
template <class F>
Handler compare_handler(Type type, Outcome result) {
  return choose_compare<F, uint16_t, uint32_t, uint64_t, int16_t, int32_t, int64_t, Half, BFloat16,
                        Pair<Half>, Pair<BFloat16>, float, double>(type, result);
}
Handler relation_handler(Relation relation, Type type, Outcome result) {
  switch (relation) {
    case Relation::kEqual:
      return compare_handler<Equal>(type, result);
    case Relation::kDiffer:
      return compare_handler<Differ>(type, result);
    case Relation::kLess:
      return compare_handler<Less>(type, result);
    case Relation::kLessOrEqual:
      return compare_handler<LessOrEqual>(type, result);
    case Relation::kGreater:
      return compare_handler<Greater>(type, result);
    case Relation::kGreaterOrEqual:
      return compare_handler<GreaterOrEqual>(type, result);
    case Relation::kNumbers:
      return compare_handler<Numbers>(type, result);
  }
  return nullptr;
}

bool prepare_compare(const Opcode& opcode, Instruction& instruction, Outcome result) {
  const RelationName* relation = nullptr;
  for (const RelationName& row : kRelations) {
    if (opcode.has(row.name)) relation = &row;
  }
  if (!relation) return false;
  Combine combine = Combine::kNone;
  if (opcode.has("and")) combine = Combine::kAnd;
  if (opcode.has("or")) combine = Combine::kOr;
  if (opcode.has("xor")) combine = Combine::kXor;
  instruction.mode = static_cast<uint8_t>(combine);
  instruction.result_flip = relation->complement ? ~0u : 0u;
  instruction.run = relation_handler(relation->relation, opcode.type(), result);
  return instruction.run != nullptr;
}
bool prepare_setp(const Opcode& opcode, Instruction& instruction) {
  return prepare_compare(opcode, instruction, Outcome::kPredicates);
}
bool prepare_set(const Opcode& opcode, Instruction& instruction) {
  if (opcode.types.size() != 2) return false;
  instruction.type = opcode.types[0];
  const bool packed = info(opcode.type()).kind == TypeClass::kPacked;
  switch (size_of(instruction.type)) {
    case 2:
      return !packed && prepare_compare(opcode, instruction, Outcome::kHalf);
    case 4:
      return prepare_compare(opcode, instruction, Outcome::kWord);
    default:
      return false;
  }
}

struct Select {
  template <class T>
  T operator()(T a, T b, bool which) const {
    return which ? a : b;
  }
};
bool prepare_select(const Opcode& opcode, Instruction& instruction) {
  switch (size_of(opcode.type())) {
    case 2:
      instruction.run = map<Select, uint16_t, uint16_t, uint16_t, bool>;
      break;
    case 4:
      instruction.run = map<Select, uint32_t, uint32_t, uint32_t, bool>;
      break;
    default:
      instruction.run = map<Select, uint64_t, uint64_t, uint64_t, bool>;
      break;
  }
  return true;
}

enum class Property : uint8_t { kFinite, kInfinite, kNumber, kNotNumber, kNormal, kSubnormal };
template <class T>
bool holds_of(Property property, T value) {
  switch (property) {
    case Property::kFinite:
      return std::isfinite(value);
    case Property::kInfinite:
      return std::isinf(value);
    case Property::kNumber:
      return value == value;
    case Property::kNotNumber:
      return value != value;
    case Property::kNormal:
      return std::isnormal(value);
    case Property::kSubnormal:
      return std::fpclassify(value) == FP_SUBNORMAL;
  }
  return false;
}
template <class T>
void test_property(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const T* values = warp.lanes<T>(instruction.operand[1]);
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    bits |= uint32_t{holds_of(static_cast<Property>(instruction.mode), values[lane])} << lane;
  }
  warp.set_predicate(instruction.operand[0], bits, mask);
}
bool prepare_test(const Opcode& opcode, Instruction& instruction) {
  constexpr std::string_view kNames[] = {"finite",     "infinite", "number",
                                         "notanumber", "normal",   "subnormal"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (!opcode.has(kNames[i])) continue;
    instruction.mode = static_cast<uint8_t>(i);
    instruction.run = opcode.type() == Type::kF32 ? test_property<float> : test_property<double>;
  }
  return instruction.run != nullptr;
}

constexpr std::string_view kRelationNames =
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz |";
constexpr TypeSet kCompared = kBitTypes | kIntegerTypes | kFloatTypes;

constexpr InstructionRow kRows[] = {
    {"setp", "p, a, b, q?", kRelationNames, kCompared,
     "p = a REL b, combined with q; of pairs p of the low halves and a second of the high",
     prepare_setp},
    {"set", "X, a, b, q?", kRelationNames, kCompared,
     "d = a REL b as all ones (of a float 1.0) or zero, of each half of a pair", prepare_set},
    {"selp", "d, a, b, q", "", kBitTypes | kIntegerTypes | kWideFloatTypes, "d = q ? a : b",
     prepare_select},
    {"testp", "p, a", "finite infinite number notanumber normal subnormal", kWideFloatTypes,
     "p = a is finite, infinite, ...", prepare_test},
};

}  // namespace

std::span<const InstructionRow> comparison_rows() {
  return kRows;
}

}  // namespace glint::simulator
