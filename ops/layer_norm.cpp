// Trailing dimensions normalised: layer norm, with its way back, and RMS norm.
//
//     layer_norm(x, [n], w, b)     (x - mean) / deviation * w + b, along rows of n elements
//     rms_norm(x, [n], w)          x / root mean square * w
//
// They are composites for the compiler, which fuses a row's steps into one kernel; layer norm has
// eager kernels that take one pass from memory.
#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/normalised_rows.h"
#include "ops/rows/row_kernels.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

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

/// What layer norm scales, there and on the way back: a graph of both computes it once.
struct NormalRows {
  std::vector<SymInt> dims;
  SymInt count = 1;
  OpValue scale;   ///< 1 / deviation
  OpValue normal;  ///< (x - mean) / deviation
};
NormalRows normal_rows(OpBuilder& b, const OpValue& input, const std::vector<SymInt>& normalized,
                       double epsilon) {
  OpValue x = widened(b, input);
  NormalRows rows{trailing_dims(b.rank(x), normalized.size()), product(normalized), {}, {}};
  OpValue deviation = b.subtract(x, b.divide(b.sum(x, rows.dims, true), rows.count));
  OpValue squares = b.sum(b.call("square", {deviation}), rows.dims, true);
  rows.scale = b.rsqrt(b.add(b.divide(squares, rows.count), epsilon));
  rows.normal = b.multiply(deviation, rows.scale);
  return rows;
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
  OpValue result = normal_rows(b, x, normalized, as_float(arguments[4])).normal;
  if (!arguments[2].is_none()) result = b.multiply(result, arguments[2]);
  if (!arguments[3].is_none()) result = b.add(result, arguments[3]);
  return rows_of(b, b.to(result, b.dtype(x)));
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
  for_each_row(x.numel() / length, length, [&](int64_t row) {
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

// ---- the way back ------------------------------------------------------------------------------

/// Of the input: scale * (h - mean(h) - normal * mean(h * normal)) for h = grad * weight. What all
/// rows add to weight and bias is `fit_gradient`'s sum.
std::vector<OpValue> layer_norm_backward(OpBuilder& b, OpArguments arguments) {
  const OpValue grad = arguments[0].tensor(), input = arguments[1].tensor();
  const std::vector<SymInt> normalized = as_ints(arguments[2]);
  const bool weighted = !arguments[3].is_none();
  check_normalized(b.sizes(input), normalized);
  check_gradient_sizes(b, grad, input);
  const NormalRows rows = normal_rows(b, input, normalized, as_float(arguments[4]));
  const OpValue h = widened(b, weighted ? b.multiply(grad, arguments[3]) : grad);
  auto mean = [&](OpValue x) { return b.divide(b.sum(std::move(x), rows.dims, true), rows.count); };
  const OpValue along = b.multiply(rows.normal, mean(b.multiply(h, rows.normal)));
  const OpValue of_input = b.multiply(b.subtract(b.subtract(h, mean(h)), along), rows.scale);
  const DType dtype = b.dtype(weighted ? arguments[3].tensor() : input);
  const TensorType parameter = TensorType::tensor(dtype, normalized, b.type(input).device);
  return {rows_of(b, b.to(of_input, b.dtype(input)))[0],
          fit_gradient(b, b.multiply(grad, rows.normal), parameter),
          // A result of its own, where there is one row too.
          rows.dims.size() < b.rank(input) ? fit_gradient(b, grad, parameter)
                                           : b.call("copy", {b.to(grad, dtype)})};
}

/// Rows are cut into parts, whose sums are added up in order, whatever the threads.
struct Parts {
  static constexpr int64_t kBlock = 32;  ///< rows that are added up in the dtype that computes
  int64_t rows, size, count;
  explicit Parts(int64_t all) : rows(all) {
    constexpr int64_t kMost = 32;
    const int64_t blocks = (rows + kBlock - 1) / kBlock;
    size = std::max<int64_t>(1, (blocks + kMost - 1) / kMost) * kBlock;
    count = (rows + size - 1) / size;
  }
  int64_t end(int64_t part) const { return std::min(rows, (part + 1) * size); }
};

/// Rows [begin, end) of all, and what they add to weight and bias.
template <class Real>
void run_part(LayerNormBack row, int64_t row_bytes, int64_t begin, int64_t end, double* totals) {
  const LayerNormBackRow kernel = layer_norm_back_row(row.dtype);
  const int64_t length = (row.n + 15) / 16 * 16;  // whole vectors
  std::vector<Real> sums(size_t(2 * length));
  const auto at = [&](auto* start, int64_t i) { return start + i * row_bytes; };
  const LayerNormBack all = row;
  row.of_weight = sums.data();
  row.of_bias = sums.data() + length;
  for (int64_t block = begin; block < end; block += Parts::kBlock) {
    std::ranges::fill(sums, Real(0));
    for (int64_t i = block; i < std::min(block + Parts::kBlock, end); ++i) {
      row.in = at(all.in, i);
      row.grad = at(all.grad, i);
      row.out = at(all.out, i);
      kernel(row);
    }
    for (int64_t i = 0; i < row.n; ++i) {
      totals[i] += double(sums[size_t(i)]);
      totals[row.n + i] += double(sums[size_t(length + i)]);
    }
  }
}

/// Runs all parts, and gives the sums for weight and bias, one behind the other.
std::vector<double> run_rows_back(const LayerNormBack& row, int64_t rows) {
  const Parts parts(rows);
  const int64_t row_bytes = row.n * int64_t(dtype_size(row.dtype));
  std::vector<double> totals(size_t(parts.count * 2 * row.n));
  const auto run = row.dtype == DType::kFloat64 ? run_part<double> : run_part<float>;
  const int64_t grain = std::max<int64_t>(1, 8192 / (parts.size * row.n));
  parallel_for(0, parts.count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part)
      run(row, row_bytes, part * parts.size, parts.end(part), &totals[size_t(part * 2 * row.n)]);
  });
  for (size_t i = size_t(2 * row.n); i < totals.size(); ++i)
    totals[i % size_t(2 * row.n)] += totals[i];
  return totals;
}

Tensor parameter_of(const double* totals, IntSpan sizes, DType dtype) {
  const Tensor wide = Tensor::empty(sizes, DType::kFloat64);
  std::copy_n(totals, wide.numel(), wide.data<double>());
  return convert(wide, dtype);
}

Outputs eager_layer_norm_backward(const OpEntry& entry, Arguments arguments) {
  const Tensor &grad = arguments[0].tensor(), &input = arguments[1].tensor();
  const bool weighted = !arguments[3].is_none();
  const bool alike = grad.dtype() == input.dtype() && is_floating(input.dtype()) &&
                     same_dims(grad.sizes(), input.sizes()) &&
                     (!weighted || arguments[3].tensor().dtype() == input.dtype());
  if (!alike || input.numel() == 0) return run_decomposition(entry, arguments);
  const auto normalized = constant_dims(as_ints(arguments[2]));
  const Tensor x = contiguous(input), g = contiguous(grad);
  const Tensor weight = weighted ? contiguous(arguments[3].tensor()) : Tensor();
  const Tensor out = Tensor::empty(x.sizes(), x.dtype());
  const int64_t length = product(as_ints(arguments[2])).constant();
  const std::vector<double> totals =
      run_rows_back({.dtype = x.dtype(),
                     .in = x.raw_data(),
                     .grad = g.raw_data(),
                     .weight = weighted ? weight.raw_data() : nullptr,
                     .epsilon = as_float(arguments[4]),
                     .out = out.raw_data(),
                     .of_weight = nullptr,
                     .of_bias = nullptr,
                     .n = length},
                    x.numel() / length);
  return Outputs({out, parameter_of(totals.data(), normalized, x.dtype()),
                  parameter_of(totals.data() + length, normalized, x.dtype())});
}

template <size_t kPlace>
OpValue of_argument(GradientCall& g) {
  return g.shared([&] {
    return g.b.call_all("layer_norm_backward",
                        {g.out(), g["input"], g["normalized_shape"], g["weight"], g["eps"]}, {});
  })[kPlace];
}

// ---- samples -----------------------------------------------------------------------------------

std::vector<Sample> layer_norm_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kFloats)
    for (const Tensor& x : sample_inputs(dtype)) {
      if (x.rank() == 0 || x.size(-1) == 0) continue;
      Tensor weight = sample_tensor({x.size(-1)}, dtype);
      add(samples, entry, {x, size_list({x.size(-1)})});
      add(samples, entry, {x, size_list({x.size(-1)}), weight, weight});
    }
  add(samples, entry, {sample_tensor({2, 3, 4}), size_list({3, 4})});
  return samples;
}
std::vector<Sample> rms_norm_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kFloats)
    add(samples, entry, {sample_tensor({5, 4}, dtype), size_list({4}), sample_tensor({4}, dtype)});
  add(samples, entry, {sample_tensor({2, 3, 4}), size_list({3, 4})});
  return samples;
}
std::vector<Sample> layer_norm_backward_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (const Sample& sample : layer_norm_samples(*find_op("layer_norm"))) {
    const Tensor& x = sample.arguments[0].tensor();
    add(samples, entry,
        {sample_tensor(x.sizes(), x.dtype()), x, sample.arguments[1], sample.arguments[2], 1e-5});
  }
  add(samples, entry,
      {sample_tensor({70, 20}), sample_tensor({70, 20}), std::vector<SymInt>{20},
       sample_tensor({20}), 1e-5});
  return samples;
}

constexpr OpEntry kEntries[] = {
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
        .gradients = {{"input", "input weight", of_argument<0>},
                      {"weight", "input weight", of_argument<1>},
                      {"bias", "input weight", of_argument<2>}},
        .grad_name = "NativeLayerNormBackward0",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = layer_norm_samples,
    },
    {
        .name = "layer_norm_backward",
        .signature = "layer_norm_backward(grad: Tensor, input: Tensor, normalized_shape: Size, "
                     "weight: Tensor | None, eps: float) -> Tensors",
        .doc = "The gradients of `layer_norm` for its input, its weight and its bias.",
        .eager = eager_layer_norm_backward,
        .decomposition = layer_norm_backward,
        .output_form = OutputForm::kTuple,
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = layer_norm_backward_samples,
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

std::span<const OpEntry> layer_norm_entries() {
  return kEntries;
}

}  // namespace glint::ops
