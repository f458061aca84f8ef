// A line is read from left to right: at each place the language's row says what begins there.
#include "repl/render/code.h"

#include <algorithm>
#include <utility>

#include "repl/render/text.h"
#include "repl/render/words.h"

namespace glint::render {
namespace {

class LineReader {
 public:
  LineReader(std::string_view line, const LanguageInfo& language)
      : line_(line), language_(language), first_(line.find_first_not_of(' ')) {
    const Operation operation = language.operation;
    const bool assigns = line.find(" = ") != std::string_view::npos;
    wants_operation_ = operation == Operation::kFirstWord ||
                       (operation == Operation::kFirstOrAssigned && !assigns);
  }

  std::vector<CodePiece> read() {
    std::vector<CodePiece> pieces;
    while (at_ < line_.size()) {
      const auto [end, colour] = next();
      add_piece(pieces, {line_.substr(at_, end - at_), colour});
      at_ = end;
    }
    return pieces;
  }

 private:
  struct Piece {
    size_t end;
    Colour colour;
  };

  Piece next() {
    const char c = line_[at_];
    if (!language_.comment.empty() && line_.substr(at_).starts_with(language_.comment))
      return {line_.size(), Colour::kComment};
    if (c == '"' || c == '\'') return {string_end(line_, at_), Colour::kString};
    if (is_digit(c)) {
      const bool counts = language_.is_numbered && at_ == first_;
      return {number_end(line_, at_), counts ? Colour::kFaint : Colour::kNumber};
    }
    if (has_sign(language_.values)) return {word_end(at_ + 1), Colour::kValue};
    if (is_local_label()) return {word_end(at_ + 1), Colour::kName};
    if (has_sign(language_.directives)) {
      wants_operation_ = false;
      return {word_end(at_ + 1), Colour::kDirective};
    }
    if (is_name_start(c)) return word();
    const bool may_assign = language_.operation == Operation::kBehindEquals ||
                            language_.operation == Operation::kFirstOrAssigned;
    if (may_assign && !has_keyword_ && line_.substr(at_).starts_with(" = "))
      wants_operation_ = true;
    return {at_ + 1, Colour::kPlain};
  }

  Piece word() {
    const size_t end = word_end(at_);
    const std::string_view word = line_.substr(at_, end - at_);
    const bool is_label = language_.is_assembly && at_ == first_ && line_.substr(end, 1) == ":";
    if (is_label) return {end, Colour::kName};
    if (language_.is_value != nullptr && language_.is_value(word)) return {end, Colour::kValue};
    const bool is_keyword =
        std::ranges::find(language_.keywords, word) != language_.keywords.end() ||
        (language_.is_keyword != nullptr && language_.is_keyword(word));
    has_keyword_ |= is_keyword;
    const bool is_operation = std::exchange(wants_operation_, false);
    return {end, is_keyword || is_operation ? Colour::kKeyword : Colour::kPlain};
  }

  bool continues_word() const {
    return at_ > 0 &&
           (is_name_part(line_[at_ - 1]) || line_[at_ - 1] == ')' || line_[at_ - 1] == ']');
  }

  /// One of the signs, and a name behind it.
  bool has_sign(std::string_view signs) const {
    const bool is_named = at_ + 1 < line_.size() && is_name_part(line_[at_ + 1]);
    return signs.find(line_[at_]) != std::string_view::npos && is_named && !continues_word();
  }

  /// `.LBB0_3`, `$L__BB0_9`
  bool is_local_label() const {
    const std::string_view rest = line_.substr(at_);
    return language_.is_assembly && !continues_word() &&
           (rest.starts_with(".L") || rest.starts_with("$L"));
  }

  size_t word_end(size_t begin) const {
    size_t end = name_end(line_, begin);
    while (language_.is_assembly && end + 1 < line_.size() && line_[end] == '.' &&
           is_name_part(line_[end + 1]))
      end = name_end(line_, end + 1);
    return end;
  }

  const std::string_view line_;
  const LanguageInfo& language_;
  const size_t first_;  ///< where the line's blanks end
  size_t at_ = 0;
  bool wants_operation_ = false;  ///< the next word says what the line does
  bool has_keyword_ = false;
};

}  // namespace

std::vector<CodePiece> code_pieces(std::string_view line, Language language) {
  if (language == Language::kNone) return {{line, Colour::kPlain}};
  return LineReader(line, language_info(language)).read();
}

std::string highlight_code(std::string_view text, Language language) {
  std::string out;
  for (std::string_view line : lines_of(text)) out += painted(code_pieces(line, language)) + '\n';
  return out;
}

LineParts parts_of(const StageLine& line, Language language) {
  const std::string_view text = line.text;
  size_t begin = text.size() - own_margin(line).size();
  if (!line.origins.empty()) {
    const std::vector<CodePiece> pieces = code_pieces(text.substr(0, begin), language);
    if (!pieces.empty() && pieces.back().colour == Colour::kComment)
      begin -= pieces.back().text.size();
  }
  return {text.substr(0, begin), text.substr(begin)};
}

}  // namespace glint::render
