// Data on the move: transposition through shared memory (with and without bank conflicts), gather and
// scatter with checked indices, dynamic shared memory.

constexpr int kTile = 32;

extern "C" __global__ void transpose(const float* x, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x;
  for (int k = threadIdx.y; k < kTile; k += blockDim.y) {
    int row = blockIdx.y * kTile + k;
    if (row < rows && column < columns) tile[k][threadIdx.x] = x[(size_t)row * columns + column];
  }
  __syncthreads();
  int out_column = blockIdx.y * kTile + threadIdx.x;
  for (int k = threadIdx.y; k < kTile; k += blockDim.y) {
    int out_row = blockIdx.x * kTile + k;
    if (out_row < columns && out_column < rows) {
      out[(size_t)out_row * rows + out_column] = tile[threadIdx.x][k];
    }
  }
}

extern "C" __global__ void transpose_conflicting(const float* x, float* out, int size) {
  __shared__ float tile[kTile][kTile];
  int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x[row * size + column];
  __syncthreads();
  out[(blockIdx.x * kTile + threadIdx.y) * size + blockIdx.y * kTile + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void gather(const float* x, const long long* index, float* out, long long limit,
                                  int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  long long at = index[i];
  if (at < 0) at += limit;
  if (at < 0 || at >= limit) __trap();
  out[i] = x[at];
}

extern "C" __global__ void scatter_add(const float* x, const int* index, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(out + index[i], x[i]);
}

extern "C" __global__ void histogram(const int* x, int* out, int bins, int count) {
  extern __shared__ int local[];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[x[i]], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(&out[i], local[i]);
}

extern "C" __global__ void reverse_block(const int* x, int* out) {
  extern __shared__ int local[];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  local[threadIdx.x] = x[at];
  __syncthreads();
  out[at] = local[blockDim.x - 1 - threadIdx.x];
}
