// What goes to one place by index, as one number: its sum, product, mean, greatest or least.
//
//     scatter_reduce(x, 0, [1, 1], y, "amax")     x with the greatest of x[1], y[0], y[1] in row 1
//     index_reduce(x, 0, [1, 1], y, "mean")       the same of rows of y, here their mean with x[1]
//
// Both are composites: where what is there does not count (`include_self=False`) the number that
// changes nothing is put first, then everything meets in one write by index; a mean is the sum over
// a count that is made in the same way. `index_reduce` is `scatter_reduce` with a vector that says
// the same for a whole slice. Their gradients are written once, for both.
#include <limits>

#include <fmt/format.h>

#include "ops/builders.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/indexing.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// Where elements go, and what becomes of those that meet there.
struct Reduction {
  OpBuilder& b;
  int64_t dim;
  OpValue index;  ///< of the source's sizes
  std::string how;
  bool include_self;
  bool in_float32 = false;  ///< narrow floats meet there, and are rounded once, as in PyTorch

  OpValue put(const char* step, OpArgument x, OpArgument given) const {
    return b.call(step, {std::move(x), dim, index, std::move(given)});
  }
  /// The same of a step that computes with what is there.
  OpValue combine(const char* step, const OpValue& x, const OpValue& given) const {
    const DType dtype = b.dtype(x);
    if (!in_float32 || !is_floating(dtype) || dtype_size(dtype) != 2) return put(step, x, given);
    return b.to(put(step, b.to(x, DType::kFloat32), b.to(given, DType::kFloat32)), dtype);
  }
  OpValue taken(OpArgument from) const { return b.call("gather", {std::move(from), dim, index}); }
};

/// The number that changes nothing.
OpArgument neutral(const std::string& how, DType dtype) {
  if (how == "prod") return int64_t{1};
  if (how != "amax" && how != "amin") return int64_t{0};
  const bool greatest = how == "amax";
  return visit_dtype(dtype, [&]<class T>() -> OpArgument {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_integral_v<T>)
      return int64_t(greatest ? Limits::min() : Limits::max());
    else
      return greatest ? -std::numeric_limits<double>::infinity()
                      : std::numeric_limits<double>::infinity();
  });
}

const char* step_of(const std::string& how) {
  if (how == "prod") return "scatter_multiply";
  if (how == "amax") return "scatter_greatest";
  return how == "amin" ? "scatter_least" : "scatter_add";
}

OpValue without_zeros(OpBuilder& b, const OpValue& x) {
  return b.where(b.equal(x, 0), 1, x);
}

/// How many elements make each of the result's; 1 where there is none. A small integer wraps.
OpValue counts(const Reduction& r, const OpValue& x, const OpValue& source) {
  const DType dtype = r.b.dtype(x);
  OpValue start = r.b.expand(r.b.full({}, r.include_self ? 1 : 0, dtype), r.b.sizes(x));
  OpValue ones = r.b.expand(r.b.full({}, 1, dtype), r.b.sizes(source));
  OpValue many = r.combine("scatter_add", start, ones);
  return is_floating(dtype) ? r.b.call("clamp_min", {many, 1}) : without_zeros(r.b, many);
}

OpValue reduced(const Reduction& r, OpValue x, const OpValue& source) {
  const DType dtype = r.b.dtype(x);
  OpValue start = r.include_self ? x : r.put("scatter", x, neutral(r.how, dtype));
  OpValue result = r.combine(step_of(r.how), start, source);
  if (r.how != "mean") return result;
  return r.b.call(is_floating(dtype) ? "divide" : "floor_divide", {result, counts(r, x, source)});
}

// ---- scatter_reduce and index_reduce -----------------------------------------------------------

/// `scatter_reduce` knows two of them by other names.
std::string way(const OpArgument& reduce) {
  const std::string& name = *reduce.get_if<std::string>();
  return name == "max" || name == "min" ? "a" + name : name;
}

std::vector<OpValue> scatter_reduce(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  const std::string how = way(arguments[4]);
  if (how != "sum" && how != "prod" && how != "mean" && how != "amax" && how != "amin")
    throw OpError{
        "RuntimeError",
        fmt::format("reduce argument must be either sum, prod, mean, amax or amin, got {}", how)};
  if (how == "mean" && is_bool(b.dtype(x)))
    throw OpError{"NotImplementedError",
                  "\"scatter_gather_tensor_cpu_reduce_mean\" not implemented for 'Bool'"};
  const int64_t dim = wrap_dim(as_constant(arguments[1]), b.sizes(x).size());
  const Reduction r{b, dim, arguments[2].tensor(), how, as_bool(arguments[5]), true};
  return {reduced(r, x, arguments[3].tensor())};
}

