// Powers, and those exponents that have a cheaper form.
//
//     x ** 2      x * x
//     x ** 0.5    sqrt(x)
//     2 ** x      a number is the base
//
// float16 takes the power function for all but squares, as PyTorch's does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

template <class V>
const char* number_type(const BasicArgument<V>& number) {
  if (number.template get_if<bool>()) return "bool";
  return number.template get_if<SymInt>() ? "int" : "float";
}

/// A power has a tensor at least.
template <class V>
void check_power(const BasicArgument<V>& base, const BasicArgument<V>& exponent) {
  if (base.is_value() || exponent.is_value()) return;
  throw OpError{
      "TypeError",
      fmt::format("pow() received an invalid combination of arguments - got ({}, {}), but "
                  "expected one of:\n"
                  " * (Tensor input, Tensor exponent, *, Tensor out = None)\n"
                  " * (Number self, Tensor exponent, *, Tensor out = None)\n"
                  " * (Tensor input, Number exponent, *, Tensor out = None)\n",
                  number_type(base), number_type(exponent))};
}

}  // namespace

bool has_cheaper_power(double exponent) {
  constexpr double kCheaper[] = {2.0, 0.5, -0.5, -1.0, -2.0, 3.0};
  return std::ranges::find(kCheaper, exponent) != std::end(kCheaper);
}

namespace {

/// Integers and 16-bit floats hold the number that they are raised to.
template <class V>
void check_exponent(DType dtype, const BasicArgument<V>& exponent) {
  if (dtype == DType::kFloat32 || dtype == DType::kFloat64 || is_bool(dtype)) return;
  if (const SymInt* whole = exponent.template get_if<SymInt>())
    check_holds(dtype, InferArgument(*whole));
  const double* real = exponent.template get_if<double>();
  if (real && is_floating(dtype)) check_holds(dtype, InferArgument(*real));
}

/// float16 goes through the power function, but for squares, as PyTorch's does.
bool takes_cheaper_power(DType dtype, double exponent) {
  return dtype != DType::kFloat16 || exponent == 2.0;
}

/// Integers to a negative integer power are refused; whole and half exponents of tensors that
/// have an exact cheaper form take it, as eager does: x ** 2 is x * x.
std::vector<OpValue> power_special(OpBuilder& b, OpArguments arguments) {
  check_power(arguments[0], arguments[1]);
  if (!arguments[0].is_value() || !is_number(arguments[1])) return {};
  OpValue x = arguments[0].tensor();
  DType dtype = b.dtype(x);
  if (const SymInt* whole = arguments[1].get_if<SymInt>();
      whole && !is_floating(dtype) && whole->is_constant() && whole->constant() < 0)
    throw OpError{"RuntimeError", "Integers to negative integer powers are not allowed."};
  check_exponent(dtype, arguments[1]);
  double exponent = as_float(arguments[1]);
  if (!is_floating(dtype) || !takes_cheaper_power(dtype, exponent)) return {};
  if (exponent == 2.0) return {b.call("square", {x})};
  if (exponent == -2.0) return {b.reciprocal(b.call("square", {x}))};
  if (exponent == 0.5) return {b.sqrt(x)};
  if (exponent == -0.5) return {b.rsqrt(x)};
  if (exponent == -1.0) return {b.reciprocal(x)};
  if (exponent == 3.0) return {b.multiply(b.multiply(x, x), x)};
  return {};
}

Outputs eager_power(const OpEntry& entry, Arguments arguments) {
  const Tensor* x = arguments[0].get_if<Tensor>();
  check_power(arguments[0], arguments[1]);
  if (!x || !is_number(arguments[1])) return eager_pointwise(entry, arguments);
  if (const SymInt* whole = arguments[1].get_if<SymInt>();
      whole && !is_floating(x->dtype()) && whole->constant() < 0)
    throw OpError{"RuntimeError", "Integers to negative integer powers are not allowed."};
  check_exponent(x->dtype(), arguments[1]);
  double exponent = as_float(arguments[1]);
  if (!is_floating(x->dtype()) || !takes_cheaper_power(x->dtype(), exponent))
    return eager_pointwise(entry, arguments);
  if (exponent == 2.0) return apply_function(ScalarFunction::kSquare, *x);
  if (exponent == 0.5) return apply_function(ScalarFunction::kSqrt, *x);
  if (exponent == -0.5) return apply_function(ScalarFunction::kRsqrt, *x);
  if (exponent == -1.0) return apply_function(ScalarFunction::kReciprocal, *x);
  if (exponent == 3.0 || exponent == -2.0) return run_decomposition(entry, arguments);
  return eager_pointwise(entry, arguments);
}

// ---- gradients ---------------------------------------------------------------------------------

/// exponent * x ** (exponent - 1), and 0 for an exponent of 0, whatever x is.
OpValue power_base(GradientCall& g) {
  const OpArgument& exponent = g["exponent"];
  if (exponent.is_value()) {
    OpValue slope = g.b.multiply(exponent, g.b.power(g["input"], g.b.subtract(exponent, 1)));
    return g.b.where(g.b.equal(exponent, 0), 0, g.b.multiply(g.out(), slope));
  }
  if (as_float(exponent) == 0.0) return g.zeros_like("input");
  if (as_float(exponent) == 2.0) return g.b.multiply(g.out(), g.b.multiply(g["input"], 2));
  const SymInt* whole = exponent.get_if<SymInt>();
  OpArgument less_one = whole ? OpArgument(*whole - 1) : OpArgument(as_float(exponent) - 1.0);
  return g.b.multiply(g.out(), g.b.multiply(g.b.power(g["input"], less_one), exponent));
}

/// result * log(x), and 0 where x is 0 and the exponent is not negative.
OpValue power_exponent(GradientCall& g) {
  const OpArgument& base = g["input"];
  OpValue flat = g.b.call("greater_equal", {g["exponent"], 0});
  if (base.is_value()) {
    OpValue slope = g.b.multiply(g.result(), g.b.log(base.tensor()));
    OpValue at_zero = g.b.call("logical_and", {g.b.equal(base, 0), flat});
    return g.b.multiply(g.out(), g.b.where(at_zero, 0, slope));
  }
  OpValue slope = g.b.multiply(g.result(), std::log(as_float(base)));
  if (as_float(base) == 0.0) slope = g.b.where(flat, 0, slope);
  return g.b.multiply(g.out(), slope);
}

const char* power_name(Arguments arguments) {
  if (!arguments[0].is_value()) return "PowBackward2";
  return arguments[1].is_value() ? "PowBackward1" : "PowBackward0";
}

constexpr OpEntry kEntries[] = {
    {
        .name = "power",
        .signature = "pow(input: Tensor | Number, exponent: Tensor | Number) -> Tensor",
        .torch = "pow",
        .method = "pow",
        .operators = "__pow__",
        .doc = "The power, element by element. Integers take no negative integer powers.",
        .dtype_rule = DTypeRule::kPromote,
        .eager = eager_power,
        .lowering = Pointwise{ScalarFunction::kPower},
        .decomposition = power_special,
        .gradients = {{"input", "input exponent", power_base},
                      {"exponent", "input exponent result", power_exponent}},
        .grad_name_of = power_name,
        .numbers = {.fixed = true},
        .forms = Forms::kInPlaceAndOut,
        .samples = power_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> power_entries() {
  return kEntries;
}

}  // namespace glint::ops
