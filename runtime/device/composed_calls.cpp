#include "runtime/device/composed_calls.h"

#include "backends/cuda/kernels/running_kernels.h"
#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/infer.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;
using ops::Outputs;

/// A tensor along the dimension of a call.
struct Line {
  const Tensor& input;
  int64_t dim;
  int64_t length;

  Line(const OpEntry& entry, Arguments arguments) : input(arguments[0].tensor()) {
    ops::infer(entry, ops::infer_arguments(arguments));  // its checks
    dim = ops::wrap_dim(ops::as_constant(ops::argument(entry, arguments, "dim")),
                        static_cast<size_t>(input.rank()));
    length = input.rank() == 0 ? 1 : input.size(dim);
  }
};

Outputs extremes(const OpEntry& entry, Arguments arguments, bool greatest) {
  const Line line(entry, arguments);
  const Tensor& x = line.input;
  const Tensor values = Tensor::empty(x.sizes(), x.dtype(), x.device());
  const Tensor places = Tensor::empty(x.sizes(), DType::kInt64, x.device());
  cuda::running_extremes(x, line.dim, greatest, values, places);
  return {values, places};
}

}  // namespace

Outputs cummax(const OpEntry& entry, Arguments arguments) {
  return extremes(entry, arguments, true);
}

Outputs cummin(const OpEntry& entry, Arguments arguments) {
  return extremes(entry, arguments, false);
}

Outputs logcumsumexp(const OpEntry& entry, Arguments arguments) {
  const Line line(entry, arguments);
  const Tensor input = contiguous(line.input);
  Tensor sums = Tensor::empty(input.sizes(), input.dtype(), input.device());
  cuda::running_log_sums(input, sums, line.dim);
  return {sums};
}

}  // namespace glint::device
