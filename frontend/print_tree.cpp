// The syntax tree as text: a node a line, its children indented below it.
//
//     Assign
//       target: Name x
//       value: Binary add
//         left: Constant 1
//         right: Name y

#include <fmt/format.h>

#include "frontend/frontend.h"

namespace glint::frontend {
namespace {

class TreePrinter {
 public:
  std::vector<StageLine> lines;

  void block(std::string_view label, const Block& body) {
    for (const auto& each : body) {
      place_ = each->span;
      label_ = label;
      std::visit([&](const auto& node) { show(node); }, each->node);
    }
  }

 private:
  /// A line for a node, then its children one level in.
  template <class F>
  void node(const std::string& text, F children) {
    std::string lead = label_.empty() ? "" : label_ + ": ";
    lines.push_back({std::string(depth_ * 2, ' ') + lead + text, {place_}});
    ++depth_;
    children();
    --depth_;
  }
  void leaf(const std::string& text) {
    node(text, [] {});
  }
  void child(std::string_view label, const ExpressionPtr& expression) {
    if (!expression) return;
    place_ = expression->span;
    label_ = label;
    std::visit([&](const auto& each) { show(each); }, expression->node);
  }
  void children(std::string_view label, const Expressions& list) {
    for (const ExpressionPtr& each : list) child(label, each);
  }
  void inner_block(std::string_view label, const Block& body) { block(label, body); }

  static std::string_view word(BinaryOperator op) {
    auto opcode = static_cast<program::Opcode>(static_cast<int>(program::Opcode::kAdd) +
                                               static_cast<int>(op));
    return program::info(opcode).name;
  }
  static std::string_view word(ComparisonOperator op) {
    auto opcode = static_cast<program::Opcode>(static_cast<int>(program::Opcode::kLess) +
                                               static_cast<int>(op));
    return program::info(opcode).name;
  }
  static std::string_view word(UnaryOperator op) {
    auto opcode = op == UnaryOperator::kNot
                      ? program::Opcode::kNot
                      : static_cast<program::Opcode>(static_cast<int>(program::Opcode::kNegative) +
                                                     static_cast<int>(op));
    return program::info(opcode).name;
  }

  // ---- expressions ----
  void show(const Constant& each) { leaf("Constant " + program::text_of(each.value)); }
  void show(const Name& each) { leaf("Name " + each.id); }
  void show(const Unary& each) {
    node(fmt::format("Unary {}", word(each.op)), [&] { child("", each.operand); });
  }
  void show(const Binary& each) {
    node(fmt::format("Binary {}", word(each.op)), [&] {
      child("left", each.left);
      child("right", each.right);
    });
  }
  void show(const BoolOperation& each) {
    node(each.is_and ? "And" : "Or", [&] { children("", each.values); });
  }
  void show(const Compare& each) {
    std::string ops;
    for (ComparisonOperator op : each.ops) ops += fmt::format(" {}", word(op));
    node("Compare" + ops, [&] {
      child("left", each.left);
      children("right", each.comparators);
    });
  }
  void show(const Conditional& each) {
    node("Conditional", [&] {
      child("condition", each.condition);
      child("then", each.then);
      child("else", each.otherwise);
    });
  }
  void show(const Lambda& each) {
    node("Lambda", [&] {
      parameters(each.parameters);
      child("body", each.body);
    });
  }
  void show(const Call& each) {
    node("Call", [&] {
      child("function", each.function);
      arguments(each.arguments);
    });
  }
  void show(const Attribute& each) {
    node("Attribute " + each.name, [&] { child("", each.value); });
  }
  void show(const Subscript& each) {
    node("Subscript", [&] {
      child("value", each.value);
      child("index", each.index);
    });
  }
  void show(const Slice& each) {
    node("Slice", [&] {
      child("lower", each.lower);
      child("upper", each.upper);
      child("step", each.step);
    });
  }
  void show(const Starred& each) {
    node("Starred", [&] { child("", each.value); });
  }
  void show(const NamedExpression& each) {
    node("NamedExpression " + each.name, [&] { child("", each.value); });
  }
  void show(const ListDisplay& each) {
    node("List", [&] { children("", each.items); });
  }
  void show(const TupleDisplay& each) {
    node("Tuple", [&] { children("", each.items); });
  }
  void show(const SetDisplay& each) {
    node("Set", [&] { children("", each.items); });
  }
  void show(const DictDisplay& each) {
    node("Dict", [&] {
      for (size_t i = 0; i < each.values.size(); ++i) {
        child("key", each.keys[i]);
        child(each.keys[i] ? "value" : "update", each.values[i]);
      }
    });
  }
  void show(const Comprehension& each) {
    std::string_view kind = each.kind == ComprehensionKind::kList   ? "ListComprehension"
                            : each.kind == ComprehensionKind::kSet  ? "SetComprehension"
                            : each.kind == ComprehensionKind::kDict ? "DictComprehension"
                                                                    : "GeneratorExpression";
    node(std::string(kind), [&] {
      child("element", each.element);
      child("value", each.value);
      for (const ComprehensionClause& clause : each.clauses) {
        child("for", clause.target);
        child("in", clause.iterable);
        children("if", clause.conditions);
      }
    });
  }
  void show(const FormattedValue& each) {
    std::string conversion = each.conversion ? std::string(" !") + each.conversion : "";
    node("FormattedValue" + conversion, [&] {
      child("", each.value);
      child("spec", each.spec);
    });
  }
  void show(const JoinedString& each) {
    node("JoinedString", [&] { children("", each.parts); });
  }
  void show(const Yield& each) {
    node("Yield", [&] { child("", each.value); });
  }
  void show(const YieldFrom& each) {
    node("YieldFrom", [&] { child("", each.value); });
  }

