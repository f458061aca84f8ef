// What of a container from outside a region reads, and the guards that this takes.
//
//     sizes[0]              the item alone: its instruction's rule notes it
//     len(sizes)            the length
//     for name in table:    the keys, in their order
//     sizes == [4, 2]       all: a comparison looks into what it is given, and so do most natives
#pragma once

#include <cstdint>
#include <set>
#include <unordered_set>
#include <vector>

#include "runtime/capture/source.h"
#include "runtime/interpreter/native.h"
#include "runtime/interpreter/object.h"

namespace glint::capture {

class Trace;

class ContainerReads {
 public:
  explicit ContainerReads(Trace& trace) : trace_(trace) {}

  /// What is read: of a list or tuple that is walked, the items but the floats, each of which is
  /// read as it comes; the keys (of a list, the items); the items; or the containers in it too,
  /// those in a container of the region's own included.
  enum class Contents : uint8_t { kWalked, kKeys, kItems, kAll };
  /// False, here and below: the trace stops, as something in it cannot be guarded.
  bool note_contents(const runtime::Value& container, Contents read = Contents::kAll);
  /// The keys of a dict, or what a set has in it, in order.
  bool note_table(const runtime::Value& container);
  bool note_length(const runtime::Value& container);
  /// What `len` and a condition ask: also of what the region has written.
  bool note_size(const runtime::Value& container);
  /// A value that is used as it is: an int cannot vary.
  bool note_plain(const runtime::Value& value, SourceId source);
  /// What a native reads of an argument.
  Contents read_by(const runtime::NativeFunctionObject& native, const runtime::Value* arguments,
                   size_t place) const;
  /// A native takes an item from an iterator, or what a function of the script returned.
  bool note_handed(const runtime::NativeFunctionObject& native, const runtime::Value& value);

 private:
  bool note_content(const runtime::Value& value, SourceId source, Contents read);
  bool note_own_content(const runtime::Value& value, Contents read);
  bool note_list_contents(const runtime::Value& container, const std::vector<runtime::Value>& items,
                          Contents read);
  bool note_dict_contents(const runtime::Value& container, Contents read);
  bool note_outside_contents(const runtime::Value& container, Contents read);
  bool note_own_contents(const runtime::Value& container);

  Trace& trace_;
  std::set<SourceId> known_keys_;                      ///< whose keys are guarded
  std::unordered_set<const RefCounted*> looked_into_;  ///< by the `note_contents` at work
};

}  // namespace glint::capture
