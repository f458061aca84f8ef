#include "runtime/interpreter/complex_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/builtins_number_text.h"
#include "runtime/interpreter/complex_tensors.h"
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {

using program::Opcode;
using Complex = std::complex<double>;

Value complex_value(Complex number) {
  note_complex_in_use();
  return Value(make_ref<ComplexObject>(number));
}

std::optional<Complex> as_complex(const Value& value) {
  if (auto* complex = value.try_as<ComplexObject>()) return complex->number;
  if (is_number_object(value)) return as_complex(number_in(value));
  if (value.is_number()) return Complex(value.to_double());
  if (is_big_int(value)) return Complex(value.as<BigIntObject>()->value.to_double());
  return std::nullopt;
}

// ---- Arithmetic --------------------------------------------------------------------------------

namespace {

// The operator of std::complex mends infinities, which CPython's does not.
Complex product(Complex x, Complex y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

/// By repeated squares.
Complex whole_power(Complex base, int64_t exponent) {
  if (exponent <= 0)
    return complex_quotient(1.0, whole_power(base, std::max<int64_t>(-exponent, 1)));
  Complex result = 1.0, square = base;
  for (int64_t bit = 1; exponent >= bit; bit <<= 1) {
    if (exponent & bit) result = product(result, square);
    square = product(square, square);
  }
  return result;
}

Complex general_power(Complex base, Complex exponent) {
  const double size = std::hypot(base.real(), base.imag());
  const double angle = std::atan2(base.imag(), base.real());
  double length = std::pow(size, exponent.real());
  double phase = angle * exponent.real();
  if (exponent.imag() != 0.0) {
    length *= std::exp(-angle * exponent.imag());
    phase += exponent.imag() * std::log(size);
  }
  return {length * std::cos(phase), length * std::sin(phase)};
}

Value power(Interpreter& in, Complex base, Complex exponent) {
  if (exponent == 0.0) return complex_value(1.0);
  if (base == 0.0 && (exponent.imag() != 0.0 || exponent.real() < 0.0))
    return in.raise("ZeroDivisionError", "0.0 to a negative or complex power");
  if (base == 0.0) return complex_value(0.0);
  constexpr double kMostSquared = 100;
  const bool whole = exponent.imag() == 0.0 && exponent.real() == std::floor(exponent.real()) &&
                     std::fabs(exponent.real()) <= kMostSquared;
  const Complex result = whole ? whole_power(base, static_cast<int64_t>(exponent.real()))
                               : general_power(base, exponent);
  if (std::isinf(result.real()) || std::isinf(result.imag()))
    return in.raise("OverflowError", "complex exponentiation");
  return complex_value(result);
}

}  // namespace

Complex complex_quotient(Complex x, Complex y) {
  if (std::fabs(y.real()) >= std::fabs(y.imag())) {
    if (y == 0.0) return {std::nan(""), std::nan("")};
    const double ratio = y.imag() / y.real(), divisor = y.real() + y.imag() * ratio;
    return {(x.real() + x.imag() * ratio) / divisor, (x.imag() - x.real() * ratio) / divisor};
  }
  if (std::fabs(y.imag()) >= std::fabs(y.real())) {
    const double ratio = y.real() / y.imag(), divisor = y.real() * ratio + y.imag();
    return {(x.real() * ratio + x.imag()) / divisor, (x.imag() * ratio - x.real()) / divisor};
  }
  return {std::nan(""), std::nan("")};
}

Value complex_operator(Interpreter& in, Opcode which, Complex x, Complex y) {
  switch (which) {
    case Opcode::kAdd:
      return complex_value(x + y);
    case Opcode::kSubtract:
      return complex_value(x - y);
    case Opcode::kMultiply:
      return complex_value(product(x, y));
    case Opcode::kDivide:
      if (y == 0.0) return in.raise("ZeroDivisionError", "complex division by zero");
      return complex_value(complex_quotient(x, y));
    case Opcode::kPower:
      return power(in, x, y);
    default:
      return Value::not_implemented();
  }
}

Value complex_size(Interpreter& in, Complex number) {
  const double size = std::hypot(number.real(), number.imag());
  if (std::isinf(size) && std::isfinite(number.real()) && std::isfinite(number.imag()))
    return in.raise("OverflowError", "absolute value too large");
  return Value(size);
}

// ---- Texts -------------------------------------------------------------------------------------

namespace {

/// The shortest text, without the point of a whole number.
std::string short_text(double value) {
  std::string text = float_repr(value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

bool is_plain_zero(double value) {
  return value == 0.0 && !std::signbit(value);
}

}  // namespace

std::string complex_repr(Complex number) {
  const std::string imaginary = short_text(number.imag());
  if (is_plain_zero(number.real())) return imaginary + "j";
  const bool has_sign = imaginary.starts_with('-');
  return fmt::format("({}{}{}j)", short_text(number.real()), has_sign ? "" : "+", imaginary);
}

Result<std::string> format_complex(Complex number, const FormatSpec& spec) {
  if (spec.zero_padding) return Error{"Zero padding is not allowed in complex format specifier"};
  if (spec.align == '=')
    return Error{"'=' alignment flag is not allowed in complex format specifier"};
  if (spec.type == '%') return Error{"Unknown format code '%' for object of type 'complex'"};
  // Each part as a float by itself; the width is of both.
  FormatSpec part = spec;
  part.width = -1;
  part.align = 0;
  const bool lone = spec.type == 0 && is_plain_zero(number.real());
  auto text_of = [&](double value) -> Result<std::string> {
    if (spec.type != 0) return format_float(value, part);
    part.type = spec.precision < 0 ? 0 : 'g';
    Result<std::string> text = format_float(value, part);
    // Without a type, as `repr` writes it.
    if (text.ok() && spec.precision < 0 && text->ends_with(".0")) text->resize(text->size() - 2);
    return text;
  };
  std::string text;
  if (!lone) {
    Result<std::string> real = text_of(number.real());
    if (!real) return real;
    text = *real;
    part.sign = '+';
  }
  Result<std::string> imaginary = text_of(number.imag());
  if (!imaginary) return imaginary;
  text += *imaginary + "j";
  if (spec.type == 0 && !lone) text = "(" + text + ")";
  FormatSpec whole{.fill = spec.fill, .align = spec.align ? spec.align : '>', .width = spec.width};
  return format_text(text, whole);
}

std::optional<Complex> parse_complex(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  auto trim = [&](std::string_view& part) {
    part.remove_prefix(std::min(part.find_first_not_of(kSpace), part.size()));
    part = part.substr(0, part.find_last_not_of(kSpace) + 1);
  };
  trim(text);
  if (text.size() > 1 && text.front() == '(' && text.back() == ')') {
    text = text.substr(1, text.size() - 2);
    trim(text);
  }
  auto number = [&](std::string_view part) -> std::optional<double> {
    if (part.empty() || part.find_first_of(kSpace) != std::string_view::npos) return std::nullopt;
    const ParsedFloat parsed = parse_float(part);
    return parsed.ok ? std::optional(parsed.value) : std::nullopt;
  };
  if (text.empty()) return std::nullopt;
  if (text.back() != 'j' && text.back() != 'J') {
    const auto real = number(text);
    return real ? std::optional(Complex(*real)) : std::nullopt;
  }
  text.remove_suffix(1);
  // The sign between the parts is the last one that no exponent owns.
  size_t split = text.size();
  while (split > 0) {
    --split;
    const bool is_sign = text[split] == '+' || text[split] == '-';
    const bool of_exponent = split > 0 && (text[split - 1] == 'e' || text[split - 1] == 'E');
    if (is_sign && !of_exponent) break;
  }
  const std::string_view tail = text.substr(split);
  const bool bare = tail.empty() || tail == "+" || tail == "-";
  const auto imaginary = bare ? std::optional(tail == "-" ? -1.0 : 1.0) : number(tail);
  const auto real = split == 0 ? std::optional(0.0) : number(text.substr(0, split));
  if (!real || !imaginary) return std::nullopt;
  return Complex(*real, *imaginary);
}

}  // namespace glint::runtime
