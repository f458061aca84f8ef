#include "passes/simplify.h"

#include <cmath>
#include <optional>
#include <source_location>
#include <span>
#include <string_view>

#include "ir/constant_text.h"
#include "ops/infer.h"
#include "passes/memory_roots.h"
#include "passes/operators.h"
#include "passes/rewriter.h"

namespace glint::passes {

namespace {

/// What a rule sees: a call of the new graph that is not appended yet.
struct Call {
  const Graph& graph;
  const Node& node;
  std::vector<Argument> arguments;  ///< one a parameter

  bool is(std::string_view target) const { return node.target == target; }
  const Argument& argument(size_t i) const { return arguments[i]; }
  /// The call that makes a tensor argument, if it is one of that operator.
  const Node* made_by(size_t i, std::string_view target) const {
    if (i >= arguments.size() || !arguments[i].is_value()) return nullptr;
    const Node& maker = graph[arguments[i].tensor().node];
    return maker.target == target ? &maker : nullptr;
  }
  /// An argument's value, where it is a number, or a constant all of whose elements are equal.
  std::optional<double> number(size_t i) const {
    const Argument& given = arguments[i];
    if (auto* real = given.get_if<double>()) return *real;
    if (auto* flag = given.get_if<bool>()) return *flag;
    if (auto* size = given.get_if<SymInt>())
      return size->is_constant() ? std::optional<double>(double(size->constant())) : std::nullopt;
    if (!given.is_value()) return std::nullopt;
    const Node& maker = graph[given.tensor().node];
    if (maker.kind != NodeKind::kConstant || maker.data.empty()) return std::nullopt;
    DType dtype = maker.outputs.front().dtype;
    double first = constant_element(dtype, maker.data, 0);
    size_t count = maker.data.size() / dtype_size(dtype);
    for (size_t k = 1; k < count; ++k)
      if (constant_element(dtype, maker.data, k) != first) return std::nullopt;
    return first;
  }
  bool is_number(size_t i, double value) const {
    auto found = number(i);
    return found && *found == value && std::signbit(*found) == std::signbit(value);
  }
  bool is_integer_result() const { return !is_floating(node.outputs.front().dtype); }
  /// The value of tensor argument i; nothing if it is a number.
  std::optional<Value> value(size_t i) const {
    return arguments[i].is_value() ? std::optional(arguments[i].tensor()) : std::nullopt;
  }
  /// Argument 0 of the call that makes argument 0.
  std::optional<Value> inner(const Node* maker) const {
    if (!maker) return std::nullopt;
    const Argument& first = maker->arguments.front().value;
    return first.is_value() ? std::optional(first.tensor()) : std::nullopt;
  }
};

using RuleFunction = std::optional<Value> (*)(const Call& call);

std::optional<Value> multiply_by_one(const Call& call) {
  if (!call.is("multiply")) return std::nullopt;
  if (call.is_number(1, 1.0)) return call.value(0);
  return call.is_number(0, 1.0) ? call.value(1) : std::nullopt;
}

std::optional<Value> divide_by_one(const Call& call) {
  return call.is("divide") && call.is_number(1, 1.0) ? call.value(0) : std::nullopt;
}

/// x + 0.0 is 0.0 for x = -0.0, so floats keep it; x + -0.0 and integers do not.
std::optional<Value> add_zero(const Call& call) {
  if (!call.is("add")) return std::nullopt;
  auto is_zero = [&](size_t i) {
    return call.is_number(i, -0.0) || (call.is_integer_result() && call.is_number(i, 0.0));
  };
  if (is_zero(1)) return call.value(0);
  return is_zero(0) && call.is_number(2, 1.0) ? call.value(1) : std::nullopt;
}

std::optional<Value> subtract_zero(const Call& call) {
  return call.is("subtract") && call.is_number(1, 0.0) ? call.value(0) : std::nullopt;
}

std::optional<Value> power_of_one(const Call& call) {
  return call.is("power") && call.is_number(1, 1.0) ? call.value(0) : std::nullopt;
}

std::optional<Value> negative_twice(const Call& call) {
  return call.is("negative") ? call.inner(call.made_by(0, "negative")) : std::nullopt;
}

std::optional<Value> not_twice(const Call& call) {
  if (call.is("logical_not") && call.node.outputs.front().dtype == DType::kBool)
    return call.inner(call.made_by(0, "logical_not"));
  return call.is("bitwise_not") ? call.inner(call.made_by(0, "bitwise_not")) : std::nullopt;
}

/// f(f(x)) is f(x).
std::optional<Value> idempotent(const Call& call) {
  for (std::string_view target : {"abs", "floor", "ceil", "round", "trunc", "sign", "relu"})
    if (call.is(target) && call.made_by(0, target)) return call.value(0);
  for (std::string_view target : {"maximum", "minimum"}) {
    const Node* maker = call.is(target) ? call.made_by(0, target) : nullptr;
    if (maker && !call.argument(1).is_value() && maker->arguments[1].value == call.argument(1))
      return call.value(0);
  }
  return std::nullopt;
}

std::optional<Value> transpose_twice(const Call& call) {
  if (call.is("t")) return call.inner(call.made_by(0, "t"));
  const Node* maker = call.is("transpose") ? call.made_by(0, "transpose") : nullptr;
  if (!maker || maker->arguments.size() != 3) return std::nullopt;
  auto same = [&](size_t a, size_t b) { return call.argument(a) == maker->arguments[b].value; };
  bool undone = (same(1, 1) && same(2, 2)) || (same(1, 2) && same(2, 1));
  return undone ? call.inner(maker) : std::nullopt;
}

/// A permute, reshape or expand that leaves everything in place (the type says so).
std::optional<Value> view_of_nothing(const Call& call) {
  for (std::string_view target : {"reshape", "view", "expand", "squeeze", "flatten"})
    if (call.is(target)) return call.value(0);
  if (!call.is("permute") || !call.argument(1).is_list()) return std::nullopt;
  const auto& dims = call.argument(1).list();
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != Argument(static_cast<int64_t>(i))) return std::nullopt;
  return call.value(0);
}

std::optional<Value> reshape_twice(const Call& call) {
  return call.is("reshape") ? call.inner(call.made_by(0, "reshape")) : std::nullopt;
}

std::optional<Value> where_known(const Call& call) {
  if (!call.is("where")) return std::nullopt;
  auto condition = call.number(0);
  if (!condition) return std::nullopt;
  return call.value(*condition != 0.0 ? 1 : 2);
}

std::optional<Value> convert_to_same(const Call& call) {
  return call.is("to") || call.is("type_as") ? call.value(0) : std::nullopt;
}

/// To a wider floating dtype and back: every value survives.
std::optional<Value> convert_and_back(const Call& call) {
  const Node* maker = call.is("to") ? call.made_by(0, "to") : nullptr;
  auto source = call.inner(maker);
  if (!source) return std::nullopt;
  DType from = call.graph.type(*source).dtype, wide = maker->outputs.front().dtype;
  bool widens = is_floating(from) && is_floating(wide) && promote_types(from, wide) == wide;
  return widens ? source : std::nullopt;
}

/// Nothing in a graph writes to its operands, so a copy whose memory stays inside is its operand.
std::optional<Value> copy_inside(const Call& call) {
  return call.is("clone") || call.is("contiguous") || call.is("detach") ? call.value(0)
                                                                        : std::nullopt;
}

struct Rule {
  std::string_view name;
  std::string_view meaning;
  RuleFunction function;
  std::source_location birthplace;

