// What compiling costs: how its time grows with the graph, which a quadratic step would change.
// Time is the thread's own on the processor, so that other programs on the machine do not count.
#include <time.h>

#include <algorithm>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "passes/graph_builder.h"
#include "passes/operators.h"
#include "passes/pipeline.h"

using namespace glint;
using namespace glint::passes;

namespace {

/// n light operators on (8, 16), then a sum, as bench/ladder.py has them.
Graph ladder(int n) {
  Graph graph;
  graph.name = "ladder";
  OpValue x =
      GraphBuilder::value(graph.add_parameter("x", TensorType::tensor(DType::kFloat32, {8, 16})));
  GraphBuilder b(graph, {Span{SourceId(1), 1, 0, 1, 4}});
  OpValue y = x;
  for (int i = 0; i < n; ++i) {
    switch (i % 6) {
      case 0:
        y = b.relu(y);
        break;
      case 1:
        y = b.multiply(y, x);
        break;
      case 2:
        y = b.tanh(y);
        break;
      case 3:
        y = b.add(y, 0.5);
        break;
      case 4:
        y = b.sigmoid(y);
        break;
      default:
        y = b.subtract(y, x);
        break;
    }
  }
  graph.outputs = {b.call("sum", {y}).value};
  return graph;
}

/// Layers that do not fuse into one another: a product, a bias, an activation, a residual.
Graph layers(int n) {
  Graph graph;
  graph.name = "layers";
  OpValue x =
      GraphBuilder::value(graph.add_parameter("x", TensorType::tensor(DType::kFloat32, {32, 32})));
  OpValue w =
      GraphBuilder::value(graph.add_parameter("w", TensorType::tensor(DType::kFloat32, {32, 32})));
  GraphBuilder b(graph, {Span{SourceId(1), 1, 0, 1, 4}});
  OpValue y = x;
  for (int i = 0; i < n; ++i) y = b.add(b.tanh(b.add(b.call("matmul", {y, w}), 1.0)), y);
  graph.outputs = {y.value};
  return graph;
}

double processor_milliseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

double fastest(const Graph& graph, int runs, bool print_passes = false) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    PassLog log;
    Graph copy = graph;
    const double start = processor_milliseconds();
    run_pipeline(std::move(copy), {}, log);
    best = std::min(best, processor_milliseconds() - start);
    if (print_passes && i == runs - 1)
      for (const PassRecord& pass : log.passes)
        fmt::print("  {:<24} {:.3f} ms\n", pass.name, pass.milliseconds);
  }
  return best;
}

}  // namespace

TEST_CASE("the pipeline's time", "[.time]") {
  for (int n : {1, 10, 30})
    fmt::print("ladder {:>4}  {:.3f} ms\n", n, fastest(ladder(n), 50, n == 30));
  for (int n : {50, 100, 250, 500})
    fmt::print("layers {:>4} nodes  {:.2f} ms\n", 4 * n, fastest(layers(n), 3, n == 500));
  for (int n : {500, 1000, 2000})
    fmt::print("chain  {:>4} nodes  {:.2f} ms\n", n, fastest(ladder(n), 3, n == 2000));
}

TEST_CASE("no pass is quadratic", "[timed]") {
  // Ten times the nodes take about as long as ten of the small graphs; a quadratic step takes ten
  // times that. A busy machine takes the processor away from time to time, and calls that the
  // thread's own time: both are measured over about as long, so that both meet it.
  constexpr double kMost = 3;
  const auto growth = [](Graph (*make)(int), int n) {
    const Graph small = make(n), large = make(10 * n);
    double ten_small = 1e9, one_large = 1e9;
    for (int i = 0; i < 40 && (i < 3 || one_large / ten_small >= kMost); ++i) {
      double together = 0;
      for (int k = 0; k < 10; ++k) together += fastest(small, 1);
      ten_small = std::min(ten_small, together);
      one_large = std::min(one_large, fastest(large, 1));
    }
    return one_large / ten_small;
  };
  CHECK(growth(layers, 50) < kMost);
  CHECK(growth(ladder, 200) < kMost);
}
