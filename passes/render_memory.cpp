// The memory plan as text: slots, who lives in them when, and what a call needs in all. Of a
// training step also what its forward keeps for its backward, and for how long.
//
//     slot 0   32*s0 bytes   workspace   %a steps 0 to 1, %b steps 1 to 2
//     slot 1   4*s0 bytes    output      %sum from step 2
//     workspace 32*s0 bytes, outputs 4*s0 bytes; without sharing 68*s0 bytes
//     kept for the backward:
//       %a   32*s0 bytes   from step 0 to 2                       for %mul_1, %mm
//       %c   32*s0 bytes   from step 0 to 2: the backward's own   for %mul_2
//
// The last is a value of the backward that a kernel of the forward computes, since it has at hand
// what goes into it: it takes memory for as long, in place of what it is made of.
#include <algorithm>

#include <fmt/format.h>

#include "passes/memory_lives.h"
#include "passes/node_class.h"
#include "passes/render.h"

namespace glint::passes {

namespace {

/// What a training step's backward reads that its forward has made.
class KeptValues {
 public:
  KeptValues(const Graph& graph, const Schedule& schedule)
      : graph_(graph), schedule_(schedule), lives_(find_lives(schedule)) {
    facts_ = find_facts(graph);
    for (size_t i = graph.parameter_count; i < graph.nodes.size(); ++i) {
      const Node& reader = graph.nodes[i];
      if (reader.phase != Phase::kBackward || facts_[i].node_class == NodeClass::kView) continue;
      for (Value operand : facts_[i].operands) note(root_of(operand), reader.name);
    }
    // A value of the backward that stays in its kernel takes no memory.
    const size_t forward = last_of_forward();
    std::erase_if(kept_, [&](const Kept& each) {
      return is_of_backward(each.value) &&
             (!each.life || each.life->leaves || each.life->first > forward);
    });
  }

  std::vector<StageLine> lines() const {
    std::vector<StageLine> lines;
    if (kept_.empty()) return lines;
    size_t name = 0, bytes = 0, life = 0;
    for (const Kept& each : kept_) {
      name = std::max(name, graph_.text(each.value).size());
      bytes = std::max(bytes, graph_.type(each.value).bytes().text().size());
      life = std::max(life, life_text(each).size());
    }
    lines.push_back({"kept for the backward:", {}});
    for (const Kept& each : kept_)
      lines.push_back(
          {fmt::format("  {:<{}}  {:>{}} bytes   {:<{}}   for {}", graph_.text(each.value), name,
                       graph_.type(each.value).bytes().text(), bytes, life_text(each), life,
                       each.readers),
           graph_[each.value.node].origins});
    lines.push_back({most_text(), {}});
    return lines;
  }

 private:
  struct Kept {
    Value value;
    std::string readers;
    const Life* life;  ///< null: it is an input, or lives in the registers of one kernel
  };

  Value root_of(Value value) const { return trace(graph_, facts_, value).root; }

  void note(Value value, const std::string& reader) {
    const Node& node = graph_[value.node];
    bool given = node.kind == NodeKind::kParameter;
    if (node.kind == NodeKind::kConstant || (!given && node.phase == Phase::kUpdate)) return;
    if (facts_[index(value.node)].node_class == NodeClass::kCreate) return;
    auto known = std::ranges::find(kept_, value, &Kept::value);
    if (known == kept_.end()) {
      kept_.push_back({value, "%" + reader, given ? nullptr : life_of(value)});
      return;
    }
    std::string name = "%" + reader;
    if (!known->readers.ends_with(name)) known->readers += ", " + name;
  }

  const Life* life_of(Value value) const {
    std::string name = graph_.text(value).substr(1);
    auto found = std::ranges::find(schedule_.tensors, name, &ScheduleTensor::name);
    if (found == schedule_.tensors.end() || found->role != ScheduleTensor::Role::kSlot)
      return nullptr;
    return &lives_[static_cast<size_t>(found - schedule_.tensors.begin())];
  }

