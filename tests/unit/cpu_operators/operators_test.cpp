// The table of operators against the backend `cpu`: each entry's samples are captured as a graph of
// one call, sent through all passes, and run; that must give what the eager operator gives. (What
// `interp` makes of them is in tests/unit/interp.)
#include "operator_cases.h"

#include "backends/cpu/cpu_backend.h"
#include "core/support/environment.h"
#include "ops/builders.h"
#include "ops/infer.h"
#include "ops/sample_kinds.h"
#include "passes/graph_builder.h"
#include "passes/pipeline.h"
#include "sanitized.h"

namespace glint {
namespace {

struct Captured {
  Graph graph;
  std::vector<Tensor> inputs;
};

/// A graph of one call, with a parameter for each tensor among the arguments.
Captured capture(const ops::OpEntry& entry, const ops::Sample& sample) {
  Captured captured;
  captured.graph.name = entry.name;
  std::vector<Argument> bound;
  for (const ops::Argument& argument : sample.arguments) {
    bound.push_back(ops::map_argument<Value>(argument, [&](const Tensor& tensor) {
      captured.inputs.push_back(tensor);
      return captured.graph.add_parameter("x" + std::to_string(captured.inputs.size()),
                                          ops::type_of(tensor));
    }));
  }
  passes::GraphBuilder builder(captured.graph, {});
  const NodeId node = builder.append(entry, std::move(bound));
  const auto count = static_cast<uint32_t>(captured.graph[node].outputs.size());
  for (uint32_t i = 0; i < count; ++i) captured.graph.outputs.push_back({node, i});
  return captured;
}

/// `empty` has no values to compare.
bool is_tested(const ops::OpEntry& entry) {
  if (std::string_view(entry.name).find("empty") != std::string_view::npos) return false;
  return entry.functional_form == nullptr && !entry.effects.random && !entry.effects.mutates &&
         !entry.effects.synchronises && !entry.effects.data_dependent;
}

std::optional<Case> schedule_of(const ops::OpEntry& entry, const ops::Sample& sample) {
  Case made;
  made.expected = ops::call_eager(entry, sample.arguments);
  if (made.expected.size() == 0) return std::nullopt;  // `unbind` of nothing: no node, no kernel
  Captured captured = capture(entry, sample);
  made.inputs = std::move(captured.inputs);
  made.text = print(captured.graph);
  passes::PassLog log;
  made.schedule = passes::run_pipeline(std::move(captured.graph), {.keep_values = false}, log);
  return made;
}

/// Making machine code takes milliseconds a sample, and with the sanitizers ten times that. Held to
/// a lesser processor, which is a second run, a third of the samples do.
size_t step() {
  if (tests::kSanitized) return 30;
  return environment::value(environment::Variable::kCpu) ? 9 : 3;
}

TEST_CASE("every operator's samples give on cpu what they give eagerly") {
  const Backend& backend = cpu_backend();
  const size_t every = step();
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (!is_tested(entry)) continue;
    INFO(entry.name);
    const auto samples = ops::every_sample(entry);
    std::vector<Case> cases;
    for (size_t i = 0; i < samples.size(); i += every) {
      if (samples[i].error) continue;
      guarded([&] {
        if (auto made = schedule_of(entry, samples[i])) cases.push_back(std::move(*made));
      });
    }
    guarded([&] { compile_together(cases, backend); });
    for (const Case& each : cases) guarded([&] { check_case(entry, each, backend); });
  }
}

}  // namespace
}  // namespace glint
