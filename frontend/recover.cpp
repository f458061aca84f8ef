#include "frontend/recover.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "GlintLexer.h"
#include "antlr4-runtime.h"
#include "frontend/layout.h"

namespace glint::frontend {
namespace {

using antlr::GlintLexer;

constexpr size_t kMostErrors = 10;
constexpr size_t kMostRounds = 20;  // those included whose error is not certain

/// Lines [begin, end), counted from 0.
struct LineRange {
  size_t begin = 0;
  size_t end = 0;
};

/// The lines of a text, some of which were taken out; numbers count from 0.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (size_t begin = 0; begin <= text.size();) {
      size_t end = std::min(text.find('\n', begin), text.size());
      lines_.emplace_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  size_t size() const { return lines_.size(); }
  size_t indentation(size_t line) const {
    return std::min(lines_[line].find_first_not_of(" \t\f"), lines_[line].size());
  }
  std::string_view content(size_t line) const {
    return std::string_view(lines_[line]).substr(indentation(line));
  }
  /// Nothing but blanks, or a comment.
  bool is_empty(size_t line) const {
    std::string_view text = content(line);
    return text.empty() || text == "\r" || text.starts_with('#');
  }
  std::string_view first_word(size_t line) const {
    std::string_view text = content(line);
    return text.substr(0, text.find_first_of(" \t:(*"));
  }
  std::string text() const { return joined({0, lines_.size()}, 0); }
  /// The lines of a range without the first `indentation` bytes of each.
  std::string joined(LineRange range, size_t indentation) const {
    std::string text;
    for (size_t i = range.begin; i < range.end; ++i)
      text += lines_[i].substr(std::min(indentation, lines_[i].size())) + "\n";
    return text;
  }
  /// Puts a statement in the place of a range, on its first line.
  void replace(LineRange range, std::string_view statement) {
    std::string blanks = lines_[range.begin].substr(0, indentation(range.begin));
    for (size_t i = range.begin; i < range.end; ++i) lines_[i].clear();
    if (!statement.empty()) lines_[range.begin] = blanks + std::string(statement);
  }

 private:
  std::vector<std::string> lines_;
};

/// The logical line that a line belongs to; without its end where brackets keep it open.
LineRange logical_line(const Layout& layout, size_t line) {
  LineRange found = {line, line + 1};
  bool starts = true;
  for (size_t i = 0; i < layout.tokens.size(); ++i) {
    const Token& token = layout.tokens[i];
    size_t at = token.span.line - size_t{1};
    bool is_layout = token.type == GlintLexer::INDENT || token.type == GlintLexer::DEDENT;
    if (is_layout) continue;
    if (token.type == GlintLexer::NEWLINE) {
      if (at >= line) {
        bool made_up = i >= layout.read && (layout.error || layout.open_bracket);
        if (!made_up) found.end = at + 1;
        break;
      }
      starts = true;
      continue;
    }
    if (starts && at > line) break;
    if (starts) found.begin = at;
    starts = false;
  }
  return found;
}

bool begins_clause(const Lines& lines, size_t line) {
  static constexpr std::array<std::string_view, 5> kClauses = {"else", "elif", "except", "finally",
                                                               "case"};
  return std::ranges::find(kClauses, lines.first_word(line)) != kClauses.end();
}

bool closes_bracket(const Lines& lines, size_t line) {
  return lines.content(line).find_first_of(")]}") == 0;
}

bool lacks_block(const SyntaxError& error) {
  return error.message.starts_with("expected an indented block");
}

/// A line that stands too deep, or between two blocks.
bool is_misplaced(const SyntaxError& error) {
  return error.kind == SyntaxErrorKind::kIndentation && !lacks_block(error);
}

/// The statement that an error is in; nothing where its end cannot be told.
std::optional<LineRange> statement_of(const Lines& lines, const SyntaxError& error) {
  bool tells_end = error.has_place && error.kind != SyntaxErrorKind::kTab &&
                   !error.message.starts_with("unterminated triple-quoted");
  size_t at = error.span.line - size_t{1};
  if (!tells_end || error.span.line == 0 || at >= lines.size()) return std::nullopt;
  Layout layout = lay_out(lines.text(), error.span.source);
  LineRange range = logical_line(layout, at);
  if (lacks_block(error)) {  // its header is at fault: `... on line 12`
    size_t header = std::strtoul(error.message.c_str() + error.message.rfind(' '), nullptr, 10);
    if (header == 0 || header > lines.size()) return std::nullopt;
    range = logical_line(layout, header - 1);
  }
  size_t indentation = lines.indentation(range.begin);
  while (range.begin > 0 && lines.content(range.begin - 1).starts_with('@') &&
         lines.indentation(range.begin - 1) == indentation)
    --range.begin;
  auto belongs = [&](size_t line) {
    size_t depth = lines.indentation(line);
    if (lines.is_empty(line) || depth > indentation || closes_bracket(lines, line)) return true;
    return depth == indentation && (is_misplaced(error) || begins_clause(lines, line));
  };
  while (range.end < lines.size() && belongs(range.end)) ++range.end;
  return range;
}

/// What keeps the text around a statement whole when the statement goes.
std::string_view stand_in(const Lines& lines, const SyntaxError& error, LineRange range) {
  if (is_misplaced(error)) return "";
  std::string_view word = lines.first_word(range.begin);
  if (word == "except" || word == "finally") return "finally: pass";
  return word == "case" ? "case _: pass" : "pass";
}

bool is_unterminated(const SyntaxError& error) {
  return error.message.starts_with("unterminated");
}

/// Whether an error may follow from what was taken out: a clause without its statement, the other
/// end of a string.
bool may_follow(const Lines& lines, const SyntaxError& error, const SyntaxError& first) {
  size_t line = error.span.line - size_t{1};
  bool orphan = begins_clause(lines, line) && error.span.column == lines.indentation(line);
  return orphan || (is_unterminated(error) && is_unterminated(first));
}

std::optional<SyntaxError> first_error(const std::string& text, SourceId source) {
  auto parsed = parse(text, source, Mode::kFile);
  auto* errors = std::get_if<SyntaxErrors>(&parsed);
  return errors ? std::optional(errors->front()) : std::nullopt;
}

}  // namespace

SyntaxErrors further_errors(std::string_view text, SourceId source, const SyntaxError& first) {
  Lines lines(text);
  SyntaxErrors found;
  SyntaxError error = first;
  for (size_t round = 0; round < kMostRounds && found.size() + 1 < kMostErrors; ++round) {
    std::optional<LineRange> wrong = statement_of(lines, error);
    if (!wrong) break;
    lines.replace(*wrong, stand_in(lines, error, *wrong));
    std::optional<SyntaxError> next = first_error(lines.text(), source);
    std::optional<LineRange> statement = next ? statement_of(lines, *next) : std::nullopt;
    if (!statement || (statement->begin < wrong->end && wrong->begin < statement->end)) break;
    size_t indentation = lines.indentation(statement->begin);
    bool certain = !may_follow(lines, *next, first) &&
                   first_error(lines.joined(*statement, indentation), source).has_value();
    error = *next;
    if (certain) found.push_back(std::move(*next));
  }
  std::ranges::stable_sort(found, {}, [](const SyntaxError& each) { return each.span.line; });
  return found;
}

}  // namespace glint::frontend
