#include "runtime/interpreter/builtins_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace glint::runtime {
namespace {

bool all_digits_ascii(std::string_view text) {
  return !text.empty() && text.size() < 19 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

int64_t number_of(std::string_view digits) {
  int64_t number = 0;
  for (char c : digits) number = number * 10 + (c - '0');
  return number;
}

/// Reads the field that begins at `at` (behind its brace) up to and with its closing brace.
Result<FormatPiece> read_field(std::string_view text, size_t& at, FormatPiece piece) {
  piece.has_field = true;
  int depth = 0;
  bool in_brackets = false;
  while (at < text.size()) {
    char c = text[at];
    if (c == '[') in_brackets = true;
    if (c == ']') in_brackets = false;
    if (!in_brackets) {
      if (c == '{') return Error{"unexpected '{' in field name"};
      if (c == '}' || c == ':' || c == '!') break;
    }
    piece.name += c;
    ++at;
  }
  if (at >= text.size()) return Error{"expected '}' before end of string"};
  if (text[at] == '!') {
    if (at + 2 >= text.size()) return Error{"end of string while looking for conversion specifier"};
    piece.conversion = text[at + 1];
    at += 2;
    if (text[at] != ':' && text[at] != '}') return Error{"expected ':' after conversion specifier"};
  }
  if (text[at] == ':') {
    ++at;
    for (; at < text.size() && (depth > 0 || text[at] != '}'); ++at) {
      if (text[at] == '{') ++depth;
      if (text[at] == '}') --depth;
      piece.spec += text[at];
    }
    if (at >= text.size()) return Error{"expected '}' before end of string"};
  }
  ++at;
  return piece;
}

}  // namespace

Result<std::vector<FormatPiece>> parse_format_template(std::string_view text) {
  std::vector<FormatPiece> pieces;
  FormatPiece piece;
  for (size_t at = 0; at < text.size();) {
    char c = text[at++];
    if (c != '{' && c != '}') {
      piece.literal += c;
      continue;
    }
    if (at < text.size() && text[at] == c) {
      piece.literal += c;
      ++at;
      continue;
    }
    if (c == '}') return Error{"Single '}' encountered in format string"};
    if (at >= text.size()) return Error{"Single '{' encountered in format string"};
    auto field = read_field(text, at, std::move(piece));
    if (!field) return field.error();
    pieces.push_back(std::move(*field));
    piece = {};
  }
  if (!piece.literal.empty()) pieces.push_back(std::move(piece));
  return pieces;
}

Result<FieldPath> parse_field_name(std::string_view name) {
  FieldPath path;
  size_t at = name.find_first_of(".[");
  if (at == std::string_view::npos) at = name.size();
  path.first = name.substr(0, at);
  path.first_is_index = all_digits_ascii(path.first);
  if (path.first_is_index) path.first_index = number_of(path.first);
  while (at < name.size()) {
    FieldPath::Step step;
    if (name[at] == '.') {
      size_t end = name.find_first_of(".[", at + 1);
      if (end == std::string_view::npos) end = name.size();
      step.is_attribute = true;
      step.name = name.substr(at + 1, end - at - 1);
      at = end;
    } else if (name[at] == '[') {
      size_t end = name.find(']', at + 1);
      if (end == std::string_view::npos) return Error{"Missing ']' in format string"};
      step.name = name.substr(at + 1, end - at - 1);
      step.is_index = all_digits_ascii(step.name);
      if (step.is_index) step.index = number_of(step.name);
      at = end + 1;
    } else {
      return Error{"Only '.' or '[' may follow ']' in format field specifier"};
    }
    if (step.name.empty()) return Error{"Empty attribute in format string"};
    path.steps.push_back(std::move(step));
  }
  return path;
}

namespace {

/// Reads `%(key)-08.3f` behind its `%`, part by part.
class PercentReader {
 public:
  PercentReader(std::string_view text, size_t at) : text_(text), at_(at) {}

  size_t at() const { return at_; }

  /// False: the bracket does not end.
  bool key(PercentPiece& piece) {
    if (!comes('(')) return true;
    size_t end = text_.find(')', at_);
    if (end == std::string_view::npos) return false;
    piece.has_key = true;
    piece.key = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  void flags(PercentPiece& piece) {
    struct Flag {
      char letter;
      bool PercentPiece::* member;
    };
    static constexpr Flag kFlags[] = {{'-', &PercentPiece::left},
                                      {'+', &PercentPiece::plus},
                                      {' ', &PercentPiece::space},
                                      {'#', &PercentPiece::alternate},
                                      {'0', &PercentPiece::zero}};
    for (; at_ < text_.size(); ++at_) {
      const auto* flag = std::ranges::find(kFlags, text_[at_], &Flag::letter);
      if (flag == std::end(kFlags)) return;
      piece.*flag->member = true;
    }
  }

  void width_and_precision(PercentPiece& piece) {
    piece.width = count(piece.width_from_argument);
    if (!comes('.')) return;
    ++at_;
    piece.precision = count(piece.precision_from_argument);
    if (piece.precision < 0 && !piece.precision_from_argument) piece.precision = 0;
  }

  /// The type's letter, behind C's words for sizes, which mean nothing; none: the text ends.
  std::optional<char> type() {
    while (comes('l') || comes('h') || comes('L')) ++at_;
    return at_ < text_.size() ? std::optional(text_[at_++]) : std::nullopt;
  }

 private:
  bool comes(char c) const { return at_ < text_.size() && text_[at_] == c; }

  /// Digits as a number; -1 without any, or for a `*`, which takes an argument.
  int64_t count(bool& from_argument) {
    if (comes('*')) {
      from_argument = true;
      ++at_;
      return -1;
    }
    size_t start = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return start == at_ ? -1 : number_of(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  size_t at_;
};

}  // namespace

Result<std::vector<PercentPiece>> parse_percent_template(std::string_view text, bool of_bytes) {
  std::vector<PercentPiece> pieces;
  PercentPiece piece;
  size_t at = 0;
  while (at < text.size()) {
    char c = text[at++];
    if (c != '%') {
      piece.literal += c;
      continue;
    }
    PercentReader reader(text, at);
    if (!reader.key(piece)) return Error{"incomplete format key"};
    reader.flags(piece);
    reader.width_and_precision(piece);
    std::optional<char> type = reader.type();
    at = reader.at();
    if (!type) return Error{"incomplete format"};
    if (*type == '%') {
      PercentPiece next;
      next.literal = std::move(piece.literal) + '%';
      piece = std::move(next);
      continue;
    }
    bool known = std::string_view("diouxXeEfFgGcrsa").find(*type) != std::string_view::npos;
    if (!known && !(of_bytes && *type == 'b'))
      return Error{fmt::format("unsupported format character '{}' (0x{:x}) at index {}", *type,
                               static_cast<unsigned>(static_cast<unsigned char>(*type)), at - 1)};
    piece.has_field = true;
    piece.type = *type;
    pieces.push_back(std::move(piece));
    piece = {};
  }
  if (!piece.literal.empty()) pieces.push_back(std::move(piece));
  return pieces;
}

}  // namespace glint::runtime
