// Reading by tensors of indices: the general `x[i, j]`, take, and what masks select.
//
//     index(x, [i, j])      x[i[k], j[k]] for each k: flattened to one index into x's rows
//
// Masks count as the indices of their true elements. Indices are checked against the sizes when the
// operator runs.
#include "ops/advanced_index.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/indexing.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// Whether the two shapes, aligned at the end, have a common one.
bool broadcasts(std::span<const SymInt> a, std::span<const SymInt> b) {
  for (size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    SymInt left = a[a.size() - i], right = b[b.size() - i];
    if (!left.is(1) && !right.is(1) && !decide_equal(left, right)) return false;
  }
  return true;
}

/// Throws where the index tensors have no common shape.
void check_index_shapes(OpBuilder& b, const OpArgument::List& items) {
  std::vector<SymInt> common;
  bool fits = true;
  std::string shapes;
  for (const OpArgument& item : items) {
    if (!item.is_value() || is_bool(b.dtype(item.tensor()))) continue;
    auto sizes = b.sizes(item.tensor());
    shapes += fmt::format("{}{}", shapes.empty() ? "" : ", ", ints_text(sizes));
    fits = fits && broadcasts(common, sizes);
    if (fits) common = broadcast(common, sizes);
  }
  if (fits) return;
  throw OpError{
      "IndexError",
      "shape mismatch: indexing tensors could not be broadcast together with shapes " + shapes};
}

void check_place_dtype(DType dtype) {
  using enum DType;
  if (dtype != kInt64 && dtype != kInt32 && dtype != kUInt8 && dtype != kBool)
    throw OpError{"IndexError", "tensors used as indices must be long, int, byte or bool tensors"};
}

bool is_empty(std::span<const SymInt> sizes) {
  return std::ranges::any_of(sizes, [](SymInt size) { return size.is(0); });
}

}  // namespace

std::optional<MergedIndex> merge_index(OpBuilder& b, std::span<const SymInt> sizes,
                                       const OpArgument::List& items) {
  if (items.size() > sizes.size())
    throw OpError{"IndexError", fmt::format("too many indices for tensor of dimension {} (got {})",
                                            sizes.size(), items.size())};
  check_index_shapes(b, items);
  size_t first = 0;
  while (first < items.size() && items[first].is_none()) ++first;
  size_t last = first;
  while (last < items.size() && items[last].is_value()) ++last;
  if (first == last) return std::nullopt;
  for (size_t i = last; i < items.size(); ++i)
    if (!items[i].is_none())
      throw OpError{"NotImplementedError",
                    "indexing with tensors in dimensions that are not neighbours is not "
                    "supported; move them together with movedim first"};
  // Negative indices count from the end; then one index over all the indexed dimensions, which says
  // nothing of each any more. An index out of range matters only where elements are read.
  const bool is_several = last - first > 1;
  const bool reads_nothing = is_empty(sizes.first(first)) || is_empty(sizes.subspan(last));
  OpValue flat;
  SymInt extent = 1;
  for (size_t i = last; i-- > first;) {
    check_place_dtype(b.dtype(items[i].tensor()));
    OpValue one = b.to(items[i].tensor(), DType::kInt64);
    // PyTorch counts the indexed dimensions only.
    one = reads_nothing && !sizes[i].is(0) && b.rank(one) > 0
              ? b.multiply(one, 0)
              : b.call("wrap_index", {one, sizes[i], int64_t(i - first), is_several});
    OpValue scaled = extent.is(1) ? one : b.multiply(one, extent);
    flat = i + 1 == last ? scaled : b.add(flat, scaled);
    extent *= sizes[i];
  }
  auto shape = b.sizes(flat);
  MergedIndex index{first, {}, {}, b.reshape(flat, {product(shape)})};
  index.merged.assign(sizes.begin(), sizes.begin() + int64_t(first));
  index.result = index.merged;
  index.merged.push_back(extent);
  index.merged.insert(index.merged.end(), sizes.begin() + int64_t(last), sizes.end());
  index.result.insert(index.result.end(), shape.begin(), shape.end());
  index.result.insert(index.result.end(), sizes.begin() + int64_t(last), sizes.end());
  return index;
}

