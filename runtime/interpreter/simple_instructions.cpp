// The instructions that never push a frame: the table of them, variables, unpacking and displays.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>

#include "runtime/interpreter/left_out.h"
#include "runtime/interpreter/plain_values.h"
#include "runtime/interpreter/set_algebra.h"
#include "runtime/interpreter/simple_work.h"

namespace glint::runtime {

using program::Opcode;

/// The work of each opcode.
struct Work::Table {
  struct Row {
    Opcode opcode;
    bool (Work::*work)();
  };
  static constexpr Row kRows[] = {
      // Variables.
      {Opcode::kGlobal, &Work::global},
      {Opcode::kSetGlobal, &Work::set_global},
      {Opcode::kDeleteGlobal, &Work::delete_global},
      {Opcode::kName, &Work::name_in_namespace},
      {Opcode::kSetName, &Work::set_name},
      {Opcode::kDeleteName, &Work::delete_name},
      {Opcode::kMakeCell, &Work::make_cell},
      {Opcode::kCell, &Work::cell},
      {Opcode::kSetCell, &Work::set_cell},
      {Opcode::kDeleteCell, &Work::delete_cell},
      {Opcode::kDeleteLocal, &Work::delete_local},
      {Opcode::kCheckBound, &Work::check_bound},
      // Parts of objects.
      {Opcode::kDeleteAttribute, &Work::delete_attribute_of},
      {Opcode::kDeleteItem, &Work::delete_item_of},
      {Opcode::kSlice, &Work::slice},
      {Opcode::kUnpack, &Work::unpack},
      {Opcode::kUnpackStar, &Work::unpack_star},
      // Displays.
      {Opcode::kList, &Work::list},
      {Opcode::kTuple, &Work::tuple},
      {Opcode::kSet, &Work::set},
      {Opcode::kDict, &Work::dict},
      {Opcode::kListExtend, &Work::extend_list},
      {Opcode::kListToTuple, &Work::list_to_tuple},
      {Opcode::kSetAdd, &Work::add_to_set},
      {Opcode::kSetUpdate, &Work::update_set},
      {Opcode::kDictInsert, &Work::insert_in_dict},
      {Opcode::kDictUpdate, &Work::update_dict},
      {Opcode::kDictMerge, &Work::merge_keywords},
      {Opcode::kFormat, &Work::format},
      {Opcode::kJoin, &Work::join},
      // Definitions, handlers, imports, patterns.
      {Opcode::kFunction, &Work::function},
      {Opcode::kSuper, &Work::super},
      {Opcode::kMatchException, &Work::match_exception},
      {Opcode::kEndHandler, &Work::end_handler},
      {Opcode::kImport, &Work::import_module},
      {Opcode::kImportFrom, &Work::import_from},
      {Opcode::kImportStar, &Work::import_star},
      {Opcode::kMatchSequence, &Work::match_sequence},
      {Opcode::kMatchMapping, &Work::match_mapping},
      {Opcode::kMatchKey, &Work::match_key},
      {Opcode::kMatchClass, &Work::match_class},
      {Opcode::kDisplay, &Work::display},
  };

  static constexpr auto kByOpcode = [] {
    std::array<bool (Work::*)(), std::numeric_limits<uint8_t>::max() + 1> works{};
    for (const Row& row : kRows) works[static_cast<size_t>(row.opcode)] = row.work;
    return works;
  }();
};

bool Work::run() {
  auto work = Table::kByOpcode[static_cast<size_t>(op.opcode)];
  if (!work) glint::fail("an instruction without an implementation");
  return (this->*work)();
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
    return undefined_name();
  }
  op.cache_key = globals.keys_version();
  op.cache_index = static_cast<uint32_t>(index);
  op.cache_pointer = std::bit_cast<void*>(builtins.keys_version());
  return put(builtins.entry(op.cache_index).value);
}

bool Work::undefined_name() {
  const std::string hint = left_out_hint("builtins." + name()->text).value_or("");
  fail("NameError", fmt::format("name '{}' is not defined{}", name()->text, hint));
  in.note_sought(Ref<StrObject>(name()), Value(Ref<DictObject>(frame.globals)));
  return false;
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
  return undefined_name();
}

bool Work::name_in_namespace() {
  if (Value* found = frame.owned.as<DictObject>()->find(name())) return put(*found);
  return global();
}

bool Work::set_name() {
  frame.owned.as<DictObject>()->set(code.names[op.immediate], a());
  return true;
}

