// Sorting along a dimension: library steps.
//
//     sort([3, 1, 2])      values [1, 2, 3], indices [1, 2, 0]      NaN counts as greatest
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/support/thread_pool.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/row_order.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

std::vector<TensorType> infer_sort(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  wrap_dim(as_constant(argument(entry, arguments, "dim")), input.rank());
  return {like_type(input, input.dtype), like_type(input, DType::kInt64)};
}

/// Sorts each row of a contiguous tensor; `values` and `indices` are contiguous too.
template <class T>
void sort_rows(const Tensor& rows, const Tensor& values, const Tensor& indices, bool descending) {
  if (rows.numel() == 0) return;
  const int64_t length = rows.rank() == 0 ? 1 : rows.size(-1);
  if (length > RowOrder<T>::kMost)
    throw OpError{"NotImplementedError",
                  fmt::format("at most {} elements are sorted at once", RowOrder<T>::kMost)};
  const T* in = rows.data<T>();
  T* to = values.data<T>();
  int64_t* places = indices.data<int64_t>();
  parallel_for(0, rows.numel() / length, std::max<int64_t>(1, 4096 / length),
               [&](int64_t begin, int64_t end) {
                 RowOrder<T> order;
                 for (int64_t at = begin * length; at < end * length; at += length)
                   order.sort(in + at, length, descending, to + at, places + at);
               });
}

Outputs sorted(const Tensor& input, int64_t dim, bool descending) {
  dim = wrap_dim(dim, size_t(input.rank()));
  bool last = input.rank() == 0 || dim == input.rank() - 1;
  Tensor rows = contiguous(last ? input : transpose(input, dim, -1));
  Tensor values = Tensor::empty(rows.sizes(), rows.dtype());
  Tensor indices = Tensor::empty(rows.sizes(), DType::kInt64);
  visit_dtype(rows.dtype(), [&]<class T>() { sort_rows<T>(rows, values, indices, descending); });
  if (last) return Outputs(values, indices);
  return Outputs(row_major(transpose(values, dim, -1)), row_major(transpose(indices, dim, -1)));
}

Outputs eager_sort(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  Outputs found = sorted(input, as_constant(argument(entry, arguments, "dim")),
                         as_bool(argument(entry, arguments, "descending")));
  if (has_row_major_strides(input)) return found;
  Tensor values = empty_of(like_type(type_of(input), input.dtype()));
  Tensor indices = empty_of(like_type(type_of(input), DType::kInt64));
  copy(values, found[0]);
  copy(indices, found[1]);
  return Outputs(values, indices);
}

std::vector<OpValue> argsort(OpBuilder& b, OpArguments arguments) {
  // The sort is stable whether that is asked for or not.
  return {b.call_all("sort", {arguments[0], arguments[1], arguments[2]}, {})[1]};
}

std::vector<TensorType> infer_topk(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  size_t dim = size_t(wrap_dim(as_constant(argument(entry, arguments, "dim")), input.rank()));
  SymInt k = as_int(arguments[1]);
  SymInt size = input.rank() == 0 ? SymInt(1) : input.sizes[dim];
  if (decide_less(k, 0) || decide_less(size, k))
    throw OpError{"RuntimeError", "selected index k out of range"};
  if (is_bool(input.dtype))
    throw OpError{"NotImplementedError", "topk does not support bool dtypes on CPU"};
  auto sizes = input.sizes;
  if (input.rank() > 0) sizes[dim] = k;
  return {TensorType::tensor(input.dtype, sizes), TensorType::tensor(DType::kInt64, sizes)};
}

/// Brings the places of the first `k` elements to the front, in order if that is wanted. Which of
/// several equals are among them follows from how they are found, which is as PyTorch does it.
template <class F>
void select_first(std::vector<int64_t>& order, int64_t k, bool in_order, F&& before) {
  auto begin = order.begin();
  constexpr int64_t kFew = 64;
  if (k * kFew <= int64_t(order.size())) {
    std::partial_sort(begin, begin + k, order.end(), before);
  } else if (k > 0) {
    std::nth_element(begin, begin + k - 1, order.end(), before);
    if (in_order) std::sort(begin, begin + k - 1, before);
  }
}

