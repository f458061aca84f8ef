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

/// A sample on its way through the passes.
struct Case {
  ops::Outputs expected;
  std::vector<Tensor> inputs;
  std::string text;
  Schedule schedule;
};

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

void check_case(const ops::OpEntry& entry, const Case& each, const Backend& backend) {
  INFO(each.text << "\n" << print(each.schedule));
  auto compiled = backend.compile(each.schedule, {});
  if (!compiled) FAIL(compiled.error().message);
  std::vector<RunInput> inputs;
  for (const Tensor& tensor : each.inputs) inputs.push_back({&tensor.impl(), nullptr});
  std::vector<Tensor> outputs;
  const RunStatus status = compiled.value()->run(inputs, {}, outputs);
  REQUIRE_FALSE(status);
  REQUIRE(outputs.size() == each.expected.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    CHECK(outputs[i].dtype() == each.expected[i].dtype());
    REQUIRE(same_dims(outputs[i].sizes(), each.expected[i].sizes()));
    CHECK(difference(outputs[i], each.expected[i], entry) <= 1.0);
  }
}

/// Reports what `body` throws as a failure of the test.
template <class Body>
void guarded(Body&& body) {
  try {
    body();
  } catch (const InternalError& error) {
    FAIL_CHECK(error.what());
  } catch (const ops::OpError& error) {
    FAIL_CHECK(error.message);
  }
}

/// Makes the machine code of all kernels of the cases as one module, where each finds it cached: a
/// module for each would take longer.
void compile_together(const std::vector<Case>& cases, const Backend& backend) {
  Schedule all;
  for (const Case& each : cases)
    all.kernels.insert(all.kernels.end(), each.schedule.kernels.begin(),
                       each.schedule.kernels.end());
  auto compiled = backend.compile(all, {});
  if (!compiled) FAIL_CHECK(compiled.error().message);
}

/// Every `step`-th sample of each entry: making machine code takes milliseconds a sample.
void check_table(const Backend& backend, size_t step) {
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (!is_tested(entry)) continue;
    INFO(entry.name << " on " << backend.name());
    const auto samples = entry.samples(entry);
    std::vector<Case> cases;
    for (size_t i = 0; i < samples.size(); i += step) {
      if (samples[i].error) continue;
      guarded([&] {
        if (auto made = schedule_of(entry, samples[i])) cases.push_back(std::move(*made));
      });
    }
    guarded([&] { compile_together(cases, backend); });
    for (const Case& each : cases) guarded([&] { check_case(entry, each, backend); });
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
