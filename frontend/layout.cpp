#include "frontend/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "GlintLexer.h"
#include "antlr4-runtime.h"
#include "frontend/encoding.h"
#include "frontend/identifier.h"
#include "frontend/literals.h"

namespace glint::frontend {
namespace {

using antlr::GlintLexer;

constexpr size_t kDeepestBrackets = 200;
constexpr size_t kDeepestIndentation = 100;

/// How many bytes a byte order mark takes at the beginning: its line counts from behind it.
uint32_t byte_order_mark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? 3 : 0;
}

/// Byte offsets of code points, and lines and columns of bytes.
class Positions {
 public:
  Positions(std::string_view text, SourceId source) : source_(source) {
    line_starts_.push_back(byte_order_mark(text));
    for (uint32_t i = 0; i < text.size(); ++i) {
      auto byte = static_cast<unsigned char>(text[i]);
      if ((byte & 0xc0) != 0x80) code_points_.push_back(i);
      bool lone_return = byte == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
      if (byte == '\n' || lone_return) line_starts_.push_back(i + 1);
    }
    code_points_.push_back(static_cast<uint32_t>(text.size()));
  }

  uint32_t byte_of(size_t code_point) const {
    return code_points_[std::min(code_point, code_points_.size() - 1)];
  }
  size_t index_of(size_t byte) const {
    auto found = std::lower_bound(code_points_.begin(), code_points_.end(), byte);
    return static_cast<size_t>(found - code_points_.begin());
  }
  uint32_t line_of(uint32_t byte) const {
    auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), byte);
    return static_cast<uint32_t>(next - line_starts_.begin());
  }
  uint32_t line_start(uint32_t line) const { return line_starts_[line - 1]; }

  Span span(uint32_t begin, uint32_t end) const {
    uint32_t line = line_of(begin);
    uint32_t end_line = end > begin ? line_of(end - 1) : line;
    return {source_, line, begin - line_start(line), end_line, end - line_start(end_line)};
  }

 private:
  SourceId source_;
  std::vector<uint32_t> code_points_;
  std::vector<uint32_t> line_starts_;
};

bool is_opening(size_t type) {
  return type == GlintLexer::LPAREN || type == GlintLexer::LBRACK || type == GlintLexer::LBRACE;
}
bool is_closing(size_t type) {
  return type == GlintLexer::RPAREN || type == GlintLexer::RBRACK || type == GlintLexer::RBRACE;
}
bool matches(char open, char close) {
  return (open == '(' && close == ')') || (open == '[' && close == ']') ||
         (open == '{' && close == '}');
}

/// One pass over the raw tokens.
class LayoutPass {
 public:
  LayoutPass(std::string_view text, SourceId source) : text_(text), positions_(text, source) {}

  Layout run() {
    uint32_t mark = byte_order_mark(text_);
    lex(text_.substr(mark), mark == 0 ? 0 : 1);
    if (!layout_.error) open_continuation();
    finish();
    mark_soft_keywords();
    return std::move(layout_);
  }

 private:
  /// Takes the tokens of `part`, which begins at code point `first` of the text.
  void lex(std::string_view part, size_t first) {
    antlr4::ANTLRInputStream input{std::string(part)};
    GlintLexer lexer(&input);
    lexer.removeErrorListeners();
    for (const auto& raw : lexer.getAllTokens()) {
      uint32_t begin = positions_.byte_of(first + raw->getStartIndex());
      uint32_t end = positions_.byte_of(first + raw->getStopIndex() + 1);
      take({raw->getType(), begin, end, positions_.span(begin, end)});
      if (layout_.error) return;
    }
  }

  /// A backslash at the very end joins the last line to nothing.
  void open_continuation() {
    if (!brackets_.empty()) return;
    size_t last = text_.find_last_not_of("\r\n");
    size_t shown = layout_.tokens.empty() ? 0 : layout_.tokens.back().end;
    std::string_view rest = last == std::string_view::npos ? "" : text_.substr(last + 1);
    bool one_line_end = rest.size() <= 1 || rest == "\r\n";
    bool open = last != std::string_view::npos && text_[last] == '\\' && last >= shown &&
                one_line_end &&
                text_.substr(shown, last - shown).find('#') == std::string_view::npos;
    if (!open) return;
    auto end = static_cast<uint32_t>(last) + 1;
    end_behind_backslash({GlintLexer::NEWLINE, end, end, positions_.span(end - 1, end)});
  }

  void end_behind_backslash(Token at) {
    at.span.column = at.span.end_column;
    ++at.span.end_column;
    syntax_error("unexpected EOF while parsing", at);
    layout_.error->has_caret = !layout_.tokens.empty();
    layout_.error->at_end = true;
    layout_.error_comes_first = false;
  }

