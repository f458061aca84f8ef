// softmax and layer norm: composites for the compiler, which fuses them into one kernel, with eager
// kernels that take one pass from memory.
//
//     softmax(x, dim)      e * (1 / sum(e)), where e = exp(x - max(x)): one division a row
#include <algorithm>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/parallel.h"
#include "ops/rows/row_kernels.h"
#include "ops/samples.h"
#include "ops/softmax_columns.h"

namespace glint::ops {

namespace {

OpValue in_dtype(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (const DType* dtype = arguments[2].get_if<DType>()) return b.to(x, *dtype);
  return x;
}

void check_floating(const char* name, DType dtype) {
  if (!is_floating(dtype))
    throw OpError{"NotImplementedError",
                  fmt::format("\"{}\" not implemented for '{}'", name, scalar_type_name(dtype))};
}

/// An empty input has an empty result and no maximum.
bool has_nothing(OpBuilder& b, const OpValue& x) {
  for (SymInt size : b.sizes(x))
    if (size.is(0)) return true;
  return false;
}

/// These results are laid out row by row, whatever the input's layout.
std::vector<OpValue> row_major(OpBuilder& b, OpValue x) {
  return {b.type(x).strides.empty() ? x : b.call("copy", {x})};
}

std::vector<OpValue> softmax(OpBuilder& b, OpArguments arguments) {
  OpValue x = in_dtype(b, arguments);
  DType dtype = b.dtype(x);
  check_floating("softmax_lastdim_kernel_impl", b.dtype(x));
  wrap_dim(as_constant(arguments[1]), b.rank(x));
  if (has_nothing(b, x)) return {b.call("copy", {x})};
  std::vector<SymInt> dim{as_int(arguments[1])};
  x = widened(b, x);
  OpValue e = b.exp(b.subtract(x, b.amax(x, dim, true)));
  return row_major(b, b.to(b.multiply(e, b.reciprocal(b.sum(e, dim, true))), dtype));
}

std::vector<OpValue> log_softmax(OpBuilder& b, OpArguments arguments) {
  OpValue x = in_dtype(b, arguments);
  DType dtype = b.dtype(x);
  check_floating("log_softmax_lastdim_kernel_impl", b.dtype(x));
  wrap_dim(as_constant(arguments[1]), b.rank(x));
  if (has_nothing(b, x)) return {b.call("copy", {x})};
  std::vector<SymInt> dim{as_int(arguments[1])};
  x = widened(b, x);
  OpValue shifted = b.subtract(x, b.amax(x, dim, true));
  OpValue result = b.subtract(shifted, b.log(b.sum(b.exp(shifted), dim, true)));
  return row_major(b, b.to(result, dtype));
}

/// Rows of the last dimension, over the threads.
template <class F>
void for_rows(int64_t rows, int64_t length, F&& f) {
  parallel_for(0, rows, std::max<int64_t>(1, 8192 / std::max<int64_t>(length, 1)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t row = begin; row < end; ++row) f(row);
               });
}

/// Whether columns side by side fill vectors, of a dtype that is computed in itself.
bool has_wide_columns(const Tensor& x, int64_t dim) {
  constexpr int64_t kVector = 16;
  int64_t inner = 1;
  for (int64_t k = dim + 1; k < x.rank(); ++k) inner *= x.size(k);
  return inner >= kVector && (x.dtype() == DType::kFloat32 || x.dtype() == DType::kFloat64);
}

Outputs eager_softmax_form(Arguments arguments, bool logarithm) {
  Tensor x = arguments[0].tensor();
  if (arguments.size() > 2 && arguments[2].get_if<DType>())
    x = convert(x, *arguments[2].get_if<DType>());
  check_floating(logarithm ? "log_softmax_lastdim_kernel_impl" : "softmax_lastdim_kernel_impl",
                 x.dtype());
  int64_t dim = wrap_dim(as_constant(arguments[1]), size_t(x.rank()));
  bool last = x.rank() == 0 || dim == x.rank() - 1;
  if (!last && has_wide_columns(x, dim)) {
    const Tensor in = contiguous(x), out = Tensor::empty(x.sizes(), x.dtype());
    softmax_columns(in, dim, out, logarithm);
    return out;
  }
  // Another dimension is brought last, and back.
  Tensor rows = contiguous(last ? x : transpose(x, dim, -1));
  Tensor out = Tensor::empty(rows.sizes(), x.dtype());
  if (out.numel() > 0) {
    int64_t length = x.rank() == 0 ? 1 : rows.size(-1);
    SoftmaxRow kernel = softmax_row(x.dtype());
    int64_t bytes = length * int64_t(x.element_size());
    for_rows(rows.numel() / length, length, [&](int64_t row) {
      kernel(rows.raw_data() + row * bytes, out.raw_data() + row * bytes, length, logarithm);
    });
  }
  return last ? out : ops::row_major(transpose(out, dim, -1));
}

Outputs eager_softmax(const OpEntry& entry, Arguments arguments) {
  return eager_softmax_form(arguments, false);
}
Outputs eager_log_softmax(const OpEntry& entry, Arguments arguments) {
  return eager_softmax_form(arguments, true);
}

void check_normalized(std::span<const SymInt> sizes, std::span<const SymInt> normalized) {
  bool fits = normalized.size() <= sizes.size();
  for (size_t i = 0; fits && i < normalized.size(); ++i)
    fits = decide_equal(sizes[sizes.size() - normalized.size() + i], normalized[i]);
  if (fits) return;
  std::string tail = ints_text(normalized);
  throw OpError{"RuntimeError",
                fmt::format("Given normalized_shape={}, expected input with shape [*, {}, but got "
                            "input of size{}",
                            tail, tail.substr(1), ints_text(sizes))};
}

void check_affine(const char* which, std::span<const SymInt> sizes,
                  std::span<const SymInt> normalized) {
  if (std::ranges::equal(sizes, normalized, decide_equal)) return;
  throw OpError{"RuntimeError",
                fmt::format("Expected {0} to be of same shape as normalized_shape, but got {0} of "
                            "shape {1} and normalized_shape = {2}",
                            which, ints_text(sizes), ints_text(normalized))};
}

/// Parameters have the input's dtype; those of a bfloat16 or float16 input may be float32.
void check_mixed(DType input, std::span<const DType> parameters) {
  if (parameters.empty()) return;
  bool narrow = input == DType::kBFloat16 || input == DType::kFloat16;
  bool mixed = parameters.front() != input;
  for (DType parameter : parameters) {
    if (mixed && parameter != DType::kFloat32)
      throw OpError{"RuntimeError",
                    "mixed dtype (CPU): expect parameter to have scalar type of Float"};
    if (!mixed && parameter != input)
      throw OpError{"RuntimeError",
                    fmt::format("expected scalar type {} but found {}", scalar_type_name(input),
                                scalar_type_name(parameter))};
  }
  if (mixed && !narrow)
    throw OpError{"RuntimeError", "mixed dtype (CPU): all inputs must share same datatype."};
}

std::vector<SymInt> trailing_dims(size_t rank, size_t count) {
  std::vector<SymInt> dims;
  for (size_t i = rank - count; i < rank; ++i) dims.push_back(int64_t(i));
  return dims;
}

std::vector<OpValue> layer_norm(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  auto normalized = as_ints(arguments[1]);
  auto sizes = b.sizes(x);
  check_normalized(sizes, normalized);
  for (size_t at : {2, 3})
    if (!arguments[at].is_none())
      check_affine(at == 2 ? "weight" : "bias", b.sizes(arguments[at].tensor()), normalized);
  check_floating("LayerNormKernelImpl", b.dtype(x));
  std::vector<DType> parameters;
  for (size_t at : {2, 3})
    if (!arguments[at].is_none()) parameters.push_back(b.dtype(arguments[at].tensor()));
  check_mixed(b.dtype(x), parameters);
  auto dims = trailing_dims(sizes.size(), normalized.size());
  SymInt count = product(normalized);
  DType dtype = b.dtype(x);
  x = widened(b, x);
  OpValue deviation = b.subtract(x, b.divide(b.sum(x, dims, true), count));
  OpValue variance = b.divide(b.sum(b.call("square", {deviation}), dims, true), count);
  OpValue result = b.multiply(deviation, b.rsqrt(b.add(variance, as_float(arguments[4]))));
  if (!arguments[2].is_none()) result = b.multiply(result, arguments[2]);
  if (!arguments[3].is_none()) result = b.add(result, arguments[3]);
  return row_major(b, b.to(result, dtype));
}

Outputs eager_layer_norm(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  auto normalized = as_ints(arguments[1]);
  check_normalized(type_of(input).sizes, normalized);
  for (size_t at = 2; at < std::min<size_t>(arguments.size(), 4); ++at)
    if (!arguments[at].is_none())
      check_affine(at == 2 ? "weight" : "bias", type_of(arguments[at].tensor()).sizes, normalized);
  check_floating("LayerNormKernelImpl", input.dtype());
  for (size_t at = 2; at < std::min<size_t>(arguments.size(), 4); ++at)
    if (!arguments[at].is_none() && arguments[at].tensor().dtype() != input.dtype())
      return run_decomposition(entry, arguments);
  Tensor x = contiguous(input);
  auto parameter = [&](size_t at) {
    bool given = at < arguments.size() && !arguments[at].is_none();
    return given ? contiguous(arguments[at].tensor()) : Tensor();
  };
  Tensor weight = parameter(2), bias = parameter(3);
  double epsilon = as_float(argument(entry, arguments, "eps"));
  Tensor out = Tensor::empty(x.sizes(), x.dtype());
  int64_t length = product(normalized).constant();
  if (out.numel() == 0) return out;
  LayerNormRow kernel = layer_norm_row(x.dtype());
  int64_t bytes = length * int64_t(x.element_size());
  const void* factor = weight.defined() ? weight.raw_data() : nullptr;
  const void* offset = bias.defined() ? bias.raw_data() : nullptr;
  for_rows(x.numel() / length, length, [&](int64_t row) {
    kernel(x.raw_data() + row * bytes, factor, offset, epsilon, out.raw_data() + row * bytes,
           length);
  });
  return out;
}

std::vector<OpValue> rms_norm(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  auto normalized = as_ints(arguments[1]);
  auto sizes = b.sizes(x);
  check_normalized(sizes, normalized);
  auto dims = trailing_dims(sizes.size(), normalized.size());
  // The distance from 1 to the next number, of the dtype that computes.
  DType dtype = b.dtype(x);
  double smallest = dtype == DType::kFloat64 ? 0x1p-52 : 0x1p-23;
  double epsilon = arguments[3].is_none() ? smallest : as_float(arguments[3]);
  x = widened(b, x);
  OpValue power = b.divide(b.sum(b.call("square", {x}), dims, true), product(normalized));
  OpValue result = b.multiply(x, b.rsqrt(b.add(power, epsilon)));
  if (!arguments[2].is_none()) result = b.multiply(result, arguments[2]);
  return {b.to(result, dtype)};
}

// ---- gradients ---------------------------------------------------------------------------------

OpValue softmax_gradient(GradientCall& g) {
  OpValue weighted = g.b.multiply(g.out(), g.result());
  OpValue total = g.b.sum(weighted, {g.dim("dim")}, true);
  return g.b.subtract(weighted, g.b.multiply(g.result(), total));
}

OpValue log_softmax_gradient(GradientCall& g) {
  OpValue total = g.b.sum(g.out(), {g.dim("dim")}, true);
  return g.b.subtract(g.out(), g.b.multiply(g.b.exp(g.result()), total));
}

/// What layer_norm scales, written as layer_norm does, so that a graph of both computes it once.
struct NormalRows {
  std::vector<SymInt> dims;
  SymInt count = 1;
  OpValue scale;   ///< 1 / deviation
  OpValue normal;  ///< (x - mean) / deviation
};
NormalRows normal_rows(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue x = widened(b, g.tensor("input"));
  auto normalized = as_ints(g["normalized_shape"]);
  NormalRows rows{trailing_dims(b.rank(x), normalized.size()), product(normalized), {}, {}};
  OpValue deviation = b.subtract(x, b.divide(b.sum(x, rows.dims, true), rows.count));
  OpValue squares = b.sum(b.call("square", {deviation}), rows.dims, true);
  rows.scale = b.rsqrt(b.add(b.divide(squares, rows.count), as_float(g["eps"])));
  rows.normal = b.multiply(deviation, rows.scale);
  return rows;
}

/// scale * (h - mean(h) - normal * mean(h * normal)) for h = gradient * weight.
OpValue layer_norm_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  NormalRows rows = normal_rows(g);
  OpValue h = g.is_none("weight") ? g.out() : b.multiply(g.out(), g["weight"]);
  h = widened(b, h);
  auto mean = [&](OpValue x) { return b.divide(b.sum(std::move(x), rows.dims, true), rows.count); };
  OpValue along = b.multiply(rows.normal, mean(b.multiply(h, rows.normal)));
  return b.multiply(b.subtract(b.subtract(h, mean(h)), along), rows.scale);
}

