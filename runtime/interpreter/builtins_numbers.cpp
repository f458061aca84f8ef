// int, float and bool: how they are made, and their methods.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_functions.h"
#include "runtime/interpreter/builtins_number_text.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/modules_math_functions.h"
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {
namespace {

// ---- Making them -------------------------------------------------------------------------------

Value int_from_text(NativeCall& call, std::string_view text, int64_t base) {
  if (base != 0 && (base < 2 || base > 36))
    return call.raise("ValueError", "int() base must be >= 2 and <= 36, or 0");
  ParsedInt parsed = parse_int(text, static_cast<unsigned>(base));
  if (parsed.digits.empty())
    return call.raise("ValueError", fmt::format("invalid literal for int() with base {}: {}", base,
                                                text_repr(text)));
  int64_t small = 0;
  const char* end = parsed.digits.data() + parsed.digits.size();
  auto read = std::from_chars(parsed.digits.data(), end, small, static_cast<int>(parsed.base));
  if (read.ec == std::errc()) return int_value(parsed.is_negative ? -small : small);
  std::optional<BigInt> number = parse_digits(call.interpreter, parsed.digits, parsed.base);
  if (!number) return Value();
  return int_of(parsed.is_negative ? -*number : std::move(*number));
}

Value int_from_float(NativeCall& call, double x) {
  if (std::isnan(x)) return call.raise("ValueError", "cannot convert float NaN to integer");
  if (std::isinf(x)) return call.raise("OverflowError", "cannot convert float infinity to integer");
  return int_of_float(x);
}

Value int_float(NativeCall& call) {
  double number = 0;
  return float_of(call.interpreter, call[0], number) ? Value(number) : Value();
}

Value construct_int(NativeCall& call) {
  const Value& x = call[0];
  if (!given(x)) return int_value(0);
  if (given(call[1])) {
    int64_t base = 0;
    if (!int_argument(call, 1, base)) return Value();
    if (is_str(x)) return int_from_text(call, view_of(x), base);
    if (auto* bytes = x.try_as<BytesObject>()) return int_from_text(call, bytes->data, base);
    return call.raise("TypeError", "int() can't convert non-string with explicit base");
  }
  if (x.is_integral()) return int_value(x.as_int());
  if (is_big_int(x)) return x;
  if (x.is_float()) return int_from_float(call, x.as_float());
  if (is_str(x)) return int_from_text(call, view_of(x), 10);
  if (auto* bytes = x.try_as<BytesObject>()) return int_from_text(call, bytes->data, 10);
  if (is_tensor(x)) return call.interpreter.call_method(x, "__int__");
  if (is_number_object(x) && !script_special(x, Special::kInt)) {
    const Value plain[] = {number_in(x), call[1]};
    NativeCall inner{call.interpreter, plain, 2, call.function, 1};
    return construct_int(inner);
  }
  for (Special which : {Special::kInt, Special::kIndex}) {
    const Value* method = script_special(x, which);
    if (!method) continue;
    Value function = *method;
    Value result = call.interpreter.call(function, {x});
    if (result.is_undefined() || is_any_int(result)) return result;
    return call.raise("TypeError", fmt::format("{} returned non-int (type {})", name_of(which),
                                               type_name(result)));
  }
  return call.raise("TypeError",
                    fmt::format("int() argument must be a string, a bytes-like object or a real "
                                "number, not '{}'",
                                type_name(x)));
}

Value construct_float(NativeCall& call) {
  const Value& x = call[0];
  if (!given(x)) return Value(0.0);
  if (x.is_number()) return Value(x.to_double());
  if (is_big_int(x)) return int_float(call);
  if (is_str(x)) {
    ParsedFloat parsed = parse_float(view_of(x));
    if (parsed.ok) return Value(parsed.value);
    return call.raise("ValueError",
                      fmt::format("could not convert string to float: {}", text_repr(view_of(x))));
  }
  if (is_number_object(x) && !script_special(x, Special::kFloat))
    return call.interpreter.call(Value(call.interpreter.classes().floating), {number_in(x)});
  if (is_tensor(x) || script_special(x, Special::kFloat) || script_special(x, Special::kIndex)) {
    double number = 0;
    return float_argument(call, 0, number) ? Value(number) : Value();
  }
  return call.raise(
      "TypeError",
      fmt::format("float() argument must be a string or a real number, not '{}'", type_name(x)));
}

/// `int.__new__(cls, ...)` and `float.__new__(cls, ...)`, which a subclass's own ends with.
template <NativeFunction kConstruct, auto kClass>
Value new_number(NativeCall& call) {
  NativeCall inner{call.interpreter, call.arguments + 1, call.count - 1, call.function,
                   call.positional - 1};
  Value number = kConstruct(inner);
  if (number.is_undefined()) return number;
  return instance_of_first(call, std::move(number), *(call.interpreter.classes().*kClass));
}

Value construct_bool(NativeCall& call) {
  if (!given(call[0])) return Value(false);
  return bool_value(truth(call.interpreter, call[0]));
}

// ---- Methods of int ----------------------------------------------------------------------------

Value int_bit_length(NativeCall& call) {
  if (is_big_int(call[0])) return int_value(static_cast<int64_t>(big_of(call[0]).bit_length()));
  int64_t value = call[0].as_int();
  uint64_t magnitude =
      value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return int_value(std::bit_width(magnitude));
}
Value int_bit_count(NativeCall& call) {
  if (is_big_int(call[0])) return int_value(static_cast<int64_t>(big_of(call[0]).bit_count()));
  int64_t value = call[0].as_int();
  uint64_t magnitude =
      value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return int_value(std::popcount(magnitude));
}
Value int_self(NativeCall& call) {
  return is_big_int(call[0]) ? call[0] : int_value(call[0].as_int());
}
Value int_zero(NativeCall& call) {
  return int_value(0);
}
Value int_one(NativeCall& call) {
  return int_value(1);
}
Value int_as_ratio(NativeCall& call) {
  return Value(make_tuple({int_self(call), int_value(1)}));
}
Value int_is_integer(NativeCall& call) {
  return Value(true);
}

/// The argument `byteorder`; false if it raised.
bool byte_order(NativeCall& call, std::string_view& order) {
  if (!text_argument(call, 2, order)) return false;
  if (order == "little" || order == "big") return true;
  call.raise("ValueError", "byteorder must be either 'little' or 'big'");
  return false;
}

Value int_to_bytes(NativeCall& call) {
  int64_t length = 0;
  std::string_view order;
  if (!int_argument(call, 1, length) || !byte_order(call, order)) return Value();
  int signed_bytes = truth(call.interpreter, call[3]);
  if (length < 0) return call.raise("ValueError", "length argument must be non-negative");
  if (sign_of(call[0]) < 0 && !signed_bytes)
    return call.raise("OverflowError", "can't convert negative int to unsigned");
  std::optional<std::string> data =
      big_of(call[0]).to_bytes(static_cast<size_t>(length), signed_bytes == 1);
  if (!data) return call.raise("OverflowError", "int too big to convert");
  if (order == "big") std::ranges::reverse(*data);
  return Value(make_ref<BytesObject>(std::move(*data)));
}

/// What a class method of int or float makes: of a subclass, what a call of that makes.
Value of_class(NativeCall& call, Value number) {
  const bool subclass = call[0].is<ClassObject>() && !call[0].as<ClassObject>()->native;
  return subclass ? call.interpreter.call(call[0], {std::move(number)}) : number;
}

Value int_from_bytes(NativeCall& call) {
  std::string data;
  std::string_view order;
  if (auto* bytes = call[1].try_as<BytesObject>()) {
    data = bytes->data;
  } else {
    std::vector<Value> items;
    if (!collect(call.interpreter, call[1], items)) return Value();
    for (const Value& item : items) {
      if (!item.is_integral() || item.as_int() < 0 || item.as_int() > 255)
        return call.raise("ValueError", "bytes must be in range(0, 256)");
      data += static_cast<char>(item.as_int());
    }
  }
  if (!byte_order(call, order)) return Value();
  if (order == "big") std::ranges::reverse(data);
  return of_class(call, int_of(BigInt::of_bytes(data, truth(call.interpreter, call[3]) == 1)));
}

// ---- Methods of float --------------------------------------------------------------------------

Value float_is_integer(NativeCall& call) {
  double x = call[0].to_double();
  return Value(std::isfinite(x) && x == std::floor(x));
}
Value float_self(NativeCall& call) {
  return Value(call[0].to_double());
}
Value float_zero(NativeCall& call) {
  return Value(0.0);
}

Value float_as_ratio(NativeCall& call) {
  double x = call[0].to_double();
  if (std::isnan(x)) return call.raise("ValueError", "cannot convert NaN to integer ratio");
  if (std::isinf(x)) return call.raise("OverflowError", "cannot convert Infinity to integer ratio");
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);
  auto numerator = static_cast<int64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  while (exponent < 0 && numerator % 2 == 0 && numerator != 0) {
    numerator /= 2;
    ++exponent;
  }
  if (numerator == 0) exponent = 0;
  const auto up = static_cast<size_t>(std::max(exponent, 0));
  const auto down = static_cast<size_t>(std::max(-exponent, 0));
  return Value(make_tuple({int_of(BigInt(numerator) << up), int_of(BigInt(1) << down)}));
}

Value float_hex(NativeCall& call) {
  double x = call[0].to_double();
  if (!std::isfinite(x)) return str_value(float_repr(x));
  if (x == 0) return str_value(std::signbit(x) ? "-0x0.0p+0" : "0x0.0p+0");
  int exponent = 0;
  double fraction = std::frexp(std::fabs(x), &exponent);
  auto bits = static_cast<uint64_t>(std::ldexp(fraction, 53)) & ((uint64_t{1} << 52) - 1);
  return str_value(fmt::format("{}0x1.{:013x}p{:+d}", x < 0 ? "-" : "", bits, exponent - 1));
}

Value float_fromhex(NativeCall& call) {
  std::string_view text;
  if (!text_argument(call, 1, text)) return Value();
  return of_class(call, Value(std::strtod(std::string(text).c_str(), nullptr)));
}

Value number_repr(NativeCall& call) {
  std::string text;
  return builtin_repr(call.interpreter, call[0], text) ? str_value(std::move(text)) : Value();
}

// Called by name only, `(7).__add__(3)`: the operators do not come here. An int's methods take
// ints, a float's take both.
bool takes_other(NativeCall& call) {
  return call[0].is_float() ? is_any_number(call[1]) : is_any_int(call[1]);
}
template <program::Opcode kOperator, bool kReflected = false>
Value number_operator(NativeCall& call) {
  if (!takes_other(call)) return Value::not_implemented();
  return binary(call.interpreter, kOperator, call[kReflected], call[!kReflected]);
}
template <program::Opcode kOperator>
Value number_comparison(NativeCall& call) {
  if (!takes_other(call)) return Value::not_implemented();
  return compare(call.interpreter, kOperator, call[0], call[1]);
}
template <program::Opcode kOperator>
Value number_unary(NativeCall& call) {
  return unary(call.interpreter, kOperator, call[0]);
}
using program::Opcode;
Value number_abs(NativeCall& call) {
  bool negative = call[0].is_float() ? std::signbit(call[0].as_float()) : sign_of(call[0]) < 0;
  Opcode which = negative ? Opcode::kNegative : Opcode::kPositive;
  return unary(call.interpreter, which, call[0]);
}
template <double (*kRounded)(double)>
Value float_rounded(NativeCall& call) {
  return int_from_float(call, kRounded(call[0].to_double()));
}
template <bool kReflected>
Value number_divmod(NativeCall& call) {
  if (!takes_other(call)) return Value::not_implemented();
  Value pair[] = {call[kReflected], call[!kReflected]};
  NativeCall inner{call.interpreter, pair, 2, call.function, 2};
  return native_divmod(inner);
}
/// With a modulus where one is given, which ints alone take.
template <bool kReflected>
Value number_power(NativeCall& call) {
  bool modulus = given_not_none(call[2]);
  bool fits = takes_other(call) && (!modulus || call[0].is_float() || is_any_int(call[2]));
  if (!fits) return Value::not_implemented();
  Value row[] = {call[kReflected], call[!kReflected], call[2]};
  NativeCall inner{call.interpreter, row, 3, call.function, 3};
  return native_pow(inner);
}
Value number_as_arguments(NativeCall& call) {
  return Value(make_tuple({call[0]}));
}
Value number_bool(NativeCall& call) {
  return bool_value(truth(call.interpreter, call[0]));
}
Value number_hash(NativeCall& call) {
  uint64_t hash = 0;
  if (!hash_of(call.interpreter, call[0], hash)) return Value();
  return int_value(static_cast<int64_t>(hash));
}

constexpr NativeDefinition kNumberMethods[] = {
    {"__add__(self, other, /)", number_operator<Opcode::kAdd>, kPure, "self + other"},
    {"__radd__(self, other, /)", number_operator<Opcode::kAdd, true>, kPure, "other + self"},
    {"__sub__(self, other, /)", number_operator<Opcode::kSubtract>, kPure, "self - other"},
    {"__rsub__(self, other, /)", number_operator<Opcode::kSubtract, true>, kPure, "other - self"},
    {"__mul__(self, other, /)", number_operator<Opcode::kMultiply>, kPure, "self * other"},
    {"__rmul__(self, other, /)", number_operator<Opcode::kMultiply, true>, kPure, "other * self"},
    {"__truediv__(self, other, /)", number_operator<Opcode::kDivide>, kPure, "self / other"},
    {"__rtruediv__(self, other, /)", number_operator<Opcode::kDivide, true>, kPure, "other / self"},
    {"__floordiv__(self, other, /)", number_operator<Opcode::kFloorDivide>, kPure, "self // other"},
    {"__rfloordiv__(self, other, /)", number_operator<Opcode::kFloorDivide, true>, kPure,
     "other // self"},
    {"__mod__(self, other, /)", number_operator<Opcode::kModulo>, kPure, "self % other"},
    {"__rmod__(self, other, /)", number_operator<Opcode::kModulo, true>, kPure, "other % self"},
    {"__divmod__(self, other, /)", number_divmod<false>, kPure,
     "the pair (self // other, self % other)"},
    {"__rdivmod__(self, other, /)", number_divmod<true>, kPure,
     "the pair (other // self, other % self)"},
    {"__pow__(self, other, mod=None, /)", number_power<false>, kPure, "self ** other"},
    {"__rpow__(self, other, mod=None, /)", number_power<true>, kPure, "other ** self"},
    {"__eq__(self, other, /)", number_comparison<Opcode::kEqual>, kPure, "self == other"},
    {"__ne__(self, other, /)", number_comparison<Opcode::kNotEqual>, kPure, "self != other"},
    {"__lt__(self, other, /)", number_comparison<Opcode::kLess>, kPure, "self < other"},
    {"__le__(self, other, /)", number_comparison<Opcode::kLessEqual>, kPure, "self <= other"},
    {"__gt__(self, other, /)", number_comparison<Opcode::kGreater>, kPure, "self > other"},
    {"__ge__(self, other, /)", number_comparison<Opcode::kGreaterEqual>, kPure, "self >= other"},
    {"__neg__(self, /)", number_unary<Opcode::kNegative>, kPure, "-self"},
    {"__pos__(self, /)", number_unary<Opcode::kPositive>, kPure, "+self"},
    {"__round__(self, ndigits=..., /)", native_round, kPure, "rounded, halves to even"},
    {"__abs__(self, /)", number_abs, kPure, "the absolute value"},
    {"__bool__(self, /)", number_bool, kPure, "whether it is not zero"},
    {"__hash__(self, /)", number_hash, kPure, "a number for hash tables"},
    {"__getnewargs__(self, /)", number_as_arguments, kPure, "the plain number, for copies"},
};
constexpr NativeDefinition kIntMethods[] = {
    {"bit_length(self, /)", int_bit_length, kPure, "how many bits the absolute value needs"},
    {"bit_count(self, /)", int_bit_count, kPure, "how many bits of the absolute value are 1"},
    {"conjugate(self, /)", int_self, kPure, "the int itself"},
    {"as_integer_ratio(self, /)", int_as_ratio, kPure, "the pair (self, 1)"},
    {"is_integer(self, /)", int_is_integer, kPure, "True"},
    {"to_bytes(self, /, length=1, byteorder='big', *, signed=False)", int_to_bytes, kPure,
     "the int as bytes"},
    {"__index__(self, /)", int_self, kPure, "the int itself"},
    {"__int__(self, /)", int_self, kPure, "the int itself"},
    {"__float__(self, /)", int_float, kPure, "as a float"},
    {"__trunc__(self, /)", int_self, kPure, "the int itself"},
    {"__floor__(self, /)", int_self, kPure, "the int itself"},
    {"__ceil__(self, /)", int_self, kPure, "the int itself"},
    {"__invert__(self, /)", number_unary<Opcode::kInvert>, kPure, "~self"},
    {"__and__(self, other, /)", number_operator<Opcode::kBitAnd>, kPure, "self & other"},
    {"__rand__(self, other, /)", number_operator<Opcode::kBitAnd, true>, kPure, "other & self"},
    {"__or__(self, other, /)", number_operator<Opcode::kBitOr>, kPure, "self | other"},
    {"__ror__(self, other, /)", number_operator<Opcode::kBitOr, true>, kPure, "other | self"},
    {"__xor__(self, other, /)", number_operator<Opcode::kBitXor>, kPure, "self ^ other"},
    {"__rxor__(self, other, /)", number_operator<Opcode::kBitXor, true>, kPure, "other ^ self"},
    {"__lshift__(self, other, /)", number_operator<Opcode::kLeftShift>, kPure, "self << other"},
    {"__rlshift__(self, other, /)", number_operator<Opcode::kLeftShift, true>, kPure,
     "other << self"},
    {"__rshift__(self, other, /)", number_operator<Opcode::kRightShift>, kPure, "self >> other"},
    {"__rrshift__(self, other, /)", number_operator<Opcode::kRightShift, true>, kPure,
     "other >> self"},
    {"__repr__(self, /)", number_repr, kPure, "as text"},
};
constexpr NativeDefinition kIntMaking[] = {
    {"__new__(cls, x=..., /, base=...)", new_number<construct_int, &BuiltinClasses::integer>, kPure,
     "a new int"},
};
constexpr NativeDefinition kFloatMaking[] = {
    {"__new__(cls, x=..., /)", new_number<construct_float, &BuiltinClasses::floating>, kPure,
     "a new float"},
};
constexpr NativeDefinition kIntClassMethods[] = {
    {"from_bytes(cls, bytes, byteorder='big', *, signed=False)", int_from_bytes, kPure,
     "the int that bytes spell"},
};
constexpr NativeDefinition kIntProperties[] = {
    {"real(self)", int_self, kPure, "the int itself"},
    {"imag(self)", int_zero, kPure, "0"},
    {"numerator(self)", int_self, kPure, "the int itself"},
    {"denominator(self)", int_one, kPure, "1"},
};
constexpr NativeDefinition kFloatMethods[] = {
    {"is_integer(self, /)", float_is_integer, kPure, "whether there is no fraction"},
    {"as_integer_ratio(self, /)", float_as_ratio, kPure, "two ints with this quotient"},
    {"conjugate(self, /)", float_self, kPure, "the float itself"},
    {"hex(self, /)", float_hex, kPure, "as hexadecimal text"},
    {"__float__(self, /)", float_self, kPure, "the float itself"},
    {"__int__(self, /)", float_rounded<std::trunc>, kPure, "cut to an int"},
    {"__trunc__(self, /)", float_rounded<std::trunc>, kPure, "cut to an int"},
    {"__floor__(self, /)", float_rounded<std::floor>, kPure, "the next int below"},
    {"__ceil__(self, /)", float_rounded<std::ceil>, kPure, "the next int above"},
    {"__repr__(self, /)", number_repr, kPure, "as text"},
};
constexpr NativeDefinition kFloatClassMethods[] = {
    {"fromhex(cls, string, /)", float_fromhex, kPure, "the float of hexadecimal text"},
};
constexpr NativeDefinition kFloatProperties[] = {
    {"real(self)", float_self, kPure, "the float itself"},
    {"imag(self)", float_zero, kPure, "0.0"},
};

}  // namespace

