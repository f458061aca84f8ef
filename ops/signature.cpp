// Reads an entry's signature, `sum(input: Tensor, dim: Size | None = None, *, dtype: dtype | None =
// None) -> Tensor`, into parameters: a name, what it takes, whether it is by keyword only, and its
// default. A malformed signature is a bug of ours and fails a check that quotes it.
#include <limits>

#include <fmt/format.h>

#include "core/support/check.h"
#include "ops/op.h"

namespace glint::ops {

namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Cuts at the first `separator` outside brackets; `rest` becomes what follows.
std::string_view cut(std::string_view& rest, char separator) {
  int depth = 0;
  for (size_t i = 0; i < rest.size(); ++i) {
    char c = rest[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != separator || depth != 0) continue;
    std::string_view piece = rest.substr(0, i);
    rest.remove_prefix(i + 1);
    return trim(piece);
  }
  return trim(std::exchange(rest, {}));
}

uint16_t type_bit(std::string_view name) {
  constexpr std::pair<std::string_view, uint16_t> kTypes[] = {
      {"Tensor", kTakesTensor},   {"Number", kTakesNumber}, {"int", kTakesInt},
      {"float", kTakesFloat},     {"bool", kTakesBool},     {"str", kTakesString},
      {"dtype", kTakesDType},     {"device", kTakesDevice}, {"Size", kTakesSize},
      {"Tensors", kTakesTensors}, {"None", kTakesNone}};
  for (const auto& [known, bit] : kTypes)
    if (known == name) return bit;
  fail(fmt::format("no such type in a signature: {}", name));
}

Argument default_value(std::string_view text) {
  if (text == "None") return {};
  if (text == "True") return true;
  if (text == "False") return false;
  if (text == "()") return Argument(Argument::List());
  if (text.front() == '"') return std::string(text.substr(1, text.size() - 2));
  std::string number(text);
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (number.find_first_of(".e") != std::string::npos) return std::stod(number);
  return int64_t(std::stoll(number));
}

Parameter parse_parameter(std::string_view text, bool keyword_only) {
  Parameter parameter;
  std::string_view rest = text;
  std::string_view name = cut(rest, ':');
  parameter.variadic = name.front() == '*';
  if (parameter.variadic) name.remove_prefix(1);
  parameter.name = std::string(name);
  parameter.keyword_only = keyword_only;
  std::string_view types = cut(rest, '=');
  while (!types.empty()) parameter.types |= type_bit(cut(types, '|'));
  if (parameter.variadic) parameter.types = kTakesSize;
  if (std::string_view value = trim(rest); !value.empty()) {
    parameter.required = false;
    parameter.default_value = default_value(value);
  }
  return parameter;
}

}  // namespace

Signature parse_signature(std::string_view text) {
  size_t open = text.find('(');
  size_t close = text.rfind(") ->");
  check(open != std::string_view::npos && close != std::string_view::npos,
        fmt::format("malformed signature: {}", text));
  Signature result{.name = std::string(text.substr(0, open)),
                   .parameters = {},
                   .result = std::string(trim(text.substr(close + 4)))};
  std::string_view rest = text.substr(open + 1, close - open - 1);
  bool keyword_only = false;
  while (!rest.empty()) {
    std::string_view piece = cut(rest, ',');
    if (piece == "*")
      keyword_only = true;
    else
      result.parameters.push_back(parse_parameter(piece, keyword_only));
  }
  return result;
}

bool has_word(std::string_view names, std::string_view word) {
  while (!names.empty()) {
    const size_t space = std::min(names.find(' '), names.size());
    if (names.substr(0, space) == word) return true;
    names.remove_prefix(std::min(space + 1, names.size()));
  }
  return false;
}

std::optional<size_t> Signature::find(std::string_view parameter) const {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == parameter) return i;
  return std::nullopt;
}

const Signature& signature(const OpEntry& entry) {
  if (!entry.parsed_signature)
    entry.parsed_signature = new Signature(parse_signature(entry.signature));
  return *entry.parsed_signature;
}

}  // namespace glint::ops
