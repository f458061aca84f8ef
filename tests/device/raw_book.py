# Small kernels as a course on CUDA has them, each held against what PyTorch says.
import torch
from glint.cuda import RawKernel

torch.manual_seed(0)
i32, f64 = torch.int32, torch.float64


def run(name, source, grid, block, *arguments, shared_mem=0):
    RawKernel(source, name)(grid, block, arguments, shared_mem=shared_mem)


def close(name, found, wanted, tolerance=1e-5):
    found, wanted = found.cpu().double(), torch.as_tensor(wanted).double()
    print(name, torch.allclose(found, wanted, rtol=tolerance, atol=tolerance) or (found - wanted).abs().max())


x = torch.randn(1000)
# reduction tree in shared memory
out = torch.zeros(4, device="cuda")
run("block_sum", r'''
extern "C" __global__ void block_sum(const float* x, float* out, int n) {
  extern __shared__ float part[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step >>= 1) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}''', (4,), (256,), x.cuda(), out, 1000, shared_mem=1024)
close("block_sum", out.sum(), x.sum(), 1e-4)

# warp shuffle reduction + volatile warp tail
out = torch.zeros(1, device="cuda")
run("shuffle_sum", r'''
__inline__ __device__ float warp_sum(float v) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}
__inline__ __device__ float block_total(float v) {
  static __shared__ float shared[32];
  int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  v = warp_sum(v);
  if (lane == 0) shared[wid] = v;
  __syncthreads();
  v = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0) v = warp_sum(v);
  return v;
}
extern "C" __global__ void shuffle_sum(float* in, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = block_total(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}''', (2,), (128,), x.cuda(), out, 1000)
close("shuffle_sum", out[0], x.sum(), 1e-4)

# scans: Hillis-Steele, Blelloch
n = 256
v = torch.randint(0, 10, (n,), dtype=i32)
a, b = torch.zeros(n, dtype=i32, device="cuda"), torch.zeros(n, dtype=i32, device="cuda")
run("hillis", r'''
extern "C" __global__ void hillis(const int* in, int* out) {
  __shared__ int buf[2][256];
  int t = threadIdx.x, pin = 0, pout = 1;
  buf[0][t] = in[t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    buf[pout][t] = t >= d ? buf[pin][t] + buf[pin][t - d] : buf[pin][t];
    pin = 1 - pin; pout = 1 - pout;
    __syncthreads();
  }
  out[t] = buf[pin][t];
}''', (1,), (256,), v.cuda(), a)
close("hillis", a, v.cumsum(0))
run("blelloch", r'''
#define NUM_BANKS 32
#define CONFLICT_FREE_OFFSET(n) ((n) >> 5)
extern "C" __global__ void blelloch(const int* g_idata, int* g_odata, int n) {
  extern __shared__ int temp[];
  int thid = threadIdx.x, offset = 1;
  int ai = thid, bi = thid + (n / 2);
  int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
  temp[ai + bankOffsetA] = g_idata[ai];
  temp[bi + bankOffsetB] = g_idata[bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      ai += CONFLICT_FREE_OFFSET(ai); bi += CONFLICT_FREE_OFFSET(bi);
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      ai += CONFLICT_FREE_OFFSET(ai); bi += CONFLICT_FREE_OFFSET(bi);
      int t = temp[ai]; temp[ai] = temp[bi]; temp[bi] += t;
    }
  }
  __syncthreads();
  g_odata[ai] = temp[ai + bankOffsetA];
  g_odata[bi] = temp[bi + bankOffsetB];
}''', (1,), (128,), v.cuda(), b, 256, shared_mem=4 * (256 + 8))
close("blelloch", b, v.cumsum(0) - v)
run("warp_scan", r'''
extern "C" __global__ void warp_scan(const int* in, int* out) {
  int lane = threadIdx.x & 31, value = in[threadIdx.x];
  for (int i = 1; i <= 16; i *= 2) {
    int n = __shfl_up_sync(0xffffffff, value, i, 32);
    if (lane >= i) value += n;
  }
  out[threadIdx.x] = value;
}''', (1,), (256,), v.cuda(), a)
close("warp_scan", a, v.reshape(8, 32).cumsum(1).reshape(-1))

