#include "core/tensor/grad_mode.h"

namespace glint {

namespace {
GradState now;
}  // namespace

GradState grad_state() {
  return now;
}
void set_grad_state(GradState state) {
  now = state;
}

}  // namespace glint
