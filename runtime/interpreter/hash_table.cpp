#include "runtime/interpreter/hash_table.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "runtime/interpreter/object.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/slot_probes.h"

namespace glint::runtime {
namespace {
uint64_t next_version() {
  return ++last_version;
}
}  // namespace

uint64_t hash_text(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u ^ text.size();
  const char* data = text.data();
  size_t left = text.size();
  while (left >= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
    data += 8;
    left -= 8;
  }
  uint64_t word = 0;
  std::memcpy(&word, data, left);
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
  return hash == 0 || hash == ~uint64_t{0} ? 1 : hash;
}

static uint64_t hash_of_name(const StrObject* key) {
  if (key->hash == 0) const_cast<StrObject*>(key)->hash = hash_text(key->text);
  return key->hash;
}

/// Of a str of a script's class: whether that says itself what it is equal to.
static bool defines_equality(const Value& key) {
  for (ClassObject* at : class_of(key)->order) {
    if (at->native) break;
    if (at->dict->find("__eq__")) return true;
  }
  return false;
}

/// There is no such str; but a key of its hash that is none, and may say that it is equal.
static constexpr int64_t kMaybeEqual = -2;

/// The index of the first entry on the way of a hash for which `same(index)` holds; -1: none.
template <class Same>
int64_t HashTable::search(uint64_t hash, Same same, size_t* vacant) const {
  if (layout_ == Layout::kSlots) {
    SlotProbes at(hash, mask());
    std::optional<size_t> erased;
    for (; !entries_.empty(); at.advance()) {
      const Entry& entry = entries_[at.slot()];
      if (entry.key.is_undefined()) {
        if (entry.hash != kErasedHash) break;
        erased = at.slot();
      } else if (same(at.slot())) {
        return static_cast<int64_t>(at.slot());
      }
    }
    if (vacant) *vacant = erased.value_or(at.slot());
    return -1;
  }
  if (slots_.empty()) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (same(i)) return static_cast<int64_t>(i);
    }
    return -1;
  }
  size_t last = slots_.size() - 1;
  for (size_t slot = hash & last;; slot = (slot + 1) & last) {
    int32_t index = slots_[slot];
    if (index == kEmpty) return -1;
    if (index >= 0 && same(static_cast<size_t>(index))) return index;
  }
}

int64_t HashTable::locate(const StrObject* key, uint64_t hash, size_t* vacant) const {
  int64_t absent = -1;
  auto same = [&](size_t index) {
    const Entry& entry = entries_[index];
    if (entry.hash != hash) return false;
    if (!entry.key.is<StrObject>()) {
      if (entry.key.defined()) absent = kMaybeEqual;
      return false;
    }
    const StrObject* other = entry.key.as<StrObject>();
    if (other == key) return true;
    if (other->flag(Object::kSubclassed) && defines_equality(entry.key)) {
      absent = kMaybeEqual;
      return false;
    }
    return other->text == key->text;
  };
  int64_t index = search(hash, same, vacant);
  return index < 0 ? absent : index;
}

int64_t HashTable::locate_int(int64_t key) const {
  return search(hash_of_int(key), [&](size_t index) {
    const Value& held = entries_[index].key;
    return held.is_int() && held.as_int() == key;
  });
}

Value* HashTable::find(int64_t key) {
  int64_t index = locate_int(key);
  return index < 0 ? nullptr : &entries_[static_cast<size_t>(index)].value;
}

bool HashTable::overwrite(int64_t key, const Value& value) {
  int64_t index = locate_int(key);
  if (index < 0) return false;
  Value copy = value;
  version_ = next_version();
  entries_[static_cast<size_t>(index)].value.swap(copy);
  return true;
}

HashTable::Outcome HashTable::locate(const Value& key, uint64_t hash, int64_t& index,
                                     size_t* vacant) {
  if (key.is<StrObject>() && !key.as<StrObject>()->flag(Object::kSubclassed)) {
    index = locate(key.as<StrObject>(), hash, vacant);
    if (index >= 0) return Outcome::kFound;
    if (index != kMaybeEqual) return Outcome::kAbsent;
  }
  // A script's __eq__ may run here: where the table or what lies there is another now, the search
  // begins again, as CPython's does.
  for (;;) {
    bool changed = false;
    Outcome outcome = Outcome::kFound;
    auto same = [&](size_t i) {
      const Entry& entry = entries_[i];
      if (entry.hash != hash || entry.key.is_undefined()) return false;
      if (entry.key.identical(key)) return true;
      Value held = entry.key;
      const auto before =
          std::tuple(entries_.data(), entries_.size(), slots_.data(), slots_.size());
      int equal = equals(Interpreter::current(), held, key);
      if (equal < 0) {
        outcome = Outcome::kRaised;
        return true;
      }
      const auto after = std::tuple(entries_.data(), entries_.size(), slots_.data(), slots_.size());
      changed = before != after || !entries_[i].key.identical(held);
      return changed || equal == 1;
    };
    index = search(hash, same, vacant);
    if (changed) continue;
    return index < 0 ? Outcome::kAbsent : outcome;
  }
}

void HashTable::place(uint64_t hash, int32_t index) {
  size_t last = slots_.size() - 1;
  size_t slot = hash & last;
  while (slots_[slot] >= 0) slot = (slot + 1) & last;
  slots_[slot] = index;
}

void HashTable::rebuild() {
  size_t kept = 0;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].key.is_undefined()) continue;
    if (kept != i) entries_[kept] = std::move(entries_[i]);
    ++kept;
  }
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(kept), entries_.end());
  slots_.clear();
  if (kept < kLinear) return;
  size_t count = 16;
  while (count < kept * 3) count *= 2;
  slots_.assign(count, kEmpty);
  for (size_t i = 0; i < kept; ++i) place(entries_[i].hash, static_cast<int32_t>(i));
}

