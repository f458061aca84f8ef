// Operators that make one tensor of several.
//
//     cat([x, y], dim=1)     x and y one behind the other
//     stack([x, y])          along a new dimension: cat of unsqueezed tensors
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// A 1-d tensor without elements joins with anything, as it always has.
bool is_nothing(const TensorType& type) {
  return type.rank() == 1 && type.sizes[0].is(0);
}

std::vector<TensorType> infer_cat(const OpEntry& entry, InferArguments arguments) {
  auto tensors = as_values(arguments[0]);
  if (tensors.empty())
    throw OpError{"ValueError", "torch.cat(): expected a non-empty list of Tensors"};
  const TensorType* first = &tensors[0];
  for (const TensorType& type : tensors)
    if (is_nothing(*first)) first = &type;
  DType dtype = tensors[0].dtype;
  for (const TensorType& type : tensors) dtype = promote_types(dtype, type.dtype);
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].rank() == 0)
      throw OpError{
          "RuntimeError",
          fmt::format("zero-dimensional tensor (at position {}) cannot be concatenated", i)};
  size_t dim = size_t(wrap_dim(as_constant(argument(entry, arguments, "dim")), first->rank()));
  TensorType result = TensorType::tensor(dtype, first->sizes, first->device);
  if (is_nothing(*first)) return {result};
  result.sizes[dim] = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorType& type = tensors[i];
    if (is_nothing(type)) continue;
    if (type.rank() != first->rank())
      throw OpError{"RuntimeError",
                    fmt::format("Tensors must have same number of dimensions: got {} and {}",
                                first->rank(), type.rank())};
    for (size_t k = 0; k < type.rank(); ++k)
      if (k != dim && !decide_equal(type.sizes[k], first->sizes[k]))
        throw OpError{
            "RuntimeError",
            fmt::format("Sizes of tensors must match except in dimension {}. Expected size {} "
                        "but got size {} for tensor number {} in the list.",
                        dim, first->sizes[k].hint(), type.sizes[k].hint(), i)};
    result.sizes[dim] += type.sizes[dim];
  }
  return {result};
}

bool is_zero(const Argument& number) {
  const SymInt* given = number.get_if<SymInt>();
  return given && given->is(0);
}

/// Tensors of one dtype whose memories follow one another in the result; undefined for others.
Tensor joined_rows(std::span<const Argument> items) {
  if (items.empty() || items[0].tensor().rank() == 0) return Tensor();
  const Tensor& first = items[0].tensor();
  int64_t rows = 0;
  for (const Argument& item : items) {
    const Tensor& tensor = item.tensor();
    const bool fits = tensor.dtype() == first.dtype() && tensor.rank() == first.rank() &&
                      tensor.is_contiguous() &&
                      std::ranges::equal(tensor.sizes().subspan(1), first.sizes().subspan(1));
    if (!fits) return Tensor();
    rows += tensor.size(0);
  }
  Dims sizes = first.sizes();
  sizes[0] = rows;
  Tensor out = Tensor::empty(sizes, first.dtype());
  std::byte* to = out.raw_data();
  for (const Argument& item : items) {
    const Tensor& tensor = item.tensor();
    const size_t bytes = size_t(tensor.numel()) * dtype_size(tensor.dtype());
    if (bytes > 0) std::memcpy(to, tensor.raw_data(), bytes);
    to += bytes;
  }
  return out;
}

Outputs eager_cat(const OpEntry& entry, Arguments arguments) {
  if (arguments.size() < 2 || is_zero(arguments[1]))
    if (Tensor rows = joined_rows(arguments[0].list()); rows.defined()) return rows;
  InferArgument types[2] = {infer_argument(arguments[0]), 0};
  if (arguments.size() > 1) types[1] = infer_argument(arguments[1]);
  TensorType type = infer_cat(entry, types)[0];
  Tensor out = Tensor::empty(constant_dims(type.sizes), type.dtype);
  int64_t dim = wrap_dim(as_constant(types[1]), type.rank());
  int64_t at = 0;
  for (const Argument& item : arguments[0].list()) {
    const Tensor& tensor = item.tensor();
    if (tensor.rank() == 1 && tensor.numel() == 0) continue;
    int64_t length = tensor.size(dim);
    copy(slice(out, dim, at, at + length), tensor);
    at += length;
  }
  return out;
}

void check_stacked(bool equal, std::span<const SymInt> first, std::span<const SymInt> other,
                   size_t entry) {
  if (equal) return;
  throw OpError{"RuntimeError",
                fmt::format("stack expects each tensor to be equal size, but got {} at entry 0 and "
                            "{} at entry {}",
                            ints_text(first), ints_text(other), entry)};
}

std::vector<OpValue> stack(OpBuilder& b, OpArguments arguments) {
  auto tensors = as_values(arguments[0]);
  if (tensors.empty()) throw OpError{"RuntimeError", "stack expects a non-empty TensorList"};
  auto sizes = b.sizes(tensors[0]);
  int64_t dim = wrap_dim(as_constant(arguments[1]), sizes.size() + 1);
  std::vector<OpValue> raised;
  for (size_t i = 0; i < tensors.size(); ++i) {
    auto others = b.sizes(tensors[i]);
    bool equal = others.size() == sizes.size();
    for (size_t k = 0; equal && k < sizes.size(); ++k) equal = decide_equal(sizes[k], others[k]);
    check_stacked(equal, sizes, others, i);
    raised.push_back(b.unsqueeze(tensors[i], dim));
  }
  return {b.call("cat", {raised, dim})};
}

