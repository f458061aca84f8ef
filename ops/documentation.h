// An operator's page, made from its entry: what `glint doc NAME`, `?name` and docs/operators.md
// show.
//
//     torch.nn.functional.gelu(input: Tensor, *, approximate: str = "none") -> Tensor
//
//     x times the normal distribution's probability of being below x; ...
//
//     kind        composite: decomposes into add erf multiply
//     dtype       that of the operators it is made of
//     forms       torch.nn.functional.gelu
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/op.h"

namespace glint::ops {

/// The page as plain text, lines of at most 100 columns but for long signatures.
std::string doc_page(const OpEntry& entry);
/// The page of the operator that `name` means: a graph name, `torch.add`, `Tensor.add`, `add`.
std::optional<std::string> doc_page(std::string_view name);
const OpEntry* find_documented(std::string_view name);

/// All operators as one Markdown document, a row each, in the table's order.
std::string operators_manual();

/// The operators that scripts can name, by family, as scripts name them: {"unary", {"neg", "abs",
/// ...}}, ...
std::vector<std::pair<std::string_view, std::vector<std::string>>> operators_by_family();

/// What the dtype rule and the lowering say, in words.
std::string dtype_text(const OpEntry& entry);
std::string lowering_text(const OpEntry& entry);

}  // namespace glint::ops
