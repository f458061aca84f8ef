// sorted, list.sort, min and max.
//
// Keys are computed first, by a resumable state where a key function is given, so that its calls
// are ordinary frames. Then the places of the keys are sorted, stably: keys that are all ints, all
// floats or all strs compare directly (ints that lie close together are counted instead). Rows,
// that is tuples or lists, are sorted so by their first items, then those with equal first items by
// their second ones. All others are merge-sorted through `less_than`, which may run script code and
// may raise.
//
//     [(1, "b"), (0, "c"), (1, "a")]      by 1, 0, 1; then the two behind 1 by "b", "a"
#include "runtime/interpreter/builtins_sorting.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "runtime/interpreter/plain_values.h"

namespace glint::runtime {
namespace {

/// Merge sort that stays inside its memory whatever `before` answers (NaN, a broken `__lt__`).
/// `before` gives 1, 0, or -1 to stop.
template <class Before>
bool merge_sort(std::span<size_t> result, Before before) {
  constexpr size_t kRun = 8;
  std::vector<size_t> order(result.begin(), result.end());
  size_t count = order.size();
  for (size_t begin = 0; begin < count; begin += kRun) {
    size_t end = std::min(begin + kRun, count);
    for (size_t i = begin + 1; i < end; ++i) {
      size_t item = order[i];
      size_t place = i;
      for (; place > begin; --place) {
        int less = before(item, order[place - 1]);
        if (less < 0) return false;
        if (!less) break;
        order[place] = order[place - 1];
      }
      order[place] = item;
    }
  }
  std::vector<size_t> other(count);
  for (size_t width = kRun; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      size_t middle = std::min(begin + width, count);
      size_t end = std::min(begin + 2 * width, count);
      size_t left = begin, right = middle;
      for (size_t out = begin; out < end; ++out) {
        bool take_right = false;
        if (left < middle && right < end) {
          int less = before(order[right], order[left]);
          if (less < 0) return false;
          take_right = less != 0;
        } else {
          take_right = left >= middle;
        }
        other[out] = order[take_right ? right++ : left++];
      }
    }
    order.swap(other);
  }
  std::copy(order.begin(), order.end(), result.begin());
  return true;
}

/// A str's first eight bytes as a number, which decides most comparisons, and the whole.
struct Text {
  uint64_t head = 0;
  std::string_view whole;
  explicit Text(std::string_view text) : whole(text) {
    for (size_t i = 0; i < 8; ++i)
      head = head << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  }
  bool operator<(const Text& other) const {
    return head != other.head ? head < other.head : whole < other.whole;
  }
  bool operator==(const Text& other) const { return whole == other.whole; }
};

/// A key and its place in the list.
template <class Key>
struct Placed {
  Key key;
  size_t place;
};

/// Ints that lie close together: one counting pass for each 11 bits of their distance from the
/// least, lowest first. False if it would take more than three.
bool radix_sort(std::vector<Placed<int64_t>>& items) {
  constexpr unsigned kBits = 11;
  constexpr size_t kBuckets = size_t{1} << kBits;
  auto [least, greatest] = std::minmax_element(
      items.begin(), items.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  auto base = static_cast<uint64_t>(least->key);
  uint64_t range = static_cast<uint64_t>(greatest->key) - base;
  if (items.size() < kBuckets || range >> (3 * kBits) != 0) return false;
  std::vector<Placed<int64_t>> other(items.size());
  for (unsigned shift = 0; range >> shift != 0; shift += kBits) {
    auto bucket = [&](const Placed<int64_t>& item) {
      return ((static_cast<uint64_t>(item.key) - base) >> shift) & (kBuckets - 1);
    };
    std::vector<size_t> starts(kBuckets + 1);
    for (const auto& item : items) ++starts[bucket(item) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    for (const auto& item : items) other[starts[bucket(item)]++] = item;
    items.swap(other);
  }
  return true;
}

/// Keys that compare without the interpreter, stably sorted.
template <class Key>
void sort_placed(std::vector<Placed<Key>>& items) {
  auto before = [](const Placed<Key>& a, const Placed<Key>& b) { return a.key < b.key; };
  if (std::is_sorted(items.begin(), items.end(), before)) return;
  bool sorted = false;
  if constexpr (std::is_same_v<Key, int64_t>) sorted = radix_sort(items);
  if (!sorted) std::stable_sort(items.begin(), items.end(), before);
}

/// Plain keys of one kind, and how they are had from values.
struct Ints {
  using Key = int64_t;
  static bool fits(const Value& value) { return value.is_int(); }
  static Key of(const Value& value) { return value.as_int(); }
};
struct Floats {
  using Key = double;
  static bool fits(const Value& value) { return value.is_float() && !std::isnan(value.as_float()); }
  static Key of(const Value& value) { return value.as_float(); }
};
struct Texts {
  using Key = Text;
  static bool fits(const Value& value) { return plain_text(value); }
  static Key of(const Value& value) { return Text(view_of(value)); }
};

/// One value of each place: the key itself, or an item of it.
using Part = const Value* (*)(const Value& key, size_t column);

/// Sorts `order` by the parts of its keys in a column; nothing where they are not all of that kind.
/// Else where each stretch of equal parts ends.
template <class Kind>
std::optional<std::vector<size_t>> sort_by(const std::vector<Value>& keys, std::span<size_t> order,
                                           Part part, size_t column) {
  std::vector<Placed<typename Kind::Key>> items;
  items.reserve(order.size());
  for (size_t place : order) {
    const Value* value = part(keys[place], column);
    if (!value || !Kind::fits(*value)) return std::nullopt;
    items.push_back({Kind::of(*value), place});
  }
  sort_placed(items);
  std::vector<size_t> ends;
  for (size_t i = 0; i < items.size(); ++i) {
    order[i] = items[i].place;
    if (i + 1 == items.size() || !(items[i].key == items[i + 1].key)) ends.push_back(i + 1);
  }
  return ends;
}

/// The same, by whichever kind they are of.
std::optional<std::vector<size_t>> sort_by_part(const std::vector<Value>& keys,
                                                std::span<size_t> order, Part part, size_t column) {
  const Value* first = part(keys[order[0]], column);
  if (!first) return std::nullopt;
  if (first->is_int()) return sort_by<Ints>(keys, order, part, column);
  if (first->is_float()) return sort_by<Floats>(keys, order, part, column);
  if (is_str(*first)) return sort_by<Texts>(keys, order, part, column);
  return std::nullopt;
}

bool sort_by_comparing(Interpreter& in, const std::vector<Value>& keys, std::span<size_t> order) {
  return merge_sort(order, [&](size_t a, size_t b) { return less_than(in, keys[a], keys[b]); });
}

/// Sorts rows whose items before `column` are equal.
bool sort_rows(Interpreter& in, const std::vector<Value>& keys, std::span<size_t> order,
               size_t column) {
  constexpr size_t kFew = 12, kColumns = 16;
  Part item = [](const Value& key, size_t at) -> const Value* {
    const std::vector<Value>* row = plain_row(key);
    return row && at < row->size() ? &(*row)[at] : nullptr;
  };
  if (order.size() <= kFew || column == kColumns) return sort_by_comparing(in, keys, order);
  auto ends = sort_by_part(keys, order, item, column);
  if (!ends) return sort_by_comparing(in, keys, order);
  size_t begin = 0;
  for (size_t end : *ends) {
    if (end - begin > 1 && !sort_rows(in, keys, order.subspan(begin, end - begin), column + 1))
      return false;
    begin = end;
  }
  return true;
}

/// Items and their keys; `finish` is called when all keys are there.
class KeyedItems : public Resumable {
 public:
  KeyedItems(std::vector<Value> items, Value key)
      : items_(std::move(items)), key_(std::move(key)) {}

  Step resume(Interpreter& in, Value value) override {
    // Keys are compared here, by their values.
    if (value.defined())
      keys_.push_back(in.tracer() ? in.tracer()->plain(value) : std::move(value));
    if (keys_.size() < items_.size()) return call(key_, {items_[keys_.size()]});
    return finish(in);
  }
  void traverse(Visitor& visit) override {
    visit(key_);
    for (const Value& item : items_) visit(item);
    for (const Value& key : keys_) visit(key);
  }

 protected:
  virtual Step finish(Interpreter& in) = 0;
  std::vector<Value> items_, keys_;
  Value key_;
};

/// Writes the items to the list in the order of their keys.
bool write_sorted(Interpreter& in, ListObject& list, std::vector<Value> items,
                  const std::vector<Value>& keys, bool reverse) {
  std::vector<size_t> order;
  bool sorted = sorted_order(in, keys, order);
  if (sorted) {
    std::vector<Value> result;
    result.reserve(items.size());
    for (size_t place : order) result.push_back(std::move(items[place]));
    items = std::move(result);
  }
  if (reverse) std::reverse(items.begin(), items.end());
  bool changed = !list.items.empty();
  list.items = std::move(items);
  ++list.version;
  if (!sorted) return false;
  if (changed) return in.raise("ValueError", "list modified during sort"), false;
  return true;
}

class KeyedSort final : public KeyedItems {
 public:
  KeyedSort(Ref<ListObject> list, std::vector<Value> items, Value key, bool reverse, bool give_list)
      : KeyedItems(std::move(items), std::move(key)),
        list_(std::move(list)),
        reverse_(reverse),
        give_list_(give_list) {}
  void traverse(Visitor& visit) override {
    KeyedItems::traverse(visit);
    visit(list_);
  }
  ~KeyedSort() override {
    // The key function raised: the items go back as they were.
    if (finished_) return;
    if (reverse_) std::reverse(items_.begin(), items_.end());
    if (list_->items.empty()) list_->items = std::move(items_);
  }

 protected:
  Step finish(Interpreter& in) override {
    finished_ = true;
    if (!write_sorted(in, *list_, std::move(items_), keys_, reverse_)) return Step::kRaised;
    return done(give_list_ ? Value(list_) : Value::none());
  }

 private:
  Ref<ListObject> list_;
  bool reverse_, give_list_, finished_ = false;
};

/// The place of the first least (or greatest) key, or -1 if a comparison raised.
int64_t extreme_place(Interpreter& in, const std::vector<Value>& keys, bool greatest) {
  size_t best = 0;
  for (size_t i = 1; i < keys.size(); ++i) {
    const Value &less = keys[greatest ? best : i], &more = keys[greatest ? i : best];
    int better = plain_less(less, more);
    if (better < 0 && greatest) {
      Value answer = compare(in, program::Opcode::kGreater, more, less);
      better = answer.is_undefined() ? -1 : truth(in, answer);
    } else if (better < 0) {
      better = less_than(in, less, more);
    }
    if (better < 0) return -1;
    if (better) best = i;
  }
  return static_cast<int64_t>(best);
}

class KeyedExtreme final : public KeyedItems {
 public:
  KeyedExtreme(std::vector<Value> items, Value key, bool greatest)
      : KeyedItems(std::move(items), std::move(key)), greatest_(greatest) {}

 protected:
  Step finish(Interpreter& in) override {
    int64_t place = extreme_place(in, keys_, greatest_);
    return place < 0 ? Step::kRaised : done(items_[static_cast<size_t>(place)]);
  }

 private:
  bool greatest_;
};

/// `min` and `max`: (*args, key, default).
Value extreme(NativeCall& call, std::string_view name, bool greatest) {
  Interpreter& in = call.interpreter;
  const auto& args = call[0].as<TupleObject>()->items;
  std::vector<Value> items;
  bool plain = args.size() > 1 && call[1].is_none() && !given(call[2]);
  if (plain) {
    int64_t place = extreme_place(in, args, greatest);
    return place < 0 ? Value() : args[static_cast<size_t>(place)];
  }
  if (args.empty())
    return call.raise("TypeError", fmt::format("{} expected at least 1 argument, got 0", name));
  if (args.size() > 1) {
    if (given(call[2]))
      return call.raise("TypeError",
                        fmt::format("Cannot specify a default for {}() with multiple positional "
                                    "arguments",
                                    name));
    items = args;
  } else if (!collect(in, args[0], items)) {
    return Value();
  }
  if (items.empty()) {
    if (given(call[2])) return call[2];
    return call.raise("ValueError", fmt::format("{}() arg is an empty sequence", name));
  }
  if (!call[1].is_none())
    return make_resumable(call,
                          std::make_unique<KeyedExtreme>(std::move(items), call[1], greatest));
  int64_t place = extreme_place(in, items, greatest);
  return place < 0 ? Value() : items[static_cast<size_t>(place)];
}

Value native_min(NativeCall& call) {
  return extreme(call, "min", false);
}
Value native_max(NativeCall& call) {
  return extreme(call, "max", true);
}

Value native_sorted(NativeCall& call) {
  std::vector<Value> items;
  if (!collect(call.interpreter, call[0], items)) return Value();
  int reverse = truth(call.interpreter, call[2]);
  if (reverse < 0) return Value();
  return sort_list(call, make_list(std::move(items)), call[1], reverse == 1, true);
}

constexpr Effects kOrders{
    .pure = true, .reads_elements = true, .calls_back = true, .advances_iterator = true};
constexpr NativeDefinition kFunctions[] = {
    {"sorted(iterable, /, *, key=None, reverse=False)", native_sorted, kOrders,
     "a new list of the items in ascending order"},
    {"min(*args, key=None, default=...)", native_min, kOrders, "the least item"},
    {"max(*args, key=None, default=...)", native_max, kOrders, "the greatest item"},
};

}  // namespace

bool sorted_order(Interpreter& in, const std::vector<Value>& keys, std::vector<size_t>& order) {
  order.resize(keys.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (keys.empty()) return true;
  bool rows = plain_row(keys[0]) && std::all_of(keys.begin(), keys.end(), [&](const Value& key) {
                return plain_row(key) && key.kind() == keys[0].kind();
              });
  if (rows) return sort_rows(in, keys, order, 0);
  Part whole = [](const Value& key, size_t) { return &key; };
  return sort_by_part(keys, order, whole, 0) || sort_by_comparing(in, keys, order);
}

Value sort_list(NativeCall& call, Ref<ListObject> list, const Value& key, bool reverse,
                bool give_list) {
  // While it is sorted, the list is empty: a key function that changes it is found out.
  std::vector<Value> items = std::move(list->items);
  list->items.clear();
  if (reverse) std::reverse(items.begin(), items.end());
  if (!key.is_none())
    return make_resumable(call, std::make_unique<KeyedSort>(std::move(list), std::move(items), key,
                                                            reverse, give_list));
  if (std::all_of(items.begin(), items.end(), Ints::fits)) {
    // Equal ints cannot be told apart: they are written anew.
    std::vector<Placed<int64_t>> sorted;
    sorted.reserve(items.size());
    for (const Value& item : items) sorted.push_back({item.as_int(), 0});
    sort_placed(sorted);
    for (size_t i = 0; i < items.size(); ++i)
      items[i].put(sorted[reverse ? items.size() - 1 - i : i].key);
    list->items = std::move(items);
    ++list->version;
    return give_list ? Value(std::move(list)) : Value::none();
  }
  std::vector<Value> keys = items;
  if (!write_sorted(call.interpreter, *list, std::move(items), keys, reverse)) return Value();
  return give_list ? Value(std::move(list)) : Value::none();
}

void install_sorting(Interpreter& in) {
  for (const NativeDefinition& definition : kFunctions) in.add_builtin(definition);
}

}  // namespace glint::runtime