  Rule(std::string_view called, std::string_view shown, RuleFunction rewrite,
       std::source_location written = std::source_location::current())
      : name(called), meaning(shown), function(rewrite), birthplace(written) {}
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules{
      {"multiply_by_one", "x * 1 -> x", multiply_by_one},
      {"divide_by_one", "x / 1 -> x", divide_by_one},
      {"add_zero", "x + 0 -> x for integers, x + -0.0 -> x", add_zero},
      {"subtract_zero", "x - 0 -> x", subtract_zero},
      {"power_of_one", "x ** 1 -> x", power_of_one},
      {"negative_twice", "-(-x) -> x", negative_twice},
      {"not_twice", "not not x -> x, ~~x -> x", not_twice},
      {"idempotent", "f(f(x)) -> f(x) for abs, floor, relu, ...", idempotent},
      {"transpose_twice", "x.t().t() -> x", transpose_twice},
      {"view_of_nothing", "a view with its base's type -> its base", view_of_nothing},
      {"reshape_twice", "x.reshape(a).reshape(b) -> x, where b are x's sizes", reshape_twice},
      {"where_known", "where(True, x, y) -> x", where_known},
      {"convert_to_same", "x.to(its dtype) -> x", convert_to_same},
      {"convert_and_back", "x.to(wider).to(its dtype) -> x", convert_and_back},
      {"copy_inside", "x.clone() -> x, where the copy's memory stays inside", copy_inside},
  };
  return kRules;
}

class Simplifier {
 public:
  Simplifier(const Graph& graph, std::vector<RuleHit>& hits)
      : graph_(graph),
        hits_(hits),
        rewriter_(graph),
        old_roots_(graph),
        new_roots_(rewriter_.result()),
        returned_(graph.nodes.size(), false) {
    for (Value output : graph.outputs) returned_[index(output.node)] = true;
  }