  void parameters(const Parameters& list) {
    for (const Parameters::Item& item : list.items) {
      place_ = item.span;
      label_ = "parameter";
      node(item.name, [&] {
        child("annotation", item.annotation);
        child("default", item.default_value);
      });
    }
  }
  void arguments(const std::vector<Argument>& list) {
    for (const Argument& argument : list) {
      std::string label = argument.kind == Argument::Kind::kKeyword      ? argument.keyword + "="
                          : argument.kind == Argument::Kind::kStar       ? "*"
                          : argument.kind == Argument::Kind::kDoubleStar ? "**"
                                                                         : "argument";
      child(label, argument.value);
    }
  }

  // ---- statements ----
  void show(const ExpressionStatement& each) {
    node("Expression", [&] { child("", each.value); });
  }
  void show(const Assign& each) {
    node("Assign", [&] {
      children("target", each.targets);
      child("value", each.value);
    });
  }
  void show(const AugmentedAssign& each) {
    node(fmt::format("AugmentedAssign {}", word(each.op)), [&] {
      child("target", each.target);
      child("value", each.value);
    });
  }
  void show(const AnnotatedAssign& each) {
    node("AnnotatedAssign", [&] {
      child("target", each.target);
      child("annotation", each.annotation);
      child("value", each.value);
    });
  }
  void show(const Return& each) {
    node("Return", [&] { child("", each.value); });
  }
  void show(const Raise& each) {
    node("Raise", [&] {
      child("", each.exception);
      child("from", each.cause);
    });
  }
  void show(const Assert& each) {
    node("Assert", [&] {
      child("condition", each.condition);
      child("message", each.message);
    });
  }
  void show(const Delete& each) {
    node("Delete", [&] { children("", each.targets); });
  }
  void show(const Pass&) { leaf("Pass"); }
  void show(const Break&) { leaf("Break"); }
  void show(const Continue&) { leaf("Continue"); }
  void show(const Global& each) { leaf(fmt::format("Global {}", fmt::join(each.names, ", "))); }
  void show(const Nonlocal& each) { leaf(fmt::format("Nonlocal {}", fmt::join(each.names, ", "))); }
  static std::string text_of(const ImportName& name) {
    return name.as_name.empty() ? name.name : name.name + " as " + name.as_name;
  }
  void show(const Import& each) {
    std::vector<std::string> names;
    for (const ImportName& name : each.names) names.push_back(text_of(name));
    leaf(fmt::format("Import {}", fmt::join(names, ", ")));
  }
  void show(const ImportFrom& each) {
    std::vector<std::string> names;
    for (const ImportName& name : each.names) names.push_back(text_of(name));
    if (names.empty()) names.push_back("*");
    leaf(fmt::format("ImportFrom {}{}: {}", std::string(each.level, '.'), each.module,
                     fmt::join(names, ", ")));
  }
  void show(const If& each) {
    node("If", [&] {
      child("condition", each.condition);
      inner_block("then", each.then);
      inner_block("else", each.otherwise);
    });
  }
  void show(const While& each) {
    node("While", [&] {
      child("condition", each.condition);
      inner_block("body", each.body);
      inner_block("else", each.otherwise);
    });
  }
  void show(const For& each) {
    node("For", [&] {
      child("target", each.target);
      child("in", each.iterable);
      inner_block("body", each.body);
      inner_block("else", each.otherwise);
    });
  }
  void show(const Try& each) {
    node("Try", [&] {
      inner_block("body", each.body);
      for (const ExceptClause& clause : each.handlers) {
        place_ = clause.span;
        label_ = "except";
        node(clause.name, [&] {
          child("type", clause.type);
          inner_block("body", clause.body);
        });
      }
      inner_block("else", each.otherwise);
      inner_block("finally", each.finally);
    });
  }
  void show(const With& each) {
    node("With", [&] {
      for (const WithItem& item : each.items) {
        child("context", item.context);
        child("as", item.target);
      }
      inner_block("body", each.body);
    });
  }
  void show(const FunctionDefinition& each) {
    node("FunctionDefinition " + each.name, [&] {
      children("decorator", each.decorators);
      parameters(each.parameters);
      child("returns", each.return_annotation);
      inner_block("body", each.body);
    });
  }
  void show(const ClassDefinition& each) {
    node("ClassDefinition " + each.name, [&] {
      children("decorator", each.decorators);
      arguments(each.arguments);
      inner_block("body", each.body);
    });
  }
  void show(const Match& each) {
    node("Match", [&] {
      child("subject", each.subject);
      for (const MatchCase& clause : each.cases) {
        place_ = clause.pattern->span;
        label_ = "case";
        node("", [&] {
          child("if", clause.guard);
          inner_block("body", clause.body);
        });
      }
    });
  }

  size_t depth_ = 0;
  std::string label_;
  Span place_ = {};
};

}  // namespace

std::vector<StageLine> print_tree(const Module& tree) {
  TreePrinter printer;
  printer.block("", tree.body);
  return std::move(printer.lines);
}

}  // namespace glint::frontend
