#include "runtime/device/composed_calls.h"

#include "backends/cuda/running_kernels.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "runtime/device/by_rows.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;
using ops::Outputs;

/// A tensor along the dimension of a call.
struct Line {
  OpBuilder& b = ops::eager_builder();
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
  const ValuesAndPlaces found = by_rows(
      line.input, line.dim, [&](const Tensor& rows, const Tensor& values, const Tensor& places) {
        cuda::running_extremes(rows, values, places, greatest);
      });
  return {found.values, found.places};
}

}  // namespace

Outputs heaviside(const OpEntry& entry, Arguments arguments) {
  return entry.eager(entry, arguments);
}

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

/// Among the sorted elements the first one of those that have the most equals, and where the last
/// of its equals was.
Outputs mode(const OpEntry& entry, Arguments arguments) {
  Line line(entry, arguments);
  OpBuilder& b = line.b;
  OpValue x = ops::eager_value(line.input);
  if (line.input.rank() == 0)
    return {ops::eager_tensor(b.call("clone", {x})),
            ops::eager_tensor(b.to(b.call("zeros_like", {x}), DType::kInt64))};
  auto sorted = b.call_all("sort", {b.call("transpose", {x, line.dim, -1})}, {});
  OpValue equal = b.equal(b.unsqueeze(sorted[0], -1), b.unsqueeze(sorted[0], -2));
  OpValue counts = b.maximum(b.call("sum", {equal, -1}), b.call("ones_like", {sorted[1]}));
  OpValue most = b.call("amax", {counts, -1, true});
  OpValue first = b.call("argmax", {b.to(b.equal(counts, most), DType::kInt64), -1, true});
  OpValue last = b.subtract(b.add(first, most), 1);
  OpValue value = b.call("gather", {sorted[0], -1, first});
  OpValue place = b.call("gather", {sorted[1], -1, last});
  auto finished = [&](const OpValue& found) {
    OpValue back = b.call("transpose", {found, line.dim, -1});
    bool kept = ops::as_bool(ops::argument(entry, arguments, "keepdim"));
    return ops::eager_tensor(b.call("clone", {kept ? back : b.squeeze(back, line.dim)}));
  };
  return {finished(value), finished(place)};
}

}  // namespace glint::device
