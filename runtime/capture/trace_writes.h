// Writes to objects from outside in a trace: each becomes part of the journal, then it is run.
//
//     self.calls += 1          attributes and variables: trace_writes.cpp
//     self.history.append(x)   lists, dicts and sets: trace_container_writes.cpp
//
// The trace asks before an instruction or a native writes. The answer is a step: the instruction
// runs, is done already, or ends the region.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/capture/journal.h"
#include "runtime/capture/recipe.h"
#include "runtime/capture/source.h"
#include "runtime/interpreter/object.h"
#include "runtime/interpreter/tracer.h"

namespace glint::capture {

class Trace;

class ObjectWrites {
 public:
  using Step = runtime::Tracer::Step;
  explicit ObjectWrites(Trace& trace) : trace_(trace) {}

  Journal& journal() { return journal_; }
  const Journal& journal() const { return journal_; }
  /// The journal with recipes for values; false: a value cannot be carried (the writer says why).
  bool write_journal(RecipeWriter& writer, std::vector<JournalEntry>& entries);

  // ---- What instructions and natives write ----
  Step write_attribute(const runtime::Value& object, const Ref<runtime::StrObject>& name,
                       const runtime::Value& value);
  Step write_item(const runtime::Value& container, const runtime::Value& key,
                  const runtime::Value& value);
  Step operate_on_container(const runtime::Value& container, program::Opcode opcode,
                            const runtime::Value& other);
  /// A native changes the container, list, dict or set from outside that is its first argument.
  Step write_by_native(const runtime::NativeFunctionObject& native, const runtime::Value* arguments,
                       size_t count);
  /// The write of a place of `holder` becomes part of the journal; the trace stops where a value
  /// cannot be carried to later hits.
  Step journal_write(const runtime::Value& holder, Write write);
  /// A cell from outside is read or written, found in that way.
  void meet_cell(runtime::CellObject* cell, SourceId source);
  /// A write that ends the region.
  Step refuse_write(const runtime::Value& object);
  /// Whether the region has set what the class, or a base of it, has for the name: no class in
  /// between gets its own then.
  bool note_written_member(const runtime::ClassObject& cls, const Ref<runtime::StrObject>& name);

  // ---- Guards ----
  /// Objects of which one was written are not the same, or the same, at each hit.
  void guard_written_objects();
  void guard_written_cells();

 private:
  struct NativeWrites;
  Step write_own_attribute(const runtime::Value& object, const Ref<runtime::StrObject>& name,
                           const runtime::Value& value);
  /// `torch.nn.Module.__setattr__` where it sets no parameter and no module: done here.
  Step write_module_attribute(const runtime::Value& object, const Ref<runtime::StrObject>& name,
                              const runtime::Value& value);
  Step write_class_attribute(const runtime::Value& object, const Ref<runtime::StrObject>& name,
                             const runtime::Value& value);
  Step refuse_attribute(const runtime::Value& object);
  Step write_list_item(const runtime::Value& list, const runtime::Value& key,
                       const runtime::Value& value);
  Step write_entry(const runtime::Value& dict, const runtime::Value& key,
                   const runtime::Value& value);
  Step extend_list(const runtime::Value& list, const runtime::Value& items);
  Step pop_item(const runtime::Value& list, const runtime::Value& position);
  Step insert_item(const runtime::Value& list, const runtime::Value& position,
                   const runtime::Value& value);
  Step pop_entry(const runtime::Value& dict, const runtime::Value& key);
  Step update_dict(const runtime::Value& dict, const runtime::Value& other);
  Step update_set(const runtime::Value& set, const runtime::Value& elements);
  Step change_set(const runtime::Value& set, WriteKind kind, const runtime::Value& element);
  Step remove_element(const runtime::Value& set, const runtime::Value& element);
  Step clear_container(const runtime::Value& container);
  /// A change that only its result describes: what the container held is guarded.
  Step rewrite(const runtime::Value& container);
  /// See `Journal::Written::origins`; null where all that the list held is guarded.
  std::vector<int64_t>* origins_of(const runtime::Value& list);
  bool can_carry(const runtime::Value& value);
  /// `A(v=%sum)`, of one that the region makes.
  std::string instance_text(const runtime::InstanceObject& instance) const;
  std::string value_text(const runtime::Value& value) const;

  Trace& trace_;
  Journal journal_;
  /// Cells from outside that were read or written, with each way to them.
  std::vector<std::pair<runtime::CellObject*, SourceId>> cells_;
};

}  // namespace glint::capture
