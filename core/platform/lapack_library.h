// LAPACK, found by `dlopen` when something first asks for it.
//
// The program does not link the library: one that factorises no matrix never loads it, and a
// machine that lacks it runs the loops of library/torch/linalg. OpenBLAS is asked for by its name
// first, then whatever the system has as LAPACK. Each of its calls stays on the calling thread.
//
// Its functions are Fortran's: every argument is a pointer, integers have 32 bits, matrices lie
// column by column, and the length of each `char` comes behind the last argument.
//
//     if (!lapack::library().ok) ...
//     lapack::routines<float>().getrf(&rows, &columns, matrix, &rows, pivots, &info);
#pragma once

#include <cstddef>

namespace glint::lapack {

using Size = const int*;  ///< a size, or how far it is from a column to the next
using Choice = const char*;

/// The library's functions that are used here, of one type of numbers, by their names without the
/// letter for it.
template <class T>
struct Routines {
  void (*getrf)(Size m, Size n, T* a, Size lda, int* pivots, int* info);
  void (*laswp)(Size n, T* a, Size lda, Size k1, Size k2, const int* pivots, Size step);
  void (*trsm)(Choice side, Choice uplo, Choice trans, Choice diag, Size m, Size n, const T* alpha,
               const T* a, Size lda, T* b, Size ldb, size_t, size_t, size_t, size_t);
  void (*gemm)(Choice transa, Choice transb, Size m, Size n, Size k, const T* alpha, const T* a,
               Size lda, const T* b, Size ldb, const T* beta, T* c, Size ldc, size_t, size_t);
  void (*potrf)(Choice uplo, Size n, T* a, Size lda, int* info, size_t);
  void (*geqrf)(Size m, Size n, T* a, Size lda, T* tau, T* work, Size lwork, int* info);
  void (*orgqr)(Size m, Size n, Size k, T* a, Size lda, const T* tau, T* work, Size lwork,
                int* info);
  void (*gesdd)(Choice jobz, Size m, Size n, T* a, Size lda, T* s, T* u, Size ldu, T* vt, Size ldvt,
                T* work, Size lwork, int* iwork, int* info, size_t);
  void (*syevd)(Choice jobz, Choice uplo, Size n, T* a, Size lda, T* w, T* work, Size lwork,
                int* iwork, Size liwork, int* info, size_t, size_t);
};

struct Library {
  bool ok = false;
  Routines<float> of_float = {};
  Routines<double> of_double = {};
};

/// The library, loaded by the first call; not `ok` where it is missing.
const Library& library();

template <class T>
const Routines<T>& routines();
template <>
inline const Routines<float>& routines<float>() {
  return library().of_float;
}
template <>
inline const Routines<double>& routines<double>() {
  return library().of_double;
}

}  // namespace glint::lapack
