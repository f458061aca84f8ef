// Guards: what must hold at a region's entry for its compiled code to be used.
//
//     g0  tensor    x        float32[s0, 8] cpu, contiguous
//     g1  identity  torch    module torch
//     g2  relation  2 <= s0
//
// A guard is a record: kind, source, what was expected. guard_program.h runs them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/span.h"
#include "core/tensor/grad_mode.h"
#include "core/tensor/tensor.h"
#include "ir/symbolic.h"
#include "runtime/capture/source.h"
#include "runtime/interpreter/object.h"

namespace glint::capture {

enum class GuardKind : uint8_t {
  kIdentity,      ///< the same object; see `Definition`
  kEquals,        ///< the same None, bool, int, float (by bits), str, bytes or range
  kType,          ///< an object of that kind, and of that class; see `Definition`
  kGradMode,      ///< whether gradients are recorded, and tensors made for inference
  kAutocast,      ///< what `torch.autocast` has set
  kDefaultDtype,  ///< what Python's floats become
  kInteger,       ///< any int, which a symbol stands for
  kFloat,         ///< any float, an input of the region
  kCode,      ///< a function made again: of the same code (a closure), or a builtin type's method
  kLength,    ///< so many items
  kKeys,      ///< a dict of these keys, a set of these elements, in that order
  kTensor,    ///< dtype, device, sizes, strides
  kSame,      ///< the object that another source gives, or not that one
  kDistinct,  ///< as many objects as there are sources
  kVariable,  ///< the variable (not what it holds) that another source names, or another one
  kLeaf,      ///< a tensor that no recorded operator computed
  kUnshared,  ///< no other guarded tensor has its memory
  kCurrent,   ///< a view made without grad mode, whose memory was not written since
  kAbsent,    ///< the object (or module) has no attribute, the dict no key, of that name
  kKey,       ///< the dict or set has the key that another source gives, or has it not
  kNames,     ///< an object with attributes of just these names, its class's included
  kFits,      ///< a size that needs no more than 64 bits
  kRelation,  ///< between sizes
  kOutcome,   ///< a comparison of floats that comes out so; see float_comparisons.h
};

struct GuardKindInfo {
  GuardKind kind;
  std::string_view name;
  std::string_view meaning;
};
std::span<const GuardKindInfo> guard_kind_table();

/// A size that varies is no greater than that, in the call that is captured and later.
inline constexpr int kSizeBits = 31;
inline constexpr int64_t kGreatestSize = int64_t{1} << kSizeBits;

/// One size or stride of a guarded tensor: a number, or a symbol that is bound here or was bound
/// before.
struct SizeGuard {
  std::optional<int64_t> constant;
  uint32_t symbol = 0;
  bool binds = false;
};

/// What a script's class or function was like, beyond being that object. Of a class: its names and
/// its special methods (`__iter__`, `__getattr__`), which are looked up where no attribute is read.
/// Of a function: its defaults and names, which bump its version.
struct Definition {
  runtime::Value of;                    ///< the class or function
  uint32_t version = 0;                 ///< of it, then
  std::vector<runtime::Value> members;  ///< of a class
  /// A name that the class was asked for, and that no class in its order has up to `before`: none
  /// at all, where that is null.
  struct Missing {
    Ref<runtime::StrObject> name;
    const runtime::ClassObject* before = nullptr;
  };
  std::vector<Missing> missing = {};
  /// Names under which the class has nothing that comes before an object's own attribute.
  std::vector<Ref<runtime::StrObject>> left_to_objects = {};
};
/// Nothing of what is neither, and of a builtin class.
std::shared_ptr<Definition> definition_of(const runtime::Value& object);
/// Whether a class of another version still has those names and special methods.
bool is_still(const Definition& definition);

struct Guard {
  GuardKind kind = GuardKind::kIdentity;
  SourceId source = SourceId::kNone;
  /// Of kIdentity, kEquals, kNames; the class of kType; of kKeys: all of them, a tuple.
  runtime::Value expected = {};
  std::shared_ptr<const Definition> definition = {};  ///< of `expected`; kIdentity, kType
  ObjectKind object_kind = 0;                         ///< of kType
  int64_t length = 0;         ///< of kLength; of kInteger: the greatest, either way
  bool flag = false;          ///< of kTensor: requires gradients; of kSame, kVariable, kKey: or not
  GradState grad_state = {};  ///< of kGradMode, kAutocast
  bool inference = false;     ///< of kTensor
  SourceId other = SourceId::kNone;   ///< of kSame, kVariable, kKey
  std::vector<SourceId> others = {};  ///< of kDistinct: all of them
  std::string name = {};              ///< of kAbsent; of kOutcome: what is compared
  uint32_t comparison = 0;            ///< of kOutcome: its number; `flag`: how it comes out
  DType dtype = DType::kFloat32;      ///< of kDefaultDtype; of kTensor, with what follows
  Device device = {};
  std::vector<SizeGuard> sizes = {};    ///< also of kInteger: the one symbol that is bound
  std::vector<SizeGuard> strides = {};  ///< empty: contiguous
  bool lies_in_order = true;            ///< of strides: those of sizes of 1 aside, contiguous too
  std::optional<Relation> relation = {};
  SymInt size = 0;  ///< of kFits
  std::string reason =
      {};          ///< of kEquals: why it has to be this value, where that is no matter of course
  Span span = {};  ///< where the script read it
};

/// `off, in inference mode`.
std::string grad_mode_text(GradState state);
std::string autocast_text(const AutocastState& state);
/// Whether people want to see it: that `torch.autocast` is off, as mostly, goes without saying.
/// That is the last guard.
bool is_shown(const Guard& guard);
size_t shown_guards(std::span<const Guard> guards);
/// What a guard expects, as text: `float32[s0, 8] cpu, contiguous`.
std::string expectation(const Guard& guard);
/// What a value is, in the same words.
std::string actual(const runtime::Value& value);
/// The same of the value that a guard is on.
std::string actual(const Guard& guard, const runtime::Value& value);
/// How many items a list, tuple, dict or set has; -1 of anything else.
int64_t length_of_container(const runtime::Value& value);

}  // namespace glint::capture
