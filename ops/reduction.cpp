// Reductions: sums, products, extremes, truth, and where the extremes are.
//
//     x.sum(dim=1, keepdim=True)      [a, b, c] -> [a, 1, c]      dim=None reduces all
#include <limits>
#include <string>

#include "ops/families.h"
#include "ops/gradient.h"
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
    if (decide_equal(size, 0))
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
    if (decide_equal(size, 0))
      throw OpError{"RuntimeError",
                    std::string(name) +
                        "(): Expected reduction dim to be specified for input.numel() == 0. "
                        "Specify the reduction dim with the 'dim' argument."};
}

/// max(x), max(x, dim) with indices, and max(x, y).
std::vector<OpValue> extreme(OpBuilder& b, OpArguments arguments, const char* whole,
                             const char* along, const char* pairwise, const char* name) {
  OpValue x = arguments[0].tensor();
  if (arguments[1].is_value()) return {b.call(pairwise, {x, arguments[1]})};
  if (arguments[1].is_none()) {
    check_not_empty(b, x, name);
    return {b.call(whole, {x})};
  }
  if (b.rank(x) > 0) {
    int64_t dim = wrap_dim(as_constant(arguments[1]), b.rank(x));
    if (decide_equal(b.sizes(x)[size_t(dim)], 0))
      throw OpError{"IndexError", std::string(name) + "(): Expected reduction dim " +
                                      std::to_string(dim) + " to have non-zero size."};
  }
  return b.call_all(along, {x, arguments[1], arguments[2]}, {});
}

std::vector<OpValue> max_any(OpBuilder& b, OpArguments arguments) {
  return extreme(b, arguments, "max_all", "max_along", "maximum", "max");
}
std::vector<OpValue> min_any(OpBuilder& b, OpArguments arguments) {
  return extreme(b, arguments, "min_all", "min_along", "minimum", "min");
}

/// The greatest or least along a dimension, and its place; over all elements, the value alone.
template <const char* kReduce, const char* kIndex>
std::vector<OpValue> extreme_along(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (is_bool(b.dtype(x))) x = b.to(x, DType::kUInt8);  // argmax itself takes none
  return {b.call(kReduce, {arguments[0], arguments[1], arguments[2]}),
          b.call(kIndex, {x, arguments[1], arguments[2]})};
}
template <const char* kReduce>
std::vector<OpValue> extreme_of_all(OpBuilder& b, OpArguments arguments) {
  return {b.call(kReduce, {arguments[0]})};
}
constexpr char kAmaxName[] = "amax";
constexpr char kAminName[] = "amin";

/// The element at a place of the order; NaN, which stands last, where there is one.
std::vector<OpValue> median_of_all(OpBuilder& b, OpArguments arguments) {
  OpValue flat = b.call("flatten", {arguments[0]});
  OpValue ordered = b.call_all("sort", {flat, 0}, {})[0];
  OpValue middle = b.call("select", {ordered, 0, arguments[1]});
  if (!is_floating(b.dtype(flat))) return {middle};
  OpValue last = b.call("select", {ordered, 0, -1});
  return {b.where(b.call("isnan", {last}), last, middle)};
}

/// The same along a dimension, and where it is: of NaN, the first place.
std::vector<OpValue> median_along(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (b.rank(x) == 0) return {b.call("copy", {x}), b.full({}, 0, DType::kInt64)};
  const OpArgument &dim = arguments[1], &place = arguments[3];
  auto sorted = b.call_all("sort", {x, dim, false, true}, {});
  OpValue value = b.call("narrow", {sorted[0], dim, place, 1});
  OpValue index = b.call("narrow", {sorted[1], dim, place, 1});
  if (is_floating(b.dtype(x))) {
    OpValue missing = b.to(b.call("isnan", {x}), DType::kInt64);
    OpValue any = b.greater(b.call("amax", {missing, dim, true}), 0);
    value = b.where(any, std::numeric_limits<double>::quiet_NaN(), value);
    index = b.where(any, b.call("argmax", {missing, dim, true}), index);
  }
  if (as_bool(arguments[2])) return {value, index};
  return {b.call("squeeze", {value, dim}), b.call("squeeze", {index, dim})};
}

/// Both of one call.
std::vector<OpValue> aminmax(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (arguments[1].is_none() && decide_equal(product(b.sizes(x)), 0))
    throw OpError{"RuntimeError",
                  "aminmax(): cannot compute aminmax over an empty dimension as the operation has "
                  "no identity."};
  if (!arguments[1].is_none() && b.rank(x) > 0) {
    int64_t dim = wrap_dim(as_constant(arguments[1]), b.rank(x));
    if (decide_equal(b.sizes(x)[size_t(dim)], 0))
      throw OpError{"IndexError", "aminmax: Expected reduction dim " + std::to_string(dim) +
                                      " to have non-zero size."};
  }
  return {b.call("amin", std::vector<OpArgument>(arguments.begin(), arguments.end())),
          b.call("amax", std::vector<OpArgument>(arguments.begin(), arguments.end()))};
}

