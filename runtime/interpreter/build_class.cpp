// What a class statement makes of its bases, its body's names and its keywords.
//
//     class Base: ...
//     class Shown(Base): ...
//     class Saved(Base): ...
//     class Model(Shown, Saved): ...      order of lookup: Model, Shown, Saved, Base, object
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runtime/interpreter/class_rules.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/protocol.h"

namespace glint::runtime {
namespace {

using Bases = std::vector<Ref<ClassObject>>;

bool may_be_base(Interpreter& in, const ClassObject& base) {
  const BuiltinClasses& classes = in.classes();
  if (!base.native || base.is_exception || base.allocate || &base == classes.object.get() ||
      &base == classes.type.get())
    return true;
  switch (base.instance_kind) {
    case kStrKind:
    case kTupleKind:
    case kBytesKind:
    case kFrozenSetKind:
    case kInstanceKind:
    case kTensorKind:
      return true;
    default:
      if (&base == classes.integer.get() || &base == classes.floating.get()) return true;
      // CPython allows it.
      in.raise("TypeError",
               &base == classes.complex.get()
                   ? "a subclass of 'complex' is not supported: keep the number in an attribute of "
                     "a class of its own instead"
                   : fmt::format("type '{}' is not an acceptable base type", base.name->text));
      return false;
  }
}

/// The classes that a class statement lists, `object` if it lists none.
std::optional<Bases> bases_of(Interpreter& in, std::string_view name,
                              std::span<const Value> listed) {
  Bases bases;
  for (const Value& base : listed) {
    auto* cls = base.try_as<ClassObject>();
    // `Callable[..., T]` and its like add nothing.
    if (base.is<InstanceObject>()) continue;
    if (!cls) {
      in.raise("TypeError",
               fmt::format("a base of class '{}' is no class: '{}'", name, type_name(base)));
      return std::nullopt;
    }
    if (std::ranges::find(bases, cls, &Ref<ClassObject>::get) != bases.end()) {
      in.raise("TypeError", fmt::format("duplicate base class {}", cls->name->text));
      return std::nullopt;
    }
    if (!may_be_base(in, *cls)) return std::nullopt;
    bases.emplace_back(cls);
  }
  if (bases.empty()) bases.push_back(in.classes().object);
  return bases;
}

/// The builtin class that says what instances are in memory; of all exceptions the same.
const ClassObject* layout_of(const ClassObject& cls) {
  const ClassObject* at = &cls;
  while (!at->native || (at->is_exception && at->base->is_exception)) at = at->base.get();
  return at;
}

/// The base whose layout is that of all of them; null, and raised, where two differ.
ClassObject* layout_base(Interpreter& in, const Bases& bases) {
  ClassObject* chosen = bases[0].get();
  for (const Ref<ClassObject>& base : bases) {
    const ClassObject *found = layout_of(*base), *known = layout_of(*chosen);
    if (known->is_subclass_of(found)) continue;
    if (!found->is_subclass_of(known)) {
      in.raise("TypeError", "multiple bases have instance lay-out conflict");
      return nullptr;
    }
    chosen = base.get();
  }
  return chosen;
}

std::string names_of_first(const std::vector<std::vector<ClassObject*>>& lists) {
  std::vector<std::string_view> names;
  for (const auto& list : lists)
    if (std::ranges::find(names, list[0]->name->view()) == names.end())
      names.push_back(list[0]->name->view());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The order of lookup behind the class itself: each class before its own bases, and bases as they
/// are listed, or nothing, and raised, where these contradict each other (C3: Barrett et al., A
/// Monotonic Superclass Linearization for Dylan, 1996).
std::optional<std::vector<ClassObject*>> merged_order(Interpreter& in, const Bases& bases) {
  std::vector<std::vector<ClassObject*>> lists;
  for (const Ref<ClassObject>& base : bases) lists.push_back(base->order);
  lists.emplace_back();
  for (const Ref<ClassObject>& base : bases) lists.back().push_back(base.get());
  std::vector<ClassObject*> order;
  for (;;) {
    std::erase_if(lists, [](const auto& list) { return list.empty(); });
    if (lists.empty()) return order;
    auto is_behind_none = [&](const auto& of) {
      return std::ranges::all_of(lists, [&](const auto& list) {
        return std::find(list.begin() + 1, list.end(), of[0]) == list.end();
      });
    };
    auto found = std::ranges::find_if(lists, is_behind_none);
    if (found == lists.end()) {
      in.raise("TypeError", fmt::format("Cannot create a consistent method resolution\norder (MRO) "
                                        "for bases {}",
                                        names_of_first(lists)));
      return std::nullopt;
    }
    ClassObject* next = (*found)[0];
    order.push_back(next);
    for (auto& list : lists)
      if (list[0] == next) list.erase(list.begin());
  }
}

/// Methods that need no decorator to be what they are.
void wrap_implicit_methods(DictObject& names) {
  auto wrap = [&](std::string_view name, ObjectKind kind) {
    Value* method = names.find(name);
    if (method && method->is<FunctionObject>())
      *method = Value(make_ref<WrappedMethodObject>(kind, *method));
  };
  wrap("__new__", kStaticMethodKind);
  wrap("__init_subclass__", kClassMethodKind);
  wrap("__class_getitem__", kClassMethodKind);
}

/// An empty class of these bases; null, and raised, where they do not go together.
Ref<ClassObject> derived_class(Interpreter& in, std::string_view name, Bases bases) {
  ClassObject* base = layout_base(in, bases);
  if (!base) return nullptr;
  auto order = merged_order(in, bases);
  if (!order) return nullptr;
  auto cls = make_ref<ClassObject>();
  cls->name = cls->qualified_name = intern(name);
  cls->base = Ref<ClassObject>(base);
  cls->order.push_back(cls.get());
  cls->order.insert(cls->order.end(), order->begin(), order->end());
  cls->instance_kind = base->instance_kind;
  cls->is_exception = base->is_exception;
  for (const Ref<ClassObject>& each : bases) each->subclasses.push_back(cls.get());
  cls->bases = std::move(bases);
  return cls;
}

/// Calls `__set_name__` of what the class holds; false if one raised.
bool tell_names(Interpreter& in, const Value& made) {
  static const auto set_name = intern("__set_name__");
  const auto& entries = made.as<ClassObject>()->dict->table.entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    Value key = entries[i].key, value = entries[i].value;
    if (!value.is<InstanceObject>() || !class_of(value)->lookup(set_name.get())) continue;
    if (in.call_method(value, "__set_name__", {made, key}).is_undefined()) return false;
  }
  return true;
}

/// Calls the `__init_subclass__` that stands behind the class; false if it raised.
bool tell_base(Interpreter& in, const Value& made,
               const std::vector<std::pair<StrObject*, Value>>& keywords) {
  static const auto name = intern("__init_subclass__");
  const ClassObject& cls = *made.as<ClassObject>();
  Value* hook = nullptr;
  for (size_t i = 1; i < cls.order.size() && !hook; ++i)
    hook = cls.order[i]->dict->find(name.get());
  if (!hook || !hook->is(kClassMethodKind)) return true;
  Value first[] = {made};
  Value function = hook->as<WrappedMethodObject>()->function;
  return in.call_with_keywords(function, first, keywords).defined();
}

/// The metaclass of a class of these bases: the most derived of theirs and the one that is named;
/// null, and raised, where there is none such.
ClassObject* metaclass_of(Interpreter& in, ClassObject* named, std::span<const Value> bases) {
  ClassObject* chosen = named ? named : in.classes().type.get();
  for (const Value& base : bases) {
    if (!base.is<ClassObject>()) continue;
    ClassObject* known = class_of(base);
    if (chosen->is_subclass_of(known)) continue;
    if (!known->is_subclass_of(chosen)) {
      in.raise("TypeError",
               "metaclass conflict: the metaclass of a derived class must be a (non-strict) "
               "subclass of the metaclasses of all its bases");
      return nullptr;
    }
    chosen = known;
  }
  return chosen;
}

}  // namespace

Value Machine::build_class(Interpreter& in, const Value& name, std::span<const Value> bases,
                           std::span<const std::pair<StrObject*, Value>> keywords,
                           Ref<DictObject> names) {
  Value named;
  std::vector<std::pair<StrObject*, Value>> passed;
  for (const auto& keyword : keywords) {
    if (keyword.first->text == "metaclass")
      named = keyword.second;
    else
      passed.push_back(keyword);
  }
  Value metaclass = named;
  if (named.is_undefined() || named.is<ClassObject>()) {
    ClassObject* chosen = metaclass_of(in, named.try_as<ClassObject>(), bases);
    if (!chosen) return Value();
    if (chosen == in.classes().type.get())
      return make_class(in, *chosen, name, bases, passed, std::move(names));
    metaclass = Value(Ref<ClassObject>(chosen));
    if (Value* prepare = chosen->lookup("__prepare__"); prepare)
      return in.raise("TypeError",
                      fmt::format("the namespace of a class is a plain dict: '{}.__prepare__' is "
                                  "not supported",
                                  chosen->name->text));
  }
  const Value arguments[] = {name, Value(make_tuple({bases.begin(), bases.end()})),
                             Value(std::move(names))};
  return in.call_with_keywords(metaclass, arguments, passed);
}

Value Machine::make_class(Interpreter& in, ClassObject& metaclass, const Value& name,
                          std::span<const Value> bases,
                          std::span<const std::pair<StrObject*, Value>> keywords,
                          Ref<DictObject> names) {
  auto classes = bases_of(in, view_of(name), bases);
  ClassObject* chosen = classes ? metaclass_of(in, &metaclass, bases) : nullptr;
  if (!chosen) return Value();
  Ref<ClassObject> cls = derived_class(in, view_of(name), std::move(*classes));
  if (!cls) return Value();
  if (!chosen->native) mark_subclassed(cls.get(), chosen);
  if (!names->find("__module__")) names->set("__module__", str_value("__main__"));
  cls->module_name = *names->find("__module__");
  if (Value* qualified = names->find("__qualname__"); qualified && is_str(*qualified))
    cls->qualified_name = intern(view_of(*qualified));
  static const auto qualname = intern("__qualname__");
  names->erase(qualname.get());
  wrap_implicit_methods(*names);
  if (names->find("__eq__") && !names->find("__hash__")) names->set("__hash__", Value::none());
  cls->dict = std::move(names);
  cls->changed();
  if (!settle_slots(in, *cls)) return Value();
  settle_abstract_methods(*cls);
  Value made(cls);
  if (!tell_names(in, made) || !tell_base(in, made, {keywords.begin(), keywords.end()}))
    return Value();
  return made;
}

}  // namespace glint::runtime
