// The table of operators against the backends: each entry's samples are captured as a graph of one
// call, sent through all passes, and run by `interp` and by `cpu`; both must give what the eager
// operator gives.
#include <catch2/catch.hpp>
#include <cmath>

#include "backends/cpu/cpu_backend.h"
#include "backends/interp/interp_backend.h"
#include "core/tensor/copy.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "passes/graph_builder.h"
#include "passes/pipeline.h"

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

/// The largest difference of two tensors relative to the tolerance; nans agree with nans.
double difference(const Tensor& got, const Tensor& expected, const ops::OpEntry& entry) {
  const ops::Tolerance& tolerance = entry.tolerance;
  // A composite's parts each round to 16 bits, its eager kernel only once.
  const double parts = ops::kind(entry) == ops::OpKind::kComposite ? 5.0 : 1.0;
  const Tensor x = convert(contiguous(got), DType::kFloat64);
  const Tensor y = convert(contiguous(expected), DType::kFloat64);
  double worst = 0;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double a = x.data<double>()[i];
    const double b = y.data<double>()[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    double allowed = tolerance.absolute + tolerance.relative * std::abs(b);
    if (expected.dtype() == DType::kBFloat16) allowed += 0.016 * parts * std::max(1.0, std::abs(b));
    if (expected.dtype() == DType::kFloat16) allowed += 0.002 * parts * std::max(1.0, std::abs(b));
    const double off = std::abs(a - b) / allowed;
    worst = std::isnan(off) ? 1e30 : std::max(worst, off);
  }
  return worst;
}

/// `empty` has no values to compare.
bool is_tested(const ops::OpEntry& entry) {
  if (std::string_view(entry.name).starts_with("empty")) return false;
  return entry.functional_form == nullptr && !entry.effects.random && !entry.effects.mutates &&
         !entry.effects.synchronises && !entry.effects.data_dependent;
}

void check_sample(const ops::OpEntry& entry, const ops::Sample& sample, const Backend& backend) {
  const ops::Outputs expected = ops::call_eager(entry, sample.arguments);
  if (expected.size() == 0) return;  // `unbind` of nothing: no node, no kernel
  Captured captured = capture(entry, sample);
  const std::string text = print(captured.graph);
  passes::PassLog log;
  const Schedule schedule =
      passes::run_pipeline(std::move(captured.graph), {.keep_values = false}, log);
  INFO(text << "\n" << print(schedule));
  auto compiled = backend.compile(schedule, {});
  if (!compiled) FAIL(compiled.error().message);
  std::vector<RunInput> inputs;
  for (const Tensor& tensor : captured.inputs) inputs.push_back({&tensor.impl(), nullptr});
  std::vector<Tensor> outputs;
  const RunStatus status = compiled.value()->run(inputs, {}, outputs);
  REQUIRE_FALSE(status);
  REQUIRE(outputs.size() == expected.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    CHECK(outputs[i].dtype() == expected[i].dtype());
    REQUIRE(same_dims(outputs[i].sizes(), expected[i].sizes()));
    CHECK(difference(outputs[i], expected[i], entry) <= 1.0);
  }
}

/// Every `step`-th sample of each entry: making machine code takes milliseconds a sample.
void check_table(const Backend& backend, size_t step) {
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (!is_tested(entry)) continue;
    const auto samples = entry.samples(entry);
    for (size_t i = 0; i < samples.size(); i += step) {
      const ops::Sample& sample = samples[i];
      if (sample.error) continue;
      INFO(entry.name << " on " << backend.name());
      try {
        check_sample(entry, sample, backend);
      } catch (const InternalError& error) {
        FAIL_CHECK(error.what());
      } catch (const ops::OpError& error) {
        FAIL_CHECK(error.message);
      }
    }
  }
}

TEST_CASE("every operator's samples give on interp what they give eagerly") {
  check_table(interp_backend(), 1);
}

TEST_CASE("every operator's samples give on cpu what they give eagerly") {
  check_table(cpu_backend(), 3);
}

}  // namespace
}  // namespace glint
