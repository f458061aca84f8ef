# Lanes of a warp that name different masks in one instruction: each group is by itself.
import torch
from glint.cuda import RawKernel


def run(body, threads=32, size=32):
    source = 'extern "C" __global__ void k(int* out) {\n' + body + "\n}"
    out = torch.zeros(size, dtype=torch.int32, device="cuda")
    try:
        RawKernel(source, "k")((1,), (threads,), (out,))
        return out.tolist()
    except RuntimeError as error:
        return str(error)


# Sums by key: each group of equal keys adds up, and its first lane writes.
print(run("""int key = threadIdx.x % 3;
unsigned group = __match_any_sync(~0u, key);
int sum = __reduce_add_sync(group, threadIdx.x);
if (__ffs(group) - 1 == threadIdx.x % 32) atomicAdd(&out[key], sum);""", size=3))

# The two halves of a warp.
HALF = "unsigned half = threadIdx.x < 16 ? 0xffff : 0xffff0000;\n"
for value in ("__ballot_sync(half, 1)", "__any_sync(half, threadIdx.x > 20)",
              "__all_sync(half, threadIdx.x < 20)", "__match_any_sync(half, 1)",
              "__reduce_max_sync(half, threadIdx.x)", "__shfl_sync(half, (int)threadIdx.x, 3, 16)"):
    print(value, run(HALF + "out[threadIdx.x / 16] = " + value + ";", size=2))

# A lane that is not among those that it names, and two that name each other and not the same.
print(run("out[0] = 1;\nout[threadIdx.x] = __ballot_sync(0xffff, 1);"))
print(run("unsigned mask = threadIdx.x < 16 ? ~0u : 0xffff0000;\n__syncwarp(mask);"))
