// `_weakref`: the class `ref`, for library/weakref.
//
// A table says who refers to an object. Neither side keeps the other: a reference that dies strikes
// itself off, an object that dies empties those that refer to it and calls what they were told to
// call, as `__del__` is called, wherever the interpreter happens to be.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/stale_temporaries.h"
#include "runtime/interpreter/tensor_attributes.h"
#include "runtime/interpreter/weak_references.h"

namespace glint::runtime {
namespace {

struct ReferenceObject;

std::unordered_map<const RefCounted*, std::vector<ReferenceObject*>>& references() {
  static auto* table = new std::unordered_map<const RefCounted*, std::vector<ReferenceObject*>>();
  return *table;
}

struct ReferenceObject final : NativeDataObject {
  RefCounted* object;  ///< null: it is dead
  Value callback;      ///< None: nothing is called
  std::optional<uint64_t> hash;
  ReferenceObject(ClassObject* of, RefCounted* to, Value then)
      : NativeDataObject(of), object(to), callback(std::move(then)) {
    references()[object].push_back(this);
  }
  ~ReferenceObject() override {
    auto found = object ? references().find(object) : references().end();
    if (found == references().end()) return;
    std::erase(found->second, this);
    if (found->second.empty()) references().erase(found);
  }
  ReferenceObject(const ReferenceObject&) = delete;
  ReferenceObject& operator=(const ReferenceObject&) = delete;
  void traverse(Visitor& visit) override {
    NativeDataObject::traverse(visit);
    visit(callback);
  }
  void clear() override { callback = Value::none(); }
  Value target() const { return object ? Value(object) : Value::none(); }
};

ReferenceObject& reference_of(const Value& value) {
  return *static_cast<ReferenceObject*>(value.object());
}

/// CPython's lists, dicts, texts, numbers and tuples cannot be referred to so; those of a script's
/// class can, but for numbers and tuples with what they hold in place.
bool may_be_referred_to(const Value& value) {
  switch (value.kind()) {
    case kTensorKind:
    case kInstanceKind:
    case kFunctionKind:
    case kClassKind:
    case kModuleKind:
    case kSetKind:
    case kFrozenSetKind:
    case kGeneratorKind:
    case kBoundMethodKind:
    case kNativeFunctionKind:
    case kCompiledFunctionKind:
    case kCodeKind:
      return true;
    case kExceptionKind:
      return !class_of(value)->native;
    case kListKind:
    case kDictKind:
    case kStrKind:
      return value.as<Object>()->flag(Object::kSubclassed);
    default:
      return false;
  }
}

void mark_referred_to(const Value& value) {
  if (value.is(kTensorKind))
    make_attributes(*value.as<TensorImpl>());
  else
    value.as<Object>()->set_flag(Object::kWeaklyReferred);
}

Value make_reference(NativeCall& call) {
  const Value& object = call[0];
  if (!may_be_referred_to(object))
    return call.raise(
        "TypeError", fmt::format("cannot create weak reference to '{}' object", type_name(object)));
  auto* cls = call.function->data.as<ClassObject>();
  if (call[1].is_none()) {
    auto found = references().find(object.object());
    if (found != references().end())
      for (ReferenceObject* known : found->second)
        if (known->callback.is_none() && known->cls.get() == cls) return Value(known);
  }
  mark_referred_to(object);
  return Value(make_ref<ReferenceObject>(cls, object.object(), call[1]));
}

Value reference_call(NativeCall& call) {
  // Who holds no more than a temporary, which CPython has let go by now, is as good as dead.
  constexpr uint32_t kMostTemporaries = 4;
  const RefCounted* object = reference_of(call[0]).object;
  if (object && object->ref_count() <= kMostTemporaries) drop_stale_temporaries(call.interpreter);
  return reference_of(call[0]).target();
}

Value settle(NativeCall& call) {
  drop_stale_temporaries(call.interpreter);
  return Value::none();
}

Value reference_callback(NativeCall& call) {
  const ReferenceObject& reference = reference_of(call[0]);
  return reference.object ? reference.callback : Value::none();
}

bool is_reference(const Value& value, const NativeCall& call) {
  return value.is(kNativeDataKind) &&
         value.as<NativeDataObject>()->cls == call[0].as<NativeDataObject>()->cls;
}

Value reference_equal(NativeCall& call) {
  if (!is_reference(call[1], call)) return Value::not_implemented();
  const ReferenceObject &a = reference_of(call[0]), &b = reference_of(call[1]);
  if (!a.object || !b.object) return Value(&a == &b);
  return bool_value(equals(call.interpreter, a.target(), b.target()));
}

Value reference_hash(NativeCall& call) {
  ReferenceObject& reference = reference_of(call[0]);
  if (!reference.hash) {
    if (!reference.object) return call.raise("TypeError", "weak object has gone away");
    uint64_t hash = 0;
    if (!hash_of(call.interpreter, reference.target(), hash)) return Value();
    reference.hash = hash;
  }
  return int_value(static_cast<int64_t>(*reference.hash));
}

Value reference_repr(NativeCall& call) {
  const ReferenceObject& reference = reference_of(call[0]);
  const auto* at = static_cast<const void*>(&reference);
  if (!reference.object) return str_value(fmt::format("<weakref at {}; dead>", at));
  return str_value(fmt::format("<weakref at {}; to '{}' at {}>", at, type_name(reference.target()),
                               static_cast<const void*>(reference.object)));
}

Value count_references(NativeCall& call) {
  if (!call[0].is_object()) return int_value(0);
  auto found = references().find(call[0].object());
  return int_value(found == references().end() ? 0 : static_cast<int64_t>(found->second.size()));
}

Value list_references(NativeCall& call) {
  std::vector<Value> items;
  if (call[0].is_object())
    if (auto found = references().find(call[0].object()); found != references().end())
      for (ReferenceObject* each : found->second) items.emplace_back(each);
  return Value(make_list(std::move(items)));
}

constexpr NativeDefinition kMethods[] = {
    {"__call__(self, /)", reference_call, kImpure, "the object; None when it is dead"},
    {"__eq__(self, other, /)", reference_equal, kImpure, "whether both objects are equal"},
    {"__hash__(self, /)", reference_hash, kImpure, "the object's"},
    {"__repr__(self, /)", reference_repr, kImpure, "as text"},
};
constexpr NativeDefinition kFunctions[] = {
    {"getweakrefcount(object, /)", count_references, kImpure, "how many refer to it weakly"},
    {"settle()", settle, kImpure, "what only temporaries hold dies"},
    {"getweakrefs(object, /)", list_references, kImpure, "those that do"},
};

}  // namespace

void clear_weak_references(const RefCounted* object) {
  auto found = references().find(object);
  if (found == references().end()) return;
  std::vector<ReferenceObject*> dead = std::move(found->second);
  references().erase(found);
  for (ReferenceObject* each : dead) each->object = nullptr;
  if (!Interpreter::alive()) return;
  // The last one first, as in CPython. What a call drops of them strikes itself off nowhere.
  std::vector<Ref<ReferenceObject>> kept;
  for (ReferenceObject* each : dead)
    if (!each->callback.is_none() && each->ref_count() > 0) kept.emplace_back(each);
  std::ranges::reverse(kept);
  for (const Ref<ReferenceObject>& each : kept)
    Machine::call_aside(Interpreter::current(), Value(each->callback), Value(each));
}

void fill_weakref(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kFunctions);
  Ref<ClassObject> cls =
      in.new_class("ReferenceType", in.classes().object, kNativeDataKind, "weakref");
  in.add_methods(*cls, kMethods);
  in.add_property(*cls, {"__callback__(self)", reference_callback, kImpure, "what is called"});
  set_constructor(*cls, {"ReferenceType(object, callback=None, /)", make_reference, kImpure,
                         "knows an object, and does not keep it"});
  cls->construct->data = Value(cls);
  module.dict->set("ref", Value(cls));
}

}  // namespace glint::runtime
