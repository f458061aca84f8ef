// Operators that make tensors from numbers: constants, sequences, identity matrices.
//
//     torch.arange(2, 8, 3)        [2, 5]        arange_sized(count=2, start=2, step=3)
//
// Two primitives lie below: `full` (every element one value) and `arange_sized` (start + i * step).
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

void check_sizes(std::span<const SymInt> sizes) {
  for (SymInt size : sizes)
    if (decide_less(size, 0))
      throw OpError{"RuntimeError",
                    fmt::format("Trying to create tensor with negative dimension {}: {}",
                                size.text(), ints_text(sizes))};
}

/// The dtype that a Python number becomes.
template <class V>
DType number_dtype(const BasicArgument<V>& number) {
  if (number.template get_if<bool>()) return DType::kBool;
  if (number.template get_if<SymInt>()) return DType::kInt64;
  return default_dtype();
}

/// The C++ type whose range a filling number must not leave; none: what is too large is infinite.
const char* bounded_type(DType dtype, const std::vector<SymInt>& sizes) {
  switch (dtype) {
    case DType::kUInt8:
      return "uint8_t";
    case DType::kInt8:
      return "int8_t";
    case DType::kInt16:
      return "int16_t";
    case DType::kInt32:
      return "int";
    case DType::kInt64:
      return "int64_t";
    case DType::kFloat32:
      return "float";
    case DType::kFloat16:
      // PyTorch fills a single element without looking.
      return decide_equal(product(sizes), SymInt(1)) ? nullptr : "c10::Half";
    case DType::kBFloat16:
      return decide_equal(product(sizes), SymInt(1)) ? nullptr : "c10::BFloat16";
    default:
      return nullptr;
  }
}

/// Whether a dtype holds the number without its fraction: for an unsigned one a negative integer as
/// far as its absolute value does, for a floating one every infinity.
bool holds_number(DType dtype, const Scalar& value) {
  double number = value.as_double();
  if (is_floating(dtype)) {
    double most = dtype == DType::kFloat16    ? 65504.0
                  : dtype == DType::kBFloat16 ? 3.3895313892515355e38
                  : dtype == DType::kFloat32  ? double(std::numeric_limits<float>::max())
                                              : std::numeric_limits<double>::max();
    return !std::isfinite(number) || std::abs(number) <= most;
  }
  if (dtype == DType::kBool) return true;
  bool with_sign = dtype != DType::kUInt8;
  double beyond = std::exp2(double(dtype_size(dtype) * 8) - (with_sign ? 1 : 0));
  double least = with_sign ? -beyond : value.is_float() ? 0 : 1 - beyond;
  return number >= least && number < beyond;
}

void check_fill(DType dtype, const std::vector<SymInt>& sizes, const InferArgument& number) {
  if (!is_number(number)) return;
  const SymInt* varying = number.get_if<SymInt>();
  if (varying && !varying->is_constant()) {
    // What it may be is a guard of the region.
    bool small = is_integer(dtype) && dtype_size(dtype) < 8;
    int64_t most = small ? (int64_t(1) << (dtype_size(dtype) * 8 - (dtype != DType::kUInt8))) - 1
                         : std::numeric_limits<int64_t>::max();
    int64_t least = dtype == DType::kUInt8 ? -most : -most - 1;
    if (!small || (!decide_less(*varying, least) && !decide_less(most, *varying))) return;
  } else if (holds_number(dtype, as_scalar(number))) {
    return;
  }
  if (const char* type = bounded_type(dtype, sizes))
    throw OpError{"RuntimeError",
                  fmt::format("value cannot be converted to type {} without overflow", type)};
}

/// A size that PyTorch takes as a list only: `torch.full(2, 3)` is a mistake.
template <class V>
void check_size_list(const char* name, const BasicArgument<V>& size) {
  if (size.is_list()) return;
  throw OpError{
      "TypeError",
      fmt::format("{}(): argument 'size' (position 1) must be tuple of ints, not int", name)};
}

