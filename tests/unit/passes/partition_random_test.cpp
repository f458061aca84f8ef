// Random joint graphs: the cut costs as little as the best of all sets of saved values, its parts
// do what its objective counts, and together they compute what the joint graph computes. Seeds are
// fixed; a failure prints its graph.
#include <algorithm>
#include <random>
#include <unordered_set>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/tensor/copy.h"
#include "core/tensor/generator.h"
#include "joint_graph.h"
#include "passes/partition.h"
#include "sanitized.h"

using namespace glint;
using namespace glint::passes;
using namespace glint::tests;

namespace {

/// Any mix of operators over f32[4, 6]: some of inputs alone, outputs among them, then some of
/// these and the tangent, gradients among them. 16 nodes behind the parameters, or few more.
class RandomJoint {
 public:
  RandomJoint(uint32_t seed, bool symbolic) : random_(seed), builder_(graph, {}) {
    ShapeEnvironment::Scope scope(environment);
    rows_ = symbolic ? environment.new_symbol(4) : SymInt(4);
    graph.name = "random";
    for (const char* name : {"x", "w"}) add_parameter(name);
    square_ =
        GraphBuilder::value(graph.add_parameter("m", TensorType::tensor(DType::kFloat32, {6, 6})));
    Value tangent = graph.add_parameter("t", TensorType::tensor(DType::kFloat32, {rows_, 6}));
    values_.push_back(builder_.call("cumsum", {values_[0], 1}));
    const size_t forward_nodes = 7 + pick(4);
    while (graph.call_count() < forward_nodes) values_.push_back(grow(any(), any(), 15));
    graph.outputs.push_back(values_.back().value);
    if (pick(2)) graph.outputs.push_back(any().value);
    shape = {static_cast<uint32_t>(graph.outputs.size()), 1};
    for (size_t i = 0; i < graph.outputs.size(); ++i) shape.writable.push_back(pick(3) == 0);
    OpValue gradient = GraphBuilder::value(tangent);
    while (graph.call_count() < kMostNodes) {
      if (pick(4) == 0)
        values_.push_back(grow(any(), any(), 14));
      else
        gradient = grow(gradient, any(), 14);
      if (pick(6) == 0) graph.outputs.push_back(gradient.value);
    }
    graph.outputs.push_back(gradient.value);
    graph.outputs.push_back(any().value);
  }

  Graph graph;
  JointShape shape;
  ShapeEnvironment environment;

 private:
  static constexpr size_t kMostNodes = 16;

  uint32_t pick(uint32_t count) { return random_() % count; }
  OpValue any() {
    auto count = static_cast<uint32_t>(values_.size());
    return values_[pick(2) ? count - 1 - pick(std::min(count, 3u)) : pick(count)];
  }
  void add_parameter(const char* name) {
    values_.push_back(GraphBuilder::value(
        graph.add_parameter(name, TensorType::tensor(DType::kFloat32, {rows_, 6}))));
  }

  /// One of the first `kinds` steps, the last of which draws: a node or a few.
  OpValue grow(OpValue x, OpValue y, uint32_t kinds) {
    OpBuilder& b = builder_;
    switch (pick(kinds)) {
      case 0:
        return b.multiply(x, y);
      case 1:
        return b.multiply(b.tanh(x), y);
      case 2:
        return b.subtract(b.add(x, 0.25), y);
      case 3:
        return b.subtract(y, b.sigmoid(x));
      case 4:
        return b.subtract(x, b.sum(y, {1}, true));
      case 5:
        return b.where(b.greater(x, y), x, 0.5);
      case 6:
        return b.multiply(x, b.call("softmax", {y, 1}));
      case 7:
        return b.multiply(x, b.call("gelu", {y}));
      case 8:
        return b.call("cumsum", {b.subtract(x, b.call("sin", {y})), 1});
      case 9:
        return b.call("t", {b.multiply(b.call("t", {x}), b.call("t", {y}))});
      case 10:
        return b.reshape(b.relu(b.reshape(x, {rows_ * 6})), {rows_, 6});
      case 11: {
        std::vector<OpValue> extreme = b.call_all("max", {x, 1, true}, {});
        return b.multiply(b.add(y, extreme[0]), b.to(extreme[1], DType::kFloat32));
      }
      case 12:
        return b.add(x, b.call("mm", {y, square_}));
      case 13:
        return b.multiply(b.add(b.full({rows_, 6}, 0.5, DType::kFloat32), y), x);
      default:
        return b.multiply(b.call("bernoulli_fill", {y, 0.5}), x);
    }
  }

