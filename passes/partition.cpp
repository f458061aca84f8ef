#include "passes/partition.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "core/support/check.h"
#include "passes/minimum_cut.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

static_assert(kImpossible == FlowNetwork::kUncuttable);

/// The joint graph as a network; partition.h shows its edges.
class CutNetwork {
 public:
  CutNetwork(const Graph& joint, const JointShape& shape, const CutCosts& costs)
      : joint_(joint), costs_(costs), source_(network_.add_node()), sink_(network_.add_node()) {
    for (size_t i = 0; i < joint.nodes.size(); ++i) add(NodeId(i));
    for (Value gradient : std::span(joint.outputs).subspan(shape.outputs))
      give_to_backward(gradient);
  }

  /// The values that the minimum cut saves.
  ValueSet solve(int64_t& cost) const {
    FlowNetwork::Cut cut = network_.minimum_cut(source_, sink_);
    cost = cut.cost;
    ValueSet saved = no_values(joint_);
    for (size_t i = 0; i < joint_.nodes.size(); ++i)
      for (size_t output = 0; output < out_[i].size(); ++output)
        saved[i][output] = cut.sink_side[out_[i][output]] && !cut.sink_side[in_[i]];
    return saved;
  }

 private:
  void add(NodeId id) {
    const CutNode& node = costs_[id];
    in_.push_back(network_.add_node());
    out_.emplace_back();
    if (node.place == CutPlace::kNowhere) return;
    if (node.place == CutPlace::kBackward) {
      for (Value operand : node.operands) give_to_backward(operand);
      return;
    }
    int64_t again = node.may_recompute ? node.work : kImpossible;
    network_.add_edge(source_, in_.back(), again);
    for (Value operand : node.operands)
      network_.add_edge(out_[index(operand.node)][operand.output], in_.back(), kImpossible);
    for (int64_t save : costs_.save[index(id)]) {
      out_.back().push_back(network_.add_node());
      network_.add_edge(in_.back(), out_.back().back(), save);
    }
  }

  /// Values of the backward have no node in the network.
  void give_to_backward(Value value) {
    const std::vector<size_t>& out = out_[index(value.node)];
    if (!out.empty()) network_.add_edge(out[value.output], sink_, kImpossible);
  }

  const Graph& joint_;
  const CutCosts& costs_;
  FlowNetwork network_;
  size_t source_;
  size_t sink_;
  std::vector<size_t> in_;                ///< by node
  std::vector<std::vector<size_t>> out_;  ///< by node and output
};

/// Copies a part of a graph: from `inputs`, which become its parameters, to `outputs`.
class Extraction {
 public:
  Extraction(const Graph& source, std::string name)
      : source_(source), mapped_(source.nodes.size()) {
    part_.name = std::move(name);
    for (size_t i = 0; i < source.nodes.size(); ++i)
      mapped_[i].resize(source.nodes[i].outputs.size());
  }

  void add_input(Value value) {
    const Node& node = source_[value.node];
    std::string name =
        value.output == 0 ? node.name : node.name + "_" + std::to_string(value.output);
    place_of(value) = part_.add_parameter(name, source_.type(value), node.origins);
    part_.nodes.back().module = node.module;
  }

  /// `kept` are nodes that stay though no output needs them.
  Graph run(std::span<const Value> outputs, std::vector<bool> kept) {
    for (Value output : outputs) need(output, kept);
    for (size_t i = source_.nodes.size(); i-- > 0;)
      if (kept[i])
        for (const NamedArgument& argument : source_.nodes[i].arguments)
          for_each_value(argument.value, [&](const Value& value) { need(value, kept); });
    for (size_t i = 0; i < source_.nodes.size(); ++i)
      if (kept[i]) copy(NodeId(i));
    for (Value output : outputs) part_.outputs.push_back(*place_of(output));
    return std::move(part_);
  }

 private:
  std::optional<Value>& place_of(Value value) { return mapped_[index(value.node)][value.output]; }

