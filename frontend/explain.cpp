#include "frontend/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>

#include "GlintLexer.h"
#include "antlr4-runtime.h"
#include "frontend/nesting.h"
#include "frontend/peg.h"

namespace glint::frontend {
namespace {

using antlr::GlintLexer;

/// CPython's parser gives up at this many rules inside one another.
constexpr size_t kDeepestRules = 6000;

/// What a rule or an element matched: the tokens [begin, end), and the expressions in it.
struct Part {
  PartKind kind = kNoKind;
  size_t begin = 0;
  size_t end = 0;
  std::vector<const Part*> items = {};
};

/// One walk of the grammar over the tokens, in two passes.
class Walk {
 public:
  Walk(const Layout& layout, std::string_view text, const StringCheck& check_strings)
      : layout_(layout),
        tokens_(layout.tokens),
        text_(text),
        check_strings_(check_strings),
        grammar_(read_diagnosing_grammar()) {}

  std::optional<SyntaxError> run(std::string_view start) {
    size_t rule = grammar_.numbers.at(std::string(start));
    try {
      for (bool second : {false, true}) {
        find_mistakes_ = second;
        memo_.clear();
        size_t at = 0;
        if (match_rule(rule, at)) return std::nullopt;
        if (!second) last_ = furthest_;
      }
    } catch (SyntaxErrorException& exception) {
      return std::move(exception.error);
    }
    return plain_error();
  }

 private:
  // ---- tokens ----
  /// Reads a token: what stands behind a tokenizer's error cannot be read.
  size_t type_at(size_t at) {
    furthest_ = std::max(furthest_, std::min(at, tokens_.size() - 1));
    if (at >= layout_.read && layout_.read < tokens_.size()) throw_tokenizer_error();
    size_t type = tokens_[std::min(at, tokens_.size() - 1)].type;
    bool soft = type == GlintLexer::MATCH || type == GlintLexer::CASE;
    return soft ? static_cast<size_t>(GlintLexer::NAME) : type;
  }
  std::string_view text_of(size_t token) const {
    return text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
  }
  bool at_end() const {
    const Token& token = tokens_[furthest_];
    return token.type == antlr4::Token::EOF ||
           (token.begin >= text_.size() && token.type != GlintLexer::NEWLINE);
  }

  // ---- errors ----
  [[noreturn]] void throw_error(SyntaxError error) const { throw SyntaxErrorException{error}; }
  [[noreturn]] void throw_tokenizer_error() const {
    if (layout_.error) throw_error(*layout_.error);
    throw_error(unclosed_bracket());
  }
  SyntaxError unclosed_bracket() const {
    SyntaxError error{SyntaxErrorKind::kSyntax,
                      fmt::format("'{}' was never closed", layout_.open_bracket_text),
                      layout_.open_bracket->span};
    error.at_end = !layout_.error;
    return error;
  }

  /// An error of the parser, unless the tokenizer has one further on: CPython reads all tokens
  /// first.
  [[noreturn]] void throw_parser_error(SyntaxError error) const {
    if (layout_.error && layout_.error_comes_first) throw_error(*layout_.error);
    uint32_t line = tokens_[furthest_].span.line;
    if (layout_.open_bracket && line > layout_.open_bracket->span.line)
      throw_error(unclosed_bracket());
    throw_error(std::move(error));
  }

  SyntaxError error_at(std::string message, size_t token) const {
    SyntaxError error{SyntaxErrorKind::kSyntax, std::move(message), tokens_[token].span};
    error.at_end = token == furthest_ && at_end();
    error.has_caret = has_column(token);
    if (tokens_[token].begin < text_.size() || tokens_[token].type == GlintLexer::NEWLINE)
      return error;
    // The end of the text is shown as the end of its last line.
    bool ends_blank = text_.ends_with('\n') && error.span.line > 1;
    if (ends_blank) --error.span.line;
    error.span.end_line = error.span.line;
    return error;
  }