struct Wanted {
  int64_t k;
  bool largest, in_order;
};

/// The first `k` of each row of a contiguous tensor; `values` and `indices` are contiguous too.
template <class T>
void top_rows(const Tensor& rows, const Tensor& values, const Tensor& indices,
              const Wanted& wanted) {
  int64_t length = rows.rank() == 0 ? 1 : rows.size(-1);
  std::vector<int64_t> order(static_cast<size_t>(length));
  const T* in = rows.data<T>();
  auto before = [&](int64_t a, int64_t b) {
    T x = wanted.largest ? in[b] : in[a], y = wanted.largest ? in[a] : in[b];
    return x < y || (y != y && x == x);
  };
  for (int64_t at = 0; at < values.numel(); at += wanted.k, in += length) {
    std::iota(order.begin(), order.end(), 0);
    select_first(order, wanted.k, wanted.in_order, before);
    for (int64_t i = 0; i < wanted.k; ++i) {
      values.data<T>()[at + i] = in[order[size_t(i)]];
      indices.data<int64_t>()[at + i] = order[size_t(i)];
    }
  }
}

Outputs eager_topk(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  infer_topk(entry, types);
  const Tensor& input = arguments[0].tensor();
  int64_t dim = wrap_dim(as_constant(argument(entry, arguments, "dim")), size_t(input.rank()));
  // Without dimensions there is one element, of 0 too.
  Wanted wanted{.k = input.rank() == 0 ? 1 : as_constant(arguments[1]),
                .largest = as_bool(argument(entry, arguments, "largest")),
                .in_order = as_bool(argument(entry, arguments, "sorted"))};
  bool last = input.rank() == 0 || dim == input.rank() - 1;
  Tensor rows = contiguous(last ? input : transpose(input, dim, -1));
  Dims sizes = rows.sizes();
  if (rows.rank() > 0) sizes[sizes.size() - 1] = wanted.k;
  Tensor values = Tensor::empty(sizes, rows.dtype());
  Tensor indices = Tensor::empty(sizes, DType::kInt64);
  visit_dtype(rows.dtype(), [&]<class T>() { top_rows<T>(rows, values, indices, wanted); });
  if (last) return Outputs(values, indices);
  return Outputs(row_major(transpose(values, dim, -1)), row_major(transpose(indices, dim, -1)));
}

/// The dimensions that are left, and how far one goes along the other.
std::vector<SymInt> kth_sizes(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  size_t dim = size_t(wrap_dim(as_constant(argument(entry, arguments, "dim")), input.rank()));
  auto sizes = input.sizes;
  if (input.rank() > 0 && input.sizes[dim].is(0))
    throw OpError{"IndexError",
                  fmt::format("kthvalue(): Expected reduction dim {} to have non-zero size.", dim)};
  SymInt k = as_int(arguments[1]), size = input.rank() == 0 ? SymInt(1) : sizes[dim];
  if (!decide_less(0, k) || decide_less(size, k))
    throw OpError{"RuntimeError",
                  fmt::format("kthvalue(): selected number k out of range for dimension {}", dim)};
  if (input.dtype == DType::kBool)
    throw OpError{"NotImplementedError", "\"kthvalue_cpu\" not implemented for 'Bool'"};
  if (input.rank() == 0) return sizes;
  if (as_bool(argument(entry, arguments, "keepdim")))
    sizes[dim] = 1;
  else
    sizes.erase(sizes.begin() + int64_t(dim));
  return sizes;
}

std::vector<TensorType> infer_kthvalue(const OpEntry& entry, InferArguments arguments) {
  auto sizes = kth_sizes(entry, arguments);
  return {TensorType::tensor(arguments[0].tensor().dtype, sizes),
          TensorType::tensor(DType::kInt64, sizes)};
}

