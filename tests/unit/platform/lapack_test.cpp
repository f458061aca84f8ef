// LAPACK against products of what it found: every function, of sizes on both sides of what is done
// in one step. Nothing is checked where the library is missing.
#include "core/platform/lapack.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace glint {
namespace {

/// A matrix column by column.
template <class T>
struct Matrix {
  int rows, columns;
  std::vector<T> data;
  Matrix(int m, int n) : rows(m), columns(n), data(size_t(m) * size_t(n)) {}
  T& operator()(int i, int j) { return data[size_t(i) + size_t(j) * size_t(rows)]; }
  const T& operator()(int i, int j) const { return data[size_t(i) + size_t(j) * size_t(rows)]; }
};

template <class T>
Matrix<T> random_matrix(int rows, int columns) {
  std::mt19937 source(11);
  std::normal_distribution<T> one;
  Matrix<T> made(rows, columns);
  for (T& number : made.data) number = one(source);
  for (int i = 0; i < std::min(rows, columns); ++i) made(i, i) += 4;
  return made;
}

template <class T>
Matrix<T> transposed(const Matrix<T>& x) {
  Matrix<T> made(x.columns, x.rows);
  for (int i = 0; i < x.rows; ++i)
    for (int j = 0; j < x.columns; ++j) made(j, i) = x(i, j);
  return made;
}

template <class T>
Matrix<T> product(const Matrix<T>& x, const Matrix<T>& y) {
  Matrix<T> made(x.rows, y.columns);
  for (int j = 0; j < y.columns; ++j)
    for (int k = 0; k < x.columns; ++k)
      for (int i = 0; i < x.rows; ++i) made(i, j) += x(i, k) * y(k, j);
  return made;
}

/// The elements that `is_kept` keeps, ones on the diagonal if it does not keep that, else zeros.
template <class T>
Matrix<T> part(const Matrix<T>& x, const std::function<bool(int, int)>& is_kept) {
  Matrix<T> made(x.rows, x.columns);
  for (int i = 0; i < x.rows; ++i)
    for (int j = 0; j < x.columns; ++j) made(i, j) = is_kept(i, j) ? x(i, j) : T(i == j);
  return made;
}

template <class T>
double distance(const Matrix<T>& x, const Matrix<T>& y) {
  REQUIRE(x.rows == y.rows);
  REQUIRE(x.columns == y.columns);
  double most = 0;
  for (size_t i = 0; i < x.data.size(); ++i)
    most = std::max(most, double(std::abs(x.data[i] - y.data[i])));
  return most;
}

template <class T>
Matrix<T> identity(int n) {
  Matrix<T> made(n, n);
  for (int i = 0; i < n; ++i) made(i, i) = 1;
  return made;
}

template <class T>
constexpr double kClose = sizeof(T) == 4 ? 5e-3 : 1e-9;

constexpr int kSizes[] = {1, 2, 7, 64, 65, 150};

TEMPLATE_TEST_CASE("equations are solved by LU and by triangles", "[lapack]", float, double) {
  using T = TestType;
  if (!has_lapack()) return;
  for (const int n : kSizes) {
    INFO(n);
    const Matrix<T> a = random_matrix<T>(n, n), b = random_matrix<T>(n, 3);
    Matrix<T> packed = a;
    std::vector<int> pivots(static_cast<size_t>(n));
    CHECK(lapack::lu(n, n, packed.data.data(), pivots.data()) == 0);
    Matrix<T> x = b, y = b;
    lapack::solve_lu(false, n, 3, packed.data.data(), pivots.data(), x.data.data());
    lapack::solve_lu(true, n, 3, packed.data.data(), pivots.data(), y.data.data());
    CHECK(distance(product(a, x), b) < kClose<T>);
    CHECK(distance(product(transposed(a), y), b) < kClose<T>);
    // The factors are triangles far from singular, with ones on the diagonal and without.
    for (const bool across : {false, true}) {
      const Matrix<T> lower = part<T>(packed, [](int i, int j) { return i > j; });
      Matrix<T> upper = part<T>(packed, [](int i, int j) { return i <= j; });
      for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) upper(i, j) /= T(n);
      Matrix<T> u = b, l = b;
      lapack::solve_triangle({.upper = true, .transposed = across}, n, 3, upper.data.data(),
                             u.data.data());
      lapack::solve_triangle({.unit_diagonal = true, .transposed = across}, n, 3,
                             packed.data.data(), l.data.data());
      const double scale = 1 + *std::max_element(l.data.begin(), l.data.end());
      CHECK(distance(product(across ? transposed(upper) : upper, u), b) < kClose<T>);
      CHECK(distance(product(across ? transposed(lower) : lower, l), b) < kClose<T> * scale);
    }
  }
}

