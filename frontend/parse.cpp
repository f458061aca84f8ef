#include "frontend/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "GlintParser.h"
#include "antlr4-runtime.h"
#include "frontend/build.h"
#include "frontend/deep_stack.h"
#include "frontend/explain.h"
#include "frontend/layout.h"
#include "frontend/nesting.h"

namespace glint::frontend {
namespace {

using antlr::GlintParser;

/// Remembers the first token at which the parse went wrong.
class FirstError : public antlr4::BaseErrorListener {
 public:
  void syntaxError(antlr4::Recognizer*, antlr4::Token* offending, size_t, size_t,
                   const std::string&, std::exception_ptr) override {
    if (!token) token = offending ? offending->getTokenIndex() : 0;
  }
  std::optional<size_t> token;
};

/// Reports an error and ends the parse: ANTLR's own recovery invents tokens, which ours, having no
/// source of their own, do not allow.
class StopAtFirstError : public antlr4::DefaultErrorStrategy {
 public:
  void recover(antlr4::Parser*, std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (antlr4::RecognitionException& inner) {
      throw antlr4::ParseCancellationException(inner.what());
    }
  }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    throw antlr4::InputMismatchException(parser);
  }
};

/// The parser over a layout's tokens.
class TokenParser {
 public:
  explicit TokenParser(const Layout& layout)
      : source_(make_tokens(layout)), stream_(&source_), parser_(&stream_) {
    parser_.removeErrorListeners();
  }

  /// Calls `rule` on the parser in two stages. Null, and `error` set, when the text has no parse.
  template <class Rule>
  auto run(Rule rule, std::optional<size_t>& error)
      -> decltype(rule(std::declval<GlintParser&>())) {
    auto* simulator = parser_.getInterpreter<antlr4::atn::ParserATNSimulator>();
    simulator->setPredictionMode(antlr4::atn::PredictionMode::SLL);
    parser_.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
    try {
      return rule(parser_);
    } catch (antlr4::ParseCancellationException&) {
      // Full LL decides below.
    }
    stream_.seek(0);
    parser_.reset();
    FirstError first;
    parser_.addErrorListener(&first);
    parser_.setErrorHandler(std::make_shared<StopAtFirstError>());
    simulator->setPredictionMode(antlr4::atn::PredictionMode::LL);
    decltype(rule(parser_)) tree = nullptr;
    try {
      tree = rule(parser_);
    } catch (antlr4::ParseCancellationException&) {
      // The listener has the place.
    }
    parser_.removeErrorListeners();
    error = first.token;
    return error ? nullptr : tree;
  }

 private:
  static std::vector<std::unique_ptr<antlr4::Token>> make_tokens(const Layout& layout) {
    std::vector<std::unique_ptr<antlr4::Token>> tokens;
    tokens.reserve(layout.tokens.size());
    for (const Token& token : layout.tokens) {
      auto made = std::make_unique<antlr4::CommonToken>(token.type);
      made->setLine(token.span.line);
      made->setCharPositionInLine(token.span.column);
      tokens.push_back(std::move(made));
    }
    return tokens;
  }

