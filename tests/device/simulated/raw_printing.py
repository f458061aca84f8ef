# What kernels print comes in the order of the threads, where `print` writes; what they assert, and
# what the threads of a block tell each other at a barrier.
import torch
from glint.cuda import RawKernel

HEAD = '#include <stdio.h>\n#include <assert.h>\nextern "C" __global__ void f(int* out) {\n'


def run(body, grid, block):
    try:
        out = torch.arange(64, dtype=torch.int32, device="cuda")
        RawKernel(HEAD + body + "\n}", "f")((grid,), (block,), (out,))
        print("launched")
        return out[:4].tolist()
    except RuntimeError as error:
        print(error)


run('printf("thread %d of block %d: %f\\n", threadIdx.x, blockIdx.x, threadIdx.x / 4.0f);', 3, 2)
run('if (threadIdx.x % 32 == 0) printf("warp %d\\n", threadIdx.x / 32);', 1, 96)
# Conversions are those of C; what is not one stays as it is written, as `%` of nothing does.
run(r'''printf("[%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|%u|%c]\n", 42, -42, 42, 42, 42, 255, 255, 8, -1, 'x');
printf("%lld %llu %ld %hd %hhd %zu\n", 1ll << 40, ~0ull, -5l, 70000, 300, sizeof(int));
printf("%.2f %8.3f|%-8.1f|%e %g %G %a %.*f\n", 3.14159, 2.5, 2.5, 12345.678, 1e-7, 1e10, 1.0, 3, 2.0 / 3);
printf("%s and %10s and %.2s %% %*d %y %", "text", "right", "cut", 6, 7);
char name[8];
for (int i = 0; i < 5; i++) name[i] = 'a' + i + threadIdx.x;
name[5] = 0;
printf("\nlocal %s\n", name);
out[0] = printf("no newline, %d; ", 1);
printf("%d\n", out[0]);''', 1, 1)
run('printf("%s", (const char*)out - 1);', 1, 1)
# None of what comes behind a fault.
run('if (threadIdx.x == 2) printf("before\\n");\nassert(out[threadIdx.x] < 3);\nprintf("after\\n");', 1, 4)
run('assert(blockIdx.x < 2);\nprintf("block %d\\n", blockIdx.x);', 4, 1)
run("assert(true); __trap();", 1, 1)

# How many threads say yes, whether all do, whether any does.
print(run("""int count = __syncthreads_count(threadIdx.x % 3 == 0), all = __syncthreads_and(threadIdx.x < 64);
int some = __syncthreads_and(threadIdx.x < 63), any = __syncthreads_or(threadIdx.x == 63);
if (threadIdx.x == 40) out[0] = count, out[1] = all, out[2] = some, out[3] = any;""", 1, 64))
run("if (threadIdx.x < 32) out[0] = __syncthreads_count(1); else __syncthreads();", 1, 64)
run("if (threadIdx.x < 40) out[0] = __syncthreads_count(1);", 1, 64)

# Time is what a warp has executed.
print(run("""long long begin = clock64();
int early = clock();
for (int i = 0; i < 10; i++) atomicAdd(out, 1);
long long end = clock64();
out[1] = end > begin, out[2] = clock() > early, out[3] = end - begin < 1000;""", 1, 32))
