// Views: operators that rearrange sizes and strides and share the memory of their input.
//
//     x.transpose(0, 1)      base[0] = 1*d1, base[1] = 1*d0
//
// Each gives a ViewMap (view_maps.h) from the input's type and its arguments. The eager view, the
// inferred strides and the index arithmetic of fused kernels all follow from that map. The gradient
// of a view is the view undone: the same elements at their places in the input, zeros elsewhere.
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/samples.h"
#include "ops/view_maps.h"

namespace glint::ops {

namespace {

OpValue in_old_sizes(GradientCall& g) {
  return g.b.reshape(g.out(), g.sizes("input"));
}

OpValue permute_gradient(GradientCall& g) {
  auto dims = as_ints(g["dims"]);
  std::vector<SymInt> back(dims.size());
  for (size_t i = 0; i < dims.size(); ++i)
    back[size_t(wrap_dim(dims[i].constant(), dims.size()))] = int64_t(i);
  return g.b.permute(g.out(), back);
}

OpValue narrow_gradient(GradientCall& g) {
  SymInt start = as_int(g["start"]);
  if (decide_less(start, 0)) start += g.sizes("input")[size_t(g.dim("dim"))];
  return g.b.call("slice_scatter", {g.base_of_zeros("input"), g.out(), g["dim"], start,
                                    start + as_int(g["length"])});
}

/// An element that lies in several windows gets the sum of their gradients.
OpValue unfold_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  auto sizes = g.sizes("input");
  SymInt size = as_int(g["size"]), step = as_int(g["step"]);
  if (sizes.empty()) return b.reshape(b.call("sum", {g.out()}), {});
  int64_t dim = g.dim("dimension");
  SymInt windows = b.sizes(g.out())[size_t(dim)], places = windows * size;
  OpValue starts = b.unsqueeze(b.call("arange_sized", {windows, 0, step}), 1);
  OpValue index = b.reshape(b.add(starts, b.call("arange_sized", {size})), {places});
  OpValue beside = b.call("movedim", {g.out(), -1, dim + 1});
  sizes[size_t(dim)] = places;
  return b.call("index_add",
                {g.base_of_zeros("input"), dim, index, b.reshape(std::move(beside), sizes)});
}

const char* squeeze_name(Arguments arguments) {
  if (arguments.size() < 2 || arguments[1].is_none()) return "SqueezeBackward0";
  return arguments[1].is_list() ? "SqueezeBackward2" : "SqueezeBackward1";
}

constexpr OpEntry kEntries[] = {
    {
        .name = "permute",
        .signature = "permute(input: Tensor, *dims: int) -> Tensor",
        .torch = "permute",
        .method = "permute",
        .doc = "A view with the dimensions in another order.",
        .lowering = View{permute_rule},
        .gradients = {{"input", "", permute_gradient}},
        .grad_name = "PermuteBackward0",
        .samples = permute_samples,
    },
    {
        .name = "transpose",
        .signature = "transpose(input: Tensor, dim0: int, dim1: int) -> Tensor",
        .torch = "transpose swapaxes swapdims",
        .method = "transpose swapaxes swapdims",
        .doc = "A view with two dimensions exchanged.",
        .lowering = View{.rule = transpose_rule, .back = WayBack::kSame},
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return g.b.call("transpose", {g.out(), g["dim0"], g["dim1"]});
                       }}},
        .grad_name = "TransposeBackward0",
        .samples = two_dim_samples,
    },
    {
        .name = "t",
        .signature = "t(input: Tensor) -> Tensor",
        .torch = "t",
        .method = "t",
        .doc = "A matrix transposed; fewer dimensions stay as they are.",
        .lowering = View{.rule = t_rule, .back = WayBack::kSame},
        .gradients = {{"input", "", [](GradientCall& g) { return g.b.call("t", {g.out()}); }}},
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
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return g.b.call("movedim", {g.out(), g["destination"], g["source"]});
                       }}},
        .grad_name = "PermuteBackward0",
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
        .lowering = View{.rule = reshape_rule, .may_copy = true, .back = WayBack::kReshape},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name = "ViewBackward0",
        .samples = reshape_samples,
    },
    {
        .name = "view",
        .signature = "view(input: Tensor, *size: int) -> Tensor",
        .method = "view",
        .doc = "The same elements with other sizes, sharing memory; refused where strides do not "
               "allow "
               "it. One size may be -1.",
        .lowering = View{.rule = reshape_rule, .back = WayBack::kReshape},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name = "ViewBackward0",
        .samples = view_samples,
    },
    {
        .name = "unsafe_view",
        .signature = "_unsafe_view(input: Tensor, *size: int) -> Tensor",
        .doc = "`view` of a tensor that nothing else reads: the last step of products.",
        .lowering = View{reshape_rule, true},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name = "UnsafeViewBackward0",
        .samples = reshape_samples,
    },
    {
        .name = "flatten",
        .signature = "flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor",
        .torch = "flatten",
        .method = "flatten",
        .doc = "The dimensions from start_dim to end_dim made one.",
        .lowering = View{.rule = flatten_rule, .may_copy = true, .back = WayBack::kReshape},
        .gradients = {{"input", "", in_old_sizes}},
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
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name = "ViewBackward0",
        .samples = unary_samples,
    },
    {
        .name = "unflatten",
        .signature = "unflatten(input: Tensor, dim: int, sizes: Size) -> Tensor",
        .torch = "unflatten",
        .method = "unflatten",
        .doc = "One dimension made several.",
        .lowering = View{.rule = unflatten_rule, .may_copy = true, .back = WayBack::kReshape},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name = "ViewBackward0",
        .samples = unflatten_samples,
    },
    {
        .name = "squeeze",
        .signature = "squeeze(input: Tensor, dim: Size | None = None) -> Tensor",
        .torch = "squeeze",
        .method = "squeeze",
        .doc = "A view without the dimensions of size 1, or without the given ones where they are.",
        .lowering = View{.rule = squeeze_rule, .back = WayBack::kReshape},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name_of = squeeze_name,
        .samples = unary_samples,
    },
    {
        .name = "squeeze_last",
        .signature = "_squeeze_last(input: Tensor, dim: int) -> Tensor",
        .torch = "_squeeze_last",
        .doc = "squeeze, as the last step of a function that makes its result so: the product of a "
               "vector and a matrix, quantile.",
        .lowering = View{.rule = squeeze_rule, .back = WayBack::kReshape},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name = "SqueezeBackward4",
        .samples = new_dim_samples,
    },
    {
        .name = "unsqueeze",
        .signature = "unsqueeze(input: Tensor, dim: int) -> Tensor",
        .torch = "unsqueeze",
        .method = "unsqueeze",
        .doc = "A view with a new dimension of size 1.",
        .lowering = View{.rule = unsqueeze_rule, .back = WayBack::kReshape},
        .gradients = {{"input", "", in_old_sizes}},
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
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }}},
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
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name = "ExpandBackward0",
        .samples = expand_samples,
    },
    {
        .name = "expand_as",
        .signature = "expand_as(input: Tensor, other: Tensor) -> Tensor",
        .method = "expand_as",
        .doc = "A view with the sizes of other, by broadcasting.",
        .lowering = View{expand_as_rule},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name = "ExpandBackward0",
        .samples = same_shape_samples,
    },
    {
        .name = "view_as",
        .signature = "view_as(input: Tensor, other: Tensor) -> Tensor",
        .method = "view_as",
        .doc = "A view with the sizes of other.",
        .lowering = View{view_as_rule},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name = "ViewBackward0",
        .samples = same_shape_samples,
    },
    {
        .name = "reshape_as",
        .signature = "reshape_as(input: Tensor, other: Tensor) -> Tensor",
        .method = "reshape_as",
        .doc = "The same elements with the sizes of other.",
        .lowering = View{view_as_rule, true},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name = "ViewBackward0",
        .samples = same_shape_samples,
    },
    {
        .name = "select",
        .signature = "select(input: Tensor, dim: int, index: int) -> Tensor",
        .torch = "select",
        .method = "select",
        .doc = "One position along a dimension, which goes: `x[index]`.",
        .lowering =
            View{.rule = select_rule, .back = WayBack::kScatter, .scatter = "select_scatter"},
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return g.b.call("select_scatter",
                                         {g.base_of_zeros("input"), g.out(), g["dim"], g["index"]});
                       }}},
        .grad_name = "SelectBackward0",
        .samples = select_samples,
    },
    {
        .name = "slice",
        .signature = "slice(input: Tensor, dim: int = 0, start: int | None = None, "
                     "end: int | None = None, step: int = 1) -> Tensor",
        .doc =
            "Positions start, start + step, ... below end along a dimension: `x[start:end:step]`.",
        .lowering = View{.rule = slice_rule, .back = WayBack::kScatter, .scatter = "slice_scatter"},
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return g.b.call("slice_scatter",
                                         {g.base_of_zeros("input"), g.out(), g["dim"], g["start"],
                                          g["end"], g["step"]});
                       }}},
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
        .gradients = {{"input", "", narrow_gradient}},
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
        .lowering =
            View{.rule = diagonal_rule, .back = WayBack::kScatter, .scatter = "diagonal_scatter"},
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return g.b.call("diagonal_scatter", {g.base_of_zeros("input"), g.out(),
                                                              g["offset"], g["dim1"], g["dim2"]});
                       }}},
        .grad_name = "DiagonalBackward0",
        .samples = matrix_samples,
    },
    {
        .name = "unfold",
        .signature = "unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor",
        .method = "unfold",
        .doc = "A view of the windows of `size` positions, one each `step`, along a dimension; the "
               "last dimension goes along a window.",
        .lowering = View{unfold_rule},
        .gradients = {{"input", "", unfold_gradient}},
        .grad_name = "UnfoldBackward0",
        .samples = unfold_samples,
    },
    {
        .name = "alias",
        .signature = "alias(input: Tensor) -> Tensor",
        .doc = "A new view of all elements: `x[:]`.",
        .lowering = View{.rule = alias_rule, .back = WayBack::kReshape},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name = "AliasBackward0",
        .samples = unary_samples,
    },
    {
        .name = "detach",
        .signature = "detach(input: Tensor) -> Tensor",
        .torch = "detach",
        .method = "detach",
        .doc = "The same elements, without a record for gradients.",
        .lowering = View{.rule = alias_rule, .back = WayBack::kItself},
        .differentiable = false,
        .samples = unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> view_entries() {
  return kEntries;
}

}  // namespace glint::ops
