#include "runtime/interpreter/big_ints.h"

#include <fmt/format.h>

#include <cmath>

#include "runtime/interpreter/builtins_number_text.h"
#include "runtime/interpreter/machine.h"

namespace glint::runtime {

using program::Opcode;

Value int_of(BigInt number) {
  if (std::optional<int64_t> small = number.as_int64()) return Value(*small);
  return Value(make_ref<BigIntObject>(std::move(number)));
}
Value int_of_float(double number) {
  const double whole = std::trunc(number);
  if (whole >= -0x1p63 && whole < 0x1p63) return Value(static_cast<int64_t>(whole));
  return int_of(BigInt::truncated(whole));
}
BigInt big_of(const Value& value) {
  return is_big_int(value) ? value.as<BigIntObject>()->value : BigInt(value.as_int());
}
int sign_of(const Value& value) {
  if (is_big_int(value)) return value.as<BigIntObject>()->value.is_negative() ? -1 : 1;
  return value.as_int() < 0 ? -1 : value.as_int() > 0;
}

bool float_of(Interpreter& in, const Value& value, double& out) {
  out = is_big_int(value) ? value.as<BigIntObject>()->value.to_double() : value.to_double();
  if (!is_big_int(value) || std::isfinite(out)) return true;
  in.raise("OverflowError", "int too large to convert to float");
  return false;
}

// ---- Operators ---------------------------------------------------------------------------------

namespace {

/// How far to shift: a number beyond what memory has room for stands for all of them.
std::optional<size_t> shift_count(Interpreter& in, const BigInt& count) {
  if (count.is_negative()) {
    in.raise("ValueError", "negative shift count");
    return std::nullopt;
  }
  std::optional<int64_t> small = count.as_int64();
  return static_cast<size_t>(small.value_or(INT64_MAX));
}

Value true_quotient(Interpreter& in, const BigInt& x, const BigInt& y) {
  if (y.is_zero()) return in.raise("ZeroDivisionError", "division by zero");
  const double quotient = BigInt::true_divide(x, y);
  if (std::isfinite(quotient)) return Value(quotient);
  return in.raise("OverflowError", "integer division result too large for a float");
}

Value power(Interpreter& in, const BigInt& base, const BigInt& exponent) {
  if (exponent.is_negative()) {
    double x = 0, y = 0;
    if (!float_of(in, int_of(base), x) || !float_of(in, int_of(exponent), y)) return Value();
    return binary(in, Opcode::kPower, Value(x), Value(y));
  }
  if (base.bit_length() <= 1) {  // 0, 1 and -1 have all powers
    const bool keeps = base.is_zero() ? !exponent.is_zero() : exponent.is_odd();
    return keeps ? int_of(base) : Value(int64_t{1});
  }
  const std::optional<int64_t> times = exponent.as_int64();
  if (!times) throw std::bad_alloc();
  return int_of(BigInt::power(base, static_cast<uint64_t>(*times)));
}

}  // namespace

Value big_operator(Interpreter& in, Opcode which, const BigInt& x, const BigInt& y) {
  switch (which) {
    case Opcode::kAdd:
      return int_of(x + y);
    case Opcode::kSubtract:
      return int_of(x - y);
    case Opcode::kMultiply:
      return int_of(x * y);
    case Opcode::kDivide:
      return true_quotient(in, x, y);
    case Opcode::kFloorDivide:
      if (y.is_zero()) return in.raise("ZeroDivisionError", "integer division or modulo by zero");
      return int_of(BigInt::divide(x, y).quotient);
    case Opcode::kModulo:
      if (y.is_zero()) return in.raise("ZeroDivisionError", "integer modulo by zero");
      return int_of(BigInt::divide(x, y).remainder);
    case Opcode::kPower:
      return power(in, x, y);
    case Opcode::kLeftShift: {
      const std::optional<size_t> count = shift_count(in, y);
      return count ? int_of(x << *count) : Value();
    }
    case Opcode::kRightShift: {
      const std::optional<size_t> count = shift_count(in, y);
      return count ? int_of(x >> *count) : Value();
    }
    case Opcode::kBitAnd:
      return int_of(x & y);
    case Opcode::kBitOr:
      return int_of(x | y);
    case Opcode::kBitXor:
      return int_of(x ^ y);
    default:
      return Value::not_implemented();
  }
}

int order_of_big(const Value& a, const Value& b) {
  if (a.is_float()) {
    const int order = order_of_big(b, a);
    return order == 2 ? 2 : -order;
  }
  if (!b.is_float()) return big_of(a).compare(big_of(b));
  const double y = b.as_float();
  if (std::isnan(y)) return 2;
  if (std::isinf(y)) return y > 0 ? -1 : 1;
  // A float that is near enough to be equal has no fraction.
  return big_of(a).compare(BigInt::truncated(y));
}

Value scalar_beside(Interpreter& in, const Value& big_int, const Value& tensor) {
  const BigInt& number = big_int.as<BigIntObject>()->value;
  if (number.is_negative())
    return in.raise("OverflowError", "can't convert negative int to unsigned");
  const bool fits = number.bit_length() <= 64 && tensor.is(kTensorKind) &&
                    is_floating(tensor.as<TensorImpl>()->dtype);
  if (!fits) return in.raise("OverflowError", "int too big to convert");
  return Value(number.to_double());
}

// ---- Texts -------------------------------------------------------------------------------------

int64_t& most_decimal_digits() {
  static int64_t limit = 4300;
  return limit;
}

std::optional<std::string> digits_of(Interpreter& in, const BigInt& number, unsigned base) {
  const bool is_decimal = (base & (base - 1)) != 0;
  const int64_t limit = most_decimal_digits();
  // A number of so many bits has at least as many digits.
  const double digits = static_cast<double>(number.bit_length()) * std::log10(2.0);
  std::string text;
  if (!is_decimal || limit == 0 || digits < static_cast<double>(limit + 1))
    text = number.digits(static_cast<int>(base));
  const bool is_short = !text.empty() && static_cast<int64_t>(text.size()) <= limit;
  if (!is_decimal || limit == 0 || is_short) return text;
  in.raise("ValueError",
           fmt::format("Exceeds the limit ({} digits) for integer string conversion; use "
                       "sys.set_int_max_str_digits() to increase the limit",
                       limit));
  return std::nullopt;
}

std::optional<std::string> digits_of(Interpreter& in, const Value& any_int, unsigned base) {
  if (is_big_int(any_int)) return digits_of(in, any_int.as<BigIntObject>()->value, base);
  const int64_t value = any_int.as_int();
  return digits_in_base(
      value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value), base);
}

std::optional<BigInt> parse_digits(Interpreter& in, std::string_view digits, unsigned base) {
  const bool is_decimal = (base & (base - 1)) != 0;
  const int64_t limit = most_decimal_digits();
  if (!is_decimal || limit == 0 || static_cast<int64_t>(digits.size()) <= limit)
    return BigInt::of_digits(digits, static_cast<int>(base));
  in.raise("ValueError",
           fmt::format("Exceeds the limit ({} digits) for integer string conversion: value has {} "
                       "digits; use sys.set_int_max_str_digits() to increase the limit",
                       limit, digits.size()));
  return std::nullopt;
}

}  // namespace glint::runtime