# histogram privatised in shared
h = torch.zeros(10, dtype=i32, device="cuda")
run("histogram", r'''
extern "C" __global__ void histogram(const int* in, int* bins, int n) {
  __shared__ int local[10];
  if (threadIdx.x < 10) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1);
  __syncthreads();
  if (threadIdx.x < 10) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}''', (3,), (64,), v.cuda(), h, 256)
close("histogram", h, torch.bincount(v, minlength=10))

# tiled matmul
A, B = torch.randn(50, 40), torch.randn(40, 30)
C = torch.zeros(50, 30, device="cuda")
run("matmul", r'''
#define TILE 16
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int M, int K, int N) {
  __shared__ float a[TILE][TILE], b[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (K + TILE - 1) / TILE; t++) {
    int k = t * TILE;
    a[threadIdx.y][threadIdx.x] = row < M && k + threadIdx.x < K ? A[row * K + k + threadIdx.x] : 0;
    b[threadIdx.y][threadIdx.x] = col < N && k + threadIdx.y < K ? B[(k + threadIdx.y) * N + col] : 0;
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < TILE; i++) sum = fmaf(a[threadIdx.y][i], b[i][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}''', (2, 4), (16, 16), A.cuda(), B.cuda(), C, 50, 40, 30)
close("matmul", C, A @ B, 1e-4)

# transpose
T = torch.zeros(40, 50, device="cuda")
run("transpose", r'''
template <int DIM, int ROWS> __device__ void transpose_tile(float* out, const float* in, int w, int h) {
  __shared__ float tile[DIM][DIM + 1];
  int x = blockIdx.x * DIM + threadIdx.x, y = blockIdx.y * DIM + threadIdx.y;
  for (int j = 0; j < DIM; j += ROWS) if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * DIM + threadIdx.x; y = blockIdx.x * DIM + threadIdx.y;
  for (int j = 0; j < DIM; j += ROWS) if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
extern "C" __global__ void transpose(float* out, const float* in, int w, int h) { transpose_tile<32, 8>(out, in, w, h); }
''', (2, 2), (32, 8), T, A.cuda(), 40, 50)
close("transpose", T, A.T)

# __ldg and float4
y = torch.zeros(1000, device="cuda")
run("vec", r'''
extern "C" __global__ void vec(const float4* __restrict__ in, float4* out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 v = __ldg(&in[i]);
  out[i] = make_float4(v.x * 2, v.y + 1, -v.z, fabsf(v.w));
}''', (4,), (64,), x.cuda(), y, 250)
w = x.reshape(250, 4)
close("vec", y, torch.stack([w[:, 0] * 2, w[:, 1] + 1, -w[:, 2], w[:, 3].abs()], 1).reshape(-1))

# atomics by CAS
M = torch.tensor([0.0, 1e30, -1e30], device="cuda")
DD = torch.zeros(1, dtype=f64, device="cuda")
run("cas", r'''
__device__ float atomicMaxFloat(float* address, float val) {
  int* as_int = (int*)address; int old = *as_int, assumed;
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(val, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__device__ __forceinline__ float atomicMinFloat(float* addr, float value) {
  return value >= 0 ? __int_as_float(atomicMin((int*)addr, __float_as_int(value)))
                    : __uint_as_float(atomicMax((unsigned int*)addr, __float_as_uint(value)));
}
__device__ double atomicAddDouble(double* address, double val) {
  unsigned long long* p = (unsigned long long*)address; unsigned long long old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
extern "C" __global__ void cas(const float* x, float* out, double* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(out, 1.0f);
  atomicMinFloat(out + 1, x[i]);
  atomicMaxFloat(out + 2, x[i]);
  atomicAddDouble(d, x[i]);
}''', (8,), (128,), x.cuda(), M, DD, 1000)
close("cas", M, torch.stack([torch.tensor(1000.0), x.min(), x.max()]))
close("cas double", DD[0], x.double().sum())