  /// Tokens without text have no column, but for the ends of lines.
  bool has_column(size_t token) const {
    size_t type = tokens_[token].type;
    return type != antlr4::Token::EOF && type != GlintLexer::INDENT && type != GlintLexer::DEDENT;
  }

  SyntaxError plain_error() {
    size_t type = tokens_[last_].type;
    if (type == GlintLexer::INDENT || type == GlintLexer::DEDENT) {
      SyntaxError error =
          error_at(type == GlintLexer::INDENT ? "unexpected indent" : "unexpected unindent", last_);
      error.kind = SyntaxErrorKind::kIndentation;
      // The column of the white space's end: no caret can stand there.
      error.has_caret = error.span.column > 0;
      if (error.has_caret) error.span.end_column = error.span.column--;
      return error;
    }
    try {
      throw_parser_error(error_at("invalid syntax", last_));
    } catch (SyntaxErrorException& exception) {
      return std::move(exception.error);
    }
  }

  // ---- matching ----
  using Labels = std::vector<std::pair<std::string_view, const Part*>>;

  const Part* make(PartKind kind, size_t begin, size_t end) {
    return &parts_.emplace_back(Part{kind, begin, end});
  }

  struct Memo {
    const Part* part;
    size_t end;
  };

  const Part* match_rule(size_t rule, size_t& at) {
    uint64_t key = (static_cast<uint64_t>(at) << 16) | (rule << 1) |
                   (find_mistakes_ && !grammar_.rules[rule].shared ? 1U : 0U);
    if (auto known = memo_.find(key); known != memo_.end()) {
      if (known->second.part) at = known->second.end;
      return known->second.part;
    }
    if (++depth_ > kDeepestRules)
      throw_error(nesting_error(SyntaxErrorKind::kMemory, tokens_[0].span));
    size_t begin = at;
    const Part* part = match_any(grammar_.rules[rule].alternatives, at);
    --depth_;
    memo_[key] = {part, at};
    if (!part) at = begin;
    return part;
  }

  const Part* match_any(const std::vector<Alternative>& alternatives, size_t& at) {
    for (const Alternative& alternative : alternatives) {
      bool mistake = alternative.mistake.place != Mistake::Place::kNone;
      if (mistake && !find_mistakes_ && !alternative.mistake.always) continue;
      size_t end = at;
      bool cut = false;
      if (const Part* part = match_alternative(alternative, end, cut)) {
        at = end;
        return part;
      }
      if (cut) return nullptr;
    }
    return nullptr;
  }

  const Part* match_alternative(const Alternative& alternative, size_t& at, bool& cut) {
    size_t begin = at;
    Labels labels;
    std::vector<const Part*> parts;
    bool mistakes = find_mistakes_;
    for (const Element& element : alternative.elements) {
      if (element.op == Element::Op::kCut) {
        cut = true;
        continue;
      }
      if (element.op == Element::Op::kWithoutMistakes) {
        find_mistakes_ = false;
        continue;
      }
      const Part* part = match(element, at);
      find_mistakes_ = mistakes;
      if (!part) return nullptr;
      bool looks = element.op == Element::Op::kAhead || element.op == Element::Op::kNotAhead;
      if (!looks) parts.push_back(part);
      if (!element.label.empty()) labels.emplace_back(element.label, part);
    }
    if (alternative.mistake.place != Mistake::Place::kNone) {
      report(alternative.mistake, labels, at);
      return nullptr;
    }
    return result(alternative, begin, at, labels, parts);
  }

  static const Part* labelled(const Labels& labels, std::string_view label) {
    for (const auto& [name, part] : labels) {
      if (name == label) return part;
    }
    return nullptr;
  }

