// The instructions that never push a frame: variables, displays, formats, imports, patterns.
#include <fmt/format.h>

#include "runtime/interpreter/machine.h"

namespace glint::runtime {

using program::Opcode;

namespace {

/// One instruction at work; each method does one opcode's job and gives false if it raised.
class Work {
 public:
  Work(Interpreter& interpreter, Frame& frame_at, Op& op_at)
      : in(interpreter), frame(frame_at), op(op_at), code(*frame_at.code) {}

  bool run();

 private:
  const Value& at(int32_t index) const {
    return operand(frame.registers, code.constants.data(), index);
  }
  const Value& a() const { return at(op.a); }
  const Value& b() const { return at(op.b); }
  const Value& c() const { return at(op.c); }
  StrObject* name() const { return code.names[op.immediate].get(); }
  bool put(Value value) {
    if (value.is_undefined()) return false;
    frame.registers[op.result].swap(value);
    return true;
  }
  /// `Machine::op_simple` adds one.
  bool jump() {
    frame.pc = code.code(frame.traced) + op.immediate - 1;
    return true;
  }
  bool fail(std::string_view exception, std::string message) {
    in.raise(exception, std::move(message));
    return false;
  }
  std::vector<Value> tail() const {
    std::vector<Value> values;
    values.reserve(op.tail_count);
    for (size_t i = 0; i < op.tail_count; ++i)
      values.push_back(at(code.operands[op.tail_begin + i]));
    return values;
  }

  bool global();
  bool set_global();
  bool delete_global();
  bool name_in_namespace();
  bool unbound(const std::string& variable, bool free);
  bool cell();
  bool unpack();
  bool unpack_star();
  bool dict();
  bool extend_list();
  bool update_set();
  bool update_dict();
  bool merge_keywords();
  bool format();
  bool join();
  bool function();
  bool super();
  bool match_exception();
  bool end_handler();
  bool import_from();
  bool import_star();
  bool match_sequence();
  bool match_key();
  bool match_class();
  bool display();

