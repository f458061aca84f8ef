#include "ir/view_map.h"

#include "core/support/check.h"

namespace glint {

ViewMap ViewMap::identity(std::vector<SymInt> sizes) {
  ViewMap map;
  for (uint32_t dim = 0; dim < sizes.size(); ++dim) map.base.push_back({0, {{dim, 1}}});
  map.sizes = std::move(sizes);
  return map;
}

ViewMap ViewMap::reshape(std::vector<SymInt> sizes) {
  ViewMap map;
  map.sizes = std::move(sizes);
  map.same_elements = true;
  return map;
}

namespace {

/// Also of an expression that is 1 in this call.
bool is_one(SymInt size) {
  return decide_equal(size, 1);
}

/// The strides of a reshape over strided memory, where there are any: the view's dimensions are
/// grouped with stretches of the base's dimensions that lie as one, and split within each. Where
/// sizes are symbols, whether a group fills a stretch is decided, and so becomes a relation.
std::optional<std::vector<SymInt>> reshape_strides(const TensorType& base,
                                                   const std::vector<SymInt>& sizes) {
  if (base.strides.empty()) return std::vector<SymInt>{};
  for (SymInt size : base.sizes)
    if (size.is(0)) return std::vector<SymInt>{};
  std::vector<SymInt> strides(sizes.size(), 1);
  size_t view_dim = sizes.size();
  SymInt base_count = 1;
  SymInt view_count = 1;
  SymInt step = base.rank() == 0 ? SymInt(1) : base.strides.back();
  for (size_t dim = base.rank(); dim-- > 0;) {
    base_count *= base.sizes[dim];
    bool ends_stretch = dim == 0 || (!is_one(base.sizes[dim - 1]) &&
                                     !decide_equal(base.strides[dim - 1], base_count * step));
    if (!ends_stretch) continue;
    bool filled = decide_equal(view_count, base_count);
    while (view_dim > 0 && (!filled || is_one(sizes[view_dim - 1]))) {
      --view_dim;
      strides[view_dim] = view_count * step;
      view_count *= sizes[view_dim];
      filled = filled || decide_equal(view_count, base_count);
      if (!filled && decide_less(base_count, view_count)) return std::nullopt;
    }
    if (!filled) return std::nullopt;
    if (dim > 0) {
      step = base.strides[dim - 1];
      base_count = 1;
      view_count = 1;
    }
  }
  if (view_dim != 0) return std::nullopt;
  return strides;
}

}  // namespace

std::optional<AppliedView> apply(const ViewMap& map, const TensorType& base) {
  AppliedView view;
  view.type = TensorType::tensor(base.dtype, map.sizes, base.device);
  if (map.same_elements) {
    auto strides = reshape_strides(base, map.sizes);
    if (!strides) return std::nullopt;
    view.type.strides = std::move(*strides);
    view.type.normalise();
    return view;
  }
  check(map.base.size() == base.rank(), "a view map has one index for each dimension of its base");
  std::vector<SymInt> base_strides = base.full_strides();
  std::vector<SymInt>& strides = view.type.strides;
  strides.assign(map.sizes.size(), 0);
  std::vector<bool> is_new(map.sizes.size(), true);
  for (size_t dim = 0; dim < base.rank(); ++dim) {
    view.offset += map.base[dim].constant * base_strides[dim];
    for (const ViewMap::Term& term : map.base[dim].terms) {
      strides[term.dim] += term.coefficient * base_strides[dim];
      is_new[term.dim] = false;
    }
  }
  // As in PyTorch, a new dimension of size 1 steps over all that lies within.
  for (size_t dim = strides.size(); dim-- > 0;) {
    if (!is_new[dim] || !map.sizes[dim].is(1)) continue;
    bool last = dim + 1 == strides.size();
    strides[dim] = last ? SymInt(1) : map.sizes[dim + 1] * strides[dim + 1];
  }
  view.type.normalise();
  return view;
}

}  // namespace glint
