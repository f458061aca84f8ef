// object, type, property, staticmethod, classmethod and super: how they are made, and the methods
// that every object has.
#include <algorithm>

#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/class_rules.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/os_errors.h"

namespace glint::runtime {

namespace {

// ---- object ------------------------------------------------------------------------------------

Value construct_object(NativeCall& call) {
  if (!call[0].as<TupleObject>()->items.empty())
    return call.raise("TypeError", "object() takes no arguments");
  return Value(InstanceObject::make(call.interpreter.classes().object.get()));
}

/// `object.__new__(cls)`: an instance of a script's class without `__init__`.
Value object_new(NativeCall& call) {
  auto* cls = call[0].try_as<ClassObject>();
  if (!cls)
    return call.raise("TypeError", fmt::format("object.__new__(X): X is not a type object ({})",
                                               type_name(call[0])));
  if (cls->is_exception)
    return Value(make_exception(call.interpreter, *cls, call[1].as<TupleObject>()->items));
  if (!may_be_made(call.interpreter, *cls)) return Value();
  if (cls->instance_kind == kInstanceKind) return Value(InstanceObject::make(cls));
  for (ClassObject* base : cls->order) {
    if (!base->allocate) continue;
    Value made = base->allocate(call.interpreter, cls);
    return made;
  }
  return call.raise("TypeError", fmt::format("object.__new__({0}) is not safe, use {0}.__new__()",
                                             cls->name->view()));
}

Value object_init(NativeCall& call) {
  const bool excess = !call[1].as<TupleObject>()->items.empty() ||
                      !call[2].as<DictObject>()->table.entries().empty();
  if (call[0].is(kInstanceKind) && excess && !script_special(call[0], Special::kNew))
    return call.raise("TypeError",
                      "object.__init__() takes exactly one argument (the instance to "
                      "initialize)");
  return Value::none();
}

Value object_repr(NativeCall& call) {
  std::string text;
  return builtin_repr(call.interpreter, call[0], text) ? str_value(std::move(text)) : Value();
}
Value object_str(NativeCall& call) {
  std::string text;
  return repr_of(call.interpreter, call[0], text) ? str_value(std::move(text)) : Value();
}
Value object_format(NativeCall& call) {
  std::string_view spec;
  std::string text;
  if (!text_argument(call, 1, spec)) return Value();
  return builtin_format(call.interpreter, call[0], spec, text) ? str_value(std::move(text))
                                                               : Value();
}
Value object_eq(NativeCall& call) {
  if (call[0].identical(call[1])) return Value(true);
  if (call[0].is(kInstanceKind)) return Value::not_implemented();
  return bool_value(equals(call.interpreter, call[0], call[1]));
}
Value object_ne(NativeCall& call) {
  if (call[0].is(kInstanceKind)) {
    int same = equals(call.interpreter, call[0], call[1]);
    return same < 0 ? Value() : Value(same == 0);
  }
  int same = equals(call.interpreter, call[0], call[1]);
  return same < 0 ? Value() : Value(same == 0);
}
Value object_hash(NativeCall& call) {
  if (!call[0].is_object() || call[0].is(kInstanceKind))
    return int_value(reinterpret_cast<intptr_t>(call[0].object()) >> 4);
  uint64_t hash = 0;
  if (!hash_of(call.interpreter, call[0], hash)) return Value();
  return int_value(static_cast<int64_t>(hash));
}

Value object_getattribute(NativeCall& call) {
  Interpreter& in = call.interpreter;
  if (!is_str(call[1])) return call.raise("TypeError", "attribute name must be string");
  Ref<StrObject> name = intern(view_of(call[1]));
  Value value;
  switch (resolve_plainly(in, call[0], name.get(), value)) {
    case Found::kGetter:
      return in.call(Value(value), {call[0]});
    case Found::kAbsent:
      raise_not_found(in, call[0], name);
      return Value();
    case Found::kValue:
    case Found::kHook:
    case Found::kRaised:
      break;
  }
  return value;
}
Value object_setattr(NativeCall& call) {
  if (!is_str(call[1])) return call.raise("TypeError", "attribute name must be string");
  Ref<StrObject> name = intern(view_of(call[1]));
  return set_attribute_plainly(call.interpreter, call[0], name, call[2]) ? Value::none() : Value();
}
Value object_delattr(NativeCall& call) {
  if (!is_str(call[1])) return call.raise("TypeError", "attribute name must be string");
  Ref<StrObject> name = intern(view_of(call[1]));
  return delete_attribute_plainly(call.interpreter, call[0], name) ? Value::none() : Value();
}
Value object_init_subclass(NativeCall& call) {
  auto* cls = call[0].try_as<ClassObject>();
  if (!cls || call[1].as<DictObject>()->table.entries().empty()) return Value::none();
  return call.raise("TypeError", fmt::format("{}.__init_subclass__() takes no keyword arguments",
                                             cls->qualified_name->text));
}

// ---- type --------------------------------------------------------------------------------------

/// `type(x)`, or `type(name, bases, namespace)`: a new class.
Value construct_type(NativeCall& call) {
  Interpreter& in = call.interpreter;
  if (!given(call[1])) return Value(Ref<ClassObject>(class_of(call[0])));
  auto* bases = call[1].try_as<TupleObject>();
  auto* dict = call[2].try_as<DictObject>();
  if (!is_str(call[0]) || !bases || !dict)
    return call.raise("TypeError", "type() takes 1 or 3 arguments");
  Ref<DictObject> names = make_dict();
  names->table = dict->table;
  return Machine::build_class(in, call[0], bases->items, {}, std::move(names));
}

std::vector<std::pair<StrObject*, Value>> keywords_of(const Value& given) {
  std::vector<std::pair<StrObject*, Value>> keywords;
  for (const auto& entry : given.as<DictObject>()->table.entries())
    if (entry.key.is<StrObject>()) keywords.emplace_back(entry.key.as<StrObject>(), entry.value);
  return keywords;
}

/// `type.__new__(metaclass, name, bases, namespace, **keywords)`, what a metaclass's `__new__` ends
/// in.
Value type_new(NativeCall& call) {
  auto* metaclass = call[0].try_as<ClassObject>();
  auto* bases = call[2].try_as<TupleObject>();
  auto* dict = call[3].try_as<DictObject>();
  if (!metaclass || !metaclass->is_subclass_of(call.interpreter.classes().type.get()))
    return call.raise("TypeError", "type.__new__(X): X is not a type object");
  if (!is_str(call[1]) || !bases || !dict)
    return call.raise("TypeError", "type.__new__() takes a name, a tuple of bases and a dict");
  Ref<DictObject> names = make_dict();
  names->table = dict->table;
  return Machine::make_class(call.interpreter, *metaclass, call[1], bases->items,
                             keywords_of(call[4]), std::move(names));
}
Value type_instancecheck(NativeCall& call) {
  auto* cls = call[0].try_as<ClassObject>();
  return Value(cls && class_of(call[1])->is_subclass_of(cls));
}
Value type_subclasscheck(NativeCall& call) {
  auto* cls = call[0].try_as<ClassObject>();
  auto* other = call[1].try_as<ClassObject>();
  if (!cls || !other) return call.raise("TypeError", "issubclass() arg 1 must be a class");
  return Value(other->is_subclass_of(cls));
}
Value type_init(NativeCall& call) {
  return Value::none();
}
/// `type.__call__(cls, ...)`: what a metaclass's `__call__` ends in.
Value type_call(NativeCall& call) {
  auto* cls = call[0].try_as<ClassObject>();
  if (!cls) return call.raise("TypeError", "type.__call__() wants a class");
  std::vector<Value> values = call[1].as<TupleObject>()->items;
  const size_t positional = values.size();
  std::vector<StrObject*> names;
  for (const auto& [name, value] : keywords_of(call[2])) {
    names.push_back(name);
    values.push_back(value);
  }
  return Machine::instantiate(call.interpreter, *cls,
                              {values.data(), positional, names.data(), names.size()});
}

/// `int | None`: a union of types, for annotations and `isinstance`.
Value type_or(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Value* cls = in.modules().find("types.UnionType");
  std::vector<Value> parts;
  auto add = [&](const Value& part) {
    for (const Value& known : parts)
      if (known.identical(part)) return;
    parts.push_back(part);
  };
  for (size_t i : {size_t{0}, size_t{1}}) {
    const Value& side = call[i];
    if (is_union(side)) {
      for (const Value& part : side.as<UnionObject>()->parts->items) add(part);
    } else if (side.is<ClassObject>()) {
      add(side);
    } else if (side.is_none()) {
      add(Value(class_of(side)));
    } else {
      return Value::not_implemented();
    }
  }
  if (parts.size() == 1) return parts[0];
  return Value(make_ref<UnionObject>(cls->as<ClassObject>(), make_tuple(std::move(parts))));
}
/// The same types, in whichever order.
Value union_eq(NativeCall& call) {
  if (!is_union(call[1])) return Value::not_implemented();
  const auto& left = call[0].as<UnionObject>()->parts->items;
  const auto& right = call[1].as<UnionObject>()->parts->items;
  auto holds = [](const std::vector<Value>& items, const Value& part) {
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& item) { return item.identical(part); });
  };
  return Value(
      left.size() == right.size() &&
      std::all_of(left.begin(), left.end(), [&](const Value& part) { return holds(right, part); }));
}
Value union_hash(NativeCall& call) {
  uint64_t hash = 0;
  for (const Value& part : call[0].as<UnionObject>()->parts->items)
    hash ^= reinterpret_cast<uintptr_t>(part.object()) * 0x9e3779b97f4a7c15u;
  return int_value(static_cast<int64_t>(hash >> 1));
}
Value type_ror(NativeCall& call) {
  Value swapped[] = {call[1], call[0]};
  NativeCall other{call.interpreter, swapped, 2, call.function};
  return type_or(other);
}
Value union_args(NativeCall& call) {
  return Value(static_cast<UnionObject*>(call[0].object())->parts);
}

