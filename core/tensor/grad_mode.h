// The grad mode: whether calls on tensors that require gradients are recorded. `torch.no_grad()`
// and its like switch it; views remember their base only where that matters to it. With it, in one
// word, what `torch.autocast` has set: whoever keeps one for later keeps both.
//
//     with torch.no_grad(): ...             {enabled = false}
//     with torch.inference_mode(): ...      {enabled = false, inference = true}: besides, tensors
//                                           that are made can never take part in what is recorded
//     with torch.autocast("cpu"): ...       {autocast = {cpu = true}}: see ops/autocast.h
#pragma once

#include "core/tensor/tensor.h"

namespace glint {

/// In which dtypes operators get their tensors, on each kind of device.
struct AutocastState {
  bool cpu = false;
  bool cuda = false;
  bool caches = true;  ///< a parameter is converted once
  DType cpu_dtype = DType::kBFloat16;
  DType cuda_dtype = DType::kFloat16;
  bool any() const { return cpu || cuda; }
  bool operator==(const AutocastState&) const = default;
};

/// What the script has set.
struct GradState {
  bool enabled = true;
  bool inference = false;
  AutocastState autocast = {};
  /// In inference mode nothing is recorded, whatever else is set.
  bool records() const { return enabled && !inference; }
  bool has_same_mode(const GradState& other) const {
    return enabled == other.enabled && inference == other.inference;
  }
  bool operator==(const GradState&) const = default;
};

GradState grad_state();
void set_grad_state(GradState state);

/// Whether calls are recorded.
inline bool grad_mode() {
  return grad_state().records();
}

/// That state for a while; then the one before.
class GradModeScope {
 public:
  explicit GradModeScope(GradState state) : before_(grad_state()) { set_grad_state(state); }
  /// All else stays as it is.
  explicit GradModeScope(bool enabled)
      : GradModeScope({enabled, grad_state().inference, grad_state().autocast}) {}
  ~GradModeScope() { set_grad_state(before_); }
  GradModeScope(const GradModeScope&) = delete;
  GradModeScope& operator=(const GradModeScope&) = delete;

 private:
  GradState before_;
};

/// How a view that is made now is remembered.
inline ViewOrigin view_origin() {
  if (grad_mode()) return ViewOrigin::kRecorded;
  return grad_state().inference ? ViewOrigin::kInference : ViewOrigin::kNoGrad;
}
/// The same of a view of `seen`: a view of one that may not be written may not be either.
inline ViewOrigin view_origin(const TensorImpl& seen) {
  return grad_mode() && seen.base ? seen.view_origin : view_origin();
}

/// Lets `view` remember that it shows `seen`: of a view of a view, that is the first one's base.
/// `version`: of the memory, now.
inline void remember_base(TensorImpl& view, TensorImpl& seen, uint32_t version) {
  view.base = seen.base ? seen.base : Ref<TensorImpl>(&seen);
  view.view_origin = view_origin(seen);
  view.view_version = version;
}

}  // namespace glint
