// list: how it is made, and its methods.
#include <algorithm>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_sorting.h"

namespace glint::runtime {
namespace {

ListObject& self_of(NativeCall& call) {
  return *call[0].as<ListObject>();
}
void written(ListObject& list) {
  ++list.version;
}

Value construct_list(NativeCall& call) {
  std::vector<Value> items;
  if (given(call[0]) && !collect(call.interpreter, call[0], items)) return Value();
  return Value(make_list(std::move(items)));
}

Value allocate_list(Interpreter&, ClassObject* cls) {
  Ref<ListObject> list = make_list();
  mark_subclassed(list.get(), cls);
  return Value(std::move(list));
}

Value list_init(NativeCall& call) {
  std::vector<Value> items;
  if (given(call[1]) && !collect(call.interpreter, call[1], items)) return Value();
  self_of(call).items = std::move(items);
  written(self_of(call));
  return Value::none();
}

Value list_append(NativeCall& call) {
  self_of(call).items.push_back(call[1]);
  written(self_of(call));
  return Value::none();
}

Value list_extend(NativeCall& call) {
  std::vector<Value> items;
  if (!collect(call.interpreter, call[1], items)) return Value();
  auto& own = self_of(call).items;
  own.insert(own.end(), std::make_move_iterator(items.begin()),
             std::make_move_iterator(items.end()));
  written(self_of(call));
  return Value::none();
}

Value list_insert(NativeCall& call) {
  int64_t index = 0;
  if (!int_argument(call, 1, index)) return Value();
  auto& items = self_of(call).items;
  index = clamp_index(index, static_cast<int64_t>(items.size()));
  items.insert(items.begin() + index, call[2]);
  written(self_of(call));
  return Value::none();
}

Value list_pop(NativeCall& call) {
  auto& items = self_of(call).items;
  int64_t index = -1;
  if (!int_argument(call, 1, index)) return Value();
  if (items.empty()) return call.raise("IndexError", "pop from empty list");
  if (index < 0) index += static_cast<int64_t>(items.size());
  if (index < 0 || index >= static_cast<int64_t>(items.size()))
    return call.raise("IndexError", "pop index out of range");
  Value item = std::move(items[static_cast<size_t>(index)]);
  items.erase(items.begin() + index);
  written(self_of(call));
  return item;
}

/// The place of the first item equal to `call[1]` in [start, stop), -1 if there is none, -2 if a
/// comparison raised.
int64_t place_of(NativeCall& call, int64_t start, int64_t stop) {
  ListObject& list = self_of(call);
  for (int64_t i = start; i < std::min(stop, static_cast<int64_t>(list.items.size())); ++i) {
    Value item = list.items[static_cast<size_t>(i)];
    int same = item.identical(call[1]) ? 1 : equals(call.interpreter, item, call[1]);
    if (same < 0) return -2;
    if (same) return i;
  }
  return -1;
}

Value list_remove(NativeCall& call) {
  int64_t place = place_of(call, 0, INT64_MAX);
  if (place == -2) return Value();
  if (place == -1) return call.raise("ValueError", "list.remove(x): x not in list");
  auto& items = self_of(call).items;
  if (place < static_cast<int64_t>(items.size())) items.erase(items.begin() + place);
  written(self_of(call));
  return Value::none();
}

Value list_index(NativeCall& call) {
  int64_t start = 0, stop = 0;
  if (!bounds_arguments(call, 2, static_cast<int64_t>(self_of(call).items.size()), start, stop))
    return Value();
  int64_t place = place_of(call, start, stop);
  if (place >= 0) return int_value(place);
  if (place == -2) return Value();
  std::string text;
  if (!repr_of(call.interpreter, call[1], text)) return Value();
  return call.raise("ValueError", text + " is not in list");
}

Value list_count(NativeCall& call) {
  int64_t count = 0;
  for (size_t i = 0; i < self_of(call).items.size(); ++i) {
    Value item = self_of(call).items[i];
    int same = item.identical(call[1]) ? 1 : equals(call.interpreter, item, call[1]);
    if (same < 0) return Value();
    count += same;
  }
  return int_value(count);
}

Value list_reverse(NativeCall& call) {
  std::reverse(self_of(call).items.begin(), self_of(call).items.end());
  written(self_of(call));
  return Value::none();
}
Value list_clear(NativeCall& call) {
  std::vector<Value> items = std::move(self_of(call).items);
  self_of(call).items.clear();
  written(self_of(call));
  return Value::none();
}
Value list_copy(NativeCall& call) {
  return Value(make_list(self_of(call).items));
}

Value list_sort(NativeCall& call) {
  int reverse = truth(call.interpreter, call[2]);
  if (reverse < 0) return Value();
  return sort_list(call, Ref<ListObject>(&self_of(call)), call[1], reverse == 1, false);
}

// By name only, `x.__setitem__(0, 1)`; subscripts do not come here.
bool place_argument(NativeCall& call, int64_t& index) {
  if (!int_argument(call, 1, index)) return false;
  auto size = static_cast<int64_t>(self_of(call).items.size());
  if (index < 0) index += size;
  if (index >= 0 && index < size) return true;
  call.raise("IndexError", "list index out of range");
  return false;
}
Value list_getitem(NativeCall& call) {
  if (auto* slice = call[1].try_as<SliceObject>()) {
    SliceIndices indices;
    Ref<SliceObject> plain = with_plain_bounds(*slice);
    if (!plain) return Value();
    auto& items = self_of(call).items;
    if (!resolve_slice(*plain, static_cast<int64_t>(items.size()), indices)) return Value();
    std::vector<Value> part;
    for (int64_t i = 0; i < indices.length; ++i)
      part.push_back(items[static_cast<size_t>(indices.start + i * indices.step)]);
    return Value(make_list(std::move(part)));
  }
  int64_t index = 0;
  return place_argument(call, index) ? self_of(call).items[static_cast<size_t>(index)] : Value();
}
Value list_setitem(NativeCall& call) {
  int64_t index = 0;
  if (!place_argument(call, index)) return Value();
  self_of(call).items[static_cast<size_t>(index)] = call[2];
  written(self_of(call));
  return Value::none();
}
Value list_delitem(NativeCall& call) {
  int64_t index = 0;
  if (!place_argument(call, index)) return Value();
  self_of(call).items.erase(self_of(call).items.begin() + index);
  written(self_of(call));
  return Value::none();
}
Value list_len(NativeCall& call) {
  return int_value(static_cast<int64_t>(self_of(call).items.size()));
}
Value list_contains(NativeCall& call) {
  int64_t place = place_of(call, 0, INT64_MAX);
  return place == -2 ? Value() : Value(place >= 0);
}
Value list_iter(NativeCall& call) {
  return Value(make_ref<ListIterator>(Ref<ListObject>(&self_of(call))));
}

constexpr Effects kReadsItems{.pure = true, .reads_elements = true, .calls_back = true};
constexpr Effects kSearches{
    .pure = true, .reads_elements = true, .calls_back = true, .searches = true};
constexpr Effects kMutates{.mutates = true};
constexpr Effects kSparesItems{.mutates = true, .spares_items = true};

constexpr NativeDefinition kMethods[] = {
    {"__init__(self, iterable=..., /)",
     list_init,
     {.reads_elements = true,
      .mutates = true,
      .advances_iterator = true,
      .hands_on = true,
      .takes_varying = true},
     "fills the list"},
    {"__getitem__(self, index, /)", list_getitem, kReadsItems, "an item"},
    {"__setitem__(self, index, value, /)", list_setitem, kSparesItems, "replaces an item"},
    {"__delitem__(self, index, /)", list_delitem, kMutates, "removes an item"},
    {"__len__(self, /)",
     list_len,
     {.pure = true, .reads_length = true, .spares_items = true},
     "the number of items"},
    {"__contains__(self, value, /)", list_contains, kSearches, "whether there is such an item"},
    {"__iter__(self, /)",
     list_iter,
     {.pure = true, .reads_elements = true, .calls_back = true, .hands_on = true},
     "an iterator over the items"},
    {"append(self, object, /)",
     list_append,
     {.mutates = true, .hands_on = true, .takes_varying = true},
     "adds an item at the end"},
    {"extend(self, iterable, /)",
     list_extend,
     {.reads_elements = true,
      .mutates = true,
      .calls_back = true,
      .advances_iterator = true,
      .hands_on = true,
      .takes_varying = true},
     "adds the items of an iterable at the end"},
    {"insert(self, index, object, /)",
     list_insert,
     {.mutates = true, .hands_on = true, .takes_varying = true, .looks_up = true},
     "puts an item before an index"},
    {"pop(self, index=-1, /)",
     list_pop,
     {.reads_elements = true, .mutates = true, .spares_items = true},
     "removes and returns an item, the last by default"},
    {"remove(self, value, /)",
     list_remove,
     {.reads_elements = true, .mutates = true, .calls_back = true, .searches = true},
     "removes the first such item"},
    {"index(self, value, start=None, stop=None, /)", list_index, kSearches,
     "the place of the first such item"},
    {"count(self, value, /)", list_count, kSearches, "how many items are equal to a value"},
    {"reverse(self, /)", list_reverse, kSparesItems, "reverses the list in place"},
    {"clear(self, /)", list_clear, kSparesItems, "removes all items"},
    {"copy(self, /)",
     list_copy,
     {.pure = true, .reads_elements = true, .spares_items = true},
     "a new list, same items"},
    {"sort(self, /, *, key=None, reverse=False)",
     list_sort,
     {.reads_elements = true, .mutates = true, .calls_back = true},
     "sorts the list in place"},
};

}  // namespace

void install_list(Interpreter& in) {
  ClassObject& cls = *in.classes().list;
  set_constructor(cls, {"list(iterable=..., /)",
                        construct_list,
                        {.pure = true,
                         .reads_elements = true,
                         .calls_back = true,
                         .advances_iterator = true,
                         .hands_on = true},
                        "a new list of the items of an iterable"});
  cls.allocate = allocate_list;
  in.add_methods(cls, kMethods);
}

}  // namespace glint::runtime