Value type_mro(NativeCall& call) {
  std::vector<Value> order;
  for (ClassObject* cls : call[0].as<ClassObject>()->order) order.push_back(Value(Ref(cls)));
  return Value(make_list(std::move(order)));
}
Value type_subclasses(NativeCall& call) {
  std::vector<Value> classes;
  for (ClassObject* cls : call[0].as<ClassObject>()->subclasses) classes.push_back(Value(Ref(cls)));
  return Value(make_list(std::move(classes)));
}

// ---- property, staticmethod, classmethod, super ------------------------------------------------

Value construct_property(NativeCall& call) {
  auto property = make_ref<PropertyObject>();
  property->getter = call[0];
  property->setter = call[1];
  property->deleter = call[2];
  property->doc = call[3];
  return Value(std::move(property));
}

Ref<PropertyObject> copy_of(const Value& value) {
  auto* from = value.as<PropertyObject>();
  auto copy = make_ref<PropertyObject>();
  copy->getter = from->getter;
  copy->setter = from->setter;
  copy->deleter = from->deleter;
  copy->doc = from->doc;
  return copy;
}
Value property_getter(NativeCall& call) {
  Ref<PropertyObject> copy = copy_of(call[0]);
  copy->getter = call[1];
  return Value(copy);
}
Value property_setter(NativeCall& call) {
  Ref<PropertyObject> copy = copy_of(call[0]);
  copy->setter = call[1];
  return Value(copy);
}
Value property_deleter(NativeCall& call) {
  Ref<PropertyObject> copy = copy_of(call[0]);
  copy->deleter = call[1];
  return Value(copy);
}
Value property_fget(NativeCall& call) {
  return call[0].as<PropertyObject>()->getter;
}
Value property_fset(NativeCall& call) {
  return call[0].as<PropertyObject>()->setter;
}

