// What runs along a dimension and keeps more than a sum: library steps.
//
//     cummax([1, 3, 2])          values [1, 3, 3], indices [0, 1, 1]     the last place of equals
//     logcumsumexp([a, b])       [a, log(exp(a) + exp(b))]               without overflow
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// Lines of the dimension, one behind the other; `back` gives results the order of the input.
struct Lines {
  Tensor rows;
  int64_t dim;
  int64_t length;

  Lines(const OpEntry& entry, Arguments arguments) {
    const Tensor& input = arguments[0].tensor();
    dim = wrap_dim(as_constant(argument(entry, arguments, "dim")), size_t(input.rank()));
    rows = contiguous(is_last(input) ? input : transpose(input, dim, -1));
    length = rows.rank() == 0 ? 1 : rows.size(-1);
  }
  bool is_last(const Tensor& x) const { return x.rank() == 0 || dim == x.rank() - 1; }
  Tensor back(const Tensor& x) const { return is_last(x) ? x : row_major(transpose(x, dim, -1)); }
};

std::vector<TensorType> infer_extremes(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  wrap_dim(as_constant(argument(entry, arguments, "dim")), input.rank());
  return {TensorType::tensor(input.dtype, input.sizes),
          TensorType::tensor(DType::kInt64, input.sizes)};
}

/// A NaN wins, and only another one wins against it.
template <class T, bool kGreatest>
void extremes_of_line(const T* in, T* values, int64_t* places, int64_t length) {
  T best = in[0];
  int64_t place = 0;
  for (int64_t i = 0; i < length; ++i) {
    bool wins = kGreatest ? in[i] >= best : in[i] <= best;
    if (in[i] != in[i] || (best == best && wins)) {
      best = in[i];
      place = i;
    }
    values[i] = best;
    places[i] = place;
  }
}

template <bool kGreatest>
Outputs eager_extremes(const OpEntry& entry, Arguments arguments) {
  Lines lines(entry, arguments);
  Tensor values = Tensor::empty(lines.rows.sizes(), lines.rows.dtype());
  Tensor places = Tensor::empty(lines.rows.sizes(), DType::kInt64);
  visit_dtype(values.dtype(), [&]<class T>() {
    for (int64_t at = 0; at < values.numel(); at += lines.length)
      extremes_of_line<T, kGreatest>(lines.rows.data<T>() + at, values.data<T>() + at,
                                     places.data<int64_t>() + at, lines.length);
  });
  return Outputs(lines.back(values), lines.back(places));
}

/// Each value's gradient goes to where the value came from.
OpValue to_origins(GradientCall& g) {
  if (g.sizes("input").empty()) return g.out();
  return g.b.call("scatter_add", {g.zeros_like("input"), g.dim("dim"), g.result(1), g.out()});
}

std::vector<TensorType> infer_logcumsumexp(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  wrap_dim(as_constant(argument(entry, arguments, "dim")), input.rank());
  if (!is_floating(input.dtype))
    throw OpError{"NotImplementedError",
                  fmt::format("\"logcumsumexp_out_cpu\" not implemented for '{}'",
                              scalar_type_name(input.dtype))};
  return {TensorType::tensor(input.dtype, input.sizes)};
}

/// log(exp(x) + exp(y)); of two equal infinities the one.
double log_of_sum(double x, double y) {
  if (std::isnan(y)) return y;
  double least = std::min(x, y), greatest = std::max(x, y);
  if (least == greatest && !std::isfinite(least)) return x;
  return std::log1p(std::exp(least - greatest)) + greatest;
}

Outputs eager_logcumsumexp(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  infer_logcumsumexp(entry, types);
  Lines lines(entry, arguments);
  Tensor sums = Tensor::empty(lines.rows.sizes(), lines.rows.dtype());
  visit_dtype(sums.dtype(), [&]<class T>() {
    const T* in = lines.rows.data<T>();
    for (int64_t at = 0; at < sums.numel(); at += lines.length) {
      double sum = -std::numeric_limits<double>::infinity();
      for (int64_t i = at; i < at + lines.length; ++i) {
        sum = log_of_sum(convert_element<double>(in[i]), sum);
        sums.data<T>()[i] = convert_element<T>(sum);
      }
    }
  });
  return lines.back(sums);
}

double lowest(DType dtype) {
  if (dtype == DType::kFloat64) return std::numeric_limits<double>::lowest();
  if (dtype == DType::kFloat16) return -65504.0;
  if (dtype == DType::kBFloat16) return -0x1.fep127;
  return double(std::numeric_limits<float>::lowest());
}

/// exp(x[i]) * sum over j >= i of gradient[j] / exp(result[j]); by logarithms, of the positive and
/// the negative gradients apart.
OpValue logcumsumexp_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  if (g.sizes("input").empty()) return g.out();
  std::vector<SymInt> dim = {g.dim("dim")};
  OpValue size = b.log(b.call("abs", {g.out()}));
  auto part = [&](const OpValue& counts) {
    OpValue logarithm = b.where(counts, size, lowest(g.type("input").dtype));
    OpValue reversed = b.call("flip", {b.subtract(logarithm, g.result()), dim});
    OpValue sums = b.call("flip", {b.call("logcumsumexp", {reversed, g.dim("dim")}), dim});
    return b.exp(b.add(sums, g["input"]));
  };
  return b.subtract(part(b.greater(g.out(), 0)), part(b.less(g.out(), 0)));
}

constexpr OpEntry kEntries[] = {
    {
        .name = "cummax",
        .signature = "cummax(input: Tensor, dim: int) -> Tensors",
        .torch = "cummax",
        .method = "cummax",
        .doc = "The greatest so far along a dimension, and the last place where it was.",
        .infer = infer_extremes,
        .eager = eager_extremes<true>,
        .lowering = Library{},
        .gradients = {{"input", "indices", to_origins}},
        .grad_name = "CummaxBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = scan_samples,
    },
    {
        .name = "cummin",
        .signature = "cummin(input: Tensor, dim: int) -> Tensors",
        .torch = "cummin",
        .method = "cummin",
        .doc = "The least so far along a dimension, and the last place where it was.",
        .infer = infer_extremes,
        .eager = eager_extremes<false>,
        .lowering = Library{},
        .gradients = {{"input", "indices", to_origins}},
        .grad_name = "CumminBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = scan_samples,
    },
    {
        .name = "logcumsumexp",
        .signature = "logcumsumexp(input: Tensor, dim: int) -> Tensor",
        .torch = "logcumsumexp",
        .method = "logcumsumexp",
        .doc = "The logarithm of running sums of exponentials, without overflow.",
        .infer = infer_logcumsumexp,
        .eager = eager_logcumsumexp,
        .lowering = Library{},
        .gradients = {{"input", "input result", logcumsumexp_gradient}},
        .grad_name = "LogcumsumexpBackward0",
        .forms = Forms::kOut,
        .output_dtype = {"expected scalar_type {0} but found {1}", true},
        .samples = scan_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> running_entries() {
  return kEntries;
}

}  // namespace glint::ops