  void need(Value value, std::vector<bool>& kept) {
    if (!place_of(value)) kept[index(value.node)] = true;
  }

  void copy(NodeId id) {
    const Node& node = source_[id];
    check(node.kind != NodeKind::kParameter, "a part of a graph is given the parameters it reads");
    NodeId made = node.kind == NodeKind::kConstant
                      ? part_.add_constant(node.name, node.outputs.front(), node.data, {}).node
                      : part_.add_call(node.name, node.target, {}, node.outputs, {});
    Node copied = node;
    copied.name = part_[made].name;
    for (NamedArgument& argument : copied.arguments)
      for_each_value(argument.value, [&](Value& value) { value = *place_of(value); });
    part_[made] = std::move(copied);
    for (uint32_t output = 0; output < node.outputs.size(); ++output)
      if (Value value = {id, output}; !place_of(value)) place_of(value) = Value{made, output};
  }

  const Graph& source_;
  Graph part_;
  std::vector<std::vector<std::optional<Value>>> mapped_;
};

void add_symbols(const SymInt& size, std::set<uint32_t>& symbols) {
  for (uint32_t symbol : size.symbols()) symbols.insert(symbol);
}

void add_symbols(const Argument& argument, std::set<uint32_t>& symbols) {
  if (const SymInt* size = argument.get_if<SymInt>()) add_symbols(*size, symbols);
  if (argument.is_list())
    for (const Argument& item : argument.list()) add_symbols(item, symbols);
}

std::vector<uint32_t> symbols_of(const Graph& graph) {
  std::set<uint32_t> symbols;
  for (const Node& node : graph.nodes) {
    for (const NamedArgument& argument : node.arguments) add_symbols(argument.value, symbols);
    for (const TensorType& type : node.outputs) {
      for (SymInt size : type.sizes) add_symbols(size, symbols);
      for (SymInt stride : type.strides) add_symbols(stride, symbols);
    }
  }
  return {symbols.begin(), symbols.end()};
}

class Partitioner {
 public:
  Partitioner(const Graph& joint, const JointShape& shape, CutCosts costs) : joint_(joint) {
    cut_.shape = shape;
    cut_.costs = std::move(costs);
  }

  Partition run() {
    cut_.saved_values = CutNetwork(joint_, cut_.shape, cut_.costs).solve(cut_.cost);
    drop_unread();
    outcome_ = evaluate_cut(joint_, cut_.shape, cut_.costs, cut_.saved_values);
    check(outcome_.cost == cut_.cost && cut_.cost < kImpossible,
          "the saved values are what the minimum cut costs");
    find_saved();
    extract();
    decide();
    cut_.symbols = symbols_of(cut_.backward);
    for (const Graph* graph : {&cut_.forward, &cut_.backward})
      if (auto error = verify_graph(*graph)) fail("a part is not sound: " + error->message);
    return std::move(cut_);
  }

 private:
  size_t input_count() const { return joint_.parameter_count - cut_.shape.tangents; }

  /// Among what costs nothing, a minimum cut may have values that nobody reads.
  void drop_unread() {
    ValueSet& saved = cut_.saved_values;
    ValueSet read = evaluate_cut(joint_, cut_.shape, cut_.costs, saved).read;
    for (size_t i = 0; i < saved.size(); ++i)
      for (size_t output = 0; output < saved[i].size(); ++output)
        saved[i][output] = saved[i][output] && read[i][output];
  }

  void find_saved() {
    outputs_.assign(joint_.outputs.begin(), joint_.outputs.begin() + cut_.shape.outputs);
    for (size_t i = 0; i < joint_.nodes.size(); ++i)
      for (uint32_t output = 0; output < cut_.saved_values[i].size(); ++output)
        if (cut_.saved_values[i][output]) cut_.saved.push_back(where_saved({NodeId(i), output}));
  }

