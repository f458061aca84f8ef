// What sets do with each other, for the methods and the operators: in CPython's steps, which decide
// the order of the elements.
//
//     {1, 2, 3} & {3, 1}      goes over the smaller, keeps what the other has
//     {1, 2, 3} - {3}         goes over the first, where the second is not much smaller
#pragma once

#include <span>

#include "runtime/interpreter/containers.h"

namespace glint::runtime {

/// Adds the elements of a set, dict or other iterable; false if it raised.
bool add_all(Interpreter& in, SetObject& set, const Value& elements);
/// Removes those of `other`; false if it raised.
bool remove_all(Interpreter& in, SetObject& set, const Value& other);
/// Keeps those that `other` has too; false if it raised.
bool keep_shared(Interpreter& in, SetObject& set, const Value& other);
/// Removes those that `other` has too and adds the rest of them; false if it raised.
bool toggle_all(Interpreter& in, SetObject& set, const Value& other);

// New sets, of the first's kind; null if it raised.

Ref<SetObject> copy_of(const SetObject& set);
Ref<SetObject> union_of(Interpreter& in, SetObject& set, std::span<const Value> others);
Ref<SetObject> intersection(Interpreter& in, SetObject& set, const Value& other);
Ref<SetObject> difference(Interpreter& in, SetObject& set, const Value& other);
Ref<SetObject> symmetric_difference(Interpreter& in, SetObject& set, const Value& other);

/// The argument itself if it is a set, or its elements collected; null if it raised.
Ref<SetObject> as_set(Interpreter& in, const Value& value);
/// 1 if the set has the key, 0 if not, -1 if a script's `__eq__` raised.
int has_element(SetObject& set, const Value& key, uint64_t hash);

/// `a | b`, `a & b`, `a - b` and `a ^ b` where each is a set or the keys or items of a dict;
/// NotImplemented for anything else. `in_place`: a set changes itself and is the result.
Value set_operator(Interpreter& in, program::Opcode which, const Value& a, const Value& b,
                   bool in_place);

}  // namespace glint::runtime
