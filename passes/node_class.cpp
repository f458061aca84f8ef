#include "passes/node_class.h"

#include "core/support/check.h"
#include "ops/infer.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

/// Whether an operator's lowering covers this call; what it does not cover stays a library step.
bool lowers(const Graph& graph, const Node& node, const NodeFacts& facts) {
  const ops::OpEntry& entry = *facts.entry;
  if (std::holds_alternative<std::monostate>(entry.lowering) ||
      std::holds_alternative<ops::Library>(entry.lowering))
    return false;
  if (node.outputs.size() != 1) return false;
  if (entry.effects.random || entry.effects.mutates || entry.effects.data_dependent) return false;
  // What a decomposition covers is not what the lowering covers (`add` with alpha).
  if (entry.decomposition) {
    const auto& parameters = ops::signature(entry).parameters;
    size_t operands = entry.lowers_to<ops::Pointwise>() ? ops::operand_count(entry) : ~size_t(0);
    if (operands == ~size_t(0)) return true;
    for (size_t i = operands; i < parameters.size(); ++i) {
      Argument standard = convert_argument<Value>(parameters[i].default_value,
                                                  [](const Tensor&) { return Value(); });
      if (facts.arguments[i] != standard) return false;
    }
  }
  return true;
}

NodeClass classify(const Graph& graph, const Node& node, const NodeFacts& facts) {
  if (node.kind != NodeKind::kCall) return NodeClass::kGiven;
  if (!lowers(graph, node, facts)) return NodeClass::kLibrary;
  struct Visitor {
    NodeClass operator()(const std::monostate&) const { return NodeClass::kLibrary; }
    NodeClass operator()(const ops::Pointwise&) const { return NodeClass::kPointwise; }
    NodeClass operator()(const ops::Convert&) const { return NodeClass::kPointwise; }
    NodeClass operator()(const ops::Copy&) const { return NodeClass::kPointwise; }
    NodeClass operator()(const ops::Checked&) const { return NodeClass::kPointwise; }
    NodeClass operator()(const ops::Reduce&) const { return NodeClass::kReduce; }
    NodeClass operator()(const ops::Scan&) const { return NodeClass::kScan; }
    NodeClass operator()(const ops::View& view) const {
      return view.copies ? NodeClass::kGather : NodeClass::kView;
    }
    NodeClass operator()(const ops::Fill&) const { return NodeClass::kCreate; }
    NodeClass operator()(const ops::Iota&) const { return NodeClass::kCreate; }
    NodeClass operator()(const ops::GatherAlong&) const { return NodeClass::kGather; }
    NodeClass operator()(const ops::SelectAlong&) const { return NodeClass::kGather; }
    NodeClass operator()(const ops::Concatenate&) const { return NodeClass::kConcatenate; }
    NodeClass operator()(const ops::Library&) const { return NodeClass::kLibrary; }
  };
  return std::visit(Visitor{}, facts.entry->lowering);
}

const Argument* find_argument(const NodeFacts& facts, std::string_view parameter) {
  auto place = ops::signature(*facts.entry).find(parameter);
  return place ? &facts.arguments[*place] : nullptr;
}

void find_dims(const Graph& graph, NodeFacts& facts) {
  const Argument* dim = find_argument(facts, "dim");
  size_t rank = facts.operands.empty() ? 0 : graph.type(facts.operands.front()).rank();
  if (facts.node_class == NodeClass::kReduce) {
    ops::InferArgument bare;
    if (dim) bare = convert_argument<TensorType>(*dim, [](const Value&) { return TensorType(); });
    facts.dims = ops::reduced_dims(bare, rank);
  } else if (dim && dim->get_if<SymInt>()) {
    facts.dims = {ops::wrap_dim(dim->get_if<SymInt>()->constant(), rank)};
  }
}

/// What only looks like work or like a view: a reduction of dimensions of size 1 is its input seen
/// otherwise; a conversion to the dtype that is there is its input; a reshape that no strides can
/// express has to copy.
void read_through(const Graph& graph, const Node& node, NodeFacts& facts) {
  if (facts.operands.empty()) return;
  const TensorType& input = graph.type(facts.operands.front());
  if (facts.entry->lowers_to<ops::Convert>() && input.dtype == node.outputs.front().dtype) {
    facts.node_class = NodeClass::kView;
    facts.view = ViewMap::identity(input.sizes);
  } else if (facts.node_class == NodeClass::kView) {
    if (!apply(*facts.view, input)) facts.node_class = NodeClass::kGather;
  } else if (facts.node_class == NodeClass::kReduce || facts.node_class == NodeClass::kScan) {
    for (int64_t dim : facts.dims)
      if (input.rank() > 0 && !input.sizes[static_cast<size_t>(dim)].is(1)) return;
    auto* reduce = facts.entry->lowers_to<ops::Reduce>();
    bool plain = !reduce || reduce->combiner != Combiner::kWelford;
    facts.node_class = plain ? NodeClass::kGather : NodeClass::kLibrary;
    facts.view = ViewMap::reshape(node.outputs.front().sizes);
  }
}

}  // namespace

