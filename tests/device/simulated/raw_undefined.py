"""Shared memory that is read before anybody wrote it: the padding of structs, what the compiler reads ahead."""
import torch
from glint.cuda import RawKernel

x = torch.arange(256.0, device="cuda")


def run(title, source, *arguments, grid=(1,), block=(64,)):
    try:
        RawKernel(source, "k")(grid, block, arguments)
        print(title, "ran")
    except RuntimeError as error:
        print(title, error)


# A struct is copied with its padding, which nobody writes.
argmax = """
struct Pair { double value; int index; };
extern "C" __global__ void k(const float* x, float* best, Pair* all) {
  __shared__ Pair pairs[64];
  const int t = threadIdx.x;
  Pair mine = {x[t] * ((t * 37) %% 64), t};
  pairs[t] = mine;
  __syncthreads();
  all[t] = pairs[63 - t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half && pairs[t + half].value > pairs[t].value) pairs[t] = pairs[t + half];
    __syncthreads();
  }
  if (t == 0) { best[0] = pairs[0].value; best[1] = pairs[0].%s; }
}"""
best = torch.zeros(2, device="cuda")
run("argmax", argmax % "index", x, best, torch.zeros(256, device="cuda"))
print(best.cpu(), int((x[:64].cpu() * ((torch.arange(64) * 37) % 64)).argmax()))

# The compiler reads `carry` in the first block too, and chooses afterwards.
scan = """
extern "C" __global__ void k(float* x, const float* carries) {
  __shared__ float carry;
  const bool first = blockIdx.x == 0;
  if (%s && threadIdx.x == 0) carry = carries[blockIdx.x - 1];
  __syncthreads();
  const int i = blockIdx.x * 64 + threadIdx.x;
  x[i] += %s;
}"""
run("carry", scan % ("!first", "first ? 0.0f : carry"), x, torch.tensor([1.0, 10.0, 100.0], device="cuda"), grid=(4,))
print(x[::64].cpu())
run("carry of all", scan % ("!first", "carry"), x, torch.ones(3, device="cuda"), grid=(4,))

# A copy inside shared memory hides nothing.
run("copied", """
extern "C" __global__ void k(float* x) {
  __shared__ float from[64], to[64];
  to[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = to[63 - threadIdx.x] + 1;
}""", x)

# A lane that takes no part in a shuffle: its value may be brought, and not used.
halves = """
extern "C" __global__ void k(float* x) {
  float sum = threadIdx.x;
  if (threadIdx.x >= 16) return;
  for (int offset = 8; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffff, sum, offset);
  if (threadIdx.x <= %d) x[threadIdx.x] = sum;
}"""
run("half a warp", halves % 0, x, block=(32,))
print(x[0].item())
run("all of the half", halves % 15, x, block=(32,))
