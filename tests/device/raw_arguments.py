# What a kernel of one's own is launched with is held against its parameters, and named where it does
# not fit: on a GPU nobody else would say so.
import torch
from glint.cuda import RawKernel

x = torch.zeros(8, device="cuda")


def attempt(kernel, *given, **named):
    try:
        kernel(*given, **named)
        print(x[:4].tolist())
    except (OverflowError, TypeError, RuntimeError, ValueError) as error:
        print(type(error).__name__, "|", error)
    x.zero_()


def raw(parameters, body):
    return RawKernel('struct Pair { int a, b; };  struct Large { int a[1000]; };\n'
                     f'extern "C" __global__ void k({parameters}) {{ {body} }}', "k")


# Ints of each size, with a sign or without: both ends fit, what lies beyond does not.
for name, bits in (("char", 8), ("short", 16), ("int", 32)):
    signed = raw(f"float* x, {name} n", "x[0] = n;")
    unsigned = raw(f"float* x, unsigned {name} n", "x[0] = n;")
    for kernel, value in ((signed, -2 ** (bits - 1)), (signed, 2 ** (bits - 1) - 1),
                          (unsigned, 2 ** bits - 1), (unsigned, 2 ** bits),
                          (signed, -2 ** (bits - 1) - 1), (signed, 2**40 + 7)):
        attempt(kernel, (1,), (1,), (x, value))
attempt(raw("float* x, long long n", "x[0] = n;"), (1,), (1,), (x, -2**62))
attempt(raw("float* x, bool n", "x[0] = n;"), (1,), (1,), (x, True))
attempt(raw("float* x, float n", "x[0] = n;"), (1,), (1,), (x, 3))
attempt(raw("float* x, float n", "x[0] = n;"), (1,), (1,), (x, float("inf")))
attempt(raw("float* x, float n", "x[0] = n;"), (1,), (1,), (x, 1e300))
attempt(raw("float* x, double n", "x[0] = n > 1e200;"), (1,), (1,), (x, 1e300))

# Tensors where numbers are meant, and the other way round; structs take neither.
attempt(raw("float* x, float n", "x[0] = n;"), (1,), (1,), (x, x))
attempt(raw("float* x, double n", "x[0] = n;"), (1,), (1,), (x, x))
attempt(raw("float* x, int n", "x[0] = n;"), (1,), (1,), (x, x))
attempt(raw("float* x, int n", "x[0] = n;"), (1,), (1,), (2.5, x))
attempt(raw("float* x, int n", "x[0] = n;"), (1,), (1,), (None, 1))
attempt(raw("float* x, int n", "x[0] = n;"), (1,), (1,), (x, None))
attempt(raw("Large n, float* x", "x[0] = n.a[999];"), (1,), (1,), (3, x))
attempt(raw("float* x, Pair n", "x[0] = n.b;"), (1,), (1,), (x, x))
attempt(raw("float* x, Pair n", "x[0] = n.b;"), (1,), (1,), (x, "two"))
attempt(raw("", ""), (1,), (1,), (x,))

# Sizes of the launch.
grid = raw("float* x", "x[0] = gridDim.x; x[1] = blockDim.x; x[2] = gridDim.z;")
for given in ((2**32 + 1,), 0, (1, 1, 2**40), (1, 1, 1, 1), "one", (1.0,), 3, (1, 1, 2)):
    attempt(grid, given, (1,), (x,))
for given in (2**32 + 1, -1, (), [4]):
    attempt(grid, (1,), given, (x,))
for given in (2**32, -1, 2.5, 16):
    attempt(grid, (1,), (1,), (x,), shared_mem=given)

# What a stream and an event cannot be made of leaves the current stream as it is.
try:
    with torch.cuda.stream(3):
        pass
except AttributeError as error:
    print(error)
try:
    torch.cuda.set_stream(3)
except AttributeError as error:
    print(error)
torch.cuda.Event().record()
print(torch.cuda.current_stream() == torch.cuda.default_stream())
try:
    torch.cuda.Event(foo=1)
except TypeError as error:
    print(error)

# A traceback has the script's lines alone: that a kernel is an object of the library is no news.
import traceback

try:
    RawKernel("extern \"C\" __global__ void one(int* x) {}", "one")((1,), (1,), ("x",))
except TypeError:
    print([line.strip() for line in traceback.format_exc().splitlines() if "File" not in line])
