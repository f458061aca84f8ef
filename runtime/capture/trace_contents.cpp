// What of a container from outside a region reads, and the guards that this takes.
//
//     for name in table: ...       keys      table: 'a', 'b', in that order
//     sum(sizes)                   length    sizes: 3 items; equals sizes[0]: 4, ...
//     sizes in [[4, 2], [1]]       likewise: a comparison looks into all that either side holds
//     d[(1, sizes)]                likewise: so does a hash
//
// A container of the region's own may hold containers from outside. Whoever looks into it (an
// operator, a native) looks into those too: `note_own_contents` finds them. What a native reads of
// its arguments, and of the items that it takes from an iterator, its declared effects say:
// everything, where they say nothing.

#include <fmt/format.h>

#include <algorithm>

#include "runtime/capture/keys.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/prepared.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// Whether a guard on keys says all about it: it is what it is, or that very object.
bool is_fixed_key(const Value& key) {
  if (!key.is_object()) return true;
  if (key.is(kStrKind) || key.is(kBytesKind) || key.is(kBigIntKind))
    return !key.as<Object>()->flag(Object::kSubclassed);
  return key.is(kDTypeKind) || key.is(kClassKind) || key.is(kModuleKind) ||
         key.is(kNativeFunctionKind);
}

}  // namespace

// ---- Lengths and keys --------------------------------------------------------------------------

bool ContainerReads::note_size(const Value& container) {
  if (!trace_.is_outside(container)) {
    if (!items_of(container)) trace_.note_keys(container);
    return true;
  }
  const Journal::Written* written = trace_.writes_.journal().written(container.object());
  // How many there are after a write depends on which of them were there before.
  bool changed = written && !written->known && !written->whole;
  bool keyed = container.is<DictObject>() || as_any_set(container);
  if (changed && keyed) return note_table(container);
  if (container.is(kDictViewKind)) {
    trace_.stop(DiagnosticId::kBreakUnsupportedValue,
                fmt::format("the length of a {} from outside is read", type_name(container)));
    return false;
  }
  return note_length(container);
}

bool ContainerReads::note_length(const Value& container) {
  if (!trace_.is_outside(container)) return true;
  SourceId source = trace_.outside_source(container);
  if (known_keys_.contains(source)) return true;
  const Journal::Written* written = trace_.writes_.journal().written(container.object());
  if (written && written->known) return true;
  int64_t length = -1;
  if (auto* list = container.try_as<ListObject>())
    length = static_cast<int64_t>(written ? written->before.values.size() : list->items.size());
  if (auto* tuple = container.try_as<TupleObject>())
    length = static_cast<int64_t>(tuple->items.size());
  if (auto* dict = container.try_as<DictObject>())
    length = static_cast<int64_t>(written ? written->before.table.size() : dict->size());
  if (SetObject* set = as_any_set(container))
    length = static_cast<int64_t>(written ? written->before.table.size() : set->table.size());
  if (length >= 0)
    trace_.add_guard({.kind = GuardKind::kLength, .source = source, .length = length});
  return true;
}

bool ContainerReads::note_table(const Value& container) {
  SourceId source = trace_.outside_source(container);
  const Journal::Written* written = trace_.writes_.journal().written(container.object());
  if ((written && written->known) || known_keys_.contains(source)) return true;
  const HashTable& table = written ? written->before.table : *table_of(container);
  std::vector<Value> keys;
  for (const auto& entry : table.entries()) {
    if (entry.key.is_undefined()) continue;
    if (!is_fixed_key(entry.key)) {
      trace_.stop(DiagnosticId::kBreakUnsupportedValue,
                  fmt::format("a {} from outside is read, which has a {} in it",
                              type_name(container), type_name(entry.key)));
      return false;
    }
    keys.push_back(entry.key);
  }
  known_keys_.insert(source);
  trace_.add_guard(
      {.kind = GuardKind::kKeys, .source = source, .expected = Value(make_tuple(std::move(keys)))});
  return true;
}

// ---- Contents ----------------------------------------------------------------------------------

bool ContainerReads::note_plain(const Value& value, SourceId source) {
  if (value.is<SliceObject>()) return trace_.definition_reads_.note_slice_plain(value, source);
  if (!value.is_int()) return trace_.note(value, source);
  // Read as it is: it cannot vary, even if its source does elsewhere.
  if (trace_.noted_sources_.insert(static_cast<uint32_t>(source)).second ||
      trace_.sizes_.of_source.contains(source))
    trace_.add_guard({.kind = GuardKind::kEquals, .source = source, .expected = value});
  return true;
}

bool ContainerReads::note_content(const Value& value, SourceId source, Contents read) {
  return note_plain(value, source) && note_own_content(value, read);
}

bool ContainerReads::note_own_content(const Value& value, Contents read) {
  return read != Contents::kAll || note_contents(value);
}

