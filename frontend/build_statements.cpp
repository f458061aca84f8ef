// Statements of the syntax tree from ANTLR's parse tree.

#include <fmt/format.h>

#include "frontend/build.h"

namespace glint::frontend {

using P = antlr::GlintParser;

Block TreeBuilder::build(P::FileContext* context) {
  Block body;
  for (auto* each : context->statement()) build(each, body);
  return body;
}

Block TreeBuilder::build(P::SingleContext* context) {
  Block body;
  if (context->statement()) build(context->statement(), body);
  return body;
}

void TreeBuilder::build(P::StatementContext* context, Block& into) {
  if (context->simpleStatements()) return build(context->simpleStatements(), into);
  into.push_back(build(context->compoundStatement()));
}

void TreeBuilder::build(P::SimpleStatementsContext* context, Block& into) {
  for (auto* each : context->simpleStatement()) into.push_back(build(each));
}

Block TreeBuilder::build(P::BlockContext* context) {
  Block body;
  if (context->simpleStatements()) build(context->simpleStatements(), body);
  for (auto* each : context->statement()) build(each, body);
  return body;
}

Block TreeBuilder::build(P::ElseClauseContext* context) {
  return context ? build(context->block()) : Block();
}

std::unique_ptr<Statement> TreeBuilder::build(P::SimpleStatementContext* context) {
  Span at = span(context);
  if (context->PASS()) return statement(at, Pass{});
  if (context->BREAK()) return statement(at, Break{});
  if (context->CONTINUE()) return statement(at, Continue{});
  if (auto* expression = context->expressionStatement()) return build(expression);
  if (auto* returned = context->returnStatement()) {
    auto* value = returned->expressionList();
    return statement(at, Return{value ? build(value) : nullptr});
  }
  if (auto* raised = context->raiseStatement()) {
    Raise made;
    if (raised->expression(0)) made.exception = build(raised->expression(0));
    if (raised->FROM()) made.cause = build(raised->expression(1));
    return statement(at, std::move(made));
  }
  if (auto* imported = context->importStatement()) {
    Import made;
    for (auto* each : imported->dottedAs()) {
      std::string name;
      for (auto* part : each->dottedName()->NAME()) name += (name.empty() ? "" : ".") + text(part);
      made.names.push_back({name, each->NAME() ? text(each->NAME()) : "", span(each)});
    }
    return statement(at, std::move(made));
  }
  if (auto* from = context->fromStatement()) return build(from);
  if (auto* global = context->globalStatement()) {
    Global made;
    for (auto* name : global->NAME()) made.names.push_back(text(name));
    return statement(at, std::move(made));
  }
  if (auto* nonlocal = context->nonlocalStatement()) {
    Nonlocal made;
    for (auto* name : nonlocal->NAME()) made.names.push_back(text(name));
    return statement(at, std::move(made));
  }
  if (auto* deleted = context->deleteStatement()) {
    ExpressionPtr list = build(deleted->expressionList());
    Delete made;
    check_target(*list, "delete");
    if (auto* tuple = list->get_if<TupleDisplay>())
      made.targets = std::move(tuple->items);
    else
      made.targets.push_back(std::move(list));
    return statement(at, std::move(made));
  }
  auto* asserted = context->assertStatement();
  ExpressionPtr condition = build(asserted->expression(0));
  ExpressionPtr message = asserted->expression(1) ? build(asserted->expression(1)) : nullptr;
  return statement(at, Assert{std::move(condition), std::move(message)});
}

namespace {

BinaryOperator augmented_of(P::AugmentedContext* context) {
  switch (context->getStart()->getType()) {
    case P::ADD_ASSIGN:
      return BinaryOperator::kAdd;
    case P::SUB_ASSIGN:
      return BinaryOperator::kSubtract;
    case P::MUL_ASSIGN:
      return BinaryOperator::kMultiply;
    case P::AT_ASSIGN:
      return BinaryOperator::kMatrixMultiply;
    case P::DIV_ASSIGN:
      return BinaryOperator::kDivide;
    case P::MOD_ASSIGN:
      return BinaryOperator::kModulo;
    case P::AND_ASSIGN:
      return BinaryOperator::kBitAnd;
    case P::OR_ASSIGN:
      return BinaryOperator::kBitOr;
    case P::XOR_ASSIGN:
      return BinaryOperator::kBitXor;
    case P::LSHIFT_ASSIGN:
      return BinaryOperator::kLeftShift;
    case P::RSHIFT_ASSIGN:
      return BinaryOperator::kRightShift;
    case P::POW_ASSIGN:
      return BinaryOperator::kPower;
    default:
      return BinaryOperator::kFloorDivide;
  }
}

/// What CPython's `bitwise_or` rule covers: such a wrong target gets the hint with `==`.
bool gets_equality_hint(const Expression& target) {
  if (target.get_if<Compare>() || target.get_if<BoolOperation>() || target.get_if<Conditional>() ||
      target.get_if<Lambda>() || target.get_if<NamedExpression>() || target.get_if<Yield>() ||
      target.get_if<Comprehension>() || target.get_if<Starred>()) {
    return target.parenthesised;
  }
  if (const auto* unary = target.get_if<Unary>()) return unary->op != UnaryOperator::kNot;
  if (const auto* constant = target.get_if<Constant>()) {
    return !std::holds_alternative<program::None>(constant->value.value) &&
           !std::holds_alternative<bool>(constant->value.value);
  }
  return !target.get_if<ListDisplay>() && !target.get_if<TupleDisplay>();
}

}  // namespace

std::unique_ptr<Statement> TreeBuilder::build(P::ExpressionStatementContext* context) {
  Span at = span(context);
  if (context->yieldExpression()) {
    return statement(at, ExpressionStatement{build(context->yieldExpression())});
  }
  ExpressionPtr first = build(context->expressionList());
  auto build_assigned = [&](P::AssignedContext* assigned) {
    return assigned->yieldExpression() ? build(assigned->yieldExpression())
                                       : build(assigned->expressionList());
  };
  if (context->COLON()) {
    bool single = first->get_if<Name>() || first->get_if<Attribute>() || first->get_if<Subscript>();
    if (first->get_if<TupleDisplay>())
      error("only single target (not tuple) can be annotated", first->span);
    if (first->get_if<ListDisplay>())
      error("only single target (not list) can be annotated", first->span);
    if (!single) error("illegal target for annotation", first->span);
    AnnotatedAssign made{std::move(first), build(context->expression()), nullptr};
    if (context->ASSIGN(0)) made.value = build_assigned(context->assigned(0));
    return statement(at, std::move(made));
  }
  if (context->augmented()) {
    bool single = first->get_if<Name>() || first->get_if<Attribute>() || first->get_if<Subscript>();
    if (!single) {
      error(fmt::format("'{}' is an illegal expression for augmented assignment", describe(*first)),
            first->span);
    }
    return statement(at, AugmentedAssign{std::move(first), augmented_of(context->augmented()),
                                         build_assigned(context->assigned(0))});
  }
  auto assigned = context->assigned();
  if (assigned.empty()) {
    if (first->get_if<Starred>()) late_error("can't use starred expression here", first->span);
    return statement(at, ExpressionStatement{std::move(first)});
  }
  Assign made;
  made.targets.push_back(std::move(first));
  for (auto* each : assigned) made.targets.push_back(build_assigned(each));
  made.value = std::move(made.targets.back());
  made.targets.pop_back();
  if (made.value->get_if<Starred>())
    late_error("can't use starred expression here", made.value->span);
  for (size_t i = 0; i < made.targets.size(); ++i) {
    const Expression& target = *made.targets[i];
    bool assignable = target.get_if<Name>() || target.get_if<Attribute>() ||
                      target.get_if<Subscript>() || target.get_if<TupleDisplay>() ||
                      target.get_if<ListDisplay>() || target.get_if<Starred>();
    if (!assignable && gets_equality_hint(target)) {
      error(fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?",
                        describe(target)),
            target.span);
    }
    check_target(target, "assign to");
  }
  return statement(at, std::move(made));
}

