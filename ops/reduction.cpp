// Reductions: sums, products, extremes, truth, and where the extremes are.
//
//     x.sum(dim=1, keepdim=True)      [a, b, c] -> [a, 1, c]      dim=None reduces all
#include "ops/families.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// Over all elements: flattened, then along the one dimension.
template <const char* kName>
std::vector<OpValue> index_of_all(OpBuilder& b, OpArguments arguments) {
  if (!arguments[1].is_none()) return {};
  OpValue x = arguments[0].tensor();
  size_t rank = b.rank(x);
  for (SymInt size : b.sizes(x))
    if (size.is(0))
      throw OpError{"IndexError", std::string(kName) +
                                      "(): Expected reduction dim to be specified for "
                                      "input.numel() == 0."};
  OpValue index = b.call(kName, {b.call("flatten", {x}), 0});
  if (!as_bool(arguments[2]) || rank == 0) return {index};
  return {b.reshape(index, std::vector<SymInt>(rank, SymInt(1)))};
}
constexpr char kArgmaxName[] = "argmax";
constexpr char kArgminName[] = "argmin";

void check_not_empty(OpBuilder& b, const OpValue& x, const char* name) {
  for (SymInt size : b.sizes(x))
    if (size.is(0))
      throw OpError{"RuntimeError",
                    std::string(name) +
                        "(): Expected reduction dim to be specified for input.numel() == 0. "
                        "Specify the reduction dim with the 'dim' argument."};
}

/// max(x), max(x, dim) with indices, and max(x, y).
std::vector<OpValue> extreme(OpBuilder& b, OpArguments arguments, const char* reduce,
                             const char* index, const char* pairwise, const char* name) {
  OpValue x = arguments[0].tensor();
  if (arguments[1].is_value()) return {b.call(pairwise, {x, arguments[1]})};
  if (arguments[1].is_none()) {
    check_not_empty(b, x, name);
    return {b.call(reduce, {x})};
  }
  if (b.rank(x) > 0) {
    int64_t dim = wrap_dim(as_constant(arguments[1]), b.rank(x));
    if (b.sizes(x)[size_t(dim)].is(0))
      throw OpError{"IndexError", std::string(name) + "(): Expected reduction dim " +
                                      std::to_string(dim) + " to have non-zero size."};
  }
  return {b.call(reduce, {x, arguments[1], arguments[2]}),
          b.call(index, {x, arguments[1], arguments[2]})};
}

std::vector<OpValue> max_any(OpBuilder& b, OpArguments arguments) {
  return extreme(b, arguments, "amax", "argmax", "maximum", "max");
}
std::vector<OpValue> min_any(OpBuilder& b, OpArguments arguments) {
  return extreme(b, arguments, "amin", "argmin", "minimum", "min");
}

constexpr OpEntry kEntries[] = {
    {
        .name = "sum",
        .signature = "sum(input: Tensor, dim: Size | None = None, keepdim: bool = False, *, "
                     "dtype: dtype | None = None) -> Tensor",
        .torch = "sum",
        .method = "sum",
        .doc = "The sum over dimensions; integers and bool become int64.",
        .dtype_rule = DTypeRule::kIntegerToInt64,
        .lowering = Reduce{Combiner::kSum},
        .grad_name = "SumBackward0",
        .forms = Forms::kOut,
        .samples = reduction_samples,
    },
    {
        .name = "prod",
        .signature = "prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, "
                     "dtype: dtype | None = None) -> Tensor",
        .torch = "prod",
        .method = "prod",
        .doc = "The product over one dimension or all; integers and bool become int64.",
        .dtype_rule = DTypeRule::kIntegerToInt64,
        .lowering = Reduce{Combiner::kProduct},
        .grad_name = "ProdBackward0",
        .forms = Forms::kOut,
        .samples = reduction_samples,
    },
    {
        .name = "amax",
        .signature =
            "amax(input: Tensor, dim: Size | None = None, keepdim: bool = False) -> Tensor",
        .torch = "amax",
        .method = "amax",
        .doc = "The greatest element over dimensions; NaN if there is one.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Reduce{Combiner::kMaximum},
        .grad_name = "AmaxBackward0",
        .forms = Forms::kOut,
        .samples = reduction_samples,
    },
    {
        .name = "amin",
        .signature =
            "amin(input: Tensor, dim: Size | None = None, keepdim: bool = False) -> Tensor",
        .torch = "amin",
        .method = "amin",
        .doc = "The least element over dimensions; NaN if there is one.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Reduce{Combiner::kMinimum},
        .grad_name = "AminBackward0",
        .forms = Forms::kOut,
        .samples = reduction_samples,
    },
    {
        .name = "max",
        .signature =
            "max(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False) -> Tensor",
        .torch = "max",
        .method = "max",
        .doc = "The greatest element; with dim, a pair of the greatest values along it and their "
               "places; "
               "with a tensor, the greater of two elements.",
        .decomposition = max_any,
        .grad_name = "MaxBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = reduction_samples,
    },
    {
        .name = "min",
        .signature =
            "min(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False) -> Tensor",
        .torch = "min",
        .method = "min",
        .doc = "The least element; with dim, a pair of the least values along it and their places; "
               "with a "
               "tensor, the less of two elements.",
        .decomposition = min_any,
        .grad_name = "MinBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = reduction_samples,
    },
    {
        .name = "any",
        .signature = "any(input: Tensor, dim: Size | None = None, keepdim: bool = False) -> Tensor",
        .torch = "any",
        .method = "any",
        .doc = "Whether an element is nonzero, over dimensions.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Reduce{Combiner::kAny},
        .samples = reduction_samples,
    },
    {
        .name = "all",
        .signature = "all(input: Tensor, dim: Size | None = None, keepdim: bool = False) -> Tensor",
        .torch = "all",
        .method = "all",
        .doc = "Whether all elements are nonzero, over dimensions.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Reduce{Combiner::kAll},
        .samples = reduction_samples,
    },
    {
        .name = "argmax",
        .signature =
            "argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor",
        .torch = "argmax",
        .method = "argmax",
        .doc = "The place of the greatest element along a dimension, or among all in row-major "
               "order: the "
               "first of equals, the first NaN if there is one.",
        .dtype_rule = DTypeRule::kIndex,
        .lowering = Reduce{Combiner::kArgmax},
        .decomposition = index_of_all<kArgmaxName>,
        .samples = reduction_samples,
    },
    {
        .name = "argmin",
        .signature =
            "argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor",
        .torch = "argmin",
        .method = "argmin",
        .doc = "The place of the least element along a dimension, or among all in row-major order: "
               "the "
               "first of equals, the first NaN if there is one.",
        .dtype_rule = DTypeRule::kIndex,
        .lowering = Reduce{Combiner::kArgmin},
        .decomposition = index_of_all<kArgminName>,
        .samples = reduction_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> reduction_entries() {
  return kEntries;
}

}  // namespace glint::ops