std::vector<OpValue> trace(OpBuilder& b, OpArguments arguments) {
  if (size_t rank = b.rank(arguments[0].tensor()); rank != 2)
    throw OpError{"RuntimeError",
                  "trace: expected a matrix, but got tensor with dim " + std::to_string(rank)};
  if (is_bool(b.dtype(arguments[0].tensor())))
    throw OpError{"NotImplementedError", "\"trace\" not implemented for 'Bool'"};
  return {b.call("sum", {b.call("diagonal", {arguments[0]})})};
}

// ---- gradients ---------------------------------------------------------------------------------

/// Elements that equal the result share its gradient evenly.
OpValue shared_evenly(GradientCall& g, size_t result) {
  OpValue chosen = g.b.equal(g["input"], g.keep_dims(g.result(result)));
  OpValue count = g.b.sum(chosen, g.reduced_dims("dim"), true);
  return g.b.divide(g.b.multiply(g.keep_dims(g.out(result)), chosen), count);
}
OpValue shared_evenly(GradientCall& g) {
  return shared_evenly(g, 0);
}
OpValue aminmax_gradient(GradientCall& g) {
  if (!g.has_out(0) || !g.has_out(1)) return shared_evenly(g, g.has_out(0) ? 0 : 1);
  return g.b.add(shared_evenly(g, 0), shared_evenly(g, 1));
}
OpValue shared_evenly_by_all(GradientCall& g) {
  // Where there is a NaN, it is the result.
  OpValue chosen =
      g.b.call("logical_or", {g.b.equal(g["input"], g.result()), g.b.call("isnan", {g["input"]})});
  OpValue share = g.b.divide(g.out(), g.b.call("sum", {chosen}));
  return g.b.where(chosen, share, 0);
}

/// The gradient goes to the place of the chosen element.
OpValue to_chosen(GradientCall& g) {
  return g.b.call("scatter", {g.base_of_zeros("input"), g.dim("dim"), g.keep_dims(g.result(1)),
                              g.keep_dims(g.out())});
}

OpValue trace_gradient(GradientCall& g) {
  OpValue zeros = g.base_of_zeros("input");
  OpValue diagonal = g.b.call("diagonal", {zeros});
  return g.b.call("diagonal_scatter", {zeros, g.b.expand(g.out(), g.b.sizes(diagonal))});
}

/// The product of the other factors: result / x; of a single zero, what the product is without it;
/// of one of two, that times the other zero, on which it depends.
OpValue product_factors(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue x = g.tensor("input");
  if (const DType* dtype = g["dtype"].get_if<DType>()) x = b.to(x, *dtype);
  std::vector<SymInt> dims = g.reduced_dims("dim");
  OpArgument dim = g.is_none("dim") ? OpArgument() : OpArgument(g.dim("dim"));
  OpValue zero = b.equal(x, 0);
  OpValue divisors = b.where(zero, 1, x);
  OpValue without = g.keep_dims(b.call("prod", {divisors, dim}));
  OpValue zeros = b.sum(zero, dims, true);
  OpValue other_zero = b.subtract(b.sum(b.where(zero, x, 0), dims, true), x);
  OpValue at_two = b.where(b.equal(zeros, 2), b.multiply(other_zero, without), 0);
  OpValue at_zero = b.where(b.equal(zeros, 1), without, at_two);
  OpValue others = b.where(zero, at_zero, b.divide(g.keep_dims(g.result()), divisors));
  return b.multiply(g.keep_dims(g.out()), others);
}

const char* sum_name(Arguments arguments) {
  return arguments.size() < 2 || arguments[1].is_none() ? "SumBackward0" : "SumBackward1";
}
const char* prod_name(Arguments arguments) {
  return arguments.size() < 2 || arguments[1].is_none() ? "ProdBackward0" : "ProdBackward1";
}

