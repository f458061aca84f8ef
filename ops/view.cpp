// Views: operators that rearrange sizes and strides and share the memory of their input.
//
//     x.transpose(0, 1)      base[0] = 1*d1, base[1] = 1*d0
//
// Each gives a ViewMap (ir/view_map.h) from the input's type and its arguments. The eager view, the
// inferred strides and the index arithmetic of fused kernels all follow from that map.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "ops/families.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// `order[k]` is the dimension of the base that becomes dimension k.
ViewMap permuted(const TensorType& base, std::span<const int64_t> order) {
  ViewMap map;
  map.base.resize(base.rank());
  for (size_t k = 0; k < order.size(); ++k) {
    map.sizes.push_back(base.sizes[size_t(order[k])]);
    map.base[size_t(order[k])].terms = {{uint32_t(k), 1}};
  }
  return map;
}

std::vector<int64_t> identity_order(size_t rank) {
  std::vector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

ViewMap permute_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  auto dims = as_ints(arguments[1]);
  if (dims.size() != base.rank())
    throw OpError{
        "RuntimeError",
        fmt::format("permute(sparse_coo): number of dimensions in the tensor input does not "
                    "match the length of the desired ordering of dimensions i.e. "
                    "input.dim() = {} is not equal to len(dims) = {}",
                    base.rank(), dims.size())};
  std::vector<int64_t> order;
  for (SymInt dim : dims) {
    int64_t wrapped = wrap_dim(dim.constant(), base.rank());
    if (std::ranges::find(order, wrapped) != order.end())
      throw OpError{"RuntimeError", "permute(): duplicate dims are not allowed."};
    order.push_back(wrapped);
  }
  return permuted(base, order);
}

ViewMap transpose_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  int64_t first = wrap_dim(as_constant(arguments[1]), base.rank());
  int64_t second = wrap_dim(as_constant(arguments[2]), base.rank());
  auto order = identity_order(base.rank());
  if (base.rank() > 0) std::swap(order[size_t(first)], order[size_t(second)]);
  return permuted(base, order);
}

ViewMap t_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  if (base.rank() > 2)
    throw OpError{
        "RuntimeError",
        fmt::format("t() expects a tensor with <= 2 dimensions, but self is {}D", base.rank())};
  auto order = identity_order(base.rank());
  std::ranges::reverse(order);
  return permuted(base, order);
}

ViewMap movedim_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  auto sources = as_ints(arguments[1]);
  auto targets = as_ints(arguments[2]);
  if (sources.size() != targets.size())
    throw OpError{
        "RuntimeError",
        fmt::format("movedim: Invalid source or destination dims: source ({} dims) should "
                    "contain the same number of dims as destination ({} dims)",
                    ints_text(sources), ints_text(targets))};
  if (base.rank() == 0) {
    for (SymInt dim : sources) wrap_dim(dim.constant(), 0);
    for (SymInt dim : targets) wrap_dim(dim.constant(), 0);
    return ViewMap::identity({});
  }
  std::vector<int64_t> order(base.rank(), -1);
  std::vector<bool> used(base.rank(), false);
  for (size_t i = 0; i < sources.size(); ++i) {
    size_t from = size_t(wrap_dim(sources[i].constant(), base.rank()));
    order[size_t(wrap_dim(targets[i].constant(), base.rank()))] = int64_t(from);
    used[from] = true;
  }
  int64_t next = 0;
  for (int64_t& place : order) {
    if (place >= 0) continue;
    while (used[size_t(next)]) ++next;
    place = next++;
  }
  return permuted(base, order);
}

/// The sizes asked for, with one -1 worked out.
std::vector<SymInt> wanted_sizes(const TensorType& base, std::vector<SymInt> sizes) {
  SymInt known = 1;
  std::optional<size_t> open;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!sizes[i].is(-1)) {
      known *= sizes[i];
    } else if (open) {
      throw OpError{"RuntimeError", "only one dimension can be inferred"};
    } else {
      open = i;
    }
  }
  SymInt count = base.numel();
  auto refuse = [&] {
    throw OpError{"RuntimeError", fmt::format("shape '{}' is invalid for input of size {}",
                                              ints_text(sizes), count.text())};
  };
  if (!open) {
    if (!decide_equal(known, count)) refuse();
    return sizes;
  }
  if (known.is(0)) {
    if (!decide_equal(count, 0)) refuse();
    throw OpError{"RuntimeError",
                  fmt::format("cannot reshape tensor of 0 elements into shape {} because the "
                              "unspecified dimension size -1 can be any value and is ambiguous",
                              ints_text(sizes))};
  }
  if (!decide_equal(remainder(count, known), 0)) refuse();
  sizes[*open] = floor_divide(count, known);
  return sizes;
}

