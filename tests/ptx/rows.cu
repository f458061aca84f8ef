// Fused row kernels: softmax and layer norm, a block a row, the row in registers.

constexpr int kThreads = 128;
constexpr int kPerThread = 4;

template <class Combine>
__device__ float combine_block(float value, float* partial, float identity, Combine combine) {
  for (int offset = 16; offset > 0; offset >>= 1) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, offset));
  }
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  __syncthreads();
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  value = lane < kThreads / 32 ? partial[lane] : identity;
  for (int offset = 16; offset > 0; offset >>= 1) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, offset));
  }
  return value;
}

__device__ float sum_block(float value, float* partial) {
  return combine_block(value, partial, 0.0f, [](float a, float b) { return a + b; });
}

extern "C" __global__ void softmax_rows(const float* x, float* out, int columns) {
  __shared__ float partial[32];
  const float* row = x + (size_t)blockIdx.x * columns;
  float value[kPerThread];
  float highest = -3.402823466e38f;
  for (int k = 0; k < kPerThread; ++k) {
    int i = threadIdx.x + k * kThreads;
    value[k] = i < columns ? row[i] : -3.402823466e38f;
    highest = fmaxf(highest, value[k]);
  }
  highest = combine_block(highest, partial, -3.402823466e38f, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0.0f;
  for (int k = 0; k < kPerThread; ++k) {
    value[k] = expf(value[k] - highest);
    if (threadIdx.x + k * kThreads < columns) sum += value[k];
  }
  sum = sum_block(sum, partial);
  for (int k = 0; k < kPerThread; ++k) {
    int i = threadIdx.x + k * kThreads;
    if (i < columns) out[(size_t)blockIdx.x * columns + i] = value[k] / sum;
  }
}

extern "C" __global__ void layer_norm_rows(const float* x, const float* weight, const float* bias,
                                           float* out, float epsilon, int columns) {
  __shared__ float partial[32];
  const float* row = x + (size_t)blockIdx.x * columns;
  float value[kPerThread];
  float sum = 0.0f;
  for (int k = 0; k < kPerThread; ++k) {
    int i = threadIdx.x + k * kThreads;
    value[k] = i < columns ? row[i] : 0.0f;
    sum += value[k];
  }
  float mean = sum_block(sum, partial) / columns;
  float squares = 0.0f;
  for (int k = 0; k < kPerThread; ++k) {
    float difference = threadIdx.x + k * kThreads < columns ? value[k] - mean : 0.0f;
    squares += difference * difference;
  }
  float scale = rsqrtf(sum_block(squares, partial) / columns + epsilon);
  for (int k = 0; k < kPerThread; ++k) {
    int i = threadIdx.x + k * kThreads;
    if (i < columns) {
      out[(size_t)blockIdx.x * columns + i] = (value[k] - mean) * scale * weight[i] + bias[i];
    }
  }
}
