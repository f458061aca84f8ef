#include "passes/lower_elements.h"

#include <fmt/format.h>

#include "core/support/check.h"
#include "ir/constant_text.h"
#include "ops/infer.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

constexpr size_t kNone = ~size_t(0);

uint64_t key(Value value) {
  return uint64_t(index(value.node)) << 8 | value.output;
}

const Argument* find_argument(const NodeFacts& facts, std::string_view parameter) {
  auto place = ops::signature(*facts.entry).find(parameter);
  return place ? &facts.arguments[*place] : nullptr;
}

}  // namespace

ElementWriter::ElementWriter(const Graph& graph, const FusionPlan& plan, int group,
                             KernelBuilder& builder)
    : graph_(graph), plan_(plan), group_(group), builder_(builder) {}

// ---- inputs ------------------------------------------------------------------------------------

/// Whether the node's value lies in memory when this group runs.
bool ElementWriter::in_memory(NodeId node) const {
  int group = plan_.group_of[index(node)];
  return plan_.facts[index(node)].node_class == NodeClass::kGiven ||
         (group >= 0 && group != group_);
}

/// Whether the value is loaded: it lies in memory itself, or is a reshape of what does, which no
/// affine index can follow; the schedule then passes the reshaped tensor.
bool ElementWriter::is_leaf(Value value) const {
  const NodeFacts& facts = plan_.facts[index(value.node)];
  if (facts.node_class != NodeClass::kView) return in_memory(value.node);
  Value base = facts.operands.front();
  return facts.view->same_elements && !plain_dims(*facts.view, graph_.type(base)) &&
         in_memory(trace(graph_, plan_.facts, value).root.node);
}

void ElementWriter::declare_inputs(const std::vector<Value>& values) {
  for (Value value : values) declare(value);
}

void ElementWriter::declare(Value value) {
  if (is_leaf(value)) {
    const Node& node = graph_[value.node];
    bool literal = node.kind == NodeKind::kConstant && node.outputs.front().numel().is(1);
    if (literal || parameters_.contains(key(value))) return;
    std::string name = value.output ? fmt::format("{}_{}", node.name, value.output) : node.name;
    parameters_.emplace(key(value), builder_.parameter(name, graph_.type(value)));
    inputs_.push_back(value);
    return;
  }
  int group = plan_.group_of[index(value.node)];
  if (group == group_) return;  // a member, whose operands are declared on their own
  for (Value operand : plan_.facts[index(value.node)].operands) declare(operand);
}

void ElementWriter::enter(NodeId id) {
  auto [found, added] = origins_.try_emplace(index(id), 0);
  if (added) found->second = builder_.add_origin(graph_[id].name, graph_[id].origins);
  builder_.set_origin(found->second);
}

// ---- elements ----------------------------------------------------------------------------------

void ElementWriter::end_block() {
  while (written_.size() > blocks_.back()) {
    uint64_t k = key(written_.back().value);
    if (older_.back() == kNone)
      newest_.erase(k);
    else
      newest_[k] = older_.back();
    written_.pop_back();
    older_.pop_back();
  }
  blocks_.pop_back();
}

std::optional<Operand> ElementWriter::find_written(Value value, const Place& place) const {
  auto newest = newest_.find(key(value));
  if (newest != newest_.end())
    for (size_t i = newest->second; i != kNone; i = older_[i])
      if (written_[i].place == place) return written_[i].operand;
  return std::nullopt;
}

Operand ElementWriter::at(Value value, const Place& place) {
  if (auto known = find_written(value, place)) return *known;
  uint32_t origin = builder_.origin();
  Operand operand = compute(value, place);
  builder_.set_origin(origin);
  remember(value, place, operand);
  return operand;
}

void ElementWriter::remember(Value value, const Place& place, Operand operand) {
  auto [entry, added] = newest_.try_emplace(key(value), written_.size());
  older_.push_back(added ? kNone : entry->second);
  entry->second = written_.size();
  written_.push_back({value, place, operand});
}

