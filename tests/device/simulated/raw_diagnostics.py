# What the compiler says of a kernel: errors where they are, also at the end of the source, and warnings.
import warnings

import glint.cuda

for source in ('extern "C" __global__ void k(float* x) { x[0] = 1;', "int", "\n\nint\n\n",
               'extern "C" __global__ void k(float* x) {\n  x[0] = 1\n}',
               '__device__ void f(int);\n__device__ void f(float);\n'
               'extern "C" __global__ void k(float* x) {\n\tf(1.0);\n}'):
    try:
        glint.cuda.RawKernel(source, "k")
    except RuntimeError as error:
        print(error)

# Of a text once, whichever of its kernels is asked for, and in every process.
SOURCE = r'''__constant__ float c[4];
extern "C" __global__ void k(int* x) {
  int a = 5;
  a == 3;
  x[0] = 1 << 40;
  ((float*)c)[threadIdx.x] = 1;
}
extern "C" __global__ void other(int* x) { x[0] = 1; }
'''
for name in ("k", "other", "k"):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        glint.cuda.RawKernel(SOURCE, name)
    print(name, len(caught))
    for each in caught:
        print(f"{each.category.__name__}: {each.message}")
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        glint.cuda.RawKernel('extern "C" __global__ void k(int* x) {\n  int unused;\n}', "k")
    except UserWarning as warning:
        print(warning)