# a lock, which one thread of each block takes
cnt = torch.zeros(2, dtype=i32, device="cuda")
run("lock", r'''
__device__ int mutex = 0;
extern "C" __global__ void lock(int* count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&mutex, 0, 1) != 0);
    __threadfence();
    volatile int* c = count; *c = *c + 1;
    __threadfence();
    atomicExch(&mutex, 0);
  }
  atomicInc((unsigned*)count + 1, 1000);
}''', (10,), (64,), cnt)
print("lock", cnt.tolist())

# the block that ends last sums what the others left
tot = torch.zeros(1, device="cuda"); parts = torch.zeros(8, device="cuda")
run("last_block", r'''
__device__ unsigned int done = 0;
extern "C" __global__ void last_block(const float* x, volatile float* parts, float* total) {
  __shared__ bool is_last;
  __shared__ float s[128];
  s[threadIdx.x] = x[blockIdx.x * 125 + min(threadIdx.x, 124)] * (threadIdx.x < 125);
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) { if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k]; __syncthreads(); }
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = s[0];
    __threadfence();
    unsigned int value = atomicInc(&done, gridDim.x);
    is_last = (value == gridDim.x - 1);
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float t = 0;
    for (int i = 0; i < gridDim.x; i++) t += parts[i];
    *total = t;
    done = 0;
  }
}''', (8,), (128,), x.cuda(), parts, tot)
close("last_block", tot[0], x.sum(), 1e-4)

# a stencil with its rim, weights in constant memory
img = torch.randn(20, 30); res = torch.zeros(20, 30, device="cuda")
run("stencil", r'''
__constant__ float kernel[9] = {0, 1, 0, 1, -4, 1, 0, 1, 0};
extern "C" __global__ void stencil(const float* in, float* out, int h, int w) {
  __shared__ float tile[10][18];
  int gx = blockIdx.x * 16 + threadIdx.x, gy = blockIdx.y * 8 + threadIdx.y;
  for (int y = threadIdx.y; y < 10; y += 8) for (int x = threadIdx.x; x < 18; x += 16) {
    int iy = blockIdx.y * 8 + y - 1, ix = blockIdx.x * 16 + x - 1;
    tile[y][x] = iy >= 0 && iy < h && ix >= 0 && ix < w ? in[iy * w + ix] : 0;
  }
  __syncthreads();
  if (gx >= w || gy >= h) return;
  float s = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) s += kernel[i * 3 + j] * tile[threadIdx.y + i][threadIdx.x + j];
  out[gy * w + gx] = s;
}''', (2, 3), (16, 8), img.cuda(), res, 20, 30)
laplace = torch.tensor([[0, 1, 0], [1, -4, 1], [0, 1, 0.0]])
close("stencil", res, torch.conv2d(img[None, None], laplace[None, None], padding=1)[0, 0])
# bitonic sort
st = torch.randint(0, 1000, (256,), dtype=i32); so = st.cuda()
run("bitonic", r'''
extern "C" __global__ void bitonic(int* v) {
  extern __shared__ int s[]; unsigned t = threadIdx.x; s[t] = v[t]; __syncthreads();
  for (unsigned k = 2; k <= blockDim.x; k *= 2) for (unsigned j = k / 2; j > 0; j /= 2) {
    unsigned ixj = t ^ j;
    if (ixj > t) { bool up = (t & k) == 0; if ((s[t] > s[ixj]) == up) { int x = s[t]; s[t] = s[ixj]; s[ixj] = x; } }
    __syncthreads();
  }
  v[t] = s[t];
}''', (1,), (256,), so, shared_mem=1024)
close("bitonic", so, st.sort()[0])
