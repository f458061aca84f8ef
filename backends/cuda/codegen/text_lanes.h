// The backend policy of the scalar functions that writes CUDA C++ (see ops/scalar/lanes.h).
//
//     Expressions e;
//     TextLanes<float> b(e, definitions);
//     scalar::exp(b, b.wrap(e.name("x", "float")))     // the expression that computes it
//
// The same additions and multiplications, in the same order, as on the processor; with NVRTC's
// contraction off (compile_cuda.h) each rounds as it does there. What the processor leaves to the C
// library (huge angles, float64's tan) is left to CUDA's own function of that name.
#pragma once

#include <fmt/format.h>

#include "backends/cuda/codegen/definitions.h"
#include "backends/cuda/codegen/expressions.h"
#include "ops/scalar/lanes.h"
#include "ops/scalar/slow_functions.h"

namespace glint::cuda {

struct TextFloat {
  Expressions::Id id;
  Expressions* in;
  const char* type;
  TextFloat operator-() const { return {in->sign("-", type, id), in, type}; }
};
struct TextInt {
  Expressions::Id id;
  Expressions* in;
  const char* type;
};

template <class T>
T text_binary(std::string_view sign, Precedence precedence, T x, T y) {
  return {x.in->binary(sign, precedence, x.type, x.id, y.id), x.in, x.type};
}
inline TextFloat operator+(TextFloat x, TextFloat y) {
  return text_binary("+", Precedence::kSum, x, y);
}
inline TextFloat operator-(TextFloat x, TextFloat y) {
  return text_binary("-", Precedence::kSum, x, y);
}
inline TextFloat operator*(TextFloat x, TextFloat y) {
  return text_binary("*", Precedence::kProduct, x, y);
}
inline TextFloat operator/(TextFloat x, TextFloat y) {
  return text_binary("/", Precedence::kProduct, x, y);
}
inline TextInt operator+(TextInt x, TextInt y) {
  return text_binary("+", Precedence::kSum, x, y);
}
inline TextInt operator-(TextInt x, TextInt y) {
  return text_binary("-", Precedence::kSum, x, y);
}
inline TextInt operator&(TextInt x, TextInt y) {
  return text_binary("&", Precedence::kBits, x, y);
}
inline TextInt operator<<(TextInt x, TextInt y) {
  return text_binary("<<", Precedence::kShift, x, y);
}
inline TextInt operator>>(TextInt x, TextInt y) {
  return text_binary(">>", Precedence::kShift, x, y);
}

template <class Real_>
class TextLanes {
 public:
  using Real = Real_;
  using Constants = scalar::Coefficients<Real>;
  using Float = TextFloat;
  using Int = TextInt;
  struct Mask {
    Expressions::Id id;
  };
  using Wide = TextLanes<double>;

  TextLanes(Expressions& in, Definitions& definitions) : in_(&in), definitions_(&definitions) {}

  Float wrap(Expressions::Id id) const { return {id, in_, kFloat}; }
  Float real(double value) const { return wrap(in_->name(literal_text(value, kDType), kFloat)); }
  Int integer(int64_t value) const {
    return {in_->name(fmt::format("{}", value), kInt), in_, kInt};
  }

  Float fma(Float x, Float y, Float z) const {
    return wrap(in_->call(kSingle ? "fmaf" : "fma", kFloat, {x.id, y.id, z.id}));
  }
  Float sqrt(Float x) const { return unary(kSingle ? "sqrtf" : "sqrt", x); }
  Float abs(Float x) const { return unary(kSingle ? "fabsf" : "fabs", x); }
  Float floor(Float x) const { return unary(kSingle ? "floorf" : "floor", x); }
  Float ceil(Float x) const { return unary(kSingle ? "ceilf" : "ceil", x); }
  Float trunc(Float x) const { return unary(kSingle ? "truncf" : "trunc", x); }
  Float round_even(Float x) const { return unary(kSingle ? "rintf" : "rint", x); }
  Float copysign(Float x, Float sign) const {
    return wrap(in_->call(kSingle ? "copysignf" : "copysign", kFloat, {x.id, sign.id}));
  }

