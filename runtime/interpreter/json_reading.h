// JSON texts that are right and plain, read at once.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/interpreter/object.h"

namespace glint::runtime {

/// The value of a JSON text. Nothing where the text is wrong, or holds what this does not read:
/// then library/json.py reads it, and says what is wrong.
std::optional<Value> read_plain_json(std::string_view text);

}  // namespace glint::runtime
