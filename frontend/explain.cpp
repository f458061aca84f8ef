// Which of CPython's messages a failed parse gets.
//
//     if x            expected ':'
//     foo(a b)        invalid syntax. Perhaps you forgot a comma?
//     print "x"       Missing parentheses in call to 'print'. Did you mean print(...)?
//
// CPython finds these with extra grammar rules that only run when a parse has failed. Here the
// tokens around the place are looked at instead: first what the place itself says (indentation, the
// end of the text), then the line that it stands in.

#include "frontend/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "GlintLexer.h"
#include "antlr4-runtime.h"

namespace glint::frontend {
namespace {

using antlr::GlintLexer;

class Explainer {
 public:
  Explainer(const Layout& layout, std::string_view text, size_t at)
      : layout_(layout),
        tokens_(layout.tokens),
        text_(text),
        at_(std::min(at, tokens_.size() - 1)) {}

  SyntaxError run() {
    size_t type = tokens_[at_].type;
    if (type == GlintLexer::INDENT) return indentation("unexpected indent");
    if (auto block = missing_block()) return *block;
    if (auto unclosed = unclosed_bracket()) return *unclosed;
    if (auto colon = missing_colon()) return *colon;
    if (auto keyword = keyword_line()) return *keyword;
    if (auto printed = print_statement()) return *printed;
    if (auto equals = equals_sign()) return *equals;
    if (auto comma = missing_comma()) return *comma;
    SyntaxError plain = syntax("invalid syntax", at_);
    plain.at_end = type == antlr4::Token::EOF;
    return plain;
  }

 private:
  SyntaxError syntax(std::string message, size_t token) const {
    return {SyntaxErrorKind::kSyntax, std::move(message), tokens_[token].span};
  }
  SyntaxError indentation(std::string message) const {
    SyntaxError error{SyntaxErrorKind::kIndentation, std::move(message), tokens_[at_].span};
    return error;
  }
  std::string text_of(size_t token) const {
    return std::string(
        text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin));
  }
  bool is(size_t token, size_t type) const {
    return token < tokens_.size() && tokens_[token].type == type;
  }

  /// The first token of the logical line that `token` is in.
  size_t line_start(size_t token) const {
    while (token > 0 && !ends_line(tokens_[token - 1].type)) --token;
    return token;
  }
  static bool ends_line(size_t type) {
    return type == GlintLexer::NEWLINE || type == GlintLexer::INDENT || type == GlintLexer::DEDENT;
  }

  /// The words of CPython for a compound statement, by its first token.
  std::string statement_name(size_t first) const {
    switch (tokens_[first].type) {
      case GlintLexer::IF:
        return "'if' statement";
      case GlintLexer::ELIF:
        return "'elif' statement";
      case GlintLexer::ELSE:
        return "'else' statement";
      case GlintLexer::WHILE:
        return "'while' statement";
      case GlintLexer::FOR:
        return "'for' statement";
      case GlintLexer::TRY:
        return "'try' statement";
      case GlintLexer::EXCEPT:
        return "'except' statement";
      case GlintLexer::FINALLY:
        return "'finally' statement";
      case GlintLexer::WITH:
        return "'with' statement";
      case GlintLexer::DEF:
        return "function definition";
      case GlintLexer::CLASS:
        return "class definition";
      case GlintLexer::MATCH:
        return "'match' statement";
      case GlintLexer::CASE:
        return "'case' statement";
      default:
        return "";
    }
  }

  /// `if x:` with nothing indented below.
  std::optional<SyntaxError> missing_block() const {
    if (at_ < 2) return std::nullopt;
    size_t newline = at_;
    while (newline > 0 && tokens_[newline].type == GlintLexer::DEDENT) --newline;
    if (newline == at_) --newline;
    bool after_colon =
        is(newline, GlintLexer::NEWLINE) && newline > 0 && is(newline - 1, GlintLexer::COLON);
    if (!after_colon) return std::nullopt;
    size_t first = line_start(newline - 1);
    std::string name = statement_name(first);
    if (name.empty()) return std::nullopt;
    SyntaxError error = indentation(fmt::format("expected an indented block after {} on line {}",
                                                name, tokens_[first].span.line));
    error.at_end = tokens_[at_].type == antlr4::Token::EOF || tokens_[at_].begin >= text_.size();
    return error;
  }

