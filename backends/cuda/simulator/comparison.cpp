// Comparisons and what chooses by them: setp, set, selp, slct, testp.
//
//     setp.ltu.and.f32 %p1|%p2, %f1, %f2, %p3
//     %p1 = !(f1 >= f2) && p3        %p2 = (f1 >= f2) && p3
//
// Of floats, `lt` is false where an operand is NaN; `ltu` is true there: the complement of `ge`.
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

/// The relation in every lane, a bit each.
template <class F, class T>
uint32_t compare_lanes(Warp& warp, const Instruction& instruction) {
  const T* a = warp.lanes<T>(instruction.operand[1]);
  const T* b = warp.lanes<T>(instruction.operand[2]);
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    bits |= uint32_t{F()(Compute<T>(a[lane]), Compute<T>(b[lane]))} << lane;
  }
  return bits ^ instruction.result_flip;
}

template <class F, class T>
void set_predicates(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t bits = compare_lanes<F, T>(warp, instruction);
  const auto combine = static_cast<Combine>(instruction.mode);
  const uint32_t other = warp.predicate(instruction.operand[3]) ^ instruction.flip;
  if (instruction.mode2 != 0) {
    warp.set_predicate(instruction.operand[kSecondSlot], combined(combine, ~bits, other), mask);
  }
  warp.set_predicate(instruction.operand[0], combined(combine, bits, other), mask);
}

/// `set`: all ones or zero, of a float 1.0 or 0.0.
template <class F, class T>
void set_values(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto combine = static_cast<Combine>(instruction.mode);
  const uint32_t other = warp.predicate(instruction.operand[3]) ^ instruction.flip;
  const uint32_t bits = combined(combine, compare_lanes<F, T>(warp, instruction), other);
  const uint32_t yes = instruction.type == Type::kF32 ? std::bit_cast<uint32_t>(1.0f) : ~0u;
  uint32_t result[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) result[lane] = (bits >> lane & 1) != 0 ? yes : 0;
  warp.write(instruction.operand[0], result, mask);
}

template <class F, class... Ts>
Handler choose_compare(Type type, bool value) {
  Handler found = nullptr;
  const auto consider = [&]<class T>(T) {
    if (stands_for<T>(type)) found = value ? set_values<F, T> : set_predicates<F, T>;
  };
  (consider(Ts()), ...);
  return found;
}
template <class F>
Handler compare_handler(Type type, bool value) {
  return choose_compare<F, uint16_t, uint32_t, uint64_t, int16_t, int32_t, int64_t, Half, BFloat16,
                        float, double>(type, value);
}
Handler relation_handler(Relation relation, Type type, bool value) {
  switch (relation) {
    case Relation::kEqual:
      return compare_handler<Equal>(type, value);
    case Relation::kDiffer:
      return compare_handler<Differ>(type, value);
    case Relation::kLess:
      return compare_handler<Less>(type, value);
    case Relation::kLessOrEqual:
      return compare_handler<LessOrEqual>(type, value);
    case Relation::kGreater:
      return compare_handler<Greater>(type, value);
    case Relation::kGreaterOrEqual:
      return compare_handler<GreaterOrEqual>(type, value);
    case Relation::kNumbers:
      return compare_handler<Numbers>(type, value);
  }
  return nullptr;
}

bool prepare_compare(const Opcode& opcode, Instruction& instruction, bool value) {
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
  instruction.run = relation_handler(relation->relation, opcode.type(), value);
  return instruction.run != nullptr;
}
bool prepare_setp(const Opcode& opcode, Instruction& instruction) {
  return prepare_compare(opcode, instruction, false);
}
bool prepare_set(const Opcode& opcode, Instruction& instruction) {
  if (opcode.types.size() != 2 || size_of(opcode.types[0]) != 4) return false;
  instruction.type = opcode.types[0];
  return prepare_compare(opcode, instruction, true);
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
constexpr TypeSet kCompared =
    kBitTypes | kIntegerTypes | kWideFloatTypes | types({Type::kF16, Type::kBF16});

constexpr InstructionRow kRows[] = {
    {"setp", "p, a, b, q?", kRelationNames, kCompared, "p = a REL b, combined with q",
     prepare_setp},
    {"set", "X, a, b, q?", kRelationNames, kCompared, "d = a REL b as all ones (1.0) or zero",
     prepare_set},
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
