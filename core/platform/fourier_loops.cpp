#include "core/platform/fourier_loops.h"

#include <algorithm>

#include "core/platform/fourier_passes.h"
#include "core/platform/vector_bits.h"
#include "core/support/transpose_registers.h"

namespace glint {
namespace {

using fourier::Complex;

template <class T>
struct Wide {
  typedef T Type __attribute__((ext_vector_type(kFourierLanes<T>)));
};

/// The loops over vectors of 64 bytes.
template <class T>
struct Loops {
  using V = typename Wide<T>::Type;
  static constexpr int64_t kLanes = kFourierLanes<T>;
  static constexpr int64_t kPairs = kLanes / 2;

  /// `width` numbers of each row from `column` on, row by row, then a vector for each number.
  [[gnu::always_inline]] static inline void read_tile(FourierSide<const T> in, int64_t first,
                                                      int64_t rows, int64_t column, int64_t width,
                                                      V (&tile)[kLanes]) {
    const auto bytes = size_t(std::min(width, kLanes)) * sizeof(T);
    for (int64_t i = 0; i < kLanes; ++i) {
      tile[i] = V{};
      if (i >= rows) continue;
      const T* from = in.data + (first + i) * in.step + column;
      if (width >= kLanes)
        std::memcpy(&tile[i], from, sizeof(V));
      else
        std::memcpy(&tile[i], from, bytes);
    }
    transpose_registers(tile);
  }
  [[gnu::always_inline]] static inline void write_tile(V (&tile)[kLanes], FourierSide<T> out,
                                                       int64_t first, int64_t rows, int64_t column,
                                                       int64_t width) {
    transpose_registers(tile);
    const auto bytes = size_t(std::min(width, kLanes)) * sizeof(T);
    for (int64_t i = 0; i < std::min(rows, kLanes); ++i) {
      T* to = out.data + (first + i) * out.step + column;
      if (width >= kLanes)
        std::memcpy(to, &tile[i], sizeof(V));
      else
        std::memcpy(to, &tile[i], bytes);
    }
  }

  [[gnu::always_inline]] static inline void pass(const FourierPass<T>& pass, Split<T> from,
                                                 Split<T> to, int64_t neighbours) {
    if (neighbours % kLanes == 0)
      fourier::pass_places<V>(pass, from, to, neighbours);
    else
      fourier::pass_places<T>(pass, from, to, neighbours);
  }

  [[gnu::always_inline]] static inline void turn(Split<T> from, Split<T> to, const T* cosines,
                                                 const T* sines, int64_t length, int64_t rows) {
    if (rows == kLanes) {
      for (int64_t j = 0; j < length; ++j) {
        const auto x = fourier::load<V>(from, j * kLanes);
        fourier::store<V>(to, j * kLanes, fourier::times(x, cosines[j], sines[j]));
      }
      return;
    }
    for (int64_t j = 0; j < length; ++j)
      for (int64_t i = j * rows; i < (j + 1) * rows; ++i)
        fourier::store<T>(to, i, fourier::times(fourier::load<T>(from, i), cosines[j], sines[j]));
  }

  [[gnu::always_inline]] static inline void read_pairs(FourierSide<const T> in, Split<T> to,
                                                       int64_t length) {
    for (int64_t j = 0; j < length; j += kPairs) {
      V tile[kLanes];
      read_tile(in, 0, in.rows, 2 * j, 2 * (length - j), tile);
      for (int64_t k = 0; k < std::min(kPairs, length - j); ++k)
        fourier::store<V>(to, (j + k) * in.rows, Complex<V>{tile[2 * k], tile[2 * k + 1]});
    }
  }
  [[gnu::always_inline]] static inline void write_pairs(Split<T> from, FourierSide<T> out,
                                                        int64_t length, T scale) {
    for (int64_t j = 0; j < length; j += kPairs) {
      V tile[kLanes];
      for (int64_t k = 0; k < kPairs; ++k) {
        const auto x = fourier::load<V>(from, std::min(j + k, length - 1) * out.rows);
        tile[2 * k] = x.real * scale;
        tile[2 * k + 1] = x.imaginary * scale;
      }
      write_tile(tile, out, 0, out.rows, 2 * j, 2 * (length - j));
    }
  }

