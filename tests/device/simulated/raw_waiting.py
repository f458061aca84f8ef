# Blocks that wait for each other: they go on where a GPU has room for them at once, and where nobody
# will write what one waits for, it is told where.
import torch
from glint.cuda import RawKernel


def run(body, grid, block=1):
    out = torch.zeros(16, dtype=torch.int32, device="cuda")
    try:
        RawKernel('extern "C" __global__ void k(int* out) {\n' + body + "\n}", "k")((grid,), (block,), (out,))
        return out[:4].tolist()
    except RuntimeError as error:
        return str(error)


FLAG = """volatile int* flag = out;
if (blockIdx.x == 0) {
  while (flag[0] == 0);
  flag[1] = flag[0] + 1;
} else if (blockIdx.x == 5) flag[0] = 41;"""
print(run(FLAG, 6), run(FLAG, 6, 64), run(FLAG, 8000))
print(run(FLAG, 5))

# A barrier of the whole grid, by a counter; of more blocks than there are at once.
GRID = """for (int round = 1; round <= 3; ++round) {
  atomicAdd(&out[round], out[round - 1] + 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&out[8], 1);
    while (atomicAdd(&out[8], 0) < round * gridDim.x);
  }
  __syncthreads();
}"""
print(run(GRID, 20, 64))
print(run(GRID, 300, 1024))

# Blocks that write while they wait: one tells its threads, one counts.
READY = """do {
  if (threadIdx.x == 0) ready = flag[0];
  __syncthreads();
  int now = ready;
  __syncthreads();
  if (now) break;
} while (true);"""
print(run("""__shared__ int ready;
volatile int* flag = out;
if (blockIdx.x == 0) {
  """ + READY + """
  if (threadIdx.x == 0) flag[1] = 7;
} else if (threadIdx.x == 0) flag[0] = 41;""", 2, 64))
print(run("""if (blockIdx.x == 0) {
  while (__ldcv(out) == 0) atomicAdd(&out[5], 1);
  out[1] = 7;
} else out[0] = 41;""", 2))

# A lock that a block holds while others wait; one that a lane holds while its warp's others do.
LOCK = """if (threadIdx.x == 0) {
  while (atomicCAS(&out[0], 0, 1) != 0);
  out[1] = out[1] + 1;
  __threadfence();
  atomicExch(&out[0], 0);
}"""
print(run(LOCK, 10, 64))
print(run("while (atomicCAS(&out[0], 0, 1) != 0);\nout[1] = 1;\natomicExch(&out[0], 0);", 1, 32))

# What is read once, as nothing says that somebody else writes it; a warp for another; a barrier.
print(run("if (blockIdx.x == 0) while (out[0] == 0);\nelse out[0] = 1;", 2))
print(run("""__shared__ volatile int ready;
if (threadIdx.x == 0) ready = 0;
__syncthreads();
if (threadIdx.x >= 32)
  while (ready == 0);
out[0] = 1;""", 1, 64))
print(run("volatile int* flag = out;\nif (blockIdx.x == 1) flag[0] = 1;\nwhile (flag[0] == 0) __syncthreads();", 2, 64))
print(run("volatile int* flag = out;\nwhile (flag[0] == 0) __syncthreads();", 1, 64))
# Much to compute and nothing to write for long.
print(run("""long steps = 0;
for (int i = 1; i < 20000; i++)
  for (long n = i; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) steps++;
out[0] = steps;""", 1))

# One that computes for long before it writes what the others look at beside their cache.
print(run("""if (blockIdx.x != 7) {
  while (__ldcg(out) == 0);
  return;
}
unsigned x = 1;
for (int i = 0; i < 1000000; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
out[1] = x & 7;
out[0] = 41;""", 8))

# Loops that barriers hold together, with nobody who writes: each block comes back to what it was.
ALONE = "__shared__ int ready;\nvolatile int* flag = out;\n" + READY + "\nout[1] = 1;"
print(run(ALONE, 1, 64))
print(run(ALONE, 64, 64))
print(run("volatile int* flag = out;\nwhile (__syncthreads_or(flag[0] == 0));\nout[1] = 1;", 16, 64))
# Read anew behind the barrier, though nothing says that somebody else writes it: a later block does.
print(run("""if (blockIdx.x != 7) {
  while (out[0] == 0) __syncthreads();
  return;
}
unsigned x = 1;
for (int i = 0; i < 1000000; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
out[1] = x & 7;
out[0] = 41;""", 8))

# A loop without end that waits for nothing.
print(run('for (;;) printf("");', 1))
