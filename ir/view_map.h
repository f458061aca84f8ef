// `ViewMap`: what a view operator does, as data. For each dimension of the base, which of its
// elements a position in the view reads: an affine expression in the view's indices.
//
//     transpose of f32[a, b]      sizes [b, a]       base[0] = 1*d1, base[1] = 1*d0
//     x[2:, ::3] of f32[a, b]     sizes [a-2, ...]   base[0] = 1*d0 + 2, base[1] = 3*d1
//     unsqueeze(0), expand(n)     sizes [n, a]       base[0] = 1*d1
//     select(0, k)                sizes [b]          base[0] = k, base[1] = 1*d0
//     flatten, view, reshape      `same_elements`: the same elements in row-major order
//
// From it follow the view's strides and offset over a strided base (`apply`) and, when the base is
// computed in the same kernel, the indices at which to compute it (passes/lower).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/symbolic.h"
#include "ir/tensor_type.h"

namespace glint {

struct ViewMap {
  struct Term {
    uint32_t dim;  ///< of the view
    SymInt coefficient;
  };
  struct BaseIndex {
    SymInt constant = 0;
    std::vector<Term> terms;
  };

  std::vector<SymInt> sizes;    ///< of the view
  bool same_elements = false;   ///< a reshape; `base` is empty
  std::vector<BaseIndex> base;  ///< one a dimension of the base

  /// The identity on these sizes: `base[k] = d_k`.
  static ViewMap identity(std::vector<SymInt> sizes);
  static ViewMap reshape(std::vector<SymInt> sizes);
};

/// A tensor seen through a view: its type and how many elements from the base's first it begins.
struct AppliedView {
  TensorType type;
  SymInt offset = 0;
};

/// Lays the view over its base. Nothing if a reshape does not fit the base's strides, so that it
/// has to copy.
std::optional<AppliedView> apply(const ViewMap& map, const TensorType& base);

}  // namespace glint