std::vector<TensorType> infer_full(const OpEntry& entry, InferArguments arguments) {
  check_size_list("full", arguments[0]);
  auto sizes = as_ints(arguments[0]);
  check_sizes(sizes);
  if (const DType* wanted = arguments[2].get_if<DType>())
    check_fill(*wanted, sizes, arguments[1]);
  else if (arguments[1].get_if<double>())
    check_fill(default_dtype(), sizes, arguments[1]);
  const DType* dtype = arguments[2].get_if<DType>();
  const TensorType* value = arguments[1].get_if<TensorType>();
  DType natural =
      value ? (value->scalar && is_floating(value->dtype) ? default_dtype() : value->dtype)
            : number_dtype(arguments[1]);
  return {TensorType::tensor(dtype ? *dtype : natural, sizes)};
}

Outputs eager_full(const OpEntry& entry, Arguments arguments) {
  InferArgument types[] = {infer_argument(arguments[0]), infer_argument(arguments[1]),
                           arguments.size() > 2 ? infer_argument(arguments[2]) : InferArgument()};
  Tensor out = empty_of(infer_full(entry, types)[0]);
  bool tensor = arguments[1].is_value();
  fill(out, tensor ? arguments[1].tensor().item() : as_scalar(arguments[1]));
  return out;
}

std::vector<TensorType> infer_empty(const OpEntry& entry, InferArguments arguments) {
  auto sizes = as_ints(arguments[0]);
  check_sizes(sizes);
  InferArgument dtype = argument(entry, arguments, "dtype");
  const DType* given = dtype.get_if<DType>();
  return {TensorType::tensor(given ? *given : default_dtype(), sizes)};
}

Outputs eager_empty(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types;
  for (const Argument& argument : arguments) types.push_back(infer_argument(argument));
  return empty_of(infer_empty(entry, types)[0]);
}

template <int kValue>
std::vector<OpValue> filled(OpBuilder& b, OpArguments arguments) {
  for (SymInt size : as_ints(arguments[0]))
    if (kValue == 0 && decide_less(size, 0))
      throw OpError{"RuntimeError", "zeros: Dimension size must be non-negative."};
  const DType* dtype = arguments[1].get_if<DType>();
  return {b.full(as_ints(arguments[0]), kValue, dtype ? *dtype : default_dtype())};
}

/// A new tensor in the layout of `x`: made in the order in which its dimensions lie in memory.
template <class Make>
OpValue made_like(OpBuilder& b, const OpValue& x, DType dtype, Make make) {
  TensorType type = like_type(b.type(x), dtype);
  if (type.strides.empty()) return make(type.sizes);
  std::vector<size_t> outer_first(type.rank());
  std::iota(outer_first.begin(), outer_first.end(), size_t{0});
  std::ranges::stable_sort(outer_first, [&](size_t a, size_t b) {
    if (type.strides[a] == type.strides[b]) return type.sizes[b].is(1) && !type.sizes[a].is(1);
    return decide_less(type.strides[b], type.strides[a]);
  });
  std::vector<SymInt> sizes;
  std::vector<OpArgument> order(type.rank());
  for (size_t dim : outer_first) {
    order[dim] = OpArgument(SymInt(int64_t(sizes.size())));
    sizes.push_back(type.sizes[dim]);
  }
  return b.call("permute", {make(sizes), OpArgument(std::move(order))});
}

OpValue full_like(OpBuilder& b, const OpValue& x, OpArgument value, DType dtype) {
  return made_like(b, x, dtype,
                   [&](const std::vector<SymInt>& sizes) { return b.full(sizes, value, dtype); });
}

template <int kValue>
std::vector<OpValue> filled_like(OpBuilder& b, OpArguments arguments) {
  const DType* dtype = arguments[1].get_if<DType>();
  OpValue x = arguments[0].tensor();
  return {full_like(b, x, kValue, dtype ? *dtype : b.dtype(x))};
}

std::vector<OpValue> empty_like(OpBuilder& b, OpArguments arguments) {
  const DType* dtype = arguments[1].get_if<DType>();
  OpValue x = arguments[0].tensor();
  DType wanted = dtype ? *dtype : b.dtype(x);
  return {made_like(b, x, wanted, [&](const std::vector<SymInt>& sizes) {
    return b.call("empty", {OpArgument(sizes)}, {{Name("dtype"), wanted}});
  })};
}

