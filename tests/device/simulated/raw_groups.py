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

# Half a warp that synchronises orders what it does, and nothing of the other half.
HALVES = "__shared__ int s[32];\nint t = threadIdx.x;\ns[t] = t;\nunsigned half = t < 16 ? 0xffff : 0xffff0000;\n"
print(run(HALVES + "__syncwarp(half);\nout[t] = s[t ^ 8];")[:4], run(HALVES + "__syncwarp();\nout[t] = s[t ^ 16];")[:4])
print(run(HALVES + "__syncwarp(half);\nout[t] = s[t ^ 16];"))
print(run(HALVES + "if (t < 16) {\n  __syncwarp(0xffff);\n  out[t] = s[t + 1];\n}"))
# A read that others only are known to be done with: the write races with it.
READ = "__shared__ int s[1];\nint t = threadIdx.x;\nif (t == 0) s[0] = 7;\n__syncwarp();\nout[t] = s[0];\n"
print(run(READ + "if (t < 16) __syncwarp(0xffff);\nif (t == 0) s[0] = 8;"))
print(run(READ + "__syncwarp();\nif (t == 0) s[0] = 8;", size=32)[31])
# What one half knows it tells, by a lane of both.
CHAIN = "if (t < 16) __syncwarp(0xffff);\nif (t >= 8 && t < 24) __syncwarp(0xffff00);\n"
print(run(HALVES + CHAIN + "if (t == 20) out[0] = s[3];", size=1))
print(run(HALVES + CHAIN + "if (t == 20) out[0] = s[3] +\n  s[30];", size=1))
# Lanes that have ended have met the others.
print(run(HALVES + "if (t >= 20) return;\n__syncwarp();\nout[t] = s[31 - t];", size=20))
