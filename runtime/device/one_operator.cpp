#include "runtime/device/one_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "backends/cuda/cuda_backend.h"
#include "core/support/check.h"
#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/sharing.h"
#include "passes/graph_builder.h"
#include "passes/operators.h"
#include "passes/pipeline.h"
#include "runtime/device/abstract_call.h"

namespace glint::device {
namespace {

/// What was compiled for calls of one key, for sizes of which the relations hold.
struct Compiled {
  std::vector<Relation> relations;
  /// A result shows an argument's memory: the call runs as eager execution does, operator by
  /// operator, which knows whose view is whose. There is no schedule then.
  bool shares_memory = false;
  /// The result's type is that of the first argument.
  bool is_update = false;
  std::unique_ptr<CompiledSchedule> schedule;

  bool fits(std::span<const int64_t> symbols) const {
    return std::ranges::all_of(relations,
                               [&](const Relation& each) { return each.holds(symbols); });
  }
};

using Family = std::vector<std::unique_ptr<Compiled>>;

bool has_shared(const ops::OpEntry& entry, ops::InferArguments arguments) {
  using Kind = ops::Sharing::Kind;
  return std::ranges::any_of(ops::sharing(entry, arguments),
                             [](const ops::Sharing& each) { return each.kind != Kind::kFresh; });
}

/// Schedules have products as they are: what follows one is a kernel of its own.
const passes::PipelineOptions kOptions = {.keep_values = false, .disabled = {"fuse_epilogues"}};

std::unique_ptr<CompiledSchedule> compile(Graph graph, std::vector<passes::Update> updates) {
  passes::PassLog log;
  passes::PipelineOptions options = kOptions;
  options.updates = std::move(updates);
  const Schedule schedule = passes::run_pipeline(std::move(graph), options, log);
  auto compiled = cuda_backend().compile(schedule, {});
  if (!compiled) throw ops::OpError{"RuntimeError", compiled.error().message};
  return std::move(*compiled);
}

std::unique_ptr<Compiled> make(const ops::OpEntry& entry, const AbstractCall& call,
                               bool is_update) {
  auto made = std::make_unique<Compiled>();
  ShapeEnvironment shapes;
  const ShapeEnvironment::Scope scope(shapes);
  Graph graph;
  graph.name = entry.name;
  std::vector<Argument> bound = call.write_graph(graph, shapes);
  const auto types = passes::infer_arguments(graph, bound);
  made->shares_memory = !is_update && has_shared(entry, types);
  if (!made->shares_memory) {
    passes::GraphBuilder builder(graph, {});
    const NodeId node = builder.append(entry, std::move(bound));
    for (uint32_t i = 0; i < graph[node].outputs.size(); ++i) graph.outputs.push_back({node, i});
    made->is_update = is_update && graph.outputs.size() == 1 &&
                      graph.type(graph.outputs[0]) == graph.type(Value{NodeId(0), 0});
    std::vector<passes::Update> updates;
    if (made->is_update) updates.push_back({0, 0});
    if (made->is_update || !is_update) made->schedule = compile(std::move(graph), updates);
  }
  made->relations = shapes.relations();
  return made;
}

/// What was compiled for such a call, or is now.
Compiled& compiled_for(const ops::OpEntry& entry, const AbstractCall& call, bool is_update) {
  static auto& known = *new std::map<std::string, Family>;
  Family& family = known[(is_update ? "update " : "") + call.key()];
  for (const auto& each : family)
    if (each->fits(call.symbols())) return *each;
  family.push_back(make(entry, call, is_update));
  check(family.back()->fits(call.symbols()), "what was decided for these sizes holds for them");
  return *family.back();
}

std::vector<Tensor> run(Compiled& compiled, const AbstractCall& call) {
  std::vector<Tensor> outputs;
  const RunStatus fault = compiled.schedule->run(call.inputs(), call.symbols(), outputs);
  if (fault)
    throw ops::OpError{"RuntimeError",
                       fmt::format("CUDA error: device-side assert triggered: {}", *fault)};
  return outputs;
}

ops::Outputs run_by_parts(const ops::OpEntry& entry, ops::Arguments arguments) {
  if (entry.decomposition) {
    ops::Outputs outputs = ops::run_decomposition(entry, arguments);
    if (outputs.size() > 0) return outputs;
  }
  check(entry.eager != nullptr, "an operator whose result is its argument only looks at types");
  return entry.eager(entry, arguments);
}

/// Whether another argument shows memory of the first one, but as the same elements.
bool reads_target(ops::Arguments arguments) {
  const Tensor& target = arguments[0].tensor();
  bool found = false;
  for (const ops::Argument& argument : arguments.subspan(1))
    for_each_value(argument, [&](const Tensor& tensor) {
      const bool same = tensor.raw_data() == target.raw_data() &&
                        same_dims(tensor.sizes(), target.sizes()) &&
                        same_dims(tensor.strides(), target.strides());
      found = found || (!same && tensor.storage() == target.storage());
    });
  return found;
}

}  // namespace

ops::Outputs run_operator(const ops::OpEntry& entry, ops::Arguments arguments) {
  const AbstractCall call(entry, arguments);
  Compiled& compiled = compiled_for(entry, call, false);
  if (compiled.shares_memory) return run_by_parts(entry, arguments);
  return ops::Outputs(run(compiled, call));
}

bool run_update(const ops::OpEntry& entry, ops::Arguments arguments) {
  const bool is_kernel = !entry.effects.random && !entry.lowers_to<ops::Library>();
  if (!is_kernel || repeats_elements(arguments[0].tensor()) || reads_target(arguments))
    return false;
  const AbstractCall call(entry, arguments);
  Compiled& compiled = compiled_for(entry, call, true);
  if (!compiled.is_update) return false;
  const Tensor& target = arguments[0].tensor();
  const Tensor result = run(compiled, call)[0];
  if (!result.is_same(target)) copy(target, result);
  return true;
}

}  // namespace glint::device
