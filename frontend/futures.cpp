#include "frontend/futures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace glint::frontend {

bool is_future_import(const ImportFrom& from) {
  return from.module == "__future__";
}

bool may_precede_future(const Statement& statement, bool first) {
  if (const auto* from = std::get_if<ImportFrom>(&statement.node)) return is_future_import(*from);
  const auto* text = std::get_if<ExpressionStatement>(&statement.node);
  const auto* constant = text ? text->value->get_if<Constant>() : nullptr;
  return first && constant && std::holds_alternative<std::string>(constant->value.value);
}

std::string unknown_feature(const ImportFrom& from) {
  constexpr std::array<std::string_view, 10> kFeatures = {
      "nested_scopes",  "generators",       "division",       "absolute_import", "with_statement",
      "print_function", "unicode_literals", "barry_as_FLUFL", "generator_stop",  "annotations"};
  if (from.names.empty()) return "future feature * is not defined";
  for (const ImportName& each : from.names) {
    if (each.name == "braces") return "not a chance";
    if (std::find(kFeatures.begin(), kFeatures.end(), each.name) == kFeatures.end())
      return fmt::format("future feature {} is not defined", each.name);
  }
  return {};
}

}  // namespace glint::frontend
