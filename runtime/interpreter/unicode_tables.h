// What Unicode says of characters, beyond what strings ask: made at build time from CPython's own
// tables (cmake/unicode_tables.py), for the module `unicodedata`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

extern const std::string_view kUnicodeVersion;

/// A value of all code points from one on, up to the next run.
struct CategoryRun {
  uint32_t first;
  std::string_view category;
};
struct CombiningRun {
  uint32_t first;
  uint8_t number;
};
std::span<const CategoryRun> category_runs();
std::span<const CombiningRun> combining_runs();

enum class DecompositionKind : uint8_t {
  kCanonical,
  kComposed,    ///< canonical, of two parts that become the character again
  kCompatible,  ///< the parts look alike, but are not the same
};
struct Decomposition {
  uint32_t code;
  DecompositionKind kind;
  uint8_t count;
  uint16_t start;  ///< among the parts
};
/// Sorted by their codes; those of Hangul follow by rule.
std::span<const Decomposition> decompositions();
std::span<const uint32_t> decomposition_parts();

/// `_unicode`, which library/unicodedata.py is written with.
void fill_unicode(Interpreter& in, ModuleObject& module);

}  // namespace glint::runtime
