// The inner loops of Fourier transforms, compiled for what the processor has.
//
//     const FourierLoops<float>& loops = fourier_loops<float>();
//     loops.pass(pass, from, to, neighbours);
//
// Real and imaginary parts lie apart, as `Split`, and element j of all rows that are transformed
// together lies at [j * rows + row]. Loops over rows take whole vectors: `Split`s of what is read
// and written by rows have room for one vector more than their numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace glint {

template <class T>
struct Split {
  T* real;
  T* imaginary;
};

/// Rows that are transformed at once, at most: as many as a vector of 64 bytes holds.
template <class T>
inline constexpr int64_t kFourierLanes = 64 / sizeof(T);

/// One factor of a length, and w^(jp) for each place p of its pass and each j below the radix.
template <class T>
struct FourierPass {
  int64_t radix = 0;
  int64_t places = 0;
  std::vector<T> cosines = {}, sines = {};
  std::vector<T> radix_cosines = {}, radix_sines = {};  ///< powers of the radix's root of unity
};

/// Rows of numbers in memory, `step` apart, each of `width` numbers.
template <class T>
struct FourierSide {
  T* data;
  int64_t step;
  int64_t rows;
};

template <class T>
struct FourierLoops {
  /// `neighbours` numbers of each place lie together.
  void (*pass)(const FourierPass<T>& pass, Split<T> from, Split<T> to, int64_t neighbours);
  /// to = from * w, element by element of `rows` rows.
  void (*turn)(Split<T> from, Split<T> to, const T* cosines, const T* sines, int64_t length,
               int64_t rows);

  /// Pairs of each row, and rows of real numbers: row i is the real part, row i + count the
  /// imaginary one.
  void (*read_pairs)(FourierSide<const T> in, Split<T> to, int64_t length);
  void (*write_pairs)(Split<T> from, FourierSide<T> out, int64_t length, T scale);
  void (*read_reals)(FourierSide<const T> in, Split<T> to, int64_t length, int64_t count);
  void (*write_reals)(Split<T> from, FourierSide<T> out, int64_t length, int64_t count, T scale);
  /// The first half of the spectra of two rows each, as pairs.
  void (*read_halves)(FourierSide<const T> in, Split<T> to, int64_t length, int64_t count);
  void (*write_halves)(Split<T> from, FourierSide<T> out, int64_t length, int64_t count, T scale);
};

template <class T>
const FourierLoops<T>& fourier_loops();

}  // namespace glint
