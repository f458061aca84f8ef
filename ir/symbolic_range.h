// How large symbolic integers get: whether an expression's value has a place in 64 bits.
//
//     SymInt s0 = SymInt::symbol(0);
//     greatest_magnitude(s0 * s0 + 1, 16)              // 257, while s0 is between -16 and 16
//     evaluate_exactly(s0 * s0, {{int64_t{1} << 32}})  // nothing: 2^64
//
// Sizes of tensors that exist are small; a script's int may be any, and what it computes from that.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "ir/symbolic.h"

namespace glint {

/// The value for given symbol values; nothing where it, or a part of it, needs more than 64 bits.
std::optional<int64_t> evaluate_exactly(SymInt value, std::span<const int64_t> values);

/// A bound on the magnitude of the value and of all its parts, where `limit` gives one for each
/// symbol, at least 1.
double greatest_magnitude(SymInt value, const std::function<double(uint32_t)>& limit);

/// The same while every symbol is within `limit`.
double greatest_magnitude(SymInt value, double limit);

}  // namespace glint
