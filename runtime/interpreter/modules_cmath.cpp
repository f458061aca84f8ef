// The module `cmath`: functions of complex numbers.
//
// For finite numbers by CPython's own formulas, so that the last digit is the same; the C library
// says what infinities and NaN give.
#include <cfloat>
#include <cmath>
#include <numbers>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/complex_numbers.h"
#include "runtime/interpreter/modules_math_functions.h"

namespace glint::runtime {
namespace {

using Complex = std::complex<double>;

constexpr double kLarge = DBL_MAX / 4;
constexpr double kRootOfLarge = 0x1p511;
constexpr double kLogOfLarge = 708.3964185322641;
constexpr double kRootOfLeast = 0x1p-511;
constexpr double kLn2 = std::numbers::ln2;

bool is_large(Complex z) {
  return std::fabs(z.real()) > kLarge || std::fabs(z.imag()) > kLarge;
}
/// The logarithm of twice the size of what is large.
double log_of_double(Complex z) {
  return std::log(std::hypot(z.real() / 2, z.imag() / 2)) + kLn2 * 2;
}
/// i z and, back, -i z.
Complex turned(Complex z) {
  return {-z.imag(), z.real()};
}
Complex turned_back(Complex z) {
  return {z.imag(), -z.real()};
}

Complex root(Complex z) {
  if (z == 0.0) return {0.0, z.imag()};
  double x = std::fabs(z.real()), size = 0;
  const double y = std::fabs(z.imag());
  if (x < DBL_MIN && y < DBL_MIN) {
    x = std::ldexp(x, 54);
    size = std::ldexp(std::sqrt(x + std::hypot(x, std::ldexp(y, 54))), -27);
  } else {
    x /= 8;
    size = 2 * std::sqrt(x + std::hypot(x, y / 8));
  }
  const double rest = y / (2 * size);
  return z.real() >= 0 ? Complex(size, std::copysign(rest, z.imag()))
                       : Complex(rest, std::copysign(size, z.imag()));
}

Complex exponential(Complex z) {
  const bool large = z.real() > kLogOfLarge;
  const double size = std::exp(large ? z.real() - 1 : z.real());
  const double factor = large ? std::numbers::e : 1.0;
  return {size * std::cos(z.imag()) * factor, size * std::sin(z.imag()) * factor};
}

double log_of_size(double x, double y) {
  if (x > kLarge || y > kLarge) return std::log(std::hypot(x / 2, y / 2)) + kLn2;
  if (x < DBL_MIN && y < DBL_MIN) {
    if (x == 0 && y == 0) return -HUGE_VAL;
    return std::log(std::hypot(std::ldexp(x, 53), std::ldexp(y, 53))) - 53 * kLn2;
  }
  const double size = std::hypot(x, y);
  if (size < 0.71 || size > 1.73) return std::log(size);
  const double most = std::max(x, y), least = std::min(x, y);
  return std::log1p((most - 1) * (most + 1) + least * least) / 2;
}
Complex logarithm(Complex z) {
  return {log_of_size(std::fabs(z.real()), std::fabs(z.imag())), std::atan2(z.imag(), z.real())};
}
Complex logarithm10(Complex z) {
  return logarithm(z) / std::numbers::ln10;
}

Complex hyperbolic_cosine(Complex z) {
  const bool large = std::fabs(z.real()) > kLogOfLarge;
  const double x = large ? z.real() - std::copysign(1.0, z.real()) : z.real();
  const double factor = large ? std::numbers::e : 1.0;
  return {std::cos(z.imag()) * std::cosh(x) * factor, std::sin(z.imag()) * std::sinh(x) * factor};
}
Complex hyperbolic_sine(Complex z) {
  const bool large = std::fabs(z.real()) > kLogOfLarge;
  const double x = large ? z.real() - std::copysign(1.0, z.real()) : z.real();
  const double factor = large ? std::numbers::e : 1.0;
  return {std::cos(z.imag()) * std::sinh(x) * factor, std::sin(z.imag()) * std::cosh(x) * factor};
}
Complex hyperbolic_tangent(Complex z) {
  if (std::fabs(z.real()) > kLogOfLarge)
    return {std::copysign(1.0, z.real()),
            4 * std::sin(z.imag()) * std::cos(z.imag()) * std::exp(-2 * std::fabs(z.real()))};
  const double x = std::tanh(z.real()), y = std::tan(z.imag()), inverse = 1 / std::cosh(z.real());
  const double divisor = 1 + (x * y) * (x * y);
  return {x * (1 + y * y) / divisor, ((y / divisor) * inverse) * inverse};
}
Complex cosine(Complex z) {
  return hyperbolic_cosine(turned(z));
}
Complex sine(Complex z) {
  return turned_back(hyperbolic_sine(turned(z)));
}
Complex tangent(Complex z) {
  return turned_back(hyperbolic_tangent(turned(z)));
}

Complex inverse_cosine(Complex z) {
  if (is_large(z)) {
    const double size = log_of_double(z);
    return {std::atan2(std::fabs(z.imag()), z.real()),
            z.real() < 0 ? -std::copysign(size, z.imag()) : std::copysign(size, -z.imag())};
  }
  const Complex a = root({1 - z.real(), -z.imag()}), b = root({1 + z.real(), z.imag()});
  return {2 * std::atan2(a.real(), b.real()),
          std::asinh(b.real() * a.imag() - b.imag() * a.real())};
}
Complex inverse_hyperbolic_cosine(Complex z) {
  if (is_large(z)) return {log_of_double(z), std::atan2(z.imag(), z.real())};
  const Complex a = root({z.real() - 1, z.imag()}), b = root({z.real() + 1, z.imag()});
  return {std::asinh(a.real() * b.real() + a.imag() * b.imag()),
          2 * std::atan2(a.imag(), b.real())};
}
Complex inverse_hyperbolic_sine(Complex z) {
  if (is_large(z)) {
    const double size = log_of_double(z);
    return {
        std::signbit(z.imag()) ? -std::copysign(size, -z.real()) : std::copysign(size, z.real()),
        std::atan2(z.imag(), std::fabs(z.real()))};
  }
  const Complex a = root({1 + z.imag(), -z.real()}), b = root({1 - z.imag(), z.real()});
  return {std::asinh(a.real() * b.imag() - b.real() * a.imag()),
          std::atan2(z.imag(), a.real() * b.real() - a.imag() * b.imag())};
}
Complex inverse_hyperbolic_tangent(Complex z) {
  if (std::signbit(z.real())) return -inverse_hyperbolic_tangent(-z);
  const double x = z.real(), y = std::fabs(z.imag());
  if (x > kRootOfLarge || y > kRootOfLarge) {
    const double half = std::hypot(x / 2, z.imag() / 2);
    return {x / 4 / half / half, -std::copysign(std::numbers::pi / 2, -z.imag())};
  }
  if (x == 1 && y < kRootOfLeast) {
    if (y == 0) return {HUGE_VAL, z.imag()};
    return {-std::log(std::sqrt(y) / std::sqrt(std::hypot(y, 2.0))),
            std::copysign(std::atan2(2.0, -y) / 2, z.imag())};
  }
  return {std::log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4,
          -std::atan2(-2 * z.imag(), (1 - x) * (1 + x) - y * y) / 2};
}
Complex inverse_sine(Complex z) {
  return turned_back(inverse_hyperbolic_sine(turned(z)));
}
Complex inverse_tangent(Complex z) {
  return turned_back(inverse_hyperbolic_tangent(turned(z)));
}

// ---- The functions -----------------------------------------------------------------------------

/// A number of any kind, or what has `__complex__`, `__float__` or `__index__`.
bool complex_argument(NativeCall& call, size_t index, Complex& out) {
  const Value value = settled(call.interpreter.tracer(), call[index]);
  if (value.is_undefined()) return false;
  if (const auto number = as_complex(value)) return out = *number, true;
  if (value.is(kInstanceKind) && class_of(value)->lookup("__complex__")) {
    const Value made = call.interpreter.call_method(value, "__complex__");
    if (made.is<ComplexObject>()) return out = made.as<ComplexObject>()->number, true;
    if (!call.interpreter.raised())
      call.raise("TypeError", "__complex__ should return a complex object");
    return false;
  }
  double real = 0;
  if (!float_argument(call, index, real)) return false;
  out = real;
  return true;
}

bool is_finite(Complex z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

using Function = Complex (*)(Complex);

/// A finite number whose result is not finite is out of the function's domain where it has a pole,
/// or the result out of range.
template <Function kFinite, Complex (*kOther)(const Complex&), bool kPole = false>
Value function(NativeCall& call) {
  Complex z;
  if (!complex_argument(call, 0, z)) return Value();
  if (!is_finite(z)) return complex_value(kOther(z));
  const Complex result = kFinite(z);
  if (!is_finite(result))
    return kPole ? call.raise("ValueError", "math domain error")
                 : call.raise("OverflowError", "math range error");
  return complex_value(result);
}

Value cmath_log(NativeCall& call) {
  Complex z, base;
  if (!complex_argument(call, 0, z)) return Value();
  if (given(call[1]) && !complex_argument(call, 1, base)) return Value();
  if (z == 0.0 || (given(call[1]) && base == 0.0))
    return call.raise("ValueError", "math domain error");
  const Complex result = is_finite(z) ? logarithm(z) : std::log(z);
  if (!given(call[1])) return complex_value(result);
  const Complex divisor = is_finite(base) ? logarithm(base) : std::log(base);
  if (divisor == 0.0) return call.raise("ValueError", "math domain error");
  return complex_value(complex_quotient(result, divisor));
}

Value cmath_phase(NativeCall& call) {
  Complex z;
  return complex_argument(call, 0, z) ? Value(std::atan2(z.imag(), z.real())) : Value();
}
Value cmath_polar(NativeCall& call) {
  Complex z;
  if (!complex_argument(call, 0, z)) return Value();
  Value size = complex_size(call.interpreter, z);
  if (size.is_undefined()) return size;
  return Value(make_tuple({size, Value(std::atan2(z.imag(), z.real()))}));
}
Value cmath_rect(NativeCall& call) {
  double size = 0, angle = 0;
  if (!float_argument(call, 0, size) || !float_argument(call, 1, angle)) return Value();
  if (angle == 0.0) return complex_value({size, size * angle});
  if (size != 0.0 && !std::isnan(size) && std::isinf(angle))
    return call.raise("ValueError", "math domain error");
  return complex_value({size * std::cos(angle), size * std::sin(angle)});
}

template <bool (*kQuestion)(Complex)>
Value question(NativeCall& call) {
  Complex z;
  return complex_argument(call, 0, z) ? Value(kQuestion(z)) : Value();
}
bool has_nan(Complex z) {
  return std::isnan(z.real()) || std::isnan(z.imag());
}
bool has_infinity(Complex z) {
  return std::isinf(z.real()) || std::isinf(z.imag());
}

Value cmath_isclose(NativeCall& call) {
  Complex a, b;
  double relative = 0, absolute = 0;
  if (!complex_argument(call, 0, a) || !complex_argument(call, 1, b) ||
      !float_argument(call, 2, relative) || !float_argument(call, 3, absolute))
    return Value();
  if (relative < 0 || absolute < 0)
    return call.raise("ValueError", "tolerances must be non-negative");
  if (a == b) return Value(true);
  if (has_infinity(a) || has_infinity(b)) return Value(false);
  const double difference = std::abs(a - b);
  return Value(difference <= relative * std::abs(b) || difference <= relative * std::abs(a) ||
               difference <= absolute);
}

constexpr Effects kAsks{.pure = true, .reads_value = true, .calls_back = true};

constexpr NativeDefinition kFunctions[] = {
    {"exp(z, /)", function<exponential, std::exp<double>>, kAsks, "e to that power"},
    {"log(z, base=..., /)", cmath_log, kAsks, "the logarithm, natural or to a base"},
    {"log10(z, /)", function<logarithm10, std::log10<double>, true>, kAsks,
     "the logarithm to base 10"},
    {"sqrt(z, /)", function<root, std::sqrt<double>>, kAsks, "the square root"},
    {"cos(z, /)", function<cosine, std::cos<double>>, kAsks, "the cosine"},
    {"sin(z, /)", function<sine, std::sin<double>>, kAsks, "the sine"},
    {"tan(z, /)", function<tangent, std::tan<double>>, kAsks, "the tangent"},
    {"cosh(z, /)", function<hyperbolic_cosine, std::cosh<double>>, kAsks, "the hyperbolic cosine"},
    {"sinh(z, /)", function<hyperbolic_sine, std::sinh<double>>, kAsks, "the hyperbolic sine"},
    {"tanh(z, /)", function<hyperbolic_tangent, std::tanh<double>>, kAsks,
     "the hyperbolic tangent"},
    {"acos(z, /)", function<inverse_cosine, std::acos<double>>, kAsks, "the inverse cosine"},
    {"asin(z, /)", function<inverse_sine, std::asin<double>>, kAsks, "the inverse sine"},
    {"atan(z, /)", function<inverse_tangent, std::atan<double>, true>, kAsks,
     "the inverse tangent"},
    {"acosh(z, /)", function<inverse_hyperbolic_cosine, std::acosh<double>>, kAsks,
     "the inverse hyperbolic cosine"},
    {"asinh(z, /)", function<inverse_hyperbolic_sine, std::asinh<double>>, kAsks,
     "the inverse hyperbolic sine"},
    {"atanh(z, /)", function<inverse_hyperbolic_tangent, std::atanh<double>, true>, kAsks,
     "the inverse hyperbolic tangent"},
    {"phase(z, /)", cmath_phase, kAsks, "the angle, from -pi to pi"},
    {"polar(z, /)", cmath_polar, kAsks, "the absolute value and the angle"},
    {"rect(r, phi, /)", cmath_rect, kAsks, "the number of an absolute value and an angle"},
    {"isnan(z, /)", question<has_nan>, kAsks, "whether a part is NaN"},
    {"isinf(z, /)", question<has_infinity>, kAsks, "whether a part is infinite"},
    {"isfinite(z, /)", question<is_finite>, kAsks, "whether both parts are finite"},
    {"isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)", cmath_isclose, kAsks,
     "whether two numbers are near each other"},
};

}  // namespace

void fill_cmath(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kFunctions);
  module.dict->set("pi", Value(std::numbers::pi));
  module.dict->set("e", Value(std::numbers::e));
  module.dict->set("tau", Value(2 * std::numbers::pi));
  module.dict->set("inf", Value(HUGE_VAL));
  module.dict->set("nan", Value(std::nan("")));
  module.dict->set("infj", complex_value({0.0, HUGE_VAL}));
  module.dict->set("nanj", complex_value({0.0, std::nan("")}));
}

}  // namespace glint::runtime