std::unique_ptr<Statement> TreeBuilder::build(P::FromStatementContext* context) {
  ImportFrom made;
  P::RelativeContext* relative = context->relative();
  made.level = static_cast<uint32_t>(relative->DOT().size() + 3 * relative->ELLIPSIS().size());
  if (relative->dottedName()) {
    for (auto* part : relative->dottedName()->NAME()) {
      made.module += (made.module.empty() ? "" : ".") + text(part);
    }
  }
  if (auto* names = context->importNames()) {
    for (auto* each : names->importName()) {
      made.names.push_back(
          {text(each->NAME(0)), each->AS() ? text(each->NAME(1)) : "", span(each)});
    }
    bool trailing = names->COMMA().size() == names->importName().size();
    if (trailing && !context->LPAREN()) {
      error("trailing comma not allowed without surrounding parentheses",
            span(names->COMMA().back()));
    }
  }
  return statement(span(context), std::move(made));
}

std::unique_ptr<Statement> TreeBuilder::build(P::IfStatementContext* context) {
  If made{build(context->namedExpression()), build(context->block()), {}};
  Block otherwise = build(context->elseClause());
  auto clauses = context->elifClause();
  for (size_t i = clauses.size(); i-- > 0;) {
    If inner{build(clauses[i]->namedExpression()), build(clauses[i]->block()),
             std::move(otherwise)};
    otherwise = Block();
    otherwise.push_back(statement(span(clauses[i]), std::move(inner)));
  }
  made.otherwise = std::move(otherwise);
  return statement(span(context), std::move(made));
}

