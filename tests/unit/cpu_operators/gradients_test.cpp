// Gradient rules as graphs: each rule is traced over its entry's samples, sent through all passes
// and run by `interp` and by `cpu`; both must give what the rule gives on tensors. That a rule
// traces at all shows that it reads no values.
#include "ops/gradient.h"

#include <cstring>

#include "backends/cpu/cpu_backend.h"
#include "backends/interp/interp_backend.h"
#include "core/tensor/copy.h"
#include "operator_cases.h"
#include "ops/blockwise.h"
#include "ops/builders.h"
#include "ops/infer.h"
#include "passes/graph_builder.h"
#include "passes/pipeline.h"
#include "sanitized.h"

namespace glint {
namespace {

/// Ones and twos for a result, so that no gradient is 0 by chance.
Tensor gradient_for(const Tensor& result) {
  Tensor gradient = Tensor::empty(result.sizes(), result.dtype());
  visit_dtype(result.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < gradient.numel(); ++i)
      gradient.data<T>()[i] = convert_element<T>(1.0 + double(i % 2));
  });
  return gradient;
}

/// Runs a rule on what `value_of` makes of the tensors that it may read.
template <class F>
OpValue run_rule(OpBuilder& builder, const ops::OpEntry& entry, const ops::InputGradient& rule,
                 const ops::Sample& sample, const ops::Outputs& outputs, F&& value_of) {
  std::vector<OpArgument> kept;
  std::vector<TensorType> types, result_types;
  const ops::Signature& parsed = ops::signature(entry);
  for (size_t i = 0; i < parsed.parameters.size(); ++i) {
    bool saved = ops::saves(rule, parsed.parameters[i].name);
    kept.push_back(ops::map_argument<OpValue>(sample.arguments[i], [&](const Tensor& x) {
      types.push_back(ops::type_of(x));
      return saved ? value_of(x) : OpValue();
    }));
  }
  std::vector<OpValue> results, gradients;
  for (size_t i = 0; i < outputs.size(); ++i) {
    result_types.push_back(ops::type_of(outputs[i]));
    bool saved = ops::saves(rule, ops::result_name(entry, i));
    results.push_back(saved ? value_of(outputs[i]) : OpValue());
    bool arrives = ops::has_gradient(entry, i, outputs[i].dtype());
    gradients.push_back(arrives ? value_of(gradient_for(outputs[i])) : OpValue());
  }
  ops::GradientCall::Inputs inputs{kept, types, results, result_types, gradients};
  ops::GradientCall call(builder, entry, inputs);
  OpValue gradient = rule.rule(call);
  if (gradient == OpValue()) return gradient;
  return ops::fit_gradient(builder, gradient, call.type(rule.of));
}

/// Nothing for a rule that only passes a gradient on: there is no graph to make.
std::optional<Case> schedule_of(const ops::OpEntry& entry, const ops::InputGradient& rule,
                                const ops::Sample& sample) {
  ops::Outputs outputs = ops::call_eager(entry, sample.arguments);
  if (outputs.size() == 0) return std::nullopt;
  Case made;
  Graph graph;
  graph.name = entry.name;
  passes::GraphBuilder builder(graph, {});
  OpValue traced = run_rule(builder, entry, rule, sample, outputs, [&](const Tensor& x) {
    made.inputs.push_back(x);
    std::string name = "x" + std::to_string(made.inputs.size());
    return passes::GraphBuilder::value(graph.add_parameter(name, ops::type_of(x)));
  });
  bool made_here = !(traced == OpValue()) && graph[traced.value.node].kind != NodeKind::kParameter;
  if (!made_here) return std::nullopt;
  graph.outputs.push_back(traced.value);
  OpValue wanted = run_rule(ops::eager_builder(), entry, rule, sample, outputs, ops::eager_value);
  made.expected = ops::eager_tensor(wanted);
  made.text = print(graph);
  passes::PassLog log;
  made.schedule = passes::run_pipeline(std::move(graph), {.keep_values = false}, log);
  return made;
}

/// A tensor of float32 that the rule is for: other dtypes are converted by the same `to`.
bool is_tried(const ops::InputGradient& rule, const ops::OpEntry& entry,
              const ops::Sample& sample) {
  const ops::Argument& argument = sample.arguments[*ops::signature(entry).find(rule.of)];
  bool floats = false;
  for_each_value(argument, [&](const Tensor& x) { floats |= x.dtype() == DType::kFloat32; });
  return floats && !sample.error;
}

bool are_same(const Tensor& a, const Tensor& b) {
  const Tensor x = contiguous(a), y = contiguous(b);
  return a.dtype() == b.dtype() && same_dims(a.sizes(), b.sizes()) &&
         same_dims(a.strides(), b.strides()) &&
         (x.numel() == 0 ||
          std::memcmp(x.raw_data(), y.raw_data(), size_t(x.numel()) * x.element_size()) == 0);
}

TEST_CASE("a rule that runs a block at a time gives what its operators give one by one") {
  size_t compared = 0;
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (entry.effects.random || entry.effects.data_dependent) continue;
    for (const ops::InputGradient& rule : entry.gradients) {
      if (!rule.rule) continue;
      INFO(entry.name << " for " << rule.of);
      for (const ops::Sample& sample : entry.samples(entry)) {
        if (!is_tried(rule, entry, sample)) continue;
        const ops::Outputs outputs = ops::call_eager(entry, sample.arguments);
        if (outputs.size() == 0) continue;
        ops::BlockwiseBuilder blockwise;
        const auto run = [&](OpBuilder& builder) {
          return run_rule(builder, entry, rule, sample, outputs, ops::eager_value);
        };
        const OpValue expected = run(ops::eager_builder()), found = run(blockwise);
        REQUIRE((expected == OpValue()) == (found == OpValue()));
        if (found == OpValue()) continue;
        CHECK(are_same(blockwise.tensor(found), ops::eager_tensor(expected)));
        ++compared;
      }
    }
  }
  CHECK(compared > 1000);
}

void check_rules(const Backend& backend, size_t step) {
  size_t traced = 0;
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (entry.effects.random || entry.effects.data_dependent) continue;
    for (const ops::InputGradient& rule : entry.gradients) {
      if (!rule.rule) continue;
      INFO(entry.name << " for " << rule.of << " on " << backend.name());
      std::vector<Case> cases;
      size_t tried = 0;
      for (const ops::Sample& sample : entry.samples(entry)) {
        if (!is_tried(rule, entry, sample) || tried++ % step != 0) continue;
        guarded([&] {
          if (auto made = schedule_of(entry, rule, sample)) cases.push_back(std::move(*made));
        });
      }
      guarded([&] { compile_together(cases, backend); });
      for (const Case& each : cases) guarded([&] { check_case(entry, each, backend); });
      traced += cases.size();
    }
  }
  CHECK(traced > 200);
}

/// Of a rule's samples every so-many-th.
constexpr size_t kStep = tests::kSanitized ? 5 : 1;

TEST_CASE("gradient rules give on interp what they give eagerly") {
  check_rules(interp_backend(), kStep);
}

TEST_CASE("gradient rules give on cpu what they give eagerly") {
  check_rules(cpu_backend(), 4 * kStep);
}

}  // namespace
}  // namespace glint
