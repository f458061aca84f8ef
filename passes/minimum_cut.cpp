#include "passes/minimum_cut.h"

#include <algorithm>
#include <optional>

#include "core/support/check.h"

namespace glint::passes {

/// The flow while it grows. An edge's reverse, over which flow is taken back, is its neighbour:
/// edges 0 and 1, 2 and 3, ...
class LargestFlow {
 public:
  LargestFlow(const FlowNetwork& network, size_t source, size_t sink)
      : edges_(network.edges_), edges_of_(network.edges_of_), source_(source), sink_(sink) {}

  int64_t run() {
    int64_t flow = 0;
    while (flow < FlowNetwork::kUncuttable && number_nodes()) {
      tried_.assign(edges_of_.size(), 0);
      for (int64_t sent = 0; (sent = send_along_a_path()) > 0;) flow += sent;
    }
    return flow;
  }

  /// The nodes from which the sink is within reach.
  std::vector<bool> reaching_sink() const {
    std::vector<bool> reaches(edges_of_.size(), false);
    std::vector<size_t> open = {sink_};
    reaches[sink_] = true;
    while (!open.empty()) {
      size_t node = open.back();
      open.pop_back();
      for (size_t edge : edges_of_[node]) {
        size_t before = edges_[edge].to;
        if (reaches[before] || edges_[edge ^ 1].room == 0) continue;
        reaches[before] = true;
        open.push_back(before);
      }
    }
    return reaches;
  }

 private:
  static constexpr size_t kUnreached = ~size_t(0);

  /// Step 1; false when the sink is out of reach.
  bool number_nodes() {
    distance_.assign(edges_of_.size(), kUnreached);
    distance_[source_] = 0;
    std::vector<size_t> queue = {source_};
    for (size_t at = 0; at < queue.size(); ++at) {
      for (size_t edge : edges_of_[queue[at]]) {
        const auto& [to, room] = edges_[edge];
        if (room == 0 || distance_[to] != kUnreached) continue;
        distance_[to] = distance_[queue[at]] + 1;
        queue.push_back(to);
      }
    }
    return distance_[sink_] != kUnreached;
  }

  /// Step 2, one path: goes on while an edge leads farther, else steps back and never comes here
  /// again. Gives how much it sent, 0 when there is no path left.
  int64_t send_along_a_path() {
    std::vector<size_t> path;
    size_t node = source_;
    while (node != sink_) {
      if (std::optional<size_t> edge = next_edge(node)) {
        path.push_back(*edge);
        node = edges_[*edge].to;
      } else if (path.empty()) {
        return 0;
      } else {
        node = edges_[path.back() ^ 1].to;
        path.pop_back();
        ++tried_[node];
      }
    }
    int64_t sent = FlowNetwork::kUncuttable;
    for (size_t edge : path) sent = std::min(sent, edges_[edge].room);
    for (size_t edge : path) {
      edges_[edge].room -= sent;
      edges_[edge ^ 1].room += sent;
    }
    return sent;
  }

  std::optional<size_t> next_edge(size_t node) {
    for (size_t& at = tried_[node]; at < edges_of_[node].size(); ++at) {
      size_t edge = edges_of_[node][at];
      if (edges_[edge].room > 0 && distance_[edges_[edge].to] == distance_[node] + 1) return edge;
    }
    return std::nullopt;
  }

  std::vector<FlowNetwork::Edge> edges_;
  const std::vector<std::vector<size_t>>& edges_of_;
  size_t source_;
  size_t sink_;
  std::vector<size_t> distance_;
  std::vector<size_t> tried_;  ///< by node: how many of its edges lead nowhere any more
};

size_t FlowNetwork::add_node() {
  edges_of_.emplace_back();
  return edges_of_.size() - 1;
}

void FlowNetwork::add_edge(size_t from, size_t to, int64_t capacity) {
  check(capacity >= 0, "a capacity is not negative");
  edges_of_[from].push_back(edges_.size());
  edges_.push_back({to, capacity});
  edges_of_[to].push_back(edges_.size());
  edges_.push_back({from, 0});
}

FlowNetwork::Cut FlowNetwork::minimum_cut(size_t source, size_t sink) const {
  LargestFlow largest(*this, source, sink);
  int64_t cost = largest.run();
  return {cost, largest.reaching_sink()};
}

}  // namespace glint::passes
