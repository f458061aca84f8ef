// Statistics over dimensions: composites of reductions.
//
//     var(x, dim=1)      sum((x - mean(x))^2) / (n - 1)
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/samples.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

namespace {

/// How many elements go into each result.
SymInt reduced_count(OpBuilder& b, const OpValue& x, const OpArgument& dim) {
  auto sizes = b.sizes(x);
  InferArgument dims = map_argument<TensorType>(dim, [](const OpValue&) { return TensorType(); });
  SymInt count = 1;
  for (int64_t one : reduced_dims(dims, sizes.size())) count *= sizes[size_t(one)];
  return count;
}

/// A count as a divisor: a number when it is known, else an integer that the graph computes.
OpValue divided(OpBuilder& b, OpValue x, SymInt count) {
  return b.divide(std::move(x), count);
}

std::vector<OpValue> mean(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (const DType* dtype = arguments[3].get_if<DType>()) x = b.to(x, *dtype);
  if (!is_floating(b.dtype(x)))
    throw OpError{
        "NotImplementedError",
        fmt::format("mean(): could not infer output dtype. Input dtype must be either a floating "
                    "point or complex dtype. Got: {}",
                    scalar_type_name(b.dtype(x)))};
  SymInt count = reduced_count(b, x, arguments[1]);
  DType dtype = b.dtype(x);
  OpValue total = b.call("sum", {widened(b, x), arguments[1], arguments[2]});
  return {b.to(divided(b, total, count), dtype)};
}

/// The sum of squared deviations over n - correction.
OpValue variance(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (!is_floating(b.dtype(x)))
    throw OpError{"NotImplementedError",
                  "std and var only support floating point and complex dtypes"};
  OpArgument dim = arguments[1];
  bool unbiased = as_bool(arguments[2]);
  if (const bool* given = dim.get_if<bool>()) {
    unbiased = *given;
    dim = OpArgument();
  }
  int64_t correction = arguments[4].is_none() ? int64_t(unbiased) : int64_t(as_float(arguments[4]));
  SymInt count = reduced_count(b, x, dim);
  x = widened(b, x);
  OpValue center = divided(b, b.call("sum", {x, dim, true}), count);
  OpValue squares = b.call("sum", {b.call("square", {b.subtract(x, center)}), dim, arguments[3]});
  SymInt freedom = maximum(count - correction, 0);
  return divided(b, squares, freedom);
}

std::vector<OpValue> var(OpBuilder& b, OpArguments arguments) {
  return {b.to(variance(b, arguments), b.dtype(arguments[0].tensor()))};
}
std::vector<OpValue> std_deviation(OpBuilder& b, OpArguments arguments) {
  return {b.to(b.sqrt(variance(b, arguments)), b.dtype(arguments[0].tensor()))};
}

/// Both of one call; a bool in place of dim is `unbiased`.
template <const char* kSpread>
std::vector<OpValue> spread_and_mean(OpBuilder& b, OpArguments arguments) {
  const OpArgument& dim = arguments[1];
  if (!is_floating(b.dtype(arguments[0].tensor())))
    throw OpError{"NotImplementedError",
                  fmt::format("{}_mean only support floating point and complex dtypes", kSpread)};
  return {b.call(kSpread, std::vector<OpArgument>(arguments.begin(), arguments.end())),
          b.call("mean", {arguments[0], dim.get_if<bool>() ? OpArgument() : dim, arguments[3]})};
}
constexpr char kVar[] = "var";
constexpr char kStd[] = "std";

std::vector<OpValue> nansum(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (is_floating(b.dtype(x))) x = b.where(b.call("isnan", {x}), 0, x);
  return {b.call("sum", {x, arguments[1], arguments[2], arguments[3]})};
}

OpValue norm_of(OpBuilder& b, const OpValue& x, double p, const OpArgument& dim,
                const OpArgument& keepdim) {
  if (p == 2.0) return b.sqrt(b.call("sum", {b.multiply(x, x), dim, keepdim}));
  const OpValue magnitude = b.call("abs", {x});
  if (p == 1.0) return b.call("sum", {magnitude, dim, keepdim});
  if (p == INFINITY) return b.call("amax", {magnitude, dim, keepdim});
  if (p == -INFINITY) return b.call("amin", {magnitude, dim, keepdim});
  if (p == 0.0) return b.call("sum", {b.to(b.call("not_equal", {x, 0}), b.dtype(x)), dim, keepdim});
  return b.power(b.call("sum", {b.power(magnitude, p), dim, keepdim}), 1.0 / p);
}

std::vector<OpValue> norm(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (!is_floating(b.dtype(x)))
    throw OpError{
        "NotImplementedError",
        fmt::format("linalg.vector_norm: Expected a floating point or complex tensor as input. "
                    "Got {}",
                    scalar_type_name(b.dtype(x)))};
  double p = 2.0;
  const auto* named = arguments[1].get_if<std::string>();
  if (named && *named == "nuc")
    throw OpError{"NotImplementedError",
                  "norm(): the nuclear norm is not available: it needs singular values"};
  if (named && *named != "fro")
    throw OpError{"RuntimeError",
                  fmt::format("linalg.matrix_norm: Order {} not supported.", *named)};
  if (is_number(arguments[1])) p = as_float(arguments[1]);
  // 16-bit floats round once, at the end: their squares may be beyond them.
  const DType dtype = b.dtype(x);
  return {b.to(norm_of(b, widened(b, x), p, arguments[2], arguments[3]), dtype)};
}

/// What is summed, or of what the extremes are, as loops over numbers of the dtype; nothing for
/// other norms than 1, 2, and the infinite ones.
std::optional<std::pair<ScalarFunction, Combiner>> plain_norm(Arguments arguments) {
  double p = 2.0;
  if (arguments.size() > 1 && is_number(arguments[1])) p = as_float(arguments[1]);
  const auto* named = arguments.size() > 1 ? arguments[1].get_if<std::string>() : nullptr;
  if (named && *named != "fro") return std::nullopt;
  if (p == 2.0) return std::pair(ScalarFunction::kSquare, Combiner::kSum);
  if (p == 1.0) return std::pair(ScalarFunction::kAbs, Combiner::kSum);
  if (std::isinf(p))
    return std::pair(ScalarFunction::kAbs, p > 0 ? Combiner::kMaximum : Combiner::kMinimum);
  return std::nullopt;
}

bool is_wide(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat64;
}

/// The dimensions that a call names, all by default, and whether they are kept.
std::pair<std::vector<int64_t>, bool> named_dims(const OpEntry& entry, Arguments arguments) {
  const std::vector<InferArgument> types = infer_arguments(arguments);
  const InferArguments known(types);
  return {reduced_dims(argument(entry, known, "dim"), size_t(arguments[0].tensor().rank())),
          as_bool(argument(entry, arguments, "keepdim"))};
}

Outputs eager_norm(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  const auto plain = plain_norm(arguments);
  if (!plain || !is_wide(x.dtype())) return run_decomposition(entry, arguments);
  const auto [dims, keepdim] = named_dims(entry, arguments);
  const scalar::UnaryLoop loop = scalar::elementwise_loops(plain->first, x.dtype())->unary;
  const Tensor made = reduce_mapped(plain->second, x, x.dtype(), loop, dims, keepdim);
  if (!made.defined()) return run_decomposition(entry, arguments);
  return plain->first == ScalarFunction::kSquare ? apply_function(ScalarFunction::kSqrt, made)
                                                 : made;
}

Outputs eager_nansum(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  if (!is_wide(x.dtype()) || !argument(entry, arguments, "dtype").is_none())
    return run_decomposition(entry, arguments);
  const auto [dims, keepdim] = named_dims(entry, arguments);
  auto without_nan = [&](const std::byte* in, std::byte* out, int64_t n) {
    visit_dtype(x.dtype(), [&]<class T>() {
      const T* from = reinterpret_cast<const T*>(in);
      T* to = reinterpret_cast<T*>(out);
      for (int64_t i = 0; i < n; ++i) to[i] = from[i] == from[i] ? from[i] : T(0);
    });
  };
  const Tensor made = reduce_mapped(Combiner::kSum, x, x.dtype(), without_nan, dims, keepdim);
  return made.defined() ? Outputs(made) : run_decomposition(entry, arguments);
}

std::vector<OpValue> logsumexp(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (!is_floating(b.dtype(x))) x = b.to(x, default_dtype());
  if (decide_equal(product(b.sizes(x)), 0))
    return {b.log(b.call("sum", {b.exp(x), arguments[1], arguments[2]}))};
  OpValue greatest = b.call("amax", {x, arguments[1], true});
  OpValue zero = b.full({}, 0, b.dtype(x));
  OpValue shift = b.where(b.equal(b.call("abs", {greatest}), INFINITY), zero, greatest);
  OpValue total = b.log(b.call("sum", {b.exp(b.subtract(x, shift)), arguments[1], arguments[2]}));
  OpValue back = as_bool(arguments[2]) ? shift : b.reshape(shift, b.sizes(total));
  return {b.add(total, back)};
}

std::vector<OpValue> count_nonzero(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (!is_bool(b.dtype(x))) x = b.call("not_equal", {x, 0});
  return {b.call("sum", {x, arguments[1]})};
}

// ---- gradients ---------------------------------------------------------------------------------

SymInt count_of(GradientCall& g, std::span<const SymInt> dims) {
  SymInt count = 1;
  for (SymInt dim : dims) count *= g.sizes("input")[size_t(dim.constant())];
  return count;
}

OpValue mean_gradient(GradientCall& g) {
  OpValue share = g.b.divide(g.out(), count_of(g, g.reduced_dims("dim")));
  return g.b.expand(g.keep_dims(share), g.sizes("input"));
}

/// The dimensions of a variance: all, where a bool is in place of them.
std::vector<SymInt> spread_dims(GradientCall& g) {
  if (!g["dim"].get_if<bool>()) return g.reduced_dims("dim");
  std::vector<SymInt> dims;
  for (size_t i = 0; i < g.sizes("input").size(); ++i) dims.emplace_back(int64_t(i));
  return dims;
}
std::vector<SymInt> kept_sizes(GradientCall& g, std::span<const SymInt> dims) {
  std::vector<SymInt> kept = g.sizes("input");
  for (SymInt dim : dims) kept[size_t(dim.constant())] = 1;
  return kept;
}

/// 2 / (n - correction) * (x - mean(x)), times the gradient of the variance. A bool in place of dim
/// is `unbiased`, over all elements.
OpValue through_variance(GradientCall& g, OpValue gradient) {
  const bool* given = g["dim"].get_if<bool>();
  bool unbiased = given ? *given : as_bool(g["unbiased"]);
  std::vector<SymInt> dims = spread_dims(g);
  int64_t correction = unbiased;
  if (!g.is_none("correction")) correction = int64_t(as_float(g["correction"]));
  std::vector<SymInt> kept = kept_sizes(g, dims);
  SymInt count = count_of(g, dims);
  OpValue x = g.tensor("input");
  OpValue center = g.b.divide(g.b.sum(x, dims, true), count);
  OpValue factor = g.b.divide(g.b.multiply(gradient, 2), maximum(count - correction, 0));
  return g.b.multiply(g.b.reshape(factor, kept), g.b.subtract(x, center));
}

/// Where the deviation is 0, nothing flows.
OpValue deviation_gradient(GradientCall& g) {
  OpValue of_variance = g.b.divide(g.out(), g.b.multiply(g.result(), 2));
  return through_variance(g, g.b.where(g.b.equal(g.result(), 0), 0, of_variance));
}

/// What arrives for the first result goes through it, and what arrives for the mean is spread.
template <GradientRule kOfSpread>
OpValue spread_and_mean_gradient(GradientCall& g) {
  if (!g.has_out(1)) return kOfSpread(g);
  std::vector<SymInt> dims = spread_dims(g);
  OpValue share = g.b.divide(g.out(1), count_of(g, dims));
  share = g.b.expand(g.b.reshape(share, kept_sizes(g, dims)), g.sizes("input"));
  return g.has_out(0) ? g.b.add(kOfSpread(g), share) : share;
}
OpValue variance_gradient(GradientCall& g) {
  return through_variance(g, g.out());
}

OpValue nansum_gradient(GradientCall& g) {
  OpValue spread = g.b.expand(g.keep_dims(g.out()), g.sizes("input"));
  return g.b.multiply(spread, g.b.call("logical_not", {g.b.call("isnan", {g["input"]})}));
}

/// x * |x|^(p - 2) * (gradient / norm^(p - 1)), and 0 where the norm is 0. The infinite norms share
/// the gradient among the elements that they chose.
/// What x has of the gradient of its p-norm over `dims`; p is not 0.
OpValue norm_share(OpBuilder& b, const OpValue& x, double p, const OpValue& gradient,
                   const OpValue& norm, std::vector<SymInt> dims) {
  OpValue sign = b.call("sign", {x}), magnitude = b.call("abs", {x});
  if (p == 1.0) return b.multiply(gradient, sign);
  if (std::isinf(p)) {
    OpValue chosen = b.equal(magnitude, norm);
    OpValue share = b.divide(gradient, b.sum(chosen, std::move(dims), true));
    return b.where(chosen, b.multiply(sign, share), 0);
  }
  OpValue at_zero = b.equal(norm, 0);
  if (p == 2.0) return b.multiply(gradient, b.where(at_zero, 0, b.divide(x, norm)));
  OpValue scale = b.where(at_zero, 0, b.divide(gradient, b.power(norm, p - 1)));
  OpValue slope = b.multiply(sign, b.power(magnitude, p - 1));
  if (p < 1.0) slope = b.where(b.equal(x, 0), 0, slope);
  return b.multiply(slope, scale);
}

OpValue norm_gradient(GradientCall& g) {
  double p = is_number(g["p"]) ? as_float(g["p"]) : 2.0;
  if (p == 0.0) return g.zeros_like("input");
  return norm_share(g.b, g.tensor("input"), p, g.keep_dims(g.out()), g.keep_dims(g.result()),
                    g.reduced_dims("dim"));
}

std::vector<OpValue> dist(OpBuilder& b, OpArguments arguments) {
  return {b.call("norm", {b.subtract(arguments[0], arguments[1]), arguments[2]})};
}

/// The norm's, of the difference.
OpValue dist_gradient(GradientCall& g) {
  double p = as_float(g["p"]);
  if (p == 0.0) return g.zeros_like("input");
  OpValue apart = g.b.subtract(g["input"], g["other"]);
  std::vector<SymInt> dims;
  for (size_t i = 0; i < g.b.rank(apart); ++i) dims.emplace_back(int64_t(i));
  return norm_share(g.b, apart, p, g.out(), g.result(), dims);
}

const char* mean_name(Arguments arguments) {
  return arguments.size() < 2 || arguments[1].is_none() ? "MeanBackward0" : "MeanBackward1";
}

std::vector<Sample> dist_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  Tensor x = sample_tensor({2, 3}), y = sample_tensor({3}, DType::kFloat64);
  for (Argument p : {Argument(2), Argument(1), Argument(3.5)}) samples.push_back({{x, y, p}});
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "mean",
        .signature = "mean(input: Tensor, dim: Size | None = None, keepdim: bool = False, *, "
                     "dtype: dtype | None = None) -> Tensor",
        .torch = "mean",
        .method = "mean",
        .doc = "The mean over dimensions, of floating tensors.",
        .decomposition = mean,
        .gradients = {{"input", "", mean_gradient}},
        .grad_name_of = mean_name,
        .forms = Forms::kOut,
        .samples = float_reduction_samples,
    },
    {
        .name = "var",
        .signature = "var(input: Tensor, dim: Size | bool | None = None, unbiased: bool = True, "
                     "keepdim: bool = False, *, correction: Number | None = None) -> Tensor",
        .torch = "var",
        .method = "var",
        .doc = "The variance over dimensions: squared deviations from the mean, over n - "
               "correction (1 "
               "unless unbiased is False).",
        .decomposition = var,
        .gradients = {{"input", "input", variance_gradient}},
        .grad_name = "VarBackward0",
        .forms = Forms::kOut,
        .samples = variance_samples,
    },
    {
        .name = "std",
        .signature = "std(input: Tensor, dim: Size | bool | None = None, unbiased: bool = True, "
                     "keepdim: bool = False, *, correction: Number | None = None) -> Tensor",
        .torch = "std",
        .method = "std",
        .doc = "The standard deviation over dimensions: the square root of the variance.",
        .decomposition = std_deviation,
        .gradients = {{"input", "input result", deviation_gradient}},
        .grad_name = "StdBackward0",
        .forms = Forms::kOut,
        .samples = variance_samples,
    },
    {
        .name = "var_mean",
        .signature = "var_mean(input: Tensor, dim: Size | bool | None = None, unbiased: bool = "
                     "True, keepdim: bool = False, *, correction: Number | None = None) -> Tensors",
        .torch = "var_mean",
        .doc = "The variance and the mean.",
        .decomposition = spread_and_mean<kVar>,
        .gradients = {{"input", "input", spread_and_mean_gradient<variance_gradient>}},
        .grad_name = "VarMeanBackward0",
        .output_form = OutputForm::kTuple,
        .samples = variance_samples,
    },
    {
        .name = "std_mean",
        .signature = "std_mean(input: Tensor, dim: Size | bool | None = None, unbiased: bool = "
                     "True, keepdim: bool = False, *, correction: Number | None = None) -> Tensors",
        .torch = "std_mean",
        .doc = "The standard deviation and the mean.",
        .decomposition = spread_and_mean<kStd>,
        .gradients = {{"input", "input result", spread_and_mean_gradient<deviation_gradient>}},
        .grad_name = "StdMeanBackward0",
        .output_form = OutputForm::kTuple,
        .samples = variance_samples,
    },
    {
        .name = "nansum",
        .signature = "nansum(input: Tensor, dim: Size | None = None, keepdim: bool = False, *, "
                     "dtype: dtype | None = None) -> Tensor",
        .torch = "nansum",
        .method = "nansum",
        .doc = "The sum without NaN.",
        .eager = eager_nansum,
        .decomposition = nansum,
        .gradients = {{"input", "input", nansum_gradient}},
        .grad_name = "NansumBackward0",
        .forms = Forms::kOut,
        .samples = reduction_samples,
    },
    {
        .name = "norm",
        .signature =
            "norm(input: Tensor, p: Number | str | None = \"fro\", dim: Size | None = None, "
            "keepdim: bool = False) -> Tensor",
        .torch = "norm",
        .method = "norm",
        .doc = "The p-norm over dimensions; 2 (also called fro) by default.",
        .eager = eager_norm,
        .decomposition = norm,
        .gradients = {{"input", "input result", norm_gradient}},
        .grad_name = "LinalgVectorNormBackward0",
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
        .samples = norm_samples,
    },
    {
        .name = "dist",
        .signature = "dist(input: Tensor, other: Tensor, p: Number = 2) -> Tensor",
        .torch = "dist",
        .method = "dist",
        .doc = "The norm of the difference.",
        .decomposition = dist,
        .gradients = {{"input", "input other result", dist_gradient},
                      {"other", "input other result",
                       [](GradientCall& g) { return g.b.negative(dist_gradient(g)); }}},
        .samples = dist_samples,
    },
    {
        .name = "logsumexp",
        .signature = "logsumexp(input: Tensor, dim: Size, keepdim: bool = False) -> Tensor",
        .torch = "logsumexp",
        .method = "logsumexp",
        .doc = "The logarithm of the sum of exponentials over dimensions, without overflow.",
        .decomposition = logsumexp,
        .gradients = {{"input", "input result",
                       [](GradientCall& g) {
                         return g.b.multiply(
                             g.keep_dims(g.out()),
                             g.b.exp(g.b.subtract(g["input"], g.keep_dims(g.result()))));
                       }}},
        .grad_name = "LogsumexpBackward0",
        .forms = Forms::kOut,
        .output_dtype =
            {"logsumexp(): Expected floating point type for result tensor, but got: {1}"},
        .samples = scan_samples,
    },
    {
        .name = "count_nonzero",
        .signature = "count_nonzero(input: Tensor, dim: Size | None = None) -> Tensor",
        .torch = "count_nonzero",
        .method = "count_nonzero",
        .doc = "How many elements are not zero, over dimensions.",
        .decomposition = count_nonzero,
        .samples = unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> statistics_entries() {
  return kEntries;
}

}  // namespace glint::ops