  std::string life_text(const Kept& each) const {
    if (graph_[each.value.node].kind == NodeKind::kParameter) return "an input: alive anyway";
    if (!each.life) return "in no memory: one kernel makes and reads it";
    if (each.life->leaves) return fmt::format("from step {}: an output", each.life->first);
    return fmt::format("from step {} to {}{}", each.life->first, each.life->last,
                       is_of_backward(each.value) ? ": the backward's own" : "");
  }

  bool is_of_backward(Value value) const { return graph_[value.node].phase == Phase::kBackward; }

  /// The last step that makes a value of the forward.
  size_t last_of_forward() const {
    size_t last = 0;
    for (size_t i = graph_.parameter_count; i < graph_.nodes.size(); ++i) {
      if (graph_.nodes[i].phase != Phase::kForward) continue;
      const Life* life = life_of({NodeId(i)});
      if (life) last = std::max(last, life->first);
    }
    return last;
  }

  /// The step behind which most is kept, with symbolic sizes as they were when captured.
  std::string most_text() const {
    const ShapeEnvironment sizes = graph_.sizes.environment();
    SymInt most = 0;
    size_t at = 0;
    for (size_t step = 0; step < schedule_.steps.size(); ++step) {
      SymInt sum = 0;
      for (const Kept& each : kept_)
        if (each.life && each.life->first <= step && step < each.life->last)
          sum += graph_.type(each.value).bytes();
      if (sizes.hint(sum) <= sizes.hint(most)) continue;
      most = sum;
      at = step;
    }
    return fmt::format("kept at once: at most {} bytes, behind step {}", most.text(), at);
  }

  const Graph& graph_;
  const Schedule& schedule_;
  std::vector<NodeFacts> facts_;
  std::vector<Life> lives_;
  std::vector<Kept> kept_;
};

}  // namespace

std::vector<StageLine> kept_lines(const Graph& graph, const Schedule& schedule) {
  return KeptValues(graph, schedule).lines();
}

std::vector<StageLine> memory_lines(const Schedule& schedule) {
  std::vector<Life> lives = find_lives(schedule);
  std::vector<StageLine> lines;
  size_t width = 0;
  for (const Slot& slot : schedule.slots) width = std::max(width, slot.bytes.text().size());
  SymInt outputs = 0, inputs = 0, workspace = 0, unshared = 0;
  for (size_t i = 0; i < schedule.slots.size(); ++i) {
    const Slot& slot = schedule.slots[i];
    (slot.input ? inputs : slot.output ? outputs : workspace) += slot.bytes;
    std::string text = fmt::format("slot {:<2}  {:>{}} bytes   {:<9}", i, slot.bytes.text(), width,
                                   slot.input    ? "update"
                                   : slot.output ? "output"
                                                 : "workspace");
    std::string separator = "   ";
    for (size_t t = 0; t < schedule.tensors.size(); ++t) {
      const ScheduleTensor& tensor = schedule.tensors[t];
      if (tensor.role != ScheduleTensor::Role::kSlot || tensor.slot != i) continue;
      unshared += tensor.type.bytes();
      text += separator + "%" + tensor.name;
      if (slot.input) text += fmt::format(" in the memory of %{}", schedule[*slot.input].name);
      text += lives[t].leaves ? fmt::format(" from step {}", lives[t].first)
                              : fmt::format(" steps {} to {}", lives[t].first, lives[t].last);
      separator = ", ";
    }
    lines.push_back({std::move(text), {}});
  }
  std::string updated =
      inputs.is(0) ? "" : fmt::format(", written into inputs {} bytes", inputs.text());
  lines.push_back({fmt::format("workspace {} bytes, outputs {} bytes{}; without sharing {} bytes",
                               workspace.text(), outputs.text(), updated, unshared.text()),
                   {}});
  return lines;
}

}  // namespace glint::passes
