// The cut of a joint graph as text, tensor by tensor: what is saved and for which calls of the
// backward, what is done again, and why.
//
//     saved       %x        f32[64, 8]  2048 bytes  an input: alive anyway; for %sigmoid, %mul_1
//     recomputed  %sigmoid  f32[64, 8]  2048 bytes  to do it again costs 5120, to save it 8192
//     saved for the backward alone: 0 bytes (a tape: 2048); cost 5120, of it 5120 for what is done
//     again
#include <algorithm>

#include <fmt/format.h>

#include "passes/partition.h"

namespace glint::passes {

namespace {

std::string_view fate_text(CutFate fate) {
  switch (fate) {
    case CutFate::kSaved:
      return "saved";
    case CutFate::kRecomputed:
      return "recomputed";
    case CutFate::kDeferred:
      return "deferred";
    case CutFate::kNotRead:
      break;
  }
  return "not read";
}

std::string_view never_again_text(CutClass cut_class) {
  switch (cut_class) {
    case CutClass::kReduction:
      return "a reduction is not done again";
    case CutClass::kScan:
      return "a scan is not done again";
    case CutClass::kConcatenation:
      return "a concatenation is not done again";
    case CutClass::kRandom:
      return "random numbers are drawn once";
    case CutClass::kEffect:
      return "a write is done once";
    case CutClass::kLongChain:
      return "it ends a long chain: none longer is done again";
    default:
      return "a library call is not done again";
  }
}

class DecisionTexts {
 public:
  DecisionTexts(const Graph& joint, const Partition& cut)
      : joint_(joint), cut_(cut), uses_(find_uses(cut.backward)) {}

  /// `; for %sigmoid, %mul_1`: who reads a saved value in the backward graph.
  std::string readers(const CutDecision& decision) const {
    auto saved = std::ranges::find(cut_.saved, decision.value, &SavedValue::value);
    if (decision.fate != CutFate::kSaved || saved == cut_.saved.end()) return "";
    auto parameter = static_cast<size_t>(saved - cut_.saved.begin());
    std::string text;
    for (NodeId reader : uses_[parameter])
      text += (text.empty() ? "; for %" : ", %") + cut_.backward[reader].name;
    return text;
  }

  std::string reason(const CutDecision& decision) const {
    const Value value = decision.value;
    const CutNode& node = cut_.costs[value.node];
    switch (decision.reason) {
      case CutReason::kAliveInput:
        return "an input: alive anyway";
      case CutReason::kAliveOutput:
        return "an output: alive anyway";
      case CutReason::kAliveMemory:
        return "an output is a view of it: alive anyway";
      case CutReason::kNeverAgain:
        return std::string(never_again_text(node.cut_class));
      case CutReason::kCheaperSaved:
        return cheaper_saved(value);
      case CutReason::kView:
        return fmt::format("a view of {}", joint_.text(node.bases[value.output]));
      case CutReason::kFromNothing:
        return "made from nothing";
      case CutReason::kWritable:
        return "an output, which may be written before the backward runs";
      case CutReason::kCheaperAgain:
        return fmt::format("to do it again costs {}, to save it {}", node.work,
                           cut_.costs.save_cost(value));
      case CutReason::kDeferred:
        return "only the backward needs it";
      case CutReason::kNotRead:
        break;
    }
    return "the backward does not read it";
  }

  std::string sums() const {
    SymInt saved = 0;
    int64_t work = 0;
    for (const CutDecision& decision : cut_.decisions)
      if (decision.fate == CutFate::kSaved && cut_.costs.save_cost(decision.value) > 0)
        saved += decision.bytes;
    CutOutcome outcome = evaluate_cut(joint_, cut_.shape, cut_.costs, cut_.saved_values);
    for (size_t i = 0; i < joint_.nodes.size(); ++i)
      if (outcome.recomputed[i]) work += cut_.costs.nodes[i].work;
    return fmt::format(
        "saved for the backward alone: {} bytes (a tape: {}); cost {}, of it {} for what is done "
        "again",
        saved.text(), bytes_of_a_tape().text(), cut_.cost, work);
  }

 private:
  /// What it would cost to leave just this value unsaved, with all at hand that costs nothing.
  std::string cheaper_saved(Value value) const {
    ValueSet without = cut_.saved_values;
    for (size_t i = 0; i < without.size(); ++i)
      for (size_t output = 0; output < without[i].size(); ++output)
        if (cut_.costs.save[i][output] == 0) without[i][output] = true;
    without[index(value.node)][value.output] = false;
    CutOutcome outcome = evaluate_cut(joint_, cut_.shape, cut_.costs, without);
    int64_t save = cut_.costs.save_cost(value);
    if (outcome.missing)
      return fmt::format("to save it costs {}, to do it again needs {}", save,
                         joint_.text(*outcome.missing));
    return fmt::format("to save it costs {}, to do it again {}", save,
                       outcome.cost - (cut_.cost - save));
  }

  Value root_of(Value value) const {
    while (cut_.costs[value.node].bases[value.output] != value)
      value = cut_.costs[value.node].bases[value.output];
    return value;
  }

  /// The bytes that saving whatever gradients read of the forward would take.
  SymInt bytes_of_a_tape() const {
    SymInt bytes = 0;
    ValueSet counted = no_values(joint_);
    for (const CutNode& reader : cut_.costs.nodes) {
      if (reader.place != CutPlace::kBackward && reader.place != CutPlace::kEither) continue;
      for (Value operand : reader.operands) {
        Value root = root_of(operand);
        if (cut_.costs[root.node].place != CutPlace::kForward) continue;
        int64_t save = cut_.costs.save_cost(root);
        if (save == 0 || save >= kImpossible || counted[index(root.node)][root.output]) continue;
        counted[index(root.node)][root.output] = true;
        bytes += joint_.type(root).bytes();
      }
    }
    return bytes;
  }

  const Graph& joint_;
  const Partition& cut_;
  std::vector<std::vector<NodeId>> uses_;  ///< of the backward's nodes
};

}  // namespace

std::vector<StageLine> partition_lines(const Graph& joint, const Partition& cut) {
  DecisionTexts texts(joint, cut);
  size_t name = 0, type = 0, bytes = 0;
  for (const CutDecision& decision : cut.decisions) {
    name = std::max(name, joint.text(decision.value).size());
    type = std::max(type, joint.type(decision.value).text().size());
    bytes = std::max(bytes, decision.bytes.text().size());
  }
  std::vector<StageLine> lines;
  for (const CutDecision& decision : cut.decisions)
    lines.push_back(
        {fmt::format("{:<10}  {:<{}}  {:<{}}  {:>{}} bytes  {}{}", fate_text(decision.fate),
                     joint.text(decision.value), name, joint.type(decision.value).text(), type,
                     decision.bytes.text(), bytes, texts.reason(decision), texts.readers(decision)),
         joint[decision.value.node].origins});
  lines.push_back({texts.sums(), {}});
  return lines;
}

}  // namespace glint::passes
