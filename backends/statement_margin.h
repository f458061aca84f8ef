// What stands beside a line of generated code: the Kernel IR statement that it came from.
//
//     %12 = fmul <16 x float> %8, %10                                     ;   3  %mul
//     const float c = a * b;                                              //   3  %mul
//
// The number is the statement's in the listing of Kernel IR, the name is the graph node's. The
// place in the script goes with the line as its origins, for whoever renders it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint {

inline constexpr size_t kMarginColumn = 72;

/// Where a statement comes from: a loop from what it ends with, the store or sum that it is for.
/// Null where that is not known.
const KernelOrigin* origin_of(const Kernel& kernel, uint32_t statement);

/// The line with its margin, behind the sign that begins a comment; a number that no statement has
/// adds nothing.
StageLine with_margin(std::string text, std::string_view comment, const Kernel& kernel,
                      uint32_t statement);

/// The same of code that is no statement's: a line of its source, with its number.
std::string with_margin(std::string text, std::string_view comment, uint32_t number,
                        std::string_view line);
/// A line without its margin, and without blanks behind it.
std::string_view without_margin(std::string_view text, std::string_view comment);

/// The number in the margin of such a line; nothing where it has none.
std::optional<uint32_t> statement_in_margin(std::string_view text, std::string_view comment);

}  // namespace glint
