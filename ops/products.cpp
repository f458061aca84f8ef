// What is made of all pairs: of elements, of rows.
//
//     kron(a, b)          each element of a times the whole of b
//     cdist(x, y)         the distance of each row of x from each row of y
#include <cmath>

#include <fmt/format.h>

#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// Sizes of a and b in turns, so that one product of both has each pair in its place.
std::vector<OpValue> kron(OpBuilder& b, OpArguments arguments) {
  auto left = b.sizes(arguments[0].tensor()), right = b.sizes(arguments[1].tensor());
  size_t rank = std::max(left.size(), right.size());
  left.insert(left.begin(), rank - left.size(), SymInt(1));
  right.insert(right.begin(), rank - right.size(), SymInt(1));
  std::vector<SymInt> of_left, of_right, result;
  for (size_t i = 0; i < rank; ++i) {
    of_left.insert(of_left.end(), {left[i], SymInt(1)});
    of_right.insert(of_right.end(), {SymInt(1), right[i]});
    result.push_back(left[i] * right[i]);
  }
  OpValue pairs = b.multiply(b.reshape(arguments[0].tensor(), of_left),
                             b.reshape(arguments[1].tensor(), of_right));
  return {b.call("unsafe_view", {pairs, result})};
}

void check_points(OpBuilder& b, const OpValue& points, const char* name) {
  if (b.rank(points) < 2)
    throw OpError{"RuntimeError", fmt::format("cdist only supports at least 2D tensors, {} got: "
                                              "{}D",
                                              name, b.rank(points))};
  if (!is_floating(b.dtype(points)))
    throw OpError{"RuntimeError",
                  fmt::format("cdist only supports floating-point dtypes, {} got: {}", name,
                              scalar_type_name(b.dtype(points)))};
}

/// [.., P, R, M] from [.., P, M] and [.., R, M].
OpValue differences(OpBuilder& b, const OpValue& x1, const OpValue& x2) {
  return b.subtract(b.unsqueeze(x1, -2), b.unsqueeze(x2, -3));
}

constexpr std::string_view kDistanceModes[] = {"use_mm_for_euclid_dist_if_necessary",
                                               "use_mm_for_euclid_dist",
                                               "donot_use_mm_for_euclid_dist"};

/// Whether Euclidean distances come from a product of matrices: many do, as PyTorch counts.
bool multiplies(OpBuilder& b, const OpValue& x1, const OpValue& x2, double p,
                const std::string* mode) {
  constexpr int64_t kFew = 25;
  if (p != 2.0 || (mode && *mode == kDistanceModes[2])) return false;
  if (mode && *mode == kDistanceModes[1]) return true;
  const auto rows = [&](const OpValue& x) { return b.sizes(x)[b.rank(x) - 2]; };
  return decide_less(kFew, rows(x1)) || decide_less(kFew, rows(x2));
}

/// The root of |x|^2 - 2 x y + |y|^2, all three in one product: [-2 x, |x|^2, 1] of [y, 1, |y|^2].
OpValue distances_by_product(OpBuilder& b, const OpValue& x1, const OpValue& x2) {
  const auto extended = [&](const OpValue& x, bool first) {
    const OpValue squares = b.sum(b.multiply(x, x), {-1}, true);
    const OpValue ones = b.expand(b.full({}, 1, b.dtype(x)), b.sizes(squares));
    OpArgument::List parts = {first ? b.multiply(x, -2) : x, first ? squares : ones,
                              first ? ones : squares};
    return b.call("cat", {OpArgument(std::move(parts)), -1});
  };
  const OpValue product =
      b.call("matmul", {extended(x1, true), b.call("transpose", {extended(x2, false), -2, -1})});
  return b.sqrt(b.call("clamp", {product, 0, nullptr}));
}

std::vector<OpValue> cdist(OpBuilder& b, OpArguments arguments) {
  OpValue x1 = arguments[0].tensor(), x2 = arguments[1].tensor();
  check_points(b, x1, "X1");
  check_points(b, x2, "X2");
  SymInt columns = b.sizes(x1).back(), others = b.sizes(x2).back();
  if (!decide_equal(columns, others))
    throw OpError{"RuntimeError",
                  fmt::format("X1 and X2 must have the same number of columns. X1: {} X2: {}",
                              columns.text(), others.text())};
  if (b.dtype(x1) != b.dtype(x2))
    throw OpError{"RuntimeError",
                  fmt::format("expected scalar type {} but found {}", scalar_type_name(b.dtype(x1)),
                              scalar_type_name(b.dtype(x2)))};
  double p = as_float(arguments[2]);
  if (p < 0) throw OpError{"RuntimeError", "cdist only supports non-negative p values"};
  const auto* how = arguments[3].get_if<std::string>();
  if (how && std::ranges::find(kDistanceModes, *how) == std::end(kDistanceModes))
    throw OpError{"ValueError", fmt::format("{} is not a valid value for compute_mode", *how)};
  const bool nothing = decide_equal(columns, 0);
  if (!nothing && multiplies(b, x1, x2, p, how)) return {distances_by_product(b, x1, x2)};
  OpValue apart = differences(b, x1, x2), magnitude = b.call("abs", {apart});
  if (nothing) return {b.sum(magnitude, {-1})};
  if (p == 2.0) return {b.sqrt(b.sum(b.multiply(apart, apart), {-1}))};
  if (p == 1.0) return {b.sum(magnitude, {-1})};
  if (std::isinf(p)) return {b.amax(magnitude, {-1})};
  if (p == 0.0) return {b.sum(b.to(b.call("not_equal", {apart, 0}), b.dtype(apart)), {-1})};
  return {b.power(b.sum(b.power(magnitude, p), {-1}), 1.0 / p)};
}

