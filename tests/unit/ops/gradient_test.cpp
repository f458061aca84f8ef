// Every gradient rule of the table against central finite differences in float64.
//
//     f(x) = sum(weights * operator(x, ...))      (f(x + h) - f(x - h)) / 2h   against
//     rule(weights)
//
// A rule is given what it says that it saves and nothing else. Elements at which the function has a
// kink or a jump within the step are left out: gradient_kinks_test.cpp says what happens there.
#include "ops/gradient.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/support/check.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "describe_call.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/samples.h"
#include "sanitized.h"

namespace glint::ops {
namespace {

/// Executes at once, and writes down which operators a rule calls.
class NamingBuilder final : public OpBuilder {
 public:
  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override {
    names.emplace(target);
    return eager_builder().call_all(target, std::move(positional), std::move(named));
  }
  TensorType type(const OpValue& value) override { return eager_builder().type(value); }

  std::set<std::string> names;
};

/// Operators that give floating results of floating tensors and have no derivative, with why.
const std::map<std::string_view, const char*> kWithoutDerivative = {
    {"detach", "cuts the record: that is what it is for"},
    {"standard_gamma", "the library records it: tests/scripts/distributions_more.py"},
    {"as_strided", "the tape shows it as a window on its base: tests/scripts/restride.py"},
    {"resize_", "refuses what requires a gradient"},
    {"zeros_like", "does not depend on the values of its input"},
    {"ones_like", "does not depend on the values of its input"},
    {"empty_like", "does not depend on the values of its input"},
    {"full_like", "does not depend on the values of its input"},
    {"new_zeros", "does not depend on the values of its input"},
    {"new_empty", "does not depend on the values of its input"},
    {"new_ones", "does not depend on the values of its input"},
    {"new_full", "does not depend on the values of its input"},
    {"rand_like", "does not depend on the values of its input"},
    {"randn_like", "does not depend on the values of its input"},
    {"scatter_multiply", "a step of scatter_reduce, which has the rules"},
    {"scatter_greatest", "a step of scatter_reduce, which has the rules"},
    {"scatter_least", "a step of scatter_reduce, which has the rules"},
    {"mm_epilogue", "written by the compiler, after derivatives are taken"},
};

/// Tensors of a call in order, those in lists too.
template <class V>
std::vector<V*> values_of(std::vector<BasicArgument<V>>& arguments) {
  std::vector<V*> values;
  for (auto& argument : arguments)
    for_each_value(argument, [&](V& value) { values.push_back(&value); });
  return values;
}

/// A sample in float64, its tensors contiguous and its own.
std::vector<Argument> in_float64(const Sample& sample) {
  std::vector<Argument> arguments = sample.arguments;
  for (Tensor* x : values_of(arguments)) {
    bool floating = is_floating(x->dtype());
    *x = clone(contiguous(floating ? convert(*x, DType::kFloat64) : *x));
  }
  for (Argument& argument : arguments)
    if (const DType* dtype = argument.get_if<DType>(); dtype && is_floating(*dtype))
      argument = DType::kFloat64;
  return arguments;
}

bool all_finite(std::vector<Argument>& arguments) {
  for (Tensor* x : values_of(arguments)) {
    if (x->dtype() != DType::kFloat64) continue;
    for (int64_t i = 0; i < x->numel(); ++i)
      if (!std::isfinite(x->data<double>()[i])) return false;
  }
  return true;
}

/// Weights for a result: distinct, of both signs.
Tensor weights_of(const Tensor& result, size_t which) {
  Tensor weights = Tensor::empty(result.sizes(), result.dtype());
  visit_dtype(result.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < weights.numel(); ++i)
      weights.data<T>()[i] =
          convert_element<T>(std::sin(1.0 + double(i) * 0.7 + double(which) * 0.3) + 0.1);
  });
  return weights;
}

/// sum(weights * results), over the floating results but the one that gets no gradient.
double weighted_sum(const OpEntry& entry, const std::vector<Argument>& arguments, size_t omitted) {
  Outputs outputs = call_eager(entry, arguments);
  double total = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!has_gradient(entry, i, outputs[i].dtype()) || i == omitted) continue;
    Tensor result = contiguous(convert(outputs[i], DType::kFloat64));
    Tensor weights = weights_of(result, i);
    for (int64_t k = 0; k < result.numel(); ++k)
      total += result.data<double>()[k] * weights.data<double>()[k];
  }
  return total;
}

constexpr size_t kNoneOmitted = 1000;

