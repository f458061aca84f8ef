// Lanes that part and meet again: nested branches, loops of different lengths, a switch, a call that
// is not inlined, votes, and returns in the middle.

extern "C" __global__ void collatz(const int* x, int* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int n = x[i], steps = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++steps;
  }
  out[i] = steps;
}

extern "C" __global__ void choose(const int* x, int* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int v = x[i];
  switch (v & 7) {
    case 0: v = v * 3 + 1; break;
    case 1: v = v ^ 0x55; break;
    case 2: v = -v; break;
    case 3: v = v / 3; break;
    case 4: for (int k = 0; k < (v & 31); ++k) v += k * v; break;
    case 5: v = v << 2; break;
    case 6: if (v > 100) v -= 100; else v = out[i] + 1; break;
    default: v = 7;
  }
  out[i] = v;
}

__device__ __noinline__ float polynomial(float x, int degree) {
  float sum = 1.0f;
  for (int k = 0; k < degree; ++k) {
    if (sum > 1000.0f) return sum;
    sum = sum * x + k;
  }
  return sum;
}

extern "C" __global__ void call_function(const float* x, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float v = x[i];
  if (v > 0.5f) v = polynomial(v, i & 7);
  out[i] = v + polynomial(v, 3);
}

extern "C" __global__ void compact(const int* x, int* out, int* total, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = i < count && x[i] > 0;
  unsigned int kept = __ballot_sync(0xffffffffu, keep);
  int lane = threadIdx.x & 31;
  int base = 0;
  if (lane == 0) base = atomicAdd(total, __popc(kept));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (keep) out[base + __popc(kept & ((1u << lane) - 1))] = x[i];
}

extern "C" __global__ void early_return(const float* x, float* out, int columns) {
  __shared__ float row[64];
  int i = threadIdx.x;
  float v = x[blockIdx.x * columns + i];
  if (v < 0.0f) {
    if (v < -1.0e30f) __trap();
    v = -v;
  }
  row[i] = v;
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k <= i; ++k) sum += row[k];
  out[blockIdx.x * columns + i] = sum;
}