  Interpreter& in;
  Frame& frame;
  Op& op;
  FunctionCode& code;
};

bool Work::run() {
  switch (op.opcode) {
    case Opcode::kGlobal:
      return global();
    case Opcode::kSetGlobal:
      return set_global();
    case Opcode::kDeleteGlobal:
      return delete_global();
    case Opcode::kName:
      return name_in_namespace();
    case Opcode::kSetName:
      frame.owned.as<DictObject>()->set(code.names[op.immediate], a());
      return true;
    case Opcode::kDeleteName:
      if (frame.owned.as<DictObject>()->erase(name())) return true;
      return fail("NameError", fmt::format("name '{}' is not defined", name()->text));
    case Opcode::kMakeCell:
      frame.cells[op.immediate] = make_ref<CellObject>(op.a == kNoOperand ? Value() : Value(a()));
      return true;
    case Opcode::kCell:
      return cell();
    case Opcode::kSetCell:
      frame.cells[op.immediate] = make_ref<CellObject>(a());
      return true;
    case Opcode::kDeleteCell:
      if (!frame.cells[op.immediate] || frame.cells[op.immediate]->value.is_undefined()) {
        return cell();
      }
      frame.cells[op.immediate]->value = Value();
      return true;
    case Opcode::kDeleteLocal: {
      if (a().is_undefined()) return unbound(code.program->local_names[op.immediate], false);
      Value dead = std::move(frame.registers[op.a]);
      return true;
    }
    case Opcode::kCheckBound:
      return unbound(code.program->local_names[op.immediate], false);
    case Opcode::kDeleteAttribute:
      return delete_attribute(in, Value(a()), code.names[op.immediate]);
    case Opcode::kDeleteItem:
      return delete_item(in, Value(a()), Value(b()));
    case Opcode::kSlice: {
      auto part = [&](int32_t index) { return index == kNoOperand ? Value::none() : at(index); };
      return put(Value(make_ref<SliceObject>(part(op.a), part(op.b), part(op.c))));
    }
    case Opcode::kUnpack:
      return unpack();
    case Opcode::kUnpackStar:
      return unpack_star();
    case Opcode::kList:
      return put(Value(make_list(tail())));
    case Opcode::kTuple:
      return put(Value(make_tuple(tail())));
    case Opcode::kSet: {
      auto set = make_ref<SetObject>();
      for (const Value& item : tail()) {
        if (set->table.set(item, Value::none()) == HashTable::Outcome::kRaised) return false;
      }
      return put(Value(std::move(set)));
    }
    case Opcode::kDict:
      return dict();
    case Opcode::kListExtend:
      return extend_list();
    case Opcode::kListToTuple:
      return put(Value(make_tuple(a().as<ListObject>()->items)));
    case Opcode::kSetAdd:
      return a().as<SetObject>()->table.set(b(), Value::none()) != HashTable::Outcome::kRaised;
    case Opcode::kSetUpdate:
      return update_set();
    case Opcode::kDictInsert:
      return a().as<DictObject>()->table.set(b(), c()) != HashTable::Outcome::kRaised;
    case Opcode::kDictUpdate:
      return update_dict();
    case Opcode::kDictMerge:
      return merge_keywords();
    case Opcode::kFormat:
      return format();
    case Opcode::kJoin:
      return join();
    case Opcode::kFunction:
      return function();
    case Opcode::kSuper:
      return super();
    case Opcode::kMatchException:
      return match_exception();
    case Opcode::kEndHandler:
      return end_handler();
    case Opcode::kImport:
      return put(in.import_module(name()->text));
    case Opcode::kImportFrom:
      return import_from();
    case Opcode::kImportStar:
      return import_star();
    case Opcode::kMatchSequence:
      return match_sequence();
    case Opcode::kMatchMapping:
      return put(Value(a().is<DictObject>()));
    case Opcode::kMatchKey:
      return match_key();
    case Opcode::kMatchClass:
      return match_class();
    case Opcode::kDisplay:
      return display();
    default:
      glint::fail("an instruction without an implementation");
  }
}

// ---- Variables ---------------------------------------------------------------------------------

bool Work::global() {
  HashTable& globals = frame.globals->table;
  int64_t index = globals.index_of(name());
  if (index >= 0) {
    op.cache_key = globals.keys_version();
    op.cache_index = static_cast<uint32_t>(index);
    op.cache_pointer = nullptr;
    return put(globals.entry(op.cache_index).value);
  }
  HashTable& builtins = in.builtins().table;
  index = builtins.index_of(name());
  if (index < 0) {
    return fail("NameError", fmt::format("name '{}' is not defined", name()->text));
  }
  op.cache_key = globals.keys_version();
  op.cache_index = static_cast<uint32_t>(index);
  op.cache_pointer = reinterpret_cast<void*>(builtins.keys_version());
  return put(builtins.entry(op.cache_index).value);
}

bool Work::set_global() {
  HashTable& globals = frame.globals->table;
  globals.set(name(), a());
  op.cache_index = static_cast<uint32_t>(globals.index_of(name()));
  op.cache_key = globals.keys_version();
  return true;
}

bool Work::delete_global() {
  if (frame.globals->erase(name())) return true;
  return fail("NameError", fmt::format("name '{}' is not defined", name()->text));
}

bool Work::name_in_namespace() {
  if (Value* found = frame.owned.as<DictObject>()->find(name())) return put(*found);
  return global();
}

bool Work::unbound(const std::string& variable, bool free) {
  if (free) {
    return fail("NameError",
                fmt::format("cannot access free variable '{}' where it is not associated with a "
                            "value in enclosing scope",
                            variable));
  }
  return fail("UnboundLocalError",
              fmt::format("cannot access local variable '{}' where it is not associated with a "
                          "value",
                          variable));
}

bool Work::cell() {
  auto& holder = frame.cells[op.immediate];
  if (holder && holder->value.defined()) return put(holder->value);
  const auto& info = code.program->cells[op.immediate];
  return unbound(info.name, info.is_free);
}

// ---- Unpacking and displays --------------------------------------------------------------------

bool Work::unpack() {
  size_t wanted = op.tail_count;
  const int32_t* targets = code.operands.data() + op.tail_begin;
  Value source = a();
  const std::vector<Value>* direct = nullptr;
  if (source.is<TupleObject>()) direct = &source.as<TupleObject>()->items;
  if (source.is<ListObject>()) direct = &source.as<ListObject>()->items;
  if (direct && direct->size() == wanted) {
    for (size_t i = 0; i < wanted; ++i) frame.registers[targets[i]] = (*direct)[i];
    return true;
  }
  std::vector<Value> items;
  if (direct) {
    items = *direct;
  } else {
    Value iterator = iterator_of(in, source);
    if (iterator.is_undefined()) {
      if (!in.pending_is("TypeError")) return false;
      in.take_pending();
      return fail("TypeError",
                  fmt::format("cannot unpack non-iterable {} object", type_name(source)));
    }
    for (Value item; items.size() <= wanted && (item = next_item(in, iterator)).defined();) {
      items.push_back(std::move(item));
    }
    if (in.raised()) return false;
  }
  if (items.size() < wanted) {
    return fail("ValueError", fmt::format("not enough values to unpack (expected {}, got {})",
                                          wanted, items.size()));
  }
  if (items.size() > wanted) {
    return fail("ValueError", fmt::format("too many values to unpack (expected {})", wanted));
  }
  for (size_t i = 0; i < wanted; ++i) frame.registers[targets[i]] = std::move(items[i]);
  return true;
}

bool Work::unpack_star() {
  std::vector<Value> items;
  Value source = a();
  if (!collect(in, source, items)) {
    if (!in.pending_is("TypeError")) return false;
    in.take_pending();
    return fail("TypeError",
                fmt::format("cannot unpack non-iterable {} object", type_name(source)));
  }
  size_t count = op.tail_count, star = op.immediate;
  if (items.size() + 1 < count) {
    return fail("ValueError",
                fmt::format("not enough values to unpack (expected at least {}, got {})", count - 1,
                            items.size()));
  }
  size_t rest = items.size() + 1 - count;
  const int32_t* targets = code.operands.data() + op.tail_begin;
  for (size_t i = 0, from = 0; i < count; ++i) {
    Value& target = frame.registers[targets[i]];
    if (i != star) {
      target = items[from++];
      continue;
    }
    auto begin = items.begin() + static_cast<std::ptrdiff_t>(from);
    target = Value(make_list({begin, begin + static_cast<std::ptrdiff_t>(rest)}));
    from += rest;
  }
  return true;
}

bool Work::dict() {
  Ref<DictObject> made = make_dict();
  std::vector<Value> values = tail();
  for (size_t i = 0; i + 1 < values.size(); i += 2) {
    if (made->table.set(values[i], values[i + 1]) == HashTable::Outcome::kRaised) return false;
  }
  return put(Value(std::move(made)));
}

bool Work::extend_list() {
  Value source = b();
  std::vector<Value> items;
  if (!collect(in, source, items)) {
    if (in.pending_is("TypeError") && !source.is<InstanceObject>()) {
      in.take_pending();
      return fail("TypeError",
                  fmt::format("Value after * must be an iterable, not {}", type_name(source)));
    }
    return false;
  }
  auto& list = a().as<ListObject>()->items;
  list.insert(list.end(), items.begin(), items.end());
  return true;
}

bool Work::update_set() {
  std::vector<Value> items;
  if (!collect(in, Value(b()), items)) return false;
  auto* set = a().as<SetObject>();
  for (const Value& item : items) {
    if (set->table.set(item, Value::none()) == HashTable::Outcome::kRaised) return false;
  }
  return true;
}

/// Calls `take(key, value)` for each item of a mapping.
template <class Take>
bool each_item(Interpreter& in, const Value& mapping, Take take) {
  if (auto* dict = mapping.try_as<DictObject>()) {
    for (size_t i = 0; i < dict->table.entries().size(); ++i) {
      HashTable::Entry entry = dict->table.entries()[i];
      if (entry.key.defined() && !take(entry.key, entry.value)) return false;
    }
    return true;
  }
  Value keys = in.call_method(mapping, "keys");
  std::vector<Value> items;
  if (keys.is_undefined() || !collect(in, keys, items)) return false;
  for (const Value& key : items) {
    Value value = get_item(in, mapping, key);
    if (value.is_undefined() || !take(key, value)) return false;
  }
  return true;
}

bool Work::update_dict() {
  Value mapping = b();
  Ref<DictObject> dict(a().as<DictObject>());
  bool is_mapping = mapping.is<DictObject>() || mapping.is<InstanceObject>();
  if (!is_mapping) {
    return fail("TypeError", fmt::format("'{}' object is not a mapping", type_name(mapping)));
  }
  return each_item(in, mapping, [&](const Value& key, const Value& value) {
    return dict->table.set(key, value) != HashTable::Outcome::kRaised;
  });
}

std::string callee_name(const Value& callee) {
  if (auto* function = callee.try_as<FunctionObject>()) {
    std::string module = is_str(function->module_name)
                             ? std::string(view_of(function->module_name)) + "."
                             : std::string();
    return module + function->qualified_name->text + "()";
  }
  if (auto* native = callee.try_as<NativeFunctionObject>()) return native->signature.name + "()";
  if (auto* bound = callee.try_as<BoundMethodObject>()) return callee_name(bound->function);
  if (auto* cls = callee.try_as<ClassObject>()) return cls->name->text + "()";
  return type_name(callee) + " object";
}

bool Work::merge_keywords() {
  Value mapping = b();
  Ref<DictObject> dict(a().as<DictObject>());
  if (!mapping.is<DictObject>() && !mapping.is<InstanceObject>()) {
    return fail("TypeError", fmt::format("{} argument after ** must be a mapping, not {}",
                                         callee_name(c()), type_name(mapping)));
  }
  return each_item(in, mapping, [&](const Value& key, const Value& value) {
    if (!key.is<StrObject>()) return fail("TypeError", "keywords must be strings");
    if (dict->find(key.as<StrObject>())) {
      return fail("TypeError", fmt::format("{} got multiple values for keyword argument '{}'",
                                           callee_name(c()), view_of(key)));
    }
    // Names of keywords compare by address in places: one object a name.
    dict->set(intern(view_of(key)), value);
    return true;
  });
}

// ---- Text --------------------------------------------------------------------------------------

bool Work::format() {
  Value value = a();
  std::string text;
  if (op.immediate == 'r' || op.immediate == 'a') {
    if (!repr_of(in, value, text)) return false;
    value = str_value(std::move(text));
  } else if (op.immediate == 's') {
    if (!str_of(in, value, text)) return false;
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

int matches(const Value& exception, const Value& wanted) {
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

bool Work::import_from() {
  Value module = a();
  Ref<StrObject> wanted = code.names[op.immediate];
  Value found = find_attribute(in, module, wanted);
  if (found.defined()) return put(std::move(found));
  if (in.raised()) return false;
  auto* object = module.try_as<ModuleObject>();
  if (object) {
    std::string full = object->name->text + "." + wanted->text;
    Value submodule = in.import_module(full);
    if (submodule.defined()) return put(std::move(submodule));
    if (!in.pending_is("ModuleNotFoundError")) return false;
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
bool matches_itself(const ClassObject& cls) {
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
  if (!cls) return fail("TypeError", "called match pattern must be a class");
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
  in.output().write_out(text + "\n");
  in.builtins().set("_", a());
  return true;
}

}  // namespace

bool Machine::simple(Interpreter& in, Frame& frame, Op& op) {
  return Work(in, frame, op).run();
}

}  // namespace glint::runtime
