// Gates: what passes one part of a tensor by another.
//
//     prelu(x, w)           x where it is above 0, else w[c] * x
//     glu(x)                one half of a dimension, times the sigmoid of the other half
#include <fmt/format.h>

#include "ops/builders.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

std::vector<OpValue> prelu(OpBuilder& b, OpArguments arguments) {
  const DType dtype = b.dtype(arguments[0].tensor()), given = b.dtype(arguments[1].tensor());
  if (dtype != given)
    throw OpError{"RuntimeError", fmt::format("prelu: Type promoting not supported. Got {} and {}",
                                              scalar_type_name(dtype), scalar_type_name(given))};
  OpValue scaled_down = b.multiply(arguments[1], arguments[0]);
  return {b.where(b.greater(arguments[0], 0), arguments[0], scaled_down)};
}
OpValue prelu_of_input(GradientCall& g) {
  OpValue scaled_down = g.b.multiply(g["weight"], g.out());
  return g.b.where(g.b.greater(g["input"], 0), g.out(), scaled_down);
}
OpValue prelu_of_weight(GradientCall& g) {
  return g.b.where(g.b.greater(g["input"], 0), 0, g.b.multiply(g["input"], g.out()));
}

std::vector<OpValue> glu(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  int64_t dim = wrap_dim(as_constant(arguments[1]), b.rank(x));
  SymInt size = b.rank(x) == 0 ? SymInt(1) : b.sizes(x)[size_t(dim)];
  if (size.is_constant() && size.constant() % 2 != 0)
    throw OpError{"RuntimeError",
                  fmt::format("Halving dimension must be even, but dimension {} is size {}", dim,
                              size.text())};
  auto halves = b.call_all("chunk", {arguments[0], 2, arguments[1]}, {});
  OpValue gate = b.sigmoid(widened(b, halves[1]));
  return {b.to(b.multiply(widened(b, halves[0]), gate), b.dtype(x))};
}
OpValue glu_gradient(GradientCall& g) {
  auto halves = g.b.call_all("chunk", {g["input"], 2, g["dim"]}, {});
  OpValue gate = g.b.sigmoid(halves[1]);
  OpValue of_value = g.b.multiply(gate, g.out());
  OpValue slope = g.b.multiply(g.b.add(g.b.negative(gate), 1.0), halves[0]);
  OpArgument::List parts = {of_value, g.b.multiply(of_value, slope)};
  return g.b.call("cat", {parts, g["dim"]});
}

// ---- samples -----------------------------------------------------------------------------------

std::vector<Sample> prelu_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kFloats) {
    add(samples, entry, {sample_tensor({2, 3}, dtype), sample_tensor({1, 3}, dtype)});
    add(samples, entry, {sample_tensor({4}, dtype), Tensor::full({1}, 0.25, dtype)});
    add(samples, entry, {sample_tensor({2, 3, 2}, dtype), sample_tensor({1, 3, 1}, dtype)});
  }
  return samples;
}
std::vector<Sample> glu_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kFloats) {
    add(samples, entry, {sample_tensor({3, 4}, dtype), -1});
    add(samples, entry, {sample_tensor({2, 4, 3}, dtype), 1});
    add(samples, entry, {sample_tensor({2}, dtype), 0});
  }
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "prelu",
        .signature = "prelu(input: Tensor, weight: Tensor) -> Tensor",
        .torch = "_prelu_kernel",
        .doc = "The element, times a weight if it is not above 0.",
        .decomposition = prelu,
        .gradients = {{"input", "input weight", prelu_of_input},
                      {"weight", "input", prelu_of_weight}},
        .grad_name = "PreluKernelBackward0",
        .floats_kernel = "prelu_cpu",
        .samples = prelu_samples,
    },
    {
        .name = "glu",
        .signature = "glu(input: Tensor, dim: int) -> Tensor",
        .torch = "_glu",
        .doc = "One half of a dimension, times the sigmoid of the other half.",
        .decomposition = glu,
        .gradients = {{"input", "input", rounded_once<glu_gradient>}},
        .grad_name = "GluBackward0",
        .floats_kernel = "glu_cpu",
        .samples = glu_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> gates_entries() {
  return kEntries;
}

}  // namespace glint::ops
