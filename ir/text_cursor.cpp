#include "ir/text_cursor.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace glint {

namespace {
bool is_word_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool is_word_part(char c) {
  return is_word_start(c) || std::isdigit(static_cast<unsigned char>(c));
}
}  // namespace

void TextCursor::skip_blanks() {
  while (position_ < text_.size()) {
    char c = text_[position_];
    if (c == '#') {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++position_;
    } else {
      break;
    }
  }
}

bool TextCursor::accept_here(std::string_view expected, bool take) {
  if (error_) return false;
  skip_blanks();
  if (text_.substr(position_, expected.size()) != expected) return false;
  size_t end = position_ + expected.size();
  if (is_word_part(expected.back()) && end < text_.size() && is_word_part(text_[end])) return false;
  if (take) position_ = end;
  return true;
}

bool TextCursor::accept(std::string_view expected) {
  return accept_here(expected, true);
}
bool TextCursor::peek(std::string_view expected) {
  return accept_here(expected, false);
}

bool TextCursor::accept_adjacent(std::string_view expected) {
  if (error_ || text_.substr(position_, expected.size()) != expected) return false;
  position_ += expected.size();
  return true;
}

bool TextCursor::expect(std::string_view expected) {
  return accept(expected) || fail(fmt::format("expected `{}`", expected));
}

std::string_view TextCursor::peek_word() {
  if (error_) return {};
  skip_blanks();
  size_t end = position_;
  if (end < text_.size() && is_word_start(text_[end]))
    while (end < text_.size() && is_word_part(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

std::string_view TextCursor::word() {
  std::string_view found = peek_word();
  position_ += found.size();
  return found;
}

bool TextCursor::peek_digit() {
  if (error_) return false;
  skip_blanks();
  return position_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[position_]));
}

std::optional<TextCursor::Number> TextCursor::number() {
  if (error_) return std::nullopt;
  skip_blanks();
  std::string_view rest = text_.substr(position_);
  bool negative = rest.starts_with('-');
  std::string_view digits = rest.substr(negative ? 1 : 0);
  for (std::string_view special : {"inf", "nan"}) {
    if (!digits.starts_with(special)) continue;
    if (digits.size() > 3 && is_word_part(digits[3])) continue;
    position_ += special.size() + (negative ? 1 : 0);
    double value = special == "inf" ? std::numeric_limits<double>::infinity()
                                    : std::numeric_limits<double>::quiet_NaN();
    return Number{true, 0, negative ? -value : value};
  }
  if (digits.empty() || !std::isdigit(static_cast<unsigned char>(digits.front())))
    return std::nullopt;
  double real = 0.0;
  auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), real);
  std::string_view taken = rest.substr(0, static_cast<size_t>(parsed.ptr - rest.data()));
  bool is_float = taken.find_first_of(".eE") != std::string_view::npos;
  int64_t integer = 0;
  if (!is_float) {
    auto whole = std::from_chars(rest.data(), rest.data() + rest.size(), integer);
    if (whole.ec != std::errc()) {
      fail("the integer does not fit in 64 bits");
      return std::nullopt;
    }
  }
  position_ += taken.size();
  return Number{is_float, integer, real};
}

std::optional<std::string> TextCursor::string() {
  if (error_ || !accept("\"")) return std::nullopt;
  std::string value;
  while (position_ < text_.size() && text_[position_] != '"' && text_[position_] != '\n') {
    char c = text_[position_++];
    if (c == '\\' && position_ < text_.size()) {
      char escaped = text_[position_++];
      c = escaped == 'n' ? '\n' : escaped;
    }
    value += c;
  }
  if (position_ >= text_.size() || text_[position_] != '"') {
    fail("the string does not end on its line");
    return std::nullopt;
  }
  ++position_;
  return value;
}

bool TextCursor::at_end() {
  skip_lines();
  return position_ >= text_.size();
}

