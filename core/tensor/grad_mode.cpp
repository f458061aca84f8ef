#include "core/tensor/grad_mode.h"

namespace glint {

namespace {
bool enabled_now = true;
}  // namespace

bool grad_mode() {
  return enabled_now;
}
void set_grad_mode(bool enabled) {
  enabled_now = enabled;
}

}  // namespace glint
