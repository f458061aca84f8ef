#include "backends/cuda/simulator/lexer.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdlib>

namespace glint::simulator {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    std::vector<Token> tokens;
    while (skip_blanks()) {
      const Place place = place_of(position_);
      Token token = next();
      if (!error_.empty()) return error_at(place, error_);
      token.place = place;
      if (token.kind == Token::Kind::kString) {
        token.text = token.text.substr(1, token.text.size() - 2);
      }
      tokens.push_back(token);
    }
    if (!error_.empty()) return error_at(place_of(position_), error_);
    Token end;
    end.text = text_.substr(text_.size());
    end.place = place_of(text_.size());
    tokens.push_back(end);
    return tokens;
  }

 private:
  char at(size_t index) const { return index < text_.size() ? text_[index] : '\0'; }

  /// Places are asked for in order: lines are counted on the way.
  Place place_of(size_t index) {
    for (; counted_ < index; ++counted_) {
      if (text_[counted_] == '\n') {
        ++line_;
        line_start_ = counted_ + 1;
      }
    }
    return {line_, static_cast<uint32_t>(index - line_start_ + 1)};
  }

  /// Skips blanks and comments; false at the end of the text.
  bool skip_blanks() {
    while (position_ < text_.size()) {
      if (is_blank(text_[position_])) {
        ++position_;
      } else if (text_.substr(position_, 2) == "//") {
        position_ = std::min(text_.find('\n', position_), text_.size());
      } else if (text_.substr(position_, 2) == "/*") {
        const size_t end = text_.find("*/", position_ + 2);
        if (end == std::string_view::npos) {
          error_ = "the comment has no end";
          return false;
        }
        position_ = end + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  Token take(Token::Kind kind, size_t end) {
    Token token;
    token.kind = kind;
    token.text = text_.substr(position_, end - position_);
    position_ = end;
    return token;
  }

  Token next() {
    const char c = text_[position_];
    if (is_digit(c)) return number();
    if (is_letter(c) || (c == '.' && is_letter(at(position_ + 1)))) return word();
    if (c == '"') {
      const size_t end = text_.find('"', position_ + 1);
      if (end != std::string_view::npos) return take(Token::Kind::kString, end + 1);
      error_ = "the string has no end";
    } else if (std::string_view(",;:[]{}()+-!|@<>=").find(c) == std::string_view::npos) {
      error_ = fmt::format("unexpected character `{}`", c);
    }
    return take(Token::Kind::kPunctuation, position_ + 1);
  }

  Token word() {
    const bool directive = text_[position_] == '.';
    size_t end = position_ + 1;
    for (;;) {
      if (is_letter(at(end)) || is_digit(at(end))) {
        ++end;
      } else if (!directive && at(end) == '.' &&
                 (is_letter(at(end + 1)) || is_digit(at(end + 1)))) {
        end += 2;
      } else if (!directive && at(end) == ':' && at(end + 1) == ':') {
        end += 2;  // ld.global.L1::no_allocate
      } else {
        return take(Token::Kind::kWord, end);
      }
    }
  }

  Token number() {
    const char mark = at(position_ + 1);
    if (text_[position_] == '0' && (mark == 'f' || mark == 'F')) return bits_of_float(8);
    if (text_[position_] == '0' && (mark == 'd' || mark == 'D')) return bits_of_float(16);
    size_t end = position_;
    while (is_digit(at(end)) || is_letter(at(end)) || at(end) == '.') ++end;
    const std::string_view text = text_.substr(position_, end - position_);
    if (text.find('.') != std::string_view::npos) {
      Token token = take(Token::Kind::kFloat, end);
      token.bits = std::bit_cast<uint64_t>(std::strtod(std::string(text).c_str(), nullptr));
      token.float_size = 8;
      return token;
    }
    return integer(text, end);
  }

  Token integer(std::string_view text, size_t end) {
    Token token = take(Token::Kind::kInteger, end);
    if (text.ends_with('U')) text.remove_suffix(1);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
    if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
    if (base != 10) {
      text.remove_prefix(2);
    } else if (text.size() > 1 && text[0] == '0') {
      base = 8;
    }
    const auto [stop, code] =
        std::from_chars(text.data(), text.data() + text.size(), token.bits, base);
    if (code != std::errc() || stop != text.data() + text.size()) {
      error_ = fmt::format("`{}` is no number", token.text);
    }
    return token;
  }

  /// `0f3F800000` or `0d3FF0000000000000`: the bits of the number.
  Token bits_of_float(size_t digits) {
    size_t end = position_;
    while (is_digit(at(end)) || is_letter(at(end))) ++end;
    Token token = take(Token::Kind::kFloat, end);
    uint64_t bits = 0;
    const std::string_view text = token.text.substr(2);
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    if (code != std::errc() || text.size() != digits || stop != text.data() + text.size()) {
      error_ = fmt::format("`{}` needs {} hexadecimal digits", token.text, digits);
    }
    token.float_size = static_cast<uint8_t>(digits / 2);
    token.bits = bits;
    return token;
  }

  std::string_view text_;
  size_t position_ = 0;
  size_t counted_ = 0;
  size_t line_start_ = 0;
  uint32_t line_ = 1;
  std::string error_;
};

}  // namespace

Error error_at(Place place, std::string_view what) {
  return {fmt::format("{}:{}: {}", place.line, place.column, what)};
}

Result<std::vector<Token>> split_tokens(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace glint::simulator
