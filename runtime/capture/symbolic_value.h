// A size that is not a number yet, as a value of the script while its region is traced.
//
//     n = x.shape[0]          n is a SymIntObject: s0, 5 in this call
//     y.view(n * 2, -1)       arithmetic gives another one, an operator takes it as it is
//     if n > 4: ...           a comparison is decided by this call and becomes a guard
//     table[n]                any other use: s0 == 5 is guarded, and n is a plain 5 from here on
//
// Such values exist only inside a trace: before the interpreter goes on behind a region, all that
// are still reachable are replaced by their numbers.
#pragma once

#include <optional>

#include "core/tensor/tensor.h"
#include "ir/symbolic.h"
#include "runtime/interpreter/frame.h"
#include "runtime/interpreter/object.h"

namespace glint::capture {

struct SymIntObject final : runtime::Object {
  static constexpr ObjectKind kKind = runtime::kSymIntKind;
  SymInt value;
  int64_t hint;
  SymIntObject(SymInt symbolic, int64_t number) : Object(kKind), value(symbolic), hint(number) {}
};

/// A symbolic or plain int (a bool counts as one); nothing for any other value.
std::optional<SymInt> as_symbolic(const runtime::Value& value);

/// The number that a symbolic int or float is in the call that is traced; nothing for other values.
std::optional<runtime::Value> plain_number(const runtime::Value& value);

/// Whether a symbolic int or float is the value, or an item of the list, tuple, dict or slice that
/// it is.
bool holds_symbolic(const runtime::Value& value);

/// Replaces the symbolic ints and floats that a frame's registers and cells reach by their numbers.
void make_frame_plain(runtime::Frame& frame);
/// The same in places elsewhere, and in what they hold.
void make_places_plain(const std::vector<runtime::Value*>& places);

/// What a tensor was marked with by `mark_dynamic` and `mark_static`: one bit a dimension. Kept
/// among the tensor's `TensorAttributes`.
struct DimensionMarks final : RefCounted {
  uint64_t dynamic = 0;
  uint64_t fixed = 0;
};
/// Null where nothing was marked.
const DimensionMarks* marks_of(const Tensor& tensor);
DimensionMarks& make_marks(const Tensor& tensor);

}  // namespace glint::capture
