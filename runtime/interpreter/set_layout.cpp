// How a set's elements lie: in the slots where CPython 3.11 puts them, after the same growths.
//
// The order in which a script sees a set is that of its slots. CPython's hash of a number is always
// the same, so the order of a set of numbers is too, and scripts print it. What decides it, besides
// the probes (slot_probes.h):
//
//     growth      when three fifths of the slots hold an element or held one: to the power of two
//                 above four times the elements (twice, from 50,000 on)
//     erased      an element's slot is free for the next one that passes it on its way to one that
//                 never held any; of several it takes the last
//     a merge     of another set or a dict grows once, before, to above twice the sum
//
//     {9, 1, 2}       slots   . 9 2 . . . 1 .      9 and 1 both want slot 1: 1 moves on
//     {1, 9, 2}       slots   . 1 2 . . . 9 .
#include "runtime/interpreter/hash_table.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/slot_probes.h"

namespace glint::runtime {

/// What a set of so many elements grows to when it is full.
static size_t grown(size_t elements) {
  constexpr size_t kMany = 50000;
  return elements * (elements > kMany ? 2 : 4);
}

/// Into a table in which nothing was erased and that does not hold the key.
void HashTable::insert_in_new_slot(Entry entry) {
  SlotProbes at(entry.hash, mask());
  while (entries_[at.slot()].key.defined()) at.advance();
  entries_[at.slot()] = std::move(entry);
}

void HashTable::resize_set(size_t above) {
  size_t size = kSmallestSet;
  while (size <= above) size *= 2;
  std::vector<Entry> old = std::move(entries_);
  entries_.assign(size, Entry{});
  for (Entry& entry : old) {
    if (entry.key.defined()) insert_in_new_slot(std::move(entry));
  }
  fill_ = live_;
  version_ = ++last_version;
}

void HashTable::add_slot(Entry entry, size_t vacant) {
  if (entries_.empty()) entries_.assign(kSmallestSet, Entry{});
  // A script's `__eq__` may have put another element there meanwhile.
  for (SlotProbes at(entry.hash, mask()); entries_[vacant].key.defined(); at.advance())
    vacant = at.slot();
  bool erased = entries_[vacant].hash == kErasedHash;
  entries_[vacant] = std::move(entry);
  ++live_;
  keys_version_ = version_ = ++last_version;
  if (erased) return;
  ++fill_;
  if (fill_ * 5 >= mask() * 3) resize_set(grown(live_));
}

void HashTable::make_room(size_t more) {
  if ((fill_ + more) * 5 >= mask() * 3) resize_set((live_ + more) * 2);
}

void HashTable::take_all(const HashTable& other) {
  if (other.empty()) return;
  make_room(other.live_);
  if (mask() == other.mask() && other.fill_ == other.live_) {
    entries_ = other.entries_;
  } else {
    if (entries_.empty()) entries_.assign(kSmallestSet, Entry{});
    for (const Entry& entry : other.entries_) {
      if (entry.key.defined()) insert_in_new_slot(entry);
    }
  }
  live_ = fill_ = other.live_;
  keys_version_ = version_ = ++last_version;
}

void HashTable::drop_erased() {
  if (fill_ - live_ > mask() / 4) resize_set(grown(live_));
}

void HashTable::swap_entries(HashTable& other) {
  std::swap(entries_, other.entries_);
  std::swap(live_, other.live_);
  std::swap(fill_, other.fill_);
  keys_version_ = version_ = ++last_version;
  other.keys_version_ = other.version_ = ++last_version;
}

std::vector<uint32_t> HashTable::filled_slots() const {
  std::vector<uint32_t> slots;
  for (size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].key.defined()) slots.push_back(static_cast<uint32_t>(i));
  return slots;
}

bool HashTable::lay_out(size_t slot_count, std::span<const uint32_t> slots,
                        std::span<const Value> keys) {
  HashTable made(Layout::kSlots);
  made.entries_.assign(slot_count, Entry{});
  for (size_t i = 0; i < keys.size(); ++i) {
    uint64_t hash;
    if (!hash_of(Interpreter::current(), keys[i], hash)) return false;
    made.entries_[slots[i]] = {hash, keys[i], Value::none()};
  }
  for (const uint32_t slot : slots) {
    SlotProbes at(made.entries_[slot].hash, slot_count - 1);
    while (at.slot() != slot && made.entries_[at.slot()].key.defined()) at.advance();
    if (at.slot() != slot) return false;
  }
  made.live_ = made.fill_ = keys.size();
  swap_entries(made);
  return true;
}

Value HashTable::pop_any() {
  if (live_ == 0) return Value();
  size_t at = next_popped_ & mask();
  while (entries_[at].key.is_undefined()) at = (at + 1) & mask();
  Value key = entries_[at].key;
  erase_at(at);
  next_popped_ = at + 1;
  return key;
}

}  // namespace glint::runtime
