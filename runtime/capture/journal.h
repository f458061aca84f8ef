// The journal: what a region writes to objects that live outside it.
//
//     self.calls += 1                set attribute   self.calls = s0 + 1
//     self.history.append(loss)      extend          self.history += [%loss]
//     table.clear()                  clear           table.clear()
//
// 1. While a region is captured, writes happen at once. The journal keeps what each object held
//    before its first write, and what was written since, in order.
// 2. Where the trace is taken back (it began in the middle of a native, a check on values failed),
//    every object gets back what it held.
// 3. The writes are kept with the region, their values as recipes. On a later hit they are done
//    again: after the graph has run and its checks have passed, before the frames are filled in.
//
// Nobody looks on in between, so that a place that is written several times is written once, with
// its last value. A native with rich effects (`sort`, a slice that is assigned) is one write of all
// that the container holds in the end; what it held at the entry is guarded then.
//
// A kind of write is one row of `write_kind_table`: how it is done, and how it reads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/support/span.h"
#include "runtime/capture/guard_program.h"
#include "runtime/capture/keys.h"
#include "runtime/capture/saved_state.h"
#include "runtime/capture/source.h"
#include "runtime/interpreter/object.h"

namespace glint::capture {

enum class WriteKind : uint8_t {
  kSetAttribute,     ///< of an instance, a module, a function, a class
  kDeleteAttribute,  ///< likewise
  kSetVariable,      ///< a global
  kDeleteVariable,
  kSetCell,     ///< a variable of an outer function
  kSetItem,     ///< of a list, which has it
  kInsert,      ///< into a list
  kRemoveItem,  ///< of a list, which has it
  kExtend,      ///< a list, at its end
  kSetItems,    ///< all of a list
  kSetEntry,    ///< of a dict
  kDeleteEntry,
  kSetEntries,  ///< all of a dict: keys and values alternate
  kAdd,         ///< to a set
  kDiscard,     ///< from a set
  kClear,       ///< a list, dict or set
};

/// What a write is done with.
struct WriteOperands {
  const runtime::Value& target;  ///< undefined for kSetCell
  runtime::Value* cell;          ///< of kSetCell: what the cell holds
  const runtime::Value& key;     ///< a name, a position, a dict's key, a set's element
  std::span<const runtime::Value> values;
  std::vector<runtime::Value>& dying;  ///< gets the objects that may die of it
};

struct WriteKindInfo {
  WriteKind kind;
  std::string_view name;
  void (*write)(const WriteOperands& with);
  /// How it reads: `{0}` is the target, `{1}` the key, `{2}` the values.
  std::string_view text;
};
std::span<const WriteKindInfo> write_kind_table();
const WriteKindInfo& info(WriteKind kind);

/// A write of the region at work.
struct Write {
  WriteKind kind;
  SourceId target;             ///< where the object, or what the cell holds, is found
  runtime::Value object = {};  ///< the one that is written now
  runtime::Value key = {};
  std::vector<runtime::Value> values = {};
  Span span = {};
  bool dropped = false;  ///< a later write of the whole object takes its place
};

/// A write that a region does at each hit. Its operands are numbers of recipes.
struct JournalEntry {
  WriteKind kind;
  SourceId cell = SourceId::kNone;      ///< of kSetCell
  uint32_t cell_index = 0;              ///< of kSetCell: in that frame
  bool of_callee = false;               ///< of kSetCell: not of the frame where the region begins
  std::optional<uint32_t> target = {};  ///< of the others
  runtime::Value name = {};  ///< a key that is the same each time; undefined: it is `key`
  std::optional<uint32_t> key = {};
  std::vector<uint32_t> values = {};
  std::string text = {};  ///< `self.calls = s0 + 1`
  Span span = {};
};

class Journal {
 public:
  /// What the region has written of one object.
  struct Written {
    SavedState before;
    /// The names and keys that were written, and the number of the last write of each.
    runtime::HashTable keys = {};
    std::optional<size_t> last = {};  ///< the number of the last write of all
    /// Of a list: where its items lay before, by position; `kOwn` for the region's own.
    std::vector<int64_t> origins = {};
    /// All that it holds is the region's own, or guarded.
    bool known = false;
    /// It is written by one kSetItems or kSetEntries, with what it holds in the end.
    bool whole = false;
  };
  static constexpr int64_t kOwn = -1;

  /// What was written of the object; null: nothing. Attributes of a module lie in its dict.
  const Written* written(const RefCounted* object) const;
  /// Whether the region has written that name or key of the object, or all of it.
  bool wrote(const RefCounted* object, const runtime::Value& key) const;

  /// Says that the object is about to be written: what it holds now is kept.
  Written& touch(const runtime::Value& object);
  /// After `touch`: what will be done, or has been done. `holder` is the object that was touched.
  void record(const runtime::Value& holder, Write write);
  /// From here on the object's last contents are what is written.
  void make_whole(const runtime::Value& holder, Write write);

  bool empty() const { return writes_.empty(); }
  const std::vector<Write>& writes() const { return writes_; }
  /// The objects that were touched, in order.
  const std::vector<runtime::Value>& touched() const { return touched_; }
  /// Where the values lie that were written.
  std::vector<runtime::Value*> places() const;
  /// Takes everything back; the journal is empty then.
  void undo();

 private:
  /// The last write of the same place; null: there is none.
  Write* earlier(Written& written, const Write& write);

  std::vector<Write> writes_;
  std::vector<runtime::Value> touched_;
  std::unordered_map<const RefCounted*, Written> written_;
};

/// Does a region's writes, in order; `values` are those of its recipes. What is written over goes
/// to `dying`: its end may run script code, for which the caller has to be ready.
void write_again(std::span<const JournalEntry> entries, const std::vector<runtime::Value>& values,
                 const GuardProgram& guards, std::vector<runtime::Value>& dying);

/// What lies now where a write has put its values, in their order; nothing where that is not known.
std::vector<runtime::Value> values_of(const JournalEntry& entry, const runtime::Value& target);

/// `l[:] = ...`: the values of a write of all that a list or dict holds.
std::vector<runtime::Value> contents_of(const runtime::Value& container);

}  // namespace glint::capture
