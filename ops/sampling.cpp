// Random numbers of further distributions: PyTorch's own for the same seed, as in random.cpp.
//
//     torch.poisson(rates)      a number for each rate
//     x.cauchy_()               fills x
//
// On a GPU, too, they are drawn on the processor, from its generator.
#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "core/tensor/draws_by_rejection.h"
#include "core/tensor/views.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/random.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

Generator& generator() {
  return generator_for(Device::cpu());
}

[[noreturn]] void throw_not_implemented(std::string_view kernel, DType dtype) {
  throw OpError{"NotImplementedError",
                fmt::format("\"{}\" not implemented for '{}'", kernel, scalar_type_name(dtype))};
}

Tensor output_of(const OpEntry& entry, Arguments arguments) {
  return empty_of(infer(entry, infer_arguments(arguments))[0]);
}

Tensor dense(const Argument& argument) {
  return contiguous(argument.tensor());
}

// ---- filled in place ---------------------------------------------------------------------------

void check_continuous(std::string_view distribution, DType dtype) {
  if (is_floating(dtype)) return;
  throw OpError{"RuntimeError",
                fmt::format("{} distribution is a continuous probability distribution. dtype must "
                            "be a floating point but you specified {}",
                            distribution, scalar_type_name(dtype))};
}

std::vector<TensorType> infer_cauchy(const OpEntry&, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  if (double sigma = as_float(arguments[2]); !(sigma > 0))
    throw OpError{"RuntimeError",
                  fmt::format("cauchy_ expects sigma > 0.0, but found sigma={:g}", sigma)};
  check_continuous("Cauchy", input.dtype);
  return {like_type(input, input.dtype)};
}
Outputs eager_cauchy(const OpEntry& entry, Arguments arguments) {
  Tensor out = output_of(entry, arguments);
  fill_cauchy(out, as_float(arguments[1]), as_float(arguments[2]), generator());
  return out;
}

std::vector<TensorType> infer_log_normal(const OpEntry&, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  if (double deviation = as_float(arguments[2]); !(deviation > 0))
    throw OpError{"RuntimeError",
                  fmt::format("log_normal_ expects std > 0.0, but found std={:g}", deviation)};
  if (!is_floating(input.dtype)) throw_not_implemented("log_normal_cpu", input.dtype);
  return {like_type(input, input.dtype)};
}
Outputs eager_log_normal(const OpEntry& entry, Arguments arguments) {
  Tensor out = output_of(entry, arguments);
  fill_log_normal(out, as_float(arguments[1]), as_float(arguments[2]), generator());
  return out;
}

std::vector<TensorType> infer_geometric(const OpEntry&, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  if (double p = as_float(arguments[1]); !(p > 0 && p < 1))
    throw OpError{"RuntimeError",
                  fmt::format("geometric_ expects p to be in (0, 1), but got p={:g}", p)};
  if (input.dtype == DType::kBool) throw_not_implemented("geometric_cpu", input.dtype);
  return {like_type(input, input.dtype)};
}
Outputs eager_geometric(const OpEntry& entry, Arguments arguments) {
  Tensor out = output_of(entry, arguments);
  fill_geometric(out, as_float(arguments[1]), generator());
  return out;
}

// ---- one for each element of a tensor ----------------------------------------------------------

TensorType rows_of(const TensorType& input) {
  return TensorType::tensor(input.dtype, input.sizes);
}

std::vector<TensorType> infer_gamma(const OpEntry&, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  if (input.dtype != DType::kFloat32 && input.dtype != DType::kFloat64)
    throw_not_implemented("gamma_cpu", input.dtype);
  return {rows_of(input)};
}
Outputs eager_gamma(const OpEntry& entry, Arguments arguments) {
  Tensor out = output_of(entry, arguments);
  fill_gamma(out, dense(arguments[0]), generator());
  return out;
}

std::vector<TensorType> infer_poisson(const OpEntry&, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  if (!is_floating(input.dtype)) throw_not_implemented("poisson_cpu", input.dtype);
  return {rows_of(input)};
}
Outputs eager_poisson(const OpEntry& entry, Arguments arguments) {
  Tensor out = output_of(entry, arguments);
  const Tensor rates = dense(arguments[0]);
  const Tensor wide = convert(rates, DType::kFloat64);
  for (int64_t i = 0; i < wide.numel(); ++i)
    if (!(wide.data<double>()[i] >= 0))
      throw OpError{"RuntimeError", "invalid Poisson rate, expected rate to be non-negative"};
  fill_poisson(out, rates, generator());
  return out;
}