/// The gradient of each difference, [.., P, R, M]: none where two points are the same.
OpValue of_differences(GradientCall& g) {
  OpBuilder& b = g.b;
  double p = as_float(g["p"]);
  OpValue apart = differences(b, g.tensor("x1"), g.tensor("x2"));
  OpValue gradient = b.unsqueeze(g.out(), -1), distance = b.unsqueeze(g.result(), -1);
  if (p == 0.0) return b.multiply(apart, b.multiply(gradient, 0));
  OpValue sign = b.call("sign", {apart}), magnitude = b.call("abs", {apart});
  if (p == 1.0) return b.multiply(gradient, sign);
  if (std::isinf(p)) return b.multiply(b.multiply(gradient, sign), b.equal(magnitude, distance));
  OpValue same = b.equal(distance, 0);
  if (p == 2.0) return b.multiply(apart, b.where(same, 0, b.divide(gradient, distance)));
  OpValue slope = b.multiply(sign, b.power(magnitude, p - 1));
  if (p < 1.0) slope = b.where(b.equal(apart, 0), 0, slope);
  return b.multiply(slope, b.where(same, 0, b.divide(gradient, b.power(distance, p - 1))));
}

/// The gradient of x1 or, with both in each other's place, of x2: x * sum(s) - s @ y, where s is
/// the gradient over the distance, so that no difference of each pair is kept.
OpValue through_product(OpBuilder& b, const OpValue& x, const OpValue& y, const OpValue& share) {
  return b.subtract(b.multiply(x, b.sum(share, {-1}, true)), b.call("matmul", {share, y}));
}

template <bool kFirst>
OpValue cdist_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  const OpValue x1 = g.tensor("x1"), x2 = g.tensor("x2");
  if (multiplies(b, x1, x2, as_float(g["p"]), g["compute_mode"].get_if<std::string>())) {
    const OpValue share = b.where(b.equal(g.result(), 0), 0, b.divide(g.out(), g.result()));
    if (kFirst) return through_product(b, x1, x2, share);
    return through_product(b, x2, x1, b.call("transpose", {share, -2, -1}));
  }
  const OpValue apart = of_differences(g);
  return kFirst ? b.sum(apart, {-2}) : b.sum(b.negative(apart), {-3});
}

std::vector<Sample> kron_samples(const OpEntry& entry) {
  return {{{sample_tensor({2, 3}), sample_tensor({4, 2})}},
          {{sample_tensor({3}), sample_tensor({2, 2})}},
          {{sample_tensor({}), sample_tensor({2})}},
          {{sample_tensor({2, 1}, DType::kInt64), sample_tensor({3})}}};
}

std::vector<Sample> cdist_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  const char* modes[] = {"use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
                         "donot_use_mm_for_euclid_dist"};
  const char* how = modes[0];
  for (double p : {2.0, 1.0, 3.0, double(INFINITY)}) {
    samples.push_back({{sample_tensor({4, 3}), sample_tensor({2, 3}), p, how}});
    samples.push_back({{sample_tensor({2, 4, 3}), sample_tensor({5, 3}), p, how}});
  }
  samples.push_back({{sample_tensor({30, 3}), sample_tensor({2, 3}), 2.0, how}});
  samples.push_back({{sample_tensor({2, 5, 3}), sample_tensor({4, 3}), 2.0, modes[1]}});
  samples.push_back({{sample_tensor({30, 3}), sample_tensor({2, 3}), 2.0, modes[2]}});
  samples.push_back({{sample_tensor({0, 3}), sample_tensor({2, 3}), 2.0, how}});
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "kron",
        .signature = "kron(input: Tensor, other: Tensor) -> Tensor",
        .torch = "kron",
        .method = "kron",
        .doc = "The Kronecker product: each element of input times the whole of other, block by "
               "block.",
        .decomposition = kron,
        .samples = kron_samples,
    },
    {
        .name = "cdist",
        .signature = "cdist(x1: Tensor, x2: Tensor, p: float = 2.0, "
                     "compute_mode: str = \"use_mm_for_euclid_dist_if_necessary\") -> Tensor",
        .torch = "cdist",
        .doc = "The p-norm distance of each row of x1 from each row of x2.",
        .decomposition = cdist,
        .gradients = {{"x1", "x1 x2 result", cdist_gradient<true>},
                      {"x2", "x1 x2 result", cdist_gradient<false>}},
        .grad_name = "CdistBackward0",
        .samples = cdist_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> products_entries() {
  return kEntries;
}

}  // namespace glint::ops
