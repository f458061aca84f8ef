// Sums: of rows by shuffles and shared memory, of everything by atomics or by the last block.

__device__ float sum_of_warp(float value) {
  for (int offset = 16; offset > 0; offset >>= 1) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  return value;
}

__device__ float sum_of_block(float value, float* partial) {
  value = sum_of_warp(value);
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < (blockDim.x + 31) / 32 ? partial[lane] : 0.0f;
    value = sum_of_warp(value);
  }
  return value;
}

extern "C" __global__ void sum_rows(const float* x, float* out, int columns) {
  __shared__ float partial[32];
  const float* row = x + (size_t)blockIdx.x * columns;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  sum = sum_of_block(sum, partial);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void sum_all(const float* x, float* out, int count) {
  __shared__ float partial[32];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    sum += x[i];
  }
  sum = sum_of_block(sum, partial);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__device__ unsigned int blocks_done;

extern "C" __global__ void sum_last_block(const float* x, float* partials, float* out, int count) {
  __shared__ float partial[32];
  __shared__ bool last;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    sum += x[i];
  }
  sum = sum_of_block(sum, partial);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&blocks_done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  float total = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) total += partials[i];
  __syncthreads();
  total = sum_of_block(total, partial);
  if (threadIdx.x == 0) {
    *out = total;
    blocks_done = 0;
  }
}

extern "C" __global__ void arg_max_rows(const float* x, long long* out, int columns) {
  const float* row = x + (size_t)blockIdx.x * columns;
  float best = -__int_as_float(0x7f800000);
  int where = 0;
  for (int i = threadIdx.x; i < columns; i += 32) {
    if (row[i] > best) {
      best = row[i];
      where = i;
    }
  }
  for (int offset = 16; offset > 0; offset >>= 1) {
    float other = __shfl_xor_sync(0xffffffffu, best, offset);
    int at = __shfl_xor_sync(0xffffffffu, where, offset);
    if (other > best || (other == best && at < where)) {
      best = other;
      where = at;
    }
  }
  if (threadIdx.x == 0) out[blockIdx.x] = where;
}
