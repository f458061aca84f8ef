#include "core/platform/lapack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/platform/lapack_library.h"

namespace glint {

bool has_lapack() {
  return lapack::library().ok;
}

namespace lapack {

namespace {

/// LAPACK takes no stride of 0, also where there is nothing to step over.
int stride(int rows) {
  return std::max(rows, 1);
}

/// Calls a routine twice: the first call, with a size of -1, says how much work space it wants, as
/// a floating number, which may have been rounded down.
template <class T, class F>
void with_work_space(F&& call) {
  T wanted = 0;
  call(&wanted, -1);
  const double size = std::nextafter(wanted, std::numeric_limits<T>::infinity());
  constexpr double kMost = std::numeric_limits<int>::max();
  const int count = std::max(1, static_cast<int>(std::min(std::ceil(size), kMost)));
  std::vector<T> work(static_cast<size_t>(count));
  call(work.data(), count);
}

}  // namespace

template <class T>
int lu(int rows, int columns, T* a, int* pivots) {
  const int step = stride(rows);
  int info = 0;
  routines<T>().getrf(&rows, &columns, a, &step, pivots, &info);
  return info;
}

template <class T>
void solve_lu(bool transposed, int n, int columns, const T* lu, const int* pivots, T* b) {
  const int step = stride(n);
  int info = 0;
  routines<T>().getrs(transposed ? "T" : "N", &n, &columns, lu, &step, pivots, b, &step, &info, 1);
}

template <class T>
void solve_triangle(Triangle triangle, int n, int columns, const T* a, T* b) {
  const int step = stride(n);
  const T one = 1;
  routines<T>().trsm("L", triangle.upper ? "U" : "L", "N", triangle.unit_diagonal ? "U" : "N", &n,
                     &columns, &one, a, &step, b, &step, 1, 1, 1, 1);
}

template <class T>
int cholesky(int n, T* a) {
  const int step = stride(n);
  int info = 0;
  routines<T>().potrf("L", &n, a, &step, &info, 1);
  for (int64_t j = 0; j < n; ++j) std::fill_n(a + j * n, j, T(0));
  return info;
}

template <class T>
void qr(int rows, int columns, int kept, T* a, T* r) {
  const int step = stride(rows), steps = std::min(rows, columns);
  int info = 0;
  std::vector<T> tau(static_cast<size_t>(stride(steps)));
  with_work_space<T>([&](T* work, int size) {
    routines<T>().geqrf(&rows, &columns, a, &step, tau.data(), work, &size, &info);
  });
  for (int64_t j = 0; r != nullptr && j < columns; ++j) {
    const int64_t count = std::min<int64_t>(j + 1, kept);
    std::copy_n(a + j * rows, count, r + j * kept);
    std::fill_n(r + j * kept + count, kept - count, T(0));
  }
  with_work_space<T>([&](T* work, int size) {
    routines<T>().orgqr(&rows, &kept, &steps, a, &step, tau.data(), work, &size, &info);
  });
}

template <class T>
int svd(int rows, int columns, bool full, T* a, T* s, T* u, T* vt) {
  const int inner = std::min(rows, columns), step = stride(rows);
  const int rows_of_vt = stride(full ? columns : inner);
  const char* wanted = u == nullptr ? "N" : full ? "A" : "S";
  int info = 0;
  std::vector<int> places(8 * static_cast<size_t>(stride(inner)));
  with_work_space<T>([&](T* work, int size) {
    routines<T>().gesdd(wanted, &rows, &columns, a, &step, s, u, &step, vt, &rows_of_vt, work,
                        &size, places.data(), &info, 1);
  });
  return info;
}

template <class T>
int eigen(bool vectors, int n, T* a, T* values) {
  const int step = stride(n);
  const char* wanted = vectors ? "V" : "N";
  int info = 0;
  std::vector<int> places(3 + 5 * static_cast<size_t>(n));
  const int places_size = static_cast<int>(places.size());
  with_work_space<T>([&](T* work, int size) {
    routines<T>().syevd(wanted, "L", &n, a, &step, values, work, &size, places.data(), &places_size,
                        &info, 1, 1);
  });
  return info;
}

// Of the work space that their manual pages name as enough.
bool svd_fits(int64_t rows, int64_t columns) {
  const int64_t inner = std::min(rows, columns), outer = std::max(rows, columns);
  return 4 * inner * inner + 7 * inner + outer <= std::numeric_limits<int>::max();
}
bool eigen_fits(int64_t n) {
  return 1 + 6 * n + 2 * n * n <= std::numeric_limits<int>::max();
}

#define GLINT_LAPACK_OF(T)                                          \
  template int lu(int, int, T*, int*);                              \
  template void solve_lu(bool, int, int, const T*, const int*, T*); \
  template void solve_triangle(Triangle, int, int, const T*, T*);   \
  template int cholesky(int, T*);                                   \
  template void qr(int, int, int, T*, T*);                          \
  template int svd(int, int, bool, T*, T*, T*, T*);                 \
  template int eigen(bool, int, T*, T*);
GLINT_LAPACK_OF(float)
GLINT_LAPACK_OF(double)
#undef GLINT_LAPACK_OF

}  // namespace lapack
}  // namespace glint
