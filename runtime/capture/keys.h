// Keys of dicts and sets that capture may look up: no script code runs for them. And names.
//
//     "name", 3, (1, "b")       equal by what they hold
//     a tensor, an object       of a class without `__eq__` and `__hash__`: equal by being that one
#pragma once

#include <set>
#include <string>

#include "runtime/interpreter/object.h"

namespace glint::capture {

/// Whether a dict or set finds such a key without running script code.
bool is_plain_key(const runtime::Value& key);

/// Of a dict, set or frozenset; null: the value is none of these.
runtime::HashTable* table_of(const runtime::Value& container);

/// The place of the value under such a key of a dict or set; null: there is none.
runtime::Value* find_key(const runtime::Value& container, const runtime::Value& key);

/// What `dir` gives for an instance whose class has no `__dir__`: its names and its class's,
/// sorted.
std::set<std::string, std::less<>> attribute_names(const runtime::InstanceObject& instance);

}  // namespace glint::capture
