// What a text without operators and calls names, where the user's names live.
//
//     f    model.layers[0].forward    rows[0].names["a"]    "abc"
//
// Tab looks into builtin containers alone, as nothing is run for it. Who names something behind a
// command wants to see it: `:graph model[0]` asks the module for its item.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "runtime/interpreter/interpreter.h"

namespace glint {

enum class Items : uint8_t { kOfBuiltins, kOfAll };

/// A path (`path_of` finds what has no index in it), a literal text, items by literal indices;
/// undefined, and nothing raised, for all else.
runtime::Value operand(runtime::Interpreter& interpreter, std::string_view text,
                       const std::function<runtime::Value(std::string_view)>& path_of, Items items);

}  // namespace glint