  std::mt19937 random_;
  SymInt rows_;
  GraphBuilder builder_;
  OpValue square_;  ///< f32[6, 6]
  std::vector<OpValue> values_;
};

/// The cost of the best of all sets. An input is in each: that costs nothing, and there is no other
/// way to it.
int64_t best_of_all(const RandomJoint& made, const CutCosts& costs) {
  ValueSet saved = no_values(made.graph);
  const ValueSet candidates = evaluate_cut(made.graph, made.shape, costs, saved).read;
  std::vector<Value> open;
  for (uint32_t i = 0; i < made.graph.nodes.size(); ++i)
    for (uint32_t output = 0; output < candidates[i].size(); ++output) {
      const CutNode& node = costs.nodes[i];
      if (!candidates[i][output] || node.place == CutPlace::kBackward) continue;
      if (node.cut_class == CutClass::kInput)
        saved[i][output] = true;
      else if (costs.save[i][output] < kImpossible)
        open.push_back({NodeId(i), output});
    }
  REQUIRE(open.size() <= 20);
  int64_t best = kImpossible;
  for (size_t choice = 0; choice < size_t(1) << open.size(); ++choice) {
    for (size_t k = 0; k < open.size(); ++k)
      saved[index(open[k].node)][open[k].output] = (choice >> k) & 1;
    best = std::min(best, evaluate_cut(made.graph, made.shape, costs, saved).cost);
  }
  return best;
}

/// The objective, read off the two graphs.
int64_t cost_of_parts(const RandomJoint& made, const Partition& cut) {
  int64_t cost = 0;
  for (const SavedValue& saved : cut.saved) cost += cut.costs.save_cost(saved.value);
  std::unordered_set<std::string> in_backward;
  for (const Node& node : cut.backward.nodes)
    if (node.kind == NodeKind::kCall) in_backward.insert(node.name);
  for (const Node& node : cut.forward.nodes) {
    if (!in_backward.contains(node.name)) continue;
    for (size_t i = 0; i < made.graph.nodes.size(); ++i)
      if (made.graph.nodes[i].name == node.name) cost += cut.costs.nodes[i].work;
  }
  return cost;
}

std::vector<Tensor> made_up_inputs(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Tensor> inputs;
  for (int64_t rows : {4, 4, 6, 4}) {
    inputs.push_back(Tensor::empty({rows, 6}, DType::kFloat32));
    for (int64_t k = 0; k < rows * 6; ++k)
      inputs.back().data<float>()[k] = static_cast<float>(random() % 2001) / 1000.0f - 1.0f;
  }
  return inputs;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (!std::ranges::equal(a.sizes(), b.sizes()) || a.dtype() != b.dtype()) return false;
  Tensor x = contiguous(a), y = contiguous(b);
  return std::memcmp(x.raw_data(), y.raw_data(), x.numel() * x.element_size()) == 0;
}

/// What is wrong with the cut of one graph; empty when nothing is.
std::string complaint_about(uint32_t seed, bool symbolic) {
  RandomJoint made(seed, symbolic);
  ShapeEnvironment::Scope scope(made.environment);
  auto cut = partition(made.graph, made.shape);
  if (!cut) return cut.error().message;
  for (const Graph* part : {&cut->forward, &cut->backward})
    if (auto error = verify_calls(*part)) return error->message;
  if (int64_t best = best_of_all(made, cut->costs); best != cut->cost)
    return fmt::format("the cut costs {}, the best {}", cut->cost, best);
  if (int64_t parts = cost_of_parts(made, *cut); parts != cut->cost)
    return fmt::format("the cut costs {}, its parts {}", cut->cost, parts);
  std::vector<Tensor> inputs = made_up_inputs(seed);
  default_generator().seed(seed);
  std::vector<Tensor> expected = run_graph(made.graph, inputs, made.environment.hints());
  default_generator().seed(seed);
  std::vector<Tensor> found = run_parts(*cut, inputs, made.environment.hints());
  for (size_t i = 0; i < expected.size(); ++i)
    if (!same_bits(expected[i], found[i])) return fmt::format("output {} differs", i);
  return {};
}

// All sets of each graph are tried: under the sanitizers some graphs have to do.
constexpr uint32_t kGraphs = kSanitized ? 15 : 300;

}  // namespace

TEST_CASE("cuts of random joint graphs are the best, and compute the same") {
  int failures = 0;
  for (uint32_t seed = 1; seed <= kGraphs && failures < 5; ++seed)
    for (bool symbolic : {false, true}) {
      std::string complaint = complaint_about(seed, symbolic);
      if (complaint.empty()) continue;
      ++failures;
      FAIL_CHECK("seed " << seed << (symbolic ? ", symbolic: " : ": ") << complaint << "\n"
                         << print(RandomJoint(seed, symbolic).graph));
    }
}
