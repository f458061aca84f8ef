#include "passes/kernel_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "ir/kernel_name.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

constexpr size_t kMost = 4;
constexpr size_t kLongest = 40;  ///< characters, without `_and_7_more`

/// An operator in a kernel's name.
struct Part {
  std::string_view name;
  bool is_gradient = false;
  int telling = 0;
};

int how_telling(const ops::OpEntry& entry) {
  if (ops::kind(entry) == ops::OpKind::kComposite) return 3;
  if (entry.lowers_to<ops::Reduce>() || entry.lowers_to<ops::Scan>()) return 2;
  const bool is_plain = entry.operators[0] != 0 || entry.lowers_to<ops::Copy>() ||
                        entry.lowers_to<ops::Convert>() || entry.lowers_to<ops::Fill>();
  return is_plain ? 0 : 1;
}

Part part_of(const Node& node) {
  const bool is_gradient = !node.gradient_of.empty();
  const Name name = is_gradient               ? node.gradient_of
                    : !node.composite.empty() ? node.composite
                                              : node.target;
  return {name.text(), is_gradient, how_telling(*find_entry(name))};
}

/// Those that tell most, as they stood; of two that tell as much the first.
std::vector<Part> most_telling(const std::vector<Part>& parts, size_t count) {
  std::vector<size_t> order(parts.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order,
                           [&](size_t a, size_t b) { return parts[a].telling > parts[b].telling; });
  order.resize(count);
  std::ranges::sort(order);
  std::vector<Part> chosen;
  for (const size_t i : order) chosen.push_back(parts[i]);
  return chosen;
}

std::string joined(const std::vector<Part>& parts) {
  std::string name;
  for (const Part& part : parts) name += (name.empty() ? "" : "_") + std::string(part.name);
  return !parts.empty() && parts.back().is_gradient ? name + "_backward" : name;
}

std::string name_of(const std::vector<Part>& parts) {
  size_t shown = parts.size() <= kMost ? parts.size() : kMost - 1;
  std::string name = joined(most_telling(parts, shown));
  while (shown > 1 && name.size() > kLongest) name = joined(most_telling(parts, --shown));
  return shown < parts.size() ? fmt::format("{}_and_{}_more", name, parts.size() - shown) : name;
}

}  // namespace

std::string KernelNames::fresh(const Group& group) {
  std::vector<Part> parts;
  std::set<std::pair<std::string_view, bool>> seen;
  for (const Member& member : group.members) {
    const Part part = part_of(graph_[member.node]);
    if (seen.emplace(part.name, part.is_gradient).second) parts.push_back(part);
  }
  std::ranges::stable_partition(parts, [](const Part& part) { return !part.is_gradient; });
  const std::string name = name_of(parts);
  int& taken = taken_[name];
  return taken++ == 0 ? kernel_name(name) : fmt::format("{}_k{}", name, taken);
}

}  // namespace glint::passes
