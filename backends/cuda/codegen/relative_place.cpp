#include "backends/cuda/codegen/relative_place.h"

#include <algorithm>

namespace glint::cuda {

RelativePlace relative_place(const Kernel& kernel, const Access& access, const Nest& nest) {
  const IndexExpression place = memory_place(kernel, access.buffer, *access.indices);
  RelativePlace relative{place.constant, {}};
  for (const IndexTerm& term : place.terms) {
    int64_t variable = static_cast<int64_t>(index(term.variable));
    const auto found = std::find(nest.loops.begin(), nest.loops.end(), index(term.variable));
    if (found != nest.loops.end()) variable = -1 - (found - nest.loops.begin());
    relative.terms.emplace_back(variable, term.coefficient);
  }
  std::sort(relative.terms.begin(), relative.terms.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return relative;
}

bool same_extents(const Kernel& kernel, const Nest& a, const Nest& b) {
  return std::equal(a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(),
                    [&](size_t x, size_t y) {
                      return kernel.statements[x].get_if<Loop>()->extent ==
                             kernel.statements[y].get_if<Loop>()->extent;
                    });
}

bool is_walked(const RelativePlace& place, const Nest& nest) {
  const bool made_inside =
      std::any_of(place.terms.begin(), place.terms.end(), [&](const auto& term) {
        return term.first >= static_cast<int64_t>(nest.first) &&
               term.first < static_cast<int64_t>(nest.last);
      });
  return !made_inside && !place.terms.empty() && place.terms.front().first < 0;
}

bool is_own_element(const Kernel& kernel, const RelativePlace& place, const Nest& nest) {
  if (!place.constant.is(0)) return false;
  SymInt step = 1;
  std::vector<std::pair<int64_t, SymInt>> expected;
  for (size_t k = nest.loops.size(); k-- > 0;) {
    const SymInt extent = kernel.statements[nest.loops[k]].get_if<Loop>()->extent;
    if (!extent.is(1)) expected.emplace_back(-1 - static_cast<int64_t>(k), step);
    step *= extent;
  }
  std::sort(expected.begin(), expected.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return place.terms == expected;
}

}  // namespace glint::cuda