  Mask less(Float x, Float y) const { return test("<", Precedence::kOrder, x.id, y.id); }
  Mask less_equal(Float x, Float y) const { return test("<=", Precedence::kOrder, x.id, y.id); }
  Mask equal(Float x, Float y) const { return test("==", Precedence::kEquality, x.id, y.id); }
  Mask unordered(Float x) const { return test("!=", Precedence::kEquality, x.id, x.id); }
  Mask is_zero(Int x) const { return test("==", Precedence::kEquality, x.id, integer(0).id); }
  Mask is_negative(Int x) const { return test("<", Precedence::kOrder, x.id, integer(0).id); }
  Mask both(Mask x, Mask y) const { return test("&&", Precedence::kAnd, x.id, y.id); }
  Mask either(Mask x, Mask y) const { return test("||", Precedence::kOr, x.id, y.id); }
  Mask negated(Mask x) const { return {in_->sign("!", "bool", x.id)}; }
  Float select(Mask mask, Float x, Float y) const {
    return wrap(in_->choice(kFloat, mask.id, x.id, y.id));
  }

  Int bits(Float x) const {
    return {in_->call(kSingle ? "__float_as_int" : "__double_as_longlong", kInt, {x.id}), in_,
            kInt};
  }
  Float from_bits(Int x) const {
    return wrap(in_->call(kSingle ? "__int_as_float" : "__longlong_as_double", kFloat, {x.id}));
  }

  Float lookup(const float (&table)[16], Int index) const {
    return wrap(in_->element(definitions_->table(table), kFloat, (index & integer(15)).id));
  }

  static constexpr bool has_scale() { return false; }
  static Float scale(Float x, Float) { return x; }

  Float patch(Mask mask, Float result, scalar::SlowUnary slow, Float x) const {
    return select(mask, each(slow, x), result);
  }
  Float patch(Mask mask, Float result, scalar::SlowBinary slow, Float x, Float y) const {
    return select(mask, each(slow, x, y), result);
  }
  /// In float64, as the C library's.
  Float each(scalar::SlowUnary slow, Float x) const {
    const std::string named = definitions_->slow(scalar::slow_function_name(slow), 1);
    return narrowed(in_->slow_call(named, "double", {widen(x).id}));
  }
  Float each(scalar::SlowBinary slow, Float x, Float y) const {
    const std::string named = definitions_->slow(scalar::slow_function_name(slow), 2);
    return narrowed(in_->slow_call(named, "double", {widen(x).id, widen(y).id}));
  }

  Wide wide() const { return Wide(*in_, *definitions_); }
  TextFloat widen(Float x) const {
    if (!kSingle) return x;
    return {in_->call("(double)", "double", {x.id}), in_, "double"};
  }
  Float narrow(TextFloat x) const { return narrowed(x.id); }

 private:
  static constexpr bool kSingle = sizeof(Real) == 4;
  static constexpr DType kDType = kSingle ? DType::kFloat32 : DType::kFloat64;
  static constexpr const char* kFloat = kSingle ? "float" : "double";
  static constexpr const char* kInt = kSingle ? "int" : "int64";

  Float unary(std::string_view function, Float x) const {
    return wrap(in_->call(function, kFloat, {x.id}));
  }
  Float narrowed(Expressions::Id x) const {
    return wrap(kSingle ? in_->call("(float)", kFloat, {x}) : x);
  }
  Mask test(std::string_view sign, Precedence precedence, Expressions::Id x,
            Expressions::Id y) const {
    return {in_->binary(sign, precedence, "bool", x, y)};
  }

  Expressions* in_;
  Definitions* definitions_;
};

}  // namespace glint::cuda
