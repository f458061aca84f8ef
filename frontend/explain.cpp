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
    if (auto parameter = parameter_list()) return *parameter;
    if (auto call = keyword_argument()) return *call;
    if (auto equals = equals_sign()) return *equals;
    if (auto walrus = walrus_target()) return *walrus;
    if (auto entry = dict_entry()) return *entry;
    if (auto conditional = missing_else()) return *conditional;
    if (auto target = comprehension_target()) return *target;
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
    error.span.end_line = error.span.line;
    error.span.end_column = error.span.column + 1;
    return error;
  }

  static bool opens(size_t type) {
    return type == GlintLexer::LPAREN || type == GlintLexer::LBRACK || type == GlintLexer::LBRACE;
  }
  static bool closes(size_t type) {
    return type == GlintLexer::RPAREN || type == GlintLexer::RBRACK || type == GlintLexer::RBRACE;
  }

  /// The innermost bracket that is open before the place, within its line.
  std::optional<size_t> enclosing_bracket() const {
    std::vector<size_t> open;
    for (size_t i = line_start(at_); i < at_; ++i) {
      if (opens(tokens_[i].type)) open.push_back(i);
      if (closes(tokens_[i].type) && !open.empty()) open.pop_back();
    }
    return open.empty() ? std::nullopt : std::optional(open.back());
  }

  /// Where the item before the place begins: behind the bracket around it, or the last comma there.
  size_t item_start(size_t bracket) const {
    size_t start = bracket + 1;
    size_t depth = 0;
    for (size_t i = start; i < at_; ++i) {
      if (opens(tokens_[i].type)) ++depth;
      if (closes(tokens_[i].type)) --depth;
      if (depth == 0 && is(i, GlintLexer::COMMA)) start = i + 1;
    }
    return start;
  }

  /// The first token of the postfix expression (`a.b[0](1)`) whose last is `last`.
  size_t postfix_start(size_t last) const {
    size_t i = last;
    while (i > 0) {
      if (closes(tokens_[i].type)) {
        size_t depth = 0;
        for (;; --i) {
          if (closes(tokens_[i].type)) ++depth;
          if (opens(tokens_[i].type) && --depth == 0) break;
          if (i == 0) return 0;
        }
        bool trailer = i > 0 && ends_operand(i - 1) && !is(i, GlintLexer::LBRACE);
        if (!trailer) return i;
        --i;
      } else if (i >= 2 && is(i, GlintLexer::NAME) && is(i - 1, GlintLexer::DOT)) {
        i -= 2;
      } else {
        return i;
      }
    }
    return i;
  }

  SyntaxError spanning(std::string message, size_t first, size_t last) const {
    SyntaxError error = syntax(std::move(message), first);
    error.span = join(error.span, tokens_[last].span);
    return error;
  }

  /// `def f:`, `def f((a, b)):`, `def f(*a=1):`.
  std::optional<SyntaxError> parameter_list() const {
    size_t first = line_start(at_);
    if (!is(first, GlintLexer::DEF)) return std::nullopt;
    if (at_ == first + 2 && is(first + 1, GlintLexer::NAME)) return syntax("expected '('", at_);
    auto bracket = enclosing_bracket();
    if (!bracket || *bracket != first + 2) return std::nullopt;
    if (is(at_, GlintLexer::ASSIGN) && at_ == item_start(*bracket) + 2) {
      if (is(at_ - 2, GlintLexer::MUL))
        return syntax("var-positional argument cannot have default value", at_);
      if (is(at_ - 2, GlintLexer::POW))
        return syntax("var-keyword argument cannot have default value", at_);
    }
    if (is(at_, GlintLexer::LPAREN) && at_ == item_start(*bracket)) {
      size_t last = at_ + 1;
      while (last + 1 < tokens_.size() && !is(last, GlintLexer::RPAREN)) ++last;
      return spanning("Function parameters cannot be parenthesized", at_, last);
    }
    return std::nullopt;
  }

  /// `f(a.b=1)`, `f(True=1)`.
  std::optional<SyntaxError> keyword_argument() const {
    auto bracket = enclosing_bracket();
    bool in_call = is(at_, GlintLexer::ASSIGN) && bracket && is(*bracket, GlintLexer::LPAREN) &&
                   *bracket > 0 && ends_operand(*bracket - 1);
    if (!in_call) return std::nullopt;
    size_t start = item_start(*bracket);
    if (start >= at_ || !ends_operand(at_ - 1)) return std::nullopt;
    size_t type = tokens_[start].type;
    bool word = type == GlintLexer::TRUE || type == GlintLexer::FALSE || type == GlintLexer::NONE;
    if (word && start + 1 == at_)
      return spanning(fmt::format("cannot assign to {}", text_of(start)), start, at_);
    return spanning("expression cannot contain assignment, perhaps you meant \"==\"?", start, at_);
  }

  /// `(a.b := 1)`.
  std::optional<SyntaxError> walrus_target() const {
    if (!is(at_, GlintLexer::WALRUS) || at_ == 0 || !enclosing_bracket()) return std::nullopt;
    std::string what = target_kind(at_ - 1);
    if (what != "attribute" && what != "subscript" && what != "function call") return std::nullopt;
    return spanning(fmt::format("cannot use assignment expressions with {}", what),
                    postfix_start(at_ - 1), at_ - 1);
  }

  /// What a postfix expression is, by its last token; empty for others.
  std::string target_kind(size_t last) const {
    size_t start = postfix_start(last);
    if (start == last) return "";
    if (is(last, GlintLexer::NAME)) return "attribute";
    bool plain = opens(tokens_[start].type) && start > 0 && !ends_operand(start - 1);
    // A bracket that is the whole expression is a display, no trailer.
    size_t depth = 0;
    size_t open = last;
    for (;; --open) {
      if (closes(tokens_[open].type)) ++depth;
      if (opens(tokens_[open].type) && --depth == 0) break;
      if (open == 0) return "";
    }
    if (plain && open == start) return "";
    if (is(last, GlintLexer::RPAREN)) return "function call";
    return is(last, GlintLexer::RBRACK) ? "subscript" : "";
  }

  /// `{'a': }`, `{'a': *b}`, `{'a': 1, 'b'}`.
  std::optional<SyntaxError> dict_entry() const {
    auto bracket = enclosing_bracket();
    if (!bracket || !is(*bracket, GlintLexer::LBRACE) || at_ < 2) return std::nullopt;
    bool ends = is(at_, GlintLexer::RBRACE) || is(at_, GlintLexer::COMMA);
    if (is(at_ - 1, GlintLexer::COLON)) {
      if (ends) return syntax("expression expected after dictionary key and ':'", at_ - 1);
      if (is(at_, GlintLexer::MUL) && at_ + 1 < tokens_.size())
        return spanning("cannot use a starred expression in a dictionary value", at_, at_ + 1);
      return std::nullopt;
    }
    size_t start = item_start(*bracket);
    bool later = start > *bracket + 1 && has(*bracket, start, GlintLexer::COLON);
    if (!ends || !later || start >= at_ || has(start, at_, GlintLexer::COLON)) return std::nullopt;
    SyntaxError error = syntax("':' expected after dictionary key", at_ - 1);
    if (error.span.end_column > 0) error.span.column = error.span.end_column - 1;
    return error;
  }

  /// `1 if a` without its `else`.
  std::optional<SyntaxError> missing_else() const {
    bool ends =
        is(at_, GlintLexer::NEWLINE) || is(at_, GlintLexer::COMMA) || closes(tokens_[at_].type);
    if (!ends || at_ == 0 || !ends_operand(at_ - 1)) return std::nullopt;
    auto bracket = enclosing_bracket();
    size_t start = bracket ? item_start(*bracket) : line_start(at_);
    for (size_t i = start; i < at_; ++i) {
      if (is(i, GlintLexer::ASSIGN) || is(i, GlintLexer::RETURN)) start = i + 1;
    }
    size_t word = start;
    while (word < at_ && !is(word, GlintLexer::IF)) ++word;
    bool conditional = word > start && word < at_ && ends_operand(word - 1) &&
                       !has(start, word, GlintLexer::FOR) && !has(word, at_, GlintLexer::ELSE) &&
                       !has(start, at_, GlintLexer::COLON);
    if (!conditional) return std::nullopt;
    return spanning("expected 'else' after 'if' expression", start, at_ - 1);
  }

  /// `[a, b for a, b in c]`.
  std::optional<SyntaxError> comprehension_target() const {
    auto bracket = enclosing_bracket();
    bool display = is(at_, GlintLexer::FOR) && bracket && !is(*bracket, GlintLexer::LPAREN);
    if (!display || item_start(*bracket) == *bracket + 1) return std::nullopt;
    if (has(*bracket, at_, GlintLexer::COLON)) return std::nullopt;
    return spanning("did you forget parentheses around the comprehension target?", *bracket + 1,
                    at_ - 1);
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
    if (at_ == first) return std::nullopt;
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
    if (std::string kind = target_kind(before); !kind.empty()) {
      return spanning(
          fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?", kind),
          postfix_start(before), before);
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
      if (opens(type)) ++depth;
      if (closes(type)) --depth;
      if (opens(type) || type == GlintLexer::COMMA || type == GlintLexer::COLON) operand = i + 1;
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
