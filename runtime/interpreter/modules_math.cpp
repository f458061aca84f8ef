// The module `math`.
#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/modules_math_functions.h"
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {
namespace {

/// A function of one float. CPython's rule: NaN from a number that is none is a domain error,
/// infinity from a finite one a range error (or a domain error where `kPole`).
template <double (*kFunction)(double), bool kPole = false>
Value unary(NativeCall& call) {
  double x = 0;
  if (!float_argument(call, 0, x)) return Value();
  double result = kFunction(x);
  if (std::isnan(result) && !std::isnan(x)) return call.raise("ValueError", "math domain error");
  if (std::isinf(result) && std::isfinite(x))
    return kPole ? call.raise("ValueError", "math domain error")
                 : call.raise("OverflowError", "math range error");
  return Value(result);
}

template <double (*kFunction)(double, double)>
Value binary(NativeCall& call) {
  double x = 0, y = 0;
  if (!float_argument(call, 0, x) || !float_argument(call, 1, y)) return Value();
  double result = kFunction(x, y);
  if (std::isnan(result) && !std::isnan(x) && !std::isnan(y))
    return call.raise("ValueError", "math domain error");
  if (std::isinf(result) && std::isfinite(x) && std::isfinite(y))
    return call.raise("OverflowError", "math range error");
  return Value(result);
}

template <bool (*kFunction)(double)>
Value question(NativeCall& call) {
  double x = 0;
  return float_argument(call, 0, x) ? Value(kFunction(x)) : Value();
}
bool is_nan(double x) {
  return std::isnan(x);
}
bool is_infinite(double x) {
  return std::isinf(x);
}
bool is_finite(double x) {
  return std::isfinite(x);
}
double exp2_of(double x) {
  return std::exp2(x);
}
double gamma_of(double x) {
  return x == std::floor(x) && x <= 0 ? std::nan("") : std::tgamma(x);
}
double to_degrees(double x) {
  return x * (180.0 / std::numbers::pi);
}
double to_radians(double x) {
  return x * (std::numbers::pi / 180.0);
}

/// floor, ceil and trunc: a float becomes an int.
template <double (*kFunction)(double)>
Value whole(NativeCall& call, const char* special) {
  if (call[0].is_integral()) return int_value(call[0].as_int());
  if (is_big_int(call[0])) return call[0];
  if (call[0].is(kInstanceKind)) {
    Value method = find_attribute(call.interpreter, call[0], intern(special));
    if (method.defined()) return call.interpreter.call(method, {});
    if (call.interpreter.raised()) return Value();
  }
  double x = 0;
  if (!float_argument(call, 0, x)) return Value();
  if (std::isnan(x)) return call.raise("ValueError", "cannot convert float NaN to integer");
  if (std::isinf(x)) return call.raise("OverflowError", "cannot convert float infinity to integer");
  return int_of_float(kFunction(x));
}
Value math_floor(NativeCall& call) {
  return whole<std::floor>(call, "__floor__");
}
Value math_ceil(NativeCall& call) {
  return whole<std::ceil>(call, "__ceil__");
}
Value math_trunc(NativeCall& call) {
  return whole<std::trunc>(call, "__trunc__");
}

/// A logarithm, of an int that no float holds too: that of a number between 1/2 and 1, and that of
/// the power of two which is taken out.
template <double (*kLogarithm)(double)>
bool logarithm(NativeCall& call, size_t index, double& out) {
  if (const Value& given = number_in(call[index]); is_big_int(given) && sign_of(given) > 0) {
    const BigInt& number = given.as<BigIntObject>()->value;
    const size_t exponent = number.bit_length();
    if (exponent > static_cast<size_t>(std::numeric_limits<double>::max_exponent)) {
      const double part = BigInt::true_divide(number, BigInt(1) << exponent);
      out = kLogarithm(part) + kLogarithm(2.0) * static_cast<double>(exponent);
      return true;
    }
  }
  double x = 0;
  if (!float_argument(call, index, x)) return false;
  out = kLogarithm(x);
  if (x > 0 || std::isnan(x)) return true;
  call.raise("ValueError", "math domain error");
  return false;
}

Value math_log(NativeCall& call) {
  double of_number = 0, of_base = 1;
  if (!logarithm<std::log>(call, 0, of_number)) return Value();
  if (given(call[1]) && !logarithm<std::log>(call, 1, of_base)) return Value();
  if (of_base == 0) return call.raise("ZeroDivisionError", "float division by zero");
  return Value(of_number / of_base);
}
template <double (*kLogarithm)(double)>
Value math_log_of(NativeCall& call) {
  double result = 0;
  return logarithm<kLogarithm>(call, 0, result) ? Value(result) : Value();
}

Value math_pow(NativeCall& call) {
  double x = 0, y = 0;
  if (!float_argument(call, 0, x) || !float_argument(call, 1, y)) return Value();
  double result = std::pow(x, y);
  bool finite = std::isfinite(x) && std::isfinite(y);
  if (finite && std::isnan(result)) return call.raise("ValueError", "math domain error");
  if (finite && std::isinf(result))
    return x == 0 ? call.raise("ValueError", "math domain error")
                  : call.raise("OverflowError", "math range error");
  return Value(result);
}

Value math_fsum(NativeCall& call) {
  std::vector<Value> items;
  if (!collect(call.interpreter, call[0], items)) return Value();
  std::vector<double> numbers;
  for (const Value& item : items) {
    const Value& number = number_in(item);
    if (!is_any_number(number))
      return call.raise("TypeError", fmt::format("must be real number, not {}", type_name(item)));
    if (!float_of(call.interpreter, number, numbers.emplace_back())) return Value();
  }
  return Value(exact_sum(numbers));
}

Value math_prod(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Value iterator = iterator_of(in, call[0]);
  if (iterator.is_undefined()) return Value();
  Value total = call[1];
  for (Value item; (item = next_item(in, iterator)).defined();) {
    total = runtime::binary(in, program::Opcode::kMultiply, total, item);
    if (total.is_undefined()) return Value();
  }
  return in.raised() ? Value() : total;
}

Value math_factorial(NativeCall& call) {
  int64_t n = 0;
  if (call[0].is_float())
    return call.raise("TypeError", "'float' object cannot be interpreted as an integer");
  if (is_big_int(call[0]) && sign_of(call[0]) > 0)
    return call.raise("OverflowError",
                      "factorial() argument should not exceed 9223372036854775807");
  if (!is_big_int(call[0]) && !int_argument(call, 0, n)) return Value();
  if (n < 0 || is_big_int(call[0]))
    return call.raise("ValueError", "factorial() not defined for negative values");
  return int_of(permutations(BigInt(n), n));
}

/// An int of any size, or what `__index__` says.
bool whole_argument(NativeCall& call, const Value& value, Value& out) {
  if (is_big_int(number_in(value))) return out = number_in(value), true;
  int64_t number = 0;
  if (!index_of(call.interpreter, value, number)) return false;
  return out = Value(number), true;
}

/// Folds the `*integers` with `small`, which gives nothing where the result outgrows it, or `big`.
template <class Small, class Big>
Value fold_ints(NativeCall& call, int64_t start, Small small, Big big) {
  Value total(start), next;
  for (const Value& item : call[0].as<TupleObject>()->items) {
    if (!whole_argument(call, item, next)) return Value();
    std::optional<int64_t> result;
    if (total.is_int() && next.is_int()) result = small(total.as_int(), next.as_int());
    total = result ? Value(*result) : int_of(big(big_of(total), big_of(next)));
  }
  return total;
}
Value math_gcd(NativeCall& call) {
  return fold_ints(
      call, 0,
      [](int64_t a, int64_t b) { return std::optional<int64_t>(greatest_common_divisor(a, b)); },
      BigInt::greatest_common_divisor);
}
Value math_lcm(NativeCall& call) {
  return fold_ints(call, 1, least_common_multiple, [](const BigInt& a, const BigInt& b) {
    const BigInt divisor = BigInt::greatest_common_divisor(a, b);
    BigInt multiple = divisor.is_zero() ? divisor : BigInt::divide(a, divisor).quotient * b;
    return multiple.is_negative() ? -multiple : multiple;
  });
}

bool natural(NativeCall& call, size_t index, const char* name, Value& out) {
  if (!whole_argument(call, call[index], out)) return false;
  if (sign_of(out) >= 0) return true;
  call.raise("ValueError", fmt::format("{} must be a non-negative integer", name));
  return false;
}
/// How many of n things, where a number of more than 64 bits would take forever.
bool natural_count(NativeCall& call, const Value& k) {
  if (k.is_int()) return true;
  call.raise("OverflowError", "k must not exceed 9223372036854775807");
  return false;
}
Value math_comb(NativeCall& call) {
  Value n, k;
  if (!natural(call, 0, "n", n) || !natural(call, 1, "k", k)) return Value();
  if (big_of(k).compare(big_of(n)) > 0) return int_value(0);
  return natural_count(call, k) ? int_of(combinations(big_of(n), k.as_int())) : Value();
}
Value math_perm(NativeCall& call) {
  Value n, k;
  if (!natural(call, 0, "n", n)) return Value();
  if (given_not_none(call[1]) && !natural(call, 1, "k", k)) return Value();
  if (k.is_undefined()) return math_factorial(call);
  if (big_of(k).compare(big_of(n)) > 0) return int_value(0);
  return natural_count(call, k) ? int_of(permutations(big_of(n), k.as_int())) : Value();
}
Value math_isqrt(NativeCall& call) {
  Value n;
  if (!whole_argument(call, call[0], n)) return Value();
  if (sign_of(n) < 0) return call.raise("ValueError", "isqrt() argument must be nonnegative");
  if (n.is_int()) return int_value(integer_square_root(n.as_int()));
  return int_of(BigInt::square_root(big_of(n)));
}

Value math_isclose(NativeCall& call) {
  double a = 0, b = 0, relative = 0, absolute = 0;
  if (!float_argument(call, 0, a) || !float_argument(call, 1, b) ||
      !float_argument(call, 2, relative) || !float_argument(call, 3, absolute))
    return Value();
  if (relative < 0 || absolute < 0)
    return call.raise("ValueError", "tolerances must be non-negative");
  return Value(is_close(a, b, relative, absolute));
}

Value math_frexp(NativeCall& call) {
  double x = 0;
  int exponent = 0;
  if (!float_argument(call, 0, x)) return Value();
  double fraction = std::frexp(x, &exponent);
  return Value(make_tuple({Value(fraction), int_value(exponent)}));
}
Value math_ldexp(NativeCall& call) {
  double x = 0;
  int64_t exponent = is_big_int(call[1]) ? sign_of(call[1]) * int64_t{5000} : 0;
  if (!float_argument(call, 0, x)) return Value();
  if (!is_big_int(call[1]) && !int_argument(call, 1, exponent)) return Value();
  double result = std::ldexp(x, static_cast<int>(std::clamp<int64_t>(exponent, -5000, 5000)));
  if (std::isinf(result) && std::isfinite(x))
    return call.raise("OverflowError", "math range error");
  return Value(result);
}
Value math_modf(NativeCall& call) {
  double x = 0, integral = 0;
  if (!float_argument(call, 0, x)) return Value();
  double fraction = std::modf(x, &integral);
  return Value(make_tuple({Value(fraction), Value(integral)}));
}

bool floats_of(NativeCall& call, const Value& iterable, std::vector<double>& out) {
  std::vector<Value> items;
  if (!collect(call.interpreter, iterable, items)) return false;
  for (const Value& item : items) {
    const Value& number = number_in(item);
    if (!is_any_number(number)) {
      call.raise("TypeError", fmt::format("must be real number, not {}", type_name(item)));
      return false;
    }
    if (!float_of(call.interpreter, number, out.emplace_back())) return false;
  }
  return true;
}

/// The length of a vector, scaled so that nothing overflows, with the squares summed exactly.
double length_of_vector(std::vector<double> v) {
  double largest = 0;
  for (double& x : v) {
    x = std::fabs(x);
    if (std::isinf(x)) return x;
    largest = std::max(largest, x);
  }
  if (largest == 0) return 0;
  for (double x : v)
    if (std::isnan(x)) return x;
  int exponent = 0;
  std::frexp(largest, &exponent);
  long double sum = 0;
  for (double x : v) {
    long double scaled = std::ldexp(x, -exponent);
    sum += scaled * scaled;
  }
  return static_cast<double>(std::ldexp(std::sqrt(sum), exponent));
}
Value math_hypot(NativeCall& call) {
  std::vector<double> v;
  return floats_of(call, call[0], v) ? Value(length_of_vector(std::move(v))) : Value();
}
Value math_dist(NativeCall& call) {
  std::vector<double> p, q;
  if (!floats_of(call, call[0], p) || !floats_of(call, call[1], q)) return Value();
  if (p.size() != q.size())
    return call.raise("ValueError", "both points must have the same number of dimensions");
  for (size_t i = 0; i < p.size(); ++i) p[i] -= q[i];
  return Value(length_of_vector(std::move(p)));
}
Value math_ulp(NativeCall& call) {
  double x = 0;
  if (!float_argument(call, 0, x)) return Value();
  x = std::fabs(x);
  if (!std::isfinite(x)) return Value(x);
  return Value(std::nextafter(x, HUGE_VAL) - x);
}

constexpr NativeDefinition kFunctions[] = {
    {"sqrt(x, /)", unary<std::sqrt>, kPure, "the square root"},
    {"cbrt(x, /)", unary<std::cbrt>, kPure, "the cube root"},
    {"exp(x, /)", unary<std::exp>, kPure, "e ** x"},
    {"exp2(x, /)", unary<exp2_of>, kPure, "2 ** x"},
    {"expm1(x, /)", unary<std::expm1>, kPure, "e ** x - 1"},
    {"log(x, base=..., /)", math_log, kPure, "the logarithm"},
    {"log2(x, /)", math_log_of<std::log2>, kPure, "the logarithm to base 2"},
    {"log10(x, /)", math_log_of<std::log10>, kPure, "the logarithm to base 10"},
    {"log1p(x, /)", unary<std::log1p, true>, kPure, "log(1 + x)"},
    {"sin(x, /)", unary<std::sin>, kPure, "the sine"},
    {"cos(x, /)", unary<std::cos>, kPure, "the cosine"},
    {"tan(x, /)", unary<std::tan>, kPure, "the tangent"},
    {"asin(x, /)", unary<std::asin>, kPure, "the arc sine"},
    {"acos(x, /)", unary<std::acos>, kPure, "the arc cosine"},
    {"atan(x, /)", unary<std::atan>, kPure, "the arc tangent"},
    {"sinh(x, /)", unary<std::sinh>, kPure, "the hyperbolic sine"},
    {"cosh(x, /)", unary<std::cosh>, kPure, "the hyperbolic cosine"},
    {"tanh(x, /)", unary<std::tanh>, kPure, "the hyperbolic tangent"},
    {"asinh(x, /)", unary<std::asinh>, kPure, "the inverse hyperbolic sine"},
    {"acosh(x, /)", unary<std::acosh>, kPure, "the inverse hyperbolic cosine"},
    {"atanh(x, /)", unary<std::atanh, true>, kPure, "the inverse hyperbolic tangent"},
    {"erf(x, /)", unary<std::erf>, kPure, "the error function"},
    {"erfc(x, /)", unary<std::erfc>, kPure, "1 - erf(x)"},
    {"gamma(x, /)", unary<gamma_of>, kPure, "the gamma function"},
    {"lgamma(x, /)", unary<log_gamma, true>, kPure, "the logarithm of the gamma function"},
    {"fabs(x, /)", unary<std::fabs>, kPure, "the absolute value as a float"},
    {"degrees(x, /)", unary<to_degrees>, kPure, "radians as degrees"},
    {"radians(x, /)", unary<to_radians>, kPure, "degrees as radians"},
    {"atan2(y, x, /)", binary<std::atan2>, kPure, "the angle of the point (x, y)"},
    {"fmod(x, y, /)", binary<std::fmod>, kPure, "the remainder with the sign of x"},
    {"remainder(x, y, /)", binary<std::remainder>, kPure, "the difference to the nearest multiple"},
    {"copysign(x, y, /)", binary<std::copysign>, kPure, "x with the sign of y"},
    {"nextafter(x, y, /)", binary<std::nextafter>, kPure, "the next float towards y"},
    {"pow(x, y, /)", math_pow, kPure, "x ** y as a float"},
    {"floor(x, /)", math_floor, kPure, "the greatest int that is not above"},
    {"ceil(x, /)", math_ceil, kPure, "the least int that is not below"},
    {"trunc(x, /)", math_trunc, kPure, "the int without the fraction"},
    {"isnan(x, /)", question<is_nan>, kPure, "whether x is NaN"},
    {"isinf(x, /)", question<is_infinite>, kPure, "whether x is infinite"},
    {"isfinite(x, /)", question<is_finite>, kPure, "whether x is a number"},
    {"isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)", math_isclose, kPure,
     "whether two floats are nearly equal"},
    {"fsum(seq, /)", math_fsum, kPure, "the exact sum, rounded once"},
    {"prod(iterable, /, *, start=1)",
     math_prod,
     {.pure = true, .reads_elements = true, .calls_back = true, .advances_iterator = true},
     "the product of the items"},
    {"gcd(*integers)", math_gcd, kPure, "the greatest common divisor"},
    {"lcm(*integers)", math_lcm, kPure, "the least common multiple"},
    {"comb(n, k, /)", math_comb, kPure, "how many ways to choose k of n"},
    {"perm(n, k=None, /)", math_perm, kPure, "how many ways to choose k of n in order"},
    {"factorial(x, /)", math_factorial, kPure, "the product of 1 to x"},
    {"isqrt(n, /)", math_isqrt, kPure, "the whole part of the square root"},
    {"frexp(x, /)", math_frexp, kPure, "(m, e) with x = m * 2 ** e"},
    {"ldexp(x, i, /)", math_ldexp, kPure, "x * 2 ** i"},
    {"modf(x, /)", math_modf, kPure, "the fraction and the whole part"},
    {"hypot(*coordinates)", math_hypot, kPure, "the length of a vector"},
    {"dist(p, q, /)", math_dist, kPure, "the distance of two points"},
    {"ulp(x, /)", math_ulp, kPure, "the value of the last bit"},
};

}  // namespace

void fill_math(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kFunctions);
  module.dict->set("pi", Value(std::numbers::pi));
  module.dict->set("e", Value(std::numbers::e));
  module.dict->set("tau", Value(2 * std::numbers::pi));
  module.dict->set("inf", Value(HUGE_VAL));
  module.dict->set("nan", Value(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace glint::runtime
