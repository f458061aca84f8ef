// Writes to lists, dicts and sets from outside in a trace.
//
//     self.history.append(loss)      extend: how long the list is plays no part
//     window.pop(0)                  remove item 0: the length is guarded, and the item that is
//     given counts[k] = counts[k] + 1      set entry: only that entry is guarded names.sort() set
//     items: all that the list held is guarded
//
// Where the items of a written list lay at the region's entry is kept
// (`Journal::Written::origins`): what is read of it afterwards is found, and guarded, where it was.

#include <fmt/format.h>

#include <algorithm>

#include "runtime/capture/trace.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

bool is_plain_container(const Value& value) {
  bool container = value.is<ListObject>() || value.is<DictObject>() || value.is<SetObject>();
  return container && !value.as<Object>()->flag(Object::kSubclassed);
}

}  // namespace

Tracer::Step ObjectWrites::rewrite(const Value& container) {
  if (!trace_.containers_.note_contents(container)) return Step::kStop;
  journal_.touch(container);
  WriteKind kind = container.is<ListObject>() ? WriteKind::kSetItems : WriteKind::kSetEntries;
  journal_.make_whole(container, {.kind = kind,
                                  .target = trace_.outside_source(container),
                                  .object = container,
                                  .span = trace_.span_});
  return Step::kRun;
}

Tracer::Step ObjectWrites::clear_container(const Value& container) {
  Step step = journal_write(
      container, {.kind = WriteKind::kClear, .target = trace_.outside_source(container)});
  Journal::Written& written = journal_.touch(container);
  written.known = true;
  written.origins.clear();
  return step;
}

std::vector<int64_t>* ObjectWrites::origins_of(const Value& list) {
  Journal::Written& written = journal_.touch(list);
  return written.whole ? nullptr : &written.origins;
}

// ---- Instructions ------------------------------------------------------------------------------

Tracer::Step ObjectWrites::write_item(const Value& container, const Value& key,
                                      const Value& value) {
  if (container.is<ListObject>()) return write_list_item(container, key, value);
  return container.is<DictObject>() ? write_entry(container, key, value) : refuse_write(container);
}

Tracer::Step ObjectWrites::write_list_item(const Value& list, const Value& key,
                                           const Value& value) {
  if (!key.is_integral()) {
    bool iterator = value.is(kIteratorKind) || value.is(kGeneratorKind);
    if (!key.is<SliceObject>() || iterator) return refuse_write(list);
    return trace_.containers_.note_contents(value) ? rewrite(list) : Step::kStop;
  }
  trace_.containers_.note_length(list);
  auto length = static_cast<int64_t>(list.as<ListObject>()->items.size());
  int64_t position = key.as_int() < 0 ? key.as_int() + length : key.as_int();
  if (position < 0 || position >= length) return Step::kRun;  // an IndexError
  WriteKind kind = value.defined() ? WriteKind::kSetItem : WriteKind::kRemoveItem;
  Write write{.kind = kind, .target = trace_.outside_source(list), .key = Value(position)};
  if (value.defined()) write.values = {value};
  Step step = journal_write(list, std::move(write));
  if (step != Step::kRun) return step;
  std::vector<int64_t>* origins = origins_of(list);
  if (origins && value.defined())
    (*origins)[static_cast<size_t>(position)] = Journal::kOwn;
  else if (origins)
    origins->erase(origins->begin() + position);
  return Step::kRun;
}

Tracer::Step ObjectWrites::write_entry(const Value& dict, const Value& key, const Value& value) {
  if (!is_plain_key(key)) return refuse_write(dict);
  trace_.note_key(key);
  SourceId target = trace_.outside_source(dict);
  if (value.defined())
    return journal_write(
        dict, {.kind = WriteKind::kSetEntry, .target = target, .key = key, .values = {value}});
  if (!journal_.wrote(dict.object(), key)) {
    if (!trace_.can_test(key, dict)) return refuse_write(dict);
    if (trace_.key_test(key, dict) == Step::kStop) return Step::kStop;
  }
  if (!find_key(dict, key)) return Step::kRun;  // a KeyError
  return journal_write(dict, {.kind = WriteKind::kDeleteEntry, .target = target, .key = key});
}

Tracer::Step ObjectWrites::operate_on_container(const Value& container, Opcode opcode,
                                                const Value& other) {
  if (!is_plain_container(container) || !trace_.containers_.note_contents(other))
    return refuse_write(container);
  if (container.is<ListObject>() && opcode == Opcode::kAddInPlace)
    return extend_list(container, other);
  if (container.is<ListObject>()) return rewrite(container);
  bool joins = opcode == Opcode::kBitOrInPlace;
  if (container.is<DictObject>() && joins) return update_dict(container, other);
  return container.is<SetObject>() && joins ? update_set(container, other)
                                            : refuse_write(container);
}

// ---- Natives -----------------------------------------------------------------------------------

