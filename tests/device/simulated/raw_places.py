# Where a fault is: in the script's source, also where a header's function has it, or no line at all.
import warnings

import glint.cuda
import torch

warnings.simplefilter("ignore")


def attempt(source, threads=1):
    try:
        kernel = glint.cuda.RawKernel(source, "k")
        kernel((1,), (threads,), (torch.zeros(64, device="cuda"),))
        print("done")
    except RuntimeError as error:
        print(error)


K = 'extern "C" __global__ void k(float* x) {\n'
# A function of the source, inlined or not, and one of a header, called by the kernel or by that one.
GET = " float get(float* p, int i) {\n  return p[i];\n}\n" + K + "  x[0] = get(x, 100 + threadIdx.x);\n}"
attempt("__device__" + GET)
attempt("__device__ __noinline__" + GET)
attempt("#include <cooperative_groups.h>\n" + K
        + "  if (threadIdx.x < 8)\n    cooperative_groups::this_thread_block().sync();\n}", 32)
for inlined in ("", "__noinline__ "):
    attempt("#include <cooperative_groups.h>\n" + f"__device__ {inlined}void wait() " + "{\n"
            "  cooperative_groups::this_thread_block().sync();\n}\n"
            + K + "  if (threadIdx.x < 8)\n    wait();\n  x[0] = 1;\n}", 32)
attempt("#include <cuda_pipeline.h>\n" + K
        + "  __shared__ float s[1];\n  __pipeline_memcpy_async(s, x, 4);\n  x[1] = s[0];\n}")

# Loops that the compiler makes have no line, a store that it knows to be wrong has none either.
attempt(K + "  memset(x + 60, 0, 40);\n}")
attempt("__device__ __noinline__ void clear(float* x) {\n  memset(x + 60, 0, 40);\n}\n" + K + "  clear(x);\n}")
attempt("__constant__ float c[4];\n" + K + "  ((float*)c)[threadIdx.x] = 1;\n}")
