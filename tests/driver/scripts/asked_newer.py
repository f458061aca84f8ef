# A GPU that does not take what is asked for runs its own.
# GLINT_CUDA_ARCH=sm_90
import torch
from glint.cuda import RawKernel

kernel = RawKernel('extern "C" __global__ void which(int* to) { *to = __CUDA_ARCH__; }', "which")
found = torch.zeros(1, dtype=torch.int32, device="cuda")
kernel((1,), (1,), (found,))
print(found.item())
print((torch.ones(3, device="cuda") * 2).tolist())
