// Reading by index: gather, index_select, embedding, one_hot, and the general `x[i, j]` with
// tensors of integers. Writing by index is in scatter.cpp.
//
//     index(x, [i, j])      x[i[k], j[k]] for each k: flattened to one index into x's rows
//
// Masks count as the indices of their true elements. Indices are checked against the sizes when the
// operator runs.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/indexing.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/parallel.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

std::vector<TensorType> infer_gather(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  const TensorType& index = arguments[2].tensor();
  check_index_dtype("gather", index.dtype);
  size_t dim = size_t(wrap_dim(as_constant(arguments[1]), input.rank()));
  if (std::max<size_t>(input.rank(), 1) != std::max<size_t>(index.rank(), 1))
    throw OpError{"RuntimeError",
                  "Index tensor must have the same number of dimensions as input tensor"};
  for (size_t k = 0; k < std::min(index.rank(), input.rank()); ++k)
    if (k != dim && decide_less(input.sizes[k], index.sizes[k]))
      throw OpError{"RuntimeError",
                    fmt::format("Size does not match at dimension {} expected index {} to be no "
                                "larger than self {} apart from dimension {}",
                                k, ints_text(index.sizes), ints_text(input.sizes), dim)};
  return {TensorType::tensor(input.dtype, index.sizes)};
}

template <class F>
void visit_bytes(size_t size, F&& f) {
  if (size == 1) return f.template operator()<uint8_t>();
  if (size == 2) return f.template operator()<uint16_t>();
  if (size == 4) return f.template operator()<uint32_t>();
  f.template operator()<uint64_t>();
}

Outputs eager_gather(const OpEntry& entry, Arguments arguments) {
  InferArgument types[] = {infer_argument(arguments[0]), infer_argument(arguments[1]),
                           infer_argument(arguments[2])};
  Tensor out = empty_of(infer_gather(entry, types)[0]);
  const Tensor& input = arguments[0].tensor();
  Tensor index = contiguous(convert(arguments[2].tensor(), DType::kInt64));
  int64_t dim = wrap_dim(as_constant(arguments[1]), size_t(input.rank()));
  visit_bytes(input.element_size(), [&]<class T>() {
    const T* in = input.data<T>();
    T* to = out.data<T>();
    int64_t limit = input.rank() == 0 ? 1 : input.size(dim);
    for_each_index(index, dim, limit, input.strides(),
                   [&](int64_t from, int64_t i) { to[i] = in[from]; });
  });
  return out;
}

std::vector<TensorType> infer_index_select(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  const TensorType& index = arguments[2].tensor();
  check_index_dtype("index_select", index.dtype);
  if (index.rank() > 1)
    throw OpError{"IndexError", "index_select(): Index is supposed to be a vector"};
  size_t dim = size_t(wrap_dim(as_constant(arguments[1]), input.rank()));
  SymInt count = index.rank() == 0 ? SymInt(1) : index.sizes[0];
  if (input.rank() == 0 && !decide_equal(count, SymInt(1)))
    throw OpError{
        "RuntimeError",
        fmt::format("index_select(): Index to scalar can have only 1 value, got {} value(s)",
                    count.text())};
  TensorType out = TensorType::tensor(input.dtype, input.sizes);
  if (input.rank() > 0) out.sizes[dim] = index.rank() == 0 ? SymInt(1) : index.sizes[0];
  return {out};
}

/// PyTorch's kernels word it differently: that of the second dimension, and that of no elements, by
/// the position; the others as `IndexError`.
void check_positions(const Tensor& input, int64_t dim, const Tensor& index) {
  int64_t limit = input.rank() == 0 ? 1 : input.size(dim), count = index.numel();
  bool by_position = dim == 1 || (input.numel() == 0 && input.rank() > 1);
  if (limit == 0 && count > 0 && by_position)
    throw OpError{"RuntimeError", "index_select(): self indexing axis dim should be positive"};
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = index.data<int64_t>()[i];
    if (value >= 0 && value < limit) continue;
    if (!by_position) throw OpError{"IndexError", "index out of range in self"};
    throw OpError{
        "RuntimeError",
        fmt::format("INDICES element is out of DATA bounds, id={} axis_dim={}", value, limit)};
  }
}