std::vector<TensorType> infer_binomial(const OpEntry&, InferArguments arguments) {
  const TensorType &count = arguments[0].tensor(), &probability = arguments[1].tensor();
  for (const auto& [type, name] : {std::pair(&count, "count"), std::pair(&probability, "prob")})
    if (!is_floating(type->dtype))
      throw OpError{"ValueError",
                    fmt::format("binomial only supports floating-point dtypes for {}, got: {}",
                                name, scalar_type_name(type->dtype))};
  if (count.dtype != probability.dtype)
    throw OpError{"RuntimeError",
                  fmt::format("Found dtype {} but expected {}", scalar_type_name(probability.dtype),
                              scalar_type_name(count.dtype))};
  if (count.dtype != DType::kFloat32 && count.dtype != DType::kFloat64)
    throw_not_implemented("binomial_cpu", count.dtype);
  return {rows_of(count)};
}
Outputs eager_binomial(const OpEntry& entry, Arguments arguments) {
  Tensor out = output_of(entry, arguments);
  const Tensor probabilities = contiguous(expand(arguments[1].tensor(), out.sizes()));
  fill_binomial(out, dense(arguments[0]), probabilities, generator());
  return out;
}

OpValue no_slope(GradientCall& g) {
  return g.zeros_like("input");
}

constexpr Effects kDraws = {.random = true};

constexpr OpEntry kEntries[] = {
    {
        .name = "cauchy",
        .signature = "cauchy(input: Tensor, median: Number = 0.0, sigma: Number = 1.0) -> Tensor",
        .doc = "Random numbers of a Cauchy distribution, with the sizes and dtype of the input.",
        .infer = infer_cauchy,
        .eager = eager_cauchy,
        .lowering = Library{},
        .gradients = {{"input", "", no_slope}},
        .grad_name = "CauchyBackward0",
        .effects = kDraws,
        .forms = Forms::kInPlace,
        .in_place = "cauchy_",
        .samples = float_unary_samples,
    },
    {
        .name = "log_normal",
        .signature = "log_normal(input: Tensor, mean: Number = 1.0, std: Number = 2.0) -> Tensor",
        .doc = "e to the power of normal random numbers, with the sizes and dtype of the input.",
        .infer = infer_log_normal,
        .eager = eager_log_normal,
        .lowering = Library{},
        .gradients = {{"input", "", no_slope}},
        .grad_name = "LogNormalBackward0",
        .effects = kDraws,
        .forms = Forms::kInPlace,
        .in_place = "log_normal_",
        .samples = float_unary_samples,
    },
    {
        .name = "geometric",
        .signature = "geometric(input: Tensor, p: Number) -> Tensor",
        .doc = "Random numbers of trials until one of probability p succeeds, with the sizes and "
               "dtype of the input.",
        .infer = infer_geometric,
        .eager = eager_geometric,
        .lowering = Library{},
        .gradients = {{"input", "", no_slope}},
        .grad_name = "GeometricBackward0",
        .effects = kDraws,
        .forms = Forms::kInPlace,
        .in_place = "geometric_",
        .samples = probability_number_samples,
    },
    {
        .name = "standard_gamma",
        .signature = "_standard_gamma(input: Tensor) -> Tensor",
        .torch = "_draw_standard_gamma",
        .doc = "Random numbers of gamma distributions of a scale of 1, one for each concentration.",
        .infer = infer_gamma,
        .eager = eager_gamma,
        .lowering = Library{},
        .differentiable = false,
        .effects = kDraws,
        .samples = probability_samples,
    },
    {
        .name = "poisson",
        .signature = "poisson(input: Tensor) -> Tensor",
        .torch = "poisson",
        .doc = "Random numbers of Poisson distributions, one for each rate.",
        .infer = infer_poisson,
        .eager = eager_poisson,
        .lowering = Library{},
        .gradients = {{"input", "", no_slope}},
        .grad_name = "PoissonBackward0",
        .effects = {.random = true, .may_fail = true},
        .samples = probability_samples,
    },
    {
        .name = "binomial",
        .signature = "binomial(count: Tensor, prob: Tensor) -> Tensor",
        .torch = "binomial",
        .doc = "How many of so many trials succeed, at random, one number for each count.",
        .infer = infer_binomial,
        .eager = eager_binomial,
        .lowering = Library{},
        .gradients = {{"count", "", [](GradientCall& g) { return g.zeros_like("count"); }},
                      {"prob", "", [](GradientCall& g) { return g.zeros_like("prob"); }}},
        .grad_name = "BinomialBackward0",
        .effects = kDraws,
        .samples = count_probability_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> sampling_entries() {
  return kEntries;
}

}  // namespace glint::ops
