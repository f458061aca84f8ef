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
  OpValue part(const OpValue& x, int64_t from, int64_t count) {
    return b.call("narrow", {x, dim, from, count});
  }
  /// The first `held` places as they are, then what the others became.
  OpValue joined(const OpValue& x, int64_t held, const OpValue& rest) {
    return b.call("cat", {OpArgument::List{part(x, 0, held), rest}, dim});
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
  Line line(entry, arguments);
  OpValue sums = line.b.call("clone", {ops::eager_value(line.input)});
  for (int64_t held = 1; held < line.length; held *= 2) {
    int64_t rest = line.length - held;
    OpValue joined =
        line.b.call("logaddexp", {line.part(sums, 0, rest), line.part(sums, held, rest)});
    sums = line.joined(sums, held, joined);
  }
  return ops::eager_tensor(sums);
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
