#include "frontend/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace glint::frontend {
namespace {

enum class Warning : uint8_t {
  kIsLiteral,
  kIsNotLiteral,
  kNotCallable,
  kNotSubscriptable,
  kWrongIndex,
  kAssertsTuple,
  kNumberEnds,
};

struct WarningRow {
  Warning warning;
  std::string_view text;  ///< its arguments are names of types, or of kinds of numbers
};
constexpr std::array<WarningRow, 7> kWarnings = {{
    {Warning::kIsLiteral, "\"is\" with a literal. Did you mean \"==\"?"},
    {Warning::kIsNotLiteral, "\"is not\" with a literal. Did you mean \"!=\"?"},
    {Warning::kNotCallable, "'{}' object is not callable; perhaps you missed a comma?"},
    {Warning::kNotSubscriptable, "'{}' object is not subscriptable; perhaps you missed a comma?"},
    {Warning::kWrongIndex,
     "{} indices must be integers or slices, not {}; perhaps you missed a comma?"},
    {Warning::kAssertsTuple, "assertion is always true, perhaps remove parentheses?"},
    {Warning::kNumberEnds, "invalid {} literal"},
}};
static_assert([] {
  for (size_t i = 0; i < kWarnings.size(); ++i)
    if (kWarnings[i].warning != static_cast<Warning>(i)) return false;
  return true;
}());

template <class... Arguments>
std::string text_of(Warning warning, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(kWarnings[static_cast<size_t>(warning)].text), arguments...);
}

// ---- types of literals -------------------------------------------------------------------------

/// What can be told of a value from its expression: CPython's name of the type, and whether the
/// expression is a constant once constants are folded. An empty type: nothing can be told.
struct Literal {
  std::string_view type;
  bool constant = false;

  bool is(std::initializer_list<std::string_view> types) const {
    return std::find(types.begin(), types.end(), type) != types.end();
  }
  bool is_integer() const { return is({"int", "bool"}); }
};

Literal literal_of(const Expression& node);

struct ConstantType {
  std::string_view operator()(program::None) const { return "NoneType"; }
  std::string_view operator()(program::Ellipsis) const { return "ellipsis"; }
  std::string_view operator()(bool) const { return "bool"; }
  std::string_view operator()(int64_t) const { return "int"; }
  std::string_view operator()(const BigInt&) const { return "int"; }
  std::string_view operator()(double) const { return "float"; }
  std::string_view operator()(program::Imaginary) const { return "complex"; }
  std::string_view operator()(const std::string&) const { return "str"; }
  std::string_view operator()(const program::Bytes&) const { return "bytes"; }
  std::string_view operator()(const program::ConstantTuple&) const { return "tuple"; }
};

bool is_negative(const Expression& node) {
  const auto* unary = node.get_if<Unary>();
  return unary && unary->op == UnaryOperator::kNegative;
}

/// The type of an operator's value on constants, where CPython folds it.
std::string_view folded_type(const Binary& node, const Literal& left, const Literal& right) {
  using enum BinaryOperator;
  BinaryOperator op = node.op;
  bool numbers =
      (left.is_integer() || left.type == "float") && (right.is_integer() || right.type == "float");
  bool divides = op == kDivide || (op == kPower && is_negative(*node.right));
  if (left.is_integer() && right.is_integer()) return divides ? "float" : "int";
  if (numbers) return "float";
  bool sequence = left.is({"str", "bytes", "tuple"});
  if (op == kAdd && sequence && left.type == right.type) return left.type;
  if (op == kMultiply && sequence && right.is_integer()) return left.type;
  return {};
}

/// An item of a tuple that is written out. Each item is looked at once, so that tuples in tuples
/// take no longer than their text.
Literal folded_tuple_item(const TupleDisplay& tuple, const Expression& index) {
  const auto* constant = index.get_if<Constant>();
  const auto* number = constant ? std::get_if<int64_t>(&constant->value.value) : nullptr;
  if (!number || static_cast<size_t>(*number) >= tuple.items.size()) return {};
  Literal chosen;
  for (size_t i = 0; i < tuple.items.size(); ++i) {
    Literal item = literal_of(*tuple.items[i]);
    if (!item.constant) return {};
    if (i == static_cast<size_t>(*number)) chosen = item;
  }
  return chosen;
}

