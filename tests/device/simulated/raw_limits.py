# What no GPU launches: sizes held against its limits and against what a kernel promised.
import torch
from glint.cuda import RawKernel


def attempt(source, *sizes, shared_mem=0):
    try:
        out = torch.zeros(2048, dtype=torch.int32, device="cuda")
        RawKernel('extern "C" __global__ void ' + source, "f")(*sizes, (out,), shared_mem=shared_mem)
        print("done", out.sum().item())
    except RuntimeError as error:
        # How many registers it needs is the assembler's to say.
        told, registers, _ = str(error).partition(" registers a thread")
        print(told.rstrip("0123456789") + "so many" + registers if registers else told)


BOUNDED = "__launch_bounds__(128) f(int* out) { out[threadIdx.x] = 1; }"
for block in ((256,), (129,), (64, 2)):
    attempt(BOUNDED, (1,), block)

# 48 KiB that the text declares; as dynamic memory what a block may have, and no word for it.
SHARED = """f(int* out) {
  %s;
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}"""
for count in (12288, 12289):
    attempt(SHARED % f"__shared__ int s[{count}]", (1,), (32,))
for size in (60000, 166912, 166913):
    attempt(SHARED % "extern __shared__ int s[]", (1,), (32,), shared_mem=size)

# A hundred numbers that a thread holds at once.
MANY = """%s f(int* out) {
  float v[100], s = 0;
#pragma unroll
  for (int i = 0; i < 100; i++) v[i] = out[i + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 100; i++) s = s * v[i] + v[99 - i];
  out[threadIdx.x] = s + 1;
}"""
attempt(MANY % "", (1,), (512,))
attempt(MANY % "", (1,), (1024,))
attempt(MANY % "__launch_bounds__(1024)", (1,), (1024,))
