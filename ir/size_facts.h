// What is known of the symbols of an IR text: the sizes of the call that it was captured from, and
// the relations among them that the region guards. It stands below the header:
//
//     graph f(%x: f32[s0, 8], %y: f32[s1]) -> f32[s0] {
//       where s0 = 4, s1 = 32, s1 == 8*s0
//
// `s0 = 4` is a value that fulfils everything behind it; `==`, `!=`, `<` and `<=` are what passes
// may rely on. Who writes IR by hand may leave out the values: some are looked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/support/result.h"
#include "ir/symbolic.h"
#include "ir/text_cursor.h"

namespace glint {

struct SizeFacts {
  std::vector<std::optional<int64_t>> values;  ///< of s0, s1, ..., where they are given
  std::vector<Relation> relations;

  /// What an environment has found out.
  static SizeFacts of(const ShapeEnvironment& environment);

  bool empty() const { return values.empty() && relations.empty(); }
  /// `s0 = 4, s1 == 8*s0`; empty if nothing is known.
  std::string text() const;
  /// A value for each symbol that occurs, and for `count` at least, that fulfils the relations;
  /// given ones stay. Nothing where none is found.
  std::optional<std::vector<int64_t>> find_values(size_t count = 0) const;
  /// The environment in which the text was made; symbols have the values of `find_values`.
  ShapeEnvironment environment() const;
  bool operator==(const SizeFacts&) const = default;
};

/// Reads a `where` line, if one comes.
SizeFacts parse_size_facts(TextCursor& in);
/// The first thing that is not true of them.
std::optional<Error> verify_size_facts(const SizeFacts& facts);

}  // namespace glint
