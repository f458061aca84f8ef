// What class a value is of: `type`, `isinstance`, `callable`, and what instances of scripts'
// subclasses of builtin types keep beside the builtin object.
//
//     class Table(dict): ...        class_of(Table()) is Table; the object itself is a DictObject
#include <fmt/format.h>

#include "core/support/check.h"
#include "core/tensor/tensor.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/class_rules.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/numpy_values.h"
#include "runtime/interpreter/recursion.h"
#include "runtime/interpreter/scripted.h"

namespace glint::runtime {

namespace {
/// What scripts' subclasses of builtin types keep beside the builtin object.
struct Extra {
  Ref<ClassObject> cls;
  Ref<DictObject> attributes;
};
std::unordered_map<const Object*, Extra>& extras() {
  static auto* table = new std::unordered_map<const Object*, Extra>();
  return *table;
}
}  // namespace

void mark_subclassed(Object* object, ClassObject* cls) {
  object->set_flag(Object::kSubclassed);
  // Its attributes may hold what it is reached from.
  if (object->kind() == kTupleKind) static_cast<TupleObject*>(object)->make_known();
  extras()[object].cls = Ref<ClassObject>(cls);
}

void forget_subclassed(const Object* object) {
  auto found = extras().find(object);
  if (found == extras().end()) return;
  Extra dead = std::move(found->second);
  extras().erase(found);
}

void visit_subclassed(const Object* object, Visitor& visit) {
  auto found = extras().find(object);
  if (found == extras().end()) return;
  visit(found->second.cls);
  visit(found->second.attributes);
}

void clear_subclassed(const Object* object) {
  auto found = extras().find(object);
  if (found != extras().end() && found->second.attributes) found->second.attributes->clear();
}

bool replace_attributes(Object* object, Ref<DictObject> attributes) {
  if (!object->flag(Object::kSubclassed)) return false;
  extras()[object].attributes = std::move(attributes);
  return true;
}

void change_classes_of(const ClassObject& metaclass) {
  // None of them makes or drops an object on the way.
  for (const auto& [object, extra] : extras())
    if (extra.cls.get() == &metaclass && object->kind() == kClassKind)
      static_cast<ClassObject*>(const_cast<Object*>(object))->changed();
}

DictObject* extra_attributes(Object* object, bool make) {
  if (!object->flag(Object::kSubclassed)) return nullptr;
  Extra& extra = extras()[object];
  if (!extra.attributes && make) extra.attributes = make_dict();
  return extra.attributes.get();
}

static ClassObject* iterator_class(Interpreter& in, IteratorObject& iterator) {
  auto& table = in.classes().iterators;
  std::string name(iterator.type_name());
  auto found = table.find(name);
  if (found == table.end()) {
    found = table.emplace(name, in.new_class(name, in.classes().object, kIteratorKind)).first;
  }
  return found->second.get();
}

static ClassObject* class_of_scalar(const BuiltinClasses& classes, Tag tag) {
  switch (tag) {
    case Tag::kBool:
      return classes.boolean.get();
    case Tag::kInt:
      return classes.integer.get();
    case Tag::kFloat:
      return classes.floating.get();
    case Tag::kEllipsis:
      return classes.ellipsis.get();
    case Tag::kNotImplemented:
      return classes.not_implemented.get();
    default:
      return classes.none.get();
  }
}

static ClassObject* class_of_view(const BuiltinClasses& classes, const DictViewObject& view) {
  switch (view.what) {
    case DictViewObject::What::kKeys:
      return classes.dict_keys.get();
    case DictViewObject::What::kValues:
      return classes.dict_values.get();
    case DictViewObject::What::kItems:
      return classes.dict_items.get();
  }
  fail("a view of a dict of no kind");
}

ClassObject* class_of(const Value& value) {
  Interpreter& in = Interpreter::current();
  const BuiltinClasses& classes = in.classes();
  if (!value.is_object()) return class_of_scalar(classes, value.tag());
  if (value.kind() == kInstanceKind) return value.as<InstanceObject>()->cls.get();
  if (value.kind() == kTensorKind) {
    return value.as<TensorImpl>()->is_parameter ? classes.parameter.get() : classes.tensor.get();
  }
  auto* object = value.as<Object>();
  if (object->flag(Object::kSubclassed)) return extras()[object].cls.get();
  switch (value.kind()) {
    case kTupleKind:
      return object->flag(Object::kIsSize) ? classes.size.get() : classes.tuple.get();
    case kExceptionKind:
      return value.as<ExceptionObject>()->cls.get();
    case kIteratorKind:
      return iterator_class(in, *value.as<IteratorObject>());
    case kDictViewKind:
      return class_of_view(classes, *value.as<DictViewObject>());
    case kNativeDataKind:
      return value.as<NativeDataObject>()->cls.get();
    default:
      return classes.of_kind[value.kind()].get();
  }
}

std::string type_name(const Value& value) {
  const ClassObject* cls = class_of(value);
  // As CPython names the types that C gives it: with their module.
  return plain_type_of(*cls) ? fmt::format("numpy.{}", cls->name->text) : cls->name->text;
}
bool is_instance(const Value& value, const ClassObject* cls) {
  return class_of(value)->is_subclass_of(cls);
}

int is_instance_of(Interpreter& in, const Value& value, const Value& classes) {
  if (auto* cls = classes.try_as<ClassObject>()) {
    if (class_of(value)->is_subclass_of(cls) || passes_for(*class_of(value), *cls)) return 1;
    const Value& check = cls->native ? Value() : cls->special(Special::kInstanceCheck);
    Value hook = scripted_special(classes, Special::kInstanceCheck);
    if (check.defined() && !cls->native && check.is(kClassMethodKind))
      hook = check.as<WrappedMethodObject>()->function;
    if (hook.is_undefined()) return 0;
    Value yes = in.call(hook, {Value(cls), value});
    return yes.is_undefined() ? -1 : truth(in, yes);
  }
  if (auto* tuple = classes.try_as<TupleObject>()) {
    Recursion deeper(in, " in __instancecheck__");
    if (!deeper.allowed()) return -1;
    for (const Value& item : tuple->items) {
      int yes = is_instance_of(in, value, item);
      if (yes != 0) return yes;
    }
    return 0;
  }
  if (is_union(classes)) {
    for (const Value& item : classes.as<UnionObject>()->parts->items) {
      int yes = is_instance_of(in, value, item);
      if (yes != 0) return yes;
    }
    return 0;
  }
  in.raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
  return -1;
}

bool is_callable(const Value& value) {
  switch (value.kind()) {
    case kOpaqueKind:
    case kTensorKind:
      return false;
    case kFunctionKind:
    case kNativeFunctionKind:
    case kBoundNativeKind:
    case kBoundMethodKind:
    case kClassKind:
    case kCompiledFunctionKind:
    case kStaticMethodKind:
      return true;
    default:
      return class_of(value)->special(Special::kCall).defined();
  }
}

}  // namespace glint::runtime
