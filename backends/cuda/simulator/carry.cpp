// Arithmetic over several words: what sets the carry (`.cc`) and what takes it in (addc, subc,
// madc).
//
//     add.cc.u32 %r5, %r1, %r3;  addc.u32 %r6, %r2, %r4      (r6:r5) = (r2:r1) + (r4:r3)
//
// The carry is a bit a lane, and the warp's own: no register holds it. Of a difference it is the
// borrow.
#include "backends/cuda/simulator/lane_loops.h"

namespace glint::simulator {
namespace {

enum class Product : uint8_t { kNone, kLow, kHigh };
enum class Sense : uint8_t { kSum, kDifference };
constexpr uint8_t kTakesCarry = 1;
constexpr uint8_t kSetsCarry = 2;

template <class T>
struct Twice {
  using type = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
};
template <>
struct Twice<uint64_t> {
  using type = unsigned __int128;
};
template <>
struct Twice<int64_t> {
  using type = __int128;
};

template <class T, Product product>
std::make_unsigned_t<T> first_term(T a, T b) {
  using Wide = typename Twice<T>::type;
  if constexpr (product == Product::kNone) return std::make_unsigned_t<T>(a);
  if constexpr (product == Product::kLow) return std::make_unsigned_t<T>(Wide(a) * Wide(b));
  return std::make_unsigned_t<T>((Wide(a) * Wide(b)) >> (8 * sizeof(T)));
}

template <class T, Product product, Sense sense>
void with_carry(Warp& warp, const Instruction& instruction, uint32_t mask) {
  using U = std::make_unsigned_t<T>;
  const T* a = warp.lanes<T>(instruction.operand[1]);
  const T* b = warp.lanes<T>(instruction.operand[2]);
  const T* c = product == Product::kNone ? b : warp.lanes<T>(instruction.operand[3]);
  const uint32_t carried = (instruction.mode & kTakesCarry) != 0 ? warp.carry : 0;
  U result[kLanes];
  uint32_t carry = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const U x = first_term<T, product>(a[lane], b[lane]);
    U partial, all;
    const U more = carried >> lane & 1;
    bool over = false;
    if constexpr (sense == Sense::kSum) {
      over = __builtin_add_overflow(x, U(c[lane]), &partial);
      over |= __builtin_add_overflow(partial, more, &all);
    } else {
      over = __builtin_sub_overflow(x, U(c[lane]), &partial);
      over |= __builtin_sub_overflow(partial, more, &all);
    }
    result[lane] = all;
    carry |= uint32_t{over} << lane;
  }
  if ((instruction.mode & kSetsCarry) != 0) warp.carry = (warp.carry & ~mask) | (carry & mask);
  warp.write(instruction.operand[0], result, mask);
}

template <Product product, Sense sense, uint8_t carries>
bool prepare_carry(const Opcode& opcode, Instruction& instruction) {
  instruction.mode = carries;
  if (opcode.has("cc")) instruction.mode |= kSetsCarry;
  const auto consider = [&]<class T>(T) {
    if (stands_for<T>(opcode.type())) instruction.run = with_carry<T, product, sense>;
  };
  consider(uint32_t());
  consider(int32_t());
  consider(uint64_t());
  consider(int64_t());
  return instruction.run != nullptr;
}

constexpr TypeSet kWords = types({Type::kU32, Type::kS32, Type::kU64, Type::kS64});

constexpr InstructionRow kRows[] = {
    {"add.cc", "d, a, b", "", kWords, "d = a + b, and the carry",
     prepare_carry<Product::kNone, Sense::kSum, kSetsCarry>},
    {"addc", "d, a, b", "cc", kWords, "d = a + b + the carry",
     prepare_carry<Product::kNone, Sense::kSum, kTakesCarry>},
    {"sub.cc", "d, a, b", "", kWords, "d = a - b, and the borrow",
     prepare_carry<Product::kNone, Sense::kDifference, kSetsCarry>},
    {"subc", "d, a, b", "cc", kWords, "d = a - b - the borrow",
     prepare_carry<Product::kNone, Sense::kDifference, kTakesCarry>},
    {"mad.lo.cc", "d, a, b, c", "", kWords, "the lower half of a * b, plus c, and the carry",
     prepare_carry<Product::kLow, Sense::kSum, kSetsCarry>},
    {"mad.hi.cc", "d, a, b, c", "", kWords, "the upper half of a * b, plus c, and the carry",
     prepare_carry<Product::kHigh, Sense::kSum, kSetsCarry>},
    {"madc.lo", "d, a, b, c", "cc", kWords, "the lower half of a * b, plus c and the carry",
     prepare_carry<Product::kLow, Sense::kSum, kTakesCarry>},
    {"madc.hi", "d, a, b, c", "cc", kWords, "the upper half of a * b, plus c and the carry",
     prepare_carry<Product::kHigh, Sense::kSum, kTakesCarry>},
};

}  // namespace

std::span<const InstructionRow> carry_rows() {
  return kRows;
}

}  // namespace glint::simulator
