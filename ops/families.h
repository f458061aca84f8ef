// The families of operators: one file each, one row each.
#pragma once

#include <span>

#include "ops/op.h"

namespace glint::ops {

std::span<const OpEntry> unary_entries();
std::span<const OpEntry> activation_entries();
std::span<const OpEntry> binary_entries();
std::span<const OpEntry> comparison_entries();
std::span<const OpEntry> selection_entries();
std::span<const OpEntry> creation_entries();
std::span<const OpEntry> random_entries();
std::span<const OpEntry> reduction_entries();
std::span<const OpEntry> statistics_entries();
std::span<const OpEntry> scan_entries();
std::span<const OpEntry> view_entries();
std::span<const OpEntry> shape_entries();
std::span<const OpEntry> join_entries();
std::span<const OpEntry> conversion_entries();
std::span<const OpEntry> index_entries();
std::span<const OpEntry> scatter_entries();
std::span<const OpEntry> sorting_entries();
std::span<const OpEntry> matrix_entries();
std::span<const OpEntry> normalisation_entries();
std::span<const OpEntry> loss_entries();

using Family = std::span<const OpEntry> (*)();
inline constexpr Family kFamilies[] = {
    unary_entries,      activation_entries, binary_entries,        comparison_entries,
    selection_entries,  creation_entries,   random_entries,        reduction_entries,
    statistics_entries, scan_entries,       view_entries,          shape_entries,
    join_entries,       conversion_entries, index_entries,         scatter_entries,
    matrix_entries,     sorting_entries,    normalisation_entries, loss_entries,
};

}  // namespace glint::ops
