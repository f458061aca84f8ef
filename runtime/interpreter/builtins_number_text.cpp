#include "runtime/interpreter/builtins_number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace glint::runtime {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

std::string_view strip_spaces(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Removes underscores between digits; false where one stands elsewhere.
bool remove_underscores(std::string_view text, std::string& out) {
  char previous = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '_') {
      bool between = std::isalnum(static_cast<unsigned char>(previous)) && i + 1 < text.size() &&
                     std::isalnum(static_cast<unsigned char>(text[i + 1]));
      if (!between) return false;
    } else {
      out += c;
    }
    previous = c;
  }
  return true;
}

/// Reads "d.ddde[+-]xx" as a Decimal.
Decimal from_scientific(std::string_view text) {
  Decimal decimal;
  size_t e = text.find('e');
  for (char c : text.substr(0, e))
    if (c != '.') decimal.digits += c;
  int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  decimal.point = exponent + 1;
  return decimal;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

/// The base that a prefix such as `0x` names, or 0.
int prefix_base(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 0;
  switch (text[1] | 0x20) {
    case 'x':
      return 16;
    case 'o':
      return 8;
    case 'b':
      return 2;
    default:
      return 0;
  }
}

}  // namespace

Decimal shortest_decimal(double value) {
  if (value == 0) return {"0", 1};
  char buffer[64];
  auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  return from_scientific(std::string_view(buffer, end));
}

Decimal decimal_with_digits(double value, int digits) {
  std::string buffer(static_cast<size_t>(digits) + 32, '\0');
  int length = std::snprintf(buffer.data(), buffer.size(), "%.*e", digits - 1, value);
  Decimal decimal =
      from_scientific(std::string_view(buffer).substr(0, static_cast<size_t>(length)));
  if (value == 0) decimal.point = 1;
  return decimal;
}

Decimal decimal_with_places(double value, int places) {
  std::string buffer(static_cast<size_t>(places) + 340, '\0');
  int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", places, value);
  std::string_view text(buffer.data(), static_cast<size_t>(length));
  Decimal decimal;
  size_t point = text.find('.');
  decimal.point = static_cast<int>(point == std::string_view::npos ? text.size() : point);
  for (char c : text)
    if (c != '.') decimal.digits += c;
  return decimal;
}

std::string float_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = std::signbit(value) ? "-" : "";
  Decimal decimal = shortest_decimal(std::fabs(value));
  const std::string& digits = decimal.digits;
  int count = static_cast<int>(digits.size());
  if (decimal.point <= -4 || decimal.point > 16) {
    text += digits[0];
    if (count > 1) text += "." + digits.substr(1);
    int exponent = decimal.point - 1;
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, "e%c%02d", exponent < 0 ? '-' : '+', std::abs(exponent));
    return text + buffer;
  }
  if (decimal.point <= 0) {
    text += "0." + std::string(static_cast<size_t>(-decimal.point), '0') + digits;
  } else if (decimal.point >= count) {
    text += digits + std::string(static_cast<size_t>(decimal.point - count), '0') + ".0";
  } else {
    text += digits.substr(0, static_cast<size_t>(decimal.point)) + "." +
            digits.substr(static_cast<size_t>(decimal.point));
  }
  return text;
}

double round_to_places(double value, int64_t places) {
  if (!std::isfinite(value) || value == 0) return value;
  if (places > 323) return value;
  if (places < -308) return std::copysign(0.0, value);
  if (places >= 0) {
    char buffer[700];
    std::snprintf(buffer, sizeof buffer, "%.*f", static_cast<int>(places), value);
    return std::strtod(buffer, nullptr);
  }
  // Before the point: the digit that decides is the last one kept of the exact decimal text.
  Decimal decimal = decimal_with_places(std::fabs(value), 0);
  int kept = decimal.point + static_cast<int>(places);
  if (kept < 0) return std::copysign(0.0, value);
  if (kept == 0) {
    double limit = std::strtod(("5e" + std::to_string(-places - 1)).c_str(), nullptr);
    double result = std::fabs(value) > limit
                        ? std::strtod(("1e" + std::to_string(-places)).c_str(), nullptr)
                        : 0.0;
    return std::copysign(result, value);
  }
  Decimal rounded = decimal_with_digits(std::fabs(value), kept);
  std::string text = "0." + rounded.digits + "e" + std::to_string(rounded.point);
  return std::copysign(std::strtod(text.c_str(), nullptr), value);
}

ParsedInt parse_int(std::string_view text, unsigned base) {
  text = strip_spaces(text);
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const auto prefix = static_cast<unsigned>(prefix_base(text));
  if (prefix != 0 && (base == 0 || base == prefix)) {
    text.remove_prefix(2);
    if (!text.empty() && text[0] == '_') text.remove_prefix(1);
    base = prefix;
  } else if (base == 0) {
    bool zeros = text.find_first_not_of("0_") == std::string_view::npos;
    if (text.size() > 1 && text[0] == '0' && !zeros) return {};
    base = 10;
  }
  std::string digits;
  if (text.empty() || !remove_underscores(text, digits)) return {};
  for (char c : digits)
    if (digit_of(c) >= static_cast<int>(base)) return {};
  return {negative, digits, base};
}

ParsedFloat parse_float(std::string_view text) {
  text = strip_spaces(text);
  std::string clean;
  if (text.empty() || !remove_underscores(text, clean)) return {};
  std::string lower;
  for (char c : clean) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  size_t start = lower[0] == '-' || lower[0] == '+' ? 1 : 0;
  double sign = lower[0] == '-' ? -1.0 : 1.0;
  std::string_view body = std::string_view(lower).substr(start);
  if (body == "inf" || body == "infinity") return {sign * HUGE_VAL, true};
  if (body == "nan") return {std::copysign(std::numeric_limits<double>::quiet_NaN(), sign), true};
  if (body.empty() || body.find_first_not_of("0123456789.e+-") != std::string_view::npos) return {};
  if (body[0] == '+' || body[0] == '-') return {};
  char* end = nullptr;
  double value = std::strtod(lower.c_str(), &end);
  if (end != lower.c_str() + lower.size()) return {};
  return {value, true};
}

std::string digits_in_base(uint64_t value, unsigned base, bool upper_case) {
  const char* names = upper_case ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string digits;
  do {
    digits += names[value % base];
    value /= base;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace glint::runtime