  /// The lexer lets letters go on a number; what stands behind its end is cut off, or is an error.
  void number(const Token& token) {
    NumberScan scan = scan_number(text_.substr(token.begin));
    auto part = [&](size_t begin, size_t end) {
      auto first = token.begin + static_cast<uint32_t>(begin);
      auto last = token.begin + static_cast<uint32_t>(end);
      return Token{token.type, first, last, positions_.span(first, last)};
    };
    if (!scan.error.empty()) {
      bool zeros = scan.error.starts_with("leading zeros");
      syntax_error(std::move(scan.error), part(scan.error_begin, scan.error_end));
      if (layout_.error) layout_.error->counts_bytes = zeros;
      return;
    }
    if (!scan.warning.empty())
      layout_.warnings.push_back({std::move(scan.warning), part(0, scan.end).span});
    layout_.tokens.push_back(part(0, scan.end));
    size_t rest = token.begin + scan.end;
    if (rest < token.end) lex(text_.substr(rest, token.end - rest), positions_.index_of(rest));
  }

  std::string_view text_of(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  void error(SyntaxErrorKind kind, std::string message, const Token& at) {
    if (layout_.error) return;
    layout_.error = SyntaxError{kind, std::move(message), at.span};
    layout_.error->by_tokenizer = true;
  }
  void syntax_error(std::string message, const Token& at) {
    error(SyntaxErrorKind::kSyntax, std::move(message), at);
  }

  void take(const Token& token) {
    if (token.type == GlintLexer::NEWLINE) {
      if (brackets_.empty() && !at_line_start_) {
        layout_.tokens.push_back(line_end(token));
        at_line_start_ = true;
      }
      return;
    }
    if (at_line_start_ && brackets_.empty()) {
      // A backslash is looked at before the indentation counts.
      if (token.type == GlintLexer::UNKNOWN && text_of(token) == "\\") return unknown(token);
      at_line_start_ = false;
      indent(token);
      if (layout_.error) return;
    }
    if (token.type == GlintLexer::OPEN_STRING) return open_string(token);
    if (token.type == GlintLexer::UNKNOWN) return unknown(token);
    if (token.type == GlintLexer::NAME) return name(token);
    if (token.type == GlintLexer::NUMBER) return number(token);
    if (is_opening(token.type)) {
      if (brackets_.size() == kDeepestBrackets)
        return syntax_error("too many nested parentheses", token);
      brackets_.push_back(token);
    }
    if (is_closing(token.type) && !close(token)) return;
    if (token.type == GlintLexer::GT && joins_less_than(token)) return;
    layout_.tokens.push_back(token);
  }

  /// The end of a line is placed where its comment begins.
  Token line_end(Token token) const {
    size_t from = layout_.tokens.back().end;
    size_t comment = text_.substr(from, token.begin - from).find('#');
    if (comment != std::string_view::npos)
      token.span = positions_.span(static_cast<uint32_t>(from + comment), token.begin);
    return token;
  }

  /// `<>` was an operator once: it is one token still, though no statement has it.
  bool joins_less_than(const Token& token) {
    if (layout_.tokens.empty()) return false;
    Token& before = layout_.tokens.back();
    if (before.type != GlintLexer::LT || before.end != token.begin) return false;
    before.type = GlintLexer::UNKNOWN;
    before.end = token.end;
    before.span = join(before.span, token.span);
    return true;
  }

  bool close(const Token& token) {
    char closing = text_[token.begin];
    if (brackets_.empty()) {
      syntax_error(fmt::format("unmatched '{}'", closing), token);
      return false;
    }
    const Token& open = brackets_.back();
    char opening = text_[open.begin];
    if (!matches(opening, closing)) {
      std::string place =
          open.span.line == token.span.line ? "" : fmt::format(" on line {}", open.span.line);
      syntax_error(fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'{}",
                               closing, opening, place),
                   token);
      return false;
    }
    brackets_.pop_back();
    return true;
  }

  void open_string(const Token& token) {
    std::string_view literal = text_of(token);
    size_t quote = literal.find_first_of("'\"");
    bool triple = literal.substr(quote, 3) == std::string(3, literal[quote]);
    Token at = token;
    at.span = positions_.span(token.begin, token.begin + 1);
    uint32_t last_line = triple ? positions_.line_of(static_cast<uint32_t>(text_.size()))
                                : positions_.line_of(token.end);
    bool at_end = triple || token.end == text_.size();
    if (at_end && text_.ends_with('\n') && last_line > 1) --last_line;
    syntax_error(fmt::format("unterminated {}string literal (detected at line {})",
                             triple ? "triple-quoted " : "", last_line),
                 at);
    // A line may still come: of a text of three quotes, or behind a backslash at this one's end.
    size_t behind = text_.find_last_not_of('\\') + 1;
    layout_.error->at_end = triple || (behind <= token.end && (text_.size() - behind) % 2 == 1);
  }

