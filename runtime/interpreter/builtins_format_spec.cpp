#include "runtime/interpreter/builtins_format_spec.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "runtime/interpreter/builtins_number_text.h"
#include "runtime/interpreter/builtins_utf8.h"

namespace glint::runtime {
namespace {

bool is_align(char c) {
  return c == '<' || c == '>' || c == '=' || c == '^';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

Error unknown_code(char type, std::string_view type_name) {
  return {fmt::format("Unknown format code '{}' for object of type '{}'", type, type_name)};
}

/// Reads digits at `at`; -1 where there are none.
int64_t read_count(std::string_view text, size_t& at) {
  if (at >= text.size() || !is_digit(text[at])) return -1;
  int64_t count = 0;
  while (at < text.size() && is_digit(text[at]) && count < 100'000'000)
    count = count * 10 + (text[at++] - '0');
  return count;
}

/// Puts `separator` between groups of `size` digits, padding with zeros up to `width` characters.
std::string group_digits(std::string_view digits, char separator, size_t size, int64_t width) {
  std::string reversed;
  size_t count = 0;
  size_t left = digits.size();
  while (left > 0 || static_cast<int64_t>(reversed.size()) < width) {
    if (count > 0 && count % size == 0) {
      reversed += separator;
      // A leading separator is never needed to reach the width: a digit follows it below.
    }
    reversed += left > 0 ? digits[--left] : '0';
    ++count;
  }
  return std::string(reversed.rbegin(), reversed.rend());
}

std::string pad_text(std::string_view text, size_t length, const FormatSpec& spec, char align) {
  if (spec.width < 0 || static_cast<size_t>(spec.width) <= length) return std::string(text);
  size_t total = static_cast<size_t>(spec.width) - length;
  size_t left = align == '<' ? 0 : align == '^' ? total / 2 : total;
  std::string out;
  for (size_t i = 0; i < left; ++i) out += spec.fill;
  out += text;
  for (size_t i = left; i < total; ++i) out += spec.fill;
  return out;
}

std::string sign_text(bool negative, const FormatSpec& spec) {
  if (negative) return "-";
  return spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
}

std::string exponent_text(int exponent, bool upper) {
  return fmt::format("{}{}{:02}", upper ? 'E' : 'e', exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string strip_zeros(std::string digits) {
  size_t last = digits.find_last_not_of('0');
  digits.resize(last == std::string::npos ? 1 : last + 1);
  return digits;
}

std::string scientific(const Decimal& decimal, bool point_always, bool upper) {
  std::string out(1, decimal.digits[0]);
  if (decimal.digits.size() > 1 || point_always) out += "." + decimal.digits.substr(1);
  return out + exponent_text(decimal.point - 1, upper);
}

std::string positional(const Decimal& decimal, bool point_always) {
  int count = static_cast<int>(decimal.digits.size());
  std::string out;
  if (decimal.point <= 0) {
    out = "0." + std::string(static_cast<size_t>(-decimal.point), '0') + decimal.digits;
  } else if (decimal.point >= count) {
    out = decimal.digits + std::string(static_cast<size_t>(decimal.point - count), '0');
    if (point_always) out += ".";
  } else {
    size_t point = static_cast<size_t>(decimal.point);
    out = decimal.digits.substr(0, point) + "." + decimal.digits.substr(point);
  }
  return out;
}

/// `g`: at most `precision` significant digits, whichever form is shorter.
std::string general(double value, int64_t precision, bool alternate, bool upper, bool keep_point) {
  if (precision == 0) precision = 1;
  Decimal decimal = decimal_with_digits(value, static_cast<int>(precision));
  if (value == 0) decimal.point = 1;
  bool use_exponent = decimal.point <= -4 || decimal.point > precision;
  if (keep_point && decimal.point == precision) use_exponent = true;
  if (!alternate) decimal.digits = strip_zeros(decimal.digits);
  if (use_exponent) return scientific(decimal, alternate, upper);
  std::string text = positional(decimal, alternate);
  if (keep_point && text.find('.') == std::string::npos) text += ".0";
  return text;
}

/// Which types take `,` and `_`.
std::optional<Error> check_grouping(const FormatSpec& spec, std::string_view type_name) {
  if (!spec.grouping) return std::nullopt;
  char type = spec.type ? spec.type : type_name == "str" ? 's' : 'd';
  bool takes =
      std::string_view("defgEFG%").find(type) != std::string_view::npos ||
      (spec.grouping == '_' && std::string_view("boxX").find(type) != std::string_view::npos);
  if (takes) return std::nullopt;
  return Error{fmt::format("Cannot specify '{}' with '{}'.", spec.grouping, type)};
}

}  // namespace

Result<FormatSpec> parse_format_spec(std::string_view text, std::string_view type_name) {
  FormatSpec spec;
  size_t at = 0;
  size_t fill_size = text.empty() ? 0 : code_point_size(text[0]);
  bool fill_given = false;
  if (fill_size < text.size() && is_align(text[fill_size])) {
    spec.fill = text.substr(0, fill_size);
    spec.align = text[fill_size];
    fill_given = true;
    at = fill_size + 1;
  } else if (!text.empty() && is_align(text[0])) {
    spec.align = text[0];
    at = 1;
  }
  auto take = [&](char c) {
    bool found = at < text.size() && text[at] == c;
    if (found) ++at;
    return found;
  };
  if (at < text.size() && (text[at] == '+' || text[at] == '-' || text[at] == ' '))
    spec.sign = text[at++];
  spec.no_negative_zero = take('z');
  spec.alternate = take('#');
  if (!fill_given && at < text.size() && text[at] == '0') {
    spec.fill = "0";
    spec.zero_padding = spec.align == 0;
    if (spec.zero_padding) spec.align = '=';
    ++at;
  }
  spec.width = read_count(text, at);
  if (take(',')) spec.grouping = ',';
  if (take('_')) {
    if (spec.grouping) return Error{"Cannot specify both ',' and '_'."};
    spec.grouping = '_';
  }
  if (at < text.size() && text[at] == ',') {
    if (spec.grouping == ',') return Error{"Cannot specify ',' with ','."};
    return Error{"Cannot specify both ',' and '_'."};
  }
  if (take('.')) {
    spec.precision = read_count(text, at);
    if (spec.precision < 0) return Error{"Format specifier missing precision"};
  }
  if (text.size() - at > 1)
    return Error{
        fmt::format("Invalid format specifier '{}' for object of type '{}'", text, type_name)};
  if (at < text.size()) spec.type = text[at];
  if (auto error = check_grouping(spec, type_name)) return *error;
  return spec;
}

std::string pad_number(std::string_view sign, std::string_view prefix, std::string_view digits,
                       std::string_view rest, const FormatSpec& spec) {
  std::string body(digits);
  size_t group =
      spec.type == 'x' || spec.type == 'X' || spec.type == 'o' || spec.type == 'b' ? 4 : 3;
  bool numeric_digits = !digits.empty() && (is_digit(digits[0]) || group == 4);
  if (spec.grouping && numeric_digits) {
    int64_t width = -1;
    if (spec.align == '=' && spec.fill == "0")
      width = spec.width - static_cast<int64_t>(sign.size() + prefix.size() + rest.size());
    body = group_digits(digits, spec.grouping, group, width);
  }
  body += rest;
  size_t length = sign.size() + prefix.size() + body.size();
  if (spec.align == '=') {
    std::string out = std::string(sign) + std::string(prefix);
    for (int64_t i = static_cast<int64_t>(length); i < spec.width; ++i) out += spec.fill;
    return out + body;
  }
  std::string whole = std::string(sign) + std::string(prefix) + body;
  return pad_text(whole, length, spec, spec.align ? spec.align : '>');
}

Result<std::string> format_text(std::string_view text, const FormatSpec& spec) {
  if (spec.type && spec.type != 's') return unknown_code(spec.type, "str");
  if (spec.sign)
    return Error{spec.sign == ' ' ? "Space not allowed in string format specifier"
                                  : "Sign not allowed in string format specifier"};
  if (spec.no_negative_zero)
    return Error{"Negative zero coercion (z) not allowed in string format specifier"};
  if (spec.alternate) return Error{"Alternate form (#) not allowed in string format specifier"};
  if (spec.align == '=' && !spec.zero_padding)
    return Error{"'=' alignment not allowed in string format specifier"};
  char align = spec.align == 0 || spec.align == '=' ? '<' : spec.align;
  if (spec.precision >= 0) text = prefix_code_points(text, static_cast<size_t>(spec.precision));
  return pad_text(text, static_cast<size_t>(count_code_points(text)), spec, align);
}

/// What an int's spec may not say.
static std::optional<Error> int_spec_error(const FormatSpec& spec) {
  if (spec.type != 0 && std::string_view("dnxXobc").find(spec.type) == std::string_view::npos)
    return unknown_code(spec.type, "int");
  if (spec.precision >= 0) return Error{"Precision not allowed in integer format specifier"};
  if (spec.no_negative_zero)
    return Error{"Negative zero coercion (z) not allowed in integer format specifier"};
  return std::nullopt;
}

Result<std::string> format_int(int64_t value, const FormatSpec& spec) {
  switch (spec.type) {
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case '%':
      return format_float(static_cast<double>(value), spec);
    default:
      break;
  }
  if (spec.type == 'c') {
    if (std::optional<Error> error = int_spec_error(spec)) return *error;
    if (spec.sign) return Error{"Sign not allowed with integer format specifier 'c'"};
    if (spec.alternate)
      return Error{"Alternate form (#) not allowed with integer format specifier 'c'"};
    if (value < 0 || value > 0x10ffff) return Error{"%c arg not in range(0x110000)"};
    FormatSpec text_spec = spec;
    text_spec.type = 's';
    if (text_spec.align == 0) text_spec.align = '>';
    return format_text(encode_code_point(static_cast<uint32_t>(value)), text_spec);
  }
  uint64_t magnitude =
      value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return format_digits(value < 0, digits_in_base(magnitude, base_of(spec.type)), spec);
}

unsigned base_of(char type) {
  return type == 'x' || type == 'X' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10;
}

Result<std::string> format_digits(bool is_negative, std::string digits, const FormatSpec& spec) {
  if (std::optional<Error> error = int_spec_error(spec)) return *error;
  const bool has_prefix = base_of(spec.type) != 10 && spec.alternate;
  const std::string prefix = has_prefix ? std::string("0") + spec.type : "";
  if (spec.type == 'X')
    for (char& c : digits) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return pad_number(sign_text(is_negative, spec), prefix, digits, "", spec);
}

std::string float_digits(double value, char type, int64_t precision, bool alternate) {
  bool upper = type == 'E' || type == 'F' || type == 'G';
  if (std::isnan(value)) return upper ? "NAN" : "nan";
  if (std::isinf(value)) return upper ? "INF" : "inf";
  if (type == 'r') return float_repr(value);
  if (precision < 0) precision = 6;
  switch (type) {
    case 'e':
    case 'E':
      return scientific(decimal_with_digits(value, static_cast<int>(precision) + 1), alternate,
                        upper);
    case 'g':
    case 'G':
      return general(value, precision, alternate, upper, false);
    case 0:
      return general(value, precision, alternate, false, true);
    default:
      return positional(decimal_with_places(value, static_cast<int>(precision)), alternate);
  }
}

Result<std::string> format_float(double value, const FormatSpec& spec) {
  char type = spec.type;
  std::string percent;
  switch (type) {
    case 'n':
      type = 'g';
      break;
    case '%':
      value *= 100;
      percent = "%";
      type = 'f';
      break;
    case 0:
      if (spec.precision < 0) type = 'r';
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      break;
    default:
      return unknown_code(type, "float");
  }
  if (spec.precision > 1'000'000) return Error{"precision too big"};
  bool negative = std::signbit(value) && !std::isnan(value);
  std::string digits = float_digits(std::fabs(value), type, spec.precision, spec.alternate);
  if (spec.no_negative_zero && digits.find_first_of("123456789iI") == std::string::npos)
    negative = false;
  size_t whole = digits.find_first_not_of("0123456789");
  if (whole == std::string::npos) whole = digits.size();
  if (whole == 0) whole = digits.size();  // inf and nan have no whole part to group
  return pad_number(sign_text(negative, spec), "", std::string_view(digits).substr(0, whole),
                    digits.substr(whole) + percent, spec);
}

}  // namespace glint::runtime
