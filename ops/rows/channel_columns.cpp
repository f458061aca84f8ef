// The same as channel_rows.cpp where a channel's elements lie apart, as columns: of tensors that
// have nothing but examples and channels, or whose channels lie innermost. A vector holds as many
// channels side by side, and goes down the rows.
#include "ops/rows/row_kernels.h"
#include "ops/rows/row_vectors.h"
#include "ops/scalar/reduction_order.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

struct Tag {};
template <class Real>
using Vector = scalar::Lanes<Real, 64 / sizeof(Real), Tag>;
template <class Real>
using Float = typename Vector<Real>::Float;
template <class Real>
constexpr int64_t kLanes = Vector<Real>::kLanes;

template <class Real>
[[gnu::always_inline]] inline Float<Real> load(const Real* from, int64_t count) {
  return load_up_to<Vector<Real>>(from, count, Real(0));
}

/// sums[column] = the sum over the rows of `part(row)`, a vector of columns: kColumnBlock rows in
/// the elements' dtype, the blocks in float64.
template <class Real, class Part>
[[gnu::always_inline]] inline void add_rows(int64_t rows, int64_t count, double* sums,
                                            Part&& part) {
  double totals[kLanes<Real>] = {};
  for (int64_t block = 0; block < rows; block += scalar::kColumnBlock) {
    const int64_t end = rows - block < scalar::kColumnBlock ? rows : block + scalar::kColumnBlock;
    Float<Real> lanes = part(block);
    for (int64_t row = block + 1; row < end; ++row) lanes += part(row);
    for (int64_t lane = 0; lane < kLanes<Real>; ++lane) totals[lane] += double(lanes[lane]);
  }
  for (int64_t lane = 0; lane < count; ++lane) sums[lane] = totals[lane];
}

template <class Real>
void sum(const Strip<Real>& x, double* sums) {
  for_row_vectors<Real>(x.length, [&](int64_t at, int64_t count) {
    add_rows<Real>(x.rows, count, sums + at,
                   [&](int64_t row) { return load(x.data + row * x.stride + at, count); });
  });
}

template <class Real>
void squares(const Strip<Real>& x, const Real* means, double* sums) {
  for_row_vectors<Real>(x.length, [&](int64_t at, int64_t count) {
    const auto mean = load(means + at, count);
    add_rows<Real>(x.rows, count, sums + at, [&](int64_t row) {
      const auto deviation = load(x.data + row * x.stride + at, count) - mean;
      return deviation * deviation;
    });
  });
}

template <class Real>
void normalise(const Strip<Real>& x, const ColumnNormals<Real>& by, Real* out) {
  for (int64_t row = 0; row < x.rows; ++row) {
    const Real* in = x.data + row * x.stride;
    Real* to = out + row * x.stride;
    for_row_vectors<Real>(x.length, [&](int64_t at, int64_t count) {
      const auto deviation = load(in + at, count) - load(by.means + at, count);
      const auto normal = deviation * load(by.scales + at, count);
      store_up_to<Vector<Real>>(
          to + at, normal * load(by.weights + at, count) + load(by.shifts + at, count), count);
    });
  }
}

template <class Real>
void gradient_sums(const Strip<Real>& x, const Real* grad, const Real* means, double* of_grad,
                   double* along) {
  for_row_vectors<Real>(x.length, [&](int64_t at, int64_t count) {
    const auto mean = load(means + at, count);
    const auto grad_of = [&](int64_t row) { return load(grad + row * x.stride + at, count); };
    add_rows<Real>(x.rows, count, of_grad + at, grad_of);
    add_rows<Real>(x.rows, count, along + at, [&](int64_t row) {
      return grad_of(row) * (load(x.data + row * x.stride + at, count) - mean);
    });
  });
}

template <class Real>
void gradient(const Strip<Real>& x, const Real* grad, const ColumnSlopes<Real>& by, Real* out) {
  for (int64_t row = 0; row < x.rows; ++row) {
    const Real *in = x.data + row * x.stride, *from = grad + row * x.stride;
    Real* to = out + row * x.stride;
    for_row_vectors<Real>(x.length, [&](int64_t at, int64_t count) {
      const auto along =
          (load(in + at, count) - load(by.means + at, count)) * load(by.slopes + at, count);
      const auto rest = load(from + at, count) - load(by.shifts + at, count) - along;
      store_up_to<Vector<Real>>(to + at, rest * load(by.scales + at, count), count);
    });
  }
}

template <class Real>
constexpr ColumnLoops<Real> kLoops = {sum<Real>, squares<Real>, normalise<Real>,
                                      gradient_sums<Real>, gradient<Real>};

}  // namespace

void fill_channel_columns(RowTables& tables) {
  tables.columns = kLoops<float>;
  tables.wide_columns = kLoops<double>;
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
