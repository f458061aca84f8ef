#include "runtime/interpreter/suggestions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <vector>

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::runtime {
namespace {

constexpr size_t kMostCandidates = 750;
constexpr size_t kLongestName = 40;
constexpr size_t kMoveCost = 2;
constexpr size_t kCaseCost = 1;

size_t substitution_cost(char a, char b) {
  if (a == b) return 0;
  bool same_letter =
      std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  return same_letter ? kCaseCost : kMoveCost;
}

/// The cheapest way from one text to the other; more than `limit` where it costs more.
size_t distance(std::string_view a, std::string_view b, size_t limit) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  if (a.empty() || b.empty()) return (a.size() + b.size()) * kMoveCost;
  if (a.size() > kLongestName || b.size() > kLongestName) return limit + 1;
  // A row of the usual table: what it costs to make `b`'s first characters of `a`'s.
  std::array<size_t, kLongestName + 1> row;
  for (size_t i = 0; i <= a.size(); ++i) row[i] = i * kMoveCost;
  for (size_t j = 1; j <= b.size(); ++j) {
    size_t diagonal = row[0];
    row[0] = j * kMoveCost;
    size_t cheapest = row[0];
    for (size_t i = 1; i <= a.size(); ++i) {
      size_t changed = diagonal + substitution_cost(a[i - 1], b[j - 1]);
      diagonal = row[i];
      row[i] = std::min({changed, row[i] + kMoveCost, row[i - 1] + kMoveCost});
      cheapest = std::min(cheapest, row[i]);
    }
    if (cheapest > limit) return limit + 1;
  }
  return row[a.size()];
}

/// The first of the nearest candidates; empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  if (candidates.size() >= kMostCandidates) return {};
  std::string best;
  size_t best_distance = std::numeric_limits<size_t>::max();
  for (const std::string& candidate : candidates) {
    if (candidate == name) continue;
    size_t limit =
        std::min((name.size() + candidate.size() + 3) * kMoveCost / 6, best_distance - 1);
    size_t cost = distance(name, candidate, limit);
    if (cost > limit) continue;
    best = candidate;
    best_distance = cost;
    if (cost == 0) break;
  }
  return best;
}

std::vector<std::string> keys(const DictObject& dict) {
  std::vector<std::string> names;
  for (const auto& entry : dict.table.entries()) {
    if (is_str(entry.key)) names.emplace_back(view_of(entry.key));
  }
  return names;
}

/// `dir(object)`.
std::vector<std::string> names_of(Interpreter& in, const Value& object) {
  std::vector<std::string> names;
  Value listed = in.call(*in.builtins().find("dir"), {object});
  if (listed.is_undefined()) {
    in.take_pending();
    return names;
  }
  for (const Value& item : listed.as<ListObject>()->items) names.emplace_back(view_of(item));
  return names;
}

/// Tensors and PyTorch's own module have more names than CPython looks through.
bool has_too_many_names(const Value& object) {
  auto* module = object.try_as<ModuleObject>();
  return class_of(object)->name->text == "Tensor" || (module && module->name->text == "torch");
}

}  // namespace

std::string suggestion(Interpreter& in, const ExceptionObject& exception) {
  if (!exception.sought || has_too_many_names(exception.sought_in)) return {};
  std::string_view name = exception.sought->text;
  std::string found;
  if (!exception.sought_in.is<DictObject>() || exception.cls->name->text != "NameError") {
    found = nearest(name, names_of(in, exception.sought_in));
  } else {
    if (!exception.traceback.empty())
      found = nearest(name, exception.traceback.front().code->local_names);
    if (found.empty()) found = nearest(name, keys(*exception.sought_in.as<DictObject>()));
    if (found.empty()) found = nearest(name, keys(in.builtins()));
  }
  return found.empty() ? std::string() : fmt::format(". Did you mean: '{}'?", found);
}

}  // namespace glint::runtime
