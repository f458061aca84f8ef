// Ints that outgrow 64 bits. An int of the language lies in its `Value` while it fits there and is
// a `BigIntObject` from then on; scripts see one class.
//
//     Value x = int_of(BigInt(1) << 64);      x.is<BigIntObject>(), class_of(x) is int
//     Value y = int_of(big_of(x) >> 60);      y.is_int(), y.as_int() == 16
//
// That a number has one form alone is the invariant: what fits is never an object, so equal ints
// have equal tags, and all that only takes small ints may go on asking `is_int`.
#pragma once

#include "core/support/big_int.h"
#include "runtime/interpreter/object.h"

namespace glint::runtime {

struct BigIntObject : Object {
  static constexpr ObjectKind kKind = kBigIntKind;
  const BigInt value;
  explicit BigIntObject(BigInt number) : Object(kKind), value(std::move(number)) {}
};

inline bool is_big_int(const Value& value) {
  return value.is<BigIntObject>();
}
/// An int of any size, or a bool.
inline bool is_any_int(const Value& value) {
  return value.is_integral() || is_big_int(value);
}
/// That, or a float.
inline bool is_any_number(const Value& value) {
  return value.is_number() || is_big_int(value);
}

/// The number as an int of the language, in the one form that it has.
Value int_of(BigInt number);
/// A finite float without its fraction.
Value int_of_float(double number);
/// Of any int.
BigInt big_of(const Value& value);
/// Of any int: -1, 0 or 1.
int sign_of(const Value& value);
/// Of any number; OverflowError "int too large to convert to float" where it is beyond them.
bool float_of(Interpreter& in, const Value& value, double& out);

/// An operator on two ints, of which one or the result is big.
Value big_operator(Interpreter& in, program::Opcode which, const BigInt& x, const BigInt& y);
/// The exact order of two numbers of which one is a big int: -1, 0, 1, or 2 when one is NaN.
int order_of_big(const Value& a, const Value& b);

/// What an operator takes a big int for beside a tensor: as in PyTorch, tensors of floats take ints
/// of 64 bits without a sign, as floats. Undefined if it raised.
Value scalar_beside(Interpreter& in, const Value& big_int, const Value& tensor);

/// How many digits a number may have that is written in, or read from, a base that is no power of
/// two: that takes a time which grows with the square. 0 is no limit; see
/// `sys.set_int_max_str_digits`.
int64_t& most_decimal_digits();
/// Of the absolute value, in lower case; none if they are too many and it raised.
std::optional<std::string> digits_of(Interpreter& in, const BigInt& number, unsigned base);
std::optional<std::string> digits_of(Interpreter& in, const Value& any_int, unsigned base);
/// Of nothing but digits; none if they are too many and it raised.
std::optional<BigInt> parse_digits(Interpreter& in, std::string_view digits, unsigned base);

}  // namespace glint::runtime
