// Operators that make sequences of numbers: ranges, evenly spaced points, identity matrices.
//
//     torch.arange(2, 8, 3)        [2, 5]        arange_sized(count=2, start=2, step=3)
//
// One primitive lies below: `arange_sized` (start + i * step).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// What a number is, in a graph also one that is an input.
DType kind_of_number(const InferArgument& number) {
  return number.is_value() ? number.tensor().dtype : number_dtype(number);
}

std::vector<TensorType> infer_arange_sized(const OpEntry& entry, InferArguments arguments) {
  InferArgument dtype = argument(entry, arguments, "dtype");
  bool integers = kind_of_number(argument(entry, arguments, "start")) == DType::kInt64 &&
                  kind_of_number(argument(entry, arguments, "step")) == DType::kInt64;
  DType natural = integers ? DType::kInt64 : default_dtype();
  const DType* given = dtype.get_if<DType>();
  return {TensorType::tensor(given ? *given : natural, {as_int(arguments[0])})};
}

Outputs eager_arange_sized(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  Tensor out = empty_of(infer_arange_sized(entry, types)[0]);
  Scalar start = as_scalar(argument(entry, arguments, "start"));
  Scalar step = as_scalar(argument(entry, arguments, "step"));
  int64_t n = out.numel();
  visit_dtype(out.dtype(), [&]<class T>() {
    T* values = out.data<T>();
    if (is_floating(out.dtype())) {
      const double first = start.as_double(), apart = step.as_double();
      for (int64_t i = 0; i < n; ++i) values[i] = convert_element<T>(first + double(i) * apart);
    } else {
      const int64_t first = start.as_int(), apart = step.as_int();
      for (int64_t i = 0; i < n; ++i) values[i] = convert_element<T>(first + i * apart);
    }
  });
  return out;
}

std::vector<OpValue> arange(OpBuilder& b, OpArguments arguments) {
  OpArgument start = arguments[0];
  OpArgument end = arguments[1];
  OpArgument step = arguments[2];
  if (end.is_none()) {
    end = start;
    start = 0;
  }
  for (OpArgument* each : {&start, &end, &step})
    if (const bool* truth = each->get_if<bool>()) *each = SymInt(*truth ? 1 : 0);
  bool integers = start.get_if<SymInt>() && end.get_if<SymInt>() && step.get_if<SymInt>();
  SymInt count;
  auto inconsistent = [] {
    return OpError{"RuntimeError", "upper bound and lower bound inconsistent with step sign"};
  };
  if (integers) {
    SymInt first = as_int(start), last = as_int(end), by = as_int(step);
    if (by.is(0)) throw OpError{"RuntimeError", "step must be nonzero"};
    bool up = decide_less(0, by);
    if (up ? decide_less(last, first) : decide_less(first, last)) throw inconsistent();
    count = up ? ceil_divide(last - first, by) : ceil_divide(first - last, -by);
  } else {
    double first = as_float(start), last = as_float(end), by = as_float(step);
    if (by == 0) throw OpError{"RuntimeError", "step must be nonzero"};
    if (!std::isfinite(first) || !std::isfinite(last))
      throw OpError{"RuntimeError", fmt::format("unsupported range: {} -> {}", first, last)};
    if (by > 0 ? last < first : first < last) throw inconsistent();
    count = int64_t(std::ceil((last - first) / by));
  }
  std::vector<OpNamedArgument> named;
  if (arguments[3].get_if<DType>())
    named.push_back({Name("dtype"), arguments[3]});
  else if (!integers)
    named.push_back({Name("dtype"), default_dtype()});
  return {b.call("arange_sized", {count, start, step}, named)};
}

/// From both ends, as PyTorch does, so that the last element is exactly `end`.
std::vector<OpValue> linspace(OpBuilder& b, OpArguments arguments) {
  double start = as_float(arguments[0]);
  double end = as_float(arguments[1]);
  SymInt steps = as_int(arguments[2]);
  if (decide_less(steps, 0)) throw OpError{"RuntimeError", "number of steps must be non-negative"};
  const DType* given = arguments[3].get_if<DType>();
  DType dtype = given ? *given : default_dtype();
  if (decide_less(steps, 2)) return {b.full({steps}, start, dtype)};
  DType computes = is_floating(dtype) ? dtype : default_dtype();
  OpValue whole = b.full({}, end - start, DType::kFloat64);
  OpValue step = b.to(b.divide(whole, b.full({}, steps - 1, DType::kFloat64)), computes);
  OpValue i = b.call("arange_sized", {steps}, {{Name("dtype"), computes}});
  OpValue from_start = b.add(b.multiply(i, step), start);
  OpValue left = b.subtract(b.full({}, steps - 1, computes), i);
  OpValue from_end = b.subtract(b.full({}, end, computes), b.multiply(left, step));
  return {b.to(b.where(b.less(i, floor_divide(steps, 2)), from_start, from_end), dtype)};
}

