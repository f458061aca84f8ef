// What the files of builtins share: an installer for each topic, and helpers for natives.
//
// A topic is a file: `builtins_list.cpp` declares the methods of list in one table of
// `NativeDefinition`s and adds them in `install_list`. `install_builtins` (builtins_install.cpp)
// calls all installers; modules are filled when a script imports them.
//
//     constexpr NativeDefinition kMethods[] = {
//         {"append(self, object, /)", list_append, {.mutates = true}, "adds an item at the end"}};
//     void install_list(Interpreter& in) { in.add_methods(*in.classes().list, kMethods); }
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::runtime {

// ---- Installers, one a file --------------------------------------------------------------------
void install_functions(Interpreter& in);
void install_iterators(Interpreter& in);
void install_sorting(Interpreter& in);
void install_numbers(Interpreter& in);
void install_complex(Interpreter& in);
void install_str(Interpreter& in);
void install_str_format(Interpreter& in);
void install_bytes(Interpreter& in);
void install_list(Interpreter& in);
void install_tuple(Interpreter& in);
void install_range(Interpreter& in);
void install_dict(Interpreter& in);
void install_set(Interpreter& in);
void install_object(Interpreter& in);
void install_types(Interpreter& in);
void install_exceptions(Interpreter& in);
void install_files(Interpreter& in);
void install_code(Interpreter& in);

// ---- Native modules ----------------------------------------------------------------------------
void fill_math(Interpreter& in, ModuleObject& module);
void fill_cmath(Interpreter& in, ModuleObject& module);
void fill_random(Interpreter& in, ModuleObject& module);
void fill_time(Interpreter& in, ModuleObject& module);
void fill_sys(Interpreter& in, ModuleObject& module);
void fill_os(Interpreter& in, ModuleObject& module);
void fill_gc(Interpreter& in, ModuleObject& module);
void fill_storage(Interpreter& in, ModuleObject& module);
void fill_numpy(Interpreter& in, ModuleObject& module);
void fill_hashing(Interpreter& in, ModuleObject& module);
void fill_weakref(Interpreter& in, ModuleObject& module);

// ---- Text --------------------------------------------------------------------------------------
/// `repr` as the builtin type does it, whatever a script's subclass defines.
bool builtin_repr(Interpreter& in, const Value& value, std::string& out);
/// `format` of a builtin type, likewise.
bool builtin_format(Interpreter& in, const Value& value, std::string_view spec, std::string& out);
/// `round(number, ndigits)`, and `number.__round__(ndigits)`.
Value native_round(NativeCall& call);
/// A special method that a script's class defines (or inherits from a script's class), else null.
const Value* script_special(const Value& value, Special which);

/// `int | None`.
struct UnionObject final : NativeDataObject {
  Ref<TupleObject> parts;
  UnionObject(ClassObject* of, Ref<TupleObject> types)
      : NativeDataObject(of), parts(std::move(types)) {}
};
/// Whether a value is a `UnionObject`.
bool is_union(const Value& value);

// ---- Helpers for natives -----------------------------------------------------------------------
/// The text of a str argument; raises TypeError "NAME() argument must be str, not int".
bool text_argument(NativeCall& call, size_t index, std::string_view& out);
/// An int argument, by `__index__` where it has one.
inline bool int_argument(NativeCall& call, size_t index, int64_t& out) {
  return index_of(call.interpreter, call[index], out);
}
/// A number as a float; raises TypeError "must be real number, not str".
bool float_argument(NativeCall& call, size_t index, double& out);
inline bool given(const Value& value) {
  return value.defined();
}
inline bool given_not_none(const Value& value) {
  return value.defined() && !value.is_none();
}
inline Value int_value(int64_t value) {
  return Value(value);
}
inline Value bool_value(int truth) {
  return truth < 0 ? Value() : Value(truth != 0);
}
/// An index or slice bound clamped to [0, length], negative ones counted from the end.
int64_t clamp_index(int64_t index, int64_t length);
/// The optional bounds `start` and `stop` of index, find, count; None and undefined are the ends.
bool bounds_arguments(NativeCall& call, size_t first, int64_t length, int64_t& start,
                      int64_t& stop);
/// The dict of a `**kwargs` parameter as pairs for a call.
std::vector<std::pair<StrObject*, Value>> keyword_pairs(const Value& kwargs);

/// Static methods and class methods of a builtin type.
void add_static_methods(ClassObject& cls, std::span<const NativeDefinition> definitions);
void add_class_methods(ClassObject& cls, std::span<const NativeDefinition> definitions);
/// What a call of a builtin type runs.
void set_constructor(ClassObject& cls, const NativeDefinition& definition);
/// With its module, but for builtins: `torch.Size`, `int`.
std::string full_name(const ClassObject& cls);
/// Of a `__new__` of the builtin type `exact`: the object as an instance of its first argument,
/// which is that type or a script's subclass; undefined where it is neither, and raised.
Value instance_of_first(NativeCall& call, Value object, const ClassObject& exact);

}  // namespace glint::runtime
