# What kernels print the driver writes, when somebody waits; an assertion that fails is told then too.
import torch
from glint.cuda import RawKernel

hello = RawKernel(r'''
extern "C" __global__ void hello(int least) {
  printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
  assert(blockIdx.x >= least);
}''', "hello")
hello((2,), (2,), (0,))
print("launched", flush=True)
torch.cuda.synchronize()
print("waited", flush=True)
hello((2,), (1,), (1,))
try:
    torch.cuda.synchronize()
except RuntimeError as error:
    print(type(error).__name__, error)
