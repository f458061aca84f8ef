#include "passes/partition_costs.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "passes/decompose.h"
#include "passes/node_class.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

bool again(CutClass cut_class) {
  return cut_class <= CutClass::kCreation;
}

CutClass class_of(const NodeFacts& facts) {
  if (facts.entry && facts.entry->effects.random) return CutClass::kRandom;
  if (facts.entry && facts.entry->effects.mutates) return CutClass::kEffect;
  switch (facts.node_class) {
    case NodeClass::kView:
      return CutClass::kView;
    case NodeClass::kGiven:
    case NodeClass::kCreate:
      return CutClass::kCreation;
    case NodeClass::kPointwise:
      return CutClass::kElementwise;
    case NodeClass::kGather:
      return CutClass::kGather;
    case NodeClass::kReduce:
      return CutClass::kReduction;
    case NodeClass::kScan:
      return CutClass::kScan;
    case NodeClass::kConcatenate:
      return CutClass::kConcatenation;
    case NodeClass::kLibrary:
      break;
  }
  return CutClass::kLibraryCall;
}

int64_t work_of(const Node& node, const NodeFacts& facts) {
  int64_t elements = 0;
  for (const TensorType& type : node.outputs) elements += type.numel().hint();
  return elements * cost_of(facts);
}

/// Puts a composite into the place of the dearest part of its decomposition.
class CompositeCosts {
 public:
  CompositeCosts(const Graph& joint, const Node& node) {
    Graph call;
    Node copy = node;
    for (NamedArgument& argument : copy.arguments)
      for_each_value(argument.value, [&](Value& value) {
        operands_.push_back(value);
        value = call.add_parameter("x", joint.type(value));
      });
    NodeId made = call.add_call(node.name, node.target, copy.arguments, node.outputs, {});
    for (uint32_t i = 0; i < node.outputs.size(); ++i) call.outputs.push_back({made, i});
    parts_ = decompose(call);
    facts_ = find_facts(parts_);
  }

  void fill(CutNode& cut) const {
    cut.cut_class = CutClass::kView;
    bool works = false;
    for (size_t i = parts_.parameter_count; i < parts_.nodes.size(); ++i) {
      CutClass part = class_of(facts_[i]);
      bool is_work = part == CutClass::kElementwise || part == CutClass::kGather;
      if (is_work) cut.work += work_of(parts_.nodes[i], facts_[i]);
      works |= is_work;
      cut.cut_class = std::max(cut.cut_class, part);
    }
    if (again(cut.cut_class) && works) cut.cut_class = CutClass::kElementwise;
    for (uint32_t i = 0; i < parts_.outputs.size(); ++i) {
      Value root = trace(parts_, facts_, parts_.outputs[i]).root;
      if (index(root.node) < parts_.parameter_count) cut.bases[i] = operands_[index(root.node)];
    }
  }

 private:
  Graph parts_;
  std::vector<NodeFacts> facts_;
  std::vector<Value> operands_;  ///< of the joint graph, one a parameter of `parts_`
};

/// Builds the costs, one property after the other.
class CostFinder {
 public:
  CostFinder(const Graph& joint, const JointShape& shape) : joint_(joint), shape_(shape) {}

  Result<CutCosts> run() {
    if (shape_.tangents > joint_.parameter_count)
      return Error{fmt::format("the graph has {} parameters, not {} tangents",
                               joint_.parameter_count, shape_.tangents)};
    if (shape_.outputs > joint_.outputs.size())
      return Error{fmt::format("the graph has {} outputs, the forward cannot have {} of them",
                               joint_.outputs.size(), shape_.outputs)};
    classify();
    place();
    for (Value output : forward_outputs())
      if (costs_[output.node].place == CutPlace::kBackward)
        return Error{
            fmt::format("{}, an output of the forward, depends on a tangent", joint_.text(output))};
    limit_chains();
    weigh_writes();
    weigh();
    return std::move(costs_);
  }

 private:
  std::span<const Value> forward_outputs() const {
    return std::span(joint_.outputs).first(shape_.outputs);
  }

