# Functions of floats, doubles and 64-bit integers in a kernel, each held against Python's.
import math

import torch
from glint.cuda import RawKernel

POINTS = [0.1 + 3.9 * i / 63 for i in range(64)]


def check(kind, dtype, points, tolerance, table):
    """One kernel, whose line k is the table's entry k."""
    lines = "".join(f"out[{k} * 64 + i] = {text};\n" for k, text in enumerate(table))
    source = ('extern "C" __global__ void f(const T* x, T* out) { int i = threadIdx.x; T v = x[i];\n' + lines + "}")
    x = torch.tensor(points, dtype=dtype, device="cuda")
    out = torch.zeros(len(table), 64, dtype=dtype, device="cuda")
    RawKernel(source.replace("T", kind), "f")((1,), (64,), (x, out))
    found, given = out.tolist(), x.tolist()
    for row, (text, function) in zip(found, table.items()):
        for at, value, v in zip(range(64), row, given):
            wanted = function(v)
            if abs(value - wanted) > tolerance * max(1, abs(wanted)):
                print(kind, text, "of", v, "is", value, "not", wanted)
                break
    print(kind, len(table))


def normal_distribution(v):
    return 0.5 * math.erfc(-v / math.sqrt(2))


check("float", torch.float32, POINTS, 2e-5, {
    "sinf(v)": math.sin, "cosf(v)": math.cos, "tanf(v / 4)": lambda v: math.tan(v / 4),
    "__sinf(v)": math.sin, "__cosf(v)": math.cos, "sinpif(v)": lambda v: math.sin(math.pi * v),
    "asinf(v / 5)": lambda v: math.asin(v / 5), "acosf(v / 5)": lambda v: math.acos(v / 5), "atanf(v)": math.atan,
    "atan2f(v, 2.0f)": lambda v: math.atan2(v, 2), "sinhf(v)": math.sinh, "coshf(v)": math.cosh, "tanhf(v)": math.tanh,
    "expf(v)": math.exp, "__expf(v)": math.exp, "exp2f(v)": lambda v: 2 ** v, "exp10f(-v)": lambda v: 10 ** -v,
    "expm1f(v)": math.expm1, "logf(v)": math.log, "__logf(v)": math.log, "log2f(v)": math.log2,
    "log10f(v)": math.log10, "log1pf(v)": math.log1p, "powf(v, 1.7f)": lambda v: v ** 1.7,
    "__powf(v, 2.0f)": lambda v: v * v, "sqrtf(v)": math.sqrt, "rsqrtf(v)": lambda v: v ** -0.5,
    "cbrtf(v)": lambda v: v ** (1 / 3), "hypotf(v, 3.0f)": lambda v: math.hypot(v, 3), "erff(v)": math.erf,
    "erfcf(v)": math.erfc, "lgammaf(v)": math.lgamma, "tgammaf(v)": math.gamma, "normcdff(v)": normal_distribution,
    "fmodf(v, 0.37f)": lambda v: math.fmod(v, 0.37), "remainderf(v, 0.37f)": lambda v: math.remainder(v, 0.37),
    "__fmaf_rn(v, v, -1.0f)": lambda v: v * v - 1, "__fdividef(v, 3.0f)": lambda v: v / 3,
    "__frcp_rn(v)": lambda v: 1 / v, "__float2int_rn(v)": round, "__float2int_rz(v)": int,
    "__float2uint_ru(v)": math.ceil, "rintf(v)": round, "roundf(v)": lambda v: math.floor(v + 0.5), "truncf(v)": int,
    "floorf(v)": math.floor, "ceilf(v)": math.ceil, "fabsf(v - 2)": lambda v: abs(v - 2),
    "copysignf(v, -1.0f)": lambda v: -v, "fminf(v, __int_as_float(0x7fffffff))": lambda v: v, "fdimf(v, 1.0f)": lambda v: max(v - 1, 0),
    "__saturatef(v)": lambda v: min(v, 1), "ldexpf(v, 2)": lambda v: 4 * v,
    "__int_as_float(__float_as_int(v))": lambda v: v, "isnan(v - v) + isinf(1 / (v - v)) + signbit(-v)": lambda v: 2,
})
check("double", torch.float64, POINTS, 1e-12, {
    "sin(v)": math.sin, "cos(v)": math.cos, "tanh(v)": math.tanh, "exp(v)": math.exp, "log(v)": math.log,
    "pow(v, 1.7)": lambda v: v ** 1.7, "sqrt(v)": math.sqrt, "rsqrt(v)": lambda v: v ** -0.5, "erf(v)": math.erf,
    "cbrt(v)": lambda v: v ** (1 / 3), "lgamma(v)": math.lgamma, "tgamma(v)": math.gamma, "log1p(v)": math.log1p,
    "expm1(v)": math.expm1, "fma(v, v, -1.0)": lambda v: v * v - 1, "fmod(v, 0.37)": lambda v: math.fmod(v, 0.37),
    "rint(v)": round, "__drcp_rn(v)": lambda v: 1 / v, "__hiloint2double(__double2hiint(v), __double2loint(v))": float,
})
WIDE = list(range(-31, 33))
check("long long", torch.int64, WIDE, 0, {
    "v * 1000000007ll": lambda v: v * 1000000007, "v * 123456789012ll / 1000": lambda v: int(v * 123456789012 / 1000),
    "v * 123456789012ll % 1000": lambda v: int(math.fmod(v * 123456789012, 1000)), "v >> 2": lambda v: v >> 2,
    "__mul64hi(v << 40, 1ll << 40)": lambda v: v << 16, "max(v, 3ll) ^ v": lambda v: max(v, 3) ^ v,
    "__popcll(v)": lambda v: v.bit_count() if v >= 0 else 64 - (-v - 1).bit_count(),
    "__clzll(v)": lambda v: 64 - v.bit_length() if v >= 0 else 0, "__ffsll(v)": lambda v: (v & -v).bit_length(),
    "llabs(v)": abs, "__double2ll_rn(__ll2double_rn(v) / 2)": lambda v: round(v / 2),
})
