#include "frontend/literals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <iterator>

namespace glint::frontend {
namespace {

using program::Constant;

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

std::string_view base_name(int base) {
  return base == 2 ? "binary" : base == 8 ? "octal" : base == 16 ? "hexadecimal" : "decimal";
}

/// What does not fit 64 bits. CPython reads no decimal number of more digits, since that takes a
/// time which grows with the square.
Result<Constant> parse_big(std::string_view digits, int base) {
  constexpr size_t kMostDecimalDigits = 4300;
  std::string plain;
  std::ranges::remove_copy(digits, std::back_inserter(plain), '_');
  if (base == 10 && plain.size() > kMostDecimalDigits)
    return Error{fmt::format(
        "Exceeds the limit ({} digits) for integer string conversion: value has {} digits; use "
        "sys.set_int_max_str_digits() to increase the limit - Consider hexadecimal for huge "
        "integer literals to avoid decimal conversion limits.",
        kMostDecimalDigits, plain.size())};
  return Constant{BigInt::of_digits(plain, base)};
}

/// Digits of a base with single underscores between them.
Result<Constant> parse_integer(std::string_view digits, int base) {
  uint64_t value = 0;
  bool after_underscore = base == 10;
  bool overflow = false;
  for (char c : digits) {
    if (c == '_') {
      if (after_underscore && base == 10 && value == 0 && digits[0] == '_') break;
      after_underscore = true;
      continue;
    }
    int digit = digit_value(c);
    if (digit >= base) {
      if (digit < 10)
        return Error{fmt::format("invalid digit '{}' in {} literal", c, base_name(base))};
      return Error{fmt::format("invalid {} literal", base_name(base))};
    }
    after_underscore = false;
    overflow = overflow || __builtin_mul_overflow(value, static_cast<uint64_t>(base), &value) ||
               __builtin_add_overflow(value, static_cast<uint64_t>(digit), &value);
  }
  if (digits.empty() || digits.back() == '_' || digits.find("__") != std::string_view::npos) {
    return Error{fmt::format("invalid {} literal", base_name(base))};
  }
  if (overflow || value > static_cast<uint64_t>(INT64_MAX)) return parse_big(digits, base);
  return Constant{static_cast<int64_t>(value)};
}

bool is_float_text(std::string_view text) {
  return text.find('.') != std::string_view::npos ||
         text.find_first_of("eE") != std::string_view::npos;
}

Result<Constant> parse_float(std::string_view text) {
  bool digits_only = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) ||
           std::string_view("._eE+-").find(c) != std::string_view::npos;
  });
  bool misplaced = text.back() == '_' || text.find("__") != std::string_view::npos ||
                   text.find("_.") != std::string_view::npos ||
                   text.find("._") != std::string_view::npos;
  if (!digits_only || misplaced || std::isalpha(static_cast<unsigned char>(text.back()))) {
    return Error{"invalid decimal literal"};
  }
  std::string clean(text);
  std::erase(clean, '_');
  return Constant{std::strtod(clean.c_str(), nullptr)};
}

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

/// `count` hexadecimal digits at `at`, or nothing.
std::optional<uint32_t> hexadecimal(std::string_view body, size_t at, size_t count) {
  if (at + count > body.size()) return std::nullopt;
  uint32_t value = 0;
  for (size_t i = at; i < at + count; ++i) {
    int digit = digit_value(body[i]);
    if (digit >= 16) return std::nullopt;
    value = value * 16 + static_cast<uint32_t>(digit);
  }
  return value;
}

/// The escapes of one character; 0 for none.
char simple_escape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'v':
      return '\v';
    case '\\':
      return '\\';
    case '\'':
      return '\'';
    case '"':
      return '"';
    default:
      return 0;
  }
}

}  // namespace

Result<program::Constant> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '0') {
    char marker = static_cast<char>(std::tolower(static_cast<unsigned char>(text[1])));
    int base = marker == 'x' ? 16 : marker == 'o' ? 8 : marker == 'b' ? 2 : 10;
    if (base != 10) {
      std::string_view digits = text.substr(2);
      if (digits.starts_with('_')) digits.remove_prefix(1);
      return parse_integer(digits, base);
    }
  }
  if (text.ends_with('j') || text.ends_with('J')) {
    Result<program::Constant> size = parse_float(text.substr(0, text.size() - 1));
    if (!size) return size;
    return program::Constant{program::Imaginary{std::get<double>(size->value)}};
  }
  if (is_float_text(text)) return parse_float(text);
  Result<program::Constant> value = parse_integer(text, 10);
  bool leading_zero = text.size() > 1 && text[0] == '0' && value.ok() &&
                      text.find_first_not_of("0_") != std::string_view::npos;
  if (leading_zero) {
    return Error{
        "leading zeros in decimal integer literals are not permitted; use an 0o prefix for "
        "octal integers"};
  }
  return value;
}

