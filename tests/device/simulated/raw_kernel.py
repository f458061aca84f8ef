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

# What headers there are always.
glint.cuda.RawKernel(r'''
#include <stdint.h>
extern "C" __global__ void count(int64_t* x, uint8_t step) { x[threadIdx.x] += step; }
''', "count")((1,), (4,), (wide := torch.zeros(4, dtype=torch.int64, device="cuda"), 255))
print(wide)
names = ("limits.h", "float.h", "cmath", "cstdio", "cassert", "cstdlib", "cstring", "cstddef")
glint.cuda.RawKernel("".join(f"#include <{name}>\n" for name in names) + r'''
extern "C" __global__ void constants(double* x) {
  x[0] = INT_MAX, x[1] = FLT_MAX, x[2] = -INFINITY, x[3] = isnan(NAN), x[4] = M_PI, x[5] = std::sqrt(2.0) + std::abs(-1);
}''', "constants")((1,), (1,), (found := torch.zeros(6, dtype=torch.float64, device="cuda"),))
print(found.tolist())
glint.cuda.RawKernel("#include <cstdint>\n#include <cstddef>\n#include <cmath>\n#include <float.h>\n" + r'''
extern "C" __global__ void more(double* x) {
  std::uint32_t most = UINT16_MAX;
  std::size_t size = sizeof(std::int_least16_t);
  x[0] = INT8_MIN + UINT8_MAX, x[1] = most + INT16_MIN, x[2] = SIZE_MAX == UINTPTR_MAX, x[3] = size, x[4] = FLT_RADIX;
  x[5] = std::nearbyint(2.5) + std::lround(2.5) + std::logb(8.0) + (std::nextafter(1.0, 2.0) > 1) + (HUGE_VAL > DBL_MAX);
}''', "more")((1,), (1,), (found,))
print(found.tolist())
try:
    glint.cuda.RawKernel('#include <no_such.h>', "f")
except RuntimeError as error:
    print(str(error).split("\n")[0])

# Every thread of a block comes to a barrier, every lane that a shuffle names to the shuffle.
for body in (
    "if (threadIdx.x < 32) __syncthreads();",
    "if (threadIdx.x >= 40) return;  __syncthreads();",
    "for (int i = 0; i <= threadIdx.x / 32; ++i) __syncthreads();",
    "__syncthreads();  if (threadIdx.x < 32) out[1] = 2;",
    "if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffffffff, out[threadIdx.x], 20);",
    "if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffff, out[threadIdx.x], 3);",
    "if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffffffff, out[threadIdx.x], 20);  return;",
):
    source = 'extern "C" __global__ void meet(int* out) {' + body + " out[0] = 1; }"
    try:
        out = torch.zeros(64, dtype=torch.int32, device="cuda")
        glint.cuda.RawKernel(source, "meet")((1,), (64,), (out,))
        print("done", out.sum().item())
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
