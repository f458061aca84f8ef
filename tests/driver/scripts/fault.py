# A kernel that writes where nothing is: the call that waits tells it, and the device is lost.
import torch
from glint.cuda import RawKernel

write = RawKernel('extern "C" __global__ void write(int* x, long at) { x[at] = 1; }', "write")
near = torch.arange(4)
x = torch.zeros(4, dtype=torch.int32, device="cuda")
write((1,), (1,), (x, 2))
print(x)
write((1,), (1,), (x, 1 << 40))
print("launched")
for use in (torch.cuda.synchronize, lambda: x.cpu(), lambda: x + 1, lambda: near.cuda(), near.pin_memory,
            lambda: RawKernel('extern "C" __global__ void other() {}', "other")):
    try:
        print(use())
    except RuntimeError as error:
        print(type(error).__name__, error)
print(near + 1, torch.cuda.Event().query())