StringLiteral split_string(std::string_view token) {
  StringLiteral literal;
  size_t quote = token.find_first_of("'\"");
  for (char c : token.substr(0, quote)) {
    char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (lower == 'r') literal.raw = true;
    if (lower == 'b') literal.bytes = true;
    if (lower == 'f') literal.formatted = true;
  }
  bool triple = token.size() >= quote + 6 && token.substr(quote, 3) == std::string(3, token[quote]);
  size_t width = triple ? 3 : 1;
  literal.body_offset = quote + width;
  literal.body = token.substr(literal.body_offset, token.size() - literal.body_offset - width);
  return literal;
}

std::string normalise_line_ends(std::string_view body) {
  std::string out;
  out.reserve(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\r') {
      out += '\n';
      if (i + 1 < body.size() && body[i + 1] == '\n') ++i;
    } else {
      out += body[i];
    }
  }
  return out;
}

/// Where CPython sees a byte of a literal: it writes characters beyond ASCII as `\U0001f600` first.
static size_t escaped_position(std::string_view body, size_t byte) {
  size_t position = 0;
  for (size_t i = 0; i < byte; ++i) {
    auto c = static_cast<unsigned char>(body[i]);
    position += c < 0x80 ? 1 : (c & 0xc0) == 0x80 ? 0 : 10;
  }
  return position;
}

Result<std::string> decode_escapes(std::string_view original, bool bytes) {
  std::string text = normalise_line_ends(original);
  std::string_view body = text;
  std::string out;
  out.reserve(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) {
      out += body[i];
      continue;
    }
    char c = body[++i];
    if (c == '\n') continue;
    if (char simple = simple_escape(c)) {
      out += simple;
    } else if (c >= '0' && c <= '7') {
      uint32_t value = 0;
      size_t end = std::min(i + 3, body.size());
      for (; i < end && body[i] >= '0' && body[i] <= '7'; ++i)
        value = value * 8 + static_cast<uint32_t>(body[i] - '0');
      --i;
      if (bytes)
        out += static_cast<char>(value);
      else
        append_utf8(out, value);
    } else if (c == 'x' || (!bytes && (c == 'u' || c == 'U'))) {
      size_t count = c == 'x' ? 2 : c == 'u' ? 4 : 8;
      std::optional<uint32_t> value = hexadecimal(body, i + 1, count);
      if (!value || *value > 0x10ffff) {
        if (bytes)
          return Error{fmt::format("(value error) invalid \\x escape at position {}", i - 1)};
        size_t end = i + 1;
        while (end < body.size() && end < i + 1 + count && digit_value(body[end]) < 16) ++end;
        return Error{fmt::format(
            "(unicode error) 'unicodeescape' codec can't decode bytes in position {}-{}: {}",
            escaped_position(body, i - 1), escaped_position(body, end - 1),
            value ? "illegal Unicode character"
                  : fmt::format("truncated \\{}{} escape", c, std::string(count, 'X')))};
      }
      if (bytes)
        out += static_cast<char>(*value);
      else
        append_utf8(out, *value);
      i += count;
    } else if (c == 'N' && !bytes) {
      bool braced = i + 1 < body.size() && body[i + 1] == '{';
      size_t close = braced ? body.find('}', i) : std::string_view::npos;
      if (close == std::string_view::npos || close == i + 2) {
        size_t last = !braced ? i : close == std::string_view::npos ? body.size() - 1 : close;
        return Error{
            fmt::format("(unicode error) 'unicodeescape' codec can't decode bytes in position "
                        "{}-{}: malformed \\N character escape",
                        escaped_position(body, i - 1), escaped_position(body, last))};
      }
      return Error{
          "named Unicode characters (\\N{...}) are not part of the language; write the character "
          "itself, or \\u with its number"};
    } else {
      out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace glint::frontend
