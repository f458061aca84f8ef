// Reading by index along one dimension: gather, index_select, embedding, and one_hot, which writes
// what an index says. The general `x[i, j]` is in advanced_index.cpp, writing in scatter.cpp.
//
//     index_select(x, 0, [2, 0])      rows 2 and 0 of x
//
// Indices are checked against the sizes when the operator runs.
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
  return {TensorType::tensor(input.dtype, index.sizes, input.device)};
}

Outputs eager_gather(const OpEntry& entry, Arguments arguments) {
  InferArgument types[] = {infer_argument(arguments[0]), infer_argument(arguments[1]),
                           infer_argument(arguments[2])};
  Tensor out = empty_of(infer_gather(entry, types)[0]);
  const Tensor& input = arguments[0].tensor();
  Tensor index = convert(arguments[2].tensor(), DType::kInt64);
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
  TensorType out = TensorType::tensor(input.dtype, input.sizes, input.device);
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

/// Along the last dimension, of `limit` elements.
void select_elements(const Tensor& input, int64_t limit, std::span<const int64_t> positions,
                     const Tensor& out) {
  const auto count = int64_t(positions.size());
  visit_bytes(input.element_size(), [&]<class T>() {
    const T* in = reinterpret_cast<const T*>(input.raw_data());
    T* to = reinterpret_cast<T*>(out.raw_data());
    parallel_for(0, out.numel() / count, std::max<int64_t>(1, 16384 / count),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t row = begin; row < end; ++row)
                     for (int64_t j = 0; j < count; ++j)
                       to[row * count + j] = in[row * limit + positions[size_t(j)]];
                 });
  });
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
  const std::span places(index.data<int64_t>(), size_t(count));
  if (inner == 1) {
    select_elements(input, limit, places, out);
    return out;
  }
  int64_t bytes = inner * int64_t(input.element_size());
  parallel_for(0, outer * count, std::max<int64_t>(1, 65536 / bytes),
               [&](int64_t begin, int64_t end) {
                 int64_t row = begin / count, place = begin % count;
                 for (int64_t i = begin; i < end; ++i) {
                   std::memcpy(out.raw_data() + i * bytes,
                               input.raw_data() + (row * limit + places[size_t(place)]) * bytes,
                               size_t(bytes));
                   if (++place == count) place = 0, ++row;
                 }
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
  throw OpError{"RuntimeError",
                fmt::format("Expected tensor for argument #1 'indices' to have one of the "
                            "following scalar types: Long, Int; but got {} instead (while checking "
                            "arguments for embedding)",
                            tensor_type_name(index.dtype))};
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

constexpr Effects kChecks = {.may_fail = true};
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
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
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
        .forms = Forms::kOut,
        .output_dtype = {"index_select(): self and result must have the same scalar type", true},
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

std::span<const OpEntry> index_entries() {
  return kEntries;
}

}  // namespace glint::ops
