// `_lapack`: what the library's `torch.linalg` asks of the platform's LAPACK, matrix by matrix of a
// batch, without history.
//
//     _lapack.serves(A)                         whether it takes them: else loops do the work
//     _lapack.lu(A)                             L and U in one matrix; which row of A each row is;
//                                               the row each step exchanged its own with
//     _lapack.solve_lu(LU, pivots, B, False)    X with A @ X = B
//     _lapack.solve_triangle(A, B, upper, unit_diagonal)
//     _lapack.cholesky(A)                       L; info
//     _lapack.qr(A, kept)                       Q of so many columns; R of so many rows
//     _lapack.svd(A, full, vectors)             U; S; V transposed; info
//     _lapack.eigen(A, vectors)                 eigenvalues; vectors; info; of the lower half
//
// `info` has a number a matrix: 0, or the step (from 1) that failed. Results lie column by column,
// as LAPACK leaves them, and as PyTorch gives them out.
#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/platform/lapack.h"
#include "core/tensor/copy.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/modules_library.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

/// Calls a function for the type of a tensor's numbers, which are of one of two types.
template <class F>
void for_type(DType dtype, F&& f) {
  if (dtype == DType::kFloat32)
    f.template operator()<float>();
  else
    f.template operator()<double>();
}

/// The sizes in front of the last two.
Dims batch_of(const Tensor& matrices) {
  return {matrices.sizes().first(size_t(matrices.rank()) - 2)};
}

Dims with(Dims batch, std::initializer_list<int64_t> last) {
  for (const int64_t size : last) batch.push_back(size);
  return batch;
}

/// The strides of matrices one behind the other, each column by column.
Dims strides_by_column(IntSpan sizes) {
  Dims strides = {sizes};
  const size_t rank = sizes.size();
  strides[rank - 2] = 1;
  strides[rank - 1] = std::max<int64_t>(sizes[rank - 2], 1);
  int64_t step = std::max<int64_t>(sizes[rank - 2] * sizes[rank - 1], 1);
  for (size_t i = rank - 2; i-- > 0; step *= std::max<int64_t>(sizes[i], 1)) strides[i] = step;
  return strides;
}

Tensor new_matrices(IntSpan batch, int64_t rows, int64_t columns, DType dtype) {
  const Dims sizes = with(Dims(batch), {rows, columns});
  return Tensor::empty_strided(sizes, strides_by_column(sizes), dtype);
}

/// The matrices column by column, in memory that may be written.
Tensor copied(const Tensor& matrices) {
  const Tensor made =
      new_matrices(batch_of(matrices), matrices.size(-2), matrices.size(-1), matrices.dtype());
  copy(made, matrices);
  return made;
}

/// The matrices column by column: themselves if they are.
Tensor by_column(const Tensor& matrices) {
  const bool are = std::ranges::equal(matrices.strides(), strides_by_column(matrices.sizes()));
  return are ? matrices : copied(matrices);
}

bool has_its_type(const Tensor& tensor) {
  return tensor.dtype() == DType::kFloat32 || tensor.dtype() == DType::kFloat64;
}

bool fits(const Tensor& tensor) {
  constexpr int64_t kMost = std::numeric_limits<int>::max();
  return tensor.rank() >= 2 && tensor.size(-1) <= kMost && tensor.size(-2) <= kMost;
}

/// The matrices of an argument; undefined handle if it raised or has to wait.
Tensor matrices_argument(NativeCall& call, size_t place) {
  Tensor found = floats_argument(call, place);
  if (!found.defined() || (has_lapack() && has_its_type(found) && fits(found))) return found;
  call.raise("TypeError", "matrices that LAPACK takes are needed");
  return {};
}

/// Right sides for square matrices, of the same batch and type; undefined handle if it raised.
Tensor right_side_argument(NativeCall& call, size_t place, const Tensor& matrices) {
  Tensor found = matrices_argument(call, place);
  if (!found.defined()) return found;
  const bool match = found.dtype() == matrices.dtype() && matrices.size(-1) == matrices.size(-2) &&
                     found.size(-2) == matrices.size(-1) &&
                     std::ranges::equal(batch_of(found), batch_of(matrices));
  if (match) return found;
  call.raise("ValueError", "the right sides do not fit the matrices");
  return {};
}

Value tuple_of(std::initializer_list<Tensor> tensors) {
  std::vector<Value> values;
  for (const Tensor& tensor : tensors)
    values.push_back(tensor.defined() ? value_of(tensor) : Value::none());
  return Value(make_tuple(std::move(values)));
}

Value serves(NativeCall& call) {
  if (!is_tensor(call[0])) return Value(false);
  const Tensor tensor = tensor_of(call[0]);
  return Value(tensor.device().is_cpu() && has_its_type(tensor) && fits(tensor) &&
               tensor.numel() > 0 && has_lapack());
}