TEMPLATE_TEST_CASE("a singular matrix has its step", "[lapack]", float, double) {
  if (!has_lapack()) return;
  Matrix<TestType> a = random_matrix<TestType>(5, 5);
  for (int i = 0; i < 5; ++i) a(i, 2) = 0;
  std::vector<int> pivots(5);
  CHECK(lapack::lu(5, 5, a.data.data(), pivots.data()) == 3);
  Matrix<TestType> negative = identity<TestType>(4);
  negative(3, 3) = -1;
  CHECK(lapack::cholesky(4, negative.data.data()) == 4);
  Matrix<TestType> strange = identity<TestType>(4);
  strange(2, 0) = std::numeric_limits<TestType>::quiet_NaN();
  CHECK(lapack::cholesky(4, strange.data.data()) == 3);
}

TEMPLATE_TEST_CASE("matrices are the products of their factors", "[lapack]", float, double) {
  using T = TestType;
  if (!has_lapack()) return;
  for (const int n : kSizes) {
    const Matrix<T> a = random_matrix<T>(n, n);
    Matrix<T> positive = product(a, transposed(a)), lower = positive;
    CHECK(lapack::cholesky(n, lower.data.data()) == 0);
    CHECK(distance(product(lower, transposed(lower)), positive) < kClose<T> * n);
  }
  for (const auto& [rows, columns] : {std::pair(40, 9), std::pair(9, 40), std::pair(33, 33)}) {
    const Matrix<T> a = random_matrix<T>(rows, columns);
    for (const int kept : {std::min(rows, columns), rows}) {
      Matrix<T> work(rows, std::max(kept, columns)), r(kept, columns), q(rows, kept);
      std::ranges::copy(a.data, work.data.begin());
      lapack::qr(rows, columns, kept, work.data.data(), r.data.data());
      std::copy_n(work.data.begin(), q.data.size(), q.data.begin());
      CHECK(distance(product(q, r), a) < kClose<T>);
      CHECK(distance(product(transposed(q), q), identity<T>(kept)) < kClose<T>);
    }
    const int inner = std::min(rows, columns);
    for (const bool full : {false, true}) {
      Matrix<T> lost = a, u(rows, full ? rows : inner), vt(full ? columns : inner, columns);
      std::vector<T> s(static_cast<size_t>(inner)), alone = s;
      CHECK(lapack::svd(rows, columns, full, lost.data.data(), s.data(), u.data.data(),
                        vt.data.data()) == 0);
      Matrix<T> middle(u.columns, vt.rows);
      for (int i = 0; i < inner; ++i) middle(i, i) = s[size_t(i)];
      CHECK(distance(product(product(u, middle), vt), a) < kClose<T>);
      CHECK(std::is_sorted(s.rbegin(), s.rend()));
      lost = a;
      T* none = nullptr;
      CHECK(lapack::svd(rows, columns, full, lost.data.data(), alone.data(), none, none) == 0);
      for (size_t i = 0; i < s.size(); ++i) CHECK(std::abs(s[i] - alone[i]) < kClose<T>);
    }
  }
}

TEMPLATE_TEST_CASE("eigenvalues rise, and stretch their vectors", "[lapack]", float, double) {
  using T = TestType;
  if (!has_lapack()) return;
  for (const int n : kSizes) {
    Matrix<T> a = random_matrix<T>(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) a(j, i) = a(i, j);
    Matrix<T> vectors = part<T>(a, [](int i, int j) { return i >= j; }), lost = a;
    std::vector<T> values(static_cast<size_t>(n)), alone = values;
    CHECK(lapack::eigen(true, n, vectors.data.data(), values.data()) == 0);
    CHECK(std::ranges::is_sorted(values));
    Matrix<T> scaled = vectors;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) scaled(i, j) *= values[size_t(j)];
    CHECK(distance(product(a, vectors), scaled) < kClose<T>);
    CHECK(lapack::eigen(false, n, lost.data.data(), alone.data()) == 0);
    for (size_t i = 0; i < values.size(); ++i) CHECK(std::abs(values[i] - alone[i]) < kClose<T>);
  }
}

TEST_CASE("what LAPACK cannot count is known", "[lapack]") {
  CHECK(lapack::svd_fits(1000, 1000));
  CHECK_FALSE(lapack::svd_fits(30000, 30000));
  CHECK(lapack::svd_fits(30000000, 3));
  CHECK(lapack::eigen_fits(30000));
  CHECK_FALSE(lapack::eigen_fits(40000));
}

}  // namespace
}  // namespace glint