Tensor select_rows(const Tensor& source, int64_t dim, const Tensor& positions, const Tensor& out) {
  Tensor input = contiguous(source);
  Tensor index = contiguous(convert(positions, DType::kInt64));
  int64_t limit = input.rank() == 0 ? 1 : input.size(dim);
  int64_t inner = 1;
  for (int64_t k = dim + 1; k < input.rank(); ++k) inner *= input.size(k);
  int64_t count = index.numel();
  check_positions(input, dim, index);
  if (out.numel() == 0) return out;
  int64_t outer = out.numel() / (count * inner);
  int64_t bytes = inner * int64_t(input.element_size());
  const int64_t* at = index.data<int64_t>();
  parallel_for(0, outer * count, std::max<int64_t>(1, 65536 / bytes),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i)
                   std::memcpy(out.raw_data() + i * bytes,
                               input.raw_data() + (i / count * limit + at[i % count]) * bytes,
                               size_t(bytes));
               });
  return out;
}

Outputs eager_index_select(const OpEntry& entry, Arguments arguments) {
  InferArgument types[] = {infer_argument(arguments[0]), infer_argument(arguments[1]),
                           infer_argument(arguments[2])};
  Tensor out = empty_of(infer_index_select(entry, types)[0]);
  const Tensor& input = arguments[0].tensor();
  int64_t dim = wrap_dim(as_constant(arguments[1]), size_t(input.rank()));
  return select_rows(input, dim, arguments[2].tensor(), out);
}

void check_embedding(const TensorType& index, const TensorType& weight, const OpArgument& padding) {
  if (weight.rank() != 2) throw OpError{"RuntimeError", "'weight' must be 2-D"};
  if (!padding.is_none()) {
    int64_t row = as_constant(padding);
    if (!decide_less(row < 0 ? -row - 1 : row, weight.sizes[0]))
      throw OpError{"AssertionError", "Padding_idx must be within num_embeddings"};
  }
  if (index.dtype == DType::kInt64 || index.dtype == DType::kInt32) return;
  std::string found = index.dtype == DType::kBool
                          ? "CPUBoolType"
                          : fmt::format("torch.{}Tensor", scalar_type_name(index.dtype));
  throw OpError{"RuntimeError",
                fmt::format("Expected tensor for argument #1 'indices' to have one of the "
                            "following scalar types: Long, Int; but got {} instead (while checking "
                            "arguments for embedding)",
                            found)};
}

std::vector<OpValue> embedding(OpBuilder& b, OpArguments arguments) {
  OpValue index = arguments[0].tensor(), weight = arguments[1].tensor();
  check_embedding(b.type(index), b.type(weight), arguments[2]);
  auto sizes = b.sizes(index);
  OpValue rows = b.call("index_select", {weight, 0, b.reshape(index, {product(sizes)})});
  sizes.push_back(b.sizes(weight)[1]);
  return {b.reshape(rows, sizes)};
}

Outputs eager_embedding(const OpEntry& entry, Arguments arguments) {
  const Tensor& index = arguments[0].tensor();
  const Tensor& weight = arguments[1].tensor();
  OpArgument padding;
  if (arguments.size() > 2)
    if (const SymInt* row = arguments[2].get_if<SymInt>()) padding = *row;
  check_embedding(type_of(index), type_of(weight), padding);
  Dims sizes(index.sizes());
  sizes.push_back(weight.size(1));
  Tensor out = Tensor::empty(sizes, weight.dtype());
  try {
    return select_rows(weight, 0, index, out);
  } catch (const OpError&) {
    throw OpError{"IndexError", "index out of range in self"};
  }
}

[[noreturn]] void depends_on_values(const OpEntry& entry) {
  fail(fmt::format("the sizes of {}'s result depend on values", entry.name));
}

/// Without a number of classes, the largest index decides.
bool one_hot_counts_classes(InferArguments arguments) {
  return arguments.size() < 2 || decide_equal(as_int(arguments[1]), -1);
}