Value cell_contents(NativeCall& call) {
  const Value& content = call[0].as<CellObject>()->value;
  return content.defined() ? content : call.raise("ValueError", "Cell is empty");
}
Value set_cell_contents(NativeCall& call) {
  call[0].as<CellObject>()->value = call[1];
  return Value::none();
}

Value construct_static(NativeCall& call) {
  return Value(make_ref<WrappedMethodObject>(kStaticMethodKind, call[0]));
}
Value construct_class_method(NativeCall& call) {
  return Value(make_ref<WrappedMethodObject>(kClassMethodKind, call[0]));
}
Value wrapped_function(NativeCall& call) {
  return static_cast<WrappedMethodObject*>(call[0].object())->function;
}

/// `super(cls, self)`; without arguments the front end makes an instruction of it.
Value construct_super(NativeCall& call) {
  auto* cls = call[0].try_as<ClassObject>();
  if (!cls || !given(call[1])) return call.raise("RuntimeError", "super(): no arguments");
  return Value(make_ref<SuperObject>(Ref<ClassObject>(cls), call[1]));
}

constexpr Effects kReads{.pure = true, .reads_value = true, .calls_back = true};
constexpr Effects kTakesAny{
    .pure = true, .reads_value = true, .calls_back = true, .hands_on = true, .takes_varying = true};
