// The grad mode: whether calls on tensors that require gradients are recorded. `torch.no_grad()`
// and its like switch it; views remember their base only where that matters to it.
#pragma once

namespace glint {

bool grad_mode();
void set_grad_mode(bool enabled);

}  // namespace glint
