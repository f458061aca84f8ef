// atom and red: read, change and write back, one lane after the other.
//
//     atom.global.add.f32 %f2, [%rd1], %f1      %f2 = what was there
//     red.shared.max.s32 [%r1], %r2             nobody asks what was there
#include "backends/cuda/simulator/lane_loops.h"
#include "backends/cuda/simulator/memory_access.h"

namespace glint::simulator {
namespace {

struct Add {
  template <class T>
  T operator()(T old, T b, T) const {
    if constexpr (kFloating<T>) return rounded_to<T>(Compute<T>(old) + Compute<T>(b));
    if constexpr (!kFloating<T>) return T(Wrapping<T>(old) + Wrapping<T>(b));
  }
};
struct Minimum {
  template <class T>
  T operator()(T old, T b, T) const {
    return b < old ? b : old;
  }
};
struct Maximum {
  template <class T>
  T operator()(T old, T b, T) const {
    return b > old ? b : old;
  }
};
struct And {
  template <class T>
  T operator()(T old, T b, T) const {
    return old & b;
  }
};
struct Or {
  template <class T>
  T operator()(T old, T b, T) const {
    return old | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T old, T b, T) const {
    return old ^ b;
  }
};
struct Exchange {
  template <class T>
  T operator()(T, T b, T) const {
    return b;
  }
};
/// b is what is expected, c what to write then.
struct CompareAndSwap {
  template <class T>
  T operator()(T old, T b, T c) const {
    return old == b ? c : old;
  }
};
struct Increment {
  template <class T>
  T operator()(T old, T b, T) const {
    return old >= b ? 0 : old + 1;
  }
};
struct Decrement {
  template <class T>
  T operator()(T old, T b, T) const {
    return old == 0 || old > b ? b : old - 1;
  }
};

template <class F, class T>
void update(Warp& warp, const Instruction& instruction, uint32_t mask) {
  LanePointers at;
  if (!reach(warp, instruction, mask, {sizeof(T), AccessKind::kAtomic}, at)) return;
  const bool result = instruction.mode != 0;
  // Without a result the operand is the second: `red [a], b`.
  const T* b = warp.lanes<T>(instruction.operand[result ? 2 : 1]);
  const T* c = warp.lanes<T>(instruction.operand[3]);
  T before[kLanes];
  bool changes = !result;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t lane = first_lane(rest);
    std::memcpy(&before[lane], at[lane], sizeof(T));
    using G = std::conditional_t<kPair<T>, Halves<F>, F>;
    const T after = G()(before[lane], b[lane], c[lane]);
    changes |= std::memcmp(&before[lane], &after, sizeof(T)) != 0;
    std::memcpy(at[lane], &after, sizeof(T));
  }
  if (changes) {
    ++warp.block->changes;
  } else {
    warp.poll(instruction, mask);
  }
  if (!result) return;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t lane = first_lane(rest);
    warp.lanes<T>(instruction.operand[0])[lane] = before[lane];
  }
}

template <class F, class... Ts>
Handler choose_update(Type type) {
  Handler found = nullptr;
  (void)((stands_for<Ts>(type) ? (found = update<F, Ts>, true) : false) || ...);
  return found;
}
template <class F>
Handler choose_bits(Type type) {
  return choose_update<F, uint16_t, uint32_t, uint64_t>(type);
}

Handler update_handler(std::string_view operation, Type type) {
  if (operation == "add") {
    return choose_update<Add, uint32_t, uint64_t, int32_t, int64_t, Half, BFloat16, Pair<Half>,
                         Pair<BFloat16>, float, double>(type);
  }
  if (operation == "min") return choose_update<Minimum, uint32_t, uint64_t, int32_t, int64_t>(type);
  if (operation == "max") return choose_update<Maximum, uint32_t, uint64_t, int32_t, int64_t>(type);
  if (operation == "and") return choose_bits<And>(type);
  if (operation == "or") return choose_bits<Or>(type);
  if (operation == "xor") return choose_bits<Xor>(type);
  if (operation == "exch") return choose_bits<Exchange>(type);
  if (operation == "cas") return choose_bits<CompareAndSwap>(type);
  if (operation == "inc") return choose_update<Increment, uint32_t>(type);
  if (operation == "dec") return choose_update<Decrement, uint32_t>(type);
  return nullptr;
}

template <bool result>
bool prepare_update(const Opcode& opcode, Instruction& instruction) {
  instruction.space = Space::kGeneric;
  if (opcode.has("global")) instruction.space = Space::kGlobal;
  if (opcode.has("shared") || opcode.has("shared::cta")) instruction.space = Space::kShared;
  instruction.mode = result ? 1 : 0;
  const std::string_view operation =
      opcode.first_of({"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  instruction.run = update_handler(operation, opcode.type());
  return instruction.run != nullptr;
}

constexpr std::string_view kModifiers =
    "global shared shared::cta relaxed acquire release acq_rel cta gpu sys noftz "
    "add min max and or xor exch cas inc dec";
constexpr TypeSet kUpdated =
    kBitTypes | kFloatTypes | types({Type::kU32, Type::kU64, Type::kS32, Type::kS64});

constexpr InstructionRow kRows[] = {
    {"atom", "d, m, b, c?", kModifiers, kUpdated, "d = the memory, which becomes OP(memory, b, c)",
     prepare_update<true>},
    {"red", "m, b", kModifiers, kUpdated, "the memory becomes OP(memory, b)",
     prepare_update<false>},
};

}  // namespace

std::span<const InstructionRow> atomic_rows() {
  return kRows;
}

}  // namespace glint::simulator