  const Part* result(const Alternative& alternative, size_t begin, size_t end, const Labels& labels,
                     const std::vector<const Part*>& parts) {
    switch (alternative.result) {
      case Alternative::Result::kLabel:
        return labelled(labels, alternative.label);
      case Alternative::Result::kFold: {
        const auto& steps = parts[1]->items;
        if (steps.empty()) return parts[0];
        static const PartKind kCompare = part_kind("compare");
        bool compares = steps[0]->kind == kCompare || steps[0]->kind == part_kind("compare_in");
        Part& made = parts_.emplace_back(
            Part{compares ? steps.front()->kind : steps.back()->kind, begin, end});
        made.items.push_back(parts[0]);
        return &made;
      }
      default:
        break;
    }
    if (alternative.result == Alternative::Result::kWhole && parts.size() == 1) return parts[0];
    Part& made = parts_.emplace_back(Part{alternative.kind, begin, end});
    for (const Part* part : parts) add_items(made, part);
    return &made;
  }

  /// Adds the expressions of `part`: itself, or those in a part that is none.
  static void add_items(Part& into, const Part* part) {
    if (part->kind != kNoKind)
      into.items.push_back(part);
    else
      into.items.insert(into.items.end(), part->items.begin(), part->items.end());
  }

  const Part* match(const Element& element, size_t& at) {
    using Op = Element::Op;
    switch (element.op) {
      case Op::kToken:
        return match_token(element, at);
      case Op::kForced:
        return match_forced(element, at);
      case Op::kWord:
        if (type_at(at) != GlintLexer::NAME || text_of(at) != element.text) return nullptr;
        ++at;
        return make(kNoKind, at - 1, at);
      case Op::kReal:
      case Op::kImaginary: {
        if (type_at(at) != GlintLexer::NUMBER) return nullptr;
        char last = text_of(at).back();
        bool imaginary = last == 'j' || last == 'J';
        if (imaginary != (element.op == Op::kImaginary)) return nullptr;
        ++at;
        return make(kNoKind, at - 1, at);
      }
      case Op::kSoftKeyword:
        return match_soft_keyword(at);
      case Op::kRule:
        return match_rule(element.type, at);
      case Op::kGroup:
        return match_any(element.inner, at);
      case Op::kOptional: {
        const Part* part = match_any(element.inner, at);
        return part ? part : make(kNoKind, at, at);
      }
      case Op::kRepeat:
        return match_repeat(element, at);
      case Op::kAhead:
      case Op::kNotAhead: {
        size_t end = at;
        bool follows = match_any(element.inner, end) != nullptr;
        return follows == (element.op == Op::kAhead) ? make(kNoKind, at, at) : nullptr;
      }
      case Op::kStrings:
        return match_strings(at);
      default:
        return nullptr;
    }
  }

  const Part* match_token(const Element& element, size_t& at) {
    if (type_at(at) != element.type) return nullptr;
    static const PartKind kName = part_kind("name");
    ++at;
    return make(element.type == GlintLexer::NAME ? kName : kNoKind, at - 1, at);
  }

  const Part* match_forced(const Element& element, size_t& at) {
    if (type_at(at) != element.type) {
      antlr4::ANTLRInputStream empty;
      GlintLexer lexer(&empty);
      throw_parser_error(error_at(
          fmt::format("expected {}", lexer.getVocabulary().getLiteralName(element.type)), at));
    }
    ++at;
    return make(kNoKind, at - 1, at);
  }

  const Part* match_soft_keyword(size_t& at) {
    if (type_at(at) != GlintLexer::NAME) return nullptr;
    std::string_view word = text_of(at);
    // CPython compares as many letters as the name has.
    constexpr std::array<std::string_view, 3> kWords = {"_", "match", "case"};
    bool soft = std::any_of(kWords.begin(), kWords.end(),
                            [&](std::string_view each) { return each.starts_with(word); });
    if (!soft) return nullptr;
    ++at;
    return make(kNoKind, at - 1, at);
  }