std::vector<TensorType> infer_one_hot(const OpEntry& entry, InferArguments arguments) {
  const TensorType& index = arguments[0].tensor();
  if (index.dtype != DType::kInt64)
    throw OpError{"RuntimeError", "one_hot is only applicable to index tensor of type LongTensor."};
  if (one_hot_counts_classes(arguments)) depends_on_values(entry);
  SymInt classes = as_int(arguments[1]);
  // Whether or not there are indices, eager execution refuses it.
  if (decide_less(classes, 1))
    throw OpError{"RuntimeError", "Class values must be smaller than num_classes."};
  auto sizes = index.sizes;
  sizes.push_back(classes);
  return {TensorType::tensor(DType::kInt64, sizes)};
}

Outputs eager_one_hot(const OpEntry& entry, Arguments arguments) {
  Tensor index = contiguous(arguments[0].tensor());
  if (index.dtype() != DType::kInt64)
    throw OpError{"RuntimeError", "one_hot is only applicable to index tensor of type LongTensor."};
  int64_t classes = as_constant(argument(entry, arguments, "num_classes"));
  int64_t most = -1;
  for (int64_t i = 0; i < index.numel(); ++i) {
    int64_t value = index.data<int64_t>()[i];
    if (value < 0) throw OpError{"RuntimeError", "Class values must be non-negative."};
    if (classes != -1 && value >= classes)
      throw OpError{"RuntimeError", "Class values must be smaller than num_classes."};
    most = std::max(most, value);
  }
  if (classes <= 0 && index.numel() == 0)
    throw OpError{"RuntimeError", "Can not infer total number of classes from empty tensor."};
  if (classes < 0) classes = most + 1;
  Dims sizes(index.sizes());
  sizes.push_back(classes);
  Tensor out = Tensor::zeros(sizes, DType::kInt64);
  for (int64_t i = 0; i < index.numel(); ++i)
    out.data<int64_t>()[i * classes + index.data<int64_t>()[i]] = 1;
  return out;
}

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
  const Argument complete[] = {x, Argument(without_masks(x, arguments[1].list()))};
  return run_decomposition(entry, complete);
}

/// In place of a dimension: the index counts all elements, and PyTorch words it so.
constexpr int64_t kOfAllElements = -1;

