#include "ir/scalar_function.h"

#include <string>
#include <unordered_map>

namespace glint {

std::optional<ScalarFunction> find_scalar_function(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, ScalarFunction> map;
    for (const ScalarFunctionInfo& row : kScalarFunctions) map.emplace(row.name, row.function);
    return map;
  }();
  auto found = kByName.find(name);
  if (found == kByName.end()) return std::nullopt;
  return found->second;
}

}  // namespace glint