Operand ElementWriter::compute(Value value, const Place& place) {
  const Node& node = graph_[value.node];
  const NodeFacts& facts = plan_.facts[index(value.node)];
  if (is_leaf(value)) {
    if (node.kind == NodeKind::kConstant && node.outputs.front().numel().is(1)) {
      DType dtype = node.outputs.front().dtype;
      double element = constant_element(dtype, node.data, 0);
      return is_floating(dtype) ? Operand(element) : Operand(static_cast<int64_t>(element));
    }
    return builder_.load(parameters_.at(key(value)), place);
  }
  if (facts.node_class != NodeClass::kView) {
    if (lookup)
      if (auto found = lookup(value, place)) return *found;
    enter(value.node);
  }
  switch (facts.node_class) {
    case NodeClass::kView:
      return view(facts, value, place);
    case NodeClass::kCreate:
      return create(facts, node, place);
    case NodeClass::kPointwise:
      return pointwise(facts, node, place);
    case NodeClass::kGather:
      return gather(facts, node, place);
    default:
      fail(fmt::format("%{} is read where it is not computed", node.name));
  }
}

Operand ElementWriter::view(const NodeFacts& facts, Value value, const Place& place) {
  const ViewMap& map = *facts.view;
  Value base = facts.operands.front();
  const TensorType& base_type = graph_.type(base);
  Place base_place(base_type.rank(), IndexExpression(SymInt(0)));
  if (!map.same_elements) {
    for (size_t k = 0; k < map.base.size(); ++k) {
      if (base_type.sizes[k].is(1)) continue;
      base_place[k] = IndexExpression(map.base[k].constant);
      for (const ViewMap::Term& term : map.base[k].terms)
        base_place[k] = base_place[k] + place[term.dim] * term.coefficient;
    }
  } else if (auto dims = plain_dims(map, base_type)) {
    for (size_t dim = 0; dim < dims->size(); ++dim)
      if ((*dims)[dim] >= 0) base_place[static_cast<size_t>((*dims)[dim])] = place[dim];
  } else {
    base_place = through_reshape(graph_.type(value).sizes, place, base_type);
  }
  return at(base, base_place);
}

/// The place in the base of a reshape's element: by its number in row-major order.
Place ElementWriter::through_reshape(const std::vector<SymInt>& sizes, const Place& place,
                                     const TensorType& base) {
  std::vector<SymInt> strides = contiguous_strides(sizes);
  IndexExpression flat(SymInt(0));
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (!sizes[dim].is(1)) flat = flat + place[dim] * strides[dim];
  Place result;
  std::vector<SymInt> base_strides = contiguous_strides(base.sizes);
  bool first = true;
  for (size_t dim = 0; dim < base.rank(); ++dim) {
    if (base.sizes[dim].is(1)) {
      result.push_back(IndexExpression(SymInt(0)));
      continue;
    }
    Operand number = builder_.index_value(flat);
    if (!base_strides[dim].is(1))
      number = builder_.compute(ScalarFunction::kFloorDivide, DType::kInt64,
                                {number, builder_.index_value(base_strides[dim])});
    if (!first)
      number = builder_.compute(ScalarFunction::kRemainder, DType::kInt64,
                                {number, builder_.index_value(base.sizes[dim])});
    first = false;
    result.push_back(number.is_literal() ? IndexExpression(SymInt(std::get<int64_t>(number.value)))
                                         : IndexExpression(number.statement()));
  }
  return result;
}

Operand ElementWriter::number(const Argument& argument, DType dtype) {
  if (auto* flag = argument.get_if<bool>()) return builder_.cast(int64_t(*flag), dtype);
  if (auto* real = argument.get_if<double>()) return builder_.cast(*real, dtype);
  if (auto* size = argument.get_if<SymInt>())
    return builder_.cast(builder_.index_value(IndexExpression(*size)), dtype);
  fail("an operand is neither a tensor nor a number");
}

