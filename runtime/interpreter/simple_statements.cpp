// The instructions that never push a frame, continued: texts, definitions, handlers, imports,
// patterns.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runtime/interpreter/builtins_files.h"
#include "runtime/interpreter/left_out.h"
#include "runtime/interpreter/simple_work.h"

namespace glint::runtime {

// ---- Text --------------------------------------------------------------------------------------

bool Work::format() {
  Value value = a();
  std::string text;
  if (op.immediate != 0) {
    if (!converted_text(in, value, static_cast<char>(op.immediate), text)) return false;
    value = str_value(std::move(text));
  }
  bool spec = op.b != kNoOperand && !view_of(b()).empty();
  if (!spec && value.is<StrObject>() && !value.as<Object>()->flag(Object::kSubclassed)) {
    return put(std::move(value));
  }
  if (!spec && value.is_int()) {
    fmt::format_int digits(value.as_int());
    return put(Value(make_text({digits.data(), digits.size()})));
  }
  std::string out;
  if (!format_of(in, value, op.b == kNoOperand ? std::string_view() : view_of(b()), out)) {
    return false;
  }
  return put(str_value(std::move(out)));
}

bool Work::join() {
  size_t size = 0;
  for (size_t i = 0; i < op.tail_count; ++i) {
    size += view_of(at(code.operands[op.tail_begin + i])).size();
  }
  std::string text;
  text.reserve(size);
  for (size_t i = 0; i < op.tail_count; ++i) {
    text += view_of(at(code.operands[op.tail_begin + i]));
  }
  return put(str_value(std::move(text)));
}

// ---- Definitions -------------------------------------------------------------------------------

bool Work::function() {
  auto made = make_ref<FunctionObject>();
  made->code = code.program->functions[op.immediate];
  made->prepared = in.prepare(made->code);
  made->globals = Ref<DictObject>(frame.globals);
  Value* module = frame.globals->find("__name__");
  made->module_name = module ? *module : Value::none();
  made->name = intern(made->code->name);
  made->qualified_name = intern(made->code->qualified_name);
  made->doc = made->code->has_doc ? str_value(made->code->doc) : Value::none();
  auto given = [&](int32_t index) { return index == kNoOperand ? Value::none() : at(index); };
  if (Value defaults = given(op.a); defaults.is<TupleObject>()) {
    made->defaults = defaults.as<TupleObject>()->items;
  }
  if (Value keywords = given(op.b); keywords.is<DictObject>()) {
    made->keyword_defaults = Ref<DictObject>(keywords.as<DictObject>());
  }
  if (Value annotations = given(op.c); annotations.is<DictObject>()) {
    made->annotations = Ref<DictObject>(annotations.as<DictObject>());
  }
  for (const auto& cell : made->code->cells) {
    if (!cell.is_free) continue;
    auto& outer = frame.cells[cell.outer_index];
    if (!outer) outer = make_ref<CellObject>();
    made->closure.push_back(outer);
  }
  return put(Value(std::move(made)));
}

bool Work::super() {
  if (!a().is<ClassObject>()) return fail("RuntimeError", "super(): __class__ cell not found");
  return put(Value(make_ref<SuperObject>(Ref<ClassObject>(a().as<ClassObject>()), b())));
}

// ---- Exceptions --------------------------------------------------------------------------------

static int matches(const Value& exception, const Value& wanted) {
  if (auto* cls = wanted.try_as<ClassObject>(); cls && cls->is_exception) {
    return class_of(exception)->is_subclass_of(cls);
  }
  if (auto* tuple = wanted.try_as<TupleObject>()) {
    for (const Value& item : tuple->items) {
      int yes = matches(exception, item);
      if (yes != 0) return yes;
    }
    return 0;
  }
  return -1;
}

bool Work::match_exception() {
  int yes = matches(a(), b());
  if (yes >= 0) return put(Value(yes == 1));
  return fail("TypeError",
              "catching classes that do not inherit from BaseException is not allowed");
}

bool Work::end_handler() {
  auto& handled = Machine::handled(in);
  while (handled.size() > frame.handled_base) {
    bool last = handled.back().identical(a());
    handled.pop_back();
    if (last) break;
  }
  return true;
}

// ---- Modules -----------------------------------------------------------------------------------

/// The full name of `..name` in a module of a package: each dot behind the first goes one package
/// up. Nothing where that was raised.
static std::optional<std::string> resolve_relative(Interpreter& in, DictObject& globals,
                                                   std::string_view name) {
  size_t dots = std::min(name.find_first_not_of('.'), name.size());
  Value* known = globals.find("__package__");
  std::string package(known && is_str(*known) ? view_of(*known) : "");
  if (package.empty()) {
    in.raise("ImportError", "attempted relative import with no known parent package");
    return std::nullopt;
  }
  for (size_t i = 1; i < dots; ++i) {
    size_t dot = package.rfind('.');
    if (dot == std::string::npos) {
      in.raise("ImportError", "attempted relative import beyond top-level package");
      return std::nullopt;
    }
    package.resize(dot);
  }
  return dots == name.size() ? package : package + "." + std::string(name.substr(dots));
}

bool Work::import_module() {
  std::string_view wanted = name()->text;
  if (!wanted.starts_with('.')) return put(in.import_module(wanted));
  std::optional<std::string> full = resolve_relative(in, *frame.globals, wanted);
  return full && put(in.import_module(*full));
}

bool Work::import_from() {
  Value module = a();
  Ref<StrObject> wanted = code.names[op.immediate];
  Value found = find_attribute(in, module, wanted);
  if (found.defined()) return put(std::move(found));
  // A module's `__getattr__` says so by AttributeError.
  if (in.raised() && !in.pending_is("AttributeError")) return false;
  if (in.raised()) in.take_pending();
  auto* object = module.try_as<ModuleObject>();
  if (object) {
    std::string full = object->name->text + "." + wanted->text;
    Value submodule = in.import_module(full);
    if (submodule.defined()) return put(std::move(submodule));
    if (!in.pending_is("ModuleNotFoundError") || left_out_hint(full)) return false;
    in.take_pending();
  }
  std::string file = "unknown location";
  Value* path = object ? object->dict->find("__file__") : nullptr;
  if (path && path->is<StrObject>()) file = view_of(*path);
  std::string_view partly = object && object->initialising ? "partially initialized module " : "";
  std::string_view hint =
      object && object->initialising ? "most likely due to a circular import) (" : "";
  return fail("ImportError",
              fmt::format("cannot import name '{}' from {}'{}' ({}{})", wanted->text, partly,
                          object ? object->name->text : type_name(module), hint, file));
}

bool Work::import_star() {
  auto* module = a().try_as<ModuleObject>();
  if (!module) return fail("TypeError", "import * needs a module");
  Ref<DictObject> target(frame.owned.is<DictObject>() ? frame.owned.as<DictObject>()
                                                      : frame.globals);
  std::vector<Value> names;
  if (Value* all = module->dict->find("__all__")) {
    if (!collect(in, Value(*all), names)) return false;
  } else {
    for (const auto& entry : module->dict->table.entries()) {
      if (entry.key.is<StrObject>() && !view_of(entry.key).starts_with("_")) {
        names.push_back(entry.key);
      }
    }
  }
  for (const Value& one : names) {
    Value value = get_attribute(in, Value(module), intern(view_of(one)));
    if (value.is_undefined()) return false;
    target->set(intern(view_of(one)), std::move(value));
  }
  return true;
}

// ---- Patterns ----------------------------------------------------------------------------------

bool Work::match_sequence() {
  bool sequence = a().is<ListObject>() || a().is<TupleObject>() || a().is<RangeObject>();
  int64_t length = sequence ? length_of(in, a()) : 0;
  int64_t wanted = op.immediate / 2;
  bool longer = op.immediate % 2 == 1;
  return put(Value(sequence && (longer ? length >= wanted : length == wanted)));
}

bool Work::match_mapping() {
  return put(Value(a().is<DictObject>()));
}

bool Work::match_key() {
  Value* found = nullptr;
  switch (a().as<DictObject>()->table.find(b(), found)) {
    case HashTable::Outcome::kFound:
      return put(*found);
    case HashTable::Outcome::kAbsent:
      return jump();
    case HashTable::Outcome::kRaised:
      break;
  }
  return false;
}

/// `int(x)`, `str(x)`: one positional pattern is the value itself.
static bool matches_itself(const ClassObject& cls) {
  if (!cls.native) return false;
  static constexpr std::string_view kNames[] = {"bool",  "bytearray", "bytes", "dict",
                                                "float", "frozenset", "int",   "list",
                                                "set",   "str",       "tuple"};
  for (std::string_view one : kNames) {
    if (cls.name->text == one) return true;
  }
  return false;
}

bool Work::match_class() {
  Value subject = a();
  auto* cls = b().try_as<ClassObject>();
  if (!cls) return fail("TypeError", "called match pattern must be a type");
  if (!is_instance(subject, cls)) return jump();
  std::vector<Value> found;
  size_t positional = static_cast<size_t>(op.tail_count - op.keyword_count);
  Ref<TupleObject> names;
  if (positional > 0 && !(positional == 1 && matches_itself(*cls))) {
    Value* match_args = cls->lookup("__match_args__");
    if (match_args && match_args->is<TupleObject>()) {
      names = Ref<TupleObject>(match_args->as<TupleObject>());
    }
    size_t accepted = names ? names->items.size() : 0;
    if (accepted < positional) {
      return fail("TypeError",
                  fmt::format("{}() accepts {} positional sub-pattern{} ({} given)",
                              cls->name->text, accepted, accepted == 1 ? "" : "s", positional));
    }
  }
  for (size_t i = 0; i < op.tail_count; ++i) {
    if (i < positional && !names) {
      found.push_back(subject);
      continue;
    }
    const Value& key =
        i < positional ? names->items[i] : at(op.keywords).as<TupleObject>()->items[i - positional];
    Value value = find_attribute(in, subject, intern(view_of(key)));
    if (value.is_undefined()) return in.raised() ? false : jump();
    found.push_back(std::move(value));
  }
  return put(Value(make_tuple(std::move(found))));
}

bool Work::display() {
  if (a().is_none()) return true;
  std::string text;
  if (!repr_of(in, Value(a()), text)) return false;
  if (!written(in, in.output().write_value(Value(a()), text)) || in.raised()) return false;
  in.builtins().set("_", a());
  return true;
}

}  // namespace glint::runtime
