#include "passes/listings.h"

#include "passes/render.h"

namespace glint::passes {

std::vector<StageLine> GraphListing::operator()() const {
  std::vector<StageLine> lines = graph_lines(*graph);
  lines.insert(lines.end(), journal.begin(), journal.end());
  return lines;
}

bool is_joint(const Artifact& artifact) {
  const auto* listing = artifact.lines.target<GraphListing>();
  return listing && listing->part == GraphPart::kJoint;
}

std::vector<StageLine> PassListing::operator()() const {
  return pass_lines(*log, {.times = true, .open = true});
}

}  // namespace glint::passes
