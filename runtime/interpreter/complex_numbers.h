// Complex numbers of Python: their arithmetic and their texts, the way CPython has them.
//
//     complex_operator(in, kMultiply, {0, 1}, {0, 1})     (-1+0j)
//     complex_repr({0, 2.5})                              "2.5j"
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/interpreter/builtins_format_spec.h"
#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

Value complex_value(std::complex<double> number);
/// A complex, real or whole number as a complex one; nothing of other values.
std::optional<std::complex<double>> as_complex(const Value& value);

/// `+ - * / **`; NotImplemented for the others. Raises where CPython does.
Value complex_operator(Interpreter& in, program::Opcode which, std::complex<double> x,
                       std::complex<double> y);
/// The quotient by Smith's method; that by 0 is not a number.
std::complex<double> complex_quotient(std::complex<double> x, std::complex<double> y);
/// `abs(number)`
Value complex_size(Interpreter& in, std::complex<double> number);

std::string complex_repr(std::complex<double> number);
Result<std::string> format_complex(std::complex<double> number, const FormatSpec& spec);
/// `complex(text)`; nothing where the text is no number.
std::optional<std::complex<double>> parse_complex(std::string_view text);

}  // namespace glint::runtime
