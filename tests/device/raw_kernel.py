# Kernels written by hand, right and wrong: what the simulated device finds is told with its line.
import torch
import glint.cuda

SCALE = r"""
extern "C" __global__ void scale(float* x, float factor, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] *= factor;
}
"""
scale = glint.cuda.RawKernel(SCALE, "scale")
x = torch.arange(6.0, device="cuda")
scale((2,), (4,), (x, 2.5, 6))
print(x, scale)

# No check: two threads write beyond the end.
scale((2,), (4,), (x, 1.0, 6))
try:
    scale((2,), (4,), (x, 1.0, 8))
except RuntimeError as error:
    print(error)
print(x.sum())

RACE = r"""
extern "C" __global__ void shift(int* out) {
  __shared__ int line[64];
  line[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = line[(threadIdx.x + 1) % 64];
}
"""
try:
    glint.cuda.RawKernel(RACE, "shift")((1,), (64,), (torch.zeros(64, dtype=torch.int32).cuda(),))
except RuntimeError as error:
    print(error)

try:
    glint.cuda.RawKernel('extern "C" __global__ void f(int* x) { x[0] = y; }', "f")
except RuntimeError as error:
    print(error)

for arguments in ((x,), (x, "two", 6), (x.cpu(), 1.0, 6), (x, 1.0, 2.5)):
    try:
        scale((1,), (1,), arguments)
    except (TypeError, RuntimeError) as error:
        print(type(error).__name__, error)