constexpr Effects kLooksAtKind{.pure = true,
                               .reads_value = true,
                               .calls_back = true,
                               .looks_at_kind = true,
                               .spares_sizes = true};
constexpr Effects kMutates{.mutates = true, .calls_back = true};

Value construct_method(NativeCall& call) {
  if (!is_callable(call[0])) return call.raise("TypeError", "first argument must be callable");
  if (call[1].is_none()) return call.raise("TypeError", "instance must not be None");
  return Value(make_ref<BoundMethodObject>(call[1], call[0]));
}

/// How an object is taken apart, for copies and pickles, is said in the language
/// (library/copyreg.py).
Value of_copyreg(NativeCall& call, std::string_view function, std::vector<Value> arguments) {
  Interpreter& in = call.interpreter;
  const Value module = in.import_module("copyreg");
  if (module.is_undefined()) return Value();
  Value* found = module.as<ModuleObject>()->dict->find(function);
  if (!found) return call.raise("AttributeError", fmt::format("copyreg has no {}", function));
  return in.call(Value(*found), std::move(arguments));
}
Value object_reduce(NativeCall& call) {
  return of_copyreg(call, "reduction_of_object", {call[0]});
}
Value object_reduce_ex(NativeCall& call) {
  return of_copyreg(call, "reduction_by_class", {call[0], call[1]});
}
Value object_getstate(NativeCall& call) {
  return of_copyreg(call, "state_of_object", {call[0]});
}