std::vector<OpValue> full_like(OpBuilder& b, OpArguments arguments) {
  const DType* dtype = arguments[2].get_if<DType>();
  OpValue x = arguments[0].tensor();
  return {full_like(b, x, arguments[1], dtype ? *dtype : b.dtype(x))};
}

template <int kValue>
std::vector<OpValue> new_filled(OpBuilder& b, OpArguments arguments) {
  const DType* dtype = arguments[2].get_if<DType>();
  return {b.full(as_ints(arguments[1]), kValue, dtype ? *dtype : b.dtype(arguments[0].tensor()))};
}

std::vector<OpValue> new_full(OpBuilder& b, OpArguments arguments) {
  check_size_list("new_full", arguments[1]);
  const DType* dtype = arguments[3].get_if<DType>();
  return {
      b.full(as_ints(arguments[1]), arguments[2], dtype ? *dtype : b.dtype(arguments[0].tensor()))};
}

// ---- sequences ---------------------------------------------------------------------------------

std::vector<TensorType> infer_arange_sized(const OpEntry& entry, InferArguments arguments) {
  InferArgument dtype = argument(entry, arguments, "dtype");
  bool integers = number_dtype(argument(entry, arguments, "start")) == DType::kInt64 &&
                  number_dtype(argument(entry, arguments, "step")) == DType::kInt64;
  DType natural = integers ? DType::kInt64 : default_dtype();
  const DType* given = dtype.get_if<DType>();
  return {TensorType::tensor(given ? *given : natural, {as_int(arguments[0])})};
}