void HashTable::insert_new(Value key, uint64_t hash, Value value, size_t vacant) {
  if (layout_ == Layout::kSlots) return add_slot({hash, std::move(key), std::move(value)}, vacant);
  bool slots_full =
      slots_.empty() ? entries_.size() >= kLinear : (entries_.size() + 1) * 3 > slots_.size() * 2;
  if (slots_full) {
    rebuild();
  }
  entries_.push_back({hash, std::move(key), std::move(value)});
  if (!slots_.empty()) place(hash, static_cast<int32_t>(entries_.size() - 1));
  ++live_;
  keys_version_ = version_ = next_version();
}

void HashTable::erase_at(size_t index) {
  Entry dead = std::move(entries_[index]);
  entries_[index].key = Value();
  entries_[index].value = Value();
  if (layout_ == Layout::kSlots) {
    entries_[index].hash = kErasedHash;
    --live_;
    keys_version_ = version_ = next_version();
    return;
  }
  if (!slots_.empty()) {
    size_t last = slots_.size() - 1;
    size_t slot = dead.hash & last;
    while (slots_[slot] != static_cast<int32_t>(index)) slot = (slot + 1) & last;
    slots_[slot] = kErased;
  }
  --live_;
  keys_version_ = version_ = next_version();
  if (live_ == 0) {
    entries_.clear();
    slots_.clear();
  } else {
    while (!entries_.empty() && entries_.back().key.is_undefined()) entries_.pop_back();
  }
}

Value* HashTable::find(const StrObject* key) {
  int64_t index = locate(key, hash_of_name(key));
  return index < 0 ? nullptr : &entries_[static_cast<size_t>(index)].value;
}

Value* HashTable::find(std::string_view key) {
  uint64_t hash = hash_text(key);
  int64_t index = search(hash, [&](size_t i) {
    const Entry& entry = entries_[i];
    return entry.hash == hash && entry.key.is<StrObject>() &&
           entry.key.as<StrObject>()->text == key;
  });
  return index < 0 ? nullptr : &entries_[static_cast<size_t>(index)].value;
}

int64_t HashTable::index_of(const StrObject* key) {
  return std::max<int64_t>(locate(key, hash_of_name(key)), -1);
}

void HashTable::set(const StrObject* key, Value value) {
  if (write(key, value)) return;
  size_t vacant = 0;
  locate(key, hash_of_name(key), &vacant);
  insert_new(Value(const_cast<StrObject*>(key)), hash_of_name(key), std::move(value), vacant);
}

bool HashTable::write(const StrObject* key, const Value& value) {
  uint64_t hash = hash_of_name(key);
  size_t vacant = 0;
  int64_t index = locate(key, hash, &vacant);
  if (index == kMaybeEqual) return false;
  if (index < 0) {
    insert_new(Value(const_cast<StrObject*>(key)), hash, value, vacant);
    return true;
  }
  // What was there dies last: its death may run a script's code.
  Value copy = value;
  version_ = next_version();
  entries_[static_cast<size_t>(index)].value.swap(copy);
  return true;
}

bool HashTable::erase(const StrObject* key) {
  int64_t index = locate(key, hash_of_name(key));
  if (index < 0) return false;
  erase_at(static_cast<size_t>(index));
  return true;
}

HashTable::Outcome HashTable::find(const Value& key, Value*& found) {
  uint64_t hash;
  if (!hash_of(Interpreter::current(), key, hash)) return Outcome::kRaised;
  return find(key, hash, found);
}

HashTable::Outcome HashTable::find(const Value& key, uint64_t hash, Value*& found) {
  int64_t index;
  Outcome outcome = locate(key, hash, index);
  if (outcome == Outcome::kFound) found = &entries_[static_cast<size_t>(index)].value;
  return outcome;
}

HashTable::Outcome HashTable::set(const Value& key, Value value) {
  uint64_t hash;
  if (!hash_of(Interpreter::current(), key, hash)) return Outcome::kRaised;
  return set(key, hash, std::move(value));
}

HashTable::Outcome HashTable::set(const Value& key, uint64_t hash, Value value) {
  int64_t index;
  size_t vacant = 0;
  Outcome outcome = locate(key, hash, index, &vacant);
  if (outcome == Outcome::kAbsent) insert_new(key, hash, std::move(value), vacant);
  if (outcome == Outcome::kFound) {
    version_ = next_version();
    entries_[static_cast<size_t>(index)].value.swap(value);
  }
  return outcome;
}

HashTable::Outcome HashTable::erase(const Value& key, Value* removed) {
  uint64_t hash;
  if (!hash_of(Interpreter::current(), key, hash)) return Outcome::kRaised;
  return erase(key, hash, removed);
}

HashTable::Outcome HashTable::erase(const Value& key, uint64_t hash, Value* removed) {
  int64_t index;
  Outcome outcome = locate(key, hash, index);
  if (outcome == Outcome::kFound) {
    if (removed) *removed = entries_[static_cast<size_t>(index)].value;
    erase_at(static_cast<size_t>(index));
  }
  return outcome;
}

void HashTable::clear() {
  std::vector<Entry> dead = std::move(entries_);
  entries_.clear();
  slots_.clear();
  live_ = fill_ = 0;
  keys_version_ = version_ = next_version();
}

bool HashTable::pop_last(Value& key, Value& value) {
  if (live_ == 0) return false;
  size_t index = entries_.size() - 1;
  while (entries_[index].key.is_undefined()) --index;
  key = entries_[index].key;
  value = entries_[index].value;
  erase_at(index);
  return true;
}

}  // namespace glint::runtime
