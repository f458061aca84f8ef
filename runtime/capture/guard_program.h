// The guard program: a region's guards in the flat form that runs at each call.
//
//     loads      0  local 0                     checks    tensor   0  float32[8, 16], contiguous
//                1  global "torch"                        identity 1  module torch
//                2  attribute "sin" of 1                  identity 2  function sin
//
// First the loads, each source once, parents first; then the checks. It allocates nothing and
// counts no reference: a slot is a pointer to where the value lies. Loads by name remember where
// they found it, under the version of the table, class or shape that they looked in, so that a
// module's variable costs two compares.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/capture/guard.h"

namespace glint::capture {

class FloatComparisons;

/// Where an entry's values are found: the frame's registers (a call that has no frame yet has only
/// its parameters) and the function at work.
struct EntryState {
  std::span<const runtime::Value> registers;
  runtime::FunctionObject* function = nullptr;
  const Ref<runtime::CellObject>* cells = nullptr;  ///< of the frame; null before it exists
};

/// Finds one name in whatever object it is asked about, and remembers the last answer.
class NameCache {
 public:
  explicit NameCache(std::string_view name) : name_(runtime::intern(name)) {}
  const runtime::Value* in_table(runtime::HashTable& table);
  /// As found on the class, along its bases.
  const runtime::Value* in_class(const runtime::ClassObject& cls);
  /// Among what the object itself holds: a module's, instance's, class's attributes, a dict's keys.
  const runtime::Value* in_object(const runtime::Value& object);

 private:
  const runtime::Value* in_instance(runtime::InstanceObject& instance);

  static constexpr int64_t kAbsent = -1;

  Ref<runtime::StrObject> name_;
  uint64_t keys_version_ = 0;  ///< of the table that was looked in last; 0: none yet
  int64_t entry_ = kAbsent;    ///< the entry in that table
  uint32_t class_version_ = 0;
  const runtime::Value* member_ = nullptr;  ///< in the class of that version; null: absent
  const runtime::Shape* shape_ = nullptr;
  int64_t slot_ = kAbsent;                 ///< of an instance of that shape
  Ref<runtime::ClassObject> shape_owner_;  ///< keeps `shape_` alive
};

/// Finds the value under a key in a dict; of a tensor, by its identity, remembers where it was.
class KeyCache {
 public:
  const runtime::Value* find(const runtime::Value& dict, const runtime::Value& key);

 private:
  uint64_t keys_version_ = 0;  ///< of the table that was looked in last; 0: none yet
  size_t entry_ = 0;           ///< in that table
};

class GuardProgram {
 public:
  /// `comparisons`: those that guards on outcomes are about; null where there are none.
  GuardProgram(const SourceTable& sources, std::vector<Guard> guards,
               std::vector<runtime::Value> objects,
               std::shared_ptr<FloatComparisons> comparisons = nullptr);

  static constexpr size_t kPassed = static_cast<size_t>(-1);
  /// Loads and checks; gives kPassed or the number of the guard that failed. Fills `symbols`.
  size_t check(const EntryState& entry, std::span<int64_t> symbols);
  /// After a check that passed (or up to the failing guard): where a source's value lies. Valid
  /// until script code runs.
  const runtime::Value* slot(SourceId source) const { return slots_[index(source)]; }
  /// Drops what the loads took hold of. The slots say nothing from then on.
  void release() {
    for (runtime::Value& gradient : made_) gradient = runtime::Value();
  }
  /// Copies of what the slots point at, one a slot: to go through a run of script code.
  struct Held {
    std::vector<runtime::Value> values;
    std::vector<const runtime::Value*> places;
  };
  Held hold() const;
  /// Points the slots at those copies.
  void point_at(const Held& held);
  /// Where the variable of a kCell or kCellOf source keeps its value, for who writes it.
  runtime::Value* variable(SourceId source) const {
    return const_cast<runtime::Value*>(variables_.empty() ? slots_[index(source)]
                                                          : variables_[index(source)]);
  }
  const std::vector<Guard>& guards() const { return guards_; }

 private:
  struct Load {
    SourceKind kind;
    uint32_t parent;
    uint32_t position;
    uint32_t name;  ///< in `names_`; of kKeyed: in `keys_`
  };
  /// A check as it runs; the guard of the same number holds the rest.
  struct Check {
    GuardKind kind;
    bool contiguous = true;
    bool flag = false;
    bool inference = false;
    DType dtype = DType::kFloat32;
    Device device = {};
    ObjectKind object_kind = 0;
    uint32_t slot = 0;
    uint32_t other = 0;  ///< of kSame, kVariable, kKey: a slot; of kUnshared: its tensor's first
    uint32_t first_size = 0;    ///< of a tensor: in `sizes_`; of kDistinct: in `distinct_`
    uint32_t rank = 0;          ///< of kDistinct: how many slots
    bool all_constant = false;  ///< no size is a symbol
    uint32_t name = 0;          ///< of kAbsent: in `names_`
    int64_t length = 0;
    const runtime::ClassObject* cls = nullptr;  ///< of kType; the guard keeps it alive
    /// Of what the guard has the definition of: its version, and the last that was good.
    const uint32_t* version = nullptr;
    uint32_t good_version = 0;
    uint64_t keys_version = 0;  ///< of kKeys: of the last table that was good
  };
  static constexpr uint32_t kNoParent = ~0u;

  const runtime::Value* load(const Load& load, const EntryState& entry);
  /// The `grad` of a tensor, or None: a value of its own, as the tensor holds none.
  const runtime::Value* gradient(uint32_t place, const runtime::Value& tensor);
  /// The `__dict__` of an instance, function or module, in the same way.
  const runtime::Value* own_dict(uint32_t place, const runtime::Value& object);
  /// The attributes of an object of a subclass of a builtin type.
  const runtime::Value* extra_dict(uint32_t place, const runtime::Value& object);
  /// Whether the tensor in a slot shares its memory with no other that is guarded. After all guards
  /// on tensors.
  bool is_unshared(uint32_t slot) const;
  void find_tensors();
  bool holds(size_t number, std::span<int64_t> symbols);
  bool are_distinct(const Check& check);
  static bool has_keys(Check& check, const Guard& guard, const runtime::Value& value);
  static bool is_still_defined(Check& check, const Guard& guard);
  bool tensor_holds(const Check& check, const Guard& guard, const runtime::Value& value,
                    std::span<int64_t> symbols) const;
  static bool strides_hold(const Guard& guard, const TensorImpl& tensor,
                           std::span<int64_t> symbols);

  std::vector<Load> loads_;  ///< source number i is loads_[i]
  std::vector<NameCache> names_;
  std::vector<KeyCache> keys_;
  std::vector<Check> checks_;  ///< guard number i is checks_[i]
  std::vector<int64_t> sizes_;
  std::vector<Guard> guards_;
  std::vector<runtime::Value> objects_;
  std::vector<const runtime::Value*> slots_;
  std::vector<uint32_t> tensors_;                 ///< slots: each guarded tensor once
  std::vector<uint32_t> distinct_;                ///< slots
  std::vector<const RefCounted*> addresses_;      ///< of kDistinct, while it is checked
  std::vector<const runtime::Value*> variables_;  ///< `slots_` before `point_at`
  std::vector<runtime::Value> made_;              ///< what loads found that no object holds
  std::shared_ptr<FloatComparisons> comparisons_;
};

}  // namespace glint::capture
