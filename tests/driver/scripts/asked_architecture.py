# A GPU that takes what is asked for runs it, rather than what would be made for itself.
# GLINT_CUDA_ARCH=compute_75
import torch
from glint.cuda import RawKernel

kernel = RawKernel('extern "C" __global__ void which(int* to) { *to = __CUDA_ARCH__; }', "which")
found = torch.zeros(1, dtype=torch.int32, device="cuda")
kernel((1,), (1,), (found,))
print(found.item())
print((torch.ones(3, device="cuda") * 2).tolist())
