// Fourier transforms along the last dimension: library steps (core/platform/fourier.h).
//
//     _fft_c2c(x)          x: (..., n, 2), pairs of real and imaginary parts, as is the result
//     _fft_r2c(x)          x: (..., n) of real numbers; the result is (..., n / 2 + 1, 2)
//     _fft_c2r(x, n)       back
//
// A transform is linear, and its adjoint is a transform too: that of `_fft_c2c` goes the other way,
// those of the other two are each other's but for the numbers that stand for two.
#include <fmt/format.h>

#include "core/platform/fourier.h"
#include "core/tensor/copy.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {
namespace {

void check_dtype(const TensorType& input) {
  if (input.dtype == DType::kFloat32 || input.dtype == DType::kFloat64) return;
  throw OpError{"RuntimeError", fmt::format("Unsupported dtype {}", scalar_type_name(input.dtype))};
}

void check_pairs(const TensorType& input) {
  check_dtype(input);
  if (input.rank() < 2 || !decide_equal(input.sizes.back(), 2))
    throw OpError{"RuntimeError", "a transform of pairs takes a last dimension of size 2"};
}

int64_t half_of(int64_t length) {
  return length / 2 + 1;
}

std::vector<TensorType> infer_complex(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  check_pairs(input);
  return {TensorType::tensor(input.dtype, input.sizes)};
}

std::vector<TensorType> infer_from_real(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  check_dtype(input);
  if (input.rank() < 1) throw OpError{"RuntimeError", "a transform takes at least one dimension"};
  std::vector<SymInt> sizes = input.sizes;
  sizes.back() = half_of(as_constant(InferArgument(sizes.back())));
  sizes.push_back(2);
  return {TensorType::tensor(input.dtype, sizes)};
}

std::vector<TensorType> infer_to_real(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  check_pairs(input);
  const int64_t length = as_constant(arguments[1]);
  std::vector<SymInt> sizes(input.sizes.begin(), input.sizes.end() - 1);
  if (!decide_equal(sizes.back(), half_of(length)))
    throw OpError{"RuntimeError", "a transform to n real numbers takes n / 2 + 1 complex ones"};
  sizes.back() = length;
  return {TensorType::tensor(input.dtype, sizes)};
}

Tensor transformed(const OpEntry& entry, Arguments arguments, FourierRows problem) {
  const Tensor input = contiguous(arguments[0].tensor());
  const std::vector<InferArgument> types = infer_arguments(arguments);
  const Tensor out =
      Tensor::empty(constant_dims(entry.infer(entry, types)[0].sizes), input.dtype());
  problem.rows =
      out.numel() == 0 ? 0 : out.numel() / fourier_output_width(problem.form, problem.length);
  problem.scale = as_float(argument(entry, arguments, "scale"));
  if (input.dtype() == DType::kFloat32)
    fourier_transform(problem, input.data<float>(), out.data<float>());
  else
    fourier_transform(problem, input.data<double>(), out.data<double>());
  return out;
}

Outputs eager_complex(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  check_pairs(type_of(input));
  return transformed(
      entry, arguments,
      {.length = input.size(-2), .inverse = as_bool(argument(entry, arguments, "inverse"))});
}
Outputs eager_from_real(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  const int64_t length = input.rank() == 0 ? 0 : input.size(-1);
  return transformed(entry, arguments, {.form = FourierForm::kRealToComplex, .length = length});
}
Outputs eager_to_real(const OpEntry& entry, Arguments arguments) {
  return transformed(entry, arguments,
                     {.form = FourierForm::kComplexToReal, .length = as_constant(arguments[1])});
}

/// Of half a spectrum, the numbers that stand for two, themselves and their mirror images, times a
/// factor: all but the first, and the last of an even length.
OpValue scaled_inside(OpBuilder& b, OpValue half, int64_t length, double factor) {
  const SymInt dim = int64_t(b.rank(half)) - 2, first = 1, last = (length - 1) / 2 + 1;
  if (length <= 2) return half;
  auto part = [&](SymInt begin, SymInt end) {
    return b.call("slice", {half, dim, begin, end, SymInt(1)});
  };
  OpValue inside = b.multiply(part(first, last), factor);
  return b.call(
      "cat",
      {OpArgument(std::vector<OpArgument>{part(0, first), inside, part(last, half_of(length))}),
       dim});
}

OpValue gradient_of_complex(GradientCall& g) {
  return g.b.call("fft_c2c", {g.out(), !as_bool(g["inverse"]), as_float(g["scale"])});
}
OpValue gradient_of_from_real(GradientCall& g) {
  const int64_t length = as_constant(OpArgument(g.sizes("input").back()));
  OpValue half = scaled_inside(g.b, g.out(), length, 0.5);
  return g.b.call("fft_c2r", {half, SymInt(length), as_float(g["scale"])});
}
OpValue gradient_of_to_real(GradientCall& g) {
  const int64_t length = as_constant(g["length"]);
  OpValue half = g.b.call("fft_r2c", {g.out(), as_float(g["scale"])});
  return scaled_inside(g.b, half, length, 2.0);
}

std::vector<Sample> complex_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 8, 2}), false, 1.0}},
          {{sample_tensor({2, 12, 2}), true, 0.25}},
          {{sample_tensor({7, 2}, DType::kFloat64), false, 1.0}},
          {{sample_tensor({2, 17, 2}), false, 1.0}},
          {{sample_tensor({20, 15, 2}), true, 1.0}},
          {{sample_tensor({1, 2}), false, 1.0}}};
}
std::vector<Sample> from_real_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 8}), 1.0}},
          {{sample_tensor({2, 3, 9}), 0.5}},
          {{sample_tensor({34, 6}, DType::kFloat64), 1.0}},
          {{sample_tensor({19}), 1.0}},
          {{sample_tensor({2}), 1.0}}};
}
std::vector<Sample> to_real_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 5, 2}), 8, 1.0}},
          {{sample_tensor({2, 3, 5, 2}), 9, 0.5}},
          {{sample_tensor({34, 4, 2}, DType::kFloat64), 6, 1.0}},
          {{sample_tensor({10, 2}), 19, 1.0}},
          {{sample_tensor({1, 2}), 1, 1.0}}};
}

