// Every element type: 16-bit floats, integers of all widths, and conversions between them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void add_f16(const __half* x, const __half* y, __half* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = __float2half(__half2float(x[i]) + __half2float(y[i]));
}

extern "C" __global__ void fma_f16x2(const __half2* x, const __half2* y, __half2* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = __hfma2(x[i], y[i], x[i]);
}

extern "C" __global__ void add_bf16(const __nv_bfloat16* x, const __nv_bfloat16* y,
                                    __nv_bfloat16* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = __float2bfloat16(__bfloat162float(x[i]) + __bfloat162float(y[i]));
}

extern "C" __global__ void integers_i64(const long long* x, const long long* y, long long* out,
                                        int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  long long a = x[i], b = y[i];
  out[i] = a / b + (a % b) * 3 + (a << 3) - (b >> 2) + __mul64hi(a, b) + max(a, b);
}

extern "C" __global__ void integers_i32(const int* x, const int* y, int* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int a = x[i], b = y[i];
  out[i] = a / b + (a % b) * 3 + ((a << 3) ^ (b >> 2)) + __popc(a) + __clz(b) + abs(b) + min(a, b);
}

extern "C" __global__ void bytes_u8(const unsigned char* x, const signed char* y, short* out,
                                    int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = (short)(x[i] * y[i] + (x[i] > 128 ? 1 : 0));
}

extern "C" __global__ void convert(const double* x, float* f, int* i32, long long* i64,
                                   unsigned char* u8, unsigned long long* u64, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  f[i] = (float)x[i];
  i32[i] = (int)x[i];
  i64[i] = (long long)x[i];
  u8[i] = (unsigned char)(int)x[i];
  u64[i] = (unsigned long long)(x[i] < 0 ? -x[i] : x[i]);
}

extern "C" __global__ void to_floats(const int* i32, const long long* i64, const bool* flags,
                                     float* out, double* wide, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = (float)i32[i] + (flags[i] ? 0.5f : 0.0f);
  wide[i] = (double)i64[i];
}