  void classify() {
    std::vector<NodeFacts> facts = find_facts(joint_);
    for (size_t i = 0; i < joint_.nodes.size(); ++i) {
      const Node& node = joint_.nodes[i];
      CutNode cut;
      for (uint32_t output = 0; output < node.outputs.size(); ++output)
        cut.bases.push_back({NodeId(i), output});
      for (const NamedArgument& argument : node.arguments)
        for_each_value(argument.value, [&](const Value& value) { cut.operands.push_back(value); });
      if (node.kind != NodeKind::kParameter) classify_call(node, facts[i], cut);
      costs_.nodes.push_back(std::move(cut));
    }
  }

  void classify_call(const Node& node, const NodeFacts& facts, CutNode& cut) const {
    cut.cut_class = class_of(facts);
    bool composite = facts.entry && facts.entry->decomposition;
    if (composite && cut.cut_class == CutClass::kLibraryCall) {
      CompositeCosts(joint_, node).fill(cut);
    } else if (cut.cut_class == CutClass::kView) {
      cut.bases[0] = facts.operands.front();
    } else if (cut.cut_class != CutClass::kCreation) {
      cut.work = work_of(node, facts);
    }
  }

  void place() {
    size_t tangents_begin = joint_.parameter_count - shape_.tangents;
    std::vector<bool> late(joint_.nodes.size(), false);
    for (size_t i = 0; i < joint_.nodes.size(); ++i) {
      late[i] = i >= tangents_begin && i < joint_.parameter_count;
      for (Value operand : costs_.nodes[i].operands) late[i] = late[i] || late[index(operand.node)];
    }
    std::vector<bool> in_forward = needed_by(forward_outputs(), late, false);
    std::vector<bool> in_backward =
        needed_by(std::span(joint_.outputs).subspan(shape_.outputs), late, true);
    for (size_t i = 0; i < joint_.nodes.size(); ++i) {
      CutNode& node = costs_.nodes[i];
      if (late[i] && (in_backward[i] || in_forward[i])) node.place = CutPlace::kBackward;
      if (!late[i] && in_backward[i]) node.place = CutPlace::kEither;
      if (!late[i] && in_forward[i]) node.place = CutPlace::kForward;
      node.may_recompute = again(node.cut_class);
      if (node.place != CutPlace::kEither) continue;
      node.may_recompute = node.cut_class != CutClass::kInput;
      node.work = 0;
    }
  }

  /// What these outputs depend on, and the draws and writes that do, or do not, need a tangent.
  std::vector<bool> needed_by(std::span<const Value> outputs, const std::vector<bool>& late,
                              bool pinned_late) const {
    std::vector<bool> needed(joint_.nodes.size(), false);
    for (Value output : outputs) needed[index(output.node)] = true;
    for (size_t i = joint_.nodes.size(); i-- > 0;) {
      const CutNode& node = costs_.nodes[i];
      if (is_pinned(node.cut_class) && late[i] == pinned_late) needed[i] = true;
      if (!needed[i]) continue;
      for (Value operand : node.operands) needed[index(operand.node)] = true;
    }
    return needed;
  }

  void limit_chains() {
    std::vector<int> length(joint_.nodes.size(), 0);
    for (size_t i = 0; i < joint_.nodes.size(); ++i) {
      CutNode& node = costs_.nodes[i];
      if (node.place != CutPlace::kForward || !node.may_recompute) continue;
      for (Value operand : node.operands)
        length[i] = std::max(length[i], length[index(operand.node)]);
      bool works = node.cut_class == CutClass::kElementwise || node.cut_class == CutClass::kGather;
      if (!works || ++length[i] <= kLongestChain) continue;
      length[i] = 0;
      node.cut_class = CutClass::kLongChain;
      node.may_recompute = false;
    }
  }

  Value root_of(Value value) const {
    while (costs_[value.node].bases[value.output] != value)
      value = costs_[value.node].bases[value.output];
    return value;
  }

