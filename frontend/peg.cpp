#include "frontend/peg.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "GlintLexer.h"
#include "antlr4-runtime.h"
#include "core/support/check.h"

namespace glint::frontend {
namespace {

using antlr::GlintLexer;

struct KindName {
  std::string_view word;
  std::string_view name;
};

constexpr std::array<KindName, 30> kKinds = {{
    {"", ""},
    {"name", "name"},
    {"literal", "literal"},
    {"true", "True"},
    {"false", "False"},
    {"none", "None"},
    {"ellipsis", "ellipsis"},
    {"joined", "f-string expression"},
    {"attribute", "attribute"},
    {"call", "function call"},
    {"subscript", "subscript"},
    {"tuple", "tuple"},
    {"list", "list"},
    {"set", "set display"},
    {"dict", "dict literal"},
    {"generator", "generator expression"},
    {"list_comprehension", "list comprehension"},
    {"set_comprehension", "set comprehension"},
    {"dict_comprehension", "dict comprehension"},
    {"lambda", "lambda"},
    {"conditional", "conditional expression"},
    {"compare", "comparison"},
    {"compare_in", "comparison"},
    {"operation", "expression"},
    {"starred", "starred"},
    {"walrus", "named expression"},
    {"yield", "yield expression"},
    {"await", "await expression"},
    {"keyword", "keyword"},
    {"double_star", "keyword"},
}};

/// The numbers of tokens by how the grammar writes them.
std::unordered_map<std::string, size_t> token_types() {
  std::unordered_map<std::string, size_t> types = {{"END", antlr4::Token::EOF}};
  antlr4::ANTLRInputStream empty;
  GlintLexer lexer(&empty);
  const auto& vocabulary = lexer.getVocabulary();
  for (size_t type = 1; type <= vocabulary.getMaxTokenType(); ++type) {
    types.emplace(vocabulary.getLiteralName(type), type);
    types.emplace(vocabulary.getSymbolicName(type), type);
  }
  return types;
}

/// Reads the grammar's text.
class GrammarReader {
 public:
  explicit GrammarReader(std::string_view text) : text_(text), types_(token_types()) {}

  Grammar run() {
    number_rules();
    while (!peek().empty()) {
      Rule& rule = grammar_.rules[grammar_.numbers.at(take())];
      rule.shared = accept("#");
      expect(":");
      rule.alternatives = alternatives();
    }
    return std::move(grammar_);
  }

 private:
  /// Rules may be used before they are defined: a rule's name stands at the start of a line.
  void number_rules() {
    for (size_t at = 0; at < text_.size();) {
      size_t end = text_.find('\n', at);
      std::string_view line = text_.substr(at, end - at);
      size_t colon = line.find(':');
      if (!line.empty() && line[0] != ' ' && colon != std::string_view::npos) {
        std::string_view name = line.substr(0, line.find_first_of("#:"));
        grammar_.numbers.emplace(name, grammar_.rules.size());
        grammar_.rules.push_back({std::string(name)});
      }
      at = end == std::string_view::npos ? text_.size() : end + 1;
    }
  }