ViewMap reshape_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  return ViewMap::reshape(wanted_sizes(base, as_ints(arguments[1])));
}

ViewMap flatten_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  if (base.rank() == 0) return ViewMap::reshape({1});
  size_t first =
      size_t(wrap_dim(as_constant(argument(entry, arguments, "start_dim")), base.rank()));
  size_t last = size_t(wrap_dim(as_constant(argument(entry, arguments, "end_dim")), base.rank()));
  if (first > last)
    throw OpError{"RuntimeError",
                  "flatten() has invalid args: start_dim cannot come after end_dim"};
  std::vector<SymInt> sizes(base.sizes.begin(), base.sizes.begin() + int64_t(first));
  sizes.push_back(product(std::span(base.sizes).subspan(first, last - first + 1)));
  sizes.insert(sizes.end(), base.sizes.begin() + int64_t(last) + 1, base.sizes.end());
  return ViewMap::reshape(sizes);
}

ViewMap ravel_rule(const OpEntry& entry, InferArguments arguments) {
  return ViewMap::reshape({arguments[0].tensor().numel()});
}

ViewMap unflatten_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  size_t dim = size_t(wrap_dim(as_constant(arguments[1]), base.rank()));
  if (base.rank() == 0)
    throw OpError{"RuntimeError", "unflatten: a 0-dim tensor has no dimension to unflatten"};
  TensorType part = TensorType::tensor(base.dtype, {base.sizes[dim]});
  auto inner = wanted_sizes(part, as_ints(arguments[2]));
  std::vector<SymInt> sizes = base.sizes;
  sizes.erase(sizes.begin() + int64_t(dim));
  sizes.insert(sizes.begin() + int64_t(dim), inner.begin(), inner.end());
  return ViewMap::reshape(sizes);
}

/// Drops the dimensions for which `drop` says so; their index is 0.
template <class F>
ViewMap without(const TensorType& base, F&& drop) {
  ViewMap map;
  map.base.resize(base.rank());
  for (size_t dim = 0; dim < base.rank(); ++dim) {
    if (drop(dim)) continue;
    map.base[dim].terms = {{uint32_t(map.sizes.size()), 1}};
    map.sizes.push_back(base.sizes[dim]);
  }
  return map;
}

ViewMap squeeze_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  InferArgument dim = argument(entry, arguments, "dim");
  std::vector<int64_t> dims = identity_order(base.rank());
  if (!dim.is_none()) {
    dims.clear();
    for (SymInt one : as_ints(dim)) dims.push_back(wrap_dim(one.constant(), base.rank()));
  }
  return without(base, [&](size_t at) {
    return std::ranges::find(dims, int64_t(at)) != dims.end() && decide_equal(base.sizes[at], 1);
  });
}

ViewMap unsqueeze_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  size_t at = size_t(wrap_dim(as_constant(arguments[1]), base.rank() + 1));
  ViewMap map = ViewMap::identity(base.sizes);
  map.sizes.insert(map.sizes.begin() + int64_t(at), 1);
  for (size_t dim = at; dim < base.rank(); ++dim) map.base[dim].terms[0].dim++;
  return map;
}

ViewMap expanded(const TensorType& base, std::vector<SymInt> sizes) {
  if (sizes.size() < base.rank())
    throw OpError{
        "RuntimeError",
        fmt::format("expand(torch.{}Tensor{{{}}}, size={}): the number of sizes provided ({}) "
                    "must be greater or equal to the number of dimensions in the tensor ({})",
                    scalar_type_name(base.dtype), ints_text(base.sizes), ints_text(sizes),
                    sizes.size(), base.rank())};
  size_t added = sizes.size() - base.rank();
  ViewMap map;
  map.base.resize(base.rank());
  for (size_t dim = 0; dim < base.rank(); ++dim) {
    SymInt& wanted = sizes[added + dim];
    SymInt size = base.sizes[dim];
    if (wanted.is(-1)) wanted = size;
    bool repeats = size.is(1) && !wanted.is(1);
    if (!repeats && !decide_equal(size, wanted))
      throw OpError{
          "RuntimeError",
          fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) "
                      "at non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}",
                      wanted.text(), size.text(), added + dim, ints_text(sizes),
                      ints_text(base.sizes))};
    if (!repeats) map.base[dim].terms = {{uint32_t(added + dim), 1}};
  }
  map.sizes = std::move(sizes);
  return map;
}

