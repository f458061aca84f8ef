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

/// Whether a result may be written into a tensor, whatever that one's strides.
bool goes_into(const TensorType& result, const TensorType& target) {
  bool equal = result.rank() == target.rank() &&
               dtype_category(result.dtype) <= dtype_category(target.dtype);
  for (size_t dim = 0; equal && dim < result.rank(); ++dim)
    equal = decide_equal(result.sizes[dim], target.sizes[dim]);
  return equal;
}

/// Makes the one output what the target, the first parameter, has: its dtype, its strides. False if
/// it does not go into that. A target that is read too leaves its strides to `plan_buffers`.
bool fit_output(passes::GraphBuilder& builder, Graph& graph, bool reads_target) {
  constexpr Value kTarget{NodeId(0), 0};
  if (graph.outputs.size() != 1) return false;
  const TensorType made = graph.type(graph.outputs[0]);
  TensorType target = graph.type(kTarget);
  if (!goes_into(made, target)) return false;
  // What is as long may be written in other symbols; then the result's are taken.
  if (!reads_target) target.sizes = made.sizes;
  graph[kTarget.node].outputs[0] = target;
  const bool converts = made.dtype != target.dtype;
  if (!converts && (reads_target || made.strides == target.strides)) return true;
  const ops::OpEntry& entry = *ops::find_op(converts ? "to" : "clone");
  std::vector<Argument> arguments = {Argument(graph.outputs[0])};
  if (converts) arguments.emplace_back(target.dtype);
  const NodeId node = builder.append(entry, std::move(arguments));
  graph[node].outputs[0] = target;
  graph.outputs[0] = {node, 0};
  return true;
}

/// Whether the step that computes the one output writes it into the first input.
bool writes_target(const Schedule& schedule) {
  const ScheduleTensor& output = schedule[schedule.outputs[0]];
  return output.role == ScheduleTensor::Role::kSlot &&
         schedule.slots[output.slot].input == TensorId(0);
}

/// The schedule of a graph of one call, which it takes; nothing where its target cannot be written.
std::optional<Schedule> schedule_of(Graph& graph, passes::GraphBuilder& builder,
                                    const AbstractCall& call) {
  passes::PipelineOptions options = {.keep_values = false, .on_device = true};
  passes::PassLog log;
  if (!call.has_target()) return passes::run_pipeline(std::move(graph), options, log);
  if (!fit_output(builder, graph, call.reads_target())) return std::nullopt;
  options.updates.push_back({.output = 0, .input = 0, .may_be_void = true});
  Schedule made = passes::run_pipeline(std::move(graph), options, log);
  return writes_target(made) ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace

OperatorSchedule operator_schedule(const ops::OpEntry& entry, const AbstractCall& call) {
  OperatorSchedule made;
  ShapeEnvironment shapes;
  const ShapeEnvironment::Scope scope(shapes);
  Graph graph;
  graph.name = entry.name;
  std::vector<Argument> bound = call.write_graph(graph, shapes);
  const auto types = passes::infer_arguments(graph, bound);
  made.shares_memory = !call.has_target() && has_shared(entry, types);
  if (!made.shares_memory) {
    passes::GraphBuilder builder(graph, {});
    const NodeId node = builder.append(entry, std::move(bound));
    for (uint32_t i = 0; i < graph[node].outputs.size(); ++i) graph.outputs.push_back({node, i});
    made.schedule = schedule_of(graph, builder, call);
  }
  made.relations = shapes.relations();
  return made;
}

}  // namespace glint::device
