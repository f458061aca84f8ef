// The pieces (definitions.h) that move neighbours in memory in one access:
//
//     const Vector<float, 4> x_4 = load<4>(x + 1024 * i + j0, aligned, 4);
//     store(y + 1024 * i + j0, y_4, aligned, 4);
#pragma once

#include <string_view>

namespace glint::cuda {

inline constexpr std::string_view kVectors =
    "// Neighbours in memory, moved in one access of up to 16 bytes where all of them are there; "
    "else\n"
    R"(// those from `skipped` on, of which `left` are there, `next` apart.
template <class T, int count>
struct alignas(count * sizeof(T)) Vector {
  T at[count];
};
template <int count, class T>
__device__ inline bool is_aligned(const T* address) {
  return (uint64)address % sizeof(Vector<T, count>) == 0;
}
template <int count, class T>
__device__ inline Vector<T, count> load(const T* from, bool whole = true,
                                        int64 left = count, int64 next = 1, int64 skipped = 0) {
  if (whole) return *(const Vector<T, count>*)from;
  Vector<T, count> some = {};
  for (int k = 0; k < count; ++k)
    if (skipped <= k * next && k * next < left) some.at[k] = from[k * next];
  return some;
}
template <int count>
__device__ inline int count_there(bool whole, int64 left, int64 next) {
  if (whole) return count;
  int there = 0;
  for (int k = 0; k < count; ++k) there += k * next < left;
  return there;
}
template <int count, class T>
__device__ inline void store(T* to, const Vector<T, count>& values, bool whole = true,
                             int64 left = count, int64 next = 1, int64 skipped = 0) {
  if (whole) {
    *(Vector<T, count>*)to = values;
    return;
  }
  for (int k = 0; k < count; ++k)
    if (skipped <= k * next && k * next < left) to[k * next] = values.at[k];
}
)";

inline constexpr std::string_view kStreamedLoad =
    R"(// Neighbours that are read once, of more than caches hold: they are the first to leave these.
template <int count, class T>
__device__ inline Vector<T, count> load_streamed(const T* from, bool whole = true,
                                                 int64 left = count, int64 next = 1,
                                                 int64 skipped = 0) {
  static_assert(sizeof(Vector<T, count>) == 16);
  if (!whole) return load<count>(from, false, left, next, skipped);
  const uint4 words = __ldcs((const uint4*)from);
  return *(const Vector<T, count>*)&words;
}
)";

inline constexpr std::string_view kKeptLoad =
    R"(// Neighbours that are read once, where about as much is written: the cache keeps them before what
// is written, which so leaves it early and steadily.
template <int count, class T>
__device__ inline Vector<T, count> load_kept(const T* from, bool whole = true,
                                             int64 left = count, int64 next = 1,
                                             int64 skipped = 0) {
  static_assert(sizeof(Vector<T, count>) == 16);
#if __CUDA_ARCH__ >= 800
  if (whole) {
    uint64 policy, place;
    asm("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy));
    asm("cvta.to.global.u64 %0, %1;" : "=l"(place) : "l"(from));
    uint4 words;
    asm("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
        : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
        : "l"(place), "l"(policy));
    return *(const Vector<T, count>*)&words;
  }
#endif
  return load<count>(from, whole, left, next, skipped);
}
)";

}  // namespace glint::cuda
