# Barriers that take a part of the block: what they order in shared memory, and what they do not.
import torch
from glint.cuda import RawKernel


def run(body, threads=128):
    source = """
__device__ void meet(int barrier, int count) {
  asm volatile("bar.sync %0, %1;" :: "r"(barrier), "r"(count) : "memory");
}
__device__ void arrive(int barrier, int count) {
  asm volatile("bar.arrive %0, %1;" :: "r"(barrier), "r"(count) : "memory");
}
extern "C" __global__ void k(int* out) {
  __shared__ int s[128];
  int t = threadIdx.x, warp = t / 32, half = t / 64;
""" + body + "\n}"
    out = torch.zeros(threads, dtype=torch.int32, device="cuda")
    try:
        RawKernel(source, "k")((1,), (threads,), (out,))
        print(out[::31].tolist())
    except RuntimeError as error:
        print(error)


# Each half of the block turns its own part around.
run("s[t] = t;\nmeet(half + 1, 64);\nout[t] = s[half * 64 + 63 - t % 64];")
# All wait, and then each half again, which the other half does not see.
run("s[t] = t;\n__syncthreads();\nint other = s[127 - t];\nmeet(half + 1, 64);\ns[t] = other;")
run("s[t] = t;\n__syncthreads();\nint own = s[half * 64 + 63 - t % 64];\nmeet(half + 1, 64);\n"
    "s[t] = own;\nmeet(half + 1, 64);\nout[t] = s[half * 64];")
# What a warp has learned at one barrier it brings along to the next.
run("if (warp == 0) s[t] = t + 1;\nif (warp < 2) meet(1, 64);\nif (warp == 1 || warp == 2) meet(2, 64);\n"
    "if (warp == 2) out[t] = s[t - 64];")
run("if (warp == 0) s[t] = t + 1;\nif (warp < 2) meet(1, 64);\nif (warp == 2 || warp == 3) meet(2, 64);\n"
    "if (warp == 2) out[t] = s[t - 64];")
# A warp that comes and goes on: those that wait see what it wrote before, and it sees nothing of them.
PASS_ON = """for (int round = 0; round < 3; ++round) {
  if (warp == 0) {
    if (round > 0) meet(2, 64);
    s[t] = t + round;
    arrive(1, 64);
  } else {
    meet(1, 64);
    out[t] += s[t - 32];
    if (round < 2) arrive(2, 64);
  }
}"""
run(PASS_ON, 64)
run("if (warp == 0) {\n  s[t] = t;\n  arrive(1, 64);\n  s[t] = 5;\n} else {\n  meet(1, 64);\n"
    "  out[t] = s[t - 32];\n}", 64)
# A barrier for as many threads as the block has is one for all; and one that too few come to.
run("s[t] = t;\nif (warp < 3) meet(0, 128); else __syncthreads();\nout[t] = s[127 - t];")
run("if (warp < 2)\n  meet(1, 96);")
# A warp may wait for another one in other ways while that one waits.
run("volatile int* flag = out;\nif (warp == 3) { while (flag[0] == 0); out[t] = 7; }\nelse if (warp < 2) {\n"
    "  meet(1, 64);\n  if (t == 0) flag[0] = 1;\n}")
