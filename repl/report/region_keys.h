// Names what a compile made: keys for the nodes of its graphs and for the statements of its
// kernels, each with what it came from.
//
//     %gelu   captured              from its places in the source
//     %exp    made by decompose     from the captured %softmax that it is a part of
//     statement 3 of softmax        from %exp
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "passes/pass_log.h"
#include "repl/report/links.h"

namespace glint::report {

/// The values behind a region's artifacts; null where its backend makes none.
struct RegionValues {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const passes::PassLog> log;

  const Graph* captured() const { return log && log->captured ? log->captured.get() : graph.get(); }
  /// The graph that fusion looked at.
  const Graph* fused() const { return log ? log->fused_graph.get() : nullptr; }
  /// The schedule that runs.
  const Schedule* schedule() const;
  std::vector<std::string> kernel_names() const;
};

void name_region(const RegionValues& values, uint32_t region, Links& links);

}  // namespace glint::report
