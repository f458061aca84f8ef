# Kernels that include CUDA's headers: 16-bit floats, cooperative groups, random numbers, CUB. Where
# the toolkit is not there, there is nothing to hold.
import torch
from glint.cuda import RawKernel

torch.manual_seed(0)
is_missing = False


def run(name, source, block, *arguments, grid=1):
    global is_missing
    is_missing = False
    try:
        RawKernel(source, name)((grid,), (block,), arguments)
    except RuntimeError as error:
        is_missing = "cannot open source file" in str(error)
        if not is_missing:
            print(name, error)


def close(name, found, wanted, tolerance=1e-5):
    found, wanted = found.cpu().double(), torch.as_tensor(wanted).double()
    near = torch.allclose(found, wanted, rtol=tolerance, atol=tolerance)
    print(name, is_missing or near or (found - wanted).abs().max())


a, b = torch.randn(32, 2).half(), torch.randn(32, 2).half()
out = torch.zeros(32, 2, dtype=torch.float16, device="cuda")
run("pairs", r'''
#include <cuda_fp16.h>
extern "C" __global__ void pairs(const half2* a, const half2* b, half2* out) {
  int i = threadIdx.x;
  half2 v = __hfma2(a[i], b[i], __float2half2_rn(0.5f));
  v = __hadd2(v, __hmul2(a[i], __half2half2(__low2half(b[i]))));
  if (__hbgt2(a[i], b[i])) v = __hneg2(v);
  v = __hmax2(v, __floats2half2_rn(-1.0f, -0.5f));
  out[i] = __hsub2(v, __halves2half2(__high2half(v), __float2half(1.0f)));
}''', 32, a.cuda(), b.cuda(), out)
v = (a.double() * b.double() + 0.5).half() + a * b[:, :1]
v = torch.where((a > b).all(1, keepdim=True), -v, v).maximum(torch.tensor([-1, -0.5]).half())
close("pairs", out, v - torch.stack([v[:, 1], torch.ones(32).half()], 1), 2e-3)

out = torch.zeros(10, 32, device="cuda")
run("halves", r'''
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void halves(const half2* a, float* out) {
  float* o = out + threadIdx.x;
  half v = __low2half(a[threadIdx.x]);
  half2 below = __shfl_down_sync(~0u, __half2half2(v), 2);
  o[0] = __half2float(__shfl_xor_sync(~0u, v, 1));
  o[32] = __low2float(below);
  o[64] = __half2float(hexp(v));
  o[96] = __half2float(hsqrt(__habs(v)));
  o[128] = __half2int_rn(v) + __hge(v, __float2half(0.0f)) + (v < half(0.5f));
  o[160] = __half2float(__hmin(v, __hmax(half(-1), hfloor(v))));
  o[192] = __low2float(__hlt2(below, __half2half2(v))) + __high2float(__heq2(below, below));
  __nv_bfloat16 b = __float2bfloat16(o[64]);
  o[224] = __bfloat162float(b * b);
  o[256] = __bfloat162float(__float2bfloat16_rz(o[64])) <= o[64];
  o[288] = __bfloat162float(__float2bfloat16_ru(o[64])) >= o[64];
}''', 32, a.cuda(), out)
x = a[:, 0].float()
below, e = torch.cat([x[2:], x[30:]]), x.exp().half().float()
product = (e.bfloat16() * e.bfloat16()).float()
one = torch.ones(32)
close("halves", out, torch.stack([
    x[torch.arange(32) ^ 1], below, e, x.abs().sqrt(), x.round() + (x >= 0) + (x < 0.5),
    x.minimum(x.floor().clamp(min=-1)), (below < x) + one, product, one, one]), 2e-3)

