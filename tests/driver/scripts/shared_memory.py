# More shared memory than 48 KiB has to be asked for; more than a block can have is an error.
import torch
from glint.cuda import RawKernel

x = torch.zeros(4).cuda()
source = """
extern "C" __global__ void last(float* x, int count) {
  extern __shared__ float cells[];
  cells[count - 1] = 7;
  x[0] = cells[count - 1];
}
"""
last = RawKernel(source, "last")
for count in (1000, 15000, 40000, 80000, 12000):
    try:
        last((1,), (1,), (x.zero_(), count), shared_mem=4 * count)
        print(count, x[0].item())
    except RuntimeError as error:
        print(count, type(error).__name__, error)