/// A vector that names slices as an index of the source's sizes.
OpValue spread(OpBuilder& b, int64_t dim, const OpValue& index, const std::vector<SymInt>& sizes) {
  if (sizes.empty()) return b.reshape(index, {});
  std::vector<SymInt> along(sizes.size(), SymInt(1));
  along[size_t(dim)] = sizes[size_t(dim)];
  return b.expand(b.reshape(index, along), sizes);
}

/// Truths have kernels for slices of several, into what is there.
void check_truths(OpBuilder& b, const OpValue& x, const std::string& how, bool include_self) {
  if (!is_bool(b.dtype(x))) return;
  const char* missing = how == "mean" ? "div_floor_cpu" : nullptr;
  if (b.rank(x) <= 1) missing = "index_func_";
  if (!include_self) missing = "index_reduce_func_exclude_input_init";
  if (missing)
    throw OpError{"NotImplementedError", fmt::format("\"{}\" not implemented for 'Bool'", missing)};
}

void check_way(const std::string& how) {
  if (how != "prod" && how != "mean" && how != "amax" && how != "amin")
    throw OpError{"RuntimeError",
                  fmt::format("index_reduce(): Expected reduce to be one of prod, mean, amax or "
                              "amin but got {}.",
                              how)};
}

std::vector<OpValue> index_reduce(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), source = arguments[3].tensor();
  const std::string how = *arguments[4].get_if<std::string>();
  const int64_t dim = wrap_dim(as_constant(arguments[1]), b.sizes(x).size());
  check_way(how);
  check_slices(b, "index_reduce_", arguments);
  check_truths(b, x, how, as_bool(arguments[5]));
  OpValue index = spread(b, dim, arguments[2].tensor(), b.sizes(source));
  const Reduction r{b, dim, index, how, as_bool(arguments[5])};
  return {reduced(r, x, source)};
}

/// Where what is there does not count, PyTorch fills it first, which takes places from the end.
OpError refuse_to_reduce(int64_t, int64_t dim, Arguments arguments) {
  OpError by_the_reduction{"IndexError", "index out of range in self"};
  const Tensor& input = arguments[0].tensor();
  if (as_bool(arguments[5]) || input.numel() == 0) return by_the_reduction;
  const int64_t limit = input.rank() == 0 ? 1 : input.size(dim);
  Tensor places = contiguous(convert(arguments[2].tensor(), DType::kInt64));
  for (int64_t value : std::span<const int64_t>(places.data<int64_t>(), size_t(places.numel())))
    if (value < -limit || value >= limit) return {"IndexError", out_of_bounds(value, dim, input)};
  return by_the_reduction;
}

// ---- gradients ---------------------------------------------------------------------------------

/// What a rule is given, of either operator.
struct Given {
  Reduction r;
  OpValue x, source, result, gradient;
};

Given given(GradientCall& g, const char* source) {
  OpValue index = g.tensor("index"), from = g.tensor(source);
  const int64_t dim = g.dim("dim");
  const bool of_slices = std::string_view(source) == "source";
  if (of_slices) index = spread(g.b, dim, index, g.b.sizes(from));
  return {{g.b, dim, index, way(g["reduce"]), as_bool(g["include_self"]), !of_slices},
          g.tensor("input"),
          from,
          g.result(),
          g.out()};
}

/// The same as a call, which has a gradient of its own.
OpValue reduced_again(const Given& at, OpValue x, OpValue source) {
  const Reduction& r = at.r;
  return r.b.call("scatter_reduce",
                  {std::move(x), r.dim, r.index, std::move(source), r.how, r.include_self});
}

/// Of extremes: 1 where an element is the result, and the gradient over how many are.
struct Shares {
  OpValue of_input, of_source, each;
};
Shares shares(const Given& at) {
  OpBuilder& b = at.r.b;
  const DType dtype = b.dtype(at.x);
  OpValue of_input = b.to(b.equal(at.x, at.result), dtype);
  OpValue of_source = b.to(b.equal(at.source, at.r.taken(at.result)), dtype);
  OpValue many = at.r.combine("scatter_add", of_input, of_source);
  return {of_input, of_source, b.divide(at.gradient, many)};
}

/// Where elements are counted that nothing came to, what is there counts though it is left out.
OpValue input_share(const Given& at) {
  OpBuilder& b = at.r.b;
  if (at.r.how == "sum") return at.gradient;
  if (at.r.how == "mean") return b.divide(at.gradient, counts(at.r, at.x, at.source));
  if (at.r.how == "prod") {
    OpValue nonzero = without_zeros(b, at.x);
    return b.divide(b.multiply(at.gradient, reduced_again(at, nonzero, at.source)), nonzero);
  }
  const Shares share = shares(at);
  return b.multiply(share.of_input, share.each);
}

OpValue input_gradient(const Given& at) {
  OpValue share = input_share(at);
  return at.r.include_self ? share : at.r.put("scatter", share, int64_t{0});
}