out = torch.zeros(64, 6, dtype=torch.int32, device="cuda")
run("groups", r'''
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void groups(int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  auto warp = cg::tiled_partition<32>(block);
  int t = block.thread_rank(), *o = out + t * 6;
  int v = t;
  for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
  o[0] = tile.thread_rank() == 0 ? v : 0;
  o[1] = cg::reduce(warp, t, cg::plus<int>());
  o[2] = cg::inclusive_scan(tile, 1);
  block.sync();
  o[3] = -1;
  if (t % 2) {
    auto active = cg::coalesced_threads();
    o[3] = active.thread_rank() * 100 + active.size();
  }
  o[4] = tile.any(t == 3) + 2 * tile.meta_group_rank() + __popc(tile.ballot(t % 2));
  o[5] = block.group_index().x + block.size();
}''', 64, out)
close("groups", out, [[sum(range(t, t + 16)) if t % 16 == 0 else 0, sum(range(t // 32 * 32, t // 32 * 32 + 32)),
                       t % 16 + 1, t % 32 // 2 * 100 + 16 if t % 2 else -1, (t < 16) + 2 * (t // 16) + 8, 64]
                      for t in range(64)])

out = torch.zeros(1024, 2, device="cuda")
run("random", r'''
#include <curand_kernel.h>
extern "C" __global__ void random(float* out) {
  curandState state;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, i, 0, &state);
  out[2 * i] = curand_uniform(&state);
  out[2 * i + 1] = curand_normal(&state);
}''', 256, out, grid=4)
close("random", out.mean(0), [0.5, 0], 0.05)
close("random", out.std(0), [12 ** -0.5, 1], 0.05)

out = torch.zeros(64, dtype=torch.int32, device="cuda")
run("sorted_sums", r'''
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
extern "C" __global__ void sorted_sums(int* out) {
  using Sort = cub::BlockRadixSort<int, 64, 1>;
  using Scan = cub::BlockScan<int, 64>;
  __shared__ union { Sort::TempStorage sort; Scan::TempStorage scan; } room;
  int key[1] = {(int)(threadIdx.x * 37 % 64)};
  Sort(room.sort).Sort(key);
  __syncthreads();
  Scan(room.scan).InclusiveSum(key[0], out[threadIdx.x]);
}''', 64, out)
close("cub", out, torch.arange(64).cumsum(0))

out = torch.zeros(2, dtype=torch.int32, device="cuda")
run("message", r'''
#include <cuda/atomic>
extern "C" __global__ void message(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(out[0]);
  if (blockIdx.x == 0) {
    while (flag.load(cuda::memory_order_acquire) == 0) __nanosleep(100);
    out[0] = out[1] + 1;
  } else {
    out[1] = 41;
    flag.store(1, cuda::memory_order_release);
  }
}''', 1, out, grid=2)
close("message", out, [42, 41])

c_headers = "".join(f"#include <{name}>\n" for name in (
    "cassert cfloat climits cmath cstddef cstdint cstdio cstdlib cstring float.h limits.h math.h stddef.h "
    "stdint.h stdio.h stdlib.h string.h").split())
names = r'''
struct Pair { char first; int second[3]; };
__shared__ int room[offsetof(Pair, second)];
extern "C" __global__ void NAME(double* out) {
  double* o = out;
  *o++ = UINT64_C(0x9E3779B97F4A7C15) >> 33;
  *o++ = INT64_C(1) << 40;
  *o++ = UINT32_C(4000000000) + INT8_C(1) + INT16_C(2) + INT32_C(3) + UINT8_C(4) + UINT16_C(5) + INTMAX_C(6) + UINTMAX_C(7);
  *o++ = INT_LEAST8_MIN + INT_LEAST16_MAX + UINT_LEAST8_MAX + (INT_FAST32_MAX > 0) + (INT_FAST64_MIN < 0);
  *o++ = (sizeof(std::int_fast16_t) == 2) + (INT_FAST16_MAX == 32767) + (UINT_LEAST64_MAX == UINT64_MAX);
  *o++ = offsetof(Pair, second[2]) + sizeof(room) / 4;
  std::nullptr_t none = nullptr;
  *o++ = none == nullptr && alignof(std::max_align_t) == 16;
  std::byte bits{5};
  bits |= std::byte{2};
  *o++ = std::to_integer<int>(bits << 1);
  *o++ = FLT_MAX_EXP + DBL_MIN_EXP + FLT_MAX_10_EXP + FLT_DECIMAL_DIG + (FLT_TRUE_MIN < FLT_MIN);
  double whole;
  float half;
  *o++ = std::modf(2.75, &whole);
  *o++ = whole + std::modf(-1.5f, &half);
  *o++ = std::abs(-3) + std::abs(-2.5f) + std::abs(-4ll) + std::labs(-1);
  char text[4] = {0};
  std::memset(text, 3, 2);
  std::memcpy(text + 2, text, 1);
  *o++ = text[0] + text[1] + text[2] + text[3];
  *o++ = std::sqrt(2);
  *o++ = std::sqrt(4u) + std::cbrt(27l) + std::floor((short)3) + std::lround(5) + std::fabs('a');
  *o++ = std::pow(2, 10) + std::pow(2.0f, 3) + std::pow(4.0f, 0.5) + std::pow(2, 0.5f);
  *o++ = std::fmax(1, 2.5f) + std::fmod(7, 4) + std::hypot(3, 4) + std::atan2(0, 1);
  *o++ = std::isnan(1) + std::isfinite(2) + std::isnormal(1.0) + std::isnormal(0.0f) + std::isnormal(1e-40f);
  *o++ = sizeof(std::sqrt(2.0f)) + 10 * sizeof(std::sqrt(2)) + 100 * sizeof(std::pow(2.0f, 2.0f));
}'''
wanted = [0x4F1BBCDC, 2 ** 40, 4000000028, -128 + 32767 + 255 + 2, 3, 16, 1, 14, 128 - 1021 + 38 + 9 + 1,
          0.75, 1.5, 10.5, 9, 2 ** 0.5, 2 + 3 + 3 + 5 + 97, 1024 + 8 + 2 + 2 ** 0.5, 2.5 + 3 + 5, 2, 484]
for name, others in (("c_names", ""), ("c_names_and_groups", "#include <cooperative_groups.h>\n#include <cub/block/block_scan.cuh>\n"),
                     ("c_names_and_random", "#include <curand_kernel.h>\n#include <cuda_fp16.h>\n#include <cuda/atomic>\n")):
    for source in (c_headers + others, others + c_headers) if others else (c_headers,):
        out = torch.zeros(len(wanted), dtype=torch.float64, device="cuda")
        run(name, source + names.replace("NAME", name), 1, out)
        close(name, out, torch.tensor(wanted, dtype=torch.float64), 1e-12)