/// What a rule gives for one tensor (`part` of a list), fitted to it.
OpValue run_rule(OpBuilder& builder, const OpEntry& entry, const InputGradient& rule, size_t part,
                 const std::vector<Argument>& arguments, size_t omitted) {
  Outputs outputs = call_eager(entry, arguments);
  std::vector<OpArgument> kept;
  std::vector<TensorType> types, result_types;
  const Signature& parsed = signature(entry);
  for (size_t i = 0; i < parsed.parameters.size(); ++i) {
    bool saved = saves(rule, parsed.parameters[i].name);
    kept.push_back(map_argument<OpValue>(arguments[i], [&](const Tensor& x) {
      types.push_back(type_of(x));
      return saved ? eager_value(x) : OpValue();
    }));
  }
  std::vector<OpValue> results, gradients;
  for (size_t i = 0; i < outputs.size(); ++i) {
    result_types.push_back(type_of(outputs[i]));
    bool saved = saves(rule, result_name(entry, i));
    results.push_back(saved ? eager_value(outputs[i]) : OpValue());
    bool arrives = has_gradient(entry, i, outputs[i].dtype()) && i != omitted;
    gradients.push_back(arrives ? eager_value(weights_of(outputs[i], i)) : OpValue());
  }
  GradientCall::Inputs inputs{kept, types, results, result_types, gradients};
  GradientCall call(builder, entry, inputs);
  call.part = part;
  OpValue gradient = rule.rule(call);
  if (gradient == OpValue()) return gradient;
  return fit_gradient(builder, gradient, call.type(rule.of));
}

/// Compares a gradient with differences of the function; gives how many elements were compared.
/// `x` is a tensor among the arguments, whose elements are moved and put back.
int64_t compare(const OpEntry& entry, std::vector<Argument>& arguments, Tensor& x,
                const Tensor& gradient, size_t omitted) {
  int64_t compared = 0;
  double here = weighted_sum(entry, arguments, omitted);
  int64_t stride = std::max<int64_t>(1, x.numel() / 17);
  for (int64_t i = 0; i < x.numel(); i += stride) {
    double& element = x.data<double>()[i];
    double kept = element, step = 1e-6 * std::max(1.0, std::abs(kept));
    element = kept + step;
    double above = weighted_sum(entry, arguments, omitted);
    element = kept - step;
    double below = weighted_sum(entry, arguments, omitted);
    element = kept;
    double central = (above - below) / (2 * step);
    double forward = (above - here) / step, backward = (here - below) / step;
    double scale = 1.0 + std::abs(central);
    bool smooth = std::abs(forward - backward) <= 2e-3 * scale + 1e-9 * std::abs(here);
    if (!std::isfinite(central) || !smooth) continue;
    double got = gradient.data<double>()[i];
    ++compared;
    if (std::abs(got - central) <= 1e-4 * scale + 1e-9 * std::abs(here)) continue;
    INFO("element " << i << " at " << kept << ": the rule gives " << got << ", differences "
                    << central);
    CHECK(false);
  }
  return compared;
}

/// Whether the rule is for a tensor that a float64 difference can move.
bool movable(const Tensor* x) {
  return x && x->dtype() == DType::kFloat64;
}

/// One rule over one sample in float64: every tensor that its parameter holds.
int64_t check_values(OpBuilder& builder, const OpEntry& entry, const InputGradient& rule,
                     const Sample& sample) {
  std::vector<Argument> arguments = in_float64(sample);
  if (!all_finite(arguments)) return 0;
  INFO(describe(entry, arguments) << " for " << rule.of);
  std::vector<Tensor*> parts;
  for_each_value(arguments[*signature(entry).find(rule.of)],
                 [&](Tensor& x) { parts.push_back(&x); });
  size_t results = call_eager(entry, arguments).size();
  int64_t compared = 0;
  for (size_t part = 0; part < parts.size(); ++part) {
    if (!movable(parts[part])) continue;
    for (size_t omitted : {kNoneOmitted, size_t(results - 1)}) {
      if (omitted != kNoneOmitted && results < 2) continue;
      OpValue value = run_rule(builder, entry, rule, part, arguments, omitted);
      Tensor gradient = value == OpValue() ? Tensor::zeros(parts[part]->sizes(), DType::kFloat64)
                                           : contiguous(eager_tensor(value));
      REQUIRE(same_dims(gradient.sizes(), parts[part]->sizes()));
      compared += compare(entry, arguments, *parts[part], gradient, omitted);
    }
  }
  return compared;
}