ViewMap expand_rule(const OpEntry& entry, InferArguments arguments) {
  return expanded(arguments[0].tensor(), as_ints(arguments[1]));
}

ViewMap select_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  if (base.rank() == 0)
    throw OpError{"IndexError", "select() cannot be applied to a 0-dim tensor."};
  size_t dim = size_t(wrap_dim(as_constant(arguments[1]), base.rank()));
  SymInt index = as_int(arguments[2]);
  SymInt size = base.sizes[dim];
  if (decide_less(index, -size) || !decide_less(index, size))
    throw OpError{
        "IndexError",
        fmt::format("select(): index {} out of range for tensor of size {} at dimension {}",
                    index.text(), ints_text(base.sizes), dim)};
  if (decide_less(index, 0)) index += size;
  ViewMap map = without(base, [&](size_t at) { return at == dim; });
  map.base[dim].constant = index;
  return map;
}

/// Elements start, start + step, ... along one dimension.
ViewMap strided(const TensorType& base, size_t dim, SymInt start, SymInt length, SymInt step) {
  ViewMap map = ViewMap::identity(base.sizes);
  map.sizes[dim] = length;
  map.base[dim].constant = start;
  map.base[dim].terms[0].coefficient = step;
  return map;
}

/// Python's clamping of a slice's end.
SymInt clamped(const InferArgument& end, SymInt size, SymInt otherwise) {
  if (end.is_none()) return otherwise;
  SymInt value = as_int(end);
  if (decide_less(value, 0)) value += size;
  if (decide_less(value, 0)) return 0;
  return decide_less(size, value) ? size : value;
}

ViewMap slice_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  if (base.rank() == 0) throw OpError{"IndexError", "slice() cannot be applied to a 0-dim tensor."};
  size_t dim = size_t(wrap_dim(as_constant(argument(entry, arguments, "dim")), base.rank()));
  SymInt step = as_int(argument(entry, arguments, "step"));
  if (!decide_less(0, step)) throw OpError{"ValueError", "step must be greater than zero"};
  SymInt size = base.sizes[dim];
  SymInt start = clamped(argument(entry, arguments, "start"), size, 0);
  SymInt stop = clamped(argument(entry, arguments, "end"), size, size);
  if (decide_less(stop, start)) stop = start;
  return strided(base, dim, start, ceil_divide(stop - start, step), step);
}

ViewMap narrow_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  if (base.rank() == 0)
    throw OpError{"RuntimeError", "narrow() cannot be applied to a 0-dim tensor."};
  size_t dim = size_t(wrap_dim(as_constant(arguments[1]), base.rank()));
  SymInt start = as_int(arguments[2]);
  SymInt length = as_int(arguments[3]);
  SymInt size = base.sizes[dim];
  if (decide_less(length, 0))
    throw OpError{"RuntimeError", "narrow(): length must be non-negative."};
  if (decide_less(start, 0)) start += size;
  if (decide_less(size, start + length))
    throw OpError{"RuntimeError",
                  fmt::format("start ({}) + length ({}) exceeds dimension size ({}).", start.text(),
                              length.text(), size.text())};
  return strided(base, dim, start, length, 1);
}

ViewMap diagonal_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  SymInt offset = as_int(argument(entry, arguments, "offset"));
  size_t first = size_t(wrap_dim(as_constant(argument(entry, arguments, "dim1")), base.rank()));
  size_t second = size_t(wrap_dim(as_constant(argument(entry, arguments, "dim2")), base.rank()));
  if (first == second || base.rank() < 2)
    throw OpError{"RuntimeError",
                  fmt::format("diagonal dimensions cannot be identical {}, {}", first, second)};
  SymInt row = decide_less(offset, 0) ? -offset : SymInt(0);
  SymInt column = decide_less(offset, 0) ? SymInt(0) : offset;
  SymInt rows = base.sizes[first] - row;
  SymInt columns = base.sizes[second] - column;
  SymInt length = decide_less(rows, columns) ? rows : columns;
  if (decide_less(length, 0)) length = 0;
  ViewMap map = without(base, [&](size_t at) { return at == first || at == second; });
  uint32_t last = uint32_t(map.sizes.size());
  map.sizes.push_back(length);
  bool empty = length.is(0);
  map.base[first] = {empty ? SymInt(0) : row, {{last, 1}}};
  map.base[second] = {empty ? SymInt(0) : column, {{last, 1}}};
  return map;
}

