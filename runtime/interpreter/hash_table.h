// The hash table behind dict and set.
//
// A dict's entries lie in the order of insertion; a table of slots finds them by hash. Up to eight
// entries need no slots: they are compared one after the other. Names (interned `StrObject`s)
// compare by address first. Two counters let caches and guards trust it: `keys_version` changes
// when a key comes or goes, `version` with every write.
//
//     entries   (hash, 'b', 1)  (hash, 'a', 2)  (erased)  (hash, 'c', 3)
//     slots     . 1 . . 0 . 3 .
//
// A set's entries are slots themselves, placed as CPython places them (set_layout.cpp), so that a
// script sees its numbers in the order that it sees there:
//
//     {12, 3, 1}   entries   . 1 . 3 12 . . .
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/interpreter/value.h"

namespace glint::runtime {

struct StrObject;

/// Versions are unique over all tables, so that a cache need not remember which table it saw.
inline uint64_t last_version = 1;

class HashTable {
 public:
  enum class Layout : uint8_t { kOrdered, kSlots };
  HashTable() = default;
  explicit HashTable(Layout layout) : layout_(layout) {}

  struct Entry {
    uint64_t hash;
    Value key;  ///< undefined: erased
    Value value;
  };

  size_t size() const { return live_; }
  bool empty() const { return live_ == 0; }
  uint64_t keys_version() const { return keys_version_; }
  uint64_t version() const { return version_; }
  /// In the order that a script sees them; skip those whose key is undefined.
  const std::vector<Entry>& entries() const { return entries_; }
  /// For caches: the entry's value may be overwritten in place; call `written` after it.
  Entry& entry(size_t index) { return entries_[index]; }
  void written() { version_ = ++last_version; }

  // By a name; these never raise.
  Value* find(const StrObject* key);
  Value* find(std::string_view key);
  void set(const StrObject* key, Value value);
  bool erase(const StrObject* key);
  /// As `set`, in a table whose keys may be other than names: false where one of them may say that
  /// it equals this one, and nothing is written.
  bool write(const StrObject* key, const Value& value);

  // By an int; null and false mean no more than that the long way has to look.
  Value* find(int64_t key);
  bool overwrite(int64_t key, const Value& value);

  /// By any key. `kRaised`: the key is not hashable, or a script's `__hash__`/`__eq__` raised.
  enum class Outcome : uint8_t { kAbsent, kFound, kRaised };
  Outcome find(const Value& key, Value*& found);
  Outcome find(const Value& key, uint64_t hash, Value*& found);
  /// kFound if the key was there (its value is overwritten), kAbsent if it is new.
  Outcome set(const Value& key, Value value);
  Outcome set(const Value& key, uint64_t hash, Value value);
  Outcome erase(const Value& key, Value* removed = nullptr);
  Outcome erase(const Value& key, uint64_t hash, Value* removed = nullptr);
  void clear();
  /// Removes and returns the last entry of a dict; false if empty.
  bool pop_last(Value& key, Value& value);

  // Of a set. These run no code of a script's.

  /// Removes and returns the entry that CPython's `set.pop` does; undefined if empty.
  Value pop_any();
  /// Grows, if that is due, for so many elements that are about to be added.
  void make_room(size_t more);
  /// Into a table that never held anything: the elements of another set's.
  void take_all(const HashTable& other);
  bool never_filled() const { return fill_ == 0; }
  /// After many were erased: a new table without their places.
  void drop_erased();
  /// Trades the entries with another set's, which is to die only when this one is whole again.
  void swap_entries(HashTable& other);
  /// How many slots there are, and the one of each element, in order.
  size_t slot_count() const { return entries_.size(); }
  std::vector<uint32_t> filled_slots() const;
  /// Lays elements into those slots of an empty table; false, and nothing is done, where a search
  /// would not find one there.
  bool lay_out(size_t slot_count, std::span<const uint32_t> slots, std::span<const Value> keys);
  /// The index of the entry of a name, or -1: for caches.
  int64_t index_of(const StrObject* key);

 private:
  static constexpr size_t kLinear = 8;
  static constexpr int32_t kEmpty = -1, kErased = -2;
  static constexpr uint64_t kErasedHash = ~uint64_t{0};  ///< of a set's; no key has this hash
  // `vacant`, of a set: the slot for an element that was not found.
  template <class Same>
  int64_t search(uint64_t hash, Same same, size_t* vacant = nullptr) const;
  int64_t locate(const StrObject* key, uint64_t hash, size_t* vacant = nullptr) const;
  Outcome locate(const Value& key, uint64_t hash, int64_t& index, size_t* vacant = nullptr);
  /// The entry of that very int; -1 if there is none, though an equal float may be there.
  int64_t locate_int(int64_t key) const;
  void insert_new(Value key, uint64_t hash, Value value, size_t vacant);
  void erase_at(size_t index);
  void rebuild();
  void place(uint64_t hash, int32_t index);
  size_t mask() const { return entries_.empty() ? kSmallestSet - 1 : entries_.size() - 1; }
  void insert_in_new_slot(Entry entry);
  void add_slot(Entry entry, size_t vacant);
  void resize_set(size_t above);

  static constexpr size_t kSmallestSet = 8;
  Layout layout_ = Layout::kOrdered;
  std::vector<Entry> entries_;
  std::vector<int32_t> slots_;
  size_t live_ = 0;
  size_t fill_ = 0;         ///< of a set: the slots that hold an element or held one
  size_t next_popped_ = 0;  ///< of a set: where `pop_any` begins to look
  uint64_t keys_version_ = 1;
  uint64_t version_ = 1;
};

/// Hash of a str's bytes, as `StrObject::hash` keeps it.
uint64_t hash_text(std::string_view text);

/// CPython's hash of an int: modulo the prime 2^61 - 1, with its sign, and never -1.
inline uint64_t hash_of_int(int64_t value) {
  constexpr int64_t kPrime = (int64_t{1} << 61) - 1;
  int64_t hash = value > -kPrime && value < kPrime ? value : value % kPrime;
  return static_cast<uint64_t>(hash == -1 ? -2 : hash);
}

}  // namespace glint::runtime
