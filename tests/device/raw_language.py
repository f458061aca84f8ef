# What a kernel may be written with: bits and votes, templates and lambdas, tables in constant memory,
# arrays of a thread; each held against Python.
import torch
from glint.cuda import RawKernel


def signed(value):
    value &= 0xffffffff
    return value - (1 << 32) if value >> 31 else value


def reverse(value):
    return int(f"{value:032b}"[::-1], 2)


def check(table, before=""):
    """One kernel of 32 threads, whose line k is the table's entry k, of the thread's number t."""
    lines = "".join(f"out[{k} * 32 + t] = {text};\n" for k, text in enumerate(table))
    source = before + 'extern "C" __global__ void f(int* out) { int t = threadIdx.x;\n' + lines + "}"
    out = torch.zeros(len(table), 32, dtype=torch.int32, device="cuda")
    RawKernel(source, "f")((1,), (32,), (out,))
    for found, (text, function) in zip(out.tolist(), table.items()):
        wanted = [signed(function(t)) for t in range(32)]
        if found != wanted:
            print(text, "is", found, "not", wanted)
    print(len(table))


THIRDS = sum(1 << t for t in range(0, 32, 3))
check({
    "__ballot_sync(0xffffffff, t % 3 == 0)": lambda t: THIRDS,
    "__popc(__ballot_sync(~0u, t % 3 == 0) & ((1u << t) - 1))": lambda t: (THIRDS & ((1 << t) - 1)).bit_count(),
    "__any_sync(~0u, t == 4) + 2 * __all_sync(~0u, t < 31)": lambda t: 1, "__activemask()": lambda t: -1,
    "__match_any_sync(~0u, t / 16) != 0xffff": lambda t: t >= 16,
    "__reduce_add_sync(~0u, t) + __reduce_max_sync(~0u, t)": lambda t: 496 + 31,
    "__ffs(t)": lambda t: (t & -t).bit_length(), "__clz(t)": lambda t: 32 - t.bit_length(), "__brev(t)": reverse,
    "__popcll(0x100000001ll * t)": lambda t: 2 * t.bit_count(), "__ffsll(1ll << (t + 20))": lambda t: t + 21,
    "__byte_perm(0x03020100, t, 0x4321)": lambda t: t << 24 | 0x030201, "__sad(t, 9, 2)": lambda t: abs(t - 9) + 2,
    "__funnelshift_l(t << 30, 7, 4)": lambda t: 7 << 4 | (t << 30 & 0xffffffff) >> 28,
    "__mul24(t, 1000)": lambda t: 1000 * t, "__mulhi(t - 9, 1 << 30)": lambda t: (t - 9) >> 2,
    "__umulhi(t << 28, 100)": lambda t: (t << 28 & 0xffffffff) * 100 >> 32, "__hadd(t, 9)": lambda t: (t + 9) // 2,
    "__rhadd(t, 8)": lambda t: (t + 9) // 2, "__dp4a(t * 0x01010101, 0x01020304, 5)": lambda t: 10 * t + 5,
    "__vadd4(t * 0x01010101, 0x01ff0102)":
        lambda t: int.from_bytes(bytes([(t + k) & 255 for k in (2, 1, 255, 1)]), "little"),
    "(unsigned char)(t * 20) + (signed char)-t": lambda t: (t * 20 & 255) - t,
    "(short)(t * 5000)": lambda t: (t * 5000 + 32768) % 65536 - 32768,
    "make_uchar4(t * 20, 1, 2, 3).x": lambda t: t * 20 & 255, "warpSize": lambda t: 32,
})

BEFORE = """
struct Affine { int a, b; __device__ int operator()(int x) const { return a * x + b; } };
template <int N> struct Polynomial {
  int c[N];
  __device__ int at(int x) const {
    int sum = 0;
    for (int i = N - 1; i >= 0; --i) sum = sum * x + c[i];
    return sum;
  }
};
template <class F> __device__ int twice(F f, int x) { return f(f(x)); }
enum class Mode { kSum, kDifference };
__device__ int either(Mode mode, int a, int b) {
  switch (mode) {
    case Mode::kSum: return a + b;
    case Mode::kDifference: return a - b;
  }
  return 0;
}
__constant__ int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
union Bits { float f; unsigned u; };
__device__ unsigned exponent(float x) { Bits bits; bits.f = x; return bits.u >> 23; }
__device__ __noinline__ int extreme(const int* values, int count, bool most) {
  int best = values[0];
  for (int i = 1; i < count; i++)
    if (most ? values[i] > best : values[i] < best) best = values[i];
  return best;
}
__device__ void sort(int* values, int count) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j + 1 < count - i; j++)
      if (values[j] > values[j + 1]) {
        int other = values[j];
        values[j] = values[j + 1];
        values[j + 1] = other;
      }
}
__device__ int middle(int t) {
  int values[8];
  for (int i = 0; i < 8; i++) values[i] = (t * 7 + i * 5) % 11;
  sort(values, 8);
  return values[3] * 100 + extreme(values, 8, t & 1);
}
__device__ unsigned hashed(unsigned s) {
  s = (s ^ 61) ^ (s >> 16);
  s *= 9;
  s ^= s >> 4;
  s *= 0x27d4eb2d;
  return s ^ (s >> 15);
}
"""


def middle(t):
    values = sorted((t * 7 + i * 5) % 11 for i in range(8))
    return values[3] * 100 + (values[-1] if t & 1 else values[0])


def hashed(s):
    s = (s ^ 61) ^ (s >> 16)
    s = s * 9 & 0xffffffff
    s = (s ^ (s >> 4)) * 0x27d4eb2d & 0xffffffff
    return s ^ (s >> 15)


check({
    "Affine{2, 1}(t)": lambda t: 2 * t + 1, "Polynomial<3>{{1, 0, 2}}.at(t)": lambda t: 2 * t * t + 1,
    "twice([=](int x) { return x * t + 1; }, 3)": lambda t: (3 * t + 1) * t + 1,
    "either(t % 2 ? Mode::kSum : Mode::kDifference, t, 5)": lambda t: t + 5 if t % 2 else t - 5,
    "table[t % 2][t % 3]": lambda t: [[1, 2, 3], [4, 5, 6]][t % 2][t % 3],
    "exponent(t)": lambda t: 126 + t.bit_length() if t else 0, "middle(t)": middle, "hashed(t)": hashed,
}, BEFORE)