std::optional<MemoryWrite> write_of_memory(Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  const Tensor& values = arguments[2].tensor();
  if (!repeats_elements(x) || x.numel() == 0 || values.dtype() != x.dtype()) return std::nullopt;
  int64_t extent = 1;
  for (int64_t dim = 0; dim < x.rank(); ++dim) extent += (x.size(dim) - 1) * x.stride(dim);
  const DefaultDeviceScope scope(x.device());
  const Tensor numbers = call_eager("arange_sized", {extent});
  const Tensor where = Tensor::view_of(numbers, x.sizes(), x.strides(), 0);
  const Tensor places = call_eager("index", {where, arguments[1]});
  const std::optional<Dims> common = broadcast_sizes(values.sizes(), places.sizes());
  if (!common || !same_dims(*common, places.sizes())) return std::nullopt;
  const Tensor spread = expand(to_device(values, x.device()), places.sizes());
  return MemoryWrite{Tensor::view_of(x, Dims{extent}, Dims{1}, x.offset()),
                     call_eager("flatten", {places}), call_eager("flatten", {spread})};
}

namespace {

std::vector<OpValue> index(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  auto merged = merge_index(b, b.sizes(x), arguments[1].list());
  if (!merged) return {x};
  OpValue rows =
      b.call("index_select", {b.reshape(x, merged->merged), int64_t(merged->first), merged->flat});
  return {b.reshape(rows, merged->result)};
}

Outputs eager_nonzero(const OpEntry& entry, Arguments arguments) {
  Tensor flags = contiguous(convert(arguments[0].tensor(), DType::kBool));
  int64_t rank = flags.rank();
  const bool* values = flags.data<bool>();
  int64_t count = std::count(values, values + flags.numel(), true);
  // One column behind the other in memory, as in PyTorch.
  const int64_t sizes[] = {count, rank}, strides[] = {1, count};
  Tensor out = Tensor::empty_strided(sizes, strides, DType::kInt64);
  int64_t row = 0;
  for (int64_t i = 0; i < flags.numel(); ++i) {
    if (!values[i]) continue;
    int64_t rest = i;
    for (int64_t k = rank; k-- > 0;) {
      out.data<int64_t>()[row + k * count] = rest % flags.size(k);
      rest /= flags.size(k);
    }
    ++row;
  }
  return out;
}

/// Masks become the integer tensors of their true places; then as `index`.
Outputs eager_index(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  if (std::optional<VectorIndex> only = only_vector(x, arguments[1].list()))
    return call_eager("index_select", {x, only->dim, only->places});
  const Argument complete[] = {x, Argument(without_masks(x, arguments[1].list()))};
  return run_decomposition(entry, complete);
}

/// In place of a dimension: the index counts all elements, and PyTorch words it so.
constexpr int64_t kOfAllElements = -1;

OpError out_of_range(int64_t index, int64_t dim, int64_t size) {
  if (dim == kOfAllElements)
    return {"IndexError",
            fmt::format("out of range: tried to access index {} on a tensor of {} elements.", index,
                        size)};
  if (size == 0) return {"IndexError", "index is out of bounds for dimension with size 0"};
  return {"IndexError",
          fmt::format("index {} is out of bounds for dimension {} with size {}", index, dim, size)};
}

/// Negative indices counted from the start; eager execution checks the range too, and a kernel
/// where it is asked to. Of a dimension without elements the sizes tell already.
std::vector<OpValue> wrap_index(OpBuilder& b, OpArguments arguments) {
  OpValue one = arguments[0].tensor();
  const int64_t dim = as_constant(arguments[2]);
  if (dim != kOfAllElements && as_int(arguments[1]).is(0) && !is_empty(b.sizes(one)))
    throw out_of_range(0, dim, 0);
  const OpValue wrapped = b.where(b.less(one, 0), b.add(one, arguments[1]), one);
  if (!*arguments[3].get_if<bool>()) return {wrapped};
  const OpValue is_inside =
      b.call("logical_and", {b.call("greater_equal", {wrapped, 0}), b.less(wrapped, arguments[1])});
  return {b.call("checked", {wrapped, is_inside, OpArgument(std::string("index out of range"))})};
}

/// Elements by their numbers in row-major order.
std::vector<OpValue> take(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), index = arguments[1].tensor();
  if (b.dtype(index) != DType::kInt64)
    throw OpError{"RuntimeError",
                  fmt::format("take(): Expected a long tensor for index, but got {}",
                              scalar_type_name(b.dtype(index)))};
  auto shape = b.sizes(index);
  SymInt count = product(b.sizes(x)), wanted = product(shape);
  if (decide_equal(count, 0) && !decide_equal(wanted, 0))
    throw OpError{"IndexError", "take(): tried to take from an empty tensor"};
  OpValue places = b.call("wrap_index", {b.reshape(index, {wanted}), count, kOfAllElements});
  return {b.reshape(b.call("index_select", {b.reshape(x, {count}), 0, places}), shape)};
}