/// A constant's item: `(1, 2)[0]`.
Literal folded_item(const Subscript& node) {
  if (const auto* tuple = node.value->get_if<TupleDisplay>())
    return folded_tuple_item(*tuple, *node.index);
  Literal value = literal_of(*node.value);
  Literal index = literal_of(*node.index);
  bool folds = value.constant && index.constant && index.is_integer();
  if (!folds) return {};
  if (value.type == "str") return {"str", true};
  if (value.type == "bytes") return {"int", true};
  return {};
}

struct LiteralOf {
  Literal operator()(const Constant& node) const {
    return {std::visit(ConstantType{}, node.value.value), true};
  }
  Literal operator()(const TupleDisplay& node) const {
    bool constant = std::all_of(node.items.begin(), node.items.end(),
                                [](const auto& item) { return literal_of(*item).constant; });
    return {"tuple", constant};
  }
  Literal operator()(const Unary& node) const {
    Literal operand = literal_of(*node.operand);
    if (!operand.constant) return {};
    if (node.op == UnaryOperator::kNot) return {"bool", true};
    if (operand.is_integer()) return {"int", true};
    bool negates = operand.type == "float" && node.op != UnaryOperator::kInvert;
    return negates ? operand : Literal{};
  }
  Literal operator()(const Binary& node) const {
    Literal left = literal_of(*node.left);
    Literal right = literal_of(*node.right);
    if (!left.constant || !right.constant) return {};
    std::string_view type = folded_type(node, left, right);
    return {type, !type.empty()};
  }
  Literal operator()(const Subscript& node) const { return folded_item(node); }
  Literal operator()(const ListDisplay&) const { return {"list"}; }
  Literal operator()(const SetDisplay&) const { return {"set"}; }
  Literal operator()(const DictDisplay&) const { return {"dict"}; }
  Literal operator()(const Lambda&) const { return {"function"}; }
  Literal operator()(const JoinedString&) const { return {"str"}; }
  Literal operator()(const Comprehension& node) const {
    switch (node.kind) {
      case ComprehensionKind::kList:
        return {"list"};
      case ComprehensionKind::kSet:
        return {"set"};
      case ComprehensionKind::kDict:
        return {"dict"};
      case ComprehensionKind::kGenerator:
        return {"generator"};
    }
    return {};
  }
  template <class Other>
  Literal operator()(const Other&) const {
    return {};
  }
};

Literal literal_of(const Expression& node) {
  return std::visit(LiteralOf{}, node.node);
}

/// Whether `is` may be meant: the singletons are compared so.
bool has_identity(const Expression& node) {
  Literal literal = literal_of(node);
  return !literal.constant || literal.is({"NoneType", "bool", "ellipsis"});
}

}  // namespace

std::optional<std::string> warning_of(const Compare& node) {
  const Expression* left = node.left.get();
  for (size_t i = 0; i < node.ops.size(); ++i) {
    const Expression* right = node.comparators[i].get();
    bool by_identity =
        node.ops[i] == ComparisonOperator::kIs || node.ops[i] == ComparisonOperator::kIsNot;
    if (by_identity && !(has_identity(*left) && has_identity(*right))) {
      return text_of(node.ops[i] == ComparisonOperator::kIs ? Warning::kIsLiteral
                                                            : Warning::kIsNotLiteral);
    }
    left = right;
  }
  return std::nullopt;
}

std::optional<std::string> warning_of(const Call& node) {
  Literal callee = literal_of(*node.function);
  if (callee.type.empty() || callee.type == "function") return std::nullopt;
  return text_of(Warning::kNotCallable, callee.type);
}

std::optional<std::string> warning_of(const Subscript& node) {
  if (folded_item(node).constant) return std::nullopt;
  Literal value = literal_of(*node.value);
  bool takes_items = value.type.empty() || value.is({"str", "bytes", "tuple", "list", "dict"});
  if (!takes_items) return text_of(Warning::kNotSubscriptable, value.type);
  Literal index = literal_of(*node.index);
  bool fits =
      value.type.empty() || value.type == "dict" || index.type.empty() || index.is_integer();
  if (fits) return std::nullopt;
  return text_of(Warning::kWrongIndex, value.type, index.type);
}

std::optional<std::string> warning_of(const Assert& node) {
  Literal condition = literal_of(*node.condition);
  const auto* tuple = node.condition->get_if<TupleDisplay>();
  bool empty = tuple && tuple->items.empty();
  if (condition.type != "tuple" || empty) return std::nullopt;
  return text_of(Warning::kAssertsTuple);
}

std::string number_warning(std::string_view kind) {
  return text_of(Warning::kNumberEnds, kind);
}

}  // namespace glint::frontend
