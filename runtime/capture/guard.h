// Guards: what must hold at a region's entry for its compiled code to be used.
//
//     g0  tensor    x        float32[s0, 8] cpu, contiguous
//     g1  identity  torch    module torch
//     g2  relation  2 <= s0
//
// A guard is a record: kind, source, what was expected. `GuardProgram` is the flat form that runs
// at each call: first the loads, each source once, parents first; then the checks, the cheapest
// first. It allocates nothing and counts no reference: a slot is a pointer to where the value lies.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/span.h"
#include "core/tensor/tensor.h"
#include "ir/symbolic.h"
#include "runtime/capture/source.h"
#include "runtime/interpreter/object.h"

namespace glint::capture {

enum class GuardKind : uint8_t {
  kIdentity,  ///< the same object
  kEquals,    ///< the same None, bool, int, float (by bits) or str
  kType,      ///< an object of that kind, and of that class
  kLength,    ///< so many items
  kTensor,    ///< dtype, device, sizes, strides
  kAbsent,    ///< the object (or module) has no attribute, the dict no key, of that name
  kRelation,  ///< between sizes
};

struct GuardKindInfo {
  GuardKind kind;
  std::string_view name;
  std::string_view meaning;
};
std::span<const GuardKindInfo> guard_kind_table();

/// One size of a guarded tensor: a number, or a symbol that is bound here or was bound before.
struct SizeGuard {
  std::optional<int64_t> constant;
  uint32_t symbol = 0;
  bool binds = false;
};

struct Guard {
  GuardKind kind = GuardKind::kIdentity;
  SourceId source = SourceId::kNone;
  runtime::Value expected = {};   ///< of kIdentity, kEquals; the class of kType
  ObjectKind object_kind = 0;     ///< of kType
  int64_t length = 0;             ///< of kLength
  std::string name = {};          ///< of kAbsent
  DType dtype = DType::kFloat32;  ///< of kTensor, with what follows
  std::vector<SizeGuard> sizes = {};
  std::vector<int64_t> strides = {};  ///< empty: contiguous
  std::optional<Relation> relation = {};
  Span span = {};  ///< where the script read it
};

/// What a guard expects, as text: `float32[s0, 8] cpu, contiguous`.
std::string expectation(const Guard& guard);
/// What a value is, in the same words.
std::string actual(const runtime::Value& value);

/// Where an entry's values are found: the frame's registers (a call that has no frame yet has only
/// its parameters) and the function at work.
struct EntryState {
  std::span<const runtime::Value> registers;
  runtime::FunctionObject* function = nullptr;
  const Ref<runtime::CellObject>* cells = nullptr;  ///< of the frame; null before it exists
};

class GuardProgram {
 public:
  GuardProgram(const SourceTable& sources, std::vector<Guard> guards,
               std::vector<runtime::Value> objects);

  static constexpr size_t kPassed = static_cast<size_t>(-1);
  /// Loads and checks; gives kPassed or the number of the guard that failed. Fills `symbols`.
  size_t check(const EntryState& entry, std::vector<int64_t>& symbols);
  /// After a check that passed (or up to the failing guard): where a source's value lies.
  const runtime::Value* slot(SourceId source) const { return slots_[index(source)]; }
  const std::vector<Guard>& guards() const { return guards_; }

 private:
  const runtime::Value* load(const Source& source, const EntryState& entry) const;
  bool holds(const Guard& guard, std::vector<int64_t>& symbols) const;

  std::vector<Source> loads_;  ///< source number i is loads_[i]
  std::vector<Ref<runtime::StrObject>> names_;
  std::vector<Guard> guards_;
  std::vector<runtime::Value> objects_;
  std::vector<const runtime::Value*> slots_;
};

}  // namespace glint::capture