bool ContainerReads::note_list_contents(const Value& container, const std::vector<Value>& items,
                                        Contents read) {
  const Journal::Written* written = trace_.writes_.journal().written(container.object());
  for (size_t i = 0; i < items.size(); ++i) {
    if (read == Contents::kWalked && items[i].is_float()) continue;
    bool own = written && (written->known || written->origins[i] == Journal::kOwn);
    auto place = static_cast<uint32_t>(written && !own ? written->origins[i] : int64_t(i));
    SourceId source = trace_.outside_source(container);
    bool noted =
        own ? note_own_content(items[i], read)
            : note_content(items[i], trace_.sources_.child(source, SourceKind::kItem, place), read);
    if (!noted) return false;
  }
  return true;
}

bool ContainerReads::note_dict_contents(const Value& container, Contents read) {
  if (!note_table(container)) return false;
  if (read == Contents::kKeys) return true;
  const Journal::Written* written = trace_.writes_.journal().written(container.object());
  const HashTable& before = written ? written->before.table : container.as<DictObject>()->table;
  for (const auto& entry : before.entries()) {
    if (entry.key.is_undefined() || (written && written->known)) continue;
    std::optional<SourceId> item = trace_.entry_source(container, entry.key);
    if (!item) {
      trace_.stop(DiagnosticId::kBreakUnsupportedValue,
                  fmt::format("a dict from outside is read as a whole, with a {} as a key",
                              type_name(entry.key)));
      return false;
    }
    if (!note_content(entry.value, *item, read)) return false;
  }
  if (!written) return true;
  for (const Value& value : contents_of(container))
    if (!note_own_content(value, read)) return false;
  return true;
}

bool ContainerReads::note_contents(const Value& container, Contents read) {
  if (!container.is_object() || container.is(kTensorKind)) return true;
  if (read != Contents::kAll)
    return !trace_.is_outside(container) || note_outside_contents(container, read);
  // Each once, as they may hold one another.
  bool outermost = looked_into_.empty();
  bool noted = !looked_into_.insert(container.object()).second ||
               (trace_.is_outside(container) ? note_outside_contents(container, read)
                                             : note_own_contents(container));
  if (outermost) looked_into_.clear();
  return noted;
}

bool ContainerReads::note_own_contents(const Value& container) {
  auto noted = [&](const Value& item) { return note_contents(item); };
  if (const std::vector<Value>* items = items_of(container))
    return std::ranges::all_of(*items, noted);
  if (const HashTable* table = table_of(container)) {
    auto entry_noted = [&](const HashTable::Entry& entry) {
      return noted(entry.key) && noted(entry.value);
    };
    return std::ranges::all_of(table->entries(), entry_noted);
  }
  if (auto* slice = container.try_as<SliceObject>())
    return noted(slice->start) && noted(slice->stop) && noted(slice->step);
  auto* view = container.try_as<DictViewObject>();
  if (!view) return true;
  Value of(view->dict);
  bool keys = view->what == DictViewObject::What::kKeys && trace_.is_outside(of);
  return note_contents(of, keys ? Contents::kKeys : Contents::kAll);
}

bool ContainerReads::note_outside_contents(const Value& container, Contents read) {
  if (trace_.sources_.depth(trace_.outside_source(container)) > Trace::kDeepestSource) {
    trace_.stop(DiagnosticId::kBreakUnsupportedValue, "a value from outside is nested too deeply");
    return false;
  }
  if (const std::vector<Value>* items = items_of(container))
    return note_length(container) && note_list_contents(container, *items, read);
  if (container.is<DictObject>()) return note_dict_contents(container, read);
  if (as_any_set(container)) return note_table(container);
  if (container.is<SliceObject>())
    return trace_.definition_reads_.note_slice_plain(container, trace_.outside_source(container));
  bool opaque =
      container.is(kIteratorKind) || container.is(kGeneratorKind) || container.is(kDictViewKind);
  if (!opaque) return true;
  trace_.stop(DiagnosticId::kBreakUnsupportedValue,
              fmt::format("a {} from outside is read", type_name(container)));
  return false;
}

// ---- Natives -----------------------------------------------------------------------------------

ContainerReads::Contents ContainerReads::read_by(const NativeFunctionObject& native,
                                                 const Value* arguments, size_t place) const {
  const Effects& effects = native.effects;
  const Value& argument = arguments[place];
  if (effects.looks_up && place == 1) return Contents::kAll;
  if (effects.hands_out_items) return Contents::kItems;
  if (trace_.is_outside(argument)) return Contents::kAll;
  if (place == 0 && effects.spares_items) return Contents::kItems;
  if (effects.hashes == Hashes::kKeys)
    return argument.is<DictObject>() ? Contents::kItems : Contents::kAll;
  bool hands_on = effects.hands_on && effects.hashes != Hashes::kItems;
  return hands_on || effects.looks_at_kind ? Contents::kItems : Contents::kAll;
}

bool ContainerReads::note_handed(const NativeFunctionObject& native, const Value& value) {
  if (trace_.stopped_) return true;
  const Effects& effects = native.effects;
  const std::vector<Value>* pair = items_of(value);
  if (effects.hashes == Hashes::kKeys && pair)
    return note_contents(value, Contents::kItems) &&
           (pair->empty() || note_contents(pair->front()));
  bool hands_on = effects.hands_on && effects.hashes != Hashes::kItems;
  return hands_on || note_contents(value);
}

}  // namespace glint::capture
