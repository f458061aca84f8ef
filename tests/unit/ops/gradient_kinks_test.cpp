// Gradients where a finite difference says nothing: at kinks, ties, zeros and far out. The wanted
// values are PyTorch's, for gradients 1, 2, 3, ... of the result's elements.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/gradient.h"
#include "ops/infer.h"

namespace glint::ops {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
using Values = std::vector<double>;

Tensor vector_of(const Values& values) {
  Tensor x = Tensor::empty({int64_t(values.size())}, DType::kFloat64);
  std::ranges::copy(values, x.data<double>());
  return x;
}

/// The gradient for one parameter, all tensors and results given.
Values gradient_of(const char* name, const char* parameter, const std::vector<Argument>& given) {
  const OpEntry& entry = *find_op(name);
  auto arguments = complete_arguments<Tensor>(entry, given, {});
  Outputs outputs = call_eager(entry, arguments);
  std::vector<OpArgument> kept;
  std::vector<TensorType> types, result_types;
  for (const Argument& argument : arguments)
    kept.push_back(map_argument<OpValue>(argument, [&](const Tensor& x) {
      types.push_back(type_of(x));
      return eager_value(x);
    }));
  std::vector<OpValue> results, gradients;
  for (size_t i = 0; i < outputs.size(); ++i) {
    result_types.push_back(type_of(outputs[i]));
    results.push_back(eager_value(outputs[i]));
    Tensor weights = Tensor::empty(outputs[i].sizes(), DType::kFloat64);
    for (int64_t k = 0; k < weights.numel(); ++k) weights.data<double>()[k] = double(k + 1);
    gradients.push_back(i == 0 ? eager_value(weights) : OpValue());
  }
  GradientCall::Inputs inputs{kept, types, results, result_types, gradients};
  GradientCall call(eager_builder(), entry, inputs);
  const InputGradient* rule = find_gradient(entry, parameter);
  REQUIRE(rule != nullptr);
  OpValue value = fit_gradient(eager_builder(), rule->rule(call), call.type(parameter));
  Tensor gradient = contiguous(eager_tensor(value));
  return {gradient.data<double>(), gradient.data<double>() + gradient.numel()};
}

struct Kink {
  const char* name;
  const char* parameter;
  std::vector<Argument> arguments;
  Values wanted;
};

void check_kinks(const std::vector<Kink>& kinks) {
  for (const Kink& kink : kinks) {
    Values got = gradient_of(kink.name, kink.parameter, kink.arguments);
    REQUIRE(got.size() == kink.wanted.size());
    for (size_t i = 0; i < got.size(); ++i) {
      INFO(kink.name << " for " << kink.parameter << ", element " << i << ": " << got[i]
                     << ", wanted " << kink.wanted[i]);
      bool same = got[i] == kink.wanted[i] || (std::isnan(got[i]) && std::isnan(kink.wanted[i]));
      CHECK((same || std::abs(got[i] - kink.wanted[i]) <= 1e-12 * std::abs(kink.wanted[i])));
    }
  }
}

TEST_CASE("ties share a gradient", "[ops][gradient]") {
  Tensor x = vector_of({1, 2, 3}), y = vector_of({1, 3, 2});
  Tensor inside = vector_of({1, 2, 3, 5, 0, 2}), low = vector_of({1, 1, 1, 6, 1, 3}),
         high = vector_of({4, 2, 2, 4, 4, 1});
  check_kinks({
      {"maximum", "input", {x, y}, {0.5, 0, 3}},
      {"maximum", "other", {x, y}, {0.5, 2, 0}},
      {"minimum", "input", {x, y}, {0.5, 2, 0}},
      {"minimum", "other", {x, y}, {0.5, 0, 3}},
      {"clamp_min", "input", {x, y}, {0.5, 0, 3}},
      {"clamp_min", "min", {x, y}, {0.5, 2, 0}},
      {"clamp_max", "input", {x, y}, {0.5, 2, 0}},
      {"clamp_max", "max", {x, y}, {0.5, 0, 3}},
      {"clamp", "input", {inside, low, high}, {0.5, 1, 0, 0, 0, 0}},
      {"clamp", "min", {inside, low, high}, {0.5, 0, 0, 0, 5, 0}},
      {"clamp", "max", {inside, low, high}, {0, 1, 3, 4, 0, 6}},
      {"amax", "input", {vector_of({3, 1, 3, 3}), 0}, {1.0 / 3, 0, 1.0 / 3, 1.0 / 3}},
      {"amin", "input", {vector_of({1, 1, 3, 3}), 0}, {0.5, 0.5, 0, 0}},
      {"max_all", "input", {vector_of({3, 1, 3})}, {0.5, 0, 0.5}},
      {"max_along", "input", {vector_of({3, 1, 3}), 0}, {1, 0, 0}},
      {"min_along", "input", {vector_of({3, 1, 1}), 0}, {0, 1, 0}},
      {"sort", "input", {vector_of({2, 1, 2})}, {2, 1, 3}},
      {"norm", "input", {vector_of({2, -2, 1}), kInf}, {0.5, -0.5, 0}},
  });
}

TEST_CASE("kinks have PyTorch's gradient", "[ops][gradient]") {
  check_kinks({
      {"abs", "input", {vector_of({0, -0.0, 2})}, {0, 0, 3}},
      {"relu", "input", {vector_of({0, -1, kNan})}, {0, 0, 3}},
      {"clamp_min", "input", {vector_of({0, -1, 1}), 0}, {0, 0, 3}},
      {"clamp_min", "input", {vector_of({kNan, 2}), 1}, {0, 2}},
      {"clamp_max", "input", {vector_of({0, -1, 1}), 0}, {0, 2, 0}},
      {"clamp", "input", {vector_of({-1, 1, 2, -2, 0, kNan}), -1, 1}, {0, 0, 0, 0, 5, 0}},
      {"hardtanh", "input", {vector_of({-1, 1, 2, -2, 0})}, {0, 0, 0, 0, 5}},
      {"leaky_relu", "input", {vector_of({0})}, {0.01}},
      {"elu", "input", {vector_of({0, -1})}, {1, 0.7357588823428847}},
      {"round", "input", {vector_of({0.5, 1})}, {0, 0}},
      {"sqrt", "input", {vector_of({0})}, {kInf}},
      {"softplus", "input", {vector_of({20, 21, 30})}, {0.9999999979388464, 2, 3}},
      {"smooth_l1_loss",
       "target",
       {vector_of({0, 1, 2}), vector_of({0, 0, 0}), "sum"},
       {0, -1, -1}},
  });
}

TEST_CASE("zeros do not spoil powers, norms and products", "[ops][gradient]") {
  Tensor base = vector_of({0, 0, 0, -2, 0}), exponent = vector_of({0, 2, 1, 0, -0.0});
  check_kinks({
      {"power", "input", {base, exponent}, {0, 0, 3, 0, 0}},
      {"power", "exponent", {base, exponent}, {0, 0, 0, kNan, 0}},
      {"power", "input", {base, 0}, {0, 0, 0, 0, 0}},
      {"norm", "input", {vector_of({0, 0})}, {0, 0}},
      {"norm", "input", {vector_of({0, -1}), 1}, {0, -1}},
      {"norm", "input", {vector_of({0, 0}), 3}, {0, 0}},
      {"norm", "input", {vector_of({0, 4}), 0.5}, {0, 1}},
      {"std", "input", {vector_of({2, 2, 2})}, {0, 0, 0}},
      {"prod", "input", {vector_of({2, 0, 3})}, {0, 6, 0}},
      {"prod", "input", {vector_of({0, 0, 3})}, {0, 0, 0}},
      {"prod", "input", {vector_of({2, 4, 3})}, {12, 6, 8}},
      {"cumprod", "input", {vector_of({2, 0, 3, 5}), 0}, {1, 142, 0, 0}},
      {"cumprod", "input", {vector_of({2, 0, 3, 0, 5}), 0}, {1, 22, 0, 0, 0}},
  });
}

TEST_CASE("gradients stay finite far out, where PyTorch's do", "[ops][gradient]") {
  Tensor far = vector_of({-1000, 0, 1000});
  Tensor p = vector_of({0, 1}), target = vector_of({1, 1});
  check_kinks({
      {"silu", "input", {far}, {0, 1, 3}},
      {"log_sigmoid", "input", {far}, {1, 1, 0}},
      {"gelu", "input", {far}, {0, 1, 3}},
      {"binary_cross_entropy", "input", {p, target, Argument(), "sum"}, {-1000000003995.8029, 0}},
      {"binary_cross_entropy", "target", {p, target, Argument(), "sum"}, {kInf, -kInf}},
      {"logsumexp", "input", {vector_of({-kInf, -kInf}), 0}, {kNan, kNan}},
  });
}

}  // namespace
}  // namespace glint::ops
