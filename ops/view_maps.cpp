#include "ops/view_maps.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "ops/infer.h"
#include "ops/layout.h"

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

}  // namespace

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
    throw OpError{"RuntimeError",
                  fmt::format("{}() expects a tensor with <= 2 dimensions, but self is {}D",
                              signature(entry).name, base.rank())};
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

namespace {

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
  if (decide_equal(known, 0)) {
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

}  // namespace

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
  auto asked = as_ints(arguments[2]);
  bool open = std::ranges::any_of(asked, [](SymInt size) { return size.is(-1); });
  if (!open && !decide_equal(product(asked), base.sizes[dim]))
    throw OpError{"RuntimeError",
                  fmt::format("unflatten: Provided sizes {} don't multiply up to the size of dim "
                              "{} ({}) in the input tensor",
                              ints_text(asked), dim, base.sizes[dim].text())};
  auto inner = wanted_sizes(part, std::move(asked));
  std::vector<SymInt> sizes = base.sizes;
  sizes.erase(sizes.begin() + int64_t(dim));
  sizes.insert(sizes.begin() + int64_t(dim), inner.begin(), inner.end());
  return ViewMap::reshape(sizes);
}

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

SliceRange slice_range(const InferArgument& start, const InferArgument& end, SymInt step,
                       SymInt size) {
  SymInt first = clamped(start, size, 0);
  SymInt stop = clamped(end, size, size);
  if (decide_less(stop, first)) stop = first;
  return {first, ceil_divide(stop - first, step)};
}

ViewMap slice_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  if (base.rank() == 0) throw OpError{"IndexError", "slice() cannot be applied to a 0-dim tensor."};
  size_t dim = size_t(wrap_dim(as_constant(argument(entry, arguments, "dim")), base.rank()));
  SymInt step = as_int(argument(entry, arguments, "step"));
  if (!decide_less(0, step)) throw OpError{"ValueError", "step must be greater than zero"};
  SymInt size = base.sizes[dim];
  SliceRange range = slice_range(argument(entry, arguments, "start"),
                                 argument(entry, arguments, "end"), step, size);
  return strided(base, dim, range.start, range.length, step);
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

ViewMap unfold_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  size_t dim = size_t(wrap_dim(as_constant(arguments[1]), base.rank()));
  SymInt size = as_int(arguments[2]), step = as_int(arguments[3]);
  SymInt most = base.rank() == 0 ? SymInt(1) : base.sizes[dim];
  if (decide_less(size, 0))
    throw OpError{"RuntimeError", fmt::format("size is {} but must be >= 0", size.text())};
  if (decide_less(most, size))
    throw OpError{"RuntimeError",
                  fmt::format("maximum size for tensor at dimension {} is {} but size is {}", dim,
                              most.text(), size.text())};
  if (!decide_less(0, step))
    throw OpError{"RuntimeError", fmt::format("step is {} but must be > 0", step.text())};
  if (base.rank() == 0 && decide_equal(size, 1)) return ViewMap::reshape({1});
  ViewMap map = ViewMap::identity(base.sizes);
  map.sizes.push_back(size);
  if (base.rank() == 0) return map;
  map.sizes[dim] = floor_divide(most - size, step) + 1;
  map.base[dim].terms = {{uint32_t(dim), step}, {uint32_t(base.rank()), 1}};
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

}  // namespace glint::ops