/// A batch is stacked of many: one pass over them, without a view of each.
Outputs eager_stack(const OpEntry& entry, Arguments arguments) {
  std::span<const Argument> items = arguments[0].list();
  if (items.empty()) throw OpError{"RuntimeError", "stack expects a non-empty TensorList"};
  const Tensor& first = items[0].tensor();
  const bool has_dim = arguments.size() > 1;
  const int64_t dim =
      has_dim ? wrap_dim(as_constant(infer_argument(arguments[1])), size_t(first.rank()) + 1) : 0;
  DType dtype = first.dtype();
  bool in_one_row = dim == 0;
  for (size_t i = 0; i < items.size(); ++i) {
    const Tensor& tensor = items[i].tensor();
    const bool equal = std::ranges::equal(tensor.sizes(), first.sizes());
    if (!equal) check_stacked(false, type_of(first).sizes, type_of(tensor).sizes, i);
    in_one_row &= tensor.dtype() == first.dtype() && tensor.is_contiguous();
    dtype = promote_types(dtype, tensor.dtype());
  }
  Dims sizes = first.sizes();
  sizes.insert(size_t(dim), int64_t(items.size()));
  Tensor out = Tensor::empty(sizes, dtype);
  const size_t bytes = size_t(first.numel()) * dtype_size(dtype);
  for (size_t i = 0; i < items.size(); ++i) {
    const Tensor& tensor = items[i].tensor();
    if (in_one_row && bytes > 0)
      std::memcpy(out.raw_data() + i * bytes, tensor.raw_data(), bytes);
    else if (!in_one_row)
      copy(select(out, dim, int64_t(i)), tensor);
  }
  return out;
}

std::vector<OpValue> hstack(OpBuilder& b, OpArguments arguments) {
  std::vector<OpValue> tensors;
  for (const OpValue& x : as_values(arguments[0]))
    tensors.push_back(b.rank(x) == 0 ? b.reshape(x, {1}) : x);
  return {b.call("cat", {tensors, b.rank(tensors[0]) == 1 ? 0 : 1})};
}

std::vector<OpValue> vstack(OpBuilder& b, OpArguments arguments) {
  std::vector<OpValue> tensors;
  for (const OpValue& x : as_values(arguments[0])) {
    size_t rank = b.rank(x);
    OpValue row = rank == 0 ? b.reshape(x, {1}) : x;
    tensors.push_back(rank <= 1 ? b.unsqueeze(row, 0) : row);
  }
  return {b.call("cat", {tensors, 0})};
}

/// The part of the gradient that this tensor was joined as.
OpValue cat_part(GradientCall& g) {
  if (is_nothing(g.type("tensors"))) return g.zeros_like("tensors");
  size_t dim = size_t(wrap_dim(as_constant(g["dim"]), g.result_type().rank()));
  SymInt start = 0;
  for (const TensorType& type : g.types_of_list("tensors").first(g.part))
    if (!is_nothing(type)) start += type.sizes[dim];
  return g.b.call("narrow", {g.out(), int64_t(dim), start, g.sizes("tensors")[dim]});
}

OpValue stack_part(GradientCall& g) {
  int64_t dim = wrap_dim(as_constant(g["dim"]), g.result_type().rank());
  return g.b.call("select", {g.out(), dim, int64_t(g.part)});
}

constexpr OutputDType kJoinedDType = {
    "torch.cat(): input types can't be cast to the desired output type {1}", false, "TypeError"};

constexpr OpEntry kEntries[] = {
    {
        .name = "cat",
        .signature = "cat(tensors: Tensors, dim: int = 0) -> Tensor",
        .torch = "cat concat concatenate",
        .doc = "The tensors one behind the other along a dimension; other sizes must agree.",
        .infer = infer_cat,
        .eager = eager_cat,
        .lowering = Concatenate{},
        .gradients = {{"tensors", "", cat_part}},
        .grad_name = "CatBackward0",
        .forms = Forms::kOut,
        .output_dtype = kJoinedDType,
        .samples = cat_samples,
    },
    {
        .name = "stack",
        .signature = "stack(tensors: Tensors, dim: int = 0) -> Tensor",
        .torch = "stack",
        .doc = "The tensors, all of one size, along a new dimension.",
        .eager = eager_stack,
        .decomposition = stack,
        .gradients = {{"tensors", "", stack_part}},
        .grad_name = "StackBackward0",
        .forms = Forms::kOut,
        .output_dtype = kJoinedDType,
        .samples = stack_samples,
    },
    {
        .name = "hstack",
        .signature = "hstack(tensors: Tensors) -> Tensor",
        .torch = "hstack",
        .doc = "The tensors side by side: along dimension 1, or 0 if that is the only one.",
        .decomposition = hstack,
        .forms = Forms::kOut,
        .output_dtype = kJoinedDType,
        .samples = stack_only_samples,
    },
    {
        .name = "vstack",
        .signature = "vstack(tensors: Tensors) -> Tensor",
        .torch = "vstack",
        .doc = "The tensors one below the other: along dimension 0, as rows if they have but one.",
        .decomposition = vstack,
        .forms = Forms::kOut,
        .output_dtype = kJoinedDType,
        .samples = stack_only_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> join_entries() {
  return kEntries;
}

}  // namespace glint::ops
