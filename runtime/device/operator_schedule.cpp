#include "runtime/device/operator_schedule.h"

#include <algorithm>

#include "ops/sharing.h"
#include "passes/graph_builder.h"
#include "passes/operators.h"
#include "passes/pipeline.h"

namespace glint::device {
namespace {

bool has_shared(const ops::OpEntry& entry, ops::InferArguments arguments) {
  using Kind = ops::Sharing::Kind;
  return std::ranges::any_of(ops::sharing(entry, arguments),
                             [](const ops::Sharing& each) { return each.kind != Kind::kFresh; });
}

/// Whatever their strides.
bool same_elements(const TensorType& a, const TensorType& b) {
  return a.dtype == b.dtype && a.sizes == b.sizes;
}

}  // namespace

OperatorSchedule operator_schedule(const ops::OpEntry& entry, const AbstractCall& call,
                                   bool is_update) {
  OperatorSchedule made;
  ShapeEnvironment shapes;
  const ShapeEnvironment::Scope scope(shapes);
  Graph graph;
  graph.name = entry.name;
  std::vector<Argument> bound = call.write_graph(graph, shapes);
  const auto types = passes::infer_arguments(graph, bound);
  made.shares_memory = !is_update && has_shared(entry, types);
  if (!made.shares_memory) {
    passes::GraphBuilder builder(graph, {});
    const NodeId node = builder.append(entry, std::move(bound));
    for (uint32_t i = 0; i < graph[node].outputs.size(); ++i) graph.outputs.push_back({node, i});
    made.is_update = is_update && graph.outputs.size() == 1 &&
                     same_elements(graph.type(graph.outputs[0]), graph.type(Value{NodeId(0), 0}));
    passes::PipelineOptions options = {.keep_values = false, .on_device = true};
    if (made.is_update) options.updates.push_back({0, 0});
    passes::PassLog log;
    if (made.is_update || !is_update)
      made.schedule = passes::run_pipeline(std::move(graph), options, log);
  }
  made.relations = shapes.relations();
  return made;
}

}  // namespace glint::device