// ---- Solving -----------------------------------------------------------------------------------

/// Which row of a matrix each row is after the exchanges.
void follow_exchanges(const int* pivots, int64_t steps, int64_t* order, int64_t rows) {
  std::iota(order, order + rows, 0);
  for (int64_t i = 0; i < steps; ++i) std::swap(order[i], order[pivots[i] - 1]);
}

Value lu(NativeCall& call) {
  const Tensor given = matrices_argument(call, 0);
  if (!given.defined()) return {};
  const Dims batch = batch_of(given);
  const int64_t rows = given.size(-2), columns = given.size(-1), steps = std::min(rows, columns);
  const Tensor packed = copied(given);
  const Tensor order = Tensor::empty(with(batch, {rows}), DType::kInt64);
  const Tensor pivots = Tensor::empty(with(batch, {steps}), DType::kInt32);
  for_type(given.dtype(), [&]<class T>() {
    for (int64_t i = 0, count = element_count(batch); i < count; ++i) {
      int* its_pivots = pivots.data<int>() + i * steps;
      // Where it is singular, U says so too.
      lapack::lu(int(rows), int(columns), packed.data<T>() + i * rows * columns, its_pivots);
      follow_exchanges(its_pivots, steps, order.data<int64_t>() + i * rows, rows);
    }
  });
  return tuple_of({packed, order, pivots});
}

/// Whether an argument holds rows, from 1, for each of the matrices.
bool are_pivots(const Tensor& pivots, const Tensor& packed) {
  const int64_t n = packed.size(-1);
  return pivots.dtype() == DType::kInt32 && pivots.device().is_cpu() &&
         std::ranges::equal(pivots.sizes(), with(batch_of(packed), {n})) &&
         std::all_of(pivots.data<int>(), pivots.data<int>() + pivots.numel(),
                     [&](int row) { return 1 <= row && row <= n; });
}

Value solve_lu(NativeCall& call) {
  const Tensor packed = matrices_argument(call, 0);
  if (!packed.defined()) return {};
  const Tensor right = right_side_argument(call, 2, packed);
  if (!right.defined()) return {};
  const Tensor pivots = is_tensor(call[1]) ? contiguous(tensor_of(call[1])) : Tensor();
  if (!pivots.defined() || !are_pivots(pivots, packed))
    return call.raise("ValueError", "the pivots do not fit the matrices");
  const bool transposed = call[3].is_bool() && call[3].as_bool();
  const Tensor factors = by_column(packed), solution = copied(right);
  const int64_t n = packed.size(-1), columns = right.size(-1);
  for_type(packed.dtype(), [&]<class T>() {
    for (int64_t i = 0, count = element_count(batch_of(packed)); i < count; ++i)
      lapack::solve_lu(transposed, int(n), int(columns), factors.data<T>() + i * n * n,
                       pivots.data<int>() + i * n, solution.data<T>() + i * n * columns);
  });
  return value_of(solution);
}

Value solve_triangle(NativeCall& call) {
  const Tensor given = matrices_argument(call, 0);
  if (!given.defined()) return {};
  const Tensor right = right_side_argument(call, 1, given);
  if (!right.defined()) return {};
  const lapack::Triangle triangle{.upper = call[2].is_bool() && call[2].as_bool(),
                                  .unit_diagonal = call[3].is_bool() && call[3].as_bool()};
  const Tensor matrices = by_column(given), solution = copied(right);
  const int64_t n = given.size(-1), columns = right.size(-1);
  for_type(given.dtype(), [&]<class T>() {
    for (int64_t i = 0, count = element_count(batch_of(given)); i < count; ++i)
      lapack::solve_triangle(triangle, int(n), int(columns), matrices.data<T>() + i * n * n,
                             solution.data<T>() + i * n * columns);
  });
  return value_of(solution);
}

// ---- Matrices as products ----------------------------------------------------------------------

/// The square matrices of an argument; undefined handle if it raised.
Tensor squares_argument(NativeCall& call, size_t place) {
  Tensor found = matrices_argument(call, place);
  if (!found.defined() || found.size(-1) == found.size(-2)) return found;
  call.raise("ValueError", "square matrices are needed");
  return {};
}

Value cholesky(NativeCall& call) {
  const Tensor given = squares_argument(call, 0);
  if (!given.defined()) return {};
  const Tensor L = copied(given);
  const Tensor info = Tensor::empty(batch_of(given), DType::kInt32);
  const int64_t n = given.size(-1);
  for_type(given.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < info.numel(); ++i)
      info.data<int>()[i] = lapack::cholesky(int(n), L.data<T>() + i * n * n);
  });
  return tuple_of({L, info});
}