/// The product without the element: the result over it, and where it is the only zero of its place,
/// the product of the others.
OpValue product_share(const Given& at) {
  OpBuilder& b = at.r.b;
  OpValue is_zero = b.equal(at.source, 0);
  OpValue zeros = b.expand(b.full({}, 0, b.dtype(at.x)), b.sizes(at.x));
  OpValue many = at.r.taken(at.r.put("scatter_add", zeros, b.to(is_zero, b.dtype(at.x))));
  OpValue only = b.call("logical_and", {is_zero, b.equal(many, 1)});
  OpValue others = reduced_again(at, at.x, b.where(only, 1, at.source));
  OpValue over =
      b.divide(at.r.taken(b.multiply(at.gradient, at.result)), b.where(is_zero, 1, at.source));
  return b.where(only, at.r.taken(b.multiply(at.gradient, others)), over);
}

OpValue source_gradient(const Given& at) {
  OpBuilder& b = at.r.b;
  if (at.r.how == "sum") return at.r.taken(at.gradient);
  if (at.r.how == "mean")
    return b.divide(at.r.taken(at.gradient), at.r.taken(counts(at.r, at.x, at.source)));
  if (at.r.how == "prod") return product_share(at);
  const Shares share = shares(at);
  return b.multiply(share.of_source, at.r.taken(share.each));
}

// ---- samples -----------------------------------------------------------------------------------

constexpr const char* kReductions[] = {"sum", "prod", "mean", "amax", "amin"};

std::vector<Sample> scatter_reduce_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  const Tensor index = index_tensor({3, 2}, 5), rows = index_tensor({2, 5}, 3);
  for (const char* how : kReductions)
    for (bool include_self : {true, false}) {
      samples.push_back(
          {{sample_tensor({3, 5}), 1, index, sample_tensor({3, 2}), how, include_self}});
      samples.push_back({{sample_tensor({3, 5}, DType::kInt64), 0, rows,
                          sample_tensor({2, 5}, DType::kInt64), how, include_self}});
    }
  return samples;
}

std::vector<Sample> index_reduce_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  const Tensor places = Tensor::of<int64_t>({1, 3, 1}, {3});
  for (const char* how : {"prod", "mean", "amax", "amin"})
    for (bool include_self : {true, false})
      samples.push_back(
          {{sample_tensor({4, 3}), 0, places, sample_tensor({3, 3}), how, include_self}});
  return samples;
}

constexpr Effects kChecks = {.may_fail = true};

/// A step of the two: one write by index.
template <Meeting kMeeting>
constexpr OpEntry step(const char* name, const char* signature, const char* doc) {
  return {.name = name,
          .signature = signature,
          .doc = doc,
          .infer = infer_scatter,
          .eager = eager_scatter<kMeeting>,
          .lowering = Library{},
          .effects = kChecks,
          .samples = scatter_samples};
}

constexpr OpEntry kEntries[] = {
    step<Meeting::kMultiply>(
        "scatter_multiply",
        "scatter_multiply(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor",
        "A copy with out[i][index[i][j]] multiplied by src[i][j], for dim 1."),
    step<Meeting::kGreatest>(
        "scatter_greatest",
        "scatter_greatest(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor",
        "A copy with the greater of out[i][index[i][j]] and src[i][j], for dim 1."),
    step<Meeting::kLeast>(
        "scatter_least",
        "scatter_least(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor",
        "A copy with the lesser of out[i][index[i][j]] and src[i][j], for dim 1."),
    {
        .name = "scatter_reduce",
        .signature = "scatter_reduce(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: "
                     "str, *, include_self: bool = True) -> Tensor",
        .torch = "scatter_reduce",
        .method = "scatter_reduce",
        .doc = "A copy with the sum, prod, mean, amax or amin of all that goes to one place, and "
               "of what is there, where that counts.",
        .decomposition = scatter_reduce,
        .gradients = {{"input", "input index src result",
                       [](GradientCall& g) { return input_gradient(given(g, "src")); }},
                      {"src", "input index src result",
                       [](GradientCall& g) { return source_gradient(given(g, "src")); }}},
        .grad_name = "ScatterReduceBackward0",
        .effects = kChecks,
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
        .samples = scatter_reduce_samples,
    },
    {
        .name = "index_reduce",
        .signature = "index_reduce(input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: "
                     "str, *, include_self: bool = True) -> Tensor",
        .torch = "index_reduce",
        .method = "index_reduce",
        .doc = "A copy with the prod, mean, amax or amin of all slices that go to one place, and "
               "of what is there, where that counts.",
        .eager = eager_in_range<refuse_to_reduce>,
        .decomposition = index_reduce,
        .gradients = {{"input", "input index source result",
                       [](GradientCall& g) { return input_gradient(given(g, "source")); }},
                      {"source", "input index source result",
                       [](GradientCall& g) { return source_gradient(given(g, "source")); }}},
        .grad_name = "IndexReduceBackward0",
        .effects = kChecks,
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
        .samples = index_reduce_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> scatter_reduce_entries() {
  return kEntries;
}

}  // namespace glint::ops
