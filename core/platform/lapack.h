// Factorisations of one matrix by the platform's LAPACK.
//
// A matrix lies column by column without gaps, which is how LAPACK wants it: element (i, j) of m
// rows is at a[i + j * m]. Each function works in place, as LAPACK does, and gives back LAPACK's
// `info`: 0, or the step (from 1) in which the numbers did not allow it.
//
//     std::vector<int> pivots(3);
//     lapack::lu<double>(3, 3, a, pivots.data());             // a = L and U in one matrix
//     lapack::solve_lu<double>(false, 3, 1, a, pivots.data(), b);     // b = the solution
//
// Only where `has_lapack()`.
#pragma once

#include <cstdint>

namespace glint {

/// Whether the library is here.
bool has_lapack();

namespace lapack {

/// P L U: L below the diagonal and U on and above it; `pivots` are the rows, from 1, that each step
/// exchanged its own with. More than zero: that element of U's diagonal is 0.
template <class T>
int lu(int rows, int columns, T* a, int* pivots);

/// The solution X of A X = B, or of A' X = B, of what `lu` left of A; in place of B.
template <class T>
void solve_lu(bool transposed, int n, int columns, const T* lu, const int* pivots, T* b);

/// A triangle: which half is read, whether its diagonal is, or counts as ones, and whether it is
/// the transpose that is meant.
struct Triangle {
  bool upper = false, unit_diagonal = false, transposed = false;
};
/// The solution X of A X = B in place of B.
template <class T>
void solve_triangle(Triangle triangle, int n, int columns, const T* a, T* b);

/// L with A = L L', of the lower half; the upper one becomes zeros.
template <class T>
int cholesky(int n, T* a);

/// Q of `kept` columns in place of A, which has room for them; R, of `kept` rows, if it is wanted.
/// `kept` is at least min(rows, columns), and no more than `rows`.
template <class T>
void qr(int rows, int columns, int kept, T* a, T* r);

/// The singular values, falling. U and V' are square, or as small as they can be; null: not wanted.
/// A is lost.
template <class T>
int svd(int rows, int columns, bool full, T* a, T* s, T* u, T* vt);

/// The eigenvalues, rising, of the symmetric matrix of which the lower half is given; the vectors
/// come in place of A if they are wanted, else A is lost.
template <class T>
int eigen(bool vectors, int n, T* a, T* values);

/// Whether the work space of `svd` and of `eigen` can be counted in LAPACK's integers.
bool svd_fits(int64_t rows, int64_t columns);
bool eigen_fits(int64_t n);

}  // namespace lapack
}  // namespace glint
