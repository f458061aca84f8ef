#include "passes/minimum_cut.h"

#include <random>

#include <catch2/catch.hpp>

using namespace glint::passes;

namespace {

struct Edge {
  size_t from, to;
  int64_t capacity;
};

/// What the edges from the source's side to the sink's cost.
int64_t cost_of_cut(const std::vector<Edge>& edges, const std::vector<bool>& sink_side) {
  int64_t cost = 0;
  for (const Edge& edge : edges)
    if (!sink_side[edge.from] && sink_side[edge.to]) cost += edge.capacity;
  return cost;
}

FlowNetwork network_of(size_t nodes, const std::vector<Edge>& edges) {
  FlowNetwork network;
  for (size_t i = 0; i < nodes; ++i) network.add_node();
  for (const Edge& edge : edges) network.add_edge(edge.from, edge.to, edge.capacity);
  return network;
}

}  // namespace

TEST_CASE("the cut of the header's example") {
  const std::vector<Edge> edges = {{0, 1, 3}, {1, 3, 1}, {0, 2, 2}, {2, 3, 9}, {1, 2, 2}};
  FlowNetwork::Cut cut = network_of(4, edges).minimum_cut(0, 3);
  CHECK(cut.cost == 5);
  CHECK(cut.cost == cost_of_cut(edges, cut.sink_side));
}

TEST_CASE("of equal cuts, the one next to the sink") {
  FlowNetwork::Cut cut = network_of(4, {{0, 1, 2}, {1, 2, 2}, {2, 3, 2}}).minimum_cut(0, 3);
  CHECK(cut.cost == 2);
  CHECK(cut.sink_side == std::vector<bool>{false, false, false, true});
}

TEST_CASE("where every cut has an edge that cannot be cut, the cost says so") {
  FlowNetwork network = network_of(3, {});
  network.add_edge(0, 1, FlowNetwork::kUncuttable);
  network.add_edge(1, 2, FlowNetwork::kUncuttable);
  CHECK(network.minimum_cut(0, 2).cost >= FlowNetwork::kUncuttable);
}

TEST_CASE("random networks are cut as cheaply as the best of all cuts") {
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const size_t nodes = 4 + random() % 6;
    std::vector<Edge> edges;
    for (size_t i = 0; i < 3 * nodes; ++i)
      edges.push_back({random() % nodes, random() % nodes, static_cast<int64_t>(random() % 12)});
    FlowNetwork::Cut cut = network_of(nodes, edges).minimum_cut(0, nodes - 1);
    int64_t best = FlowNetwork::kUncuttable;
    for (size_t choice = 0; choice < size_t(1) << (nodes - 2); ++choice) {
      std::vector<bool> sink_side(nodes, false);
      sink_side.back() = true;
      for (size_t i = 1; i + 1 < nodes; ++i) sink_side[i] = (choice >> (i - 1)) & 1;
      best = std::min(best, cost_of_cut(edges, sink_side));
    }
    INFO("seed " << seed);
    CHECK(cut.cost == best);
    CHECK(cost_of_cut(edges, cut.sink_side) == best);
  }
}
