// What can be done with any value: the operations of the language, callable from C++.
//
// Each runs the builtin behaviour directly and a script's special method through a nested loop.
// Those that can raise say so by undefined, false, or -1, with an exception pending.
//
//     if (!set_attribute(in, object, "x", Value(1.5))) return Value();
//     for (Value item; (item = next_item(in, iterator)).defined();) use(item);
//     if (in.raised()) return Value();
#pragma once

#include <string>
#include <string_view>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

// ---- Types ----
ClassObject* class_of(const Value& value);
/// `type(value).__name__`, as error messages show it.
std::string type_name(const Value& value);
bool is_instance(const Value& value, const ClassObject* cls);
/// `isinstance(value, classes)`; classes may be a tuple. -1 if it raised.
int is_instance_of(Interpreter& in, const Value& value, const Value& classes);
/// The attributes of an instance of a script's subclass of a builtin type; null if none.
DictObject* extra_attributes(Object* object, bool make);
/// Makes a builtin object an instance of a script's subclass.
void mark_subclassed(Object* object, ClassObject* cls);
bool is_callable(const Value& value);

// ---- Comparison, hash, truth ----
/// 1, 0, or -1 if it raised.
int equals(Interpreter& in, const Value& a, const Value& b);
/// One of < <= > >= == !=, given as the Program IR's opcode; any value, undefined if it raised.
Value compare(Interpreter& in, program::Opcode which, const Value& a, const Value& b);
/// a < b, for sorting: 1, 0, -1.
int less_than(Interpreter& in, const Value& a, const Value& b);
bool hash_of(Interpreter& in, const Value& value, uint64_t& hash);
/// 1, 0, or -1 if it raised.
int truth(Interpreter& in, const Value& value);

// ---- Operators ----
/// Any binary operator of Program IR, in-place forms included.
Value binary(Interpreter& in, program::Opcode which, const Value& a, const Value& b);
Value unary(Interpreter& in, program::Opcode which, const Value& a);
/// What two special methods of scripts' classes make of a pair, `a.__add__(b)` or `b.__radd__(a)`;
/// NotImplemented where neither says, undefined if one raised.
Value by_special_pair(Interpreter& in, Special special, Special reflected, const Value& a,
                      const Value& b);
/// An int from an int, bool or `__index__`; false if it raised.
bool index_of(Interpreter& in, const Value& value, int64_t& out);

// ---- Parts ----
/// -1 if it raised.
int64_t length_of(Interpreter& in, const Value& value);
Value get_item(Interpreter& in, const Value& object, const Value& key);
bool set_item(Interpreter& in, const Value& object, const Value& key, const Value& value);
bool delete_item(Interpreter& in, const Value& object, const Value& key);
/// `item in container`: 1, 0, -1.
int contains(Interpreter& in, const Value& container, const Value& item);
Value get_attribute(Interpreter& in, const Value& object, std::string_view name);
Value get_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name);
/// Undefined without an exception when there is no such attribute; check `in.raised()`.
Value find_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name);
bool set_attribute(Interpreter& in, const Value& object, std::string_view name, Value value);
bool set_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name, Value value);
bool delete_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name);

// ---- Iteration ----
/// `iter(value)`.
Value iterator_of(Interpreter& in, const Value& value);
/// The next item; undefined at the end (nothing pending) or if it raised.
Value next_item(Interpreter& in, const Value& iterator);
/// All items of an iterable; false if it raised.
bool collect(Interpreter& in, const Value& iterable, std::vector<Value>& out);

// ---- Text (in builtins_text.cpp) ----
bool repr_of(Interpreter& in, const Value& value, std::string& out);
bool str_of(Interpreter& in, const Value& value, std::string& out);
/// As repr, with everything beyond ASCII escaped.
bool ascii_of(Interpreter& in, const Value& value, std::string& out);
/// As `!s`, `!r` and `!a` of an f-string say.
bool converted_text(Interpreter& in, const Value& value, char conversion, std::string& out);
/// `format(value, spec)`.
bool format_of(Interpreter& in, const Value& value, std::string_view spec, std::string& out);
/// `text % values`.
Value percent_format(Interpreter& in, const Value& text, const Value& values);
/// A float as Python's repr writes it.
std::string repr_of_double(double value);

// ---- Helpers for natives ----
inline Value str_value(std::string text) {
  return Value(make_str(std::move(text)));
}
inline bool is_str(const Value& value) {
  return value.is<StrObject>();
}
inline std::string_view view_of(const Value& value) {
  return value.as<StrObject>()->view();
}
/// A tensor as a value, and back.
inline bool is_tensor(const Value& value) {
  return value.is(kTensorKind);
}
Value value_of(const Tensor& tensor);
Tensor tensor_of(const Value& value);

}  // namespace glint::runtime
