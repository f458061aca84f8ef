// Recipes of the stage log that keep the value whose text they make.
//
// Most lenses want lines and call the recipe. One that draws a graph, or puts two passes side by
// side, asks the artifact's recipe for its type and finds the value itself:
//
//     artifact.lines()                              the text of `:passes`
//     artifact.lines.target<PassListing>()->log     the records that it is made of
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/support/stage_log.h"
#include "ir/graph.h"
#include "passes/pass_log.h"

namespace glint::passes {

/// Whose graph it is: a region's, its backward's, or that of both, of which these two were cut.
enum class GraphPart : uint8_t { kRegion, kBackward, kJoint };

/// `:graph`: a region's graph, and what is done to other objects behind it.
struct GraphListing {
  std::shared_ptr<const Graph> graph;
  std::vector<StageLine> journal = {};
  GraphPart part = GraphPart::kRegion;

  std::vector<StageLine> operator()() const;
};

/// Whether an artifact is a joint graph.
bool is_joint(const Artifact& artifact);

/// `:passes`: each pass with its time, what it changed, and the rules that fired.
struct PassListing {
  std::shared_ptr<const PassLog> log;

  std::vector<StageLine> operator()() const;
};

}  // namespace glint::passes