Operand ElementWriter::operand(const Argument& argument, const Place& place, DType dtype) {
  if (!argument.is_value()) return number(argument, dtype);
  const TensorType& type = graph_.type(argument.tensor());
  Place own;
  for (size_t dim = 0; dim < type.rank(); ++dim)
    own.push_back(type.sizes[dim].is(1) ? IndexExpression(SymInt(0))
                                        : place[place.size() - type.rank() + dim]);
  return builder_.cast(at(argument.tensor(), own), dtype);
}

Operand ElementWriter::pointwise(const NodeFacts& facts, const Node& node, const Place& place) {
  DType result = node.outputs.front().dtype;
  auto* rule = facts.entry->lowers_to<ops::Pointwise>();
  if (facts.entry->lowers_to<ops::Checked>()) check_condition(facts, place);
  if (!rule) return operand(facts.arguments.front(), place, result);  // a conversion or a copy
  auto types = infer_arguments(graph_, facts.arguments);
  DType dtype = ops::computation_dtype(*facts.entry, types);
  ScalarFunction function = rule->function;
  const auto float32 = ops::float32_operand<TensorType>(function, dtype, types);
  std::vector<Operand> operands;
  for (size_t i = 0; i < info(function).arity; ++i) {
    bool condition = function == ScalarFunction::kWhere && i == 0;
    const DType of_operand = float32 == i ? DType::kFloat32 : condition ? DType::kBool : dtype;
    operands.push_back(operand(facts.arguments[i], place, of_operand));
  }
  if (float32) {
    // Rounded once, from float32 to the result.
    for (Operand& each : operands) each = builder_.cast(each, DType::kFloat32);
    dtype = DType::kFloat32;
  }
  if (ops::divides_integers(function, dtype)) check_divisor(operands[1], dtype);
  return builder_.cast(builder_.compute(function, dtype, std::move(operands)), result);
}

Operand ElementWriter::create(const NodeFacts& facts, const Node& node, const Place& place) {
  DType dtype = node.outputs.front().dtype;
  if (auto* fill = facts.entry->lowers_to<ops::Fill>()) {
    const Argument* value = find_argument(facts, "fill_value");
    return value ? operand(*value, {}, dtype) : builder_.cast(fill->value, dtype);
  }
  const Argument& start = *find_argument(facts, "start");
  const Argument& step = *find_argument(facts, "step");
  auto* first = start.get_if<SymInt>();
  auto* stride = step.get_if<SymInt>();
  if (first && stride)
    return builder_.cast(builder_.index_value(place[0] * *stride + IndexExpression(*first)), dtype);
  const auto is_whole = [&](const Argument& argument) {
    return argument.is_value() ? is_integer(graph_.type(argument.tensor()).dtype)
                               : argument.get_if<SymInt>() != nullptr;
  };
  const DType wide = is_whole(start) && is_whole(step) ? DType::kInt64 : DType::kFloat64;
  Operand steps = builder_.cast(builder_.index_value(place[0]), wide);
  Operand offset =
      builder_.compute(ScalarFunction::kMultiply, wide, {steps, operand(step, {}, wide)});
  Operand sum = builder_.compute(ScalarFunction::kAdd, wide, {offset, operand(start, {}, wide)});
  return builder_.cast(sum, dtype);
}

void ElementWriter::check_divisor(Operand divisor, DType dtype) {
  if (divisor.is_literal() && std::get<int64_t>(divisor.value) != 0) return;
  // A check needs a statement, even where its result is known.
  if (divisor.is_literal()) divisor = builder_.compute(ScalarFunction::kCast, dtype, {divisor});
  builder_.check(builder_.compute(ScalarFunction::kNotEqual, dtype, {divisor, int64_t(0)}),
                 "division of integers by zero");
}

void ElementWriter::check_condition(const NodeFacts& facts, const Place& place) {
  Operand condition = operand(*find_argument(facts, "condition"), place, DType::kBool);
  if (condition.is_literal() && condition.number() != 0) return;
  if (condition.is_literal())
    condition = builder_.compute(ScalarFunction::kCast, DType::kBool, {condition});
  builder_.check(condition, *find_argument(facts, "message")->get_if<std::string>());
}