Value qr(NativeCall& call) {
  const Tensor given = matrices_argument(call, 0);
  if (!given.defined()) return {};
  const Dims batch = batch_of(given);
  const int64_t rows = given.size(-2), columns = given.size(-1);
  const int64_t kept = call[1].is_int() ? call[1].as_int() : -1;
  if (kept < std::min(rows, columns) || kept > rows)
    return call.raise("ValueError", "Q has from min(rows, columns) to `rows` columns");
  const int64_t count = element_count(batch), room = rows * std::max(kept, columns);
  const Tensor Q = new_matrices(batch, rows, kept, given.dtype());
  const Tensor R = new_matrices(batch, kept, columns, given.dtype());
  const Tensor matrices = by_column(given);
  for_type(given.dtype(), [&]<class T>() {
    std::vector<T> work(static_cast<size_t>(room));
    for (int64_t i = 0; i < count; ++i) {
      std::copy_n(matrices.data<T>() + i * rows * columns, rows * columns, work.data());
      lapack::qr(int(rows), int(columns), int(kept), work.data(), R.data<T>() + i * kept * columns);
      std::copy_n(work.data(), rows * kept, Q.data<T>() + i * rows * kept);
    }
  });
  return tuple_of({Q, R});
}

// ---- Singular values and eigenvalues -----------------------------------------------------------

Value svd(NativeCall& call) {
  const Tensor given = matrices_argument(call, 0);
  if (!given.defined()) return {};
  const Dims batch = batch_of(given);
  const int64_t rows = given.size(-2), columns = given.size(-1), inner = std::min(rows, columns);
  if (!lapack::svd_fits(rows, columns))
    return call.raise("RuntimeError",
                      fmt::format("a matrix of {} by {} is too large for LAPACK", rows, columns));
  const bool full = call[1].is_bool() && call[1].as_bool();
  const bool vectors = call[2].is_bool() && call[2].as_bool();
  const int64_t width = full ? rows : inner, height = full ? columns : inner;
  const Tensor matrices = copied(given);
  const Tensor S = Tensor::empty(with(batch, {inner}), given.dtype());
  const Tensor info = Tensor::empty(batch, DType::kInt32);
  Tensor U, Vh;
  if (vectors) {
    U = new_matrices(batch, rows, width, given.dtype());
    Vh = new_matrices(batch, height, columns, given.dtype());
  }
  for_type(given.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < info.numel(); ++i)
      info.data<int>()[i] =
          lapack::svd(int(rows), int(columns), full, matrices.data<T>() + i * rows * columns,
                      S.data<T>() + i * inner, vectors ? U.data<T>() + i * rows * width : nullptr,
                      vectors ? Vh.data<T>() + i * height * columns : nullptr);
  });
  return tuple_of({U, S, Vh, info});
}

Value eigen(NativeCall& call) {
  const Tensor given = squares_argument(call, 0);
  if (!given.defined()) return {};
  const int64_t n = given.size(-1);
  if (!lapack::eigen_fits(n))
    return call.raise("RuntimeError",
                      fmt::format("a matrix of {0} by {0} is too large for LAPACK", n));
  const bool vectors = call[1].is_bool() && call[1].as_bool();
  const Dims batch = batch_of(given);
  const Tensor matrices = copied(given);
  const Tensor values = Tensor::empty(with(batch, {n}), given.dtype());
  const Tensor info = Tensor::empty(batch, DType::kInt32);
  for_type(given.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < info.numel(); ++i)
      info.data<int>()[i] =
          lapack::eigen(vectors, int(n), matrices.data<T>() + i * n * n, values.data<T>() + i * n);
  });
  return tuple_of({values, vectors ? matrices : Tensor(), info});
}

constexpr Effects kElements{.pure = true, .reads_elements = true};

constexpr NativeDefinition kNatives[] = {
    {"serves(matrices, /)", serves, kElements, "whether LAPACK takes them, and is here"},
    {"lu(matrices, /)", lu, kElements, "L and U in one, the rows' order, the pivots"},
    {"solve_lu(packed, pivots, right, transposed, /)", solve_lu, kElements,
     "the solutions of equations whose left sides `lu` has factorised"},
    {"solve_triangle(matrices, right, upper, unit_diagonal, /)", solve_triangle, kElements,
     "the solutions of equations with triangles"},
    {"cholesky(matrices, /)", cholesky, kElements, "L of the lower halves, info"},
    {"qr(matrices, kept, /)", qr, kElements, "Q of so many columns, R of so many rows"},
    {"svd(matrices, full, vectors, /)", svd, kElements, "U, S, V transposed, info"},
    {"eigen(matrices, vectors, /)", eigen, kElements,
     "eigenvalues and eigenvectors of the lower halves, info"},
};

}  // namespace

void fill_lapack(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kNatives);
}

}  // namespace glint::runtime
