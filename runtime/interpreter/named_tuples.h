// Builtin classes of tuples whose parts have names.
//
//     sys.version_info.major      3
#pragma once

#include <span>
#include <string_view>

#include "runtime/interpreter/object.h"

namespace glint::runtime {

class Interpreter;

/// The most parts that may have a name.
inline constexpr size_t kMostNamedParts = 11;

/// A new class; `mark_subclassed` makes a tuple of as many parts an instance.
Ref<ClassObject> new_named_tuple_class(Interpreter& in, std::string_view module_name,
                                       std::string_view name,
                                       std::span<const std::string_view> fields);

}  // namespace glint::runtime