  Graph run() {
    for (size_t i = graph_.parameter_count; i < graph_.nodes.size(); ++i)
      if (graph_.nodes[i].kind != NodeKind::kCall || !rewrite(NodeId(i))) rewriter_.copy(NodeId(i));
    return rewriter_.finish();
  }

 private:
  bool rewrite(NodeId id) {
    const Node& node = graph_[id];
    // What leaves the region keeps its identity: `y = x * 1` is no other name for x.
    if (returned_[index(id)] || node.outputs.size() != 1) return false;
    Call call{rewriter_.result(), node, {}};
    for (const Argument& argument : bound_arguments(node))
      call.arguments.push_back(rewriter_.map(argument));
    const size_t before = rewriter_.result().nodes.size();
    for (const Rule& rule : rules()) {
      auto value = rule.function(call);
      if (!value || rewriter_.result().type(*value) != node.outputs.front()) continue;
      if (!keeps_memory({id, 0}, *value)) continue;
      if (index(value->node) >= before) {
        rewriter_.inherit_name(value->node, id);
        rewriter_.result()[value->node].belong_with(node);
      }
      hits_.push_back({rule.name, rule.birthplace, node_text(id), rewriter_.result().text(*value)});
      rewriter_.replace({id, 0}, *value);
      return true;
    }
    return false;
  }

  /// Whether no output comes to show other memory when `replacement` stands in place of a result.
  bool keeps_memory(Value result, Value replacement) {
    Value root = old_roots_.root(result);
    bool same =
        root != result && new_roots_.root(rewriter_.map(root)) == new_roots_.root(replacement);
    return same || !old_roots_.escapes(root);
  }

  std::string node_text(NodeId id) const {
    const Node& node = graph_[id];
    std::string text = "%" + node.name + " = " + node.target.text();
    for (size_t i = 0; i < node.arguments.size(); ++i)
      text += (i ? ", " : " ") + argument_text(graph_, node.arguments[i].value);
    return text;
  }

  const Graph& graph_;
  std::vector<RuleHit>& hits_;
  Rewriter rewriter_;
  MemoryRoots old_roots_, new_roots_;
  std::vector<bool> returned_;
};

}  // namespace

Graph simplify(const Graph& graph, std::vector<RuleHit>& hits) {
  return Simplifier(graph, hits).run();
}

}  // namespace glint::passes
