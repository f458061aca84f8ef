// Operators that make tensors of one number, new or in place of what a tensor held.
//
//     torch.ones_like(x)        full(sizes of x, 1), laid out in memory as x is
//
// One primitive lies below: `full`.
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

bool is_single(const std::vector<SymInt>& sizes) {
  return decide_equal(product(sizes), SymInt(1));
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
    check_holds(*wanted, arguments[1], is_single(sizes));
  else if (arguments[1].get_if<double>())
    check_holds(default_dtype(), arguments[1], is_single(sizes));
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
  std::vector<InferArgument> types = infer_arguments(arguments);
  return empty_of(infer_empty(entry, types)[0]);
}

template <int kValue>
void check_filled_sizes(const std::vector<SymInt>& sizes) {
  for (SymInt size : sizes)
    if (kValue == 0 && decide_less(size, 0))
      throw OpError{"RuntimeError", "zeros: Dimension size must be non-negative."};
}

template <int kValue>
std::vector<OpValue> filled(OpBuilder& b, OpArguments arguments) {
  std::vector<SymInt> sizes = as_ints(arguments[0]);
  check_filled_sizes<kValue>(sizes);
  const DType* dtype = arguments[1].get_if<DType>();
  return {b.full(std::move(sizes), kValue, dtype ? *dtype : default_dtype())};
}

template <int kValue>
Outputs eager_filled(const OpEntry& entry, Arguments arguments) {
  std::vector<SymInt> sizes = as_ints(arguments[0]);
  check_filled_sizes<kValue>(sizes);
  check_sizes(sizes);
  const DType* dtype = arguments.size() > 1 ? arguments[1].get_if<DType>() : nullptr;
  Tensor out = empty_of(TensorType::tensor(dtype ? *dtype : default_dtype(), std::move(sizes)));
  fill(out, Scalar(int64_t{kValue}));
  return out;
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

std::vector<OpValue> new_empty(OpBuilder& b, OpArguments arguments) {
  const DType* dtype = arguments[2].get_if<DType>();
  return {b.call("empty", {OpArgument(as_ints(arguments[1]))},
                 {{Name("dtype"), dtype ? *dtype : b.dtype(arguments[0].tensor())}})};
}

std::vector<OpValue> new_full(OpBuilder& b, OpArguments arguments) {
  check_size_list("new_full", arguments[1]);
  const DType* dtype = arguments[3].get_if<DType>();
  return {
      b.full(as_ints(arguments[1]), arguments[2], dtype ? *dtype : b.dtype(arguments[0].tensor()))};
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
  OpValue other = arguments[1].tensor();
  const Device device = b.type(x).device;
  if (as_bool(arguments[2]) && b.type(other).device.type != device.type)
    other = b.call("to_device", {other, device, true});
  return {b.expand(b.to(other, b.dtype(x)), b.sizes(x))};
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
        .eager = eager_filled<0>,
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
        .eager = eager_filled<1>,
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
        .name = "new_empty",
        .signature = "new_empty(input: Tensor, *size: int, dtype: dtype | None = None, device: "
                     "device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .method = "new_empty",
        .doc = "A tensor of the given sizes with the dtype of the input; values undefined.",
        .decomposition = new_empty,
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
        .any_device = true,
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