constexpr NativeDefinition kObjectMethods[] = {
    {"__reduce__(self, /)", object_reduce, kImpure, "what it is made of, for a pickle"},
    {"__reduce_ex__(self, protocol, /)", object_reduce_ex, kImpure, "the same for a protocol"},
    {"__getstate__(self, /)", object_getstate, kImpure, "its attributes, for a pickle"},
    {"__new__(cls, *args, **kwargs)", object_new, kReads, "an empty instance"},
    {"__init__(self, *args, **kwargs)", object_init, kTakesAny, "does nothing"},
    {"__repr__(self, /)", object_repr, kReads, "the object as text"},
    {"__str__(self, /)", object_str, kReads, "the object as text"},
    {"__format__(self, format_spec, /)", object_format, kReads, "as a format spec says"},
    {"__eq__(self, other, /)", object_eq, kReads, "whether both are the same object"},
    {"__ne__(self, other, /)", object_ne, kReads, "the opposite of =="},
    {"__hash__(self, /)", object_hash, kReads, "a number for hash tables"},
    {"__getattribute__(self, name, /)", object_getattribute, {}, "an attribute, without hooks"},
    {"__setattr__(self, name, value, /)",
     object_setattr,
     {.mutates = true, .calls_back = true, .hands_on = true, .takes_varying = true},
     "sets an attribute"},
    {"__delattr__(self, name, /)", object_delattr, kMutates, "deletes an attribute"},
};
constexpr NativeDefinition kObjectClassMethods[] = {
    {"__init_subclass__(cls, **kwargs)", object_init_subclass, kReads, "does nothing"},
};
constexpr NativeDefinition kUnionMethods[] = {
    {"__or__(left, other, /)", type_or, kReads, "a union of types"},
    {"__ror__(right, other, /)", type_ror, kReads, "a union of types"},
    {"__eq__(self, other, /)", union_eq, kReads, "whether both name the same types"},
    {"__hash__(self, /)", union_hash, kReads, "a number for hash tables"},
};
constexpr NativeDefinition kTypeMethods[] = {
    {"__new__(metaclass, name, bases, dict, /, **keywords)", type_new, kReads, "a new class"},
    {"__init__(cls, *args, **keywords)", type_init, kReads, "does nothing"},
    {"__call__(cls, /, *args, **keywords)", type_call, kTakesAny, "a new instance"},
    {"__instancecheck__(cls, instance, /)", type_instancecheck, kReads,
     "whether it is of the class"},
    {"__subclasscheck__(cls, subclass, /)", type_subclasscheck, kReads,
     "whether it derives from it"},
    {"mro(self, /)", type_mro, kReads, "the classes in the order of attribute lookup"},
    {"__subclasses__(self, /)", type_subclasses, kReads, "the classes derived from this one"},
};
constexpr NativeDefinition kPropertyMethods[] = {
    {"getter(self, function, /)", property_getter, kReads, "a copy with another getter"},
    {"setter(self, function, /)", property_setter, kReads, "a copy with a setter"},
    {"deleter(self, function, /)", property_deleter, kReads, "a copy with a deleter"},
};

}  // namespace

void install_object(Interpreter& in) {
  ClassObject& object = *in.classes().object;
  object.slots = std::make_unique<std::vector<Ref<StrObject>>>();  // its own instances hold nothing
  set_constructor(object, {"object(*args)", construct_object, kReads, "a plain object"});
  in.add_methods(object, kObjectMethods);
  add_class_methods(object, kObjectClassMethods);
}

void install_types(Interpreter& in) {
  BuiltinClasses& classes = in.classes();
  set_constructor(*classes.type, {"type(object_or_name, bases=..., dict=..., /)", construct_type,
                                  kLooksAtKind, "the class of an object, or a new class"});
  in.add_methods(*classes.type, kTypeMethods);
  in.add_methods(*classes.type, kUnionMethods);
  Ref<ClassObject> unions = in.new_class("UnionType", classes.object, kNativeDataKind, "types");
  in.add_methods(*unions, kUnionMethods);
  in.add_property(*unions, {"__args__(self)", union_args, kReads});
  in.modules().set("types.UnionType", Value(unions));
  set_constructor(*classes.method, {"method(function, instance, /)", construct_method, kReads,
                                    "a function bound to its first argument"});
  set_constructor(*classes.property, {"property(fget=None, fset=None, fdel=None, doc=None)",
                                      construct_property, kReads, "an attribute that is computed"});
  in.add_methods(*classes.property, kPropertyMethods);
  in.add_property(*classes.property, {"fget(self)", property_fget, kReads});
  in.add_property(*classes.property, {"fset(self)", property_fset, kReads});
  constexpr NativeDefinition kSetCell{"cell_contents(self, value)", set_cell_contents};
  in.add_property(*classes.cell, {"cell_contents(self)", cell_contents, kReads}, &kSetCell);
  set_constructor(*classes.static_method, {"staticmethod(function, /)", construct_static, kReads,
                                           "a function in a class that gets no self"});
  set_constructor(*classes.class_method, {"classmethod(function, /)", construct_class_method,
                                          kReads, "a method that gets the class"});
  for (ClassObject* cls : {classes.static_method.get(), classes.class_method.get()})
    in.add_property(*cls, {"__func__(self)", wrapped_function, kReads});
  set_constructor(*classes.super, {"super(type=..., object=..., /)", construct_super, kLooksAtKind,
                                   "the attributes of the classes above"});
}

}  // namespace glint::runtime