  std::optional<SyntaxError> unclosed_bracket() const {
    if (!layout_.open_bracket) return std::nullopt;
    const Token& open = *layout_.open_bracket;
    bool at_end = tokens_[at_].begin >= text_.size();
    if (!at_end && tokens_[at_].span.line <= open.span.line) return std::nullopt;
    SyntaxError error{SyntaxErrorKind::kSyntax,
                      fmt::format("'{}' was never closed", layout_.open_bracket_text), open.span};
    error.at_end = at_end;
    return error;
  }

  /// A compound statement's line that ends, or goes on, where its colon should be.
  std::optional<SyntaxError> missing_colon() const {
    size_t first = line_start(at_);
    size_t type = tokens_[first].type;
    if (statement_name(first).empty() || type == GlintLexer::MATCH || type == GlintLexer::CASE)
      return std::nullopt;
    size_t depth = 0;
    for (size_t i = first; i < at_; ++i) {
      size_t each = tokens_[i].type;
      if (each == GlintLexer::LPAREN || each == GlintLexer::LBRACK || each == GlintLexer::LBRACE)
        ++depth;
      if (each == GlintLexer::RPAREN || each == GlintLexer::RBRACK || each == GlintLexer::RBRACE)
        --depth;
      if (each == GlintLexer::COLON && depth == 0) return std::nullopt;
    }
    bool header_done = at_ > first + 1 || type == GlintLexer::ELSE || type == GlintLexer::TRY ||
                       type == GlintLexer::FINALLY;
    if (depth > 0 || !header_done || !ends_operand(at_ - 1)) return std::nullopt;
    if (type == GlintLexer::FOR && !has(first, at_, GlintLexer::IN)) return std::nullopt;
    if (type == GlintLexer::DEF && !is(at_ - 1, GlintLexer::RPAREN) &&
        !has(first, at_, GlintLexer::ARROW))
      return std::nullopt;
    if (is(at_, GlintLexer::NEWLINE)) return syntax("expected ':'", at_);
    bool then_else =
        type == GlintLexer::ELSE || type == GlintLexer::TRY || type == GlintLexer::FINALLY;
    if (then_else || type == GlintLexer::DEF || type == GlintLexer::CLASS)
      return syntax("expected ':'", at_);
    return std::nullopt;
  }

  bool has(size_t begin, size_t end, size_t type) const {
    for (size_t i = begin; i < end; ++i) {
      if (tokens_[i].type == type) return true;
    }
    return false;
  }

  /// Whether a token may be the last of an operand.
  bool ends_operand(size_t token) const {
    switch (tokens_[token].type) {
      case GlintLexer::NAME:
      case GlintLexer::NUMBER:
      case GlintLexer::STRING:
      case GlintLexer::RPAREN:
      case GlintLexer::RBRACK:
      case GlintLexer::RBRACE:
      case GlintLexer::TRUE:
      case GlintLexer::FALSE:
      case GlintLexer::NONE:
      case GlintLexer::ELLIPSIS:
      case GlintLexer::ELSE:
      case GlintLexer::TRY:
      case GlintLexer::EXCEPT:
      case GlintLexer::FINALLY:
        return true;
      default:
        return false;
    }
  }
  bool starts_operand(size_t token) const {
    switch (tokens_[token].type) {
      case GlintLexer::NAME:
      case GlintLexer::NUMBER:
      case GlintLexer::STRING:
      case GlintLexer::TRUE:
      case GlintLexer::FALSE:
      case GlintLexer::NONE:
      case GlintLexer::LAMBDA:
      case GlintLexer::TILDE:
        return true;
      default:
        return false;
    }
  }

  std::optional<SyntaxError> keyword_line() const {
    size_t first = line_start(at_);
    bool lonely_try =
        is(at_, GlintLexer::NEWLINE) == false && tokens_[at_].type != GlintLexer::EXCEPT;
    if (lonely_try && after_try_block()) return syntax("expected 'except' or 'finally' block", at_);
    if (is(first, GlintLexer::IMPORT) && has(first, at_ + 1, GlintLexer::FROM)) {
      return syntax("invalid syntax", at_);
    }
    return std::nullopt;
  }