  [[gnu::always_inline]] static inline void read_reals(FourierSide<const T> in, Split<T> to,
                                                       int64_t length, int64_t count) {
    for (int64_t j = 0; j < length; j += kLanes) {
      V real[kLanes], imaginary[kLanes];
      read_tile(in, 0, count, j, length - j, real);
      read_tile(in, count, in.rows - count, j, length - j, imaginary);
      for (int64_t k = 0; k < std::min(kLanes, length - j); ++k)
        fourier::store<V>(to, (j + k) * count, Complex<V>{real[k], imaginary[k]});
    }
  }
  [[gnu::always_inline]] static inline void write_reals(Split<T> from, FourierSide<T> out,
                                                        int64_t length, int64_t count, T scale) {
    for (int64_t j = 0; j < length; j += kLanes) {
      V real[kLanes], imaginary[kLanes];
      for (int64_t k = 0; k < kLanes; ++k) {
        const auto x = fourier::load<V>(from, std::min(j + k, length - 1) * count);
        real[k] = x.real * scale;
        imaginary[k] = x.imaginary * scale;
      }
      write_tile(real, out, 0, count, j, length - j);
      write_tile(imaginary, out, count, out.rows - count, j, length - j);
    }
  }

  [[gnu::always_inline]] static inline void read_halves(FourierSide<const T> in, Split<T> to,
                                                        int64_t length, int64_t count) {
    const int64_t width = length / 2 + 1;
    for (int64_t j = 0; j < width; j += kPairs) {
      V first[kLanes], second[kLanes];
      read_tile(in, 0, count, 2 * j, 2 * (width - j), first);
      read_tile(in, count, in.rows - count, 2 * j, 2 * (width - j), second);
      for (int64_t k = 0; k < std::min(kPairs, width - j); ++k) {
        const int64_t mirror = (length - j - k) % length;
        // Those that are their own mirror images are real.
        const bool own = mirror == j + k;
        const Complex<V> x{first[2 * k], own ? V{} : first[2 * k + 1]};
        const Complex<V> y{second[2 * k], own ? V{} : second[2 * k + 1]};
        store_lanes(to, mirror * count, count, {x.real + y.imaginary, y.real - x.imaginary});
        store_lanes(to, (j + k) * count, count, {x.real - y.imaginary, x.imaginary + y.real});
      }
    }
  }
  [[gnu::always_inline]] static inline void store_lanes(Split<T> to, int64_t at, int64_t count,
                                                        Complex<V> x) {
    if (count == kLanes) return fourier::store<V>(to, at, x);
    std::memcpy(to.real + at, &x.real, size_t(count) * sizeof(T));
    std::memcpy(to.imaginary + at, &x.imaginary, size_t(count) * sizeof(T));
  }

  [[gnu::always_inline]] static inline void write_halves(Split<T> from, FourierSide<T> out,
                                                         int64_t length, int64_t count, T scale) {
    const int64_t width = length / 2 + 1;
    const T half = scale / 2;
    for (int64_t j = 0; j < width; j += kPairs) {
      V first[kLanes], second[kLanes];
      for (int64_t k = 0; k < kPairs; ++k) {
        const int64_t at = std::min(j + k, width - 1), mirror = (length - at) % length;
        const auto x = fourier::load<V>(from, at * count),
                   y = fourier::load<V>(from, mirror * count);
        first[2 * k] = (x.real + y.real) * half;
        first[2 * k + 1] = (x.imaginary - y.imaginary) * half;
        second[2 * k] = (x.imaginary + y.imaginary) * half;
        second[2 * k + 1] = (y.real - x.real) * half;
      }
      write_tile(first, out, 0, count, 2 * j, 2 * (width - j));
      write_tile(second, out, count, out.rows - count, 2 * j, 2 * (width - j));
    }
  }
};

/// A loop, compiled for an instruction set: what is inlined here may use it.
template <auto kLoop>
struct Of512;
template <class... A, void (*kLoop)(A...)>
struct Of512<kLoop> {
  __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))) static void run(A... all) {
    kLoop(all...);
  }
};
template <auto kLoop>
struct Of256;
template <class... A, void (*kLoop)(A...)>
struct Of256<kLoop> {
  __attribute__((target("avx2,fma"))) static void run(A... all) { kLoop(all...); }
};
template <auto kLoop>
struct Of128;
template <class... A, void (*kLoop)(A...)>
struct Of128<kLoop> {
  static void run(A... all) { kLoop(all...); }
};

template <class T, template <auto> class Of>
constexpr FourierLoops<T> kLoopsOf = {
    Of<&Loops<T>::pass>::run,        Of<&Loops<T>::turn>::run,
    Of<&Loops<T>::read_pairs>::run,  Of<&Loops<T>::write_pairs>::run,
    Of<&Loops<T>::read_reals>::run,  Of<&Loops<T>::write_reals>::run,
    Of<&Loops<T>::read_halves>::run, Of<&Loops<T>::write_halves>::run};

}  // namespace

template <class T>
const FourierLoops<T>& fourier_loops() {
  const int bits = vector_bits();
  if (bits == 512) return kLoopsOf<T, Of512>;
  return bits == 256 ? kLoopsOf<T, Of256> : kLoopsOf<T, Of128>;
}

template const FourierLoops<float>& fourier_loops();
template const FourierLoops<double>& fourier_loops();

}  // namespace glint