std::unique_ptr<Statement> TreeBuilder::build(P::TryStatementContext* context) {
  Try made;
  made.body = build(context->block());
  auto clauses = context->exceptClause();
  for (size_t i = 0; i < clauses.size(); ++i) {
    auto* clause = clauses[i];
    if (clause->MUL()) error("`except*` is not part of the language; use `except`", span(clause));
    ExceptClause handler;
    handler.span = span(clause);
    if (clause->expression()) handler.type = build(clause->expression());
    if (clause->expressionList())
      error("multiple exception types must be parenthesized", span(clause->expressionList()));
    if (clause->NAME()) handler.name = text(clause->NAME());
    if (!handler.type && i + 1 < clauses.size())
      late_error("default 'except:' must be last", span(clause));
    handler.body = build(clause->block());
    made.handlers.push_back(std::move(handler));
  }
  made.otherwise = build(context->elseClause());
  if (context->finallyClause()) made.finally = build(context->finallyClause()->block());
  return statement(span(context), std::move(made));
}

std::unique_ptr<Statement> TreeBuilder::build(P::WithStatementContext* context) {
  With made;
  for (auto* item : context->withItem()) {
    WithItem entry{build(item->expression()), nullptr};
    if (item->starArith()) {
      entry.target = build(item->starArith());
      check_target(*entry.target, "assign to");
    }
    made.items.push_back(std::move(entry));
  }
  made.body = build(context->block());
  return statement(span(context), std::move(made));
}

std::unique_ptr<Statement> TreeBuilder::build(P::FunctionDefinitionContext* context,
                                              Expressions decorators, Span at) {
  FunctionDefinition made;
  made.name = text(context->NAME());
  made.name_span = span(context->NAME());
  if (context->parameters()) made.parameters = build(context->parameters());
  if (context->expression()) made.return_annotation = build(context->expression());
  made.decorators = std::move(decorators);
  made.body = build(context->block());
  return statement(at, std::move(made));
}

std::unique_ptr<Statement> TreeBuilder::build(P::ClassDefinitionContext* context,
                                              Expressions decorators, Span at) {
  ClassDefinition made;
  made.name = text(context->NAME());
  made.name_span = span(context->NAME());
  if (context->arguments()) made.arguments = build(context->arguments());
  for (const Argument& argument : made.arguments) {
    const auto* comprehension = argument.value->get_if<Comprehension>();
    bool bare = comprehension && comprehension->kind == ComprehensionKind::kGenerator &&
                !argument.value->parenthesised;
    if (bare) error("invalid syntax", argument.span);
  }
  made.decorators = std::move(decorators);
  made.body = build(context->block());
  return statement(at, std::move(made));
}

void TreeBuilder::refuse_async(P::AsyncStatementContext* context) const {
  std::string_view instead = context->functionDefinition() ? "write a plain function or generator"
                             : context->forStatement()     ? "use a plain `for`"
                                                           : "use a plain `with`";
  error(fmt::format("`async` is not part of the language; {}", instead), span(context->ASYNC()));
}

std::unique_ptr<Statement> TreeBuilder::build(P::CompoundStatementContext* context) {
  Span at = span(context);
  if (auto* each = context->ifStatement()) return build(each);
  if (auto* each = context->whileStatement()) {
    ExpressionPtr condition = build(each->namedExpression());
    Block body = build(each->block());
    return statement(at, While{std::move(condition), std::move(body), build(each->elseClause())});
  }
  if (auto* each = context->forStatement()) {
    ExpressionPtr target = build(each->targetList());
    ExpressionPtr iterable = build(each->expressionList());
    Block body = build(each->block());
    return statement(at, For{std::move(target), std::move(iterable), std::move(body),
                             build(each->elseClause())});
  }
  if (auto* each = context->tryStatement()) return build(each);
  if (auto* each = context->withStatement()) return build(each);
  if (auto* each = context->functionDefinition()) return build(each, {}, at);
  if (auto* each = context->classDefinition()) return build(each, {}, at);
  if (auto* each = context->matchStatement()) return build(each);
  if (auto* each = context->decorated()) {
    Expressions decorators;
    for (auto* decorator : each->decorator())
      decorators.push_back(build(decorator->namedExpression()));
    if (each->functionDefinition())
      return build(each->functionDefinition(), std::move(decorators),
                   span(each->functionDefinition()));
    if (each->classDefinition())
      return build(each->classDefinition(), std::move(decorators), span(each->classDefinition()));
    refuse_async(each->asyncStatement());
  }
  refuse_async(context->asyncStatement());
}

}  // namespace glint::frontend
