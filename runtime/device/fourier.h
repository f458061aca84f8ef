// Fourier transforms on the device, as matrix products.
//
//     n = 12 = 3 * 4       products with the 3 by 3 and the 4 by 4 matrix of the powers of w
//
// A row of n = a * b numbers is a matrix of a rows and b columns. Its transform is that of the
// columns, each number times a power of w, that of the rows, and the matrix read by columns: n (a +
// b) products instead of n * n. A prime length is one product.
#pragma once

#include "ops/op.h"

namespace glint::device {

/// `_fft_c2c`, `_fft_r2c`, `_fft_c2r`.
ops::Outputs complex_fourier(const ops::OpEntry& entry, ops::Arguments arguments);
ops::Outputs fourier_from_real(const ops::OpEntry& entry, ops::Arguments arguments);
ops::Outputs fourier_to_real(const ops::OpEntry& entry, ops::Arguments arguments);

}  // namespace glint::device