/// Moves the places of a row's elements until the k-th least stands at k: a part at a time, around
/// the middle one of three. Which of several equals that is, follows from the order of the swaps,
/// which is PyTorch's.
template <class T>
void select_kth(const T* row, std::vector<int64_t>& order, int64_t k) {
  auto above = [&](int64_t a, int64_t b) {
    T x = row[order[size_t(a)]], y = row[order[size_t(b)]];
    return (x != x && y == y) || x > y;
  };
  auto exchange = [&](int64_t a, int64_t b) { std::swap(order[size_t(a)], order[size_t(b)]); };
  int64_t left = 0, right = int64_t(order.size()) - 1;
  while (left < right) {
    if (right == left + 1) {
      if (above(left, right)) exchange(left, right);
      return;
    }
    exchange((left + right) / 2, left + 1);
    if (above(left + 1, right)) exchange(left + 1, right);
    if (above(left, right)) exchange(left, right);
    if (above(left + 1, left)) exchange(left + 1, left);
    int64_t up = left + 1, down = right;
    while (true) {
      do ++up;
      while (above(left, up));
      do --down;
      while (above(down, left));
      if (down < up) break;
      exchange(up, down);
    }
    exchange(left, down);
    if (down <= k) left = up;
    if (down >= k) right = down - 1;
  }
}

/// The dimension behind all others.
Tensor movedim_last(const Tensor& input, int64_t dim) {
  Dims order;
  for (int64_t i = 0; i < input.rank(); ++i)
    if (i != dim) order.push_back(i);
  order.push_back(dim);
  return permute(input, order);
}

Outputs eager_kthvalue(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  auto sizes = constant_dims(kth_sizes(entry, types));
  const Tensor& input = arguments[0].tensor();
  Tensor values = Tensor::empty(sizes, input.dtype());
  Tensor indices = Tensor::empty(sizes, DType::kInt64);
  int64_t dim = wrap_dim(as_constant(argument(entry, arguments, "dim")), size_t(input.rank()));
  Tensor rows = contiguous(input.rank() == 0 ? input : movedim_last(input, dim));
  int64_t length = rows.rank() == 0 ? 1 : rows.size(-1), k = as_constant(arguments[1]) - 1;
  visit_dtype(rows.dtype(), [&]<class T>() {
    std::vector<int64_t> order(static_cast<size_t>(length));
    for (int64_t i = 0; i < values.numel(); ++i) {
      const T* row = rows.data<T>() + i * length;
      std::iota(order.begin(), order.end(), 0);
      select_kth<T>(row, order, k);
      values.data<T>()[i] = row[order[size_t(k)]];
      indices.data<int64_t>()[i] = order[size_t(k)];
    }
  });
  return Outputs(values, indices);
}

/// What is left of the sizes without the dimension `dim`.
std::vector<SymInt> mode_sizes(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  int64_t dim = wrap_dim(as_constant(argument(entry, arguments, "dim")), input.rank());
  if (input.rank() > 0 && input.sizes[size_t(dim)].is(0))
    throw OpError{"IndexError",
                  fmt::format("mode(): Expected reduction dim {} to have non-zero size.", dim)};
  std::vector<int64_t> dims;
  if (input.rank() > 0) dims.push_back(dim);
  return reduced_sizes(input.sizes, dims, as_bool(argument(entry, arguments, "keepdim")));
}

std::vector<TensorType> infer_mode(const OpEntry& entry, InferArguments arguments) {
  auto sizes = mode_sizes(entry, arguments);
  return {TensorType::tensor(arguments[0].tensor().dtype, sizes),
          TensorType::tensor(DType::kInt64, sizes)};
}

/// The last place of the longest run of equals among sorted elements; of several, the first run.
template <class T>
int64_t longest_run(const T* values, const int64_t* places, int64_t length) {
  int64_t best = 0, found = 0;
  for (int64_t begin = 0, end = 0; begin < length; begin = end) {
    for (end = begin + 1; end < length && values[end] == values[begin];) ++end;
    if (end - begin <= best) continue;
    best = end - begin;
    found = places[end - 1];
  }
  return found;
}

