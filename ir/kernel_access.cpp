#include "ir/kernel_access.h"

#include <algorithm>

namespace glint {
namespace {

/// Whether an access goes elsewhere in memory as a loop goes on, by its index or by some value.
bool walks(const Kernel& kernel, const Access& access, StatementId loop) {
  return std::ranges::any_of(*access.indices, [&](const IndexExpression& expression) {
    return std::ranges::any_of(expression.terms, [&](const IndexTerm& term) {
      return term.variable == loop || kernel[term.variable].get_if<Loop>() == nullptr;
    });
  });
}

}  // namespace

std::optional<Access> access_of(const Statement& statement) {
  if (const auto* load = statement.get_if<Load>())
    return Access{load->buffer, &load->indices, false, load->mask.has_value()};
  if (const auto* store = statement.get_if<Store>())
    return Access{store->buffer, &store->indices, true, store->mask.has_value()};
  return std::nullopt;
}

IndexExpression memory_place(const Kernel& kernel, BufferId buffer,
                             const std::vector<IndexExpression>& indices) {
  const auto strides = kernel[buffer].type.full_strides();
  IndexExpression flat;
  for (size_t d = 0; d < indices.size(); ++d) flat = flat + indices[d] * strides[d];
  return flat;
}

SymInt memory_stride(const Kernel& kernel, BufferId buffer,
                     const std::vector<IndexExpression>& indices, StatementId variable) {
  const auto strides = kernel[buffer].type.full_strides();
  SymInt total = 0;
  for (size_t d = 0; d < indices.size(); ++d)
    total += indices[d].coefficient(variable) * strides[d];
  return total;
}

SideBySide side_by_side(const Kernel& kernel, size_t first, size_t last, StatementId outer,
                        StatementId inner) {
  SideBySide found;
  for (size_t i = first; i < last; ++i) {
    const auto access = access_of(kernel.statements[i]);
    if (!access || !walks(kernel, *access, outer) || !walks(kernel, *access, inner)) continue;
    found.outer += memory_stride(kernel, access->buffer, *access->indices, outer).is(1);
    found.inner += memory_stride(kernel, access->buffer, *access->indices, inner).is(1);
  }
  return found;
}

}  // namespace glint
