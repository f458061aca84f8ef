# With CUDA_LAUNCH_BLOCKING=1 the launch itself tells it.
import torch
from glint.cuda import RawKernel

write = RawKernel('extern "C" __global__ void write(int* x, long at) { x[at] = 1; }', "write")
x = torch.zeros(4, dtype=torch.int32, device="cuda")
try:
    write((1,), (1,), (x, 1 << 40))
    print("launched")
except RuntimeError as error:
    print(type(error).__name__, error)
