// The approximate functions of the hardware's special unit, to the error that PTX documents or
// less:
//
//     ex2, lg2, sin, cos, tanh, rcp, rsqrt of floats; rcp and rsqrt of doubles to 20 bits, with
//     which the accurate division and square root of doubles begin
//
// The last bits may differ from a GPU's: what PTX gives is a bound, not a value.
#include <cmath>

#include "backends/cuda/simulator/lane_loops.h"

namespace glint::simulator {
namespace {

struct Exp2 {
  float operator()(float a) const { return rounded_to<float>(std::exp2(a)); }
  Half operator()(Half a) const { return Half(std::exp2(float(a))); }
  BFloat16 operator()(BFloat16 a) const { return BFloat16(std::exp2(float(a))); }
};
struct Log2 {
  float operator()(float a) const { return rounded_to<float>(std::log2(a)); }
};
struct Sine {
  float operator()(float a) const { return rounded_to<float>(std::sin(a)); }
};
struct Cosine {
  float operator()(float a) const { return rounded_to<float>(std::cos(a)); }
};
struct HyperbolicTangent {
  float operator()(float a) const { return rounded_to<float>(std::tanh(a)); }
  Half operator()(Half a) const { return Half(std::tanh(float(a))); }
  BFloat16 operator()(BFloat16 a) const { return BFloat16(std::tanh(float(a))); }
};
/// A double's sign, exponent and upper 20 bits of fraction.
double upper_half(double value) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(value) & ~0xffffffffull);
}
struct Reciprocal {
  float operator()(float a) const { return rounded_to<float>(1.0f / a); }
  double operator()(double a) const { return upper_half(1.0 / a); }
};
struct ReciprocalRoot {
  float operator()(float a) const {
    return rounded_to<float>(static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))));
  }
  double operator()(double a) const { return upper_half(1.0 / std::sqrt(a)); }
};
/// Without `.ftz` a double's root is emulated in software, to the last bit but one.
struct AccurateReciprocalRoot {
  double operator()(double a) const { return 1.0 / std::sqrt(a); }
};

template <class F>
bool prepare_small(const Opcode& opcode, Instruction& instruction) {
  return prepare_floating<F, 1, float, Half, BFloat16, Pair<Half>, Pair<BFloat16>>(opcode,
                                                                                   instruction);
}

bool prepare_reciprocal_root(const Opcode& opcode, Instruction& instruction) {
  if (opcode.type() == Type::kF64 && !opcode.has("ftz")) {
    return prepare_same<AccurateReciprocalRoot, 1, double>(opcode, instruction);
  }
  return prepare_floating<ReciprocalRoot, 1, float, double>(opcode, instruction);
}

constexpr TypeSet kFloat = types({Type::kF32});
constexpr TypeSet kFloatAndSmall = kFloat | kSmallFloatTypes;

constexpr InstructionRow kRows[] = {
    {"ex2.approx", "d, a", "ftz", kFloatAndSmall, "2 to the power a, within 2 ulp",
     prepare_small<Exp2>},
    {"lg2.approx", "d, a", "ftz", kFloat, "the binary logarithm, within 2^-22",
     prepare_floating<Log2, 1, float>},
    {"sin.approx", "d, a", "ftz", kFloat, "the sine, within 2^-20.5",
     prepare_floating<Sine, 1, float>},
    {"cos.approx", "d, a", "ftz", kFloat, "the cosine, within 2^-20.5",
     prepare_floating<Cosine, 1, float>},
    {"tanh.approx", "d, a", "", kFloatAndSmall, "the hyperbolic tangent, within 2^-11 of it",
     prepare_small<HyperbolicTangent>},
    {"rcp.approx", "d, a", "ftz", kWideFloatTypes, "1 / a, within 1 ulp; of doubles 20 bits",
     prepare_floating<Reciprocal, 1, float, double>},
    {"rsqrt.approx", "d, a", "ftz", kWideFloatTypes,
     "1 / the square root, within 2^-22.9 of it; of doubles with ftz 20 bits",
     prepare_reciprocal_root},
};

}  // namespace

std::span<const InstructionRow> approximate_rows() {
  return kRows;
}

}  // namespace glint::simulator