Outputs eager_arange_sized(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types;
  for (const Argument& argument : arguments) types.push_back(infer_argument(argument));
  Tensor out = empty_of(infer_arange_sized(entry, types)[0]);
  Scalar start = as_scalar(argument(entry, arguments, "start"));
  Scalar step = as_scalar(argument(entry, arguments, "step"));
  int64_t n = out.numel();
  visit_dtype(out.dtype(), [&]<class T>() {
    T* values = out.data<T>();
    if (is_floating(out.dtype()))
      for (int64_t i = 0; i < n; ++i)
        values[i] = convert_element<T>(start.as_double() + double(i) * step.as_double());
    else
      for (int64_t i = 0; i < n; ++i)
        values[i] = convert_element<T>(start.as_int() + i * step.as_int());
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
  int64_t steps = as_constant(arguments[2]);
  if (steps < 0) throw OpError{"RuntimeError", "number of steps must be non-negative"};
  const DType* given = arguments[3].get_if<DType>();
  DType dtype = given ? *given : default_dtype();
  if (steps <= 1) return {b.full({steps}, start, dtype)};
  DType computes = is_floating(dtype) ? dtype : default_dtype();
  double step = (end - start) / double(steps - 1);
  if (computes != DType::kFloat64) step = double(float(step));
  OpValue i = b.call("arange_sized", {steps}, {{Name("dtype"), computes}});
  OpValue from_start = b.add(b.multiply(i, step), start);
  OpValue left = b.subtract(b.full({}, double(steps - 1), computes), i);
  OpValue from_end = b.subtract(b.full({}, end, computes), b.multiply(left, step));
  int64_t half = steps / 2;
  return {b.to(b.where(b.less(i, double(half)), from_start, from_end), dtype)};
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

std::vector<OpValue> eye(OpBuilder& b, OpArguments arguments) {
  SymInt rows = as_int(arguments[0]);
  SymInt columns = arguments[1].is_none() ? rows : as_int(arguments[1]);
  if (decide_less(rows, 0))
    throw OpError{"RuntimeError",
                  fmt::format("n must be greater or equal to 0, got {}", rows.text())};
  if (decide_less(columns, 0))
    throw OpError{"RuntimeError",
                  fmt::format("m must be greater or equal to 0, got {}", columns.text())};
  const DType* dtype = arguments[2].get_if<DType>();
  OpValue row = b.unsqueeze(b.call("arange_sized", {rows}), 1);
  return {b.to(b.equal(row, b.call("arange_sized", {columns})), dtype ? *dtype : default_dtype())};
}

std::vector<OpValue> fill_with(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (arguments[1].is_value() && b.rank(arguments[1].tensor()) > 0)
    throw OpError{"RuntimeError",
                  fmt::format("fill_ only supports 0-dimension value tensor but got tensor with {} "
                              "dimensions.",
                              b.rank(arguments[1].tensor()))};
  if (arguments[1].is_value())
    return {b.expand(b.to(arguments[1].tensor(), b.dtype(x)), b.sizes(x))};
  return {full_like(b, x, arguments[1], b.dtype(x))};
}

std::vector<OpValue> zero_of(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  return {b.full(b.sizes(x), 0, b.dtype(x))};
}

std::vector<OpValue> copy_from(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (!arguments[1].is_value()) {
    // A number is converted as a tensor's elements are: 300 becomes 44 in uint8.
    DType given = number_dtype(arguments[1]);
    OpValue number = b.full({}, arguments[1], is_floating(given) ? DType::kFloat64 : given);
    return {b.expand(b.to(number, b.dtype(x)), b.sizes(x))};
  }
  auto sizes = b.sizes(x), given = b.sizes(arguments[1].tensor());
  auto common = broadcast(sizes, given);
  bool fits = common.size() == sizes.size();
  for (size_t k = 0; fits && k < sizes.size(); ++k) fits = decide_equal(common[k], sizes[k]);
  if (!fits)
    throw OpError{"RuntimeError",
                  fmt::format("output with shape {} doesn't match the broadcast shape {}",
                              ints_text(sizes), ints_text(common))};
  return {b.expand(b.to(arguments[1].tensor(), b.dtype(x)), b.sizes(x))};
}

const char* fill_name(Arguments arguments) {
  return arguments[1].is_value() ? "FillBackward3" : "FillBackward2";
}

constexpr OpEntry kEntries[] = {
    {
        .name = "full",
        .signature = "full(size: Size, fill_value: Number | Tensor, *, dtype: dtype | None = None, "
                     "device: device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .torch = "full",
        .doc = "A tensor of the given sizes, every element fill_value.",
        .infer = infer_full,
        .eager = eager_full,
        .lowering = Fill{},
        .numbers = {.vary = {{"fill_value"}}},
        .samples = full_samples,
    },
    {
        .name = "empty",
        .signature =
            "empty(*size: int, dtype: dtype | None = None, device: device | str | None = None, "
            "requires_grad: bool = False) -> Tensor",
        .torch = "empty",
        .doc = "A tensor of the given sizes; the values are whatever the memory held (0 when "
               "compiled).",
        .infer = infer_empty,
        .eager = eager_empty,
        .lowering = Fill{},
        .samples = sizes_samples,
    },
    {
        .name = "zeros",
        .signature =
            "zeros(*size: int, dtype: dtype | None = None, device: device | str | None = None, "
            "requires_grad: bool = False) -> Tensor",
        .torch = "zeros",
        .doc = "A tensor of the given sizes, every element 0.",
        .decomposition = filled<0>,
        .samples = sizes_samples,
    },
    {
        .name = "ones",
        .signature =
            "ones(*size: int, dtype: dtype | None = None, device: device | str | None = None, "
            "requires_grad: bool = False) -> Tensor",
        .torch = "ones",
        .doc = "A tensor of the given sizes, every element 1.",
        .decomposition = filled<1>,
        .samples = sizes_samples,
    },
    {
        .name = "zeros_like",
        .signature = "zeros_like(input: Tensor, *, dtype: dtype | None = None, device: device | "
                     "str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .torch = "zeros_like",
        .doc = "Zeros with the sizes and dtype of the input.",
        .decomposition = filled_like<0>,
        .reads_only_type = true,
        .samples = unary_samples,
    },
    {
        .name = "ones_like",
        .signature = "ones_like(input: Tensor, *, dtype: dtype | None = None, device: device | str "
                     "| None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .torch = "ones_like",
        .doc = "Ones with the sizes and dtype of the input.",
        .decomposition = filled_like<1>,
        .reads_only_type = true,
        .samples = unary_samples,
    },
    {
        .name = "empty_like",
        .signature = "empty_like(input: Tensor, *, dtype: dtype | None = None, device: device | "
                     "str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .torch = "empty_like",
        .doc = "A tensor with the sizes and dtype of the input; values undefined.",
        .decomposition = empty_like,
        .reads_only_type = true,
        .samples = unary_samples,
    },
    {
        .name = "full_like",
        .signature = "full_like(input: Tensor, fill_value: Number, *, dtype: dtype | None = None, "
                     "device: device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .torch = "full_like",
        .doc = "A tensor with the sizes and dtype of the input, every element fill_value.",
        .decomposition = full_like,
        .reads_only_type = true,
        .numbers = {.vary = {{.parameter = "fill_value", .floating = "input"}}},
        .samples = number_second_samples,
    },
    {
        .name = "new_zeros",
        .signature = "new_zeros(input: Tensor, *size: int, dtype: dtype | None = None, device: "
                     "device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .method = "new_zeros",
        .doc = "Zeros of the given sizes, with the dtype of the input.",
        .decomposition = new_filled<0>,
        .samples = new_sizes_samples,
    },
    {
        .name = "new_ones",
        .signature = "new_ones(input: Tensor, *size: int, dtype: dtype | None = None, device: "
                     "device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .method = "new_ones",
        .doc = "Ones of the given sizes, with the dtype of the input.",
        .decomposition = new_filled<1>,
        .samples = new_sizes_samples,
    },
    {
        .name = "new_full",
        .signature = "new_full(input: Tensor, size: Size, fill_value: Number, *, dtype: dtype | "
                     "None = None, device: device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .method = "new_full",
        .doc = "A tensor of the given sizes with the dtype of the input, every element fill_value.",
        .decomposition = new_full,
        .samples = new_full_samples,
    },
    {
        .name = "arange_sized",
        .signature = "arange_sized(count: int, start: Number = 0, step: Number = 1, *, dtype: "
                     "dtype | None = None) -> Tensor",
        .doc = "start + i * step for i below count: what arange comes down to. Floating results "
               "are computed in float64.",
        .infer = infer_arange_sized,
        .eager = eager_arange_sized,
        .lowering = Iota{},
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
        .decomposition = eye,
        .samples = count_samples,
    },
    {
        .name = "fill",
        .signature = "fill(input: Tensor, value: Tensor | Number) -> Tensor",
        .torch = "fill",
        .doc = "A tensor with the sizes and dtype of the input, every element value.",
        .decomposition = fill_with,
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }},
                      {"value", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name_of = fill_name,
        .reads_only_type = true,
        .forms = Forms::kInPlace,
        .overlaps = {.repeated_target = true, .checked_inputs = 0},
        .takes_tensor_or_number = true,
        .in_place = "fill_",
        .samples = fill_samples,
    },
    {
        .name = "zero",
        .signature = "zero(input: Tensor) -> Tensor",
        .doc = "Zeros with the sizes and dtype of the input.",
        .decomposition = zero_of,
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }}},
        .grad_name = "ZeroBackward0",
        .reads_only_type = true,
        .forms = Forms::kInPlace,
        .overlaps = {.repeated_target = true, .checked_inputs = 0},
        .in_place = "zero_",
        .samples = unary_samples,
    },
    {
        .name = "copy_from",
        .signature =
            "copy(input: Tensor, other: Tensor | Number, non_blocking: bool = False) -> Tensor",
        .doc =
            "The elements of other, broadcast and converted to the sizes and dtype of the input.",
        .decomposition = copy_from,
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }},
                      {"other", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name = "CopyBackwards",
        .reads_only_type = true,
        .forms = Forms::kInPlace,
        .in_place = "copy_",
        .samples = same_shape_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> creation_entries() {
  return kEntries;
}

}  // namespace glint::ops
