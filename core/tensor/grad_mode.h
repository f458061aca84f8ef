// The grad mode: whether calls on tensors that require gradients are recorded. `torch.no_grad()`
// and its like switch it; views remember their base only where that matters to it.
#pragma once

namespace glint {

bool grad_mode();
void set_grad_mode(bool enabled);

/// That mode for a while; then the one before.
class GradModeScope {
 public:
  explicit GradModeScope(bool enabled) : before_(grad_mode()) { set_grad_mode(enabled); }
  ~GradModeScope() { set_grad_mode(before_); }
  GradModeScope(const GradModeScope&) = delete;
  GradModeScope& operator=(const GradModeScope&) = delete;

 private:
  bool before_;
};

}  // namespace glint