  /// The lexer lets all characters beyond ASCII into names; this refuses those that are no letters.
  void name(const Token& token) {
    size_t bad = bad_character(text_of(token));
    if (bad == std::string_view::npos) return layout_.tokens.push_back(token);
    auto part = [&](uint32_t begin, uint32_t end) {
      return Token{token.type, begin, end, positions_.span(begin, end)};
    };
    uint32_t at = token.begin + static_cast<uint32_t>(bad);
    if (bad > 0) layout_.tokens.push_back(part(token.begin, at));
    unknown(part(at, at + decode(text_.substr(at)).bytes));
  }

  void unknown(const Token& token) {
    std::string_view character = text_of(token);
    if (character == "\\") {
      if (token.end == text_.size()) return end_behind_backslash(token);
      Token at = token;
      at.span = positions_.span(token.end, token.end + 1);
      syntax_error("unexpected character after line continuation character", at);
      layout_.error_comes_first = false;
      return;
    }
    uint32_t code = decode(character).code;
    if (code < 0x80 && is_printable(code)) return layout_.tokens.push_back(token);
    // As wide as one byte: CPython's caret is one character wide.
    Token at = token;
    at.span.end_column = at.span.column + 1;
    syntax_error(is_printable(code)
                     ? fmt::format("invalid character '{}' (U+{:04X})", character, code)
                     : fmt::format("invalid non-printable character U+{:04X}", code),
                 at);
  }

  struct Level {
    uint32_t column;
    uint32_t tabs_as_one;
  };

  Level measure(uint32_t begin, uint32_t end) const {
    Level level = {0, 0};
    for (uint32_t i = begin; i < end; ++i) {
      char c = text_[i];
      level.column = c == '\t' ? (level.column / 8 + 1) * 8 : c == '\f' ? 0 : level.column + 1;
      level.tabs_as_one = c == '\f' ? 0 : level.tabs_as_one + 1;
    }
    return level;
  }

  /// The indentation of a token that begins a line. Lines before it that hold a backslash alone are
  /// joined to it: the first of them that is indented counts.
  Level indentation_of(const Token& token) const {
    Level level = measure(positions_.line_start(token.span.line), token.begin);
    for (uint32_t line = token.span.line - 1; line > 0; --line) {
      uint32_t begin = positions_.line_start(line);
      size_t end = text_.find_first_not_of(" \t\f", begin);
      bool joins = text_[end] == '\\' && positions_.line_start(line + 1) > end;
      if (!joins) break;
      Level joined = measure(begin, static_cast<uint32_t>(end));
      if (joined.column > 0) level = joined;
    }
    return level;
  }

  /// Compares the indentation of the token's line with the open ones.
  void indent(const Token& token) {
    auto [column, tabs_as_one] = indentation_of(token);
    Level& top = levels_.back();
    if (column == top.column) {
      if (tabs_as_one != top.tabs_as_one) return inconsistent(token);
      return;
    }
    if (column > top.column) {
      if (tabs_as_one <= top.tabs_as_one) return inconsistent(token);
      if (levels_.size() == kDeepestIndentation) {
        error(SyntaxErrorKind::kIndentation, "too many levels of indentation", token);
        layout_.error->has_caret = false;
        return;
      }
      levels_.push_back({column, tabs_as_one});
      add_at(GlintLexer::INDENT, token);
      return;
    }
    bool known = std::any_of(levels_.begin(), levels_.end(),
                             [&](const Level& level) { return level.column == column; });
    if (!known) return unknown_level(token);
    while (levels_.back().column > column) {
      levels_.pop_back();
      add_at(GlintLexer::DEDENT, token);
    }
    if (levels_.back().tabs_as_one != tabs_as_one) inconsistent(token);
  }

  /// The complaint stands behind the line's end.
  void unknown_level(const Token& token) {
    Token at = token;
    uint32_t start = positions_.line_start(token.span.line);
    size_t end = std::min(text_.find_first_of("\r\n", start), text_.size());
    at.span.column = static_cast<uint32_t>(end) - start;
    at.span.end_column = at.span.column + 1;
    error(SyntaxErrorKind::kIndentation, "unindent does not match any outer indentation level", at);
  }