void take_plain_numbers(const ClassObject& cls) {
  for (const auto& entry : cls.dict->table.entries()) {
    const auto* property = entry.value.try_as<PropertyObject>();
    const Value& method = property ? property->getter : entry.value;
    if (auto* native = method.try_as<NativeFunctionObject>()) native->takes_plain_numbers = true;
  }
}

void install_numbers(Interpreter& in) {
  BuiltinClasses& classes = in.classes();
  set_constructor(*classes.integer, {"int(x=..., /, base=...)", construct_int, kPure,
                                     "an int from a number or a text"});
  set_constructor(*classes.floating,
                  {"float(x=..., /)", construct_float, kPure, "a float from a number or a text"});
  set_constructor(*classes.boolean, {"bool(x=..., /)",
                                     construct_bool,
                                     {.pure = true, .reads_value = true, .calls_back = true},
                                     "whether a value is true"});
  in.add_methods(*classes.integer, kNumberMethods);
  in.add_methods(*classes.floating, kNumberMethods);
  in.add_methods(*classes.integer, kIntMethods);
  add_class_methods(*classes.integer, kIntClassMethods);
  for (const NativeDefinition& property : kIntProperties)
    in.add_property(*classes.integer, property);
  in.add_methods(*classes.floating, kFloatMethods);
  add_class_methods(*classes.floating, kFloatClassMethods);
  for (const NativeDefinition& property : kFloatProperties)
    in.add_property(*classes.floating, property);
  take_plain_numbers(*classes.integer);
  take_plain_numbers(*classes.floating);
  in.add_methods(*classes.integer, kIntMaking);
  in.add_methods(*classes.floating, kFloatMaking);
}

}  // namespace glint::runtime