void ElementWriter::check_bounds(Operand at, SymInt size) {
  if (at.is_literal() && size.is_constant()) {
    auto place = std::get<int64_t>(at.value);
    if (place >= 0 && place < size.constant()) return;
  }
  if (at.is_literal()) at = builder_.compute(ScalarFunction::kCast, DType::kInt64, {at});
  Operand low = builder_.compute(ScalarFunction::kGreaterEqual, DType::kInt64, {at, 0});
  Operand high = builder_.compute(ScalarFunction::kLess, DType::kInt64,
                                  {at, builder_.index_value(IndexExpression(size))});
  builder_.check(builder_.compute(ScalarFunction::kLogicalAnd, DType::kBool, {low, high}),
                 "index out of range");
}

Place ElementWriter::index_place(const NodeFacts& facts, const Place& place) const {
  Place index_place = place;
  if (facts.entry->lowers_to<ops::SelectAlong>())
    index_place = {place.empty() ? IndexExpression(SymInt(0))
                                 : place[static_cast<size_t>(facts.dims.front())]};
  const TensorType& type = graph_.type(facts.operands[1]);
  for (size_t dim = 0; dim < type.rank(); ++dim)
    if (type.sizes[dim].is(1)) index_place[dim] = IndexExpression(SymInt(0));
  index_place.resize(type.rank());
  return index_place;
}

Operand ElementWriter::checked_index(NodeId id, const Place& place) {
  const NodeFacts& facts = plan_.facts[index(id)];
  const Place where = index_place(facts, place);
  // Kept as a second value of the gather, which has but one.
  const Value kept{id, 1};
  if (auto known = find_written(kept, where)) return *known;
  const Operand found = builder_.as_index(at(facts.operands[1], where));
  const TensorType& source = graph_.type(facts.operands[0]);
  const auto along = static_cast<size_t>(facts.dims.front());
  check_bounds(found, source.rank() == 0 ? SymInt(1) : source.sizes[along]);
  remember(kept, where, found);
  return found;
}

Operand ElementWriter::gather(const NodeFacts& facts, const Node& node, const Place& place) {
  if (facts.view) {
    auto* reduce = facts.entry->lowers_to<ops::Reduce>();
    auto* scan = facts.entry->lowers_to<ops::Scan>();
    if (reduce && info(reduce->combiner).parts == 2) return int64_t(0);  // the only one there is
    auto id = NodeId(&node - graph_.nodes.data());
    const DType dtype = node.outputs.front().dtype;
    Operand only = view(facts, {id, 0}, place);
    // Whether it is not zero, also as a number.
    if (reduce && (reduce->combiner == Combiner::kAll || reduce->combiner == Combiner::kAny))
      only = builder_.cast(only, DType::kBool);
    only = builder_.cast(only, dtype);
    // A sum begins with 0, which makes 0 of -0.
    bool sums = (reduce && reduce->combiner == Combiner::kSum) ||
                (scan && scan->combiner == Combiner::kSum);
    if (!sums || !is_floating(dtype)) return only;
    return builder_.compute(ScalarFunction::kAdd, dtype, {only, number(0, dtype)});
  }
  Value source = facts.operands[0];
  auto along = static_cast<size_t>(facts.dims.front());
  const Operand found = checked_index(NodeId(&node - graph_.nodes.data()), place);
  const TensorType& source_type = graph_.type(source);
  Place source_place(source_type.rank());
  for (size_t dim = 0; dim < source_type.rank(); ++dim) {
    if (dim == along)
      source_place[dim] = found.is_literal()
                              ? IndexExpression(SymInt(std::get<int64_t>(found.value)))
                              : IndexExpression(found.statement());
    else
      source_place[dim] = source_type.sizes[dim].is(1) ? IndexExpression(SymInt(0)) : place[dim];
  }
  return at(source, source_place);
}

}  // namespace glint::passes