bool TextCursor::at_line_end() {
  skip_blanks();
  return position_ >= text_.size() || text_[position_] == '\n';
}

void TextCursor::skip_lines() {
  while (true) {
    skip_blanks();
    if (position_ >= text_.size() || text_[position_] != '\n') return;
    line_start_ = ++position_;
    ++line_;
  }
}

void TextCursor::expect_line_end() {
  if (error_) return;
  if (!at_line_end()) fail("expected the end of the line");
  skip_lines();
}

std::string_view TextCursor::rest_of_line() {
  size_t end = std::min(text_.find('\n', position_), text_.size());
  std::string_view rest = text_.substr(position_, end - position_);
  position_ = end;
  return rest;
}

bool TextCursor::fail(std::string message) {
  if (!error_) {
    Span span{SourceId::kNone, line_, column(), line_, column() + 1};
    error_ = Error{fmt::format("line {}, column {}: {}", line_, column(), message), span};
  }
  return false;
}

// ---- shared pieces -----------------------------------------------------------------------------

DType parse_dtype(TextCursor& in) {
  if (auto dtype = find_dtype(in.peek_word())) {
    in.word();
    return *dtype;
  }
  in.fail("expected a dtype, such as `f32`");
  return DType::kFloat32;
}

std::vector<TensorType> parse_result_types(TextCursor& in) {
  std::vector<TensorType> types;
  in.expect("->");
  bool several = in.accept("(");
  while (in.ok() && !(several && in.peek(")"))) {
    types.push_back(parse_tensor_type(in));
    if (!several || !in.accept(",")) break;
  }
  if (several) in.expect(")");
  in.expect("{");
  in.expect_line_end();
  return types;
}

void parse_results(TextCursor& in, std::span<const TensorType> declared,
                   const std::function<TensorType()>& read_one) {
  in.expect("return");
  size_t count = 0;
  while (in.ok() && !in.at_line_end()) {
    const std::string type = read_one().text();
    if (in.ok() && count < declared.size() && type != declared[count].text())
      in.fail(fmt::format("this is {}, the head says {}", type, declared[count].text()));
    ++count;
    if (!in.accept(",")) break;
  }
  if (in.ok() && count != declared.size())
    in.fail(fmt::format("{} returned, the head says {}", count, declared.size()));
  in.expect_line_end();
  in.expect("}");
}

std::string parse_reference(TextCursor& in) {
  in.expect("%");
  std::string name(in.word());
  if (name.empty()) in.fail("expected a name after `%`");
  return name;
}

std::vector<Span> parse_origins(TextCursor& in, SourceId source) {
  std::vector<Span> origins;
  while (in.peek_digit()) {
    TextCursor before = in;
    auto line = in.number();
    std::optional<TextCursor::Number> column;
    if (line && in.accept_adjacent(":") && in.peek_digit()) column = in.number();
    if (!column) {
      in = before;
      if (origins.empty()) in.fail("expected a place, as `5:22`");
      break;
    }
    auto l = static_cast<uint32_t>(line->integer), c = static_cast<uint32_t>(column->integer);
    origins.push_back({source, l, c, l, c + 1});
  }
  if (!origins.empty() && !in.peek("%")) in.rest_of_line();
  return origins;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

std::string origins_text(const std::vector<Span>& origins) {
  std::string text;
  SourceId source = SourceId::kNone;
  for (const Span& span : origins) {
    // A bare `36:15` is read as a place of the text that the first one is in.
    if (!span.known() || (source != SourceId::kNone && span.source != source)) continue;
    source = span.source;
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", span.line, span.column);
  }
  return text;
}

bool is_word(std::string_view text) {
  if (text.empty() || !is_word_start(text.front())) return false;
  for (char c : text)
    if (!is_word_part(c)) return false;
  return true;
}

bool same_origins(const std::vector<Span>& a, const std::vector<Span>& b) {
  return origins_text(a) == origins_text(b);
}

}  // namespace glint
