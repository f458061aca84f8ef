// Random graphs: chains, reductions, views, joins and products in every order, eager node by node
// against the whole pipeline run by `interp`. Seeds are fixed; a failure prints its graph.
#include <random>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "backends/interp/interp_backend.h"
#include "sample_graphs.h"
#include "sanitized.h"

using namespace glint;
using namespace glint::tests;

namespace {

class RandomGraph {
 public:
  RandomGraph(uint32_t seed, bool symbolic) : random_(seed) {
    environment = std::make_unique<ShapeEnvironment>();
    ShapeEnvironment::Scope scope(*environment);
    rows_ = symbolic ? environment->new_symbol(5) : SymInt(5);
    graph.name = "random";
    builder_ = std::make_unique<passes::GraphBuilder>(graph, std::vector<Span>{});
    for (int i = 0; i < 3; ++i)
      values_.push_back(passes::GraphBuilder::value(
          graph.add_parameter("x", TensorType::tensor(DType::kFloat32, {rows_, 6}))));
    for (int i = 0; i < 24; ++i) grow();
    for (int i = 0; i < 3; ++i) graph.outputs.push_back(any().value);
    graph.outputs.push_back(values_.back().value);
  }

  Graph graph;
  std::unique_ptr<ShapeEnvironment> environment;

 private:
  uint32_t pick(uint32_t count) { return random_() % count; }
  OpValue any() {
    // Recent values more often, so that chains grow.
    auto count = static_cast<uint32_t>(values_.size());
    return values_[pick(2) ? count - 1 - pick(std::min(count, 4u)) : pick(count)];
  }

  void grow() {
    OpBuilder& b = *builder_;
    OpValue x = any(), y = any();
    switch (pick(16)) {
      case 0:
        return keep(b.add(x, y));
      case 1:
        return keep(b.multiply(x, b.sigmoid(y)));
      case 2:
        return keep(b.subtract(x, 0.25));
      case 3:
        return keep(b.tanh(x));
      case 4:
        return keep(b.relu(x));
      case 5:
        return keep(b.subtract(x, b.amax(x, {1}, true)));
      case 6:
        return keep(b.add(y, b.mean(x, {1}, true)));
      case 7:
        return keep(b.call("softmax", {x, 1}));
      case 8:
        return keep(b.add(x, b.sum(y, {0}, true)));
      case 9:
        return keep(b.call("t", {b.tanh(b.call("t", {x}))}));
      case 10:
        return keep(b.reshape(b.add(b.reshape(x, {rows_ * 6}), 1.0), {rows_, 6}));
      case 11:
        return keep(b.call("cumsum", {b.tanh(x), 1}));
      case 12: {
        OpValue joined =
            b.call("cat", {OpArgument(std::vector<OpValue>{x, b.negative(y)})}, {{Name("dim"), 1}});
        return keep(b.call("slice", {joined, 1, 3, 9, 1}));
      }
      case 13:
        return keep(b.where(b.greater(x, y), x, b.multiply(y, 0.5)));
      case 14: {
        OpValue best = b.call("argmax", {x}, {{Name("dim"), 1}, {Name("keepdim"), true}});
        return keep(b.add(y, b.call("gather", {x, 1, best})));
      }
      default:
        return keep(b.call("flip", {x, std::vector<SymInt>{1}}));
    }
  }

  void keep(OpValue value) { values_.push_back(value); }

  std::mt19937 random_;
  SymInt rows_;
  std::unique_ptr<passes::GraphBuilder> builder_;
  std::vector<OpValue> values_;
};

Tensor random_tensor(std::mt19937& random) {
  Tensor tensor = Tensor::empty({5, 6}, DType::kFloat32);
  for (int i = 0; i < 30; ++i)
    tensor.data<float>()[i] = static_cast<float>(random() % 2001) / 1000.0f - 1.0f;
  return tensor;
}

std::vector<Tensor> run_eagerly(const Graph& graph, const std::vector<Tensor>& inputs,
                                std::span<const int64_t> symbols) {
  std::vector<std::vector<Tensor>> values(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (i < graph.parameter_count) {
      values[i] = {inputs[i]};
      continue;
    }
    std::vector<ops::Argument> arguments;
    for (const Argument& argument : passes::bound_arguments(graph.nodes[i])) {
      auto plain = passes::convert_argument<Tensor>(
          argument, [&](const Value& v) { return values[index(v.node)][v.output]; });
      auto evaluate = [&](ops::Argument& each) {
        if (auto* size = each.get_if<SymInt>()) each.value = SymInt(size->evaluate(symbols));
      };
      evaluate(plain);
      if (auto* list = std::get_if<ops::Argument::List>(&plain.value))
        for (ops::Argument& item : *list) evaluate(item);
      arguments.push_back(std::move(plain));
    }
    values[i] = ops::call_eager(passes::entry_of(graph.nodes[i]), arguments).to_vector();
  }
  std::vector<Tensor> outputs;
  for (Value output : graph.outputs) outputs.push_back(values[index(output.node)][output.output]);
  return outputs;
}

std::string compare(uint32_t seed, bool symbolic) {
  RandomGraph made(seed, symbolic);
  ShapeEnvironment::Scope scope(*made.environment);
  std::mt19937 random(seed);
  std::vector<Tensor> inputs{random_tensor(random), random_tensor(random), random_tensor(random)};
  const auto& symbols = made.environment->hints();
  std::vector<Tensor> expected = run_eagerly(made.graph, inputs, symbols);
  passes::PassLog log;
  Schedule schedule = passes::run_pipeline(made.graph, {.verify_calls = true}, log);
  auto compiled = interp_backend().compile(schedule, {});
  if (!compiled.ok()) return compiled.error().message + "\n" + print(made.graph);
  std::vector<RunInput> run;
  for (const Tensor& input : inputs) run.push_back({&input.impl(), nullptr});
  std::vector<Tensor> outputs;
  if (auto failed = (*compiled)->run(run, symbols, outputs))
    return std::string(*failed) + "\n" + print(made.graph);
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::string text = difference(expected[i], outputs[i], {.relative = 1e-4, .absolute = 1e-4});
    if (!text.empty())
      return fmt::format("output {}: {}\n{}\n{}", i, text, print(made.graph), print(schedule));
  }
  return {};
}

constexpr uint32_t kGraphs = kSanitized ? 50 : 200;

}  // namespace

TEST_CASE("random graphs compile to what eager gives") {
  int failures = 0;
  for (uint32_t seed = 1; seed <= kGraphs && failures < 5; ++seed)
    for (bool symbolic : {false, true}) {
      std::string complaint;
      try {
        complaint = compare(seed, symbolic);
      } catch (const std::exception& error) {
        complaint = error.what();
      }
      if (complaint.empty()) continue;
      ++failures;
      FAIL_CHECK("seed " << seed << (symbolic ? ", symbolic: " : ": ") << complaint);
    }
}
