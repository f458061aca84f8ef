// String literals and f-strings: neighbouring literals joined, replacement fields parsed.
//
//     f"{x:>{w}} is {y!r}"   JoinedString[FormattedValue{x, spec [">", w]}, " is ",
//     FormattedValue{y, r}]
//
// The text of a field is parsed by the same grammar; its spans point into the f-string.

#include <fmt/format.h>

#include <algorithm>

#include "frontend/build.h"
#include "frontend/literals.h"

namespace glint::frontend {

namespace {

constexpr size_t kDeepestFields = 2;

/// Where a field's expression ends: at `}`, `!` (not `!=`), `:` or `=` (not `==`) outside brackets
/// and strings. `error` is set when the field is malformed.
struct FieldScan {
  size_t end = 0;
  std::string error = {};
};

FieldScan scan_field(std::string_view body, size_t begin) {
  std::string open;
  char quote = 0;
  size_t quote_width = 0;
  for (size_t i = begin; i < body.size(); ++i) {
    char c = body[i];
    if (c == '\\') return {i, "f-string expression part cannot include a backslash"};
    if (quote) {
      if (body.substr(i, quote_width) == std::string(quote_width, quote)) {
        i += quote_width - 1;
        quote = 0;
      }
      continue;
    }
    if (c == '\'' || c == '"') {
      quote = c;
      quote_width = body.substr(i, 3) == std::string(3, c) ? 3 : 1;
      i += quote_width - 1;
      continue;
    }
    if (c == '#') return {i, "f-string expression part cannot include '#'"};
    if (c == '(' || c == '[' || c == '{') {
      open += c;
      continue;
    }
    if (!open.empty()) {
      bool closes = (c == ')' && open.back() == '(') || (c == ']' && open.back() == '[') ||
                    (c == '}' && open.back() == '{');
      if (closes)
        open.pop_back();
      else if (c == ')' || c == ']' || c == '}')
        return {i, fmt::format("f-string: closing parenthesis '{}' does not match opening "
                               "parenthesis '{}'",
                               c, open.back())};
      continue;
    }
    if (c == ')' || c == ']')
      return {i, c == ')' ? "f-string: unmatched ')'" : "f-string: unmatched ']'"};
    char next = i + 1 < body.size() ? body[i + 1] : 0;
    if (c == '}' || c == ':') return {i};
    if (c == '!' && next == '=') {
      ++i;
      continue;
    }
    if (c == '!') return {i};
    bool compares = c == '=' || c == '<' || c == '>';
    if (compares && next == '=') {
      ++i;
      continue;
    }
    if (c == '=') return {i};
  }
  if (quote) return {body.size(), "f-string: unterminated string"};
  if (!open.empty()) return {body.size(), fmt::format("f-string: unmatched '{}'", open.back())};
  return {body.size(), "f-string: expecting '}'"};
}

/// How much of an f-string's text an escape takes: braces behind a backslash are a field's still,
/// but those of `\N{name}` are not.
size_t escape_length(std::string_view text) {
  if (text[1] == '{' || text[1] == '}') return 1;
  if (!text.starts_with("\\N{")) return 2;
  return std::min(text.find('}'), text.size() - 1) + 1;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f") == std::string_view::npos;
}

}  // namespace

void TreeBuilder::string_error(std::string message) const {
  error((in_field_ ? "f-string: " : "") + std::move(message), behind_strings_);
}

void TreeBuilder::add_text(Expressions& parts, std::string piece, const Span& at) const {
  if (piece.empty()) return;
  if (!parts.empty()) {
    if (auto* constant = parts.back()->get_if<Constant>()) {
      std::get<std::string>(constant->value.value) += piece;
      return;
    }
  }
  parts.push_back(make(at, Constant{{std::move(piece)}}));
}

std::pair<uint32_t, uint32_t> TreeBuilder::place_of(uint32_t byte) {
  if (byte < seen_.byte) seen_ = {};
  for (; seen_.byte < byte; ++seen_.byte) {
    if (text_[seen_.byte] != '\n') continue;
    ++seen_.line;
    seen_.line_start = seen_.byte + 1;
  }
  return {seen_.line, byte - seen_.line_start};
}

ExpressionPtr TreeBuilder::parse_field(std::string_view expression, uint32_t begin,
                                       const Span& token_span) {
  if (is_blank(expression)) string_error("f-string: empty expression not allowed");
  // The place of the field: its line and column in the source.
  Span start = token_span;
  if (in_field_ && begin > token_begin_) {
    // The text is a field's; where it lies in the source only its tokens know.
    std::string_view before = text_.substr(token_begin_, begin - token_begin_);
    auto lines = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
    auto column = static_cast<uint32_t>(before.size());
    if (lines > 0) column -= static_cast<uint32_t>(before.rfind('\n')) + 1;
    start.line += lines;
    start.column = lines > 0 ? column : start.column + column;
  } else {
    std::tie(start.line, start.column) = place_of(begin);
  }
  // An embedded f-string's body is not in the source as it stands; then the token must do.
  if (begin == 0) start = token_span;
  try {
    return parse_embedded_expression(expression, start);
  } catch (SyntaxErrorException& exception) {
    bool named = exception.error.by_tokenizer || exception.error.message.starts_with("f-string: ");
    if (!named) {
      exception.error.message = "f-string: " + exception.error.message;
    }
    throw;
  }
}

size_t TreeBuilder::add_field(std::string_view body, size_t open, bool raw, uint32_t begin,
                              const Span& token_span, size_t depth, Expressions& parts) {
  FieldScan scan = scan_field(body, open + 1);
  if (!scan.error.empty()) string_error(scan.error);
  auto comes = [&](size_t at, char c) { return at < body.size() && body[at] == c; };
  std::string_view source = body.substr(open + 1, scan.end - open - 1);
  uint32_t field_begin = begin == 0 ? 0 : begin + static_cast<uint32_t>(open) + 1;
  if (is_blank(source) && scan.end < body.size() && body[scan.end] != '}') {
    string_error(fmt::format("f-string: expression required before '{}'", body[scan.end]));
  }
  FormattedValue field;
  field.value = parse_field(source, field_begin, token_span);
  size_t at = scan.end;
  bool shows_source = comes(at, '=');
  if (shows_source) {
    ++at;
    while (comes(at, ' ') || comes(at, '\t')) ++at;
    add_text(parts, normalise_line_ends(body.substr(open + 1, at - open - 1)), token_span);
  }
  if (comes(at, '!')) {
    char conversion = at + 1 < body.size() ? body[at + 1] : 0;
    if (!conversion) string_error("f-string: expecting '}'");
    if (conversion != 's' && conversion != 'r' && conversion != 'a') {
      string_error("f-string: invalid conversion character: expected 's', 'r', or 'a'");
    }
    field.conversion = conversion;
    at += 2;
  }
  bool has_spec = comes(at, ':');
  if (shows_source && !field.conversion && !has_spec) field.conversion = 'r';
  if (has_spec) {
    // The spec runs to the brace that closes the field; fields of its own may stand in it.
    size_t end = at + 1;
    for (size_t nested = 0; end < body.size() && (body[end] != '}' || nested > 0); ++end) {
      if (body[end] == '{') ++nested;
      if (body[end] == '}') --nested;
    }
    JoinedString spec;
    uint32_t spec_begin = begin == 0 ? 0 : begin + static_cast<uint32_t>(at) + 1;
    add_formatted(body.substr(at + 1, end - at - 1), raw, spec_begin, token_span, depth + 1,
                  spec.parts);
    if (end == body.size()) string_error("f-string: expecting '}'");
    field.spec = make(strings_span_, std::move(spec));
    at = end;
  }
  if (!comes(at, '}')) string_error("f-string: expecting '}'");
  // As in CPython, what goes wrong with a field's format belongs to the whole literal.
  parts.push_back(make(strings_span_, std::move(field)));
  return at;
}

void TreeBuilder::add_formatted(std::string_view body, bool raw, uint32_t begin,
                                const Span& token_span, size_t depth, Expressions& parts) {
  std::string literal;
  auto flush = [&] {
    if (literal.empty()) return;
    Result<std::string> decoded =
        raw ? Result<std::string>(normalise_line_ends(literal)) : decode_escapes(literal, false);
    if (!decoded) string_error(decoded.error().message);
    add_text(parts, std::move(*decoded), token_span);
    literal.clear();
  };
  for (size_t i = 0; i < body.size();) {
    char c = body[i];
    bool doubled = i + 1 < body.size() && body[i + 1] == c;
    if (!raw && c == '\\' && i + 1 < body.size()) {
      size_t length = escape_length(body.substr(i));
      literal += body.substr(i, length);
      i += length;
      continue;
    }
    if (c != '{' && c != '}') {
      literal += c;
      ++i;
      continue;
    }
    if (doubled && depth == 0) {
      literal += c;
      i += 2;
      continue;
    }
    if (c == '}') string_error("f-string: single '}' is not allowed");
    flush();
    if (depth == kDeepestFields) string_error("f-string: expressions nested too deeply");
    i = add_field(body, i, raw, begin, token_span, depth, parts) + 1;
  }
  flush();
}

ExpressionPtr TreeBuilder::build_strings(size_t first, size_t end) {
  Span at = join(tokens_[first].span, tokens_[end - 1].span);
  strings_span_ = at;
  bool any_bytes = false;
  bool any_text = false;
  bool any_formatted = false;
  Expressions parts;
  std::string bytes;
  behind_strings_ = tokens_[end].span;
  for (size_t i = first; i < end; ++i) {
    const Token& source = tokens_[i];
    token_begin_ = source.begin;
    std::string_view written = text_.substr(source.begin, source.end - source.begin);
    StringLiteral literal = split_string(written);
    (literal.bytes ? any_bytes : any_text) = true;
    any_formatted = any_formatted || literal.formatted;
    auto check_kind = [&] {
      if (any_bytes && any_text) string_error("cannot mix bytes and nonbytes literals");
    };
    if (literal.formatted) {
      check_kind();
      uint32_t begin = source.begin + static_cast<uint32_t>(literal.body_offset);
      add_formatted(literal.body, literal.raw, begin, source.span, 0, parts);
      continue;
    }
    if (literal.bytes && std::any_of(literal.body.begin(), literal.body.end(), [](char c) {
          return static_cast<unsigned char>(c) >= 0x80;
        })) {
      error("bytes can only contain ASCII literal characters", source.span);
    }
    Result<std::string> decoded = literal.raw
                                      ? Result<std::string>(normalise_line_ends(literal.body))
                                      : decode_escapes(literal.body, literal.bytes);
    if (!decoded) string_error(decoded.error().message);
    check_kind();
    if (literal.bytes)
      bytes += *decoded;
    else
      add_text(parts, std::move(*decoded), source.span);
  }
  if (any_bytes) return make(at, Constant{{program::Bytes{std::move(bytes)}}});
  if (!any_formatted) {
    std::string whole = parts.empty()
                            ? std::string()
                            : std::get<std::string>(parts[0]->get_if<Constant>()->value.value);
    return make(at, Constant{{std::move(whole)}});
  }
  return make(at, JoinedString{std::move(parts)});
}

}  // namespace glint::frontend