OpValue take_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  auto sizes = g.sizes("input");
  OpValue index = g.tensor("index");
  SymInt count = product(sizes), taken = product(b.sizes(index));
  OpValue places = b.call("wrap_index", {b.reshape(index, {taken}), count, kOfAllElements});
  OpValue zeros = b.reshape(g.base_of_zeros("input"), {count});
  OpValue sums = b.call("index_add", {zeros, 0, places, b.reshape(g.out(), {taken})});
  return b.reshape(sums, sizes);
}

Outputs eager_wrap_index(const OpEntry& entry, Arguments arguments) {
  Tensor out = clone(contiguous(convert(arguments[0].tensor(), DType::kInt64)));
  int64_t size = as_constant(arguments[1]), dim = as_constant(arguments[2]);
  int64_t* values = out.data<int64_t>();
  for (int64_t i = 0; i < out.numel(); ++i) {
    if (values[i] < -size || values[i] >= size) throw out_of_range(values[i], dim, size);
    if (values[i] < 0) values[i] += size;
  }
  return out;
}

std::vector<TensorType> infer_from_values(const OpEntry& entry, InferArguments arguments) {
  depends_on_values(entry);
}

Outputs eager_masked_select(const OpEntry& entry, Arguments arguments) {
  if (!is_bool(arguments[1].tensor().dtype()))
    throw OpError{"RuntimeError", "masked_select: expected BoolTensor for mask"};
  auto sizes =
      broadcast(type_of(arguments[0].tensor()).sizes, type_of(arguments[1].tensor()).sizes);
  Tensor input = contiguous(expand(arguments[0].tensor(), constant_dims(sizes)));
  Tensor mask = contiguous(expand(arguments[1].tensor(), constant_dims(sizes)));
  const bool* flags = mask.data<bool>();
  int64_t count = std::count(flags, flags + mask.numel(), true);
  Tensor out = Tensor::empty({count}, input.dtype());
  visit_bytes(input.element_size(), [&]<class T>() {
    T* to = out.data<T>();
    for (int64_t i = 0; i < mask.numel(); ++i)
      if (flags[i]) *to++ = input.data<T>()[i];
  });
  return out;
}

// ---- gradients ---------------------------------------------------------------------------------

OpValue masked_select_gradient(GradientCall& g) {
  auto sizes = broadcast(g.sizes("input"), g.sizes("mask"));
  OpValue base = g.b.expand(g.b.full({}, 0, g.type("input").dtype), sizes);
  return g.b.call("masked_scatter", {base, g["mask"], g.out()});
}

constexpr Effects kChecks = {.may_fail = true};
constexpr Effects kDependsOnValues = {.synchronises = true, .data_dependent = true};