ViewMap alias_rule(const OpEntry& entry, InferArguments arguments) {
  return ViewMap::identity(arguments[0].tensor().sizes);
}

ViewMap expand_as_rule(const OpEntry& entry, InferArguments arguments) {
  return expanded(arguments[0].tensor(), arguments[1].tensor().sizes);
}

ViewMap view_as_rule(const OpEntry& entry, InferArguments arguments) {
  return ViewMap::reshape(wanted_sizes(arguments[0].tensor(), arguments[1].tensor().sizes));
}

constexpr OpEntry kEntries[] = {
    {
        .name = "permute",
        .signature = "permute(input: Tensor, *dims: int) -> Tensor",
        .torch = "permute",
        .method = "permute",
        .doc = "A view with the dimensions in another order.",
        .lowering = View{permute_rule},
        .grad_name = "PermuteBackward0",
        .samples = permute_samples,
    },
    {
        .name = "transpose",
        .signature = "transpose(input: Tensor, dim0: int, dim1: int) -> Tensor",
        .torch = "transpose swapaxes swapdims",
        .method = "transpose swapaxes swapdims",
        .doc = "A view with two dimensions exchanged.",
        .lowering = View{transpose_rule},
        .grad_name = "TransposeBackward0",
        .samples = two_dim_samples,
    },
    {
        .name = "t",
        .signature = "t(input: Tensor) -> Tensor",
        .torch = "t",
        .method = "t",
        .doc = "A matrix transposed; fewer dimensions stay as they are.",
        .lowering = View{t_rule},
        .grad_name = "TBackward0",
        .samples = matrix_samples,
    },
    {
        .name = "movedim",
        .signature = "movedim(input: Tensor, source: Size, destination: Size) -> Tensor",
        .torch = "movedim moveaxis",
        .method = "movedim moveaxis",
        .doc = "A view with dimensions moved to other places, the others in their order.",
        .lowering = View{movedim_rule},
        .grad_name = "MovedimBackward0",
        .samples = two_dim_samples,
    },
    {
        .name = "reshape",
        .signature = "reshape(input: Tensor, *shape: int) -> Tensor",
        .torch = "reshape",
        .method = "reshape",
        .doc =
            "The same elements in row-major order with other sizes: a view where strides allow it, "
            "else a copy. One size may be -1.",
        .lowering = View{reshape_rule, true},
        .grad_name = "ReshapeAliasBackward0",
        .samples = reshape_samples,
    },
    {
        .name = "view",
        .signature = "view(input: Tensor, *size: int) -> Tensor",
        .method = "view",
        .doc = "The same elements with other sizes, sharing memory; refused where strides do not "
               "allow "
               "it. One size may be -1.",
        .lowering = View{reshape_rule},
        .grad_name = "ViewBackward0",
        .samples = view_samples,
    },
    {
        .name = "flatten",
        .signature = "flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor",
        .torch = "flatten",
        .method = "flatten",
        .doc = "The dimensions from start_dim to end_dim made one.",
        .lowering = View{flatten_rule, true},
        .grad_name = "ViewBackward0",
        .samples = unary_samples,
    },
    {
        .name = "ravel",
        .signature = "ravel(input: Tensor) -> Tensor",
        .torch = "ravel",
        .method = "ravel",
        .doc = "All dimensions made one.",
        .lowering = View{ravel_rule, true},
        .grad_name = "ViewBackward0",
        .samples = unary_samples,
    },
    {
        .name = "unflatten",
        .signature = "unflatten(input: Tensor, dim: int, sizes: Size) -> Tensor",
        .torch = "unflatten",
        .method = "unflatten",
        .doc = "One dimension made several.",
        .lowering = View{unflatten_rule, true},
        .grad_name = "ViewBackward0",
        .samples = unflatten_samples,
    },
    {
        .name = "squeeze",
        .signature = "squeeze(input: Tensor, dim: Size | None = None) -> Tensor",
        .torch = "squeeze",
        .method = "squeeze",
        .doc = "A view without the dimensions of size 1, or without the given ones where they are.",
        .lowering = View{squeeze_rule},
        .grad_name = "SqueezeBackward0",
        .samples = unary_samples,
    },
    {
        .name = "unsqueeze",
        .signature = "unsqueeze(input: Tensor, dim: int) -> Tensor",
        .torch = "unsqueeze",
        .method = "unsqueeze",
        .doc = "A view with a new dimension of size 1.",
        .lowering = View{unsqueeze_rule},
        .grad_name = "UnsqueezeBackward0",
        .samples = new_dim_samples,
    },
    {
        .name = "expand",
        .signature = "expand(input: Tensor, *size: int) -> Tensor",
        .method = "expand",
        .doc =
            "A view in which dimensions of size 1, and new ones in front, repeat; -1 keeps a size.",
        .lowering = View{expand_rule},
        .grad_name = "ExpandBackward0",
        .samples = expand_samples,
    },
    {
        .name = "broadcast_to",
        .signature = "broadcast_to(input: Tensor, *size: int) -> Tensor",
        .torch = "broadcast_to",
        .method = "broadcast_to",
        .doc = "A view with the given sizes, by broadcasting.",
        .lowering = View{expand_rule},
        .grad_name = "ExpandBackward0",
        .samples = expand_samples,
    },
    {
        .name = "expand_as",
        .signature = "expand_as(input: Tensor, other: Tensor) -> Tensor",
        .method = "expand_as",
        .doc = "A view with the sizes of other, by broadcasting.",
        .lowering = View{expand_as_rule},
        .grad_name = "ExpandBackward0",
        .samples = same_shape_samples,
    },
    {
        .name = "view_as",
        .signature = "view_as(input: Tensor, other: Tensor) -> Tensor",
        .method = "view_as",
        .doc = "A view with the sizes of other.",
        .lowering = View{view_as_rule},
        .grad_name = "ViewBackward0",
        .samples = same_shape_samples,
    },
    {
        .name = "reshape_as",
        .signature = "reshape_as(input: Tensor, other: Tensor) -> Tensor",
        .method = "reshape_as",
        .doc = "The same elements with the sizes of other.",
        .lowering = View{view_as_rule, true},
        .grad_name = "ReshapeAliasBackward0",
        .samples = same_shape_samples,
    },
    {
        .name = "select",
        .signature = "select(input: Tensor, dim: int, index: int) -> Tensor",
        .torch = "select",
        .method = "select",
        .doc = "One position along a dimension, which goes: `x[index]`.",
        .lowering = View{select_rule},
        .grad_name = "SelectBackward0",
        .samples = select_samples,
    },
    {
        .name = "slice",
        .signature = "slice(input: Tensor, dim: int = 0, start: int | None = None, "
                     "end: int | None = None, step: int = 1) -> Tensor",
        .doc =
            "Positions start, start + step, ... below end along a dimension: `x[start:end:step]`.",
        .lowering = View{slice_rule},
        .grad_name = "SliceBackward0",
        .samples = slice_samples,
    },
    {
        .name = "narrow",
        .signature = "narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor",
        .torch = "narrow",
        .method = "narrow",
        .doc = "`length` positions from `start` on along a dimension.",
        .lowering = View{narrow_rule},
        .grad_name = "SliceBackward0",
        .samples = narrow_samples,
    },
    {
        .name = "diagonal",
        .signature =
            "diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor",
        .torch = "diagonal",
        .method = "diagonal",
        .doc = "A view of a diagonal of two dimensions, which becomes the last dimension.",
        .lowering = View{diagonal_rule},
        .grad_name = "DiagonalBackward0",
        .samples = matrix_samples,
    },
    {
        .name = "alias",
        .signature = "alias(input: Tensor) -> Tensor",
        .doc = "A new view of all elements: `x[:]`.",
        .lowering = View{alias_rule},
        .grad_name = "AliasBackward0",
        .samples = unary_samples,
    },
    {
        .name = "detach",
        .signature = "detach(input: Tensor) -> Tensor",
        .torch = "detach",
        .method = "detach",
        .doc = "The same elements, without a record for gradients.",
        .lowering = View{alias_rule},
        .samples = unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> view_entries() {
  return kEntries;
}

}  // namespace glint::ops