  /// Whether the token follows the block of a `try` that has no handler.
  bool after_try_block() const {
    size_t i = at_;
    if (i == 0 || tokens_[i - 1].type != GlintLexer::DEDENT) return false;
    // Walk back over the block to the line that opened it.
    size_t depth = 0;
    while (i-- > 0) {
      if (tokens_[i].type == GlintLexer::DEDENT) ++depth;
      if (tokens_[i].type == GlintLexer::INDENT && --depth == 0) break;
    }
    return i >= 3 && is(line_start(i - 2), GlintLexer::TRY);
  }

  std::optional<SyntaxError> print_statement() const {
    if (at_ == 0) return std::nullopt;
    size_t word = at_ - 1;
    bool starts = word == line_start(word) || is(word - 1, GlintLexer::SEMI);
    if (!starts || !is(word, GlintLexer::NAME) || !starts_operand(at_)) return std::nullopt;
    std::string name = text_of(word);
    if (name != "print" && name != "exec") return std::nullopt;
    SyntaxError error = syntax(
        fmt::format("Missing parentheses in call to '{}'. Did you mean {}(...)?", name, name),
        word);
    size_t last = at_;
    while (last + 1 < tokens_.size() && !is(last + 1, GlintLexer::NEWLINE) &&
           !is(last + 1, GlintLexer::SEMI))
      ++last;
    error.span = join(error.span, tokens_[last].span);
    return error;
  }

  /// `if x = 3:` and `f(a.b = 1)`.
  std::optional<SyntaxError> equals_sign() const {
    if (!is(at_, GlintLexer::ASSIGN) || at_ == 0) return std::nullopt;
    size_t before = at_ - 1;
    size_t start = before;
    // The operand before the sign: a name, with attributes.
    while (start >= 2 && is(start - 1, GlintLexer::DOT) && is(start - 2, GlintLexer::NAME))
      start -= 2;
    bool single = start == before;
    if (is(before, GlintLexer::NAME) && single) {
      SyntaxError error =
          syntax("invalid syntax. Maybe you meant '==' or ':=' instead of '='?", before);
      if (at_ + 1 < tokens_.size()) error.span = join(error.span, tokens_[at_ + 1].span);
      return error;
    }
    std::string what;
    switch (tokens_[before].type) {
      case GlintLexer::NAME:
        what = "attribute";
        break;
      case GlintLexer::NUMBER:
      case GlintLexer::STRING:
        what = "literal";
        break;
      case GlintLexer::TRUE:
        what = "True";
        break;
      case GlintLexer::FALSE:
        what = "False";
        break;
      case GlintLexer::NONE:
        what = "None";
        break;
      default:
        return std::nullopt;
    }
    SyntaxError error = syntax(
        fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?", what), start);
    error.span = join(error.span, tokens_[before].span);
    return error;
  }

  /// Two operands side by side inside brackets; elsewhere that is just invalid.
  std::optional<SyntaxError> missing_comma() const {
    if (at_ == 0 || !starts_operand(at_) || !ends_operand(at_ - 1)) return std::nullopt;
    size_t depth = 0;
    size_t first = line_start(at_);
    size_t operand = at_ - 1;
    for (size_t i = first; i < at_; ++i) {
      size_t type = tokens_[i].type;
      bool opens =
          type == GlintLexer::LPAREN || type == GlintLexer::LBRACK || type == GlintLexer::LBRACE;
      bool closes =
          type == GlintLexer::RPAREN || type == GlintLexer::RBRACK || type == GlintLexer::RBRACE;
      if (opens) ++depth;
      if (closes) --depth;
      if (opens || type == GlintLexer::COMMA) operand = i + 1;
    }
    bool operand_is_keyword = is(at_ - 1, GlintLexer::ELSE) || is(at_ - 1, GlintLexer::TRY);
    if (depth == 0 || operand_is_keyword) return std::nullopt;
    SyntaxError error = syntax("invalid syntax. Perhaps you forgot a comma?", operand);
    error.span = join(error.span, tokens_[at_].span);
    return error;
  }

  const Layout& layout_;
  const std::vector<Token>& tokens_;
  std::string_view text_;
  size_t at_;
};

}  // namespace

SyntaxError explain_parse_error(const Layout& layout, std::string_view text, size_t at) {
  return Explainer(layout, text, at).run();
}

}  // namespace glint::frontend