/// One rule over one sample as it is: the gradient has the input's sizes and dtype.
void check_type(OpBuilder& builder, const OpEntry& entry, const InputGradient& rule,
                const Sample& sample) {
  INFO(describe(entry, sample.arguments) << " for " << rule.of);
  std::vector<Argument> arguments = sample.arguments;
  std::vector<Tensor> parts;
  for_each_value(arguments[*signature(entry).find(rule.of)],
                 [&](Tensor& x) { parts.push_back(x); });
  for (size_t part = 0; part < parts.size(); ++part) {
    if (!is_floating(parts[part].dtype())) continue;
    OpValue value = run_rule(builder, entry, rule, part, arguments, kNoneOmitted);
    if (value == OpValue()) continue;
    Tensor gradient = eager_tensor(value);
    CHECK(gradient.dtype() == parts[part].dtype());
    CHECK(same_dims(gradient.sizes(), parts[part].sizes()));
  }
}

bool gives_floating(const OpEntry& entry, const Sample& sample) {
  Outputs outputs = call_eager(entry, sample.arguments);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (is_floating(outputs[i].dtype())) return true;
  return false;
}

bool takes_floating(const Sample& sample) {
  std::vector<Argument> arguments = sample.arguments;
  for (Tensor* x : values_of(arguments))
    if (is_floating(x->dtype())) return true;
  return false;
}

/// Whether recording can differentiate what the operator does, or there is nothing to
/// differentiate.
bool differentiable_or_constant(const OpEntry& entry) {
  const OpEntry& functional = entry.functional_form ? *entry.functional_form : entry;
  if (has_gradients(functional) || functional.lacks_derivative) return true;
  if (kWithoutDerivative.contains(functional.name)) return true;
  if (functional.decomposition && !functional.lowers_to<Pointwise>()) return true;
  for (const Sample& sample : functional.samples(functional))
    if (takes_floating(sample) && gives_floating(functional, sample)) return false;
  return true;
}

/// Of a rule's samples the sanitizers see those that come first, up to so many differences.
constexpr int64_t kEnough = tests::kSanitized ? 30 : std::numeric_limits<int64_t>::max();

TEST_CASE("gradient rules agree with finite differences", "[ops][gradient]") {
  NamingBuilder builder;
  for (const OpEntry& entry : op_table()) {
    if (!has_gradients(entry)) continue;
    const std::vector<Sample> samples = entry.samples(entry);
    for (const InputGradient& rule : entry.gradients) {
      if (!rule.rule) continue;
      INFO(entry.name << " for " << rule.of);
      REQUIRE(signature(entry).find(rule.of).has_value());
      int64_t compared = 0;
      for (const Sample& sample : samples) {
        if (compared >= kEnough) break;
        if (!takes_floating(sample) || !gives_floating(entry, sample)) continue;
        INFO(describe(entry, sample.arguments));
        try {
          check_type(builder, entry, rule, sample);
          if (!entry.effects.random) compared += check_values(builder, entry, rule, sample);
        } catch (const OpError& error) {
          FAIL_CHECK(error.exception << ": " << error.message);
        } catch (const InternalError& error) {
          FAIL_CHECK(error.what());
        }
      }
      CHECK((compared > 0 || entry.effects.random));
    }
  }
}

TEST_CASE("what has a floating result has a gradient, or there is a reason", "[ops][gradient]") {
  for (const OpEntry& entry : op_table()) {
    INFO(entry.name << " has no rules, no decomposition and no reason");
    CHECK(differentiable_or_constant(entry));
  }
  for (const auto& [name, reason] : kWithoutDerivative) {
    INFO(name);
    REQUIRE(find_op(name) != nullptr);
    CHECK(!has_gradients(*find_op(name)));
  }
}

TEST_CASE("what gradient rules call can be differentiated again", "[ops][gradient]") {
  NamingBuilder builder;
  size_t turn = 0;
  for (const OpEntry& entry : op_table()) {
    if (!has_gradients(entry)) continue;
    for (const Sample& sample : entry.samples(entry)) {
      if (tests::kSanitized && turn++ % 8 != 0) continue;
      if (!takes_floating(sample) || !gives_floating(entry, sample)) continue;
      for (const InputGradient& rule : entry.gradients)
        if (rule.rule) CHECK_NOTHROW(check_type(builder, entry, rule, sample));
    }
  }
  CHECK(builder.names.size() > 20);
  for (const std::string& name : builder.names) {
    INFO(name);
    const OpEntry& called = *find_op(name);
    CHECK(differentiable_or_constant(called));
    CHECK(!called.effects.synchronises);
    CHECK(!called.effects.data_dependent);
  }
}

}  // namespace
}  // namespace glint::ops
