# A driver without CUDA's compiler: tensors move, and what needs a kernel says what is missing.
# GLINT_NVRTC=/nowhere, GLINT_CACHE=/dev/null/cache
import warnings

import torch
from glint.cuda import RawKernel

x = torch.arange(3.0).cuda()
print(x.cpu(), x.device)
for use in (
    lambda: x + 1,
    lambda: torch.compile(torch.sin)(x),
    lambda: x @ x,
    lambda: RawKernel('extern "C" __global__ void f() {}', "f"),
):
    try:
        print(use())
    except RuntimeError as error:
        print(error)
print(x.cpu() + 1)
with warnings.catch_warnings(record=True) as said:
    print(torch.cuda.is_available(), torch.cuda.device_count(), said[0].message)