  antlr4::ListTokenSource source_;
  antlr4::CommonTokenStream stream_;
  GlintParser parser_;
};

/// The error of a text that is wrong by the parser's, the builder's or the tokenizer's account:
/// CPython's, or `known` where CPython has none.
SyntaxError pick_error(const Layout& layout, std::string_view text, std::string_view start,
                       SyntaxError known) {
  TreeBuilder strings(text, layout.tokens, start == "field");
  auto check_strings = [&](size_t begin, size_t end) { strings.build_strings(begin, end); };
  std::optional<SyntaxError> error;
  with_room(kDeepestTree, [&] { error = explain(layout, text, start, check_strings); });
  if (error) return std::move(*error);
  if (layout.error) return *layout.error;
  // A mistake that CPython's compiler finds: there columns are bytes.
  known.counts_bytes = true;
  return known;
}

/// Where the parser stopped, which knows no better words.
SyntaxError plain_error(const Layout& layout, std::optional<size_t> token) {
  size_t at = std::min(token.value_or(layout.tokens.size()), layout.tokens.size() - 1);
  return {SyntaxErrorKind::kSyntax, "invalid syntax", layout.tokens[at].span};
}

/// An error in an f-string's field shows the field as CPython parses it, `(a b)`, and its columns
/// count there. A tokenizer's error has such columns already.
void show_in_parentheses(SyntaxError& error, const std::string& wrapped, const Span& begin) {
  if (!error.shown.empty()) return;
  Span& span = error.span;
  error.counts_bytes = !error.by_tokenizer;
  if (error.by_tokenizer) {
    span.line += begin.line - 1;
    span.end_line += begin.line - 1;
  } else {
    auto unshift = [&](uint32_t column) {
      return std::max(column, begin.column) - begin.column + 1;
    };
    // CPython takes the field's column off on its other lines too.
    if (span.line > begin.line && span.column < begin.column) error.has_caret = false;
    if (span.line == begin.line) span.column = unshift(span.column);
    if (span.end_line == begin.line) span.end_column = unshift(span.end_column);
  }
  std::string_view rest = wrapped;
  for (uint32_t line = begin.line; line < span.line && rest.find('\n') != std::string_view::npos;
       ++line) {
    rest.remove_prefix(rest.find('\n') + 1);
  }
  error.shown = rest.substr(0, rest.find('\n'));
}

/// What the tokenizer warns of, up to the line that it reads.
void give_warnings(const Layout& layout, uint32_t last_line, const WarningSink& warn) {
  if (!warn) return;
  for (const SyntaxWarning& warning : layout.warnings) {
    if (warning.span.line <= last_line) warn(warning);
  }
}

std::string_view start_rule(Mode mode) {
  return mode == Mode::kSingle ? "single" : mode == Mode::kExpression ? "eval" : "file";
}

/// Parses tokens that hold no tokenizer's error; throws a SyntaxErrorException.
Module parse_tokens(const Layout& layout, std::string_view text, Mode mode) {
  std::optional<size_t> error;
  TokenParser parser(layout);
  TreeBuilder builder(text, layout.tokens);
  Module module;
  Block& body = module.body;
  if (mode == Mode::kFile || mode == Mode::kCell) {
    auto* tree = parser.run([](GlintParser& p) { return p.file(); }, error);
    if (tree) body = builder.build(tree);
  } else if (mode == Mode::kSingle) {
    auto* tree = parser.run([](GlintParser& p) { return p.single(); }, error);
    if (tree) body = builder.build(tree);
  } else if (auto* tree = parser.run([](GlintParser& p) { return p.expressionInput(); }, error)) {
    auto statement = std::make_unique<Statement>();
    ExpressionPtr value = builder.build(tree);
    statement->span = value->span;
    statement->node = ExpressionStatement{std::move(value)};
    body.push_back(std::move(statement));
  }
  if (error) throw SyntaxErrorException{plain_error(layout, error)};
  module.late_error = builder.take_late_error();
  return module;
}

}  // namespace

std::variant<Module, SyntaxErrors> parse(std::string_view text, SourceId source, Mode mode,
                                         const WarningSink& warn) {
  Layout layout = lay_out(text, source);
  Nesting nesting = nesting_of(layout);
  if (nesting.refused) return SyntaxErrors{nesting_error(*nesting.refused, layout.tokens[0].span)};
  Module module;
  try {
    if (layout.error) throw SyntaxErrorException{*layout.error};
    with_room(nesting.levels, [&] { module = parse_tokens(layout, text, mode); });
    module.levels = nesting.levels;
  } catch (SyntaxErrorException& exception) {
    SyntaxError error = pick_error(layout, text, start_rule(mode), std::move(exception.error));
    give_warnings(layout, error.span.line, warn);
    return SyntaxErrors{std::move(error)};
  }
  give_warnings(layout, std::numeric_limits<uint32_t>::max(), warn);
  return module;
}

ExpressionPtr parse_embedded_expression(std::string_view text, const Span& begin) {
  // In parentheses, as CPython does it, so that line ends inside the field do not matter.
  std::string wrapped = "(" + std::string(text) + ")";
  Layout layout = lay_out(wrapped, begin.source);
  for (Token& token : layout.tokens) {
    Span& span = token.span;
    if (span.line == 1) span.column = begin.column + (span.column == 0 ? 0 : span.column - 1);
    if (span.end_line == 1)
      span.end_column = begin.column + (span.end_column == 0 ? 0 : span.end_column - 1);
    span.line += begin.line - 1;
    span.end_line += begin.line - 1;
  }
  try {
    std::optional<size_t> error;
    Nesting nesting = nesting_of(layout);
    if (nesting.refused)
      throw SyntaxErrorException{nesting_error(*nesting.refused, layout.tokens[0].span)};
    ExpressionPtr built;
    if (!layout.error) {
      with_room(nesting.levels, [&] {
        TokenParser parser(layout);
        TreeBuilder builder(wrapped, layout.tokens, true);
        auto* tree = parser.run([](GlintParser& p) { return p.expressionInput(); }, error);
        if (tree) built = builder.build(tree);
      });
    }
    if (built) return built;
    throw SyntaxErrorException{plain_error(layout, error)};
  } catch (SyntaxErrorException& exception) {
    if (!exception.error.has_place) throw;
    exception.error = pick_error(layout, wrapped, "field", std::move(exception.error));
    show_in_parentheses(exception.error, wrapped, begin);
    throw;
  }
}

}  // namespace glint::frontend
