// A graph as boxes and lines, and the memory of a schedule as bars: data for the page to draw.
#pragma once

#include <map>
#include <string>

#include "ir/graph.h"
#include "ir/kernel.h"
#include "repl/report/links.h"

namespace glint::report {

/// Which kernel, or call of a library, each node became: its place in `groups`.
struct Groups {
  std::vector<DrawnGroup> groups;
  std::map<std::string, uint32_t> of_node;
};
Groups groups_of(const Schedule& schedule);

Drawing draw_graph(std::string title, const Graph& graph, const Groups& groups, uint32_t region,
                   Links& links);

MemoryPlan memory_plan(const Schedule& schedule, uint32_t region, Links& links);

}  // namespace glint::report