  SavedValue where_saved(Value value) {
    if (index(value.node) < input_count())
      return {true, static_cast<uint32_t>(index(value.node)), value};
    auto found = std::find(outputs_.begin(), outputs_.end(), value);
    auto place = static_cast<uint32_t>(found - outputs_.begin());
    if (found == outputs_.end()) outputs_.push_back(value);
    return {false, place, value};
  }

  void extract() {
    Extraction forward(joint_, joint_.name + "_forward");
    for (size_t i = 0; i < input_count(); ++i) forward.add_input({NodeId(i), 0});
    cut_.forward = forward.run(outputs_, pinned(CutPlace::kForward));
    Extraction backward(joint_, joint_.name + "_backward");
    for (const SavedValue& saved : cut_.saved) backward.add_input(saved.value);
    for (size_t i = input_count(); i < joint_.parameter_count; ++i)
      backward.add_input({NodeId(i), 0});
    cut_.backward = backward.run(std::span(joint_.outputs).subspan(cut_.shape.outputs),
                                 pinned(CutPlace::kBackward));
  }

  /// The draws and writes of one part.
  std::vector<bool> pinned(CutPlace place) const {
    std::vector<bool> kept;
    for (const CutNode& node : cut_.costs.nodes)
      kept.push_back(node.place == place && is_pinned(node.cut_class));
    return kept;
  }

  void decide() {
    ValueSet candidates = evaluate_cut(joint_, cut_.shape, cut_.costs, no_values(joint_)).read;
    for (size_t i = 0; i < joint_.nodes.size(); ++i) {
      if (cut_.costs.nodes[i].place == CutPlace::kBackward) continue;
      for (uint32_t output = 0; output < candidates[i].size(); ++output)
        if (candidates[i][output]) cut_.decisions.push_back(decision({NodeId(i), output}));
    }
  }

  CutDecision decision(Value value) const {
    CutDecision made{.value = value, .bytes = joint_.type(value).bytes()};
    if (cut_.saved_values[index(value.node)][value.output]) {
      made.reason = why_saved(value);
    } else if (outcome_.read[index(value.node)][value.output]) {
      made.reason = why_recomputed(value);
      made.fate = made.reason == CutReason::kDeferred ? CutFate::kDeferred : CutFate::kRecomputed;
    } else {
      made.fate = CutFate::kNotRead;
      made.reason = CutReason::kNotRead;
    }
    return made;
  }

  CutReason why_saved(Value value) const {
    const CutNode& node = cut_.costs[value.node];
    if (node.cut_class == CutClass::kInput) return CutReason::kAliveInput;
    if (cut_.costs.in_output[index(value.node)][value.output]) {
      auto own = std::span(outputs_).first(cut_.shape.outputs);
      bool is_output = std::find(own.begin(), own.end(), value) != own.end();
      return is_output ? CutReason::kAliveOutput : CutReason::kAliveMemory;
    }
    return node.may_recompute ? CutReason::kCheaperSaved : CutReason::kNeverAgain;
  }

  CutReason why_recomputed(Value value) const {
    const CutNode& node = cut_.costs[value.node];
    if (node.bases[value.output] != value) return CutReason::kView;
    if (node.cut_class == CutClass::kCreation) return CutReason::kFromNothing;
    if (cut_.costs.writable[index(value.node)][value.output]) return CutReason::kWritable;
    return node.place == CutPlace::kEither ? CutReason::kDeferred : CutReason::kCheaperAgain;
  }

  const Graph& joint_;
  Partition cut_;
  CutOutcome outcome_;
  std::vector<Value> outputs_;  ///< of the forward, the saved values too
};

}  // namespace

Result<Partition> partition(const Graph& joint, const JointShape& shape) {
  Result<CutCosts> costs = find_cut_costs(joint, shape);
  if (!costs) return costs.error();
  return Partitioner(joint, shape, std::move(*costs)).run();
}

}  // namespace glint::passes
