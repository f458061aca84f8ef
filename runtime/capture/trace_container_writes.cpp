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

Tracer::Step Trace::rewrite(const Value& container) {
  if (!note_contents(container)) return Step::kStop;
  journal_.touch(container);
  WriteKind kind = container.is<ListObject>() ? WriteKind::kSetItems : WriteKind::kSetEntries;
  journal_.make_whole(
      container,
      {.kind = kind, .target = outside_source(container), .object = container, .span = span_});
  return Step::kRun;
}

Tracer::Step Trace::clear_container(const Value& container) {
  Step step =
      journal_write(container, {.kind = WriteKind::kClear, .target = outside_source(container)});
  Journal::Written& written = journal_.touch(container);
  written.known = true;
  written.origins.clear();
  return step;
}

std::vector<int64_t>* Trace::origins_of(const Value& list) {
  Journal::Written& written = journal_.touch(list);
  return written.whole ? nullptr : &written.origins;
}

// ---- Instructions ------------------------------------------------------------------------------

Tracer::Step Trace::write_item(const Value& container, const Value& key, const Value& value) {
  if (container.is<ListObject>()) return write_list_item(container, key, value);
  return container.is<DictObject>() ? write_entry(container, key, value) : refuse_write(container);
}

Tracer::Step Trace::write_list_item(const Value& list, const Value& key, const Value& value) {
  if (!key.is_integral()) {
    bool iterator = value.is(kIteratorKind) || value.is(kGeneratorKind);
    if (!key.is<SliceObject>() || iterator) return refuse_write(list);
    return note_contents(value) ? rewrite(list) : Step::kStop;
  }
  note_length(list);
  auto length = static_cast<int64_t>(list.as<ListObject>()->items.size());
  int64_t position = key.as_int() < 0 ? key.as_int() + length : key.as_int();
  if (position < 0 || position >= length) return Step::kRun;  // an IndexError
  WriteKind kind = value.defined() ? WriteKind::kSetItem : WriteKind::kRemoveItem;
  Write write{.kind = kind, .target = outside_source(list), .key = Value(position)};
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

Tracer::Step Trace::write_entry(const Value& dict, const Value& key, const Value& value) {
  if (!is_plain_key(key)) return refuse_write(dict);
  note_key(key);
  SourceId target = outside_source(dict);
  if (value.defined())
    return journal_write(
        dict, {.kind = WriteKind::kSetEntry, .target = target, .key = key, .values = {value}});
  if (!journal_.wrote(dict.object(), key)) {
    if (!can_test(key, dict)) return refuse_write(dict);
    if (key_test(key, dict) == Step::kStop) return Step::kStop;
  }
  if (!find_key(dict, key)) return Step::kRun;  // a KeyError
  return journal_write(dict, {.kind = WriteKind::kDeleteEntry, .target = target, .key = key});
}

Tracer::Step Trace::operate_on_container(const Value& container, Opcode opcode,
                                         const Value& other) {
  if (!is_plain_container(container) || !note_contents(other)) return refuse_write(container);
  if (container.is<ListObject>() && opcode == Opcode::kAddInPlace)
    return extend_list(container, other);
  if (container.is<ListObject>()) return rewrite(container);
  bool joins = opcode == Opcode::kBitOrInPlace;
  if (container.is<DictObject>() && joins) return update_dict(container, other);
  return container.is<SetObject>() && joins ? update_set(container, other)
                                            : refuse_write(container);
}

// ---- Natives -----------------------------------------------------------------------------------

Tracer::Step Trace::extend_list(const Value& list, const Value& items) {
  if (!items_of(items)) return rewrite(list);
  std::vector<Value> values = *items_of(items);
  size_t count = values.size();
  Step step = journal_write(
      list,
      {.kind = WriteKind::kExtend, .target = outside_source(list), .values = std::move(values)});
  if (step != Step::kRun) return step;
  if (std::vector<int64_t>* origins = origins_of(list))
    origins->insert(origins->end(), count, Journal::kOwn);
  return Step::kRun;
}

Tracer::Step Trace::pop_item(const Value& list, const Value& position) {
  note_length(list);
  auto length = static_cast<int64_t>(list.as<ListObject>()->items.size());
  if (!position.is_integral()) return refuse_write(list);
  int64_t at = position.as_int() < 0 ? position.as_int() + length : position.as_int();
  if (at < 0 || at >= length) return Step::kRun;  // an IndexError
  const Journal::Written* written = journal_.written(list.object());
  int64_t origin = written ? written->known ? Journal::kOwn : written->origins[size_t(at)] : at;
  if (origin != Journal::kOwn) {
    SourceId item = sources_.child(outside_source(list), SourceKind::kItem, uint32_t(origin));
    if (!note_plain(list.as<ListObject>()->items[size_t(at)], item)) return Step::kStop;
  }
  return write_list_item(list, Value(at), Value());
}

Tracer::Step Trace::insert_item(const Value& list, const Value& position, const Value& value) {
  note_length(list);
  if (!position.is_integral()) return refuse_write(list);
  auto length = static_cast<int64_t>(list.as<ListObject>()->items.size());
  int64_t at = position.as_int() < 0 ? position.as_int() + length : position.as_int();
  at = std::clamp<int64_t>(at, 0, length);
  Step step = journal_write(list, {.kind = WriteKind::kInsert,
                                   .target = outside_source(list),
                                   .key = Value(at),
                                   .values = {value}});
  if (step != Step::kRun) return step;
  if (std::vector<int64_t>* origins = origins_of(list))
    origins->insert(origins->begin() + at, Journal::kOwn);
  return Step::kRun;
}

Tracer::Step Trace::pop_entry(const Value& dict, const Value& key) {
  Value* found = find_key(dict, key);
  if (found && !journal_.wrote(dict.object(), key)) {
    std::optional<SourceId> entry = entry_source(dict, key);
    if (entry && !note_plain(*found, *entry)) return Step::kStop;
  }
  return write_entry(dict, key, Value());
}

Tracer::Step Trace::update_dict(const Value& dict, const Value& other) {
  if (!is_plain_container(other) || !other.is<DictObject>()) return rewrite(dict);
  for (const auto& entry : other.as<DictObject>()->table.entries()) {
    if (entry.key.is_undefined()) continue;
    Step step = write_entry(dict, entry.key, entry.value);
    if (step != Step::kRun) return step;
  }
  return Step::kRun;
}

Tracer::Step Trace::change_set(const Value& set, WriteKind kind, const Value& element) {
  if (!is_plain_key(element)) return refuse_write(set);
  note_key(element);
  return journal_write(set, {.kind = kind, .target = outside_source(set), .key = element});
}

Tracer::Step Trace::remove_element(const Value& set, const Value& element) {
  bool known = is_plain_key(element) && journal_.wrote(set.object(), element);
  if (!known && !can_test(element, set)) return refuse_write(set);
  if (!known && key_test(element, set) == Step::kStop) return Step::kStop;
  if (!find_key(set, element)) return Step::kRun;  // a KeyError
  return change_set(set, WriteKind::kDiscard, element);
}

Tracer::Step Trace::update_set(const Value& set, const Value& elements) {
  std::vector<Value> all;
  if (const std::vector<Value>* items = items_of(elements)) all = *items;
  SetObject* other = as_any_set(elements);
  bool readable = items_of(elements) || (other && !is_outside(elements));
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
struct Trace::NativeWrites {
  using Rule = Step (*)(Trace& trace, const Value* arguments, size_t count);
  struct Row {
    ObjectKind kind;
    std::string_view name;
    Rule rule;
  };

  static Step rewrite(Trace& trace, const Value* arguments, size_t count) {
    return trace.rewrite(arguments[0]);
  }
  static Step clear(Trace& trace, const Value* arguments, size_t count) {
    return trace.clear_container(arguments[0]);
  }
  static Step append(Trace& trace, const Value* arguments, size_t count) {
    return trace.extend_list(arguments[0], Value(make_tuple({arguments[1]})));
  }
  static Step extend(Trace& trace, const Value* arguments, size_t count) {
    return trace.extend_list(arguments[0], arguments[1]);
  }
  static Step insert(Trace& trace, const Value* arguments, size_t count) {
    return trace.insert_item(arguments[0], arguments[1], arguments[2]);
  }
  static Step pop_item(Trace& trace, const Value* arguments, size_t count) {
    return trace.pop_item(arguments[0], arguments[1]);
  }
  static Step set_item(Trace& trace, const Value* arguments, size_t count) {
    return trace.write_item(arguments[0], arguments[1], arguments[2]);
  }
  static Step delete_item(Trace& trace, const Value* arguments, size_t count) {
    return trace.write_item(arguments[0], arguments[1], Value());
  }
  static Step pop_entry(Trace& trace, const Value* arguments, size_t count) {
    return trace.pop_entry(arguments[0], arguments[1]);
  }
  static Step update_dict(Trace& trace, const Value* arguments, size_t count) {
    auto* keywords = count > 2 ? arguments[2].try_as<DictObject>() : nullptr;
    if (arguments[1].defined()) {
      Step step = trace.update_dict(arguments[0], arguments[1]);
      if (step != Step::kRun) return step;
    }
    return keywords ? trace.update_dict(arguments[0], arguments[2]) : Step::kRun;
  }
  static Step set_default(Trace& trace, const Value* arguments, size_t count) {
    const Value& dict = arguments[0];
    const Value& key = arguments[1];
    if (!trace.can_test(key, dict)) return trace.refuse_write(dict);
    bool own = trace.journal_.wrote(dict.object(), key);
    Value* found = find_key(dict, key);
    if (found && own) return Step::kRun;
    if (!found) {
      if (!own && trace.key_test(key, dict) == Step::kStop) return Step::kStop;
      return trace.write_entry(dict, key, arguments[2]);
    }
    if (trace.journal_.written(dict.object())) trace.note_key(key);
    return trace.note_plain(*found, *trace.entry_source(dict, key)) ? Step::kRun : Step::kStop;
  }
  static Step add(Trace& trace, const Value* arguments, size_t count) {
    return trace.change_set(arguments[0], WriteKind::kAdd, arguments[1]);
  }
  static Step discard(Trace& trace, const Value* arguments, size_t count) {
    return trace.change_set(arguments[0], WriteKind::kDiscard, arguments[1]);
  }
  static Step remove(Trace& trace, const Value* arguments, size_t count) {
    return trace.remove_element(arguments[0], arguments[1]);
  }
  static Step update_set(Trace& trace, const Value* arguments, size_t count) {
    for (const Value& other : arguments[1].as<TupleObject>()->items) {
      Step step = trace.update_set(arguments[0], other);
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

Tracer::Step Trace::write_by_native(const NativeFunctionObject& native, const Value* arguments,
                                    size_t count) {
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
    return stop(DiagnosticId::kBreakMutation,
                fmt::format("`{}` changes `{}`", name, sources_.text(outside_source(object))));
  }
  return row->rule(*this, arguments, count);
}

}  // namespace glint::capture