  const Part* match_repeat(const Element& element, size_t& at) {
    Part& made = parts_.emplace_back(Part{kNoKind, at, at});
    size_t count = 0;
    for (size_t next = at;; ++count) {
      if (count > 0 && element.separator != 0) {
        if (type_at(next) != element.separator) break;
        ++next;
      }
      const Part* part = match_any(element.inner, next);
      if (!part) break;
      add_items(made, part);
      at = made.end = next;
      // A file's statements are never taken back: what was tried inside them is not asked again.
      if (depth_ == 1) memo_.clear();
    }
    return count >= element.least ? &made : nullptr;
  }

  const Part* match_strings(size_t& at) {
    static const PartKind kLiteral = part_kind("literal");
    static const PartKind kJoined = part_kind("joined");
    size_t begin = at;
    while (type_at(at) == GlintLexer::STRING) ++at;
    try {
      check_strings_(begin, at);
    } catch (SyntaxErrorException& exception) {
      throw_parser_error(std::move(exception.error));
    }
    bool joined = false;
    for (size_t i = begin; i < at; ++i) {
      std::string_view prefix = text_of(i).substr(0, text_of(i).find_first_of("'\""));
      joined = joined || prefix.find_first_of("fF") != std::string_view::npos;
    }
    return make(joined ? kJoined : kLiteral, begin, at);
  }

  // ---- mistakes ----
  /// The part of an assignment's or deletion's left side that cannot stand there.
  static const Part* wrong_target(const Part* part, std::string_view verb) {
    std::string_view name = kind_name(part->kind);
    static const PartKind kCompareIn = part_kind("compare_in");
    bool starred = part->kind == part_kind("starred");
    if (name == "name" || name == "attribute" || name == "subscript") return nullptr;
    if (starred && verb == "delete") return part;
    if (starred) return wrong_target(part->items[0], verb);
    if (name == "list" || name == "tuple") {
      for (const Part* item : part->items) {
        if (const Part* wrong = wrong_target(item, verb)) return wrong;
      }
      return nullptr;
    }
    // `for a in b` without its colon reads as a comparison.
    if (name == "comparison" && verb == "for")
      return part->kind == kCompareIn ? wrong_target(part->items[0], verb) : nullptr;
    return part;
  }

  /// What stands for `%s`: CPython's name of the part, or the part itself.
  std::string worded(const Mistake& mistake, const Part* part) const {
    std::string message = mistake.message;
    for (size_t at = message.find("%s"); at != std::string::npos; at = message.find("%s")) {
      bool itself = mistake.if_legacy || part->kind == kNoKind;
      message.replace(at, 2, itself ? text_of(part->begin) : kind_name(part->kind));
    }
    return message;
  }

  /// Throws the mistake that an alternative has found, unless a condition speaks against it.
  void report(const Mistake& mistake, const Labels& labels, size_t at) {
    const Part* from = labelled(labels, mistake.from);
    if (mistake.in_brackets && layout_.depths[at - 1] == 0) return;
    bool asks_for_legacy = mistake.if_legacy || mistake.unless_legacy;
    if (asks_for_legacy && is_legacy_statement(from) != mistake.if_legacy) return;
    SyntaxError error =
        error_at(from ? worded(mistake, from) : mistake.message, from ? from->begin : furthest_);
    if (put_in_place(mistake, labels, from, error)) throw_parser_error(std::move(error));
  }

  /// `print x`, `exec x`: Python 2's.
  bool is_legacy_statement(const Part* part) const {
    if (part->kind != part_kind("name")) return false;
    std::string_view word = text_of(part->begin);
    return word == "print" || word == "exec";
  }

