# A GPU that does not take what is asked for runs its own (the one that takes it has just that).
# GLINT_CUDA_ARCH=sm_90
import torch
from glint.cuda import RawKernel

kernel = RawKernel('extern "C" __global__ void which(int* to) { *to = __CUDA_ARCH__; }', "which")
found = torch.zeros(1, dtype=torch.int32, device="cuda")
kernel((1,), (1,), (found,))
major, minor = torch.cuda.get_device_capability()
print(found.item() == 100 * major + 10 * minor)
print((torch.ones(3, device="cuda") * 2).tolist())
