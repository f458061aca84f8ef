# What a kernel written by hand forgets, told by what a user needs to mend it.
import glint.cuda
import torch


def attempt(body, threads):
    source = 'extern "C" __global__ void f(int* out) {\n  __shared__ int s[64];\n' + body + "\n}"
    try:
        out = torch.zeros(64, dtype=torch.int32, device="cuda")
        glint.cuda.RawKernel(source, "f")((1,), (threads,), (out,))
        print("done", out.sum().item())
    except RuntimeError as error:
        print(error)


# A barrier that is not there, one that some pass by, and memory that nobody writes.
attempt("s[threadIdx.x] = threadIdx.x;\nout[threadIdx.x] = s[63 - threadIdx.x];", 64)
attempt("if (threadIdx.x >= 32) { s[threadIdx.x] = 1;\n__syncthreads(); }\n"
        "out[threadIdx.x] = s[63 - threadIdx.x % 32];", 64)
attempt("if (threadIdx.x < 32) { s[threadIdx.x] = 1;\n__syncthreads(); }\n"
        "else out[threadIdx.x] = s[threadIdx.x];", 64)
attempt("out[threadIdx.x] = s[threadIdx.x];", 64)
# A counter that is cleared and counted in with no barrier between; with one, and inside a warp.
attempt("if (threadIdx.x == 0) s[0] = 0;\natomicAdd(&s[0], 1);", 64)
attempt("if (threadIdx.x == 0) s[0] = 0;\natomicAdd(&s[0], 1);", 32)
attempt("if (threadIdx.x == 0) s[0] = 0;\n__syncthreads(); atomicAdd(&s[0], 1);\n"
        "__syncthreads(); out[threadIdx.x] = s[0];", 64)
attempt("if (threadIdx.x == 0) s[0] = 0;\n__syncwarp(); atomicAdd(&s[0], 1);\n"
        "__syncwarp(); out[threadIdx.x] = s[0];", 32)

# Lanes that the block does not have.
attempt("out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 20);", 16)
attempt("out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 20);", 40)
attempt("out[threadIdx.x] = __shfl_sync(0xffff, (int)threadIdx.x, 3);", 16)
attempt("__syncwarp(); out[threadIdx.x] = __any_sync(0xffffffff, threadIdx.x == 3);", 16)

# A name that C++ made another of.
SCALE = "template <class T> __global__ void scale(T* x) { x[0] = 2; }\n"
MADE = SCALE + "template __global__ void scale<int>(int*);"
for source, name in (("__global__ void scale(float* x) { x[0] = 2; }", "scale"),
                     ("__device__ int y;", "scale"),
                     ('extern "C" __global__ void other() {}', "scale"),
                     (SCALE, "scale"), (MADE, "scale"), (MADE, "scale<int>")):
    try:
        glint.cuda.RawKernel(source, name)
    except RuntimeError as error:
        print(error)
made = torch.zeros(1, dtype=torch.int32, device="cuda")
glint.cuda.RawKernel(MADE, "_Z5scaleIiEvPT_")((1,), (1,), (made,))
print(made.item())
for grid, block in (((1,), (1025,)), ((1,), (32, 33)), ((1,), (1, 1, 65)), ((1, 70000), (1,))):
    try:
        glint.cuda.RawKernel(MADE, "_Z5scaleIiEvPT_")(grid, block, (made,))
    except RuntimeError as error:
        print(error)

# A stream is a context by itself, and may be one inside itself.
s, t = torch.cuda.Stream(), torch.cuda.Stream()
with s as entered, t, s:
    print(entered is s, torch.cuda.current_stream() == s)
print(torch.cuda.current_stream() == torch.cuda.default_stream())

# What the simulator does not know, by the line of the source.
BEFORE = """typedef int (*Step)(int);
__device__ __noinline__ int f(int x) { return x + 1; }
__device__ __noinline__ int g(int x) { return x + 2; }
__device__ Step steps[1] = {f};
struct Base { __device__ virtual int get() { return 1; } };
struct Derived : Base { __device__ int get() override { return 2; } };
template <int size> struct Tile { static_assert(size % 2 == 0, "an even size"); };
"""
for body in (
    "long long time;\nasm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(time));\n*out = time;",
    "*out = 1;\n\nfree(malloc(*out));",
    "int a = 0;\nasm(\"tex.1d.v4.s32.s32 {%0, %0, %0, %0}, [%1, {%2}];\" : \"=r\"(a) : \"l\"(out), \"r\"(3));\n*out = a;",
    "Step step = *out ? f : g;\n*out = step(3);",
    "*out = steps[*out](3);",
    "Derived derived;\nBase base, *used = *out ? &base : &derived;\n*out = used->get();",
    "int a;\nTile<7> tile;",
):
    try:
        source = BEFORE + 'extern "C" __global__ void k(int* out) {\n' + body + "\n}"
        glint.cuda.RawKernel(source, "k")((1,), (1,), (torch.zeros(1, dtype=torch.int32).cuda(),))
    except RuntimeError as error:
        print(error)
for source in ("#include <cooperative_groups.h>\n"
               'extern "C" __global__ void k(int* out) {\n  cooperative_groups::this_grid().sync();\n}',
               '__managed__ int y;\nextern "C" __global__ void k(int* out) { y = 1; }'):
    try:
        glint.cuda.RawKernel(source, "k")
    except RuntimeError as error:
        print(error)