  // ---- words ----
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  std::string read_word(size_t& at) const {
    while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at]))) ++at;
    size_t begin = at;
    if (at == text_.size()) return {};
    char c = text_[at++];
    if (c == '\'' || c == '"') {
      while (text_[at] != c) at += text_[at] == '\\' ? 2 : 1;
      ++at;
    } else if (is_word(c)) {
      while (at < text_.size() && is_word(text_[at])) ++at;
    } else {
      std::string_view two = text_.substr(begin, 2);
      if (two == "=>" || two == "->" || two == "&&") ++at;
    }
    return std::string(text_.substr(begin, at - begin));
  }
  std::string peek() const {
    size_t at = at_;
    return read_word(at);
  }
  std::string take() { return read_word(at_); }
  bool accept(std::string_view word) {
    if (peek() != word) return false;
    take();
    return true;
  }
  void expect(std::string_view word) {
    check(accept(word), fmt::format("the diagnosing grammar lacks `{}` at byte {}", word, at_));
  }
  /// Whether the next word begins a new rule.
  bool at_rule() const {
    size_t at = at_;
    read_word(at);
    size_t start = at_;
    while (start < text_.size() && std::isspace(static_cast<unsigned char>(text_[start]))) ++start;
    bool at_margin = start == 0 || text_[start - 1] == '\n';
    return at_margin && at < text_.size() && (text_[at] == ':' || text_[at] == '#');
  }

  // ---- grammar ----
  std::vector<Alternative> alternatives() {
    std::vector<Alternative> all;
    do {
      all.push_back(alternative());
    } while (accept("|"));
    return all;
  }

  Alternative alternative() {
    Alternative made;
    for (;;) {
      std::string next = peek();
      if (next.empty() || next == "|" || next == ")" || at_rule()) return made;
      if (accept("->")) {
        std::string word = take();
        made.kind = part_kind(word);
        made.result = word == "fold"         ? Alternative::Result::kFold
                      : made.kind != kNoKind ? Alternative::Result::kKind
                                             : Alternative::Result::kLabel;
        made.label = word;
      } else if (accept("=>")) {
        made.mistake = mistake();
      } else {
        made.elements.push_back(element());
      }
    }
  }

  Mistake mistake() {
    using Place = Mistake::Place;
    static const std::unordered_map<std::string, Place> kPlaces = {
        {"at", Place::kAt},
        {"from", Place::kRange},
        {"end", Place::kEnd},
        {"block", Place::kBlock},
        {"indent", Place::kIndent},
        {"target", Place::kTarget},
        {"last_argument", Place::kLastArgument},
        {"argument_order", Place::kArgumentOrder},
    };
    Mistake made;
    made.place = kPlaces.at(take());
    if (made.place != Place::kIndent) made.from = take();
    if (made.place == Place::kRange) expect("to");
    if (made.place == Place::kRange || made.place == Place::kLastArgument) made.to = take();
    if (peek().starts_with('"')) made.message = unquoted(take());
    made.in_brackets = accept("in_brackets");
    made.unless_legacy = accept("unless_legacy");
    made.if_legacy = accept("if_legacy");
    made.always = accept("always");
    return made;
  }

  static std::string unquoted(std::string_view word) {
    std::string text;
    for (size_t i = 1; i + 1 < word.size(); ++i) {
      if (word[i] == '\\') ++i;
      text += word[i];
    }
    return text;
  }

  Element element() {
    using Op = Element::Op;
    Element made;
    if (accept("&&")) {
      made = atom();
      made.op = Op::kForced;
      return made;
    }
    if (accept("&")) return wrap(Op::kAhead, element());
    if (accept("!")) return wrap(Op::kNotAhead, element());
    if (accept("~")) {
      made.op = Op::kCut;
      return made;
    }
    std::string label;
    size_t at = at_;
    std::string word = read_word(at);
    if (at < text_.size() && text_[at] == '=' && is_word(word[0])) {
      label = word;
      at_ = at + 1;
    }
    made = repeated();
    made.label = label;
    return made;
  }

  /// An atom with what stands behind it: `x?`, `x*`, `x+`, `','.x+`.
  Element repeated() {
    Element made = atom();
    size_t separator = 0;
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      separator = made.type;
      made = atom();
    }
    char suffix = at_ < text_.size() ? text_[at_] : '\0';
    if (suffix == '?') {
      ++at_;
      return wrap(Element::Op::kOptional, std::move(made));
    }
    if (suffix != '*' && suffix != '+') return made;
    ++at_;
    Element list = wrap(Element::Op::kRepeat, std::move(made));
    list.least = suffix == '+' ? 1 : 0;
    list.separator = separator;
    return list;
  }

  Element wrap(Element::Op op, Element inner) const {
    Element made;
    made.op = op;
    Alternative only;
    only.elements.push_back(std::move(inner));
    made.inner.push_back(std::move(only));
    return made;
  }

  Element atom() {
    using Op = Element::Op;
    Element made;
    std::string word = take();
    if (word == "(") {
      made.op = Op::kGroup;
      made.inner = alternatives();
      expect(")");
    } else if (word[0] == '"') {
      made.op = Op::kWord;
      made.text = unquoted(word);
    } else if (word == "REAL" || word == "IMAGINARY") {
      made.op = word == "REAL" ? Op::kReal : Op::kImaginary;
    } else if (word == "SOFT") {
      made.op = Op::kSoftKeyword;
    } else if (word == "STRINGS") {
      made.op = Op::kStrings;
    } else if (word == "WITHOUT_MISTAKES") {
      made.op = Op::kWithoutMistakes;
    } else if (auto rule = grammar_.numbers.find(word); rule != grammar_.numbers.end()) {
      made.op = Op::kRule;
      made.type = rule->second;
    } else {
      auto type = types_.find(word);
      check(type != types_.end(),
            fmt::format("the diagnosing grammar names no token or rule `{}`", word));
      made.type = type->second;
    }
    return made;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::unordered_map<std::string, size_t> types_;
  Grammar grammar_;
};

}  // namespace

PartKind part_kind(std::string_view word) {
  for (size_t i = 1; i < kKinds.size(); ++i) {
    if (kKinds[i].word == word) return static_cast<PartKind>(i);
  }
  return kNoKind;
}

std::string_view kind_name(PartKind kind) {
  return kKinds[kind].name;
}

const Grammar& read_diagnosing_grammar() {
  static const Grammar kGrammar = GrammarReader(diagnosing_grammar()).run();
  return kGrammar;
}

}  // namespace glint::frontend