constexpr OpEntry kEntries[] = {
    {
        .name = "index",
        .signature = "index(input: Tensor, indices: Tensors) -> Tensor",
        .doc = "`x[i, j]` with tensors of integers: the elements at the broadcast indices.",
        .eager = eager_index,
        .decomposition = index,
        .gradients = {{"input", "indices",
                       [](GradientCall& g) {
                         return g.b.call("index_put",
                                         {g.base_of_zeros("input"), g["indices"], g.out(), true});
                       }}},
        .grad_name = "IndexBackward0",
        .any_device = true,
        .effects = kChecks,
        .sizes_from_values = takes_masks,
        .samples = index_samples,
    },
    {
        .name = "wrap_index",
        .signature = "wrap_index(input: Tensor, size: int, dim: int, checks: bool = False) -> "
                     "Tensor",
        .doc =
            "Indices with those below 0 counted from the end; `checks`: compiled code holds them "
            "against the size too.",
        .eager = eager_wrap_index,
        .decomposition = wrap_index,
        .effects = kChecks,
        .numbers = {.fixed = true},
        .samples = wrap_index_samples,
    },
    {
        .name = "take",
        .signature = "take(input: Tensor, index: Tensor) -> Tensor",
        .torch = "take",
        .method = "take",
        .doc = "Elements by their numbers in row-major order.",
        .decomposition = take,
        .gradients = {{"input", "index", take_gradient}},
        .grad_name = "TakeBackward0",
        .effects = kChecks,
        .forms = Forms::kOut,
        .output_dtype = {"take(): self and out expected to have the same dtype, but got self.dtype "
                         "= {0} and out.dtype = {1}",
                         true},
        .samples = take_samples,
    },
    {
        .name = "nonzero",
        .signature = "nonzero(input: Tensor) -> Tensor",
        .torch = "nonzero argwhere",
        .method = "nonzero argwhere",
        .doc = "The indices of the elements that are not zero, one row each.",
        .infer = infer_from_values,
        .eager = eager_nonzero,
        .lowering = Library{},
        .effects = kDependsOnValues,
        .samples = unary_samples,
    },
    {
        .name = "masked_select",
        .signature = "masked_select(input: Tensor, mask: Tensor) -> Tensor",
        .torch = "masked_select",
        .method = "masked_select",
        .doc = "The elements where the mask is true, in a vector.",
        .infer = infer_from_values,
        .eager = eager_masked_select,
        .lowering = Library{},
        .gradients = {{"input", "mask", masked_select_gradient}},
        .grad_name = "MaskedSelectBackward0",
        .effects = kDependsOnValues,
        .forms = Forms::kOut,
        .output_dtype = {"masked_select(): self and result must have the same scalar type", true},
        .samples = masked_select_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

bool takes_masks(InferArguments arguments) {
  return std::ranges::any_of(arguments[1].list(), [](const InferArgument& item) {
    return item.is_value() &&
           (is_bool(item.tensor().dtype) || item.tensor().dtype == DType::kUInt8);
  });
}

std::optional<VectorIndex> only_vector(const Tensor& x, const Argument::List& items) {
  if (items.empty() || int64_t(items.size()) > x.rank() || !items.back().is_value())
    return std::nullopt;
  const Tensor& places = items.back().tensor();
  bool others = std::any_of(items.begin(), items.end() - 1,
                            [](const Argument& item) { return !item.is_none(); });
  if (others || places.rank() != 1 || places.dtype() != DType::kInt64) return std::nullopt;
  int64_t dim = int64_t(items.size()) - 1;
  if (x.numel() == 0 && x.size(dim) > 0) return std::nullopt;  // no element is read
  return VectorIndex{dim, call_eager("wrap_index", {places, x.size(dim), int64_t{0}})};
}

Argument::List without_masks(const Tensor& x, const Argument::List& given) {
  Argument::List items;
  for (const Argument& item : given) {
    const bool is_mask = item.is_value() &&
                         (is_bool(item.tensor().dtype()) || item.tensor().dtype() == DType::kUInt8);
    if (!is_mask) {
      items.push_back(item);
      continue;
    }
    const Tensor& mask = item.tensor();
    for (int64_t k = 0; k < mask.rank(); ++k) {
      int64_t dim = int64_t(items.size()) + k;
      if (dim < x.rank() && mask.size(k) == x.size(dim)) continue;
      throw OpError{
          "IndexError",
          fmt::format("The shape of the mask {} at index {} does not match the shape of the "
                      "indexed tensor {} at index {}",
                      to_string(mask.sizes()), k, to_string(x.sizes()), dim)};
    }
    Tensor places = call_eager("nonzero", {mask});
    for (int64_t k = 0; k < mask.rank(); ++k) items.push_back(contiguous(select(places, 1, k)));
  }
  return items;
}

std::span<const OpEntry> advanced_index_entries() {
  return kEntries;
}

}  // namespace glint::ops
