// Discrete Fourier transforms of rows of complex numbers.
//
//     transform(problem of rows of n pairs, ...)       out[k] = scale * sum over j of in[j] w^(jk)
//     w = exp(-2 pi i / n), or its conjugate for the inverse
//
// Three forms, as PyTorch has them: complex to complex; real to complex, which gives the first half
// of the result, n / 2 + 1 numbers, as the rest is conjugate; and back, complex to real, which
// takes that half. A complex number is a pair of numbers that lie one behind the other.
#pragma once

#include <cstdint>

namespace glint {

enum class FourierForm : uint8_t { kComplex, kRealToComplex, kComplexToReal };

/// Rows of `length` numbers each, of the side that is longer.
struct FourierRows {
  FourierForm form = FourierForm::kComplex;
  int64_t rows = 0;
  int64_t length = 0;
  bool inverse = false;  ///< of kComplex; real to complex goes forward, and complex to real back
  double scale = 1.0;
};

/// Numbers (not pairs) in a row of the input and of the output.
int64_t fourier_input_width(FourierForm form, int64_t length);
int64_t fourier_output_width(FourierForm form, int64_t length);

/// Rows lie one behind the other; `out` overlaps `in` nowhere.
void fourier_transform(const FourierRows& problem, const float* in, float* out);
void fourier_transform(const FourierRows& problem, const double* in, double* out);

}  // namespace glint