Outputs eager_mode(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  auto sizes = constant_dims(mode_sizes(entry, types));
  const Tensor& input = arguments[0].tensor();
  int64_t dim = wrap_dim(as_constant(argument(entry, arguments, "dim")), size_t(input.rank()));
  Tensor rows = contiguous(input.rank() == 0 ? input : movedim_last(input, dim));
  Outputs ordered = sorted(rows, -1, false);
  Tensor values = Tensor::empty(sizes, input.dtype());
  Tensor indices = Tensor::empty(sizes, DType::kInt64);
  int64_t length = rows.rank() == 0 ? 1 : rows.size(-1);
  visit_dtype(rows.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < values.numel(); ++i) {
      int64_t place = longest_run(ordered[0].data<T>() + i * length,
                                  ordered[1].data<int64_t>() + i * length, length);
      values.data<T>()[i] = rows.data<T>()[i * length + place];
      indices.data<int64_t>()[i] = place;
    }
  });
  return Outputs(values, indices);
}

OpValue kth_gradient(GradientCall& g) {
  auto sizes = g.sizes("input");
  if (sizes.empty()) return g.out();
  int64_t dim = g.dim("dim");
  bool kept = as_bool(g["keepdim"]);
  OpValue places = g.result(1), gradient = g.out();
  if (!kept) places = g.b.unsqueeze(places, dim);
  if (!kept) gradient = g.b.unsqueeze(gradient, dim);
  return g.b.call("scatter", {g.base_of_zeros("input"), dim, places, gradient});
}

std::vector<Sample> kth_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 5}), 2, -1, false}},
          {{sample_tensor({3, 5}), 3, 0, true}},
          {{transpose(sample_tensor({4, 3}), 0, 1), 4, 1, false}},
          {{sample_tensor({2, 3, 4}), 1, 1, false}},
          {{sample_tensor({7}, DType::kInt64), 7, 0, false}},
          {{sample_tensor({}), 1, -1, false}}};
}

/// No two elements of a line are equal: at those the mode jumps.
std::vector<Sample> mode_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 5}), -1, false}},
          {{sample_tensor({3, 5}), 0, true}},
          {{transpose(sample_tensor({4, 3}), 0, 1), 1, false}},
          {{sample_tensor({7}, DType::kInt64), 0, false}},
          {{sample_tensor({}), -1, false}}};
}

/// Each value's gradient goes to where the value was.
OpValue to_places(GradientCall& g) {
  return g.b.call("scatter", {g.base_of_zeros("input"), g.dim("dim"), g.result(1), g.out()});
}

constexpr OpEntry kEntries[] = {
    {
        .name = "sort",
        .signature = "sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = "
                     "False) -> Tensors",
        .torch = "sort",
        .method = "sort",
        .doc = "The elements in order along a dimension, and where they were; equals keep their "
               "order.",
        .infer = infer_sort,
        .eager = eager_sort,
        .lowering = Library{},
        .gradients = {{"input", "indices", to_places}},
        .grad_name = "SortBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = unary_samples,
    },
    {
        .name = "argsort",
        .signature =
            "argsort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = "
            "False) -> Tensor",
        .torch = "argsort",
        .method = "argsort",
        .doc = "Where the elements were that sort puts in order.",
        .decomposition = argsort,
        .samples = unary_samples,
    },
    {
        .name = "topk",
        .signature = "topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: "
                     "bool = True) -> Tensors",
        .torch = "topk",
        .method = "topk",
        .doc =
            "The k greatest (or least) elements along a dimension in order, and where they were.",
        .infer = infer_topk,
        .eager = eager_topk,
        .lowering = Library{},
        .gradients = {{"input", "indices", to_places}},
        .grad_name = "TopkBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = topk_samples,
    },
    {
        .name = "kthvalue",
        .signature =
            "kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Tensors",
        .torch = "kthvalue",
        .method = "kthvalue",
        .doc = "The k-th least element along a dimension, counted from 1, and where it is.",
        .infer = infer_kthvalue,
        .eager = eager_kthvalue,
        .lowering = Library{},
        .gradients = {{"input", "indices", kth_gradient}},
        .grad_name = "KthvalueBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = kth_samples,
    },
    {
        .name = "mode",
        .signature = "mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Tensors",
        .torch = "mode",
        .method = "mode",
        .doc = "The least of the most frequent elements, and the last place where it is.",
        .infer = infer_mode,
        .eager = eager_mode,
        .lowering = Library{},
        .gradients = {{"input", "indices", kth_gradient}},
        .grad_name = "ModeBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = mode_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> sorting_entries() {
  return kEntries;
}

}  // namespace glint::ops
