#include "runtime/device/fourier.h"

#include <cmath>
#include <numbers>

#include "core/tensor/accelerator.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/layout.h"

namespace glint::device {
namespace {

using ops::Argument;
using ops::Arguments;
using ops::call_eager;
using ops::OpEntry;
using ops::Outputs;

/// Complex numbers, their parts apart.
struct Parts {
  Tensor real, imaginary;
};

Tensor shaped(const Tensor& x, std::vector<int64_t> sizes) {
  return call_eager("reshape", {x, std::vector<SymInt>(sizes.begin(), sizes.end())});
}
Tensor sum(const Tensor& x, const Tensor& y) {
  return call_eager("add", {x, y});
}
Tensor difference(const Tensor& x, const Tensor& y) {
  return call_eager("subtract", {x, y});
}
Tensor product(const Tensor& x, const Argument& y) {
  return call_eager("multiply", {x, y});
}
Tensor matrix_product(const Tensor& x, const Tensor& y) {
  return call_eager("matmul", {x, y});
}

/// (a + bi) (c + di) by a product of any kind.
Parts multiplied(const Parts& x, const Parts& y, Tensor (*times)(const Tensor&, const Tensor&)) {
  return {difference(times(x.real, y.real), times(x.imaginary, y.imaginary)),
          sum(times(x.real, y.imaginary), times(x.imaginary, y.real))};
}

/// w^(jk) for j below `rows` and k below `columns`; the angles are exact before they are rounded.
Parts powers(int64_t rows, int64_t columns, int64_t length, bool inverse, DType dtype) {
  const Tensor row = unsqueeze(call_eager("arange_sized", {SymInt(rows)}), 1);
  const Tensor column = call_eager("arange_sized", {SymInt(columns)});
  const Tensor turns = call_eager("remainder", {call_eager("multiply", {row, column}), length});
  const double step = (inverse ? 2 : -2) * std::numbers::pi / double(length);
  const Tensor angles = product(call_eager("to", {turns, DType::kFloat64}), step);
  return {call_eager("to", {call_eager("cos", {angles}), dtype}),
          call_eager("to", {call_eager("sin", {angles}), dtype})};
}

/// The largest divisor that is at most the square root.
int64_t middle_divisor(int64_t length) {
  auto divisor = int64_t(std::sqrt(double(length)));
  while (divisor > 1 && length % divisor != 0) --divisor;
  return std::max<int64_t>(divisor, 1);
}

/// Of rows of `length` numbers.
Parts transformed(const Parts& x, int64_t length, bool inverse) {
  const DType dtype = x.real.dtype();
  const int64_t rows = middle_divisor(length), columns = length / rows;
  const int64_t count = x.real.numel() / length;
  Parts y{shaped(x.real, {count, rows, columns}), shaped(x.imaginary, {count, rows, columns})};
  if (rows > 1) {
    y = multiplied(powers(rows, rows, rows, inverse, dtype), y, matrix_product);
    y = multiplied(y, powers(rows, columns, length, inverse, dtype),
                   [](const Tensor& a, const Tensor& b) { return product(a, b); });
  }
  y = multiplied(y, powers(columns, columns, columns, inverse, dtype), matrix_product);
  return {shaped(transpose(y.real, -1, -2), {count, length}),
          shaped(transpose(y.imaginary, -1, -2), {count, length})};
}

/// What the processor would give of this call: its sizes; and its scale.
struct Wanted {
  Dims sizes;
  double scale;
  int64_t length;

  Wanted(const OpEntry& entry, Arguments arguments, int64_t of)
      : sizes(ops::constant_dims(ops::infer(entry, ops::infer_arguments(arguments))[0].sizes)),
        scale(ops::as_float(ops::argument(entry, arguments, "scale"))),
        length(of) {}

  Tensor shaped_as(const Tensor& x) const {
    const Tensor scaled = scale == 1.0 ? x : product(x, scale);
    return shaped(scaled, {sizes.begin(), sizes.end()});
  }
};

Tensor nothing_of(const Wanted& wanted, const Tensor& like) {
  return Tensor::empty(wanted.sizes, like.dtype(), like.device());
}

}  // namespace

Outputs complex_fourier(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  const Wanted wanted(entry, arguments, input.rank() < 2 ? 0 : input.size(-2));
  if (input.numel() == 0) return nothing_of(wanted, input);
  const DefaultDeviceScope scope(input.device());
  const Parts found = transformed({select(input, -1, 0), select(input, -1, 1)}, wanted.length,
                                  ops::as_bool(ops::argument(entry, arguments, "inverse")));
  return wanted.shaped_as(call_eager("complex", {found.real, found.imaginary}));
}

Outputs fourier_from_real(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  const Wanted wanted(entry, arguments, input.rank() < 1 ? 0 : input.size(-1));
  if (input.numel() == 0) return nothing_of(wanted, input);
  const DefaultDeviceScope scope(input.device());
  const Parts found = transformed({input, product(input, 0)}, wanted.length, false);
  const Tensor pairs = call_eager("complex", {found.real, found.imaginary});
  return wanted.shaped_as(slice(pairs, 1, 0, wanted.length / 2 + 1, 1));
}

Outputs fourier_to_real(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  const Wanted wanted(entry, arguments, ops::as_constant(arguments[1]));
  if (input.numel() == 0) return nothing_of(wanted, input);
  const DefaultDeviceScope scope(input.device());
  // The other half mirrors this one, and is conjugate.
  const auto whole = [&](int64_t part, double sign) {
    const Tensor half = select(input, -1, part);
    const Tensor inside = slice(half, -1, 1, (wanted.length - 1) / 2 + 1, 1);
    const Tensor mirrored = product(call_eager("flip", {inside, SymInt(-1)}), sign);
    const std::vector<Argument> both = {half, mirrored};
    return call_eager("cat", {both, SymInt(-1)});
  };
  return wanted.shaped_as(transformed({whole(0, 1.0), whole(1, -1.0)}, wanted.length, true).real);
}

}  // namespace glint::device
