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

/// Solves the equations with one half of the unknowns, takes what is known then off the other ones,
/// and solves those: most of the work is a product, which the library is faster at than at
/// triangles.
template <class T>
void solve_part(Triangle triangle, int n, int columns, const T* a, int a_step, T* b, int b_step) {
  constexpr int kFew = 64;
  const T one = 1, minus_one = -1;
  const char* trans = triangle.transposed ? "T" : "N";
  if (n <= kFew) {
    routines<T>().trsm("L", triangle.upper ? "U" : "L", trans, triangle.unit_diagonal ? "U" : "N",
                       &n, &columns, &one, a, &a_step, b, &b_step, 1, 1, 1, 1);
    return;
  }
  const int sizes[2] = {n / 2, n - n / 2};
  const T* parts[2] = {a, a + int64_t(sizes[0]) * a_step + sizes[0]};
  T* sides[2] = {b, b + sizes[0]};
  const T* between = triangle.upper ? a + int64_t(sizes[0]) * a_step : a + sizes[0];
  const int first = triangle.upper == triangle.transposed ? 0 : 1, second = 1 - first;
  solve_part(triangle, sizes[first], columns, parts[first], a_step, sides[first], b_step);
  routines<T>().gemm(trans, "N", &sizes[second], &columns, &sizes[first], &minus_one, between,
                     &a_step, sides[first], &b_step, &one, sides[second], &b_step, 1, 1);
  solve_part(triangle, sizes[second], columns, parts[second], a_step, sides[second], b_step);
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
  const Triangle lower{.unit_diagonal = true, .transposed = transposed};
  const Triangle upper{.upper = true, .transposed = transposed};
  const int step = stride(n), first = 1;
  auto exchange_rows = [&](int direction) {
    routines<T>().laswp(&columns, b, &step, &first, &n, pivots, &direction);
  };
  if (!transposed) exchange_rows(1);
  solve_triangle(transposed ? upper : lower, n, columns, lu, b);
  solve_triangle(transposed ? lower : upper, n, columns, lu, b);
  if (transposed) exchange_rows(-1);
}

template <class T>
void solve_triangle(Triangle triangle, int n, int columns, const T* a, T* b) {
  solve_part(triangle, n, columns, a, stride(n), b, stride(n));
}

template <class T>
int cholesky(int n, T* a) {
  const int step = stride(n);
  int info = 0;
  routines<T>().potrf("L", &n, a, &step, &info, 1);
  // OpenBLAS stops at what is not above 0, but takes NaN for that.
  for (int64_t j = 0; info == 0 && j < n; ++j)
    if (std::isnan(a[j + j * n])) info = static_cast<int>(j + 1);
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

template int lu(int, int, float*, int*);
template void solve_lu(bool, int, int, const float*, const int*, float*);
template void solve_triangle(Triangle, int, int, const float*, float*);
template int cholesky(int, float*);
template void qr(int, int, int, float*, float*);
template int svd(int, int, bool, float*, float*, float*, float*);
template int eigen(bool, int, float*, float*);

template int lu(int, int, double*, int*);
template void solve_lu(bool, int, int, const double*, const int*, double*);
template void solve_triangle(Triangle, int, int, const double*, double*);
template int cholesky(int, double*);
template void qr(int, int, int, double*, double*);
template int svd(int, int, bool, double*, double*, double*, double*);
template int eigen(bool, int, double*, double*);

}  // namespace lapack
}  // namespace glint
