// Classes, shapes and instances.
//
//     class Point:                      root shape ()
//       def __init__(self, x, y):         +- x -> (x)
//         self.x = x                             +- y -> (x, y)     Point(1, 2): slots 1, 2
//         self.y = y
#include <algorithm>

#include "runtime/interpreter/class_rules.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/object.h"
#include "runtime/interpreter/protocol.h"

namespace glint::runtime {
namespace {

constexpr std::string_view kSpecialNames[] = {"__init__",
                                              "__new__",
                                              "__call__",
                                              "__repr__",
                                              "__str__",
                                              "__eq__",
                                              "__ne__",
                                              "__lt__",
                                              "__le__",
                                              "__gt__",
                                              "__ge__",
                                              "__hash__",
                                              "__bool__",
                                              "__len__",
                                              "__iter__",
                                              "__next__",
                                              "__contains__",
                                              "__getitem__",
                                              "__setitem__",
                                              "__delitem__",
                                              "__getattr__",
                                              "__getattribute__",
                                              "__setattr__",
                                              "__delattr__",
                                              "__enter__",
                                              "__exit__",
                                              "__add__",
                                              "__sub__",
                                              "__mul__",
                                              "__matmul__",
                                              "__truediv__",
                                              "__floordiv__",
                                              "__mod__",
                                              "__pow__",
                                              "__divmod__",
                                              "__lshift__",
                                              "__rshift__",
                                              "__and__",
                                              "__or__",
                                              "__xor__",
                                              "__radd__",
                                              "__rsub__",
                                              "__rmul__",
                                              "__rmatmul__",
                                              "__rtruediv__",
                                              "__rfloordiv__",
                                              "__rmod__",
                                              "__rpow__",
                                              "__rdivmod__",
                                              "__rlshift__",
                                              "__rrshift__",
                                              "__rand__",
                                              "__ror__",
                                              "__rxor__",
                                              "__iadd__",
                                              "__isub__",
                                              "__imul__",
                                              "__imatmul__",
                                              "__itruediv__",
                                              "__ifloordiv__",
                                              "__imod__",
                                              "__ipow__",
                                              "__ilshift__",
                                              "__irshift__",
                                              "__iand__",
                                              "__ior__",
                                              "__ixor__",
                                              "__neg__",
                                              "__pos__",
                                              "__invert__",
                                              "__abs__",
                                              "__int__",
                                              "__float__",
                                              "__index__",
                                              "__round__",
                                              "__format__",
                                              "__reversed__",
                                              "__del__",
                                              "__missing__",
                                              "__get__",
                                              "__set__",
                                              "__delete__",
                                              "__set_name__",
                                              "__init_subclass__",
                                              "__class_getitem__",
                                              "__instancecheck__"};
static_assert(std::size(kSpecialNames) == static_cast<size_t>(Special::kCount));

uint32_t next_class_version() {
  static uint32_t last = 0;
  return ++last;
}

}  // namespace

std::string_view name_of(Special special) {
  return kSpecialNames[static_cast<size_t>(special)];
}

// ---- Shapes ------------------------------------------------------------------------------------

int Shape::find(const StrObject* key) const {
  auto found = index.find(key);
  return found == index.end() ? -1 : static_cast<int>(found->second);
}

Shape* Shape::with(const Ref<StrObject>& key) {
  auto found = children.find(key.get());
  if (found != children.end()) return found->second.get();
  auto child = std::make_unique<Shape>();
  child->owner = owner;
  child->parent = this;
  child->name = key;
  child->count = count + 1;
  child->index = index;
  child->index.emplace(key.get(), count);
  child->names = names;
  child->names.push_back(key);
  return children.emplace(key.get(), std::move(child)).first->second.get();
}

// ---- Classes -----------------------------------------------------------------------------------

ClassObject::ClassObject()
    : Container(kKind),
      module_name(Value::none()),
      dict(make_dict()),
      version(next_class_version()),
      root_shape(std::make_unique<Shape>()) {
  root_shape->owner = this;
}

ClassObject::~ClassObject() {
  for (const Ref<ClassObject>& each : bases) std::erase(each->subclasses, this);
}

void ClassObject::traverse(Visitor& visit) {
  visit(base);
  for (const Ref<ClassObject>& each : bases) visit(each);
  visit(dict);
  visit(module_name);
  visit(construct);
  for (const Value& value : specials) visit(value);
}

void ClassObject::clear() {
  dict->clear();
  specials.clear();
  specials_version = 0;
  construct = nullptr;
}

Value* ClassObject::lookup(const StrObject* key) const {
  for (ClassObject* cls : order) {
    if (Value* found = cls->dict->find(key)) return found;
  }
  return nullptr;
}
Value* ClassObject::lookup(std::string_view key) const {
  return lookup(intern(key).get());
}

const Value& ClassObject::special(Special which) {
  if (specials_version != version) {
    static const auto* names = [] {
      auto* list = new std::vector<Ref<StrObject>>();
      for (std::string_view name : kSpecialNames) list->push_back(intern(name));
      return list;
    }();
    specials.assign(std::size(kSpecialNames), Value());
    // What `object` itself defines is the behaviour of an object without the method.
    for (size_t i = 0; i < names->size(); ++i) {
      for (ClassObject* cls : order) {
        if (!cls->base) break;
        if (Value* found = cls->dict->find((*names)[i].get())) {
          specials[i] = *found;
          break;
        }
      }
    }
    specials_version = version;
  }
  return specials[static_cast<size_t>(which)];
}

bool ClassObject::is_subclass_of(const ClassObject* other) const {
  return std::ranges::find(order, other) != order.end();
}

void ClassObject::changed() {
  version = next_class_version();
  specials.clear();
  specials_version = 0;
  for (ClassObject* subclass : subclasses) subclass->changed();
  if (instance_kind == kClassKind && !native) change_classes_of(*this);
}

void ClassObject::set_attribute(const Ref<StrObject>& key, Value value) {
  dict->set(key, std::move(value));
  changed();
}
bool ClassObject::delete_attribute(const StrObject* key) {
  bool erased = dict->erase(key);
  changed();
  return erased;
}

// ---- Instances ---------------------------------------------------------------------------------

InstanceObject::InstanceObject(ClassObject* owner)
    : Container(kKind), cls(owner), shape(owner->root_shape.get()), slots(nullptr), capacity(0) {
  if (uint32_t expected = owner->expected_slots) {
    capacity = expected;
    slots = static_cast<Value*>(allocate_object(expected * sizeof(Value)));
  }
}

Ref<InstanceObject> InstanceObject::make(ClassObject* cls) {
  return Ref<InstanceObject>(new InstanceObject(cls));
}

InstanceObject::~InstanceObject() {
  clear();
  if (slots) free_object(slots, capacity * sizeof(Value));
}

void InstanceObject::grow() {
  uint32_t wanted = capacity < 4 ? 4 : capacity * 2;
  auto* fresh = static_cast<Value*>(allocate_object(wanted * sizeof(Value)));
  if (shape && shape->count > 0) {
    std::memcpy(static_cast<void*>(fresh), static_cast<void*>(slots), shape->count * sizeof(Value));
  }
  if (slots) free_object(slots, capacity * sizeof(Value));
  slots = fresh;
  capacity = wanted;
  if (wanted <= 64) cls->expected_slots = std::max(cls->expected_slots, wanted);
}

void InstanceObject::traverse(Visitor& visit) {
  visit(cls);
  if (shape) {
    for (uint32_t i = 0; i < shape->count; ++i) visit(slots[i]);
  }
  visit(dict);
  visit(native_data);
}

void InstanceObject::clear() {
  if (shape) {
    uint32_t count = shape->count;
    shape = shape->owner->root_shape.get();
    for (uint32_t i = 0; i < count; ++i) slots[i].~Value();
  }
  dict = nullptr;
  native_data = Value();
}

Value* InstanceObject::find(const StrObject* key) {
  if (!shape) return dict ? dict->find(key) : nullptr;
  int slot = shape->find(key);
  return slot < 0 ? nullptr : &slots[slot];
}
Value* InstanceObject::find(std::string_view key) {
  return find(intern(key).get());
}

void InstanceObject::set(const Ref<StrObject>& key, Value value) {
  ++version;
  if (!shape) {
    dict->set(key, std::move(value));
    return;
  }
  int slot = shape->find(key.get());
  if (slot >= 0) {
    slots[slot].swap(value);
    return;
  }
  if (shape->count == capacity) grow();
  new (&slots[shape->count]) Value(std::move(value));
  shape = shape->with(key);
}

bool InstanceObject::erase(const StrObject* key) {
  ++version;
  if (shape && shape->find(key) < 0) return false;
  return materialise_dict()->erase(key);
}

std::vector<std::pair<Ref<StrObject>, Value>> InstanceObject::attributes() const {
  std::vector<std::pair<Ref<StrObject>, Value>> list;
  if (shape) {
    for (uint32_t i = 0; i < shape->count; ++i) list.emplace_back(shape->names[i], slots[i]);
  } else if (dict) {
    for (const auto& entry : dict->table.entries()) {
      if (entry.key.is<StrObject>()) list.emplace_back(entry.key.as<StrObject>(), entry.value);
    }
  }
  return list;
}

DictObject* InstanceObject::materialise_dict() {
  if (shape) {
    Ref<DictObject> made = make_dict();
    uint32_t count = shape->count;
    for (uint32_t i = 0; i < count; ++i) {
      made->set(shape->names[i], std::move(slots[i]));
      slots[i].~Value();
    }
    shape = nullptr;
    dict = std::move(made);
  }
  return dict.get();
}

}  // namespace glint::runtime