Tracer::Step ObjectWrites::extend_list(const Value& list, const Value& items) {
  if (!items_of(items)) return rewrite(list);
  std::vector<Value> values = *items_of(items);
  size_t count = values.size();
  Step step = journal_write(list, {.kind = WriteKind::kExtend,
                                   .target = trace_.outside_source(list),
                                   .values = std::move(values)});
  if (step != Step::kRun) return step;
  if (std::vector<int64_t>* origins = origins_of(list))
    origins->insert(origins->end(), count, Journal::kOwn);
  return Step::kRun;
}

Tracer::Step ObjectWrites::pop_item(const Value& list, const Value& position) {
  trace_.containers_.note_length(list);
  auto length = static_cast<int64_t>(list.as<ListObject>()->items.size());
  if (!position.is_integral()) return refuse_write(list);
  int64_t at = position.as_int() < 0 ? position.as_int() + length : position.as_int();
  if (at < 0 || at >= length) return Step::kRun;  // an IndexError
  const Journal::Written* written = journal_.written(list.object());
  int64_t origin = written ? written->known ? Journal::kOwn : written->origins[size_t(at)] : at;
  if (origin != Journal::kOwn) {
    SourceId item =
        trace_.sources_.child(trace_.outside_source(list), SourceKind::kItem, uint32_t(origin));
    if (!trace_.containers_.note_plain(list.as<ListObject>()->items[size_t(at)], item))
      return Step::kStop;
  }
  return write_list_item(list, Value(at), Value());
}

Tracer::Step ObjectWrites::insert_item(const Value& list, const Value& position,
                                       const Value& value) {
  trace_.containers_.note_length(list);
  if (!position.is_integral()) return refuse_write(list);
  auto length = static_cast<int64_t>(list.as<ListObject>()->items.size());
  int64_t at = position.as_int() < 0 ? position.as_int() + length : position.as_int();
  at = std::clamp<int64_t>(at, 0, length);
  Step step = journal_write(list, {.kind = WriteKind::kInsert,
                                   .target = trace_.outside_source(list),
                                   .key = Value(at),
                                   .values = {value}});
  if (step != Step::kRun) return step;
  if (std::vector<int64_t>* origins = origins_of(list))
    origins->insert(origins->begin() + at, Journal::kOwn);
  return Step::kRun;
}

Tracer::Step ObjectWrites::pop_entry(const Value& dict, const Value& key) {
  Value* found = find_key(dict, key);
  if (found && !journal_.wrote(dict.object(), key)) {
    std::optional<SourceId> entry = trace_.entry_source(dict, key);
    if (entry && !trace_.containers_.note_plain(*found, *entry)) return Step::kStop;
  }
  return write_entry(dict, key, Value());
}

Tracer::Step ObjectWrites::update_dict(const Value& dict, const Value& other) {
  if (!is_plain_container(other) || !other.is<DictObject>()) return rewrite(dict);
  for (const auto& entry : other.as<DictObject>()->table.entries()) {
    if (entry.key.is_undefined()) continue;
    Step step = write_entry(dict, entry.key, entry.value);
    if (step != Step::kRun) return step;
  }
  return Step::kRun;
}

Tracer::Step ObjectWrites::change_set(const Value& set, WriteKind kind, const Value& element) {
  if (!is_plain_key(element)) return refuse_write(set);
  trace_.note_key(element);
  return journal_write(set, {.kind = kind, .target = trace_.outside_source(set), .key = element});
}

Tracer::Step ObjectWrites::remove_element(const Value& set, const Value& element) {
  bool known = is_plain_key(element) && journal_.wrote(set.object(), element);
  if (!known && !trace_.can_test(element, set)) return refuse_write(set);
  if (!known && trace_.key_test(element, set) == Step::kStop) return Step::kStop;
  if (!find_key(set, element)) return Step::kRun;  // a KeyError
  return change_set(set, WriteKind::kDiscard, element);
}

Tracer::Step ObjectWrites::update_set(const Value& set, const Value& elements) {
  std::vector<Value> all;
  if (const std::vector<Value>* items = items_of(elements)) all = *items;
  SetObject* other = as_any_set(elements);
  bool readable = items_of(elements) || (other && !trace_.is_outside(elements));
  if (!readable) return refuse_write(set);
  for (size_t i = 0; other && i < other->table.entries().size(); ++i) {
    const Value& key = other->table.entries()[i].key;
    if (key.defined()) all.push_back(key);
  }
  for (const Value& element : all) {
    Step step = change_set(set, WriteKind::kAdd, element);
    if (step != Step::kRun) return step;
  }
  return Step::kRun;
}

/// The natives that change their first argument, by its type.
struct ObjectWrites::NativeWrites {
  using Rule = Step (*)(ObjectWrites& writes, const Value* arguments, size_t count);
  struct Row {
    ObjectKind kind;
    std::string_view name;
    Rule rule;
  };