bool Work::delete_name() {
  if (frame.owned.as<DictObject>()->erase(name())) return true;
  return undefined_name();
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

bool Work::make_cell() {
  frame.cells[op.immediate] = make_ref<CellObject>(op.a == kNoOperand ? Value() : Value(a()));
  return true;
}

bool Work::set_cell() {
  frame.cells[op.immediate] = make_ref<CellObject>(a());
  return true;
}

bool Work::delete_cell() {
  if (!frame.cells[op.immediate] || frame.cells[op.immediate]->value.is_undefined()) return cell();
  frame.cells[op.immediate]->value = Value();
  return true;
}

bool Work::delete_local() {
  if (a().is_undefined()) return check_bound();
  Value dead = std::move(frame.registers[op.a]);
  return true;
}

bool Work::check_bound() {
  return unbound(code.program->local_names[op.immediate], false);
}

// ---- Parts of objects --------------------------------------------------------------------------

bool Work::delete_attribute_of() {
  return delete_attribute(in, Value(a()), code.names[op.immediate]);
}

bool Work::delete_item_of() {
  return delete_item(in, Value(a()), Value(b()));
}

bool Work::slice() {
  auto part = [&](int32_t index) { return index == kNoOperand ? Value::none() : at(index); };
  return put(Value(make_ref<SliceObject>(part(op.a), part(op.b), part(op.c))));
}

// ---- Unpacking and displays --------------------------------------------------------------------

bool Work::unpack() {
  size_t wanted = op.tail_count;
  const int32_t* targets = code.operands.data() + op.tail_begin;
  Value source = a();
  const std::vector<Value>* direct = items_of(source);
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
    while (items.size() <= wanted) {
      Value item = next_item(in, iterator);
      if (item.is_undefined()) break;
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

bool Work::list() {
  return put(Value(make_list(tail())));
}

bool Work::tuple() {
  return put(Value(make_tuple(tail())));
}

bool Work::list_to_tuple() {
  return put(Value(make_tuple(a().as<ListObject>()->items)));
}

bool Work::set() {
  auto made = make_ref<SetObject>();
  for (const Value& item : tail()) {
    if (made->table.set(item, Value::none()) == HashTable::Outcome::kRaised) return false;
  }
  auto is_constant = [](int32_t index) { return index < 0; };
  auto operands = std::span(code.operands).subspan(op.tail_begin, op.tail_count);
  if (op.tail_count < 3 || !std::ranges::all_of(operands, is_constant))
    return put(Value(std::move(made)));
  // CPython keeps such constants as a frozenset, which its compiler makes twice, the second time of
  // the first one's elements in order, and merges into an empty set.
  auto kept = make_ref<SetObject>();
  for (const auto& entry : made->table.entries())
    if (entry.key.defined()) kept->table.set(entry.key, entry.hash, Value::none());
  return put(Value(copy_of(*kept)));
}

bool Work::add_to_set() {
  return a().as<SetObject>()->table.set(b(), Value::none()) != HashTable::Outcome::kRaised;
}

bool Work::insert_in_dict() {
  return a().as<DictObject>()->table.set(b(), c()) != HashTable::Outcome::kRaised;
}

bool Work::dict() {
  Ref<DictObject> made = make_dict();
  std::vector<Value> values = tail();
  for (size_t i = 0; i + 1 < values.size(); i += 2) {
    if (made->table.set(values[i], values[i + 1]) == HashTable::Outcome::kRaised) return false;
  }
  return put(Value(std::move(made)));
}

static std::string callee_name(const Value& callee) {
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

bool Work::extend_list() {
  Value source = b();
  if (const std::vector<Value>* row = plain_row(source)) {
    auto& list = a().as<ListObject>()->items;
    list.insert(list.end(), row->begin(), row->end());
    return true;
  }
  std::vector<Value> items;
  if (!collect(in, source, items)) {
    if (in.pending_is("TypeError") && !source.is<InstanceObject>()) {
      in.take_pending();
      std::string what = op.c == kNoOperand ? "Value" : callee_name(c()) + " argument";
      return fail("TypeError",
                  fmt::format("{} after * must be an iterable, not {}", what, type_name(source)));
    }
    return false;
  }
  auto& list = a().as<ListObject>()->items;
  list.insert(list.end(), items.begin(), items.end());
  return true;
}

bool Work::update_set() {
  return add_all(in, *a().as<SetObject>(), Value(b()));
}

/// Calls `take(key, value)` for each item of a mapping.
template <class Take>
static bool each_item(Interpreter& in, const Value& mapping, Take take) {
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

bool Machine::simple(Interpreter& in, Frame& frame, Op& op) {
  return Work(in, frame, op).run();
}

}  // namespace glint::runtime
