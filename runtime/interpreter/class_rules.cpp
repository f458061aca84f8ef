#include "runtime/interpreter/class_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::runtime {

// ---- Slots -------------------------------------------------------------------------------------

namespace {

/// `__x` in class `C` is `_C__x`.
std::string mangled(std::string_view name, std::string_view cls) {
  bool is_private = name.starts_with("__") && !name.ends_with("__");
  size_t letters = cls.find_first_not_of('_');
  if (!is_private || letters == std::string_view::npos) return std::string(name);
  return fmt::format("_{}{}", cls.substr(letters), name);
}

bool is_identifier(std::string_view text) {
  bool begins = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0;
  return begins && std::all_of(text.begin(), text.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
         });
}

bool check_slot(Interpreter& in, const ClassObject& cls, const Value& slot) {
  if (!is_str(slot)) {
    in.raise("TypeError",
             fmt::format("__slots__ items must be strings, not '{}'", type_name(slot)));
    return false;
  }
  if (!is_identifier(view_of(slot))) {
    in.raise("TypeError", "__slots__ must be identifiers");
    return false;
  }
  if (cls.dict->find(mangled(view_of(slot), cls.name->text))) {
    in.raise("ValueError",
             fmt::format("'{}' in __slots__ conflicts with class variable", view_of(slot)));
    return false;
  }
  return true;
}

/// CPython has no room for slots behind what varies in size.
bool may_hold_slots(const ClassObject& cls) {
  const BuiltinClasses& classes = Interpreter::current().classes();
  const std::array varying = {classes.integer.get(), classes.tuple.get(), classes.bytes.get()};
  return std::ranges::none_of(
      varying, [&](const ClassObject* builtin) { return cls.is_subclass_of(builtin); });
}

}  // namespace

bool settle_slots(Interpreter& in, ClassObject& cls) {
  Value* written = cls.dict->find("__slots__");
  if (!written || cls.is_exception || cls.instance_kind == kClassKind) return true;
  std::vector<Value> slots;
  if (is_str(*written)) {
    slots.push_back(*written);
  } else if (!collect(in, *written, slots)) {
    return false;
  }
  auto allowed = std::make_unique<std::vector<Ref<StrObject>>>();
  bool has_dict = false;
  for (const Ref<ClassObject>& base : cls.bases) {
    // An object of a builtin type has no attributes but the class's.
    const bool is_bare = base->native && base->instance_kind != kInstanceKind;
    if (!base->slots && !is_bare) has_dict = true;
    if (base->slots) allowed->insert(allowed->end(), base->slots->begin(), base->slots->end());
  }
  if (!slots.empty() && !may_hold_slots(cls)) {
    in.raise("TypeError", fmt::format("nonempty __slots__ not supported for subtype of '{}'",
                                      cls.base->name->text));
    return false;
  }
  for (const Value& slot : slots) {
    if (!check_slot(in, cls, slot)) return false;
    if (view_of(slot) == "__dict__") has_dict = true;
    allowed->push_back(intern(mangled(view_of(slot), cls.name->text)));
  }
  if (!has_dict) cls.slots = std::move(allowed);
  return true;
}

bool may_have(const ClassObject& cls, const StrObject* name) {
  if (!cls.slots) return true;
  return std::any_of(cls.slots->begin(), cls.slots->end(),
                     [&](const Ref<StrObject>& slot) { return slot->text == name->text; });
}

// ---- Abstract methods --------------------------------------------------------------------------

namespace {

bool is_abstract(const Value& value) {
  if (auto* function = value.try_as<FunctionObject>()) {
    Value* mark =
        function->attributes ? function->attributes->find("__isabstractmethod__") : nullptr;
    return mark && mark->is_bool() && mark->as_bool();
  }
  if (auto* property = value.try_as<PropertyObject>()) {
    return is_abstract(property->getter) || is_abstract(property->setter) ||
           is_abstract(property->deleter);
  }
  bool wrapped = value.is(kStaticMethodKind) || value.is(kClassMethodKind);
  return wrapped && is_abstract(value.as<WrappedMethodObject>()->function);
}

}  // namespace

void settle_abstract_methods(ClassObject& cls) {
  if (!cls.lookup("__abstractmethods__")) return;
  std::set<std::string> names;
  for (const Ref<ClassObject>& base : cls.bases)
    names.insert(base->abstract_methods.begin(), base->abstract_methods.end());
  for (const auto& entry : cls.dict->table.entries()) {
    if (is_str(entry.key)) names.emplace(view_of(entry.key));
  }
  std::vector<Value> listed;
  for (const std::string& name : names) {
    Value* found = cls.lookup(name);
    if (!found || !is_abstract(*found)) continue;
    cls.abstract_methods.push_back(name);
    listed.emplace_back(make_str(name));
  }
  auto frozen = make_ref<SetObject>(kFrozenSetKind);
  for (const Value& name : listed) frozen->table.set(name, Value::none());
  cls.dict->set(intern("__abstractmethods__"), Value(std::move(frozen)));
}

bool may_be_made(Interpreter& in, const ClassObject& cls) {
  if (cls.abstract_methods.empty()) return true;
  in.raise("TypeError", fmt::format("Can't instantiate abstract class {} with abstract method{} {}",
                                    cls.name->text, cls.abstract_methods.size() == 1 ? "" : "s",
                                    fmt::join(cls.abstract_methods, ", ")));
  return false;
}

}  // namespace glint::runtime