  /// Library calls work on memory: what they read and make is written to it.
  void weigh_writes() {
    written_ = no_values(joint_);
    ValueSet again = no_values(joint_);
    for (size_t i = 0; i < joint_.nodes.size(); ++i) {
      const CutNode& node = costs_.nodes[i];
      const bool calls = node.cut_class == CutClass::kLibraryCall;
      const bool in_forward = node.place == CutPlace::kForward;
      if (in_forward && (calls || node.cut_class == CutClass::kRandom)) written_[i].flip();
      if (!calls || (!in_forward && node.place != CutPlace::kBackward)) continue;
      for (Value operand : node.operands) mark(in_forward ? written_ : again, root_of(operand));
    }
    for (size_t i = 0; i < joint_.nodes.size(); ++i) {
      CutNode& node = costs_.nodes[i];
      if (node.place != CutPlace::kForward || !node.may_recompute) continue;
      for (uint32_t output = 0; output < again[i].size(); ++output)
        if (again[i][output] && node.cut_class != CutClass::kCreation)
          node.work += kSaveWeight * joint_.type({NodeId(i), output}).bytes().hint();
    }
  }

  static void mark(ValueSet& set, Value value) { set[index(value.node)][value.output] = true; }

  void weigh() {
    costs_.in_output = no_values(joint_);
    costs_.writable = no_values(joint_);
    for (uint32_t i = 0; i < shape_.outputs; ++i) {
      Value root = root_of(joint_.outputs[i]);
      mark(costs_.in_output, root);
      if (i < shape_.writable.size() && shape_.writable[i]) mark(costs_.writable, root);
    }
    costs_.save.resize(joint_.nodes.size());
    for (size_t i = 0; i < joint_.nodes.size(); ++i)
      for (uint32_t output = 0; output < joint_.nodes[i].outputs.size(); ++output)
        costs_.save[i].push_back(weight_of({NodeId(i), output}));
  }

  int64_t weight_of(Value value) const {
    const CutNode& node = costs_[value.node];
    if (node.cut_class == CutClass::kInput) {
      size_t number = index(value.node);
      bool writable = number < shape_.writable_inputs.size() && shape_.writable_inputs[number];
      return writable ? kImpossible : 0;
    }
    bool is_view = node.may_recompute && node.bases[value.output] != value;
    if (is_view || node.cut_class == CutClass::kCreation) return kImpossible;
    bool writable = costs_.writable[index(value.node)][value.output];
    if (writable && node.may_recompute) return kImpossible;
    if (costs_.in_output[index(value.node)][value.output]) return 0;
    int64_t weight = written_[index(value.node)][value.output] ? kReadWeight : kSaveWeight;
    return weight * joint_.type(value).bytes().hint();
  }

  const Graph& joint_;
  const JointShape& shape_;
  CutCosts costs_;
  ValueSet written_;  ///< that the forward writes to memory in any case
};

}  // namespace

ValueSet no_values(const Graph& graph) {
  ValueSet none;
  for (const Node& node : graph.nodes) none.emplace_back(node.outputs.size(), false);
  return none;
}

Result<CutCosts> find_cut_costs(const Graph& joint, const JointShape& shape) {
  return CostFinder(joint, shape).run();
}

CutOutcome evaluate_cut(const Graph& joint, const JointShape& shape, const CutCosts& costs,
                        const ValueSet& saved) {
  CutOutcome outcome;
  outcome.recomputed.assign(joint.nodes.size(), false);
  outcome.read = no_values(joint);
  auto read = [&](Value value) { outcome.read[index(value.node)][value.output] = true; };
  for (Value gradient : std::span(joint.outputs).subspan(shape.outputs)) read(gradient);
  for (size_t i = joint.nodes.size(); i-- > 0;) {
    const CutNode& node = costs.nodes[i];
    bool done = node.place == CutPlace::kBackward;
    for (uint32_t output = 0; output < saved[i].size() && !done; ++output) {
      if (!outcome.read[i][output] || saved[i][output]) continue;
      outcome.recomputed[i] = true;
      if (!node.may_recompute && !outcome.missing) outcome.missing = Value{NodeId(i), output};
    }
    if (done || outcome.recomputed[i])
      for (Value operand : node.operands) read(operand);
    int64_t added = outcome.recomputed[i] ? node.work : 0;
    for (uint32_t output = 0; output < saved[i].size(); ++output)
      if (saved[i][output]) added += costs.save[i][output];
    outcome.cost = std::min(outcome.cost + added, kImpossible);
  }
  if (outcome.missing) outcome.cost = kImpossible;
  return outcome;
}

}  // namespace glint::passes