  void inconsistent(const Token& token) {
    error(SyntaxErrorKind::kTab, "inconsistent use of tabs and spaces in indentation", token);
  }

  void add_at(size_t type, const Token& token) {
    Span span = token.span;
    span.end_line = span.line;
    span.end_column = span.column;
    layout_.tokens.push_back({type, token.begin, token.begin, span});
  }

  void finish() {
    uint32_t end = layout_.error ? (layout_.tokens.empty() ? 0 : layout_.tokens.back().end)
                                 : static_cast<uint32_t>(text_.size());
    Token last{antlr4::Token::EOF, end, end, positions_.span(end, end)};
    if (!brackets_.empty()) {
      layout_.open_bracket = brackets_.back();
      layout_.open_bracket_text = text_[brackets_.back().begin];
    }
    bool cut_off = layout_.error || layout_.open_bracket;
    size_t read = layout_.tokens.size();
    if (!at_line_start_) add_at(GlintLexer::NEWLINE, last);
    for (; levels_.size() > 1; levels_.pop_back()) add_at(GlintLexer::DEDENT, last);
    layout_.tokens.push_back(last);
    layout_.read = cut_off ? read : layout_.tokens.size();
    if (layout_.error && layout_.error->kind != SyntaxErrorKind::kSyntax)
      layout_.error_comes_first = false;
    count_depths();
  }

  void count_depths() {
    layout_.depths.reserve(layout_.tokens.size());
    uint32_t depth = 0;
    for (const Token& token : layout_.tokens) {
      if (is_opening(token.type)) ++depth;
      if (is_closing(token.type)) --depth;
      layout_.depths.push_back(depth);
    }
  }

  /// Whether the line that starts at token `first` ends in a colon outside brackets, and what
  /// stands behind the first word could not go on an expression statement.
  bool is_soft_keyword_line(size_t first) const {
    size_t next = layout_.tokens[first + 1].type;
    switch (next) {
      case GlintLexer::NEWLINE:
      case GlintLexer::ASSIGN:
      case GlintLexer::COLON:
      case GlintLexer::DOT:
      case GlintLexer::COMMA:
      case GlintLexer::RPAREN:
      case antlr4::Token::EOF:
        return false;
      default:
        break;
    }
    size_t depth = 0;
    for (size_t i = first + 1; i < layout_.tokens.size(); ++i) {
      size_t type = layout_.tokens[i].type;
      if (is_opening(type)) ++depth;
      if (is_closing(type)) --depth;
      if (type == GlintLexer::NEWLINE || type == antlr4::Token::EOF) return false;
      if (type == GlintLexer::LAMBDA && depth == 0) return false;
      if (type == GlintLexer::COLON && depth == 0) return true;
    }
    return false;
  }

  void mark_soft_keywords() {
    bool line_start = true;
    for (size_t i = 0; i + 1 < layout_.tokens.size(); ++i) {
      Token& token = layout_.tokens[i];
      if (line_start && token.type == GlintLexer::NAME) {
        std::string_view word = text_of(token);
        bool soft = (word == "match" || word == "case") && is_soft_keyword_line(i);
        if (soft) token.type = word == "match" ? GlintLexer::MATCH : GlintLexer::CASE;
      }
      line_start = token.type == GlintLexer::NEWLINE || token.type == GlintLexer::INDENT ||
                   token.type == GlintLexer::DEDENT;
    }
  }

  std::string_view text_;
  Positions positions_;
  Layout layout_;
  std::vector<Level> levels_ = {{0, 0}};
  std::vector<Token> brackets_;
  bool at_line_start_ = true;
};

}  // namespace

Layout lay_out(std::string_view text, SourceId source) {
  Layout layout;
  layout.error = encoding_error(text, source);
  if (!layout.error) return LayoutPass(text, source).run();
  layout.tokens.push_back({antlr4::Token::EOF, 0, 0, layout.error->span});
  layout.depths.push_back(0);
  return layout;
}

std::vector<StageLine> print_tokens(const Layout& layout, std::string_view text) {
  std::vector<StageLine> lines;
  antlr4::ANTLRInputStream empty;
  GlintLexer lexer(&empty);
  for (const Token& token : layout.tokens) {
    std::string name = token.type == antlr4::Token::EOF
                           ? "ENDMARKER"
                           : lexer.getVocabulary().getSymbolicName(token.type);
    std::string_view written = text.substr(token.begin, token.end - token.begin);
    bool shown = !written.empty() && written[0] != '\n' && written[0] != '\r';
    lines.push_back({shown ? fmt::format("{:<10} {}", name, written) : name, {token.span}});
  }
  return lines;
}

}  // namespace glint::frontend