std::vector<NodeFacts> find_facts(const Graph& graph) {
  std::vector<NodeFacts> all(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.kind != NodeKind::kCall) continue;
    NodeFacts& facts = all[i];
    facts.entry = &entry_of(node);
    facts.arguments = bound_arguments(node);
    for (const Argument& argument : facts.arguments)
      for_each_value(argument, [&](const Value& value) { facts.operands.push_back(value); });
    facts.node_class = classify(graph, node, facts);
    if (auto* view = facts.entry->lowers_to<ops::View>();
        view && facts.node_class != NodeClass::kLibrary)
      facts.view = view->rule(*facts.entry, infer_arguments(graph, facts.arguments));
    if (facts.node_class == NodeClass::kReduce || facts.node_class == NodeClass::kScan ||
        facts.entry->lowers_to<ops::GatherAlong>() || facts.entry->lowers_to<ops::SelectAlong>())
      find_dims(graph, facts);
    read_through(graph, node, facts);
    // What else a view takes (`expand_as`) gives sizes alone.
    if (facts.view) facts.operands.resize(1);
  }
  return all;
}

std::optional<std::vector<int>> plain_dims(const ViewMap& map, const TensorType& base) {
  std::vector<int> dims(map.sizes.size(), -1);
  if (map.same_elements) {
    size_t base_dim = 0;
    for (size_t dim = 0; dim < map.sizes.size(); ++dim) {
      if (map.sizes[dim].is(1)) continue;
      while (base_dim < base.rank() && base.sizes[base_dim].is(1)) ++base_dim;
      if (base_dim == base.rank() || base.sizes[base_dim] != map.sizes[dim]) return std::nullopt;
      dims[dim] = static_cast<int>(base_dim++);
    }
    while (base_dim < base.rank() && base.sizes[base_dim].is(1)) ++base_dim;
    if (base_dim != base.rank()) return std::nullopt;
    return dims;
  }
  for (size_t k = 0; k < map.base.size(); ++k) {
    if (base.sizes[k].is(1)) continue;
    const ViewMap::BaseIndex& index = map.base[k];
    if (!index.constant.is(0) || index.terms.size() != 1 || !index.terms[0].coefficient.is(1))
      return std::nullopt;
    uint32_t dim = index.terms[0].dim;
    if (map.sizes[dim] != base.sizes[k] || dims[dim] != -1) return std::nullopt;
    dims[dim] = static_cast<int>(k);
  }
  return dims;
}

Traced trace(const Graph& graph, const std::vector<NodeFacts>& facts, Value value) {
  Traced traced{value, {}, false};
  size_t rank = graph.type(value).rank();
  for (size_t dim = 0; dim < rank; ++dim)
    traced.dims.push_back(graph.type(value).sizes[dim].is(1) ? -1 : static_cast<int>(dim));
  while (facts[index(traced.root.node)].node_class == NodeClass::kView) {
    const NodeFacts& view = facts[index(traced.root.node)];
    Value base = view.operands.front();
    auto dims = plain_dims(*view.view, graph.type(base));
    if (!dims) traced.shifted = true;
    for (int& dim : traced.dims) dim = dim < 0 || !dims ? -1 : (*dims)[static_cast<size_t>(dim)];
    traced.root = base;
  }
  return traced;
}

int cost_of(const NodeFacts& facts) {
  using enum ScalarFunction;
  auto* pointwise = facts.entry ? facts.entry->lowers_to<ops::Pointwise>() : nullptr;
  if (!pointwise) return facts.node_class == NodeClass::kGather ? 4 : 1;
  switch (pointwise->function) {
    case kDivide:
    case kSqrt:
    case kReciprocal:
    case kFloorDivide:
    case kRemainder:
      return 4;
    case kExp:
    case kExp2:
    case kExpm1:
    case kLog:
    case kLog2:
    case kLog10:
    case kLog1p:
    case kSin:
    case kCos:
    case kTan:
    case kAsin:
    case kAcos:
    case kAtan:
    case kAtan2:
    case kSinh:
    case kCosh:
    case kTanh:
    case kSigmoid:
    case kAsinh:
    case kAcosh:
    case kAtanh:
    case kLogaddexp:
    case kLogaddexp2:
    case kHypot:
    case kErf:
    case kPower:
    case kRsqrt:
    case kFmod:
      return 10;
    case kLgamma:
    case kDigamma:
    case kTrigamma:
    case kErfinv:
    case kErfcx:
    case kErfc:
    case kI0:
    case kI0e:
    case kI1:
    case kI1e:
      return 30;
    default:
      return 1;
  }
}

bool may_fail(const Graph& graph, const std::vector<NodeFacts>& facts, NodeId id) {
  const NodeFacts& node = facts[index(id)];
  if (node.entry->effects.may_fail) return true;
  const auto* pointwise = node.entry->lowers_to<ops::Pointwise>();
  return pointwise != nullptr &&
         ops::divides_integers(pointwise->function, graph[id].outputs.front().dtype) &&
         node.arguments[1].get_if<Value>() != nullptr;
}

}  // namespace glint::passes