/// Negative indices counted from the start; eager execution checks the range too.
std::vector<OpValue> wrap_index(OpBuilder& b, OpArguments arguments) {
  OpValue one = arguments[0].tensor();
  return {b.where(b.less(one, 0), b.add(one, arguments[1]), one)};
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

OpError out_of_range(int64_t index, int64_t dim, int64_t size) {
  if (dim == kOfAllElements)
    return {"IndexError",
            fmt::format("out of range: tried to access index {} on a tensor of {} elements.", index,
                        size)};
  return {"IndexError",
          fmt::format("index {} is out of bounds for dimension {} with size {}", index, dim, size)};
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

/// The rows' gradients added up by row; those of the padding row are left out.
OpValue embedding_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue index = g.tensor("input");
  SymInt count = product(b.sizes(index)), width = g.sizes("weight")[1];
  OpValue flat = b.reshape(index, {count});
  OpValue rows = b.reshape(g.out(), {count, width});
  if (!g.is_none("padding_idx")) {
    SymInt padding = as_int(g["padding_idx"]);
    if (decide_less(padding, 0)) padding += g.sizes("weight")[0];
    rows = b.where(b.unsqueeze(b.equal(flat, padding), 1), 0, rows);
  }
  return b.call("index_add", {g.base_of_zeros("weight"), 0, flat, rows});
}

OpValue masked_select_gradient(GradientCall& g) {
  auto sizes = broadcast(g.sizes("input"), g.sizes("mask"));
  OpValue base = g.b.expand(g.b.full({}, 0, g.type("input").dtype), sizes);
  return g.b.call("masked_scatter", {base, g["mask"], g.out()});
}

constexpr Effects kChecks = {.may_fail = true};
constexpr Effects kDependsOnValues = {.synchronises = true, .data_dependent = true};

constexpr OpEntry kEntries[] = {
    {
        .name = "gather",
        .signature = "gather(input: Tensor, dim: int, index: Tensor) -> Tensor",
        .torch = "gather",
        .method = "gather",
        .doc = "out[i][j] = input[i][index[i][j]], for dim 1; likewise along any dimension.",
        .infer = infer_gather,
        .eager = eager_gather,
        .lowering = GatherAlong{},
        .gradients = {{"input", "index",
                       [](GradientCall& g) {
                         return g.b.call("scatter_add", {g.base_of_zeros("input"), g.dim("dim"),
                                                         g["index"], g.out()});
                       }}},
        .grad_name = "GatherBackward0",
        .effects = kChecks,
        .samples = gather_samples,
    },
    {
        .name = "index_select",
        .signature = "index_select(input: Tensor, dim: int, index: Tensor) -> Tensor",
        .torch = "index_select",
        .method = "index_select",
        .doc = "The positions that a vector of indices names, along a dimension.",
        .infer = infer_index_select,
        .eager = eager_index_select,
        .lowering = SelectAlong{},
        .gradients = {{"input", "index",
                       [](GradientCall& g) {
                         return g.b.call("index_add", {g.base_of_zeros("input"), g.dim("dim"),
                                                       g["index"], g.out()});
                       }}},
        .grad_name = "IndexSelectBackward0",
        .effects = kChecks,
        .samples = index_select_samples,
    },
    {
        .name = "embedding",
        .signature =
            "embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None) -> Tensor",
        .functional = "embedding",
        .doc = "The rows of weight that the indices name.",
        .eager = eager_embedding,
        .decomposition = embedding,
        .gradients = {{"weight", "input", embedding_gradient}},
        .grad_name = "EmbeddingBackward0",
        .effects = kChecks,
        .samples = embedding_samples,
    },
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
        .effects = kChecks,
        .sizes_from_values = takes_masks,
        .samples = index_samples,
    },
    {
        .name = "wrap_index",
        .signature = "wrap_index(input: Tensor, size: int, dim: int) -> Tensor",
        .doc = "Indices with those below 0 counted from the end.",
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
        .samples = take_samples,
    },
    {
        .name = "one_hot",
        .signature = "one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor",
        .functional = "one_hot",
        .doc = "For each index a row of zeros with a 1 at that place.",
        .infer = infer_one_hot,
        .eager = eager_one_hot,
        .lowering = Library{},
        .effects = kChecks,
        .sizes_from_values = one_hot_counts_classes,
        .samples = one_hot_samples,
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
        .samples = masked_select_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

void check_index_dtype(const char* name, DType dtype) {
  if (dtype != DType::kInt64 && dtype != DType::kInt32)
    throw OpError{
        "RuntimeError",
        fmt::format("{}(): Expected dtype {} for index", name,
                    std::string_view(name) == "index_select" ? "int32 or int64" : "int32/int64")};
}

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
  // Negative indices count from the end; then one index over all the indexed dimensions.
  OpValue flat;
  SymInt extent = 1;
  for (size_t i = last; i-- > first;) {
    OpValue one = b.to(items[i].tensor(), DType::kInt64);
    // PyTorch counts the indexed dimensions only.
    one = b.call("wrap_index", {one, sizes[i], int64_t(i - first)});
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

bool takes_masks(InferArguments arguments) {
  return std::ranges::any_of(arguments[1].list(), [](const InferArgument& item) {
    return item.is_value() && is_bool(item.tensor().dtype);
  });
}

Argument::List without_masks(const Tensor& x, const Argument::List& given) {
  static const OpEntry& nonzero_entry = *find_op("nonzero");
  Argument::List items;
  for (const Argument& item : given) {
    if (!item.is_value() || !is_bool(item.tensor().dtype())) {
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
    Tensor places = eager_nonzero(nonzero_entry, {&item, 1})[0];
    for (int64_t k = 0; k < mask.rank(); ++k) items.push_back(contiguous(select(places, 1, k)));
  }
  return items;
}

std::span<const OpEntry> index_entries() {
  return kEntries;
}

}  // namespace glint::ops