/// As PyTorch's vector code fills it: whole vectors of 32 bytes, two at a time, count from their
/// first element; the rest is computed one by one.
template <class T>
void fill_linspace(T* out, int64_t steps, T start, T end) {
  constexpr int64_t kLanes = 32 / int64_t(sizeof(T));
  T step = (end - start) / T(steps - 1);
  int64_t half = steps / 2;
  int64_t in_vectors = steps / (2 * kLanes) * (2 * kLanes);
  auto at = [&](int64_t i) {
    return i < half ? start + step * T(i) : end - step * T(steps - 1 - i);
  };
  for (int64_t i = 0; i < steps; ++i) {
    int64_t lane = i < in_vectors ? i % kLanes : 0;
    out[i] = at(i - lane) + step * T(lane);
  }
}

Outputs eager_linspace(const OpEntry& entry, Arguments arguments) {
  const DType* given = arguments.size() > 3 ? arguments[3].get_if<DType>() : nullptr;
  DType dtype = given ? *given : default_dtype();
  int64_t steps = as_constant(arguments[2]);
  if (steps <= 1 || (dtype != DType::kFloat32 && dtype != DType::kFloat64))
    return run_decomposition(entry, arguments);
  Tensor out = Tensor::empty({steps}, dtype);
  double start = as_float(arguments[0]), end = as_float(arguments[1]);
  if (dtype == DType::kFloat32)
    fill_linspace<float>(out.data<float>(), steps, float(start), float(end));
  else
    fill_linspace<double>(out.data<double>(), steps, start, end);
  return out;
}

void check_identity(SymInt rows, SymInt columns) {
  if (decide_less(rows, 0))
    throw OpError{"RuntimeError",
                  fmt::format("n must be greater or equal to 0, got {}", rows.text())};
  if (decide_less(columns, 0))
    throw OpError{"RuntimeError",
                  fmt::format("m must be greater or equal to 0, got {}", columns.text())};
}

std::vector<OpValue> eye(OpBuilder& b, OpArguments arguments) {
  SymInt rows = as_int(arguments[0]);
  SymInt columns = arguments[1].is_none() ? rows : as_int(arguments[1]);
  check_identity(rows, columns);
  const DType* dtype = arguments[2].get_if<DType>();
  OpValue row = b.unsqueeze(b.call("arange_sized", {rows}), 1);
  return {b.to(b.equal(row, b.call("arange_sized", {columns})), dtype ? *dtype : default_dtype())};
}

Outputs eager_eye(const OpEntry& entry, Arguments arguments) {
  const int64_t rows = as_constant(arguments[0]);
  const bool is_square = arguments.size() < 2 || arguments[1].is_none();
  const int64_t columns = is_square ? rows : as_constant(arguments[1]);
  check_identity(rows, columns);
  const DType* dtype = arguments.size() > 2 ? arguments[2].get_if<DType>() : nullptr;
  Tensor out = Tensor::zeros(Dims{rows, columns}, dtype ? *dtype : default_dtype());
  fill(Tensor::view_of(out, {std::min(rows, columns)}, {columns + 1}, 0), Scalar(int64_t{1}));
  return out;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "arange_sized",
        .signature = "arange_sized(count: int, start: Number = 0, step: Number = 1, *, dtype: "
                     "dtype | None = None) -> Tensor",
        .doc = "start + i * step for i below count: what arange comes down to. Floating results "
               "are computed in float64.",
        .infer = infer_arange_sized,
        .eager = eager_arange_sized,
        .lowering = Iota{},
        .numbers = {.vary = {{"start"}, {"step"}}},
        .samples = count_samples,
    },
    {
        .name = "arange",
        .signature = "arange(start: Number, end: Number | None = None, step: Number = 1, *, dtype: "
                     "dtype | None = None, device: device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .torch = "arange",
        .doc = "The numbers from start (0 if only one is given) to below end, by step.",
        .decomposition = arange,
        .samples = arange_samples,
    },
    {
        .name = "linspace",
        .signature = "linspace(start: Number, end: Number, steps: int, *, dtype: dtype | None = "
                     "None, device: device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .torch = "linspace",
        .doc = "steps numbers from start to end, both included, evenly spaced.",
        .eager = eager_linspace,
        .decomposition = linspace,
        .numbers = {.fixed = true},
        .samples = linspace_samples,
    },
    {
        .name = "eye",
        .signature = "eye(n: int, m: int | None = None, *, dtype: dtype | None = None, device: "
                     "device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .torch = "eye",
        .doc = "The identity matrix of n rows (and m columns).",
        .eager = eager_eye,
        .decomposition = eye,
        .samples = count_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> sequences_entries() {
  return kEntries;
}

}  // namespace glint::ops
