// The cheapest way to cut all paths of a network from a source to a sink.
//
//     source --3--> a --1--> sink        the cut {a -> sink, source -> b}: cost 1 + 2
//     source --2--> b --9--> sink
//     a -------------2------> b
//
// By the theorem of Ford and Fulkerson the cheapest cut costs as much as the largest flow, which
// Dinic's algorithm finds:
//   1. number the nodes by their distance from the source over edges with room left;
//   2. send flow along paths on which that number always grows, until there is none left;
//   3. again from 1, until the sink is out of reach.
// Of several cheapest cuts it gives the one next to the sink: on the sink's side are just the nodes
// from which the sink can be reached over edges with room left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glint::passes {

class FlowNetwork {
 public:
  /// The capacity of an edge that no cut may contain. The finite capacities of a network sum up to
  /// less.
  static constexpr int64_t kUncuttable = int64_t(1) << 60;

  /// Gives the node's number: 0, 1, 2, ...
  size_t add_node();
  void add_edge(size_t from, size_t to, int64_t capacity);

  struct Cut {
    int64_t cost = 0;             ///< at least `kUncuttable` where every cut has such an edge
    std::vector<bool> sink_side;  ///< for each node
  };
  Cut minimum_cut(size_t source, size_t sink) const;

 private:
  friend class LargestFlow;
  struct Edge {
    size_t to;
    int64_t room;  ///< what can still flow; the edge in front or behind runs the other way
  };
  std::vector<Edge> edges_;
  std::vector<std::vector<size_t>> edges_of_;  ///< by node: places in `edges_`
};

}  // namespace glint::passes
