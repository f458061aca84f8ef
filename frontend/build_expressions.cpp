// Expressions of the syntax tree from ANTLR's parse tree. Left-recursive chains (`a + b + c`,
// `x.y.z`) nest to the left; their depth is bounded where the statement is parsed (parse.cpp).

#include <fmt/format.h>

#include <unordered_set>

#include "frontend/build.h"
#include "frontend/literals.h"

namespace glint::frontend {

using P = antlr::GlintParser;
using antlr4::tree::TerminalNode;

Span TreeBuilder::span(antlr4::ParserRuleContext* context) const {
  antlr4::Token* start = context->getStart();
  antlr4::Token* stop = context->getStop();
  if (!stop || stop->getTokenIndex() < start->getTokenIndex()) return span(start);
  // A trailing NEWLINE or DEDENT is no part of what the user would point at.
  size_t last = stop->getTokenIndex();
  while (last > start->getTokenIndex() &&
         (tokens_[last].type == P::NEWLINE || tokens_[last].type == P::DEDENT)) {
    --last;
  }
  return join(span(start), tokens_[last].span);
}

std::string TreeBuilder::text(TerminalNode* at) const {
  const Token& token_at = token(at->getSymbol());
  return std::string(text_.substr(token_at.begin, token_at.end - token_at.begin));
}

void TreeBuilder::error(std::string message, const Span& at) const {
  throw SyntaxErrorException{{SyntaxErrorKind::kSyntax, std::move(message), at}};
}

void TreeBuilder::late_error(std::string message, const Span& at) {
  if (in_field_) error(std::move(message), at);
  if (!late_error_) late_error_ = SyntaxError{SyntaxErrorKind::kSyntax, std::move(message), at};
}

std::string_view TreeBuilder::describe(const Expression& expression) {
  struct Describe {
    std::string_view operator()(const Constant& constant) const {
      const auto& value = constant.value.value;
      if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "True" : "False";
      if (std::holds_alternative<program::None>(value)) return "None";
      return std::holds_alternative<program::Ellipsis>(value) ? "ellipsis" : "literal";
    }
    std::string_view operator()(const Name&) const { return "name"; }
    std::string_view operator()(const Unary&) const { return "expression"; }
    std::string_view operator()(const Binary&) const { return "expression"; }
    std::string_view operator()(const BoolOperation&) const { return "expression"; }
    std::string_view operator()(const Compare&) const { return "comparison"; }
    std::string_view operator()(const Conditional&) const { return "conditional expression"; }
    std::string_view operator()(const Lambda&) const { return "lambda"; }
    std::string_view operator()(const Call&) const { return "function call"; }
    std::string_view operator()(const Attribute&) const { return "attribute"; }
    std::string_view operator()(const Subscript&) const { return "subscript"; }
    std::string_view operator()(const Slice&) const { return "slice"; }
    std::string_view operator()(const Starred&) const { return "starred"; }
    std::string_view operator()(const NamedExpression&) const { return "named expression"; }
    std::string_view operator()(const ListDisplay&) const { return "list"; }
    std::string_view operator()(const TupleDisplay&) const { return "tuple"; }
    std::string_view operator()(const SetDisplay&) const { return "set display"; }
    std::string_view operator()(const DictDisplay&) const { return "dict literal"; }
    std::string_view operator()(const Comprehension& made) const {
      switch (made.kind) {
        case ComprehensionKind::kList:
          return "list comprehension";
        case ComprehensionKind::kSet:
          return "set comprehension";
        case ComprehensionKind::kDict:
          return "dict comprehension";
        case ComprehensionKind::kGenerator:
          return "generator expression";
      }
      return "expression";
    }
    std::string_view operator()(const FormattedValue&) const { return "f-string expression"; }
    std::string_view operator()(const JoinedString&) const { return "f-string expression"; }
    std::string_view operator()(const Yield&) const { return "yield expression"; }
    std::string_view operator()(const YieldFrom&) const { return "yield expression"; }
  };
  return std::visit(Describe{}, expression.node);
}

void TreeBuilder::check_target(const Expression& target, std::string_view verb, bool top) {
  auto check_items = [&](const Expressions& items) {
    for (const ExpressionPtr& item : items) check_target(*item, verb, false);
  };
  if (target.get_if<Name>() || target.get_if<Attribute>() || target.get_if<Subscript>()) return;
  if (const auto* tuple = target.get_if<TupleDisplay>()) return check_items(tuple->items);
  if (const auto* list = target.get_if<ListDisplay>()) return check_items(list->items);
  if (const auto* star = target.get_if<Starred>(); star && verb == "assign to") {
    if (top) late_error("starred assignment target must be in a list or tuple", target.span);
    return check_target(*star->value, verb, false);
  }
  error(fmt::format("cannot {} {}", verb, describe(target)), target.span);
}

ExpressionPtr TreeBuilder::build(P::ExpressionInputContext* context) {
  return build(context->expressionList());
}

ExpressionPtr TreeBuilder::build(P::ExpressionListContext* context) {
  auto items = context->starExpression();
  if (items.size() == 1 && context->COMMA().empty()) return build(items[0]);
  TupleDisplay tuple;
  for (auto* item : items) tuple.items.push_back(build(item));
  return make(span(context), std::move(tuple));
}

ExpressionPtr TreeBuilder::build(P::StarExpressionContext* context) {
  if (context->expression()) return build(context->expression());
  return make(span(context), Starred{build(context->arith())});
}

ExpressionPtr TreeBuilder::build(P::NamedExpressionContext* context) {
  ExpressionPtr value = build(context->expression());
  if (!context->WALRUS()) return value;
  return make(span(context),
              NamedExpression{text(context->NAME()), span(context->NAME()), std::move(value)});
}

ExpressionPtr TreeBuilder::build(P::StarNamedContext* context) {
  if (context->namedExpression()) return build(context->namedExpression());
  return make(span(context), Starred{build(context->arith())});
}

ExpressionPtr TreeBuilder::build(P::TargetListContext* context) {
  auto items = context->starArith();
  ExpressionPtr target;
  if (items.size() == 1 && context->COMMA().empty()) {
    target = build(items[0]);
  } else {
    TupleDisplay tuple;
    for (auto* item : items) tuple.items.push_back(build(item));
    target = make(span(context), std::move(tuple));
  }
  check_target(*target, "assign to");
  return target;
}

ExpressionPtr TreeBuilder::build(P::StarArithContext* context) {
  if (!context->MUL()) return build(context->arith());
  return make(span(context), Starred{build(context->arith())});
}

ExpressionPtr TreeBuilder::build(P::YieldExpressionContext* context) {
  if (context->FROM()) return make(span(context), YieldFrom{build(context->expression())});
  ExpressionPtr value = context->expressionList() ? build(context->expressionList()) : nullptr;
  return make(span(context), Yield{std::move(value)});
}

ExpressionPtr TreeBuilder::build(P::ExpressionContext* context) {
  if (context->LAMBDA()) {
    Lambda lambda;
    if (context->lambdaParameters()) lambda.parameters = build(context->lambdaParameters());
    lambda.body = build(context->expression());
    return make(span(context), std::move(lambda));
  }
  ExpressionPtr first = build(context->disjunction(0));
  if (!context->IF()) return first;
  return make(span(context), Conditional{build(context->disjunction(1)), std::move(first),
                                         build(context->expression())});
}

namespace {

ComparisonOperator comparison_of(P::ComparisonContext* context) {
  if (context->NOT())
    return context->IN() ? ComparisonOperator::kNotIn : ComparisonOperator::kIsNot;
  if (context->LT()) return ComparisonOperator::kLess;
  if (context->GT()) return ComparisonOperator::kGreater;
  if (context->EQ()) return ComparisonOperator::kEqual;
  if (context->GE()) return ComparisonOperator::kGreaterEqual;
  if (context->LE()) return ComparisonOperator::kLessEqual;
  if (context->NE()) return ComparisonOperator::kNotEqual;
  return context->IN() ? ComparisonOperator::kIn : ComparisonOperator::kIs;
}

BinaryOperator binary_of(size_t type) {
  switch (type) {
    case P::POW:
      return BinaryOperator::kPower;
    case P::MUL:
      return BinaryOperator::kMultiply;
    case P::AT:
      return BinaryOperator::kMatrixMultiply;
    case P::DIV:
      return BinaryOperator::kDivide;
    case P::MOD:
      return BinaryOperator::kModulo;
    case P::IDIV:
      return BinaryOperator::kFloorDivide;
    case P::ADD:
      return BinaryOperator::kAdd;
    case P::SUB:
      return BinaryOperator::kSubtract;
    case P::LSHIFT:
      return BinaryOperator::kLeftShift;
    case P::RSHIFT:
      return BinaryOperator::kRightShift;
    case P::AMP:
      return BinaryOperator::kBitAnd;
    case P::CARET:
      return BinaryOperator::kBitXor;
    default:
      return BinaryOperator::kBitOr;
  }
}

/// The one operator token of an arith alternative.
TerminalNode* operator_of(antlr4::ParserRuleContext* context) {
  for (antlr4::tree::ParseTree* child : context->children) {
    if (auto* terminal = dynamic_cast<TerminalNode*>(child)) return terminal;
  }
  return nullptr;
}

}  // namespace

ExpressionPtr TreeBuilder::build_disjunction_operand(P::DisjunctionContext* context) {
  if (dynamic_cast<P::NegationContext*>(context))
    error("invalid syntax", span(context->getStart()));
  return build(context);
}

ExpressionPtr TreeBuilder::build(P::DisjunctionContext* context) {
  if (auto* plain = dynamic_cast<P::PlainArithContext*>(context)) return build(plain->arith());
  if (auto* compare = dynamic_cast<P::CompareContext*>(context)) {
    // `a < b < c` parses as `(a < b) < c`; without parentheses it is one chain.
    auto* inner = dynamic_cast<P::CompareContext*>(compare->disjunction(0));
    ExpressionPtr left = build_disjunction_operand(compare->disjunction(0));
    ExpressionPtr right = build_disjunction_operand(compare->disjunction(1));
    ComparisonOperator op = comparison_of(compare->comparison());
    if (inner) {
      Compare& chain = std::get<Compare>(left->node);
      chain.ops.push_back(op);
      chain.comparators.push_back(std::move(right));
      left->span = span(context);
      return left;
    }
    Compare made{std::move(left), {op}, {}};
    made.comparators.push_back(std::move(right));
    return make(span(context), std::move(made));
  }
  if (auto* negation = dynamic_cast<P::NegationContext*>(context)) {
    return make(span(context), Unary{UnaryOperator::kNot, build(negation->disjunction())});
  }
  bool is_and = dynamic_cast<P::ConjunctionContext*>(context) != nullptr;
  auto operands = is_and ? static_cast<P::ConjunctionContext*>(context)->disjunction()
                         : static_cast<P::AlternativeContext*>(context)->disjunction();
  ExpressionPtr left = build(operands[0]);
  ExpressionPtr right = build(operands[1]);
  auto* chain = left->parenthesised ? nullptr : left->get_if<BoolOperation>();
  if (chain && chain->is_and == is_and) {
    chain->values.push_back(std::move(right));
    left->span = span(context);
    return left;
  }
  BoolOperation made{is_and, {}};
  made.values.push_back(std::move(left));
  made.values.push_back(std::move(right));
  return make(span(context), std::move(made));
}

ExpressionPtr TreeBuilder::binary(antlr4::ParserRuleContext* context, TerminalNode* op,
                                  P::ArithContext* left, P::ArithContext* right) {
  ExpressionPtr first = build(left);
  ExpressionPtr second = build(right);
  return make(span(context),
              Binary{binary_of(op->getSymbol()->getType()), std::move(first), std::move(second)});
}

ExpressionPtr TreeBuilder::build(P::ArithContext* context) {
  if (auto* atom = dynamic_cast<P::PlainAtomContext*>(context)) return build(atom->atom());
  if (auto* attribute = dynamic_cast<P::AttributeContext*>(context)) {
    return make(span(context), Attribute{build(attribute->arith()), text(attribute->NAME())});
  }
  if (auto* call = dynamic_cast<P::CallContext*>(context)) return build_call(call);
  if (auto* subscript = dynamic_cast<P::SubscriptContext*>(context)) {
    ExpressionPtr value = build(subscript->arith());
    return make(span(context),
                Subscript{std::move(value), build_subscripts(subscript->subscripts())});
  }
  if (dynamic_cast<P::AwaitContext*>(context)) {
    error("`await` is not part of the language; call the function directly",
          span(context->getStart()));
  }
  TerminalNode* op = operator_of(context);
  if (auto* unary = dynamic_cast<P::UnaryContext*>(context)) {
    size_t type = op->getSymbol()->getType();
    UnaryOperator which = type == P::SUB   ? UnaryOperator::kNegative
                          : type == P::ADD ? UnaryOperator::kPositive
                                           : UnaryOperator::kInvert;
    return make(span(context), Unary{which, build(unary->arith())});
  }
  std::vector<P::ArithContext*> operands;
  for (antlr4::tree::ParseTree* child : context->children) {
    if (auto* operand = dynamic_cast<P::ArithContext*>(child)) operands.push_back(operand);
  }
  return binary(context, op, operands[0], operands[1]);
}

ExpressionPtr TreeBuilder::build_call(P::CallContext* context) {
  Call call{build(context->arith()), {}};
  if (context->arguments()) call.arguments = build(context->arguments());
  return make(span(context), std::move(call));
}

std::vector<Argument> TreeBuilder::build(P::ArgumentsContext* context) {
  std::vector<Argument> arguments;
  bool seen_keyword = false;
  std::unordered_set<std::string> keywords;
  bool seen_double_star = false;
  auto items = context->argument();
  for (auto* item : items) {
    Argument argument;
    argument.span = span(item);
    if (item->MUL()) {
      if (seen_double_star) {
        error("iterable argument unpacking follows keyword argument unpacking", argument.span);
      }
      argument.kind = Argument::Kind::kStar;
      argument.value = build(item->expression());
    } else if (item->POW()) {
      argument.kind = Argument::Kind::kDoubleStar;
      argument.value = build(item->expression());
      seen_double_star = true;
    } else if (item->ASSIGN()) {
      argument.kind = Argument::Kind::kKeyword;
      argument.keyword = text(item->NAME());
      argument.value = build(item->expression());
      if (!keywords.insert(argument.keyword).second)
        late_error(fmt::format("keyword argument repeated: {}", argument.keyword), argument.span);
      seen_keyword = true;
    } else {
      ExpressionPtr value = build(item->namedExpression());
      auto clauses = item->comprehensionFor();
      if (!clauses.empty()) {
        if (items.size() > 1 || !context->COMMA().empty())
          error("Generator expression must be parenthesized", argument.span);
        value = comprehension(ComprehensionKind::kGenerator, argument.span, std::move(value),
                              nullptr, clauses);
      }
      argument.value = std::move(value);
      if (seen_double_star) {
        error("positional argument follows keyword argument unpacking", argument.span);
      }
      if (seen_keyword) error("positional argument follows keyword argument", argument.span);
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

ExpressionPtr TreeBuilder::build_subscripts(P::SubscriptsContext* context) {
  auto build_item = [&](P::SubscriptItemContext* item) -> ExpressionPtr {
    if (auto* index = dynamic_cast<P::IndexItemContext*>(item)) return build(index->starNamed());
    auto* slice = static_cast<P::SliceItemContext*>(item);
    Slice made;
    size_t part = 0;
    for (antlr4::tree::ParseTree* child : slice->children) {
      if (auto* expression = dynamic_cast<P::ExpressionContext*>(child)) {
        ExpressionPtr& place = part == 0 ? made.lower : part == 1 ? made.upper : made.step;
        place = build(expression);
      } else {
        ++part;
      }
    }
    return make(span(item), std::move(made));
  };
  auto items = context->subscriptItem();
  if (items.size() == 1 && context->COMMA().empty()) {
    ExpressionPtr only = build_item(items[0]);
    if (!only->get_if<Starred>()) return only;
    TupleDisplay tuple;
    tuple.items.push_back(std::move(only));
    return make(span(context), std::move(tuple));
  }
  TupleDisplay tuple;
  for (auto* item : items) tuple.items.push_back(build_item(item));
  return make(span(context), std::move(tuple));
}

std::vector<ComprehensionClause> TreeBuilder::build(
    const std::vector<P::ComprehensionForContext*>& contexts) {
  std::vector<ComprehensionClause> clauses;
  for (auto* context : contexts) {
    if (context->ASYNC()) {
      error("asynchronous comprehensions are not part of the language; use a plain `for`",
            span(context));
    }
    ComprehensionClause clause;
    clause.target = build(context->targetList());
    clause.iterable = build(context->disjunction());
    for (auto* condition : context->comprehensionCondition()) {
      ExpressionPtr value = build(condition->disjunction());
      if (condition->WALRUS()) {
        value = make(span(condition), NamedExpression{text(condition->NAME()),
                                                      span(condition->NAME()), std::move(value)});
      }
      clause.conditions.push_back(std::move(value));
    }
    clauses.push_back(std::move(clause));
  }
  return clauses;
}

ExpressionPtr TreeBuilder::comprehension(ComprehensionKind kind, Span at, ExpressionPtr element,
                                         ExpressionPtr value,
                                         const std::vector<P::ComprehensionForContext*>& clauses) {
  if (element->get_if<Starred>())
    error("iterable unpacking cannot be used in comprehension", element->span);
  return make(at, Comprehension{kind, std::move(element), std::move(value), build(clauses)});
}

ExpressionPtr TreeBuilder::build(P::AtomContext* context) {
  Span at = span(context);
  auto items_of = [&](const std::vector<P::StarNamedContext*>& contexts) {
    Expressions items;
    for (auto* item : contexts) items.push_back(build(item));
    return items;
  };
  if (auto* name = dynamic_cast<P::NameContext*>(context))
    return make(at, Name{text(name->NAME())});
  if (auto* number = dynamic_cast<P::NumberContext*>(context))
    return build_number(number->NUMBER());
  if (auto* strings = dynamic_cast<P::StringContext*>(context))
    return build_strings(strings->getStart()->getTokenIndex(),
                         strings->getStop()->getTokenIndex() + 1);
  if (auto* constant = dynamic_cast<P::ConstantContext*>(context)) {
    if (constant->NONE()) return make(at, Constant{{program::None{}}});
    if (constant->ELLIPSIS()) return make(at, Constant{{program::Ellipsis{}}});
    return make(at, Constant{{constant->TRUE() != nullptr}});
  }
  if (auto* inside = dynamic_cast<P::ParenthesisedContext*>(context)) {
    auto items = inside->starNamed();
    if (items.size() == 1 && inside->COMMA().empty()) {
      ExpressionPtr only = build(items[0]);
      if (only->get_if<Starred>()) error("cannot use starred expression here", only->span);
      only->parenthesised = true;
      return only;
    }
    return make(at, TupleDisplay{items_of(items)});
  }
  if (auto* list = dynamic_cast<P::ListDisplayContext*>(context))
    return make(at, ListDisplay{items_of(list->starNamed())});
  if (dynamic_cast<P::EmptyListContext*>(context)) return make(at, ListDisplay{});
  if (dynamic_cast<P::EmptyTupleContext*>(context)) return make(at, TupleDisplay{});
  if (dynamic_cast<P::EmptyDictContext*>(context)) return make(at, DictDisplay{});
  if (auto* set = dynamic_cast<P::SetDisplayContext*>(context))
    return make(at, SetDisplay{items_of(set->starNamed())});
  if (auto* dict = dynamic_cast<P::DictDisplayContext*>(context)) return build_dict(dict);
  if (auto* made = dynamic_cast<P::ListComprehensionContext*>(context)) {
    return comprehension(ComprehensionKind::kList, at, build(made->starNamed()), nullptr,
                         made->comprehensionFor());
  }
  if (auto* made = dynamic_cast<P::SetComprehensionContext*>(context)) {
    return comprehension(ComprehensionKind::kSet, at, build(made->starNamed()), nullptr,
                         made->comprehensionFor());
  }
  if (auto* made = dynamic_cast<P::GeneratorContext*>(context)) {
    ExpressionPtr value = comprehension(ComprehensionKind::kGenerator, at, build(made->starNamed()),
                                        nullptr, made->comprehensionFor());
    value->parenthesised = true;
    return value;
  }
  if (auto* made = dynamic_cast<P::DictComprehensionContext*>(context)) {
    auto* entry = made->dictEntry();
    if (entry->POW()) error("dict unpacking cannot be used in dict comprehension", span(entry));
    return comprehension(ComprehensionKind::kDict, at, build(entry->expression(0)),
                         build(entry->expression(1)), made->comprehensionFor());
  }
  auto* yielded = static_cast<P::ParenthesisedYieldContext*>(context);
  ExpressionPtr value = build(yielded->yieldExpression());
  value->parenthesised = true;
  return value;
}

ExpressionPtr TreeBuilder::build_dict(P::DictDisplayContext* context) {
  DictDisplay dict;
  for (auto* entry : context->dictEntry()) {
    if (entry->POW()) {
      dict.keys.push_back(nullptr);
      dict.values.push_back(build(entry->arith()));
    } else {
      dict.keys.push_back(build(entry->expression(0)));
      dict.values.push_back(build(entry->expression(1)));
    }
  }
  return make(span(context), std::move(dict));
}

ExpressionPtr TreeBuilder::build_number(TerminalNode* number) {
  Result<program::Constant> value = parse_number(text(number));
  if (!value) {
    Span at = span(number);
    error(value.error().message, at);
  }
  return make(span(number), Constant{std::move(*value)});
}

}  // namespace glint::frontend
