# What a kernel promised of its launches, and what a block may have, is the driver's to refuse; what
# the text declares the compiler's. The session goes on.
import torch
from glint.cuda import RawKernel

# What a block may have at most, by compute capability; the stand-in is an A100, of 8.0.
MOST = {
    (7, 5): 65536, (8, 0): 166912, (8, 6): 101376, (8, 7): 166912, (8, 9): 101376, (9, 0): 232448,
    (10, 0): 232448, (10, 3): 232448, (11, 0): 232448, (12, 0): 101376, (12, 1): 101376,
}[torch.cuda.get_device_capability()]


def attempt(source, block):
    try:
        out = torch.zeros(1024, dtype=torch.int32, device="cuda")
        RawKernel('extern "C" __global__ void ' + source, "f")((1,), (block,), (out,))
        print("done", out.sum().item())
    except RuntimeError as error:
        print(str(error).replace(f" up to {MOST}", " up to the most"))


attempt("__launch_bounds__(128) f(int* out) { out[threadIdx.x] = 1; }", 129)
attempt("__launch_bounds__(128) f(int* out) { out[threadIdx.x] = 1; }", 128)
attempt("f(int* out) { __shared__ int s[12289]; s[threadIdx.x] = 1; __syncthreads(); *out = s[0]; }", 32)
MANY = """f(int* out) {
  float v[100], s = 0;
#pragma unroll
  for (int i = 0; i < 100; i++) v[i] = out[i + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 100; i++) s = s * v[i] + v[99 - i];
  out[threadIdx.x] = s + 1;
}"""
attempt(MANY, 1024)
attempt(MANY, 512)