std::vector<Sample> median_all_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 5}), 7}},
          {{sample_tensor({4}), 1}},
          {{sample_tensor({1, 1}), 0}},
          {{sample_tensor({}), 0}}};
}
std::vector<Sample> median_along_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 5}), 1, false, 2}},
          {{sample_tensor({3, 5}), 0, true, 1}},
          {{sample_tensor({2, 4, 3}), -1, false, 1}},
          {{sample_tensor({1, 3}), 0, true, 0}},
          {{sample_tensor({}), 0, false, 0}}};
}
std::vector<Sample> trace_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 5})}}, {{sample_tensor({4, 4}, DType::kFloat64)}}};
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
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return g.b.expand(g.keep_dims(g.out()), g.sizes("input"));
                       }}},
        .grad_name_of = sum_name,
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
        .gradients = {{"input", "input result", product_factors}},
        .grad_name_of = prod_name,
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
        .gradients = {{"input", "input result", shared_evenly}},
        .grad_name = "AmaxBackward0",
        .forms = Forms::kOut,
        .output_dtype = {"Expected the dtype for input and out to match, but got {0} for input's "
                         "dtype and {1} for out's dtype.",
                         true},
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
        .gradients = {{"input", "input result", shared_evenly}},
        .grad_name = "AminBackward0",
        .forms = Forms::kOut,
        .output_dtype = {"Expected the dtype for input and out to match, but got {0} for input's "
                         "dtype and {1} for out's dtype.",
                         true},
        .samples = reduction_samples,
    },
    {
        .name = "aminmax",
        .signature =
            "aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Tensors",
        .torch = "aminmax",
        .method = "aminmax",
        .doc = "The least and the greatest element.",
        .decomposition = aminmax,
        .gradients = {{"input", "input min max", aminmax_gradient}},
        .grad_name = "AminmaxBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "min max",
        .samples = along_samples,
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
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = reduction_samples,
    },
    {
        .name = "median_all",
        .signature = "median(input: Tensor, place: int) -> Tensor",
        .torch = "_median_all",
        .doc = "`median` without a dimension, at its place in the order of all elements.",
        .decomposition = median_of_all,
        .gradients = {{"input", "input result", shared_evenly_by_all}},
        .samples = median_all_samples,
    },
    {
        .name = "median_along",
        .signature = "median(input: Tensor, dim: int, keepdim: bool, place: int) -> Tensor",
        .torch = "_median_along",
        .doc = "`median` along a dimension, at its place in the order there.",
        .decomposition = median_along,
        .gradients = {{"input", "indices", to_chosen}},
        .grad_name = "MedianBackward1",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = median_along_samples,
    },
    {
        .name = "trace",
        .signature = "trace(input: Tensor) -> Tensor",
        .torch = "trace",
        .method = "trace",
        .doc = "The sum of the diagonal.",
        .decomposition = trace,
        .gradients = {{"input", "", trace_gradient}},
        .samples = trace_samples,
    },
    {
        .name = "max_all",
        .signature = "max(input: Tensor) -> Tensor",
        .doc = "The greatest of all elements: `max` without a dimension.",
        .decomposition = extreme_of_all<kAmaxName>,
        .gradients = {{"input", "input result", shared_evenly_by_all}},
        .grad_name = "MaxBackward1",
        .samples = unary_samples,
    },
    {
        .name = "max_along",
        .signature = "max(input: Tensor, dim: int, keepdim: bool = False) -> Tensor",
        .doc = "The greatest elements along a dimension and their places: `max` with one.",
        .decomposition = extreme_along<kAmaxName, kArgmaxName>,
        .gradients = {{"input", "indices", to_chosen}},
        .grad_name = "MaxBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = along_samples,
    },
    {
        .name = "min_all",
        .signature = "min(input: Tensor) -> Tensor",
        .doc = "The least of all elements: `min` without a dimension.",
        .decomposition = extreme_of_all<kAminName>,
        .gradients = {{"input", "input result", shared_evenly_by_all}},
        .grad_name = "MinBackward1",
        .samples = unary_samples,
    },
    {
        .name = "min_along",
        .signature = "min(input: Tensor, dim: int, keepdim: bool = False) -> Tensor",
        .doc = "The least elements along a dimension and their places: `min` with one.",
        .decomposition = extreme_along<kAminName, kArgminName>,
        .gradients = {{"input", "indices", to_chosen}},
        .grad_name = "MinBackward0",
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = along_samples,
    },
    {
        .name = "any",
        .signature = "any(input: Tensor, dim: Size | None = None, keepdim: bool = False) -> Tensor",
        .torch = "any",
        .method = "any",
        .doc = "Whether an element is nonzero, over dimensions.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Reduce{Combiner::kAny},
        .forms = Forms::kOut,
        .output_dtype = {"any only supports bool tensor for result, got: {1}", true},
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
        .forms = Forms::kOut,
        .output_dtype = {"all only supports bool tensor for result, got: {1}", true},
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
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
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
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
        .samples = reduction_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> reduction_entries() {
  return kEntries;
}

}  // namespace glint::ops