constexpr OpEntry kEntries[] = {
    {
        .name = "fft_c2c",
        .signature = "_fft_c2c(input: Tensor, inverse: bool = False, scale: float = 1.0) -> Tensor",
        .torch = "_fft_c2c",
        .doc = "The Fourier transform, or its inverse without a factor, of pairs of real and "
               "imaginary parts along the last dimension but one, times a scale.",
        .infer = infer_complex,
        .eager = eager_complex,
        .lowering = Library{},
        .gradients = {{"input", "", gradient_of_complex}},
        .grad_name = "FftC2CBackward0",
        .tolerance = {1e-4, 1e-5},
        .samples = complex_samples,
    },
    {
        .name = "fft_r2c",
        .signature = "_fft_r2c(input: Tensor, scale: float = 1.0) -> Tensor",
        .torch = "_fft_r2c",
        .doc =
            "The first half of the Fourier transform of real numbers along the last dimension, as "
            "pairs, times a scale; the rest of it is conjugate.",
        .infer = infer_from_real,
        .eager = eager_from_real,
        .lowering = Library{},
        .gradients = {{"input", "", gradient_of_from_real}},
        .grad_name = "FftR2CBackward0",
        .tolerance = {1e-4, 1e-5},
        .samples = from_real_samples,
    },
    {
        .name = "fft_c2r",
        .signature = "_fft_c2r(input: Tensor, length: int, scale: float = 1.0) -> Tensor",
        .torch = "_fft_c2r",
        .doc = "The real numbers, so many, whose Fourier transform has this first half, times the "
               "length and a scale.",
        .infer = infer_to_real,
        .eager = eager_to_real,
        .lowering = Library{},
        .gradients = {{"input", "", gradient_of_to_real}},
        .grad_name = "FftC2RBackward0",
        .tolerance = {1e-4, 1e-5},
        .samples = to_real_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> fourier_entries() {
  return kEntries;
}

}  // namespace glint::ops
