// softmax: composites for the compiler, which fuses them into one kernel, with eager kernels
// that take one pass from memory.
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
#include "ops/normalised_rows.h"
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

/// An empty input has an empty result and no maximum.
bool has_nothing(OpBuilder& b, const OpValue& x) {
  for (SymInt size : b.sizes(x))
    if (size.is(0)) return true;
  return false;
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
  return rows_of(b, b.to(b.multiply(e, b.reciprocal(b.sum(e, dim, true))), dtype));
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
  return rows_of(b, b.to(result, dtype));
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
    for_each_row(rows.numel() / length, length, [&](int64_t row) {
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

// ---- gradients ---------------------------------------------------------------------------------

OpValue softmax_gradient(GradientCall& g) {
  OpValue total = g.b.sum(g.b.multiply(g.out(), g.result()), {g.dim("dim")}, true);
  return g.b.multiply(g.b.subtract(g.out(), total), g.result());
}

OpValue log_softmax_gradient(GradientCall& g) {
  OpValue total = g.b.sum(g.out(), {g.dim("dim")}, true);
  return g.b.subtract(g.out(), g.b.multiply(g.b.exp(g.result()), total));
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
        .gradients = {{"input", "result", rounded_once<softmax_gradient>}},
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
        .gradients = {{"input", "result", rounded_once<log_softmax_gradient>}},
        .grad_name = "LogSoftmaxBackward0",
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
        .samples = softmax_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> softmax_entries() {
  return kEntries;
}

}  // namespace glint::ops
