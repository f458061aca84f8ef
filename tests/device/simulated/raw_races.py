# What the simulated device tells as a race in shared memory, and what it does not.
import torch
from glint.cuda import RawKernel

BEFORE = """__device__ double add(double* address, double value) {
  unsigned long long* bits = (unsigned long long*)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
extern "C" __global__ void k(int* out, int one) {
  __shared__ int s[64]; __shared__ double sum; __shared__ int found;
  __shared__ volatile float v[64]; __shared__ volatile int flag;
  int t = threadIdx.x;
  s[t] = t; v[t] = t;
  if (t == 0) { sum = 0; found = 0; flag = 0; }
  __syncthreads();
"""


def run(body, threads=64):
    out = torch.zeros(64, dtype=torch.int32, device="cuda")
    try:
        RawKernel(BEFORE + body + "\n}", "k")((1,), (threads,), (out, 1))
        print(out[::21].tolist())
    except RuntimeError as error:
        print(error)


# Many that store one value, of which some others differ; and who read it before.
run("if (t % 3 == 0) found = one;\n__syncthreads();\nout[t] = found;")
run("if (t % 3 == 0) found = t < 40 ? one : 2;\n__syncthreads();\nout[t] = found;")
run("if (t % 3 == 0) found = one;\nout[t] = found;")
run("out[t] = found;\nif (t == 5) found = one;", 32)
run("out[t] = found;\nif (t == 5) found = one - 1;", 32)
run("int p = t ^ 1;\nif (s[t] > s[p]) { int q = s[t];\ns[t] = s[p];\ns[p] = q; }", 32)

# A read that an atomic update by the same thread checks, and one that none does.
run("add(&sum, t);\n__syncthreads();\nout[t] = sum;")
run("if (t % 2) add(&sum, t);\nelse out[t] = sum;\n__syncthreads();\nout[t] += sum;")
run("atomicAdd(&found, 1);\nout[t] = found;\n__syncthreads();", 32)
run("int old = found;\nif (t != 9)\natomicAdd(&found, 1);\nout[t] = old;", 32)

# A flag that a warp waits for; one that it looks at once, and one that is not volatile there.
run("if (t == 40) flag = 3;\nelse if (t < 32) while (flag == 0);\nout[t] = 4;")
run("if (t == 0) flag = 3;\nif (t >= 32) while (flag == 0);\nout[t] = 4;")
run("if (t == 0) flag = 3;\nelse if (t >= 32) out[t] = flag;")
run("if (t == 0) *(int*)&flag = 3;\nelse if (t >= 32) while (flag == 0);")
# A warp that counts on going in step.
run("if (t < 32) { v[t] += v[t + 32];\nv[t] += v[t + 16]; v[t] += v[t + 8];\nout[t] = v[0]; }")
run("for (int row = 0; row < 3; ++row) {\nv[t] = row + t;\nfor (int d = 16; d > 0; d /= 2) if (t < d)\n"
    "v[t] += v[t + d];\n}\nout[t] = v[0];", 32)
