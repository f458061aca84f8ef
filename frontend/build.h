// From ANTLR's parse tree to the syntax tree. Inside the folder only: it names ANTLR's types.
//
// One `build` per grammar rule, split over build_expressions, build_statements and build_patterns.
// What the grammar leaves open is checked here, with CPython's messages; a mistake is thrown as a
// `SyntaxErrorException` and ends the text's parse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "GlintParser.h"
#include "antlr4-runtime.h"
#include "frontend/ast.h"
#include "frontend/layout.h"

namespace glint::frontend {

class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const std::vector<Token>& tokens, bool in_field = false)
      : text_(text), tokens_(tokens), in_field_(in_field) {}

  using Parser = antlr::GlintParser;

  Block build(Parser::FileContext* context);
  Block build(Parser::SingleContext* context);
  ExpressionPtr build(Parser::ExpressionInputContext* context);
  /// The first of the mistakes that do not end the parse.
  std::optional<SyntaxError> take_late_error() { return std::move(late_error_); }
  /// The value of adjacent string literals, the tokens `first` to `end`.
  ExpressionPtr build_strings(size_t first, size_t end);

 private:
  // Places.
  const Token& token(antlr4::Token* at) const { return tokens_[at->getTokenIndex()]; }
  Span span(antlr4::Token* at) const { return token(at).span; }
  Span span(antlr4::tree::TerminalNode* at) const { return span(at->getSymbol()); }
  Span span(antlr4::ParserRuleContext* context) const;
  std::string text(antlr4::tree::TerminalNode* at) const;
  [[noreturn]] void error(std::string message, const Span& at) const;
  /// A mistake that CPython's compiler finds, not its parser: others may come first.
  void late_error(std::string message, const Span& at);
  /// CPython's name of what an expression is, for "cannot assign to ...".
  static std::string_view describe(const Expression& expression);

  template <class T>
  ExpressionPtr make(Span at, T node) const {
    auto expression = std::make_unique<Expression>();
    expression->span = at;
    expression->node = std::move(node);
    return expression;
  }

  // Expressions.
  ExpressionPtr build(Parser::ExpressionListContext* context);
  ExpressionPtr build(Parser::StarExpressionContext* context);
  ExpressionPtr build(Parser::NamedExpressionContext* context);
  ExpressionPtr build(Parser::StarNamedContext* context);
  ExpressionPtr build(Parser::TargetListContext* context);
  ExpressionPtr build(Parser::StarArithContext* context);
  ExpressionPtr build(Parser::YieldExpressionContext* context);
  ExpressionPtr build(Parser::ExpressionContext* context);
  ExpressionPtr build(Parser::DisjunctionContext* context);
  ExpressionPtr build(Parser::ArithContext* context);
  ExpressionPtr build(Parser::AtomContext* context);
  ExpressionPtr build_disjunction_operand(Parser::DisjunctionContext* context);
  ExpressionPtr binary(antlr4::ParserRuleContext* context, antlr4::tree::TerminalNode* op,
                       Parser::ArithContext* left, Parser::ArithContext* right);
  ExpressionPtr build_call(Parser::CallContext* context);
  ExpressionPtr build_subscripts(Parser::SubscriptsContext* context);
  ExpressionPtr build_dict(Parser::DictDisplayContext* context);
  ExpressionPtr build_number(antlr4::tree::TerminalNode* number);
  std::vector<Argument> build(Parser::ArgumentsContext* context);
  std::vector<ComprehensionClause> build(
      const std::vector<Parser::ComprehensionForContext*>& contexts);
  ExpressionPtr comprehension(ComprehensionKind kind, Span at, ExpressionPtr element,
                              ExpressionPtr value,
                              const std::vector<Parser::ComprehensionForContext*>& clauses);
  Parameters build(Parser::LambdaParametersContext* context);
  Parameters build(Parser::ParametersContext* context);
  /// Checks that an expression may be assigned to, deleted, ...
  void check_target(const Expression& target, std::string_view verb, bool top = true);

  // F-strings (build_strings.cpp): appends to `parts`, merging neighbouring constants.
  /// The field of an f-string whose brace stands at `open`; gives where its closing brace stands.
  size_t add_field(std::string_view body, size_t open, bool raw, uint32_t begin,
                   const Span& token_span, size_t depth, Expressions& parts);
  void add_formatted(std::string_view body, bool raw, uint32_t begin, const Span& token_span,
                     size_t depth, Expressions& parts);
  ExpressionPtr parse_field(std::string_view expression, uint32_t begin, const Span& token_span);
  /// The line of a byte of the source, and its column there.
  std::pair<uint32_t, uint32_t> place_of(uint32_t byte);
  void add_text(Expressions& parts, std::string text, const Span& at) const;

  // Statements.
  void build(Parser::StatementContext* context, Block& into);
  void build(Parser::SimpleStatementsContext* context, Block& into);
  std::unique_ptr<Statement> build(Parser::SimpleStatementContext* context);
  std::unique_ptr<Statement> build(Parser::CompoundStatementContext* context);
  std::unique_ptr<Statement> build(Parser::ExpressionStatementContext* context);
  std::unique_ptr<Statement> build(Parser::FromStatementContext* context);
  std::unique_ptr<Statement> build(Parser::IfStatementContext* context);
  std::unique_ptr<Statement> build(Parser::TryStatementContext* context);
  std::unique_ptr<Statement> build(Parser::WithStatementContext* context);
  std::unique_ptr<Statement> build(Parser::FunctionDefinitionContext* context,
                                   Expressions decorators, Span at);
  std::unique_ptr<Statement> build(Parser::ClassDefinitionContext* context, Expressions decorators,
                                   Span at);
  std::unique_ptr<Statement> build(Parser::MatchStatementContext* context);
  [[noreturn]] void refuse_async(Parser::AsyncStatementContext* context) const;
  Block build(Parser::BlockContext* context);
  Block build(Parser::ElseClauseContext* context);
  template <class T>
  std::unique_ptr<Statement> statement(Span at, T node) const {
    auto made = std::make_unique<Statement>();
    made->span = at;
    made->node = std::move(node);
    return made;
  }

  // Patterns.
  std::unique_ptr<Pattern> build(Parser::PatternsContext* context);
  std::unique_ptr<Pattern> build(Parser::StarPatternContext* context);
  std::unique_ptr<Pattern> build(Parser::AsPatternContext* context);
  std::unique_ptr<Pattern> build(Parser::OrPatternContext* context);
  std::unique_ptr<Pattern> build(Parser::ClosedPatternContext* context);
  std::unique_ptr<Pattern> build_class_pattern(Parser::ClassPatternContext* context);
  std::unique_ptr<Pattern> build_mapping(Parser::MappingPatternContext* context);
  ExpressionPtr build(Parser::PatternNumberContext* context);
  ExpressionPtr dotted(const std::vector<antlr4::tree::TerminalNode*>& names);
  template <class T>
  std::unique_ptr<Pattern> pattern(Span at, T node) const {
    auto made = std::make_unique<Pattern>();
    made->span = at;
    made->node = std::move(node);
    return made;
  }

  /// An error of a string's contents.
  [[noreturn]] void string_error(std::string message) const;

  std::string_view text_;
  const std::vector<Token>& tokens_;
  bool in_field_;  ///< the text is a field of an f-string
  /// Where CPython places the errors of string literals: at the token behind them.
  Span behind_strings_;
  std::optional<SyntaxError> late_error_;
  uint32_t token_begin_ = 0;  ///< of the literal that is being built
  Span strings_span_;         ///< of the literals that are being built
  /// How far fields of f-strings have been looked up: a byte, its line, and where that begins.
  struct {
    uint32_t byte = 0;
    uint32_t line = 1;
    uint32_t line_start = 0;
  } seen_;
};

/// Parses `text`, one expression, whose first byte lies at `begin` of a source; the spans of the
/// result are those of that source. For f-strings.
ExpressionPtr parse_embedded_expression(std::string_view text, const Span& begin);

}  // namespace glint::frontend