constexpr OpEntry kEntries[] = {
    {
        .name = "softmax",
        .signature = "softmax(input: Tensor, dim: int, dtype: dtype | None = None) -> Tensor",
        .torch = "softmax",
        .method = "softmax",
        .functional = "softmax",
        .doc = "exp(x) divided by its sum along a dimension, without overflow.",
        .eager = eager_softmax,
        .decomposition = softmax,
        .gradients = {{"input", "result", softmax_gradient}},
        .grad_name = "SoftmaxBackward0",
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
        .samples = softmax_samples,
    },
    {
        .name = "log_softmax",
        .signature = "log_softmax(input: Tensor, dim: int, dtype: dtype | None = None) -> Tensor",
        .torch = "log_softmax",
        .method = "log_softmax",
        .functional = "log_softmax",
        .doc = "The logarithm of softmax, exact where softmax is tiny.",
        .eager = eager_log_softmax,
        .decomposition = log_softmax,
        .gradients = {{"input", "result", log_softmax_gradient}},
        .grad_name = "LogSoftmaxBackward0",
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
        .samples = softmax_samples,
    },
    {
        .name = "layer_norm",
        .signature =
            "layer_norm(input: Tensor, normalized_shape: Size, weight: Tensor | None = None, "
            "bias: Tensor | None = None, eps: float = 1e-05) -> Tensor",
        .torch = "layer_norm",
        .functional = "layer_norm",
        .doc =
            "The trailing dimensions normalised to mean 0 and variance 1, then scaled and shifted.",
        .eager = eager_layer_norm,
        .decomposition = layer_norm,
        .gradients = {{"input", "input weight", layer_norm_gradient},
                      {"weight", "input",
                       [](GradientCall& g) {
                         return g.b.multiply(g.out(), normal_rows(g).normal);
                       }},
                      {"bias", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name = "NativeLayerNormBackward0",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = layer_norm_samples,
    },
    {
        .name = "rms_norm",
        .signature =
            "rms_norm(input: Tensor, normalized_shape: Size, weight: Tensor | None = None, "
            "eps: float | None = None) -> Tensor",
        .torch = "rms_norm",
        .functional = "rms_norm",
        .doc = "The trailing dimensions divided by the root of their mean square, then scaled.",
        .decomposition = rms_norm,
        .samples = rms_norm_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> normalisation_entries() {
  return kEntries;
}

}  // namespace glint::ops