  static Step rewrite(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.rewrite(arguments[0]);
  }
  static Step clear(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.clear_container(arguments[0]);
  }
  static Step append(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.extend_list(arguments[0], Value(make_tuple({arguments[1]})));
  }
  static Step extend(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.extend_list(arguments[0], arguments[1]);
  }
  static Step insert(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.insert_item(arguments[0], arguments[1], arguments[2]);
  }
  static Step pop_item(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.pop_item(arguments[0], arguments[1]);
  }
  static Step set_item(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.write_item(arguments[0], arguments[1], arguments[2]);
  }
  static Step delete_item(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.write_item(arguments[0], arguments[1], Value());
  }
  static Step pop_entry(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.pop_entry(arguments[0], arguments[1]);
  }
  static Step update_dict(ObjectWrites& writes, const Value* arguments, size_t count) {
    auto* keywords = count > 2 ? arguments[2].try_as<DictObject>() : nullptr;
    if (arguments[1].defined()) {
      Step step = writes.update_dict(arguments[0], arguments[1]);
      if (step != Step::kRun) return step;
    }
    return keywords ? writes.update_dict(arguments[0], arguments[2]) : Step::kRun;
  }
  static Step set_default(ObjectWrites& writes, const Value* arguments, size_t count) {
    const Value& dict = arguments[0];
    const Value& key = arguments[1];
    if (!writes.trace_.can_test(key, dict)) return writes.refuse_write(dict);
    bool own = writes.journal_.wrote(dict.object(), key);
    Value* found = find_key(dict, key);
    if (found && own) return Step::kRun;
    if (!found) {
      if (!own && writes.trace_.key_test(key, dict) == Step::kStop) return Step::kStop;
      return writes.write_entry(dict, key, arguments[2]);
    }
    if (writes.journal_.written(dict.object())) writes.trace_.note_key(key);
    return writes.trace_.containers_.note_plain(*found, *writes.trace_.entry_source(dict, key))
               ? Step::kRun
               : Step::kStop;
  }
  static Step add(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.change_set(arguments[0], WriteKind::kAdd, arguments[1]);
  }
  static Step discard(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.change_set(arguments[0], WriteKind::kDiscard, arguments[1]);
  }
  static Step remove(ObjectWrites& writes, const Value* arguments, size_t count) {
    return writes.remove_element(arguments[0], arguments[1]);
  }
  static Step update_set(ObjectWrites& writes, const Value* arguments, size_t count) {
    for (const Value& other : arguments[1].as<TupleObject>()->items) {
      Step step = writes.update_set(arguments[0], other);
      if (step != Step::kRun) return step;
    }
    return Step::kRun;
  }

  static constexpr Row kRows[] = {
      {kListKind, "append", append},
      {kListKind, "extend", extend},
      {kListKind, "insert", insert},
      {kListKind, "pop", pop_item},
      {kListKind, "remove", rewrite},
      {kListKind, "clear", clear},
      {kListKind, "reverse", rewrite},
      {kListKind, "sort", rewrite},
      {kListKind, "__setitem__", set_item},
      {kListKind, "__delitem__", delete_item},
      {kDictKind, "setdefault", set_default},
      {kDictKind, "pop", pop_entry},
      {kDictKind, "popitem", rewrite},
      {kDictKind, "update", update_dict},
      {kDictKind, "clear", clear},
      {kDictKind, "__setitem__", set_item},
      {kDictKind, "__delitem__", delete_item},
      {kSetKind, "add", add},
      {kSetKind, "discard", discard},
      {kSetKind, "remove", remove},
      {kSetKind, "update", update_set},
      {kSetKind, "clear", clear},
  };
};

Tracer::Step ObjectWrites::write_by_native(const NativeFunctionObject& native,
                                           const Value* arguments, size_t count) {
  const Value& object = arguments[0];
  const std::string& name = native.signature.name;
  bool sets = name == "__setattr__" || name == "setattr";
  if (sets && arguments[1].is<StrObject>()) {
    auto* instance = object.try_as<InstanceObject>();
    bool hooked = name == "setattr" && instance &&
                  instance->cls->special(Special::kSetAttr).is<FunctionObject>();
    Ref<StrObject> attribute = intern(arguments[1].as<StrObject>()->view());
    return hooked ? refuse_attribute(object) : write_own_attribute(object, attribute, arguments[2]);
  }
  const auto* row = std::ranges::find_if(NativeWrites::kRows, [&](const auto& each) {
    return object.is(each.kind) && each.name == name;
  });
  if (row == std::end(NativeWrites::kRows)) {
    return trace_.stop(DiagnosticId::kBreakMutation,
                       fmt::format("`{}` changes `{}`", name,
                                   trace_.sources_.text(trace_.outside_source(object))));
  }
  return row->rule(*this, arguments, count);
}

}  // namespace glint::capture
