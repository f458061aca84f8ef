#include "passes/lower.h"

#include <unordered_map>

#include <fmt/format.h>

#include "core/support/check.h"
#include "passes/kernel_names.h"
#include "passes/lower_group.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

class ScheduleBuilder {
 public:
  ScheduleBuilder(const Graph& graph, const FusionPlan& plan)
      : graph_(graph), plan_(plan), names_(graph) {
    schedule_.name = graph.name;
    schedule_.input_count = graph.parameter_count;
    for (uint32_t i = 0; i < graph.parameter_count; ++i) {
      ScheduleTensor tensor{.name = graph.nodes[i].name, .type = graph.nodes[i].outputs.front()};
      tensor.role = ScheduleTensor::Role::kInput;
      add_tensor({NodeId(i), 0}, std::move(tensor));
    }
  }

  Schedule build() {
    for (size_t i = 0; i < plan_.groups.size(); ++i) {
      if (plan_.groups[i].kind == GroupKind::kLibrary)
        call(plan_.groups[i].members.front().node);
      else
        launch(static_cast<int>(i));
    }
    for (Value output : graph_.outputs) {
      TensorId id = tensor(output);
      schedule_.outputs.push_back(id);
      const ScheduleTensor& base = schedule_[base_of(id)];
      if (base.role == ScheduleTensor::Role::kSlot) schedule_.slots[base.slot].output = true;
    }
    return std::move(schedule_);
  }

 private:
  static uint64_t key(Value value) { return uint64_t(index(value.node)) << 8 | value.output; }

  TensorId add_tensor(Value value, ScheduleTensor tensor) {
    auto id = TensorId(schedule_.tensors.size());
    schedule_.tensors.push_back(std::move(tensor));
    tensors_.emplace(key(value), id);
    return id;
  }

  std::string name_of(Value value) const {
    const std::string& name = graph_[value.node].name;
    return value.output ? fmt::format("{}__{}", name, value.output) : name;
  }

  /// The tensor that holds a value: made on first use for constants and views.
  TensorId tensor(Value value) {
    auto found = tensors_.find(key(value));
    if (found != tensors_.end()) return found->second;
    const Node& node = graph_[value.node];
    const NodeFacts& facts = plan_.facts[index(value.node)];
    ScheduleTensor made{.name = name_of(value), .type = graph_.type(value)};
    if (node.kind == NodeKind::kConstant) {
      made.role = ScheduleTensor::Role::kConstant;
      made.data = node.data;
      return add_tensor(value, std::move(made));
    }
    check(facts.node_class == NodeClass::kView,
          fmt::format("%{} is needed in memory but was not computed", node.name));
    TensorId base = tensor(facts.operands.front());
    auto view = apply(*facts.view, schedule_[base].type);
    check(view.has_value(), fmt::format("%{} is no view of its base's memory", node.name));
    made.role = ScheduleTensor::Role::kView;
    made.base = base;
    made.offset = view->offset;
    made.type.strides = view->type.strides;
    return add_tensor(value, std::move(made));
  }

  TensorId new_slot(Value value) {
    ScheduleTensor made{.name = name_of(value), .type = graph_.type(value)};
    made.slot = static_cast<uint32_t>(schedule_.slots.size());
    schedule_.slots.push_back({made.type.bytes(), false});
    return add_tensor(value, std::move(made));
  }

  TensorId base_of(TensorId id) const {
    while (schedule_[id].role == ScheduleTensor::Role::kView) id = schedule_[id].base;
    return id;
  }

  void call(NodeId id) {
    const Node& node = graph_[id];
    LibraryCall call{.target = node.target,
                     .arguments = {},
                     .outputs = {},
                     .node = node.name,
                     .spans = node.origins};
    for (const NamedArgument& argument : node.arguments)
      call.arguments.push_back(
          {argument.name, convert_argument<TensorId>(
                              argument.value, [&](const Value& value) { return tensor(value); })});
    for (uint32_t i = 0; i < node.outputs.size(); ++i) call.outputs.push_back(new_slot({id, i}));
    schedule_.steps.push_back({std::move(call)});
  }

  void launch(int group) {
    bool joins = plan_.groups[static_cast<size_t>(group)].kind == GroupKind::kConcatenate;
    std::string name = names_.fresh(plan_.groups[static_cast<size_t>(group)]);
    LoweredGroup lowered = joins ? lower_concatenate(graph_, plan_, group, std::move(name))
                                 : lower_group(graph_, plan_, group, std::move(name));
    Launch launch{static_cast<uint32_t>(schedule_.kernels.size()), {}};
    for (Value value : lowered.inputs) launch.arguments.push_back(tensor(value));
    for (Value value : lowered.outputs) launch.arguments.push_back(new_slot(value));
    schedule_.kernels.push_back(std::move(lowered.kernel));
    schedule_.steps.push_back({std::move(launch)});
  }

  const Graph& graph_;
  const FusionPlan& plan_;
  Schedule schedule_;
  std::unordered_map<uint64_t, TensorId> tensors_;
  KernelNames names_;
};

}  // namespace

Schedule lower(const Graph& graph, const FusionPlan& plan) {
  return ScheduleBuilder(graph, plan).build();
}

}  // namespace glint::passes
