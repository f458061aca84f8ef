// The native part of `torch.cuda` and `glint.cuda`: the module `_glint_cuda`.
#pragma once

namespace glint::device {

void install_cuda_module();

}  // namespace glint::device
