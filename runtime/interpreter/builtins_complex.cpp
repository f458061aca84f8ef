// complex: how it is made, and its methods. What operators do is in complex_numbers.cpp.
#include <cmath>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_functions.h"
#include "runtime/interpreter/complex_numbers.h"

namespace glint::runtime {
namespace {

using Complex = std::complex<double>;
using program::Opcode;

Complex number_of(const Value& value) {
  return value.as<ComplexObject>()->number;
}

/// An argument of `complex`; false if it raised. What is no number at all leaves `out` empty.
bool part_argument(NativeCall& call, size_t index, std::optional<Complex>& out) {
  Interpreter& in = call.interpreter;
  const Value value = settled(in.tracer(), call[index]);
  if (value.is_undefined()) return false;
  out = as_complex(value);
  if (out) return true;
  const bool has_method = value.is(kInstanceKind) && class_of(value)->lookup("__complex__");
  if (has_method) {
    const Value made = in.call_method(value, "__complex__");
    if (made.is_undefined()) return false;
    if (made.is<ComplexObject>()) return out = number_of(made), true;
    in.raise("TypeError", fmt::format("{}.__complex__() must return a complex, not {}",
                                      type_name(value), type_name(made)));
    return false;
  }
  const bool is_real = value.is(kTensorKind) || script_special(value, Special::kFloat) ||
                       script_special(value, Special::kIndex);
  double real = 0;
  if (is_real && !float_argument(call, index, real)) return false;
  if (is_real) out = real;
  return true;
}

Value construct_complex(NativeCall& call) {
  if (given(call[0]) && is_str(call[0])) {
    if (given(call[1]))
      return call.raise("TypeError", "complex() can't take second arg if first is a string");
    const auto parsed = parse_complex(view_of(call[0]));
    return parsed ? complex_value(*parsed)
                  : call.raise("ValueError", "complex() arg is a malformed string");
  }
  if (given(call[1]) && is_str(call[1]))
    return call.raise("TypeError", "complex() second arg can't be a string");
  std::optional<Complex> real = 0.0, imaginary = 0.0;
  if (given(call[0]) && !part_argument(call, 0, real)) return Value();
  if (!real)
    return call.raise("TypeError",
                      fmt::format("complex() first argument must be a string or a number, not '{}'",
                                  type_name(call[0])));
  if (!given(call[1])) return complex_value(*real);
  if (!part_argument(call, 1, imaginary)) return Value();
  if (!imaginary)
    return call.raise("TypeError", fmt::format("complex() second argument must be a number, not "
                                               "'{}'",
                                               type_name(call[1])));
  return complex_value({real->real() - imaginary->imag(), real->imag() + imaginary->real()});
}

Value complex_real(NativeCall& call) {
  return Value(number_of(call[0]).real());
}
Value complex_imaginary(NativeCall& call) {
  return Value(number_of(call[0]).imag());
}
Value complex_conjugate(NativeCall& call) {
  const Complex number = number_of(call[0]);
  return complex_value({number.real(), -number.imag()});
}
Value complex_itself(NativeCall& call) {
  return call[0];
}
Value complex_text(NativeCall& call) {
  return str_value(complex_repr(number_of(call[0])));
}
Value complex_absolute(NativeCall& call) {
  return complex_size(call.interpreter, number_of(call[0]));
}
Value complex_truth(NativeCall& call) {
  return bool_value(truth(call.interpreter, call[0]));
}
Value complex_hash(NativeCall& call) {
  uint64_t hash = 0;
  return hash_of(call.interpreter, call[0], hash) ? int_value(static_cast<int64_t>(hash)) : Value();
}
Value complex_parts(NativeCall& call) {
  const Complex number = number_of(call[0]);
  return Value(make_tuple({Value(number.real()), Value(number.imag())}));
}

// Called by name only: the operators do not come here.
template <Opcode kOperator, bool kReflected = false>
Value complex_binary(NativeCall& call) {
  if (!as_complex(call[1])) return Value::not_implemented();
  return binary(call.interpreter, kOperator, call[kReflected], call[!kReflected]);
}
template <Opcode kOperator>
Value complex_comparison(NativeCall& call) {
  if (!as_complex(call[1])) return Value::not_implemented();
  return compare(call.interpreter, kOperator, call[0], call[1]);
}
template <Opcode kOperator>
Value complex_unary(NativeCall& call) {
  return unary(call.interpreter, kOperator, call[0]);
}

constexpr NativeDefinition kMethods[] = {
    {"conjugate(self, /)", complex_conjugate, kPure, "the number with the other imaginary sign"},
    {"__complex__(self, /)", complex_itself, kPure, "the number itself"},
    {"__getnewargs__(self, /)", complex_parts, kPure, "the two parts, for copies"},
    {"__add__(self, other, /)", complex_binary<Opcode::kAdd>, kPure, "self + other"},
    {"__radd__(self, other, /)", complex_binary<Opcode::kAdd, true>, kPure, "other + self"},
    {"__sub__(self, other, /)", complex_binary<Opcode::kSubtract>, kPure, "self - other"},
    {"__rsub__(self, other, /)", complex_binary<Opcode::kSubtract, true>, kPure, "other - self"},
    {"__mul__(self, other, /)", complex_binary<Opcode::kMultiply>, kPure, "self * other"},
    {"__rmul__(self, other, /)", complex_binary<Opcode::kMultiply, true>, kPure, "other * self"},
    {"__truediv__(self, other, /)", complex_binary<Opcode::kDivide>, kPure, "self / other"},
    {"__rtruediv__(self, other, /)", complex_binary<Opcode::kDivide, true>, kPure, "other / self"},
    {"__pow__(self, other, /)", complex_binary<Opcode::kPower>, kPure, "self ** other"},
    {"__rpow__(self, other, /)", complex_binary<Opcode::kPower, true>, kPure, "other ** self"},
    {"__eq__(self, other, /)", complex_comparison<Opcode::kEqual>, kPure, "self == other"},
    {"__ne__(self, other, /)", complex_comparison<Opcode::kNotEqual>, kPure, "self != other"},
    {"__neg__(self, /)", complex_unary<Opcode::kNegative>, kPure, "-self"},
    {"__pos__(self, /)", complex_unary<Opcode::kPositive>, kPure, "+self"},
    {"__abs__(self, /)", complex_absolute, kPure, "the absolute value"},
    {"__bool__(self, /)", complex_truth, kPure, "whether it is not zero"},
    {"__hash__(self, /)", complex_hash, kPure, "a number for hash tables"},
    {"__repr__(self, /)", complex_text, kPure, "as text"},
};
constexpr NativeDefinition kProperties[] = {
    {"real(self)", complex_real, kPure, "the real part"},
    {"imag(self)", complex_imaginary, kPure, "the imaginary part"},
};

}  // namespace

void install_complex(Interpreter& in) {
  ClassObject& cls = *in.classes().complex;
  set_constructor(cls, {"complex(real=..., imag=...)",
                        construct_complex,
                        {.pure = true, .reads_value = true, .calls_back = true},
                        "a complex number from its parts or a text"});
  in.add_methods(cls, kMethods);
  for (const NativeDefinition& property : kProperties) in.add_property(cls, property);
  take_plain_numbers(cls);
}

}  // namespace glint::runtime