  /// Gives the error the place that the mistake names, and its words where they depend on that.
  /// False: it is no mistake after all.
  bool put_in_place(const Mistake& mistake, const Labels& labels, const Part* from,
                    SyntaxError& error) const {
    using Place = Mistake::Place;
    switch (mistake.place) {
      case Place::kAt:
        if (from) error.span = span(from->begin, from->end);
        return true;
      case Place::kRange:
        if (mistake.to != "last") {
          error.span = span(from->begin, labelled(labels, mistake.to)->end);
          return true;
        }
        // Up to where CPython stands when it reports: before the last character that it read.
        error.span = span(from->begin, furthest_ + 1);
        --error.span.end_column;
        return true;
      case Place::kEnd:
        error.span = last_character(from);
        return true;
      case Place::kBlock:
        error.message = fmt::format("expected an indented block after {} on line {}",
                                    mistake.message, tokens_[from->begin].span.line);
        [[fallthrough]];
      case Place::kIndent:
        put_at_indentation(error);
        return true;
      case Place::kTarget:
        return put_at_target(mistake, from, error);
      case Place::kLastArgument:
        return put_at_last_argument(labelled(labels, mistake.to), from, error);
      case Place::kArgumentOrder: {
        static const PartKind kDoubleStar = part_kind("double_star");
        bool unpacks = std::any_of(from->items.begin(), from->items.end(),
                                   [](const Part* item) { return item->kind == kDoubleStar; });
        error = error_at(unpacks ? "positional argument follows keyword argument unpacking"
                                 : "positional argument follows keyword argument",
                         furthest_);
        return true;
      }
      case Place::kNone:
        return false;
    }
    return false;
  }

  void put_at_indentation(SyntaxError& error) const {
    error.kind = SyntaxErrorKind::kIndentation;
    error.span = error_at("", furthest_).span;
    error.span.end_line = error.span.line;
    error.span.end_column = error.span.column + 1;
    error.has_caret = has_column(furthest_);
    error.at_end = at_end();
  }

  bool put_at_target(const Mistake& mistake, const Part* from, SyntaxError& error) const {
    const Part* wrong = wrong_target(from, mistake.message);
    if (!wrong) return false;
    error.message =
        fmt::format("cannot {} {}", mistake.message == "delete" ? "delete" : "assign to",
                    kind_name(wrong->kind));
    error.span = span(wrong->begin, wrong->end);
    return true;
  }

  /// A generator without parentheses beside other arguments: from the last of them to `to`.
  bool put_at_last_argument(const Part* to, const Part* from, SyntaxError& error) const {
    const Part* last = nullptr;
    size_t count = 0;
    for (const Part* item : from->items) {
      if (kind_name(item->kind) == "keyword") continue;
      last = item;
      ++count;
    }
    if (count <= 1) return false;
    error.span = span(last->begin, to->end);
    return true;
  }

  /// The last character of a part, though CPython shows it on the part's first line.
  Span last_character(const Part* part) const {
    const Token& last = tokens_[part->end - 1];
    uint32_t at = last.end - 1;
    while (at > last.begin && (static_cast<unsigned char>(text_[at]) & 0xc0) == 0x80) --at;
    Span span = last.span;
    span.line = tokens_[part->begin].span.line;
    span.column = last.span.end_column - (last.end - at);
    span.end_column = span.column + 1;
    return span;
  }

  Span span(size_t begin, size_t end) const {
    return join(tokens_[begin].span, tokens_[std::max(end, begin + 1) - 1].span);
  }

  const Layout& layout_;
  const std::vector<Token>& tokens_;
  std::string_view text_;
  const StringCheck& check_strings_;
  const Grammar& grammar_;
  std::deque<Part> parts_;
  std::unordered_map<uint64_t, Memo> memo_;
  bool find_mistakes_ = false;
  size_t furthest_ = 0;  ///< the last token that was read
  size_t last_ = 0;      ///< the same, in the first pass
  size_t depth_ = 0;
};

}  // namespace

std::optional<SyntaxError> explain(const Layout& layout, std::string_view text,
                                   std::string_view start, const StringCheck& check_strings) {
  return Walk(layout, text, check_strings).run(start);
}

}  // namespace glint::frontend
