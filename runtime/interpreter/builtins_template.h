// The two template languages of strings, parsed: `str.format` and `%`.
//
//     "{0.name!r:>{w}} x"    {literal "", name "0.name", conversion r, spec ">{w}"}, {literal " x"}
//     "%-5.2f%%"             {literal "", type f, width 5, precision 2, left}, {literal "%"}
//
// Only the shape is decided here; looking values up and formatting them is the caller's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace glint::runtime {

/// Literal text (with `{{` and `}}` resolved), then a field unless the text ended.
struct FormatPiece {
  std::string literal;
  bool has_field = false;
  std::string name;
  char conversion = 0;  ///< r, s, a, or 0
  std::string spec;     ///< may itself hold fields
};
Result<std::vector<FormatPiece>> parse_format_template(std::string_view text);

/// `0.name[key]` taken apart: the first part, then attributes and items.
struct FieldPath {
  struct Step {
    bool is_attribute = false;
    std::string name;
    bool is_index = false;  ///< an item whose key is a number
    int64_t index = 0;
  };
  std::string first;
  bool first_is_index = false;
  int64_t first_index = 0;
  std::vector<Step> steps;
};
Result<FieldPath> parse_field_name(std::string_view name);

struct PercentPiece {
  std::string literal;
  bool has_field = false;
  bool has_key = false;
  std::string key;
  bool left = false;
  bool plus = false;
  bool space = false;
  bool alternate = false;
  bool zero = false;
  bool width_from_argument = false;
  bool precision_from_argument = false;
  int64_t width = -1;
  int64_t precision = -1;
  char type = 0;
};
/// `of_bytes`: `%b` is a format of bytes alone.
Result<std::vector<PercentPiece>> parse_percent_template(std::string_view text,
                                                         bool of_bytes = false);

}  // namespace glint::runtime
